"""A real server in a thread of its own, for tests."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.sync.client import connect

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


class Player:
    """A client at a table that plays the first legal action, and remembers all that it was sent."""

    def __init__(self, socket_url: str, table: str, token: str, last: int = 0) -> None:
        self.received: list[str] = []
        self.state: dict[str, Any] = {}
        self.socket = connect(f"{socket_url}/api/tables/{table}/socket", max_size=None, legacy=True)
        try:
            self.send(type="hello", token=token, last=last)
        except BaseException:
            self.socket.close()
            raise

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, timeout: float = 30.0) -> dict[str, Any]:
        text = str(self.socket.recv(timeout=timeout))
        self.received.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "state":
            self.state = message
        return message

    def until(self, kind: str) -> dict[str, Any]:
        """The next message of a kind."""
        while (message := self.receive())["type"] != kind:
            pass
        return message

    def turn(self) -> dict[str, Any]:
        """Waits until this seat is to act or the game is over; the state then."""
        while not self.state or not (
            self.state["view"] and (self.state["view"]["legal"] or self.state["view"]["over"])
        ):
            self.until("state")
        return self.state

    def play(self, choice: int = 0) -> None:
        """Plays a legal action, and waits for its confirmation."""
        state = self.turn()
        legal = state["view"]["legal"]
        self.send(type="play", number=state["number"], action=legal[choice % len(legal)]["action"])
        while self.state["number"] <= state["number"]:
            self.until("state")

    def close(self) -> None:
        self.socket.close()
