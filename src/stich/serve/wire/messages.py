"""The messages of a table's WebSocket, of the server and of a client."""

from typing import (
    Annotated,
    Literal,
    NotRequired,  # pydantic needs this one before Python 3.12
)

from pydantic import Field
from typing_extensions import TypedDict

from stich.serve.wire.exact import Status, exact
from stich.serve.wire.position import Event, Value, View
from stich.serve.wire.tables import Seat


@exact
class WelcomeMessage(TypedDict):
    """The token was right."""

    type: Literal["welcome"]
    """Which message this is."""
    table: str
    """The table's id."""
    seat: int
    """One's own seat."""
    coach: bool
    """Whether the table has a coach."""


@exact
class StateMessage(TypedDict):
    """A seat's view now; after hello, after every move, and after seats were taken or left."""

    type: Literal["state"]
    """Which message this is."""
    table: str
    """The table's id."""
    status: Status
    """Whether it waits for players, runs, has ended, or was given up."""
    number: int
    """How many moves have been played; each of them is stored."""
    seats: list[Seat]
    """Who sits where."""
    events: list[Event]
    """The moves since the last state."""
    view: View | None
    """The position; null before the game begins."""


@exact
class SeatsMessage(TypedDict):
    """Somebody came or went."""

    type: Literal["seats"]
    """Which message this is."""
    seats: list[Seat]
    """Who sits where."""


@exact
class CoachMessage(TypedDict):
    """The coach's answer."""

    type: Literal["coach"]
    """Which message this is."""
    number: int
    """The number of the move that it is about."""
    action: int
    """The id of the action that the coach would choose."""
    values: list[Value]
    """What it thinks of each legal action; empty where there is no choice."""


@exact
class RefusedMessage(TypedDict):
    """What was sent is not possible; nothing has changed."""

    type: Literal["refused"]
    """Which message this is."""
    reason: str
    """Why, in English."""
    error: str
    """The same as an id: `unknown`, `forbidden`, `full`, or `refused` for the rest."""
    number: NotRequired[int]
    """How many moves have been played; missing where hello was refused."""


@exact
class PongMessage(TypedDict):
    """The answer to a ping."""

    type: Literal["pong"]
    """Which message this is."""


ServerMessage = Annotated[
    WelcomeMessage | StateMessage | SeatsMessage | CoachMessage | RefusedMessage | PongMessage,
    Field(discriminator="type"),
]


@exact
class HelloMessage(TypedDict):
    """The first message."""

    type: Literal["hello"]
    """Which message this is."""
    token: str
    """The secret of one's seat."""
    last: NotRequired[int]
    """The `number` of the last state one has; the default is 0."""


@exact
class PlayMessage(TypedDict):
    """Plays; sent again after a lost connection it is not played twice."""

    type: Literal["play"]
    """Which message this is."""
    number: int
    """The `number` of the state that one saw."""
    action: int | str
    """The id or the name of a legal action."""
    seat: NotRequired[int]
    """One's own seat, for clients that check themselves."""


@exact
class AskCoachMessage(TypedDict):
    """Asks the coach, on one's turn."""

    type: Literal["coach"]
    """Which message this is."""
    level: NotRequired[str | None]
    """The level that rates; the default is the last but one."""


@exact
class ResumeMessage(TypedDict):
    """Asks for everything since a state again."""

    type: Literal["resume"]
    """Which message this is."""
    last: NotRequired[int]
    """The `number` of that state; the default is 0."""


@exact
class PingMessage(TypedDict):
    """Asks for a pong, to know that the connection is alive."""

    type: Literal["ping"]
    """Which message this is."""


ClientMessage = Annotated[
    HelloMessage | PlayMessage | AskCoachMessage | ResumeMessage | PingMessage, Field(discriminator="type")
]
