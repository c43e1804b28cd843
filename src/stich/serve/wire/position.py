"""A position as a seat sees it, and what happened."""

from typing import NotRequired  # pydantic needs this one before Python 3.12

from typing_extensions import TypedDict

from stich.serve.wire.exact import exact

FactValues = dict[str, str | int | list[str] | list[int]]
"""A fact: its name under `fact`, and its values (docs/architecture.md, "Facts and words")."""


@exact
class Action(TypedDict):
    """A legal action."""

    action: int
    """Its id, which is sent to play it."""
    name: str
    """Its name in transcripts."""
    says: FactValues
    """What it means, as a fact."""
    card: str | None
    """The code of the card to click for it (of a marriage and a push, too); null for other choices."""


@exact
class Hand(TypedDict):
    """A seat's cards."""

    seat: int
    """Whose they are."""
    cards: list[str]
    """Those that the view shows."""
    count: int
    """How many there are."""


@exact
class Row(TypedDict):
    """Other cards on the table: stock, turned card, Legage."""

    pile: str
    """What they are, by id."""
    cards: list[str]
    """Those that lie open."""
    count: NotRequired[int]
    """How many there are with the hidden ones."""


@exact
class Played(TypedDict):
    """A card in a trick."""

    seat: int
    """Who played it."""
    card: str
    """Its code."""


@exact
class Pair(TypedDict):
    """Durak: an attack card and what beats it."""

    attack: str
    """The code of the attack card."""
    answer: str | None
    """The code of the card that beats it; null while it is open."""


@exact
class Score(TypedDict):
    """A line of the score."""

    seats: list[int]
    """The seats that it belongs to."""
    value: int
    """Points."""
    note: NotRequired[FactValues | None]
    """What else is counted, as a fact: bid and tricks, points of the deal."""


class Told(TypedDict, total=False):
    """What a game may tell of a position by the `view` of its `Page`, beside what every game has."""

    counts: list[int]
    trick: list[Played]
    last_trick: list[Played]
    taken_by: int | None
    trump: FactValues | None
    ask: str | None
    dealer: int
    defender: int
    pairs: list[Pair]
    chosen: str | None
    scores: list[Score]
    rows: list[Row]


@exact
class View(TypedDict):
    """A position as a seat sees it, or with all cards open in a replay."""

    game: str
    """The variant."""
    seat: int | None
    """Whose view it is; null in a replay."""
    player: int | None
    """Who is to act; null when the game is over."""
    over: bool
    """Whether the game is over."""
    returns: list[float] | None
    """Each seat's result when it is over."""
    phase: str
    """What is decided, in the game's word: `trump`, `cards`, `bidding`; empty where it has no phases."""
    stage: int
    """How many deals have ended."""
    legal: list[Action]
    """What may be done; empty when it is somebody else's turn."""
    hands: list[Hand]
    """The cards of each seat, as far as they are seen."""
    rows: list[Row]
    """Other cards on the table."""
    trick: list[Played]
    """The trick on the table in the order of play."""
    last_trick: list[Played]
    """The trick before it."""
    scores: list[Score]
    """The score."""
    taken_by: NotRequired[int | None]
    """Who took the last trick."""
    trump: NotRequired[FactValues | None]
    """Trump or contract, as a fact."""
    ask: NotRequired[str | None]
    """What is asked of the player by id, where a phase asks several things."""
    dealer: NotRequired[int]
    """Who dealt."""
    defender: NotRequired[int]
    """Durak: who defends."""
    pairs: NotRequired[list[Pair]]
    """Durak: the attack cards with what beats them."""
    chosen: NotRequired[str | None]
    """Durak: a card that could beat several and waits for its target."""


@exact
class Event(TypedDict):
    """A move as a seat saw it; `action`, `name` and `says` are null where only the player knows them."""

    number: int
    """The number of the move, from 0."""
    seat: int
    """Who moved."""
    action: int | None
    """The id of the action."""
    name: str | None
    """Its name in transcripts."""
    says: FactValues | None
    """What it means, as a fact."""
    news: list[FactValues]
    """What it led to, as facts: who took the trick, what the round brought."""


@exact
class Value(TypedDict):
    """What a search thinks of an action, in the units of the game's results."""

    action: int
    """The id of the action."""
    name: str
    """Its name in transcripts."""
    value: float
    """The mean result."""
    low: float | None
    """The lower end of its 95 % interval; null where it is not known."""
    high: float | None
    """The upper end."""
    visits: int
    """How often it was tried."""
