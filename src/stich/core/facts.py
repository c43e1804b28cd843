"""Facts: what a game reports, without words. `stich.core.words` turns them into sentences."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

Value: TypeAlias = int | str | tuple[int, ...] | tuple[str, ...]


@dataclass(frozen=True, init=False)
class Fact:
    """Something that happened or can be done, as in `Fact("trick", seat=2)` or `Fact("play", card="D10")`.

    The name of a value says what it is. `seat` and whatever ends in `_seat` is a seat, `card` a card by its code, and
    `seats` and `cards` are several of them. Other texts are terms: ids that the game's words translate. Numbers are
    numbers; `count` is the one that decides between singular and plural.
    """

    name: str
    values: tuple[tuple[str, Value], ...]

    def __init__(self, name: str, /, **values: Any) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "values", tuple((key, _plain(value)) for key, value in values.items()))

    def __iter__(self) -> Iterator[tuple[str, Value]]:
        return iter(self.values)

    def get(self, name: str) -> Value | None:
        """A value by name."""
        return dict(self.values).get(name)

    def json(self) -> dict[str, Any]:
        """The fact as it is sent: its name under `fact`, and the values."""
        listed = {key: list(value) if isinstance(value, tuple) else value for key, value in self.values}
        return {"fact": self.name, **listed}

    def __repr__(self) -> str:
        return f"Fact({', '.join([repr(self.name), *(f'{key}={value!r}' for key, value in self.values)])})"


def kind(name: str) -> str:
    """What a value of this name is: `seat`, `seats`, `card`, `cards`, or nothing of these."""
    last = name.rpartition("_")[2]
    return last if last in ("seat", "seats", "card", "cards") else ""


def _plain(value: Any) -> Value:
    """Numbers of NumPy as plain ones, lists as tuples."""
    if isinstance(value, str):
        return value
    if hasattr(value, "__iter__"):
        return tuple(one if isinstance(one, str) else int(one) for one in value)  # type: ignore[return-value]
    return int(value)
