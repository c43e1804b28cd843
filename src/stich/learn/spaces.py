"""What a search for settings chooses from; a learner's configuration declares its spaces.

Values are texts, as they are given to `stich train --set`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from random import Random
from typing import Any

from stich.core.errors import StichError
from stich.core.rng import stream


@dataclass(frozen=True)
class Range:
    """Any number between two, evenly on the scale of logarithms."""

    low: float
    high: float


Values = Mapping[str, tuple[str, ...] | Range]


@dataclass(frozen=True)
class Space:
    """What a search chooses from, and what every trial has in common."""

    values: Values
    preset: str = "quick"
    """The preset that gives the settings outside the space."""
    budget: Mapping[str, str] = field(default_factory=dict)
    """What a trial takes in place of the preset's values."""

    def without(self, fixed: Mapping[str, str]) -> Values:
        """The values of the settings that are not fixed."""
        found = {setting: values for setting, values in self.values.items() if setting not in fixed}
        if not found:
            raise StichError("every setting of the space is fixed by --set: nothing is left to search")
        return found


NETS = ("128,128", "256,256", "256,256,256", "512,512")
"""Hidden layers that the wide spaces choose from."""
WIDE = {"frames": "2000000", "evaluate_every": "100000", "evaluate_games": "2000"}
"""The budget of a trial in the wide spaces."""


def draw(space: Values, seed: int, number: int) -> dict[str, str | float]:
    """The settings of sample `number`; as in the document (6.1), none is drawn twice."""
    sizes = [len(values) if isinstance(values, tuple) else 10**9 for values in space.values()]
    if number >= prod(sizes):
        raise StichError(f"the space has only {prod(sizes)} settings: ask for fewer trials, or fix less by --set")
    rng, seen = Random(number_of(seed, "search")), set[tuple[Any, ...]]()
    while True:
        sample = {name: _draw_one(values, rng) for name, values in space.items()}
        if tuple(sample.values()) not in seen:
            seen.add(tuple(sample.values()))
            if len(seen) > number:
                return sample


def _draw_one(values: tuple[str, ...] | Range, rng: Random) -> str | float:
    if isinstance(values, Range):
        return float(values.low * (values.high / values.low) ** rng.random())
    return values[int(rng.random() * len(values))]


def number_of(seed: int, *names: str | int) -> int:
    """A seed for what takes a number: the first half of our stream of that name."""
    return int(stream(seed, *names)["a"][0])


def as_text(value: Any) -> str:
    """A value as a setting is given; three digits of a number are enough to find it again."""
    return value if isinstance(value, str) else f"{value:.3g}"
