"""What the others' past moves tell about hidden cards: worlds weighed by how well those moves agree with the rules.

Each world drawn for a view is taken back to the beginning of the deal (`rewind`) and played again. A move of another
seat that the game's rule-based player would have made too is likely, another one is a slip. Worlds are then resampled
in proportion to the product of these probabilities. Only the view and the drawn worlds are used.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stich.core.bits import popcount
from stich.core.contract import Array, Int, Real, apply, hide, legal, player, rewind, rule
from stich.core.errors import StichError
from stich.core.jit import kernel
from stich.core.rng import below, numbered
from stich.core.sampler import Sampler

PAST = 128
"""The most actions that a deal is taken back by."""
PART = 64
"""Worlds that are weighed in one kernel call."""
LEAST_SHARE = 0.1
"""The effective number of worlds that a belief leaves, as a share of those that it weighs."""


@kernel
def agree_all(worlds: Array, me: Int, slip: Real, rngs: Array, out: Array) -> None:
    """The likelihood of the others' moves in each world, if they slip with this probability; 0 if one was illegal."""
    past = np.zeros(PAST, np.int64)
    work = np.empty(2, worlds.dtype)
    for i in range(len(worlds)):
        s, seen = work[0], work[1]
        work[0] = worlds[i]
        count = rewind(s, past, rngs[0])
        likelihood: Real = 1.0
        for move in range(count):
            mask = legal(s)
            seat = np.int64(player(s))
            if not mask >> past[move] & 1:
                likelihood = 0.0
                break
            if seat != me and mask & (mask - 1):
                work[1] = s
                hide(seen, seat)
                likelihood *= slip / popcount(mask) + (1.0 - slip if rule(seen, rngs[0]) == past[move] else 0.0)
            apply(s, past[move])
        out[i] = likelihood


@kernel
def choose_some(rngs: Array, among: Int, out: Array) -> None:
    """Random numbers below a bound."""
    for i in range(len(out)):
        out[i] = below(rngs[0], among)


def some_of(pool: Array, rngs: Array, count: int) -> Array:
    """Worlds of a pool, drawn uniformly with replacement."""
    chosen = np.zeros(count, np.int64)
    choose_some(rngs, len(pool), chosen)
    return pool[chosen]


@dataclass(frozen=True)
class Belief:
    """How many worlds are weighed (0: none), and the probability that another seat does not follow the rules."""

    worlds: int = 0
    slip: float = 0.3

    def check(self) -> "Belief":
        """Refuses what makes no sense."""
        if self.worlds < 0 or not 0 < self.slip <= 1:
            raise StichError(
                "a belief needs a number of worlds, and slips with a probability above 0 and at most 1"
            )
        return self

    def pool(self, sampler: Sampler, seed: int, late: Callable[[], bool]) -> Array:
        """Worlds drawn for a view and resampled by the likelihood of the others' moves; none without a belief.

        If time runs out, those that are weighed by then are used.
        """
        if not self.worlds:
            return sampler.view[:0]
        rngs = numbered(0, 1, seed, "belief")
        worlds = sampler.draw(rngs, self.worlds)
        likely = np.zeros(len(worlds))
        for start in range(0, len(worlds), PART):
            part = slice(start, start + PART)
            agree_all(worlds[part], sampler.me, self.slip, rngs, likely[part])
            if late():
                worlds, likely = worlds[: part.stop], likely[: part.stop]
                break
        if not likely.any():
            return worlds
        likely /= likely.max()
        while likely.sum() ** 2 < LEAST_SHARE * (likely > 0).sum() * (likely**2).sum():
            likely **= 0.8  # too few worlds would count: believe less
        shares = np.cumsum(likely) / likely.sum()
        steps = (np.arange(len(worlds)) + 0.5) / len(worlds)
        return worlds[np.minimum(np.searchsorted(shares, steps), len(worlds) - 1)]


NONE = Belief()
