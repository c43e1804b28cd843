"""What exact solving asks of Schnapsen: game points with the stock known, and keys of positions."""

from typing import Any

import numpy as np

from stich.core.bits import popcount
from stich.core.contract import Int, Real, Record
from stich.core.jit import compiled
from stich.core.rng import mix
from stich.games.schnapsen.cards import FULL, HAND, PACK, VALUE
from stich.games.schnapsen.state import CLAIM, CLOSE, EXCHANGE, FOLLOW, LEAD, MARRIAGE, NOBODY


def side(s: Record) -> Int:
    """One against one."""
    return np.int64(s.turn)


def score(s: Record) -> Int:
    """How many game points seat 0 is ahead."""
    return np.int64(s.game[0]) - s.game[1]


@compiled
def _most(s: Record, seat: Int) -> Int:
    """The most game points that a seat may win: by what the other has, or because the other closes in vain."""
    other = 1 - seat
    won = 3 if s.won[other] == 0 else 2 if s.points[other] < 33 else 1
    if s.close_from > 0 and s.left >= s.close_from:
        won = max(won, 3 if s.won[seat] == 0 else 2)
    return won


def reach(s: Record) -> Any:
    """Game points by what the loser has already; fixed once the stock is closed."""
    if s.pack != FULL:
        return -1, 1
    if s.closer != NOBODY:
        return -np.int64(s.stake[1]), np.int64(s.stake[0])
    return -_most(s, 1), _most(s, 0)


def order(s: Record, a: Int) -> Int:
    """Claims, marriages and exchanges first; high cards to lead, cheap ones to lose."""
    if a >= MARRIAGE:
        return 200 if a == CLAIM else 150 if a == EXCHANGE else 20 if a == CLOSE else 120 + (a - MARRIAGE)
    value = VALUE[a]
    if s.phase != FOLLOW:
        return 30 + value + (10 if a // 5 == s.trump else 0)
    lead = np.int64(s.lead)
    wins = (a // 5 == lead // 5 and a > lead) or (a // 5 != lead // 5 and a // 5 == s.trump)
    return 100 + value - (15 if a // 5 == s.trump else 0) if wins else 50 - value


def distinct(s: Record, mask: Int) -> Int:
    """All: no two cards of a suit count the same."""
    return mask


def position(s: Record) -> Int:
    """Before a lead: hands, the stock while it is open, points, tricks, and what closing has fixed."""
    if s.phase != LEAD:
        return -1
    code = np.int64(s.turn) << 4 | np.int64(s.trump) << 2 | s.closer
    for seat in range(2):
        code = code << 8 | s.points[seat]
        code = code << 8 | s.pending[seat]
        code = code << 1 | (s.won[seat] > 0)
        code = code << 2 | s.stake[seat]
    if s.closer == NOBODY and s.left > 0:
        first = popcount(PACK[s.pack]) - 2 * HAND[s.pack] - s.left
        stock = np.int64(s.face)
        for i in range(first, first + s.left):
            stock = stock << 5 | s.stock[i]
        code = mix(code, stock)
    return mix(code, s.hands[0] << 20 | s.hands[1])


def worth(s: Record, final: Int) -> Real:
    """The game points of the deal, won or lost."""
    ahead = final - (np.int64(s.game[0]) - s.game[1])
    return 1.0 * ahead if s.turn == 0 else -1.0 * ahead


def cards_left(s: Record) -> Int:
    """Both hands, and the stock while it is open."""
    stock = np.int64(s.left) if s.closer == NOBODY else 0
    return np.int64(s.size[0]) + s.size[1] + stock


def solvable(s: Record) -> Int:
    """Where the stock is gone or closed; while it is open and unknown, solved worlds mislead (docs/search.md)."""
    return 10 if s.pack == FULL else 20


def last_stage(s: Record) -> None:
    """No deal after this one."""
    s.target = 0
