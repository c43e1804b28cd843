"""A real server in a thread of its own, for tests."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from stich.serve.app import create_app
from stich.serve.config import Settings


class Server:
    """A running server: `url`, `app`, and a client for it."""

    def __init__(self, settings: Settings) -> None:
        self.app = create_app(settings)
        config = uvicorn.Config(
            self.app, port=0, log_config=None, access_log=False, ws_max_size=settings.body, lifespan="on"
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        deadline = time.monotonic() + 60
        while not self.server.started:
            assert self.thread.is_alive(), "the server has not started"
            assert time.monotonic() < deadline
            time.sleep(0.01)
        port = self.server.servers[0].sockets[0].getsockname()[1]
        self.url, self.socket_url = f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}"
        self.client = httpx.Client(base_url=self.url, timeout=60)

    def stop(self) -> None:
        self.client.close()
        self.server.should_exit = True
        self.thread.join(30)
        assert not self.thread.is_alive()


@contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[Server]:
    """A server with its database in a folder, without limits on the rate, and without pauses between moves."""
    quick = {"rate": 0, "pace": 0, "database": f"sqlite:///{folder}/stich.db", "log": "warning"}
    server = Server(Settings(**{**quick, **settings}))
    try:
        yield server
    finally:
        server.stop()
