"""A published figure beside ours: intervals, deviations, verdicts.

The published figures are estimates themselves. A deviation is therefore the difference divided by its own standard
error: that of their sample, that of ours, and what their rounding adds (as the spread of a uniform error).
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, log10, sqrt
from statistics import NormalDist
from typing import Any

from stich.arena.stats import Z95, wilson

FALSE_ALARMS = 0.05
"""How many false alarms to expect in a whole run; each entry is judged at this level divided by their number."""

SLICE = 0.2
"""Seconds of one kernel call: how long Ctrl-C may have to wait."""

Tell = Callable[[str, int, int], None]
"""Is told what runs, how much of it is done, and how much there is."""


def silent(what: str, done: int, total: int) -> None:
    """Shows no progress."""


@dataclass(frozen=True)
class Run:
    """How much to simulate, from which seed, and who is told about it."""

    games: int
    seed: int
    tell: Tell = silent

    def play(self, what: str, step: Callable[[int], object]) -> None:
        """Has `step(count)` play all games, in slices."""
        done, batch = 0, 100
        while done < self.games:
            batch = min(batch, self.games - done)
            began = time.perf_counter()
            step(batch)
            took = time.perf_counter() - began
            done += batch
            self.tell(what, done, self.games)
            batch = max(1, int(batch * min(8.0, SLICE / max(took, 1e-6))))


@dataclass(frozen=True)
class Row:
    """One published figure beside ours, both in the document's unit."""

    labels: Mapping[str, str | int]
    document: float
    ours: float
    low: float
    high: float
    error: float
    """The standard error of the difference; 0 where ours is exact."""
    rounding: float
    """Half a unit of the last published digit."""

    @property
    def decimals(self) -> int:
        """How many decimals were published."""
        return max(0, ceil(-log10(2 * self.rounding) - 1e-9)) if self.rounding else 0

    @property
    def deviation(self) -> float | None:
        """Ours minus theirs in standard errors; None where ours is exact."""
        return (self.ours - self.document) / self.error if self.error else None

    def agrees(self, limit: float) -> bool:
        """Whether chance and rounding explain the difference."""
        if self.deviation is None:
            return abs(self.ours - self.document) <= self.rounding
        return abs(self.deviation) <= limit

    def machine(self, limit: float) -> dict[str, object]:
        """The row for JSON."""
        values = {"document": self.document, "ours": self.ours, "low": self.low, "high": self.high}
        verdict = {"error": self.error, "deviation": self.deviation, "agrees": self.agrees(limit)}
        return {**self.labels, **values, **verdict}


def exact(labels: Mapping[str, str | int], document: float, ours: float, rounding: float) -> Row:
    """A row of something that is counted, not estimated."""
    return Row(labels, document, ours, ours, ours, 0.0, rounding)


def proportion(
    labels: Mapping[str, str | int],
    document: float,
    sample: tuple[int, int],
    document_trials: float,
    scale: float,
    rounding: float,
) -> Row:
    """A row of hits / trials, times `scale`: Wilson's interval, and a pooled error of the difference."""
    hits, trials = sample
    share = hits / trials
    pooled = (hits + document / scale * document_trials) / (trials + document_trials)
    chance = pooled * (1 - pooled) * (1 / trials + 1 / document_trials)
    low, high = (float(end) for end in wilson(hits, trials))
    error = sqrt(scale**2 * chance + rounding**2 / 3)
    return Row(labels, document, scale * share, scale * low, scale * high, error, rounding)


def mean(
    labels: Mapping[str, str | int],
    document: float,
    estimate: tuple[float, float, int],
    document_trials: float,
    rounding: float,
    summands: int = 1,
) -> Row:
    """A row of a mean with (value, standard deviation, trials); a published sum has `summands` rounding errors."""
    value, deviation, trials = estimate
    own = deviation / sqrt(trials)
    error = sqrt(own**2 + deviation**2 / document_trials + summands * rounding**2 / 3)
    return Row(labels, document, value, value - Z95 * own, value + Z95 * own, error, rounding)


@dataclass(frozen=True)
class Report:
    """A published table beside ours, what is to be said about it, and its figure."""

    name: str
    title: str
    rows: Sequence[Row]
    digits: int = 2
    notes: Sequence[str] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What else belongs in JSON."""
    draw: Callable[[Any], None] | None = None
    """Draws on an empty Matplotlib figure."""


def limit_of(rows: Sequence[Row]) -> float:
    """From how many standard errors on an entry disagrees, given how many are judged together."""
    judged = sum(row.deviation is not None for row in rows)
    return NormalDist().inv_cdf(1 - FALSE_ALARMS / (2 * max(judged, 1)))


def largest(rows: Sequence[Row]) -> Row | None:
    """The row that deviates most."""
    judged = [row for row in rows if row.deviation is not None]
    return max(judged, key=lambda row: abs(row.deviation or 0.0), default=None)


def spread(rows: Sequence[Row]) -> float:
    """The root mean square of the deviations: about 1 where only chance is at work."""
    squares = [row.deviation**2 for row in rows if row.deviation is not None]
    return sqrt(sum(squares) / len(squares)) if squares else 0.0
