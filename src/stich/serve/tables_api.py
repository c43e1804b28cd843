"""Tables over HTTP: making, joining and listing them, and what a finished game shows: replay, review, transcript."""

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Path, Query, Response

from stich.core.errors import StichError
from stich.core.game import State
from stich.core.rng import stream
from stich.core.types import Action, Seat
from stich.serve.lobby import level_spec, levels
from stich.serve.tables import Table, Tables, packed
from stich.serve.thinking import Thought
from stich.serve.views import event_json, view_json
from stich.serve.wire.messages import StateMessage
from stich.serve.wire.tables import (
    Decision,
    Join,
    JoinedTable,
    Leave,
    ListedTable,
    MadeTable,
    NewTable,
    ReplayPage,
    ReplayStep,
    Report,
    Reported,
    ReviewPage,
    TableInfo,
)

Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
REFUSED: dict[int | str, dict[str, Any]] = {400: {"description": "`detail` says what is wrong"}}
ABOUT = {**REFUSED, 403: {"description": "wrong token or invitation"}, 404: {"description": "no such table"}}
STEPS = 100
"""The most moves of one page of a replay."""
REVIEW = 200
"""The most decisions of one review."""


def router(tables: Tables) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api/tables", tags=["tables"], responses=ABOUT)

    @routes.post("", status_code=201, responses={503: {"description": "too many tables"}})
    async def create(wish: NewTable) -> MadeTable:
        """Makes a table; the token of one's seat and the invitation for open seats are told only here."""
        return await tables.create(wish.game, wish.options, wish.seats, wish.name, wish.coach)

    @routes.get("")
    async def listed(
        status: Literal["open", "running", "finished"] = "finished",
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
        before: Annotated[float | None, Query(ge=0, le=1e12)] = None,
    ) -> list[ListedTable]:
        """Tables, the newest first; `before` takes the time of the last one seen, for the next page."""
        return [_row(row) for row in await tables.store.listed(status, limit, before)]

    @routes.get("/{table}")
    async def about(table: Id) -> TableInfo:
        """What everybody may know of a table."""
        return (await tables.get(table)).public()

    @routes.post("/{table}/join")
    async def join(table: Id, who: Join) -> JoinedTable:
        """Takes an open seat; the answer holds its token."""
        return await tables.join(await tables.get(table), who.invite, who.name, who.seat)

    @routes.post("/{table}/leave")
    async def leave(table: Id, who: Leave) -> TableInfo:
        """Gives one's seat to an agent, so that the others can continue."""
        found = await tables.get(table)
        await tables.leave(found, who.token)
        return found.public()

    @routes.get("/{table}/transcript")
    async def transcript(table: Id) -> dict[str, Any]:
        """A finished game as `stich replay` reads it."""
        found = await tables.get(table)
        found.ended()
        return found.transcript()

    @routes.get("/{table}/replay", response_model=ReplayPage)
    async def replay(
        table: Id,
        first: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
        count: Annotated[int, Query(ge=1, le=STEPS)] = STEPS,
    ) -> Response:
        """A finished game move by move with all hands open: the position before each move, and the move."""
        found = await tables.get(table)
        found.ended()
        return _sent(_replay(found, first, count))

    @routes.get("/{table}/review", response_model=ReviewPage)
    async def review(
        table: Id,
        seat: Annotated[int, Query(ge=0, le=15)],
        first: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
        count: Annotated[int, Query(ge=1, le=REVIEW)] = 20,
        level: Annotated[str | None, Query(max_length=40)] = None,
        authorization: Annotated[str, Header(max_length=200)] = "",
    ) -> Response:
        """What each decision of a seat cost, as a search sees it from what the seat knew.

        Of finished games for everybody; at a table with a coach also before, for the seat of
        `Authorization: Bearer TOKEN`.
        """
        found = await tables.get(table)
        if not (found.coach and authorization and found.seat_of(authorization.removeprefix("Bearer ")) == seat):
            found.ended()
        return _sent(await _review(tables, found, Seat(seat), first, count, level))

    @routes.post("/{table}/reports", status_code=201)
    async def report(table: Id, remark: Report) -> Reported:
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

    @routes.get("/{table}/state", response_model=StateMessage)
    async def state(
        table: Id,
        since: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
        authorization: Annotated[str, Header(max_length=200)] = "",
    ) -> Response:
        """What the WebSocket would send to the seat of `Authorization: Bearer TOKEN`."""
        found = await tables.get(table)
        seat = found.seat_of(authorization.removeprefix("Bearer "))
        return _sent(found.state_json(seat, since))

    return routes


def _sent(message: StateMessage | ReplayPage | ReviewPage) -> Response:
    """Views are sent as they are: a key too many in a stranger's `Page.view` must not end a running game."""
    return Response(packed(message), media_type="application/json")


def _row(row: dict[str, Any]) -> ListedTable:
    """A stored table as everybody may see it."""
    return {
        "table": row["id"],
        "game": row["game"],
        "options": json.loads(row["options"]),
        "seats": [
            {"kind": seat["kind"], "name": seat["name"], "agent": seat["agent"], "left": seat.get("left", False)}
            for seat in json.loads(row["seats"])
        ],
        "status": row["status"],
        "created": row["created"],
        "finished": row["finished"],
        "returns": json.loads(row["returns"]) if row["returns"] else None,
    }


def _replay(table: Table, first: int, count: int) -> ReplayPage:
    steps: list[ReplayStep] = []
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
    tables: Tables, table: Table, seat: Seat, first: int, count: int, level: str | None
) -> ReviewPage:
    """The decisions of a seat from move `first` on; `next` is where the next page begins, null at the end."""
    if seat >= table.game.seats:
        raise StichError(f"there is no seat {seat}")
    rows: list[Decision] = []
    following = None
    for number, (before, action, _) in enumerate(table.steps()):
        if number < first or before.player != seat or before.mask & (before.mask - 1) == 0:
            continue
        if len(rows) == count:
            following = number
            break
        view = before.view(seat)
        rows.append(_judged(view, number, action, await coach(tables, view, level)))
    return {"table": table.id, "seat": seat, "decisions": rows, "next": following}


async def coach(tables: Tables, view: State, level: str | None = None) -> Thought:
    """What a search thinks of each legal action; its chance comes from the view, so that it tells nothing else."""
    game = view.game
    able = [offered["level"] for offered in levels(game) if offered["rates"]]
    if level is not None and level not in able:
        raise StichError(f"there is no coach {level!r}; there are {', '.join(able)}")
    spec = tables.thinkers.spec(level_spec(level or able[-2], game), game)
    return await tables.thinkers.think(game, spec, view, stream(0, "coach", view.key()))


def _judged(view: State, number: int, action: Action, thought: Thought) -> Decision:
    values = thought.values or []
    known = {entry["action"]: entry["value"] for entry in values}
    best = max(known, key=lambda one: known[one], default=action)
    return {
        "number": number,
        "view": view_json(view),
        "action": action,
        "name": view.action_name(action),
        "best": best,
        "best_name": view.action_name(best),
        "lost": known[best] - known[action] if action in known else 0.0,
        "values": values,
    }
