"""Fits the weights of the rule-based Schnapsen player by an evolution strategy on single deals against itself.

`python bench/fit_schnapsen.py [STEPS]` prints the weights; it goes on from those in the game, or begins from scratch
where `WEIGHTS` is empty (500 steps take about 8 minutes). Every step tries pairs of opposite changes on the same deals,
each deal played from both seats against the present weights, and moves along the mean of the changes weighted by what
they won.
"""

import sys

import numpy as np

import stich
from stich.core.contract import Array, Int, apply, deal, is_over, player, returns
from stich.core.jit import kernel
from stich.core.rng import stream
from stich.games.schnapsen.rule import FEATURES, WEIGHTS, judge

DEALS, PAIRS, SPREAD, RATE = 4000, 24, 0.15, 0.25
START = np.zeros((5, FEATURES))
START[:4, 0] = (-1, -0.5, -0.5, -0.5)
START[:4, 1] = (-1, 0, -0.5, -0.5)
START[:4, 6] = START[:4, 7] = -0.5
START[1, 8] = START[1, 9] = 1
START[2:4, 9] = 1
START[2:4, 12] = -1
START[4, 0] = -1


@kernel
def duel(states: Array, count: Int, rngs: Array, ours: Array, theirs: Array, result: Array) -> float:
    """The mean return of `ours` against `theirs`, each deal played from both seats."""
    total = 0.0
    s = states[0]
    for _ in range(count):
        before = rngs[0].a, rngs[0].b
        after = before
        for seat in range(2):
            rngs[0].a, rngs[0].b = before
            deal(s, rngs[0])
            after = rngs[0].a, rngs[0].b
            while not is_over(s):
                apply(s, judge(s, ours if player(s) == seat else theirs))
            returns(s, result)
            total += result[seat]
        rngs[0].a, rngs[0].b = after
    return total / (2 * count)


def fit(steps: int, seed: int = 1) -> Array:
    """The weights after so many steps, starting from those in the game or, where there are none, from scratch."""
    random = np.random.default_rng(seed)
    weights = WEIGHTS.copy() if WEIGHTS.size else START.copy()
    first, game, result = weights.copy(), stich.make("schnapsen.deal"), np.zeros(2)
    momentum = np.zeros_like(weights)
    for step in range(steps):
        slope = np.zeros_like(weights)
        for pair in range(PAIRS):
            change = random.normal(size=weights.shape)
            gain = [
                duel(
                    game.template.copy(),
                    DEALS,
                    stream(seed, "fit", step, pair),
                    weights + sign * SPREAD * change,
                    weights,
                    result,
                )
                for sign in (1, -1)
            ]
            slope += (gain[0] - gain[1]) * change
        momentum = 0.7 * momentum + slope / np.linalg.norm(slope)
        weights = weights + RATE * (1 - step / steps) * momentum
        if step % 20 == 19:
            ahead = duel(game.template.copy(), 50_000, stream(seed, "check"), weights, first, result)
            sys.stderr.write(f"step {step + 1}: {ahead:+.4f} game points a deal ahead of the start\n")
    return weights


if __name__ == "__main__":
    for row in fit(int(sys.argv[1]) if sys.argv[1:] else 400).round(2):
        sys.stdout.write(f"        [{', '.join(f'{weight:g}' for weight in row)}],\n")
