"""The kernels that count in random games of Cego: cards that win tricks, and ties in Räuber.

They stand alone because a compiled kernel is cached by the sources of its module and of all that module uses.
"""

from stich.core.contract import Array, Int, Record, apply, deal, is_over, legal
from stich.core.jit import compiled, kernel
from stich.core.kernels import random_action


@compiled
def winning_card(s: Record, trick: Int) -> Int:
    """The card that won a trick: who leads the next one played it."""
    return s.plays[4 * trick + ((s.leads[trick + 1] - s.leads[trick]) & 3)]


@kernel
def count_tricks(states: Array, count: Int, rngs: Array, plays: Array, pairs: Array) -> None:
    """Plays `count` games at random; counts each card's plays, and the games in which two cards both won a trick.

    A card wins at most one trick a game, so the diagonal of `pairs` counts its wins.
    """
    s = states[0]
    for _ in range(count):
        deal(s, rngs[0])
        while not is_over(s):
            apply(s, random_action(legal(s), rngs[0]))
        for i in range(44):
            plays[s.plays[i]] += 1
        for first in range(11):
            card = winning_card(s, first)
            for second in range(11):
                pairs[card, winning_card(s, second)] += 1


@kernel
def count_even_losses(states: Array, count: Int, rngs: Array, losses: Array) -> None:
    """Plays `count` games of Räuber at random; adds up who lost, shared evenly by all that have most points."""
    s = states[0]
    for _ in range(count):
        deal(s, rngs[0])
        while not is_over(s):
            apply(s, random_action(legal(s), rngs[0]))
        most, tied = 0, 0
        for seat in range(4):
            if s.points[seat] > most:
                most, tied = s.points[seat], 0
            if s.points[seat] == most:
                tied += 1
        for seat in range(4):
            if s.points[seat] == most:
                losses[seat] += 1.0 / tied
