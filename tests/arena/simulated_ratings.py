"""Simulated tournaments: how often the intervals of ratings hold the truth.

`python tests/arena/simulated_ratings.py` prints the table of docs/arena.md.
"""

import itertools
import sys
from unittest import mock

import numpy as np
from scipy.special import ndtr

from stich.arena import ratings
from stich.arena.ratings import SCALE, Scores, rate


def two(agents):
    """Every two agents, each once on either side."""
    return [[((a,), (b,)), ((b,), (a,))] for a, b in itertools.combinations(range(agents), 2)]


def teams(agents):
    """Every two pairs of partners."""
    tables = itertools.combinations(range(agents), 4)
    splits = ([(a, b), (c, d)] for t in tables for a, b, c, d in (t, (t[0], t[2], t[1], t[3]), (t[0], *t[:0:-1])))
    return [[(one, other), (other, one)] for one, other in splits]


def four(agents):
    """Every four, each for himself, moved round the table."""
    tables = itertools.combinations(range(agents), 4)
    return [[tuple((table[(i + turn) % 4],) for i in range(4)) for turn in range(4)] for table in tables]


def simulated(rng, truth, pairing, deals, luck_of):
    """Scores whose pairwise chances are exactly those of the ratings, and which depend on each other in a deal.

    A side plays its rating and Gumbel noise, so that differences are logistic. Noise is shared between the games of a
    deal, by those on the same seat (its cards) or by the same agent (a deal that suits it).
    """
    sides = len(pairing[0])
    shared = rng.standard_normal((deals, len(truth) if luck_of == "agent" else sides))
    found = {}
    for seated in pairing:
        keys = [min(side) for side in seated] if luck_of == "agent" else range(sides)
        normal = 0.8 * shared[:, list(keys)] + 0.6 * rng.standard_normal((deals, sides))
        strength = np.array([np.mean(truth[list(side)]) for side in seated]) / SCALE
        played = strength - np.log(-np.log(normal_cdf(normal)))
        for i, j in itertools.combinations(range(sides), 2):
            row = np.zeros(len(truth))
            row[list(seated[i])] += 1 / len(seated[i])
            row[list(seated[j])] -= 1 / len(seated[j])
            won = (played[:, i] > played[:, j]).astype(float)
            if row[row != 0][0] < 0:
                row, won = -row, 1 - won
            found.setdefault(tuple(row), []).append(won)
    won = np.stack([sum(scores) for scores in found.values()], axis=1)
    games = np.array([len(scores) for scores in found.values()])
    weight = 2 / (sides * (sides - 1))
    return Scores(np.array(list(found)), games, weight, deals, won.sum(axis=0), won.T @ won)


def normal_cdf(values):
    return np.clip(ndtr(values), 1e-15, 1 - 1e-15)


TRUTH = np.array([0.0, 40.0, -100.0, 200.0, -30.0])
"""The ratings of five agents."""


def coverage(who_meets, luck_of, tournaments):
    """How often the interval of each difference holds the truth, and the mean ratings."""
    rng = np.random.default_rng(1)
    pairs = list(itertools.combinations(range(5), 2))
    held, means = np.zeros(len(pairs)), np.zeros(5)
    for _ in range(tournaments):
        found = rate(5, [simulated(rng, TRUTH, pairing, 80, luck_of) for pairing in who_meets(5)])
        intervals = [found.difference(a, b) for a, b in pairs]
        held += [one.low <= TRUTH[a] - TRUTH[b] <= one.high for (a, b), one in zip(pairs, intervals, strict=True)]
        means += found.values
    return held / tournaments, means / tournaments


def independent(pairing):
    """The spread of scores if all games were independent: what ratings must not assume."""
    share = pairing.sums / (pairing.deals * pairing.games)
    variance = pairing.weight**2 * pairing.deals * pairing.games * share * (1 - share)
    return pairing.sides.T * variance @ pairing.sides


def main():
    for who_meets, luck_of in itertools.product((two, teams, four), ("seat", "agent")):
        own, _ = coverage(who_meets, luck_of, 300)
        with mock.patch.object(ratings, "_spread", independent):
            naive, _ = coverage(who_meets, luck_of, 300)
        row = f"{who_meets.__name__:6} luck of {luck_of:6} {own.mean():.1%}  if independent {naive.mean():.1%}"
        sys.stdout.write(row + "\n")


if __name__ == "__main__":
    main()
