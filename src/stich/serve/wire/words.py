"""Words as `GET /api/words` gives them (docs/architecture.md, "Facts and words")."""

from typing import NotRequired

from typing_extensions import TypedDict

from stich.serve.wire.exact import exact

Word = str | dict[str, str]
"""A text, or its forms: `any`, `you`, `one`, `you_one`."""
Table = dict[str, Word]


@exact
class OptionWords(TypedDict):
    """The words of an option."""

    name: str
    """What it is called."""
    doc: str
    """What it changes."""


@exact
class SharedWords(TypedDict):
    """What all card games share."""

    seat: str
    """A seat that has no name."""
    between_seats: str
    """What stands between several seats."""
    suits: dict[str, str]
    """The suits of all packs."""
    ranks: dict[str, str]
    """Ranks that have a name."""
    letters: dict[str, str]
    """What stands in a card's corner in place of its rank."""
    names: dict[str, str]
    """A card's full name by its suit; `any` for the rest, `none` without a suit."""
    short: dict[str, str]
    """The same in a sentence; a sign and the rank for the rest."""
    choices: dict[str, str]
    """Values of options."""
    actions: Table
    """What can be done."""
    facts: Table
    """What happened."""
    piles: dict[str, str]
    """Where cards lie."""
    questions: dict[str, str]
    """What is asked."""


@exact
class GameWords(TypedDict):
    """The words of a game."""

    title: str
    """Its name."""
    about: str
    """What it is, in one line."""
    variants: dict[str, str]
    """What each variant is."""
    options: dict[str, OptionWords]
    """Its options."""
    seats: NotRequired[list[str]]
    """The names of its seats."""
    choices: NotRequired[dict[str, str]]
    """Values of options."""
    actions: NotRequired[Table]
    """What can be done."""
    facts: NotRequired[Table]
    """What happened, trump or contract, and what else is counted."""
    terms: NotRequired[dict[str, str]]
    """Values of facts: suits, modes, levels."""
    piles: NotRequired[dict[str, str]]
    """Where cards lie."""
    questions: NotRequired[dict[str, str]]
    """What is asked."""
    cards: NotRequired[dict[str, str]]
    """Cards without a face."""


@exact
class PageWords(TypedDict):
    """Everything that the page says, in one language."""

    language: str
    """Its code."""
    languages: dict[str, str]
    """All languages by code, with their own names."""
    page: dict[str, str]
    """The page itself."""
    levels: dict[str, str]
    """The strengths of play."""
    errors: dict[str, str]
    """What the server refuses, by id."""
    shared: SharedWords
    """What all games share."""
    games: dict[str, GameWords]
    """The games by family."""
