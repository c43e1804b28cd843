"""Ratings: one number an agent, so that differences foretell scores; 400 points more are odds of 10 to 1.

Two sides meet, and each has as its strength the mean rating of its members; the score (1, 0.5 or 0) has the
expectation of Bradley and Terry, 1 / (1 + 10 ** (-difference / 400)). Ratings are fitted by maximum likelihood. In a
game of more than two sides every two of them are compared, and the comparisons share the weight of one game.

Every two agents that have met are also given one drawn game, which nobody has played: it keeps the ratings of agents
finite that never lose, and moves others by next to nothing.

Intervals come from the sandwich estimate with the deals as clusters: the scores of a deal, over all the games that
it was played in, are one observation, whatever their dependence, and deals are independent. How much scores differ
from deal to deal is measured within each pairing, not taken from the model, so an interval says how far the ratings
would move on other deals, also where no ratings fit all pairings. The drawn games count with their residuals: without
them an agent that has never lost would seem to be known exactly.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np

from stich.arena.stats import LEVEL, Estimate
from stich.core.contract import Array

SCALE = 400 / log(10)
"""Rating points for a unit of log odds."""
DRAWS = 1.0
"""Drawn games that every two agents who have met are given."""


@dataclass(frozen=True)
class Scores:
    """The comparisons of one pairing, summed over its deals."""

    sides: Array
    """sides[comparison, agent]: the agent's share of one side, less its share of the other."""
    games: Array
    """How often each comparison is made in a deal."""
    weight: float
    """What one comparison counts: a game has 1 in all."""
    deals: int
    sums: Array
    """The first side's score in each comparison."""
    products: Array
    """The scores of a deal times each other, summed over deals."""


@dataclass(frozen=True)
class Ratings:
    """Ratings and how well they are known."""

    values: Array
    covariance: Array
    freedom: int

    def of(self, agent: int) -> Estimate:
        """An agent's rating with its interval."""
        return self._estimate(np.eye(len(self.values))[agent])

    def difference(self, one: int, other: int) -> Estimate:
        """How far one agent is above another; its interval is narrower than those of both put together."""
        unit = np.eye(len(self.values))
        return self._estimate(unit[one] - unit[other])

    def _estimate(self, direction: Array) -> Estimate:
        from scipy.special import stdtrit

        mean = float(direction @ self.values)
        deviation = sqrt(max(0.0, float(direction @ self.covariance @ direction)))
        half = float(stdtrit(self.freedom, (1 + LEVEL) / 2)) * deviation
        return Estimate(mean, mean - half, mean + half)


def rate(agents: int, pairings: Sequence[Scores], anchor: int | None = None) -> Ratings | None:
    """The ratings of some agents, with mean 0 or with the anchor at 0.

    There are none where some agents have not met, not even by way of others.
    """
    rows = np.concatenate([np.zeros((0, agents)), *(pairing.sides for pairing in pairings)])
    if np.linalg.matrix_rank(rows) < agents - 1:
        return None
    draws = _draws(agents, pairings)
    drawn = np.full(len(draws), DRAWS)
    counts = np.concatenate([*(pairing.weight * pairing.deals * pairing.games for pairing in pairings), drawn])
    points = np.concatenate([*(pairing.weight * pairing.sums for pairing in pairings), drawn / 2])
    rows = np.concatenate([rows, draws])
    values, bend = _fit(rows, counts, points)
    spread = sum((_spread(pairing) for pairing in pairings), np.zeros((agents, agents)))
    residuals = draws.T * (DRAWS * (0.5 - _expected(draws @ values)))
    inverse = np.linalg.inv(bend)
    covariance = inverse @ (spread + residuals @ residuals.T) @ inverse
    unit = np.eye(agents)
    shift = unit - (1 / agents if anchor is None else unit[anchor])
    freedom = sum(pairing.deals - 1 for pairing in pairings)
    return Ratings(SCALE * (shift @ values), SCALE**2 * (shift @ covariance @ shift.T), freedom)


def _draws(agents: int, pairings: Sequence[Scores]) -> Array:
    """A comparison for every two agents that have been at one table."""
    tables = [np.flatnonzero(pairing.sides.any(axis=0)).tolist() for pairing in pairings]
    pairs = sorted({pair for table in tables for pair in itertools.combinations(table, 2)})
    unit = np.eye(agents)
    return np.array([unit[one] - unit[other] for one, other in pairs])


def _spread(pairing: Scores) -> Array:
    """The covariance of a pairing's score equations, from the differences between its deals."""
    centred = pairing.products - np.outer(pairing.sums, pairing.sums) / pairing.deals
    scores = centred * pairing.deals / (pairing.deals - 1) * pairing.weight**2
    return pairing.sides.T @ scores @ pairing.sides


def _fit(rows: Array, counts: Array, points: Array) -> tuple[Any, Any]:
    """The most likely values with mean 0, by Newton's method with halved steps, and the curvature there."""
    agents = rows.shape[1]
    values, likelihood = np.zeros(agents), _likelihood(rows @ np.zeros(agents), counts, points)
    level = np.ones((agents, agents)) / agents  # holds the mean, which no comparison tells
    while True:
        expected = _expected(rows @ values)
        bend = (rows.T * (counts * expected * (1 - expected))) @ rows + level
        step = np.linalg.solve(bend, rows.T @ (points - counts * expected))
        while (better := _likelihood(rows @ (values + step), counts, points)) < likelihood:
            step /= 2
        values, likelihood = values + step, better
        if np.abs(step).max() < 1e-9:
            return values, bend


def _expected(difference: Array) -> Array:
    return 1 / (1 + np.exp(-difference))


def _likelihood(difference: Array, counts: Array, points: Array) -> Any:
    return -(points @ np.logaddexp(0, -difference) + (counts - points) @ np.logaddexp(0, difference))
