"""Live tables: people and agents at one game, every move stored before anybody hears of it.

A client is told of a table only what `message` makes from the hidden views of its seat; nothing else that it is sent
during a game depends on the cards.
"""

import asyncio
import hashlib
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Literal

from stich.agents import default_spec
from stich.core import types
from stich.core.errors import StichError
from stich.core.game import Game, State
from stich.core.rng import stream
from stich.core.transcript import Transcript
from stich.serve.limits import LOG, Metrics
from stich.serve.lobby import level_spec
from stich.serve.store import Store
from stich.serve.thinking import FullError, Thinkers
from stich.serve.views import event_json, view_json
from stich.serve.wire.exact import Status
from stich.serve.wire.messages import SeatsMessage, ServerMessage, StateMessage
from stich.serve.wire.position import Event
from stich.serve.wire.tables import JoinedTable, MadeTable, ReplayPage, ReviewPage, SeatWish, TableInfo
from stich.serve.wire.tables import Seat as SeatInfo

TOGETHER = 16
"""Tables of agents alone that move at the same time: however many there are, people and requests wait little."""
QUEUE = 200
"""Messages that may wait for a slow client before it is disconnected."""
RETRY = 1.0
"""Seconds before an agent's move is tried again that could not be stored."""


class UnknownError(StichError):
    """There is no such table."""


class ForbiddenError(StichError):
    """The token or the invitation is not the right one."""


def error_id(error: Exception) -> str:
    """The id by which the page has words for what is refused."""
    ids: dict[type[Exception], str] = {UnknownError: "unknown", ForbiddenError: "forbidden", FullError: "full"}
    return ids.get(type(error), "refused")


@dataclass
class Seat:
    """Who sits at a seat: a person, an agent, or nobody yet."""

    kind: Literal["person", "agent", "open"]
    name: str = ""
    agent: str = ""
    token: str = ""
    """The hash of the secret that a person's client shows."""
    left: bool = False
    """Whether an agent plays for the person of this name, who has left."""


def digest(secret: str) -> str:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Feed:
    """The messages for one connected client, in order."""

    def __init__(self, seat: types.Seat) -> None:
        self.seat = seat
        self.queue: asyncio.Queue[str | None] = asyncio.Queue(QUEUE)

    def put(self, message: str) -> bool:
        """Adds a message; False where the client does not keep up."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            return False
        return True


def packed(message: ServerMessage | ReplayPage | ReviewPage) -> str:
    """A message as it is sent."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


