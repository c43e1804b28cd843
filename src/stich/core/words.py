"""Words for facts: one TOML file a language beside each game, and one here for what all card games share.

A game in a package has `words/en.toml`, `words/de.toml` and so on, a game in one file `my_game.en.toml` beside it; both
may have none. A word is looked up in the game's file of the language, then in its English one, then in
`core/languages`; what is found nowhere is shown as its id with spaces, so that a game without words can be played.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from stich.core.errors import StichError
from stich.core.faces import COLOURS, SIGNS, Face
from stich.core.facts import Fact, Value, kind

ENGLISH = "en"
SHARED = Path(__file__).with_name("languages")
PLACE = re.compile(r"\{(\w+)(:\+)?\}")
"""A value in a word; `{points:+}` has its sign."""
MARK = re.compile(r"\[/?[a-z ]*\]")

Tables = Mapping[str, Any]


def languages() -> list[str]:
    """The languages in which the words that all games share are written."""
    return sorted(path.stem for path in SHARED.glob("*.toml"))


@lru_cache(None)
def read(path: Path) -> Tables:
    """The words of a file; none where there is no such file."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StichError(f"{path} is not a file of words: {error}") from None


def words_file(source: Path, language: str) -> Path:
    """Where a game whose source is at `source` has its words of a language."""
    if source.name == "__init__.py":
        return source.with_name("words") / f"{language}.toml"
    return source.with_suffix(f".{language}.toml")


def over(first: Tables, second: Tables) -> dict[str, Any]:
    """The tables of `first`, filled up with those of `second`, entry by entry."""
    tables = {**second, **first}
    for name, table in second.items():
        if isinstance(table, dict) and isinstance(first.get(name), dict):
            tables[name] = {**table, **first[name]}
    return tables


@lru_cache(None)
def shared(language: str) -> dict[str, Any]:
    """What all games share, in a language, with English for what it lacks."""
    return over(read(SHARED / f"{language}.toml"), read(SHARED / f"{ENGLISH}.toml"))


def own(source: Path, language: str) -> dict[str, Any]:
    """A game's own words in a language, with English for what it lacks."""
    return over(read(words_file(source, language)), read(words_file(source, ENGLISH)))


def readable(name: str) -> str:
    """An id for people, where there is no word for it."""
    return name.replace("_", " ")


def plain(text: str) -> str:
    """Text without its [colour] marks."""
    return MARK.sub("", text)


class Words:
    """The words of a game in one language, with [colour] marks around cards."""

    def __init__(self, language: str, tables: Tables, faces: Mapping[str, Face]) -> None:
        """The game's own `tables` (`own`), and the faces of its cards by code."""
        self.language, self.tables, self.faces = language, tables, faces
        self.shared = shared(language)

    def fact(self, fact: Fact, me: int | None = None) -> str:
        """A sentence for something that happened; `me` is the seat of who reads it."""
        return self._sentence("facts", fact, me)

    def action(self, fact: Fact, me: int | None = None) -> str:
        """The words for something that can be done."""
        return self._sentence("actions", fact, me)

    def line(self, name: str, me: int | None = None, **values: Any) -> str:
        """A line or part of a line of the table in a terminal."""
        return self._sentence("table", Fact(name, **values), me)

    def term(self, name: str) -> str:
        """A word by itself, as a suit's or a mode's name."""
        return self._entry("terms", name) or self._entry("suits", name) or readable(name)

    def question(self, name: str) -> str:
        """What is asked of the seat to act."""
        return self._entry("questions", name) or readable(name)

    @property
    def title(self) -> str:
        """The game's name, where it has another one in this language."""
        return str(self.tables.get("title", ""))

    def pile(self, name: str) -> str:
        """What a place for cards is called; `hand 2` is the seat's."""
        kept, _, seat = name.rpartition(" ")
        return self.seat(int(seat)) if kept == "hand" else self._entry("piles", name) or readable(name)

    def seat(self, seat: int) -> str:
        """A seat's name."""
        names = self.tables.get("seats", ())
        return str(names[seat]) if seat < len(names) else f"{self.shared['seat']} {seat}"

    def card(self, code: str) -> str:
        """A card as short as can be, in its colour."""
        face = self.faces.get(code)
        if face is None:
            return self._entry("cards", code) or code
        rank = self._entry("letters", face.rank) or face.rank
        form = self._entry("short", face.suit) or "{sign}{rank}"
        text = form.format(
            sign=SIGNS.get(face.suit, ""), rank=rank, suit=self.term(face.suit) if face.suit else ""
        )
        return f"[{COLOURS[face.suit]}]{text}[/]" if face.suit in COLOURS else text

    def _entry(self, table: str, name: str) -> Any:
        for tables in (self.tables, self.shared):
            found = tables.get(table, {}).get(name)
            if found is not None:
                return found
        return None

    def _sentence(self, table: str, fact: Fact, me: int | None) -> str:
        entry = self._entry(table, fact.name)
        if entry is None:
            return " ".join([readable(fact.name), *(self._value(key, value) for key, value in fact)])
        values = dict(fact)

        def put(place: re.Match[str]) -> str:
            value = values.get(place[1])
            if value is None:
                return place[0]
            return f"{value:+d}" if place[2] and isinstance(value, int) else self._value(place[1], value)

        return PLACE.sub(put, form(entry, fact, me))

    def _value(self, name: str, value: Value) -> str:
        several: Sequence[Any] = value if isinstance(value, tuple) else (value,)
        sort = kind(name)
        if sort in ("seat", "seats"):
            return str(self.shared["between_seats"]).join(self.seat(seat) for seat in several)
        if sort in ("card", "cards"):
            return " ".join(self.card(card) for card in several)
        return ", ".join(self.term(one) if isinstance(one, str) else str(one) for one in several)


def form(entry: Any, fact: Fact, me: int | None) -> str:
    """Which form of a word fits: `you` where the reader is meant, `one` for a count of one, both, or `any`."""
    if isinstance(entry, str):
        return entry
    seats = fact.get("seats") or (fact.get("seat"),)
    meant = ["you"] if isinstance(seats, tuple) and me in seats and me is not None else []
    single = ["one"] if fact.get("count") == 1 else []
    for name in ("_".join(meant + single), *meant, *single):
        if name in entry:
            return str(entry[name])
    return str(entry["any"])
