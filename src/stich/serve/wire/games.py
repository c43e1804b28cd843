"""Games as `GET /api/games` lists them."""

from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from stich.serve.wire.exact import OptionValue, exact


@exact
class Face(TypedDict):
    """What stands on a card."""

    suit: str | None
    """Its suit, as in `hearts` or `trump`; null where the game does not say what its cards show."""
    rank: str
    """Its rank, as in `A` or `10`; without a suit the card's code."""


@exact
class Level(TypedDict):
    """A strength of play that a game offers by name."""

    level: str
    """Its name in requests: `random`, `beginner`, `regular`, `strong`, `expert`."""
    strength: int
    """Its place from weak (0) to strong."""
    agent: str
    """The spec of the agent behind it."""
    rates: bool
    """Whether it rates moves, and so can be a coach."""


@exact
class Argument(TypedDict):
    """An argument of an agent."""

    name: str
    """Its name in a spec."""
    doc: str
    """What it does."""
    default: str | None
    """Its default; null where it must be given."""


@exact
class AgentKind(TypedDict):
    """An agent that may be named at this server."""

    name: str
    """Its name in a spec."""
    doc: str
    """What it is, in one line."""
    arguments: list[Argument]
    """What its spec takes."""


@exact
class GameOption(TypedDict):
    """A switch of a game's rules."""

    name: str
    """Its name in requests."""
    doc: str
    """What it changes."""
    choices: list[str] | None
    """The values it takes; null where it is a number."""
    low: int | None
    """The lowest number; null where there are choices."""
    high: int | None
    """The highest number; null where there are choices."""


@exact
class Variant(TypedDict):
    """A variant of a game."""

    name: str
    """The name by which its tables are made."""
    variant: str
    """What its tables call it."""
    doc: str
    """What it is, in one line."""
    seats: int
    """How many play."""
    home_seat: int
    """Where a single person sits."""
    teams: list[int] | None
    """The team of each seat; null where everybody plays alone or teams change."""
    bounds: list[float]
    """The lowest and the highest result of a game."""
    options: dict[str, OptionValue]
    """The value of each switch of the rules."""


@exact
class Family(TypedDict):
    """A game with its variants, and all that is needed to offer and draw them."""

    family: str
    """Its name; that of a file or module stands before a stranger's."""
    title: str
    """Its name for people."""
    about: str
    """What it is, in one line."""
    options: list[GameOption]
    """The switches of its rules."""
    levels: list[Level]
    """The strengths of play, from weak to strong."""
    agents: list[AgentKind]
    """The agents that may be named."""
    cards: dict[str, Face]
    """Every card by its code."""
    pack: str | None
    """How the faces are drawn: `french`, `tarock` or `wizard`; null where a card is its text."""
    variants: list[Variant]
    """What can be played."""


@exact
class Unavailable(TypedDict):
    """A game of the settings that cannot be played."""

    name: str
    """How the settings call it."""
    reason: str
    """Why it failed."""


@exact
class GameList(TypedDict):
    """Everything that can be played here."""

    families: list[Family]
    """The games."""
    unavailable: list[Unavailable]
    """Those that failed."""