class Table:
    """One table in memory: replayed from the database, and ahead of it by nothing."""

    def __init__(self, game: Game, row: dict[str, Any], actions: list[types.Action]) -> None:
        self.game, self.id, self.seed = game, str(row["id"]), int(row["seed"])
        self.status: Status = row["status"]
        self.coach, self.invite = bool(row["coach"]), str(row["invite"])
        self.created = float(row["created"])
        self.seats = [Seat(**seat) for seat in json.loads(row["seats"])]
        self.state, self.actions = game.new(self.seed), list[types.Action]()
        self.before = self.state.copy()
        for action in actions:
            self.apply(action)
        self.lock = asyncio.Lock()
        self.feeds: set[Feed] = set()
        self.task: asyncio.Task[None] | None = None
        self.used = time.monotonic()
        self.doubtful = False
        """Whether the database may know more: the last move could not be stored, or only its answer was lost."""

    def apply(self, action: types.Action) -> None:
        """Plays a stored move."""
        self.before = self.state.copy()
        self.state.play(action)
        self.actions.append(action)

    @property
    def people(self) -> bool:
        """Whether a person plays."""
        return any(seat.kind == "person" for seat in self.seats)

    def public(self) -> TableInfo:
        """What everybody may know."""
        return {
            "table": self.id,
            "game": self.game.name,
            "options": self.game.options,
            "status": self.status,
            "created": self.created,
            "moves": len(self.actions),
            "coach": self.coach,
            "seats": self.seats_json(),
        }

    def seats_json(self) -> list[SeatInfo]:
        """Who sits where, and who is present."""
        here = {feed.seat for feed in self.feeds}
        return [
            {
                "seat": number,
                "kind": seat.kind,
                "name": seat.name,
                "agent": seat.agent,
                "left": seat.left,
                "here": number in here,
            }
            for number, seat in enumerate(self.seats)
        ]

    def message(self, seat: types.Seat, since: int) -> str:
        """What a seat is sent, as it is sent."""
        return packed(self.state_json(seat, since))

    def state_json(self, seat: types.Seat, since: int) -> StateMessage:
        """A seat's view now, and the moves from number `since` on as it saw them."""
        running = self.status != "open"
        return {
            "type": "state",
            "table": self.id,
            "status": self.status,
            "number": len(self.actions),
            "seats": self.seats_json(),
            "events": self._events(seat, since) if running else [],
            "view": view_json(self.state.view(seat)) if running else None,
        }

    def _events(self, seat: types.Seat, since: int) -> list[Event]:
        count = len(self.actions)
        if since >= count:
            return []
        if since == count - 1:
            return [event_json(self.before.view(seat), self.actions[-1], self.state.view(seat), count - 1)]
        return [
            event_json(before.view(seat), action, after.view(seat), number)
            for number, (before, action, after) in enumerate(self.steps())
            if number >= since
        ]

    def steps(self) -> Iterator[tuple[State, types.Action, State]]:
        """Every move with the states before and after it, replayed."""
        after = self.game.new(self.seed)
        for action in self.actions:
            before, after = after.copy(), after.play(action)
            yield before, action, after

    def tell(self, since: int) -> None:
        """Sends every connected client what is new to it."""
        told = {seat: self.message(seat, since) for seat in {feed.seat for feed in self.feeds}}
        for feed in list(self.feeds):
            self._send(feed, told[feed.seat])

    def tell_seats(self) -> None:
        """Sends every connected client who is here now."""
        message: SeatsMessage = {"type": "seats", "seats": self.seats_json()}
        told = packed(message)
        for feed in list(self.feeds):
            self._send(feed, told)

    def _send(self, feed: Feed, message: str) -> None:
        """A client that does not keep up is disconnected; it may come back and resume."""
        if not feed.put(message):
            self.feeds.discard(feed)
            while not feed.queue.empty():
                feed.queue.get_nowait()
            feed.queue.put_nowait(None)

    def seat_of(self, token: str) -> types.Seat:
        """The seat that a token opens."""
        wanted = digest(token)
        for number, seat in enumerate(self.seats):
            if seat.token and secrets.compare_digest(seat.token, wanted):
                return types.Seat(number)
        raise ForbiddenError("this token opens no seat at this table")

    def transcript(self) -> dict[str, Any]:
        """The game so far with all cards, as `stich replay` reads it."""
        written = Transcript(self.game.new(self.seed))
        for action in self.actions:
            written.play(action)
        return written.record()

    def ended(self) -> None:
        """Refuses what is only for finished games."""
        if self.status != "finished":
            raise ForbiddenError("this shows all cards, so only when the game is over")


