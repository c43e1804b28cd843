"""Tables over HTTP: making, joining and listing them, and what a finished game shows: replay, review, transcript."""

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from stich.core.errors import StichError
from stich.core.game import State
from stich.core.rng import stream
from stich.serve.lobby import level_spec, levels
from stich.serve.tables import Table, Tables
from stich.serve.thinking import Thought
from stich.serve.views import event_json, view_json

Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
Name = Annotated[str, Field(min_length=1, max_length=40)]
Secret = Annotated[str, Field(max_length=100)]
REFUSED: dict[int | str, dict[str, Any]] = {400: {"description": "`detail` says what is wrong"}}
ABOUT = {**REFUSED, 403: {"description": "wrong token or invitation"}, 404: {"description": "no such table"}}
STEPS = 100
"""The most moves of one page of a replay."""
REVIEW = 200
"""The most decisions of one review."""


class Strict(BaseModel):
    """A body without unknown keys."""

    model_config = ConfigDict(extra="forbid")


class SeatWish(Strict):
    """Who shall sit at a seat."""

    kind: Literal["me", "open", "agent"]
    agent: Annotated[str, Field(max_length=200)] | None = None
    level: Annotated[str, Field(max_length=40)] | None = None


class NewTable(Strict):
    """A table to be made; without seats one sits at the game's home seat among agents of its default kind."""

    game: Annotated[str, Field(max_length=200)]
    options: dict[str, str | int | bool] = Field(default_factory=dict, max_length=40)
    seats: list[SeatWish] = Field(default_factory=list, max_length=16)
    name: Name = "Guest"
    coach: bool = False


class Join(Strict):
    """Who comes to an open seat."""

    invite: Secret
    name: Name = "Guest"
    seat: Annotated[int, Field(ge=0, le=15)] | None = None


class Leave(Strict):
    """Who gives his seat to an agent."""

    token: Secret


class Report(Strict):
    """A remark about a move, by a player at any time or by anybody when the game is over."""

    number: Annotated[int, Field(ge=0, le=1_000_000)]
    text: Annotated[str, Field(min_length=1, max_length=2000)]
    token: Secret | None = None


def router(tables: Tables) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api/tables", tags=["tables"], responses=ABOUT)

    @routes.post("", status_code=201, responses={503: {"description": "too many tables"}})
    async def create(wish: NewTable) -> dict[str, Any]:
        """Makes a table; the token of one's seat and the invitation for open seats are told only here."""
        seats = [seat.model_dump() for seat in wish.seats]
        return await tables.create(wish.game, wish.options, seats, wish.name, wish.coach)

    @routes.get("")
    async def listed(
        status: Literal["open", "running", "finished"] = "finished",
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
        before: Annotated[float | None, Query(ge=0, le=1e12)] = None,
    ) -> list[dict[str, Any]]:
        """Tables, the newest first; `before` takes the time of the last one seen, for the next page."""
        return [_row(row) for row in await tables.store.listed(status, limit, before)]

    @routes.get("/{table}")
    async def about(table: Id) -> dict[str, Any]:
        """What everybody may know of a table."""
        return (await tables.get(table)).public()

    @routes.post("/{table}/join")
    async def join(table: Id, who: Join) -> dict[str, Any]:
        """Takes an open seat; the answer holds its token."""
        return await tables.join(await tables.get(table), who.invite, who.name, who.seat)

    @routes.post("/{table}/leave")
    async def leave(table: Id, who: Leave) -> dict[str, Any]:
        """Gives one's seat to an agent, so that the others can go on."""
        found = await tables.get(table)
        await tables.leave(found, who.token)
        return found.public()

    @routes.get("/{table}/transcript")
    async def transcript(table: Id) -> dict[str, Any]:
        """A finished game as `stich replay` reads it."""
        found = await tables.get(table)
        found.ended()
        return found.transcript()

    @routes.get("/{table}/replay")
    async def replay(
        table: Id,
        first: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
        count: Annotated[int, Query(ge=1, le=STEPS)] = STEPS,
    ) -> dict[str, Any]:
        """A finished game move by move with all hands open: the position before each move, and the move."""
        found = await tables.get(table)
        found.ended()
        return _replay(found, first, count)

    @routes.get("/{table}/review")
    async def review(
        table: Id,
        seat: Annotated[int, Query(ge=0, le=15)],
        first: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
        count: Annotated[int, Query(ge=1, le=REVIEW)] = 20,
        level: Annotated[str | None, Query(max_length=40)] = None,
        authorization: Annotated[str, Header(max_length=200)] = "",
    ) -> dict[str, Any]:
        """What each decision of a seat cost, as a search sees it from what the seat knew.

        Of finished games for everybody; at a table with a coach also before, for the seat of
        `Authorization: Bearer TOKEN`.
        """
        found = await tables.get(table)
        if not (found.coach and authorization and found.seat_of(authorization.removeprefix("Bearer ")) == seat):
            found.ended()
        return await _review(tables, found, seat, first, count, level)

    @routes.post("/{table}/reports", status_code=201)
    async def report(table: Id, remark: Report) -> dict[str, Any]:
        """Reports a move; the game so far is kept with the report, where only the operator sees it."""
        found = await tables.get(table)
        if remark.token is not None:
            found.seat_of(remark.token)
        else:
            found.ended()
        if remark.number >= len(found.actions):
            raise StichError(f"there is no move {remark.number} yet")
        return {"report": await tables.store.report(table, remark.number, remark.text, found.transcript())}

    @routes.get("/{table}/reports")
    async def reports(table: Id) -> list[dict[str, Any]]:
        """The reports about a finished game with their transcripts."""
        (await tables.get(table)).ended()
        return await tables.store.reports(table)

    @routes.get("/{table}/state")
    async def state(
        table: Id,
        since: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
        authorization: Annotated[str, Header(max_length=200)] = "",
    ) -> dict[str, Any]:
        """What the WebSocket would send to the seat of `Authorization: Bearer TOKEN`."""
        found = await tables.get(table)
        seat = found.seat_of(authorization.removeprefix("Bearer "))
        return found.state_json(seat, since)

    return routes


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """A stored table as everybody may see it."""
    stored = [{"left": False, **seat} for seat in json.loads(row["seats"])]
    seats = [{key: seat[key] for key in ("kind", "name", "agent", "left")} for seat in stored]
    told = {"table": row["id"], "game": row["game"], "options": json.loads(row["options"]), "seats": seats}
    told |= {key: row[key] for key in ("status", "created", "finished")}
    return {**told, "returns": json.loads(row["returns"]) if row["returns"] else None}


