"""What exact solving asks of Wizard, where each plays for themselves: alike cards, keys of positions."""

from typing import Any

import numpy as np

from stich.core.bits import packed, popcount, run_starts
from stich.core.contract import Int, Real, Record
from stich.core.rng import mix
from stich.games.wizard.cards import JESTER, SPECIAL, SUIT, WIZARD
from stich.games.wizard.state import PLAY, ROUND, points

STARTS = 1 | 1 << 13 | 1 << 26 | 1 << 39 | 1 << JESTER | 1 << WIZARD
"""The first card of each suit, of the jesters and of the wizards."""
QUICK = 16
"""With how many cards left a position is solved in some milliseconds."""


def side(s: Record) -> Int:
    """Each for themselves."""
    return -1


def reach(s: Record) -> Any:
    """At best the bid is met, where it still can be."""
    seat = np.int64(s.turn)
    before = np.int64(s.score[seat])
    if s.phase != PLAY:
        return before - 10 * s.size, before + 20 + 10 * s.size
    bid, taken = np.int64(s.bids[seat]), np.int64(s.taken[seat])
    left = np.int64(s.size) - s.tricks
    nearest = taken if taken > bid else min(bid, taken + left)
    return before - 10 * s.size, before + points(bid, nearest)


def distinct(s: Record, mask: Int) -> Int:
    """One of each run of a suit that has no card of others in it; one wizard, one jester."""
    if s.phase != PLAY or mask & (mask - 1) == 0:
        return mask
    walls = np.int64(0)
    for seat in range(s.players):
        if seat != s.turn:
            walls |= s.hands[seat]
    first = np.int64(s.tricks) * s.players
    for i in range(first, first + s.in_trick):
        walls |= 1 << s.plays[i]
    return run_starts(mask, (walls & ~SPECIAL) | STARTS)


def position(s: Record) -> Int:
    """Between tricks: who holds what, by rank alone, and how many tricks each has and wants."""
    if s.in_trick > 0 or s.phase != PLAY:
        return -1
    every = np.int64(0)
    for seat in range(s.players):
        every |= s.hands[seat]
    code = np.int64(s.turn) << 3 | s.trump
    for suit in range(4):
        code = code << 4 | popcount(every & SUIT[suit])
    code = code << 6 | popcount(every >> JESTER & 0xF) << 3 | popcount(every >> WIZARD & 0xF)
    for seat in range(s.players):
        code = mix(code, packed(s.hands[seat], every))
        code = mix(code, (np.int64(s.score[seat]) << 16) + (np.int64(s.bids[seat]) << 8 | s.taken[seat]))
    return code


def worth(s: Record, final: Int) -> Real:
    """There is no common score."""
    return 0.0


def cards_left(s: Record) -> Int:
    """All cards in the hands."""
    return (np.int64(s.size) - s.tricks) * s.players - s.in_trick


def solvable(s: Record) -> Int:
    """Once all have bid."""
    return QUICK if s.phase == PLAY else 0


def last_stage(s: Record) -> None:
    """No round after this one."""
    s.length = ROUND
