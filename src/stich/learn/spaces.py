"""What a search for settings chooses from: the document's spaces, and wider ones of our own.

Values are texts, as they are given to `stich train --set`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
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


Space = Mapping[str, tuple[str, ...] | Range]

NETS = ("128,128", "256,256", "256,256,256", "512,512")
_VALUES: Space = {
    "layers": NETS,
    "rate": Range(5e-5, 5e-3),
    "batch_size": ("128", "256", "512", "1024"),
    "train_every": ("32", "64", "128", "256"),
    "replay_size": ("50000", "100000", "200000", "400000"),
    "update_target_every": ("100", "250", "500", "1000"),
    "discount": ("0.95", "0.99", "1"),
    "epsilon_end": Range(0.005, 0.2),
}

SPACES: Mapping[str, Mapping[str, Space]] = {
    "document": {
        "dqn": {  # 6.2.1
            "replay_size": ("50000", "100000", "200000"),
            "update_target_every": ("1000", "2000", "10000"),
            "discount": ("0.75", "0.8", "0.95", "0.99"),
            "epsilon_end": ("0.1", "0.05", "0.01"),
            "batch_size": ("32", "64"),
            "layers": ("512,512,512", "512,256,128", "512,512"),
            "rate": ("1e-4", "5e-5", "1e-5", "5e-6"),
        },
        "nfsp": {  # 6.3.1; its best response has what was found for dqn
            "sl_layers": ("128,128", "256,256", "512,512", "512,512,512"),
            "reservoir_size": ("20000", "50000", "100000", "200000"),
            "anticipatory": ("0.1", "0.2", "0.25", "0.35", "0.5"),
            "sl_batch_size": ("128", "64", "32"),
            "sl_rate": ("1e-3", "1e-4", "5e-5", "1e-5", "5e-6"),
        },
    },
    "wide": {
        "dmc": {
            "layers": NETS,
            "rate": Range(1e-4, 5e-3),
            "batch_size": ("128", "256", "512", "1024"),
            "buffers": ("2048", "4096", "8192", "16384"),
            "passes": ("1", "2"),
            "epsilon": Range(0.003, 0.1),
            "average": ("0", "0.99", "0.999"),
        },
        "dqn": _VALUES,
        "nfsp": {
            **_VALUES,
            "sl_layers": NETS,
            "sl_rate": Range(5e-5, 5e-3),
            "sl_batch_size": ("128", "256", "512", "1024"),
            "reservoir_size": ("100000", "200000", "500000"),
            "anticipatory": ("0.1", "0.2", "0.35", "0.5"),
        },
    },
}
PRESETS = {"document": "document", "wide": "quick"}
"""The preset that gives the settings outside each space."""
BUDGETS: Mapping[str, Mapping[str, str]] = {
    "document": {  # 6.1.1: 50,000 games of 44 moves, measured every 500 games in 1,000
        "frames": "2200000",
        "evaluate_every": "22000",
        "evaluate_games": "1000",
        "epsilon_decay": "50000",
    },
    "wide": {"frames": "2000000", "evaluate_every": "100000", "evaluate_games": "2000"},
}
"""What a trial takes in place of the preset's values."""


def find_space(name: str, algorithm: str, fixed: Mapping[str, str]) -> Space:
    """A space without the settings that are fixed."""
    if name not in SPACES:
        raise StichError(f"there is no space {name!r}; there are {', '.join(SPACES)}")
    if algorithm not in SPACES[name]:
        known = ", ".join(space for space in SPACES if algorithm in SPACES[space])
        raise StichError(f"the space {name!r} has nothing for {algorithm}; take --space {known}")
    found = {setting: values for setting, values in SPACES[name][algorithm].items() if setting not in fixed}
    if not found:
        raise StichError("every setting of the space is fixed by --set: nothing is left to search")
    return found


def draw(space: Space, seed: int, number: int) -> dict[str, str | float]:
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