def _replay(table: Table, first: int, count: int) -> dict[str, Any]:
    steps = []
    for number, (before, action, after) in enumerate(table.steps()):
        if first <= number < first + count:
            steps.append({"view": view_json(before), "event": event_json(before, action, after, number)})
    return {
        "table": table.id,
        "game": table.game.name,
        "options": table.game.options,
        "seats": table.seats_json(),
        "moves": len(table.actions),
        "steps": steps,
        "final": view_json(table.state),
    }


async def _review(
    tables: Tables, table: Table, seat: int, first: int, count: int, level: str | None
) -> dict[str, Any]:
    """The decisions of a seat from move `first` on; `next` is where the next page begins, null at the end."""
    if seat >= table.game.seats:
        raise StichError(f"there is no seat {seat}")
    rows: list[dict[str, Any]] = []
    following = None
    for number, (before, action, _) in enumerate(table.steps()):
        if number < first or before.player != seat or before.mask & (before.mask - 1) == 0:
            continue
        if len(rows) == count:
            following = number
            break
        view = before.view(seat)
        judged = _judged(view, action, await coach(tables, view, level))
        rows.append({"number": number, "view": view_json(view), **judged})
    return {"table": table.id, "seat": seat, "decisions": rows, "next": following}


async def coach(tables: Tables, view: State, level: str | None = None) -> Thought:
    """What a search thinks of each legal action; its chance comes from the view, so that it tells nothing else."""
    game = view.game
    able = [offered["level"] for offered in levels(game) if offered["rates"]]
    if level is not None and level not in able:
        raise StichError(f"there is no coach {level!r}; there are {', '.join(able)}")
    spec = tables.thinkers.spec(level_spec(level or able[-2], game), game)
    return await tables.thinkers.think(game, spec, view, stream(0, "coach", view.key()))


def _judged(view: State, action: int, thought: Thought) -> dict[str, Any]:
    values = thought.values or []
    known = {entry["action"]: entry["value"] for entry in values}
    best = max(known, key=lambda one: known[one], default=action)
    return {
        "action": action,
        "name": view.action_name(action),
        "best": best,
        "best_name": view.action_name(best),
        "lost": known[best] - known[action] if action in known else 0.0,
        "values": values,
    }
