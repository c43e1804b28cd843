"""The WebSocket of a table: a client shows its seat's token, is told what is new, and plays.

Whatever else arrives is refused with a reason; a client that keeps sending such
things is disconnected. The table never notices.
"""

import asyncio
import json
import time
from collections import Counter
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from sqlalchemy.exc import SQLAlchemyError

from stich.core.errors import StichError
from stich.serve.tables import Feed, Table, Tables, UnknownError, error_id, packed
from stich.serve.tables_api import coach
from stich.serve.wire.messages import (
    CoachMessage,
    PongMessage,
    RefusedMessage,
    ServerMessage,
    WelcomeMessage,
)

HELLO_SECONDS = 10.0
"""How long a client may take to show its token."""
RATE = 20.0
"""Messages a second that a client may send, with twice that much at once."""
PATIENCE = 20
"""After this many messages that make no sense a client is disconnected."""
POLICY, BUSY, FORBIDDEN, UNKNOWN = 1008, 1013, 4403, 4404
"""Codes of closing: senseless messages, too many clients, wrong token, no such table."""


class Senseless(Exception):  # noqa: N818 (the client's, not the server's)
    """A message that no honest client sends."""


def router(tables: Tables) -> APIRouter:
    """The one route."""
    routes = APIRouter()
    settings, open_sockets = tables.settings, Counter[str]()

    @routes.websocket("/api/tables/{table}/socket")
    async def socket(websocket: WebSocket, table: str) -> None:
        address = websocket.client.host if websocket.client else ""
        await websocket.accept()
        full = open_sockets.total() >= settings.sockets
        if full or 0 < settings.address_sockets <= open_sockets[address] or tables.closing:
            await websocket.close(BUSY)
            return
        open_sockets[address] += 1
        tables.metrics.add("sockets_total")
        try:
            await Client(tables, websocket).serve(table)
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            pass  # the client is gone
        except SQLAlchemyError:
            await websocket.close(BUSY)
        finally:
            open_sockets[address] -= 1
            if not open_sockets[address]:
                del open_sockets[address]
            with suppress(RuntimeError, WebSocketDisconnect):
                await websocket.close()

    return routes


class Client:
    """One connection."""

    def __init__(self, tables: Tables, websocket: WebSocket) -> None:
        self.tables, self.websocket = tables, websocket
        self.senseless, self.left, self.then = 0, 2 * RATE, time.monotonic()
        self.coaching: asyncio.Task[None] | None = None

    async def serve(self, table_id: str) -> None:
        """Lets the client in, then sends and receives until it goes."""
        try:
            hello = await asyncio.wait_for(self._receive(), HELLO_SECONDS)
            table = await self.tables.get(table_id)
            if hello.get("type") != "hello" or not isinstance(hello.get("token"), str):
                raise Senseless('the first message is {"type": "hello", "token": ...}')
            seat = table.seat_of(hello["token"])
            last = _whole(hello.get("last", 0))
        except (StichError, Senseless) as error:
            await self.websocket.send_text(packed(refused(error)))
            await self.websocket.close(_close_code(error))
            return
        feed = Feed(seat)
        welcome: WelcomeMessage = {"type": "welcome", "table": table.id, "seat": seat, "coach": table.coach}
        feed.put(packed(welcome))
        table.feeds.add(feed)
        feed.put(table.message(seat, last))
        table.tell_seats()
        try:
            await self._both(table, feed)
        finally:
            table.feeds.discard(feed)
            table.tell_seats()
            table.used = time.monotonic()
            if self.coaching:
                self.coaching.cancel()

    async def _both(self, table: Table, feed: Feed) -> None:
        """Sends and receives at the same time; when one ends the other does."""
        tasks = {asyncio.create_task(self._send(feed)), asyncio.create_task(self._listen(table, feed))}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(self, feed: Feed) -> None:
        while (message := await feed.queue.get()) is not None:
            await self.websocket.send_text(message)

    async def _listen(self, table: Table, feed: Feed) -> None:
        while True:
            try:
                answer = await self._answer(table, feed, await self._receive())
            except StichError as error:
                answer = refused(error, len(table.actions))
            except Senseless as error:
                self.senseless += 1
                if self.senseless >= PATIENCE:
                    await self.websocket.close(POLICY)
                    return
                answer = refused(error, len(table.actions))
            if answer is not None and not feed.put(packed(answer)):
                return

    async def _receive(self) -> dict[str, Any]:
        """The next message; one that comes too fast waits."""
        message = await self.websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        now = time.monotonic()
        self.left = min(2 * RATE, self.left + (now - self.then) * RATE) - 1.0
        self.then = now
        if self.left < 0:
            await asyncio.sleep(-self.left / RATE)
        text = message.get("text")
        if text is None:
            raise Senseless("messages are text")
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise Senseless("messages are JSON") from None
        if not isinstance(found, dict):
            raise Senseless("messages are JSON objects")
        return found

    async def _answer(self, table: Table, feed: Feed, message: dict[str, Any]) -> ServerMessage | None:
        kind = message.get("type")
        if kind == "play":
            await self._play(table, feed, message)
            return None
        if kind == "ping":
            pong: PongMessage = {"type": "pong"}
            return pong
        if kind == "resume":
            feed.put(table.message(feed.seat, _whole(message.get("last", 0))))
            return None
        if kind == "coach":
            level = message.get("level")
            if level is not None and (not isinstance(level, str) or len(level) > 40):
                raise Senseless("a coach is named by its level")
            self._ask_coach(table, feed, level)
            return None
        raise Senseless("a message is of type play, resume, coach or ping")

    async def _play(self, table: Table, feed: Feed, message: dict[str, Any]) -> None:
        action = message.get("action")
        if isinstance(action, bool) or not isinstance(action, (int, str)) or len(str(action)) > 100:
            raise Senseless("an action is the id or the name of a legal one")
        if message.get("seat", feed.seat) != feed.seat:
            raise Senseless("this is another player's seat")
        number = _whole(message.get("number"))
        if not await self.tables.play(table, feed.seat, number, action):
            feed.put(table.message(feed.seat, number))

    def _ask_coach(self, table: Table, feed: Feed, level: str | None) -> None:
        if not table.coach:
            raise StichError("this table has no coach")
        if table.status != "running" or table.state.player != feed.seat:
            raise StichError("the coach speaks when it is your turn")
        if self.coaching and not self.coaching.done():
            raise StichError("the coach is thinking already")
        self.coaching = asyncio.create_task(self._coach(table, feed, level))

    async def _coach(self, table: Table, feed: Feed, level: str | None) -> None:
        number, view = len(table.actions), table.state.view(feed.seat)
        try:
            thought = await coach(self.tables, view, level)
        except StichError as error:
            feed.put(packed(refused(error, number)))
            return
        told: CoachMessage = {
            "type": "coach",
            "number": number,
            "action": thought.action,
            "values": thought.values or [],
        }
        feed.put(packed(told))


def refused(error: Exception, number: int | None = None) -> RefusedMessage:
    """What cannot be done, with the number of moves played where the client knows the table."""
    message: RefusedMessage = {"type": "refused", "reason": str(error), "error": error_id(error)}
    if number is not None:
        message["number"] = number
    return message


def _close_code(error: Exception) -> int:
    """How a client is sent away that was not let in."""
    codes: dict[type[Exception], int] = {Senseless: POLICY, UnknownError: UNKNOWN}
    return codes.get(type(error), FORBIDDEN)


def _whole(value: Any) -> int:
    """A number of a move."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1_000_000:
        raise Senseless("the number of a move is a whole number from 0 on")
    return value
