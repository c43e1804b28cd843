"""`stich serve`."""

import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from stich.cli.arguments import options_of
from stich.core.errors import StichError

app = typer.Typer()


@app.command()
def serve(
    config: Annotated[Path | None, typer.Option(metavar="FILE.toml", help="Settings from a file.")] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen on; default: 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on; default: 8000.")] = None,
    database: Annotated[str | None, typer.Option(metavar="URL", help="Where tables are kept.")] = None,
    threads: Annotated[int | None, typer.Option(help="Threads in which agents think.")] = None,
    log: Annotated[str | None, typer.Option(help="debug, info, warning or error.")] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any setting of docs/serving.md.")
    ] = None,
    open_page: Annotated[
        bool,
        typer.Option("--open", help="Open the page if there is a display; use another port if this one is taken."),
    ] = False,
) -> None:
    """Serve the page, tables, predictions and bots; settings also come from STICH_SERVE_... and a file."""
    given = {"host": host, "port": port, "database": database, "threads": threads, "log": log}
    flags = {name: value for name, value in given.items() if value is not None}
    run_server(config, {**options_of(setting), **flags}, open_page)


def run_server(file: Path | None, flags: dict[str, Any], open_page: bool = False) -> None:
    """Runs the server until it is stopped; open requests get time to finish."""
    try:
        import uvicorn

        from stich.serve.app import create_app, set_up_logs
        from stich.serve.config import load
    except ImportError as error:
        raise StichError(f"the server needs {error.name}: pip install stich[serve]") from None

    class Server(uvicorn.Server):
        """Says where it is once it listens: with port 0 nobody knows before."""

        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if self.started:
                address = _address(self.config.host, self.servers[0].sockets[0].getsockname()[1])
                sys.stdout.write(f"Stich is at {address} (Ctrl-C ends it)\n")
                sys.stdout.flush()
                if open_page and _has_display():
                    import webbrowser

                    webbrowser.open(address)

    settings = load(flags, file)
    if open_page and not can_listen(settings.host, settings.port):
        settings = replace(settings, port=0)
    set_up_logs(settings.log)
    config = uvicorn.Config(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        ws_max_size=settings.body,
        timeout_graceful_shutdown=int(settings.grace) or None,
        server_header=False,
    )
    server = Server(config)
    with suppress(KeyboardInterrupt):  # the server has ended already
        server.run()
    if not server.started:
        raise StichError("the server could not start; its log says why")


def can_listen(host: str, port: int) -> bool:
    """Whether a port is free."""
    import socket

    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _address(host: str, port: int) -> str:
    """What a browser on this machine opens."""
    here = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
    return f"http://[{here}]:{port}" if ":" in here else f"http://{here}:{port}"


def _has_display() -> bool:
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
