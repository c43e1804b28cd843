"""What exact solving asks of Cego: sides, the single player's result, alike cards, keys of positions."""

from typing import Any

import numpy as np

from stich.core.bits import packed, popcount, run_starts
from stich.core.contract import Int, Real, Record
from stich.core.jit import compiled
from stich.core.rng import mix
from stich.games.cego.cards import ALL, GEISS, HALVES, POWER, SUIT, TRUMPS
from stich.games.cego.deal import halves
from stich.games.cego.scoring import POINTS, points_amount, single_points, single_wins
from stich.games.cego.state import BETTEL, PICCOLO, PLAY, RAEUBER, SOLO, ULTIMO

STARTS = 1 | 1 << 8 | 1 << 16 | 1 << 24 | 1 << GEISS
"""The first card of each suit."""
EMPTY = sum(1 << card for card in range(54) if HALVES[card] == 1)
"""The cards of half a point: empty cards and the trumps 2 to 20."""
ALIKE = np.array([EMPTY if mode <= SOLO or mode == RAEUBER else ALL for mode in range(7)], np.int64)
"""The cards of which neighbours are alike, by mode: where points do not count all, but the 1 of trumps in Ultimo."""
ALIKE[ULTIMO] = ALL & ~(1 << GEISS)
QUICK = np.array([0, 20, 20, 24, 28, 32, 24], np.int64)
"""With how many cards left all moves of a position are rated in one to four milliseconds, by mode."""


def side(s: Record) -> Int:
    """The single player against the others; in Räuber and in bidding each for themselves."""
    return -1 if s.phase != PLAY or s.mode == RAEUBER else 0 if s.turn == s.single else 1


def score(s: Record) -> Int:
    """The single player's card points where they count, else 1 for a game won; without a trick nothing counts."""
    if s.mode > SOLO:
        return np.int64(s.over and single_wins(s))
    if s.subgame == 0 and s.won[s.single] == 0:
        return np.int64(0)
    return np.int64(single_points(s))


def reach(s: Record) -> Any:
    """The points that are still in play; a condition holds or not, and Räuber is lost by one."""
    if s.mode == RAEUBER and s.subgame > 0:
        return 0, 1
    if s.phase != PLAY or s.mode == RAEUBER:
        return -30000, 30000
    if s.mode == ULTIMO:
        playing = s.tricks == 10 and s.best == GEISS
        return 0, np.int64(1 if playing else s.hands[s.single] >> GEISS & 1)
    if s.mode == PICCOLO or s.mode == BETTEL:
        return 0, 1
    left = s.pot + halves(s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3])
    if s.subgame == 0 and s.won[s.single] == 0:
        return 0, left // 2 + single_points(s)
    return 0, left // 2


def order(s: Record, a: Int) -> Int:
    """By what is played for: points and winning tricks, or low cards and getting rid of high ones."""
    if s.phase != PLAY:
        return 0
    power = POWER[s.lead, a]
    if s.mode == ULTIMO:
        return _order_ultimo(s, a, power)
    if s.mode >= BETTEL:
        return _order_low(s, a, power)
    value = HALVES[a]
    if s.cards == 0:
        return 20 + a % 8 if a < GEISS else a
    if power > s.power:
        return 100 + 4 * value - (power >> 2)
    ours = (s.winner == s.single) == (s.turn == s.single)
    return 60 + 4 * value if ours else 60 - 4 * value


@compiled
def _order_ultimo(s: Record, a: Int, power: Int) -> Int:
    """The 1 of trumps is kept by the single player; others want to draw it, or to keep high trumps."""
    if a == GEISS:
        return 0
    if s.cards == 0:
        return 10 + a
    return 100 - a if power < s.power else 60 + (a if s.turn == s.single else -a >> 1)


@compiled
def _order_low(s: Record, a: Int, power: Int) -> Int:
    """Who must not win plays the highest card that loses; the others stay under that card while it is winning."""
    alone = s.turn == s.single or s.mode == RAEUBER
    if s.cards == 0:
        return 60 - (a % 8 if a < GEISS else a - 24)
    if power < s.power:
        return 100 + (power if alone else -(power >> 2))
    return 60 - power if alone or s.winner == s.single else 60 + power


def distinct(s: Record, mask: Int) -> Int:
    """One of the alike cards that have none of others between them, on the table or in a hand."""
    alike = mask & ALIKE[s.mode]
    if s.phase != PLAY or alike & (alike - 1) == 0:
        return mask
    walls = np.int64(STARTS)
    for k in range(1, 4):
        walls |= s.hands[(s.turn + k) & 3]
    first = 4 * np.int64(s.tricks)
    for i in range(first, first + s.cards):
        walls |= 1 << s.plays[i]
    return (mask ^ alike) | run_starts(alike, walls)


def position(s: Record) -> Int:
    """Between tricks: who holds what, with alike cards counted only; and what the mode depends on besides."""
    if s.cards > 0 or s.phase != PLAY or s.exposed:
        return -1
    every = s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3]
    alike = every & ALIKE[s.mode]
    counts = popcount(alike & TRUMPS)
    for suit in range(4):
        counts = counts << 4 | popcount(alike & SUIT[suit])
    code = (np.int64(s.turn) << 2 | s.single) << 3 | s.mode
    if s.mode == PICCOLO or s.subgame == 0:
        code = code << 2 | min(np.int64(s.won[s.single]), 2)
    code = mix(packed(s.hands[0], every), counts << 24 | code)
    code = mix(mix(code, packed(s.hands[1], every)), packed(s.hands[2], every))
    if s.mode == RAEUBER:
        for seat in range(4):
            code = mix(code, np.int64(s.points[seat]))
    elif s.mode <= SOLO and s.subgame == 0 and s.won[s.single] == 0:
        code = mix(code, single_points(s))
    return mix(code, every ^ alike)


def worth(s: Record, final: Int) -> Real:
    """Card points, a win, or the game points of the deal."""
    alone = s.turn == s.single
    if s.subgame > 0:
        if s.mode > SOLO:
            return final if alone else 1.0 - final
        if s.reward == POINTS:
            return final if alone else 79.0 - final
        return 1.0 if (final >= 40) == alone else 0.0
    amount = points_amount(s, final)
    return amount * (3.0 if alone and s.zero_sum else 1.0) * (1.0 if alone else -1.0)


def cards_left(s: Record) -> Int:
    """All cards in the hands."""
    return 44 - 4 * np.int64(s.tricks) - s.cards


def solvable(s: Record) -> Int:
    """By mode, once the hands are made."""
    return QUICK[s.mode] if s.phase == PLAY else 0


def last_stage(s: Record) -> None:
    """No deal after this one."""
    s.deals = s.deal + 1
