"""Tables over HTTP: what is asked and what is answered."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from stich.serve.wire.exact import EXACT, OptionValue, Status, exact
from stich.serve.wire.position import Event, Value, View

Name = Annotated[str, Field(min_length=1, max_length=40)]
Secret = Annotated[str, Field(max_length=100)]


@exact
class Sitter(TypedDict):
    """Who sits at a seat."""

    kind: Literal["person", "agent", "open"]
    """A person, an agent, or nobody yet."""
    name: str
    """The person's name, or the agent's level or spec."""
    agent: str
    """The agent's spec; empty for others."""
    left: bool
    """Whether the agent plays for the person of this name, who has left."""


@exact
class Seat(Sitter):
    """A seat of a table in memory."""

    seat: int
    """Its number."""
    here: bool
    """Whether somebody is connected for it."""


@exact
class TableInfo(TypedDict):
    """What everybody may know of a table."""

    table: str
    """Its id."""
    game: str
    """The variant."""
    options: dict[str, OptionValue]
    """The switches of its rules."""
    status: Status
    """Whether it waits for players, runs, has ended, or was given up."""
    created: float
    """When it was made, in seconds since 1970."""
    moves: int
    """How many moves have been played."""
    coach: bool
    """Whether it has a coach."""
    seats: list[Seat]
    """Who sits where."""


@exact
class MadeTable(TableInfo):
    """A new table; the secrets are told only here."""

    seat: int | None
    """One's own seat; null where one only watches."""
    token: str | None
    """The secret of that seat."""
    invite: str | None
    """The secret for the open seats; null where there are none."""


@exact
class JoinedTable(TypedDict):
    """A seat taken by invitation."""

    table: str
    """The table's id."""
    seat: int
    """The seat's number."""
    token: str
    """The secret of the seat, told only here."""


@exact
class ListedTable(TypedDict):
    """A table in a list."""

    table: str
    """Its id."""
    game: str
    """The name by which it was made."""
    options: dict[str, OptionValue]
    """The switches of its rules that were given."""
    seats: list[Sitter]
    """Who sits where."""
    status: Status
    """Whether it waits for players, runs, has ended, or was given up."""
    created: float
    """When it was made, in seconds since 1970."""
    finished: float | None
    """When it ended."""
    returns: list[float] | None
    """Each seat's result."""


@exact
class ReplayStep(TypedDict):
    """A move of a replay."""

    view: View
    """The position before it, all hands open."""
    event: Event
    """The move."""


@exact
class ReplayPage(TypedDict):
    """A finished game, or a part of it."""

    table: str
    """The table's id."""
    game: str
    """The variant."""
    options: dict[str, OptionValue]
    """The switches of its rules."""
    seats: list[Seat]
    """Who sits where."""
    moves: int
    """How many moves the whole game has."""
    steps: list[ReplayStep]
    """The moves that were asked for."""
    final: View
    """The position after the last move of the game."""


@exact
class Decision(TypedDict):
    """A decision of a seat and what it cost."""

    number: int
    """The number of the move."""
    view: View
    """The position as the seat saw it."""
    action: int
    """The id of what was played."""
    name: str
    """Its name in transcripts."""
    best: int
    """The id of the best action."""
    best_name: str
    """Its name in transcripts."""
    lost: float
    """How much more the best action is worth."""
    values: list[Value]
    """What the coach thinks of each legal action."""


@exact
class ReviewPage(TypedDict):
    """The decisions of a seat."""

    table: str
    """The table's id."""
    seat: int
    """Whose decisions they are."""
    decisions: list[Decision]
    """Those that were asked for, in the order of play."""
    next: int | None
    """The move where the next page begins; null at the end."""


@exact
class Reported(TypedDict):
    """A report that was stored."""

    report: int
    """Its number."""


class Request(BaseModel):
    """A body without unknown keys."""

    model_config = EXACT


class SeatWish(Request):
    """Who shall sit at a seat."""

    kind: Literal["me", "open", "agent"]
    """Oneself, whoever is invited, or an agent."""
    agent: Annotated[str, Field(max_length=200)] | None = None
    """The agent's spec; the default is the game's own agent."""
    level: Annotated[str, Field(max_length=40)] | None = None
    """Or its strength by name."""


class NewTable(Request):
    """A table to be made."""

    game: Annotated[str, Field(max_length=200)]
    """The name of a game."""
    options: dict[str, OptionValue] = Field(default_factory=dict, max_length=40)
    """Switches of its rules that differ from the variant's."""
    seats: list[SeatWish] = Field(default_factory=list, max_length=16)
    """Who sits where; without it one sits at the game's home seat among its default agents."""
    name: Name = "Guest"
    """What one is called."""
    coach: bool = False
    """Whether the table has a coach."""


class Join(Request):
    """Who comes to an open seat."""

    invite: Secret
    """The invitation."""
    name: Name = "Guest"
    """What one is called."""
    seat: Annotated[int, Field(ge=0, le=15)] | None = None
    """The seat's number; the default is the first open one."""


class Leave(Request):
    """Who gives their seat to an agent."""

    token: Secret
    """The secret of the seat."""


class Report(Request):
    """A remark about a move, by a player at any time or by anybody when the game is over."""

    number: Annotated[int, Field(ge=0, le=1_000_000)]
    """The number of the move."""
    text: Annotated[str, Field(min_length=1, max_length=2000)]
    """What is wrong with it."""
    token: Secret | None = None
    """The secret of the player's seat."""
