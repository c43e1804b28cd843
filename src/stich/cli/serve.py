"""`stich serve`."""

from pathlib import Path
from typing import Any

from stich.core.errors import StichError


def serve(file: Path | None, flags: dict[str, Any]) -> None:
    """Runs the server until it is stopped; running requests get their time to end."""
    try:
        import uvicorn

        from stich.serve.app import create_app, set_up_logs
        from stich.serve.config import load
    except ImportError as error:
        raise StichError(f"the server needs {error.name}: pip install stich[serve]") from None
    settings = load(flags, file)
    set_up_logs(settings.log)
    uvicorn.run(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        ws_max_size=settings.body,
        timeout_graceful_shutdown=int(settings.grace) or None,
        server_header=False,
    )
