"""What the results of a match say: means with intervals, tests, and a test that may look at any time.

The unit is a deal, with all the games that it was played in: games on the same deal are not independent, deals are.
"""

from dataclasses import dataclass
from math import isfinite, log, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from stich.core.contract import Array

LEVEL = 0.95
Z95 = NormalDist().inv_cdf((1 + LEVEL) / 2)
"""The normal deviate of that level."""


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2

    def record(self) -> dict[str, float | None]:
        """As plain data, which has no infinity: ends that are not known are None."""
        low, high = (end if isfinite(end) else None for end in (self.low, self.high))
        return {"mean": self.mean, "low": low, "high": high}


def estimate(values: Array, level: float = LEVEL) -> Estimate:
    """The mean of independent values with Student's interval; it is open-ended for less than two of them."""
    mean = float(np.mean(values))
    if len(values) < 2:
        return Estimate(mean, float("-inf"), float("inf"))
    half = _student(level, len(values) - 1) * float(np.std(values, ddof=1)) / sqrt(len(values))
    return Estimate(mean, mean - half, mean + half)


def estimate_sums(count: int, total: float, squares: float, level: float = LEVEL) -> Estimate:
    """The same from the number of values, their sum and the sum of their squares."""
    mean = total / count
    if count < 2:
        return Estimate(mean, float("-inf"), float("inf"))
    variance = max(0.0, squares - total * mean) / (count - 1)
    half = _student(level, count - 1) * sqrt(variance / count)
    return Estimate(mean, mean - half, mean + half)


def _student(level: float, freedom: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2))


def wilson(hits: Array | int, trials: Array | int) -> tuple[Any, Any]:
    """Wilson's 95 % interval of a share of independent trials: its lower and upper ends."""
    share = hits / trials
    centre = (share + Z95**2 / (2 * trials)) / (1 + Z95**2 / trials)
    half = Z95 * np.sqrt(share * (1 - share) / trials + (Z95 / (2 * trials)) ** 2) / (1 + Z95**2 / trials)
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


def paired_p(differences: Array) -> float:
    """The two-sided p-value that differences of the same deals have mean 0."""
    return _two_sided(np.mean(differences), np.var(differences, ddof=1) / len(differences), len(differences) - 1)


def unpaired_p(one: Array, other: Array) -> float:
    """The two-sided p-value of the plain t-test, which takes the values of both for unrelated (document 002)."""
    freedom = len(one) + len(other) - 2
    pooled = (len(one) - 1) * np.var(one, ddof=1) + (len(other) - 1) * np.var(other, ddof=1)
    variance = pooled / freedom * (1 / len(one) + 1 / len(other))
    return _two_sided(np.mean(one) - np.mean(other), variance, freedom)


def _two_sided(mean: Any, variance: Any, freedom: int) -> float:
    from scipy.special import stdtr

    if variance == 0:
        return 1.0 if mean == 0 else 0.0
    return float(2 * stdtr(freedom, -abs(mean) / sqrt(variance)))


LOOK_FIRST = 50
"""Deals before the first look: the normal approximation needs some."""


def any_time(values: Array, error: float = 0.05, tuned: int = 1000) -> Estimate:
    """An interval that holds at all times at once with probability 1 - `error`, however often one looks.

    This is Robbins' normal mixture with the deviation estimated (I. Waudby-Smith and others, 2024): so a match may
    stop as soon as the interval tells, and claims something wrong at most with the stated error rate. It is
    narrowest near `tuned` deals.
    """
    count = len(values)
    mean = float(np.mean(values))
    if count < LOOK_FIRST:
        return Estimate(mean, float("-inf"), float("inf"))
    square = (-2 * log(error) + log(-2 * log(error) + 1)) / tuned
    grown = count * square + 1
    half = float(np.std(values, ddof=1)) * sqrt(2 * grown / (count**2 * square) * log(sqrt(grown) / error))
    return Estimate(mean, mean - half, mean + half)


def verdict(interval: Estimate, margin: float = 0.0) -> str:
    """What an interval at any time says: `better`, `worse`, `equal` (within a margin), or nothing yet."""
    if interval.low > 0:
        return "better"
    if interval.high < 0:
        return "worse"
    if margin > 0 and -margin < interval.low and interval.high < margin:
        return "equal"
    return ""