class Tables:
    """All tables of a server."""

    def __init__(self, store: Store, thinkers: Thinkers, metrics: Metrics) -> None:
        self.store, self.thinkers, self.metrics = store, thinkers, metrics
        self.settings = thinkers.settings
        self.loaded: dict[str, Table] = {}
        self.loading: dict[str, asyncio.Task[Table]] = {}
        self.unfinished = 0
        self.closing = False
        self.turns = asyncio.Semaphore(TOGETHER)

    async def start(self) -> None:
        """Continues every table that was running when the server stopped, however it stopped."""
        await self.store.expire(self.settings.expire)
        rows = await self.store.unfinished()
        self.unfinished = len(rows)
        for table, status in rows:
            if status == "running":
                try:
                    await self.get(table)
                except StichError as error:
                    LOG.error("table", extra={"facts": {"table": table, "error": str(error)}})

    async def create(
        self, name: str, options: dict[str, Any], seats: list[SeatWish], owner: str, coach: bool
    ) -> MadeTable:
        """A new table; who makes it gets the token of their seat and the invitation for the open ones."""
        if self.unfinished >= self.settings.tables:
            raise FullError(f"there are {self.unfinished} unfinished tables already: try again later")
        game = self.thinkers.game(name, options)
        token, invite = secrets.token_urlsafe(24), secrets.token_urlsafe(12)
        made = self._seats(game, seats, owner, digest(token))
        own = [number for number, seat in enumerate(made) if seat.token]
        ready = not any(seat.kind == "open" for seat in made)
        row = {
            "id": secrets.token_urlsafe(12),
            "game": name,
            "options": json.dumps(options),
            "seed": secrets.randbits(62),
            "rules": game.spec.rules_version,
            "seats": json.dumps([asdict(seat) for seat in made]),
            "invite": digest(invite),
            "coach": coach,
            "status": "running" if ready else "open",
            "created": time.time(),
        }
        await self.thinkers.prepare(game)
        await self.store.create(row)
        self.unfinished += 1
        self.metrics.add("tables_total")
        table = Table(game, row, [])
        self.loaded[table.id] = table
        self._go_on(table)
        return {
            **table.public(),
            "seat": own[0] if own else None,
            "token": token if own else None,
            "invite": invite if not ready else None,
        }

    def _seats(self, game: Game, seats: list[SeatWish], owner: str, token: str) -> list[Seat]:
        if not seats:
            home = min(game.spec.home_seat, game.seats - 1)
            seats = [SeatWish(kind="me" if number == home else "agent") for number in range(game.seats)]
        if len(seats) != game.seats:
            raise StichError(f"{game.name} has {game.seats} seats, not {len(seats)}")
        if sum(seat.kind == "me" for seat in seats) > 1:
            raise StichError("you can only sit at one seat")
        return [self._seat(game, seat, owner, token) for seat in seats]

    def _seat(self, game: Game, seat: SeatWish, owner: str, token: str) -> Seat:
        if seat.kind == "me":
            return Seat("person", owner, token=token)
        if seat.kind == "open":
            return Seat("open")
        if seat.agent and seat.level:
            raise StichError("a seat has an agent or a level, not both")
        text = level_spec(seat.level, game) if seat.level else seat.agent or default_spec(game)
        return Seat("agent", seat.level or text, self.thinkers.spec(text, game))

    async def get(self, table: str) -> Table:
        """The table of an id, from memory or replayed from the database."""
        found = self.loaded.get(table)
        if found is None:
            if table not in self.loading:
                self.loading[table] = asyncio.create_task(self._load(table))
                self.loading[table].add_done_callback(lambda _: self.loading.pop(table, None))
            found = await asyncio.shield(self.loading[table])
        found.used = time.monotonic()
        return found

    async def _load(self, table: str) -> Table:
        stored = await self.store.load(table)
        if stored is None:
            raise UnknownError(f"there is no table {table!r}")
        row, actions = stored
        game = self.thinkers.game(row["game"], json.loads(row["options"]))
        if row["rules"] != game.spec.rules_version:
            raise StichError(f"table {table} was begun under other rules of {game.spec.name}")
        await self.thinkers.prepare(game)
        found = Table(game, row, actions)
        self.loaded[table] = found
        self._go_on(found)
        return found

    async def join(self, table: Table, invite: str, name: str, wanted: int | None) -> JoinedTable:
        """Gives an open seat to who has the invitation."""
        if not secrets.compare_digest(table.invite, digest(invite)):
            raise ForbiddenError("this invitation is not for this table")
        async with table.lock:
            free = [number for number, seat in enumerate(table.seats) if seat.kind == "open"]
            if not free or (wanted is not None and wanted not in free):
                raise StichError("this seat is taken" if free else "all seats are taken")
            number = free[0] if wanted is None else wanted
            token = secrets.token_urlsafe(24)
            seats = list(table.seats)
            seats[number] = Seat("person", name, token=digest(token))
            await self._reseat(table, seats)
        return {"table": table.id, "seat": number, "token": token}

    async def leave(self, table: Table, token: str) -> None:
        """Gives a person's seat to the game's default agent, so that the others can continue."""
        number = table.seat_of(token)
        async with table.lock:
            seats = list(table.seats)
            spec = self.thinkers.spec(None, table.game)
            seats[number] = Seat("agent", seats[number].name, spec, left=True)
            await self._reseat(table, seats)

    async def _reseat(self, table: Table, seats: list[Seat]) -> None:
        status = table.status
        if status == "open" and not any(seat.kind == "open" for seat in seats):
            status = "running"
        text = json.dumps([asdict(seat) for seat in seats])
        await self.store.change(table.id, seats=text, status=status)
        table.seats, table.status = seats, status
        table.tell(len(table.actions))
        self._go_on(table)

    async def play(self, table: Table, seat: types.Seat, number: int, action: int | str) -> bool:
        """Plays a seat's move; False where this very move was played before, as after a lost confirmation."""
        try:
            async with table.lock:
                return await self._play(table, seat, number, action)
        finally:
            self._go_on(table)

    async def _play(self, table: Table, seat: types.Seat, number: int, action: int | str) -> bool:
        if table.doubtful:
            await self._reread(table)
        if table.status != "running":
            raise StichError(f"this table is {table.status}")
        if number < len(table.actions):
            _check_repeated(table, seat, number, action)
            return False
        if number > len(table.actions):
            raise StichError(f"the next move is number {len(table.actions)}, not {number}")
        if table.state.player != seat:
            raise StichError("it is not your turn")
        await self._store_move(table, seat, table.state.view(seat).action_id(action))
        return True

    async def _store_move(self, table: Table, seat: types.Seat, action: types.Action) -> None:
        """First the database, then the memory, then the clients; where storing fails the database is asked again."""
        after = table.state.copy().play(action)
        returns = after.returns() if after.is_over else None
        number = len(table.actions)
        try:
            await self.store.add_move(table.id, number, seat, action, returns)
        except Exception as error:
            LOG.error("store", extra={"facts": {"table": table.id, "number": number, "error": str(error)[:300]}})
            table.doubtful = True
            raise StichError("the move could not be stored: try again") from None
        table.apply(action)
        table.used = time.monotonic()
        self.metrics.add("moves_total")
        if after.is_over:
            table.status = "finished"
            self.unfinished -= 1
        table.tell(number)

    async def _reread(self, table: Table) -> None:
        """After a failure: takes over what the database has and the memory has not, as where an answer was lost."""
        try:
            stored = await self.store.load(table.id)
        except Exception:
            raise StichError("the database does not answer: try again") from None
        table.doubtful = False
        known = len(table.actions)
        if stored and len(stored[1]) > known:
            for action in stored[1][known:]:
                table.apply(action)
            table.status = stored[0]["status"]
            self.unfinished -= table.status == "finished"
            table.tell(known)

    def _go_on(self, table: Table) -> None:
        """Lets the agents at a table play, unless they do already."""
        if (table.task is None or table.task.done()) and self._agent_to_act(table) and not self.closing:
            table.task = asyncio.create_task(self._run(table))

    def _agent_to_act(self, table: Table) -> bool:
        return table.status == "running" and table.seats[table.state.player].kind == "agent"

    async def _run(self, table: Table) -> None:
        """Plays for the agents until a person is to act or the game is over."""
        while self._agent_to_act(table) and not self.closing:
            began = time.monotonic()
            try:
                async with nullcontext() if table.people else self.turns, table.lock:
                    if table.doubtful:
                        await self._reread(table)
                    if not self._agent_to_act(table):
                        return
                    seat, number = table.state.player, len(table.actions)
                    rngs = stream(table.seed, "agent", seat, number)
                    view = table.state.view(seat)
                    action = await self.thinkers.act(table.game, table.seats[seat].agent, view, rngs)
                    if table.people:
                        await self._pause(began)
                    await self._store_move(table, seat, action)
            except StichError:
                await asyncio.sleep(RETRY)
            except Exception:
                LOG.exception("table", extra={"facts": {"table": table.id}})
                await asyncio.sleep(RETRY)

    async def _pause(self, began: float) -> None:
        """Waits for the next beat: how long an agent thought tells nothing of its cards."""
        pace = self.settings.pace
        if pace > 0:
            used = time.monotonic() - began
            await asyncio.sleep((int(used / pace) + 1) * pace - used)

    async def sweep(self) -> None:
        """Every now and then: tables that nobody needs leave the memory; very old ones are given up."""
        while True:
            await asyncio.sleep(min(5.0, self.settings.idle))
            self.drop_idle()

    def drop_idle(self) -> None:
        """Forgets tables at which nobody is connected and no agent is to act."""
        now = time.monotonic()
        for table in list(self.loaded.values()):
            patience = 0.0 if table.status == "finished" else self.settings.idle
            busy = table.feeds or self._agent_to_act(table) or table.lock.locked()
            if not busy and now - table.used > patience:
                del self.loaded[table.id]

    async def close(self) -> None:
        """Lets the moves that are being thought about and stored end."""
        self.closing = True
        tasks = [table.task for table in self.loaded.values() if table.task and not table.task.done()]
        if tasks:
            await asyncio.wait(tasks, timeout=self.settings.grace)
        for task in tasks:
            task.cancel()


def _check_repeated(table: Table, seat: types.Seat, number: int, action: int | str) -> None:
    """A move sent again is fine if it is the one that was stored."""
    before, stored, _ = next(islice(table.steps(), number, None))
    same = action in (stored, before.action_name(stored)) and not isinstance(action, bool)
    if before.player != seat or not same:
        raise StichError(f"move {number} has been played; the next one is {len(table.actions)}")
