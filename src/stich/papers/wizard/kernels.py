"""The kernel that plays Wizard with a kind of player in each seat.

It stands alone because a compiled kernel is cached by the sources of its module and of all that module uses.
"""

from typing import NamedTuple

import numpy as np

from stich.core.contract import Array, Int, Record, apply, deal, is_over, legal, rule
from stich.core.jit import compiled, kernel
from stich.core.kernels import random_action
from stich.games.wizard.document_rule import document_rule

RANDOM, DOCUMENT, OURS = range(3)
"""Kinds of players; each decides by its own hand and what is public."""


@compiled
def _act(s: Record, kind: Int, rng: Record) -> Int:
    if kind == RANDOM:
        return random_action(legal(s), rng)
    return document_rule(s) if kind == DOCUMENT else rule(s, rng)


class Sums(NamedTuple):
    """Sums over games: of each kind the mean of its seats, and its square; of each seat its wins, ties shared."""

    met: Array
    points: Array
    wins: Array


@kernel
def play_kinds(states: Array, count: Int, rngs: Array, kinds: Array, totals: Sums) -> None:
    """Plays `count` games or rounds with a player of `kinds[seat]` in each seat."""
    s = states[0]
    players = np.int64(s.players)
    sums = np.zeros((3, 3))
    for _ in range(count):
        deal(s, rngs[0])
        while not is_over(s):
            apply(s, np.int64(_act(s, kinds[s.turn], rngs[0])))
        sums[:] = 0.0
        most, tied = np.int64(-32768), 0
        for seat in range(players):
            sums[kinds[seat], 0] += 1.0
            sums[kinds[seat], 1] += s.met[seat]
            sums[kinds[seat], 2] += s.score[seat]
            if s.score[seat] > most:
                most, tied = np.int64(s.score[seat]), 0
            if s.score[seat] == most:
                tied += 1
        for kind in range(3):
            if sums[kind, 0] > 0.0:
                for out, value in ((totals.met, sums[kind, 1]), (totals.points, sums[kind, 2])):
                    out[kind, 0] += value / sums[kind, 0]
                    out[kind, 1] += (value / sums[kind, 0]) ** 2
        for seat in range(players):
            if s.score[seat] == most:
                totals.wins[seat] += 1.0 / tied
