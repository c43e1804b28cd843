"""Deals: drawn at random, or the n-th of all where they are few enough to list."""

import numpy as np

from stich.core.bits import choose, combination, nth, popcount
from stich.core.contract import Int, Record
from stich.core.jit import compiled
from stich.core.rng import below, next64
from stich.games.schnapsen.cards import FULL, HAND, NO_CARD, PACK
from stich.games.schnapsen.state import LEAD, LOG, NOBODY


def deal(s: Record, rng: Record) -> None:
    """The first deal; who deals is drawn."""
    s.forehand = below(rng, 2)
    _begin_match(s)
    if s.target > 0:
        s.rng.a = next64(rng)
        s.rng.b = next64(rng) | np.uint64(1)
    deal_cards(s, rng)
    begin_deal(s)


def deal_count(s: Record) -> Int:
    """Who leads, the two hands and the order of the stock; the deals of a match are not listed."""
    count = popcount(PACK[s.pack])
    size = HAND[s.pack]
    found = 2 * choose(count, size) * choose(count - size, size)
    for i in range(2, count - 2 * size + 1):
        found *= i
    return found if s.target == 0 else 0


def deal_nth(s: Record, k: Int) -> None:
    """Deal number k: forehand, the hands and the stock are its digits."""
    s.forehand = k & 1
    k >>= 1
    _begin_match(s)
    left = PACK[s.pack]
    count = popcount(left)
    size = HAND[s.pack]
    for seat in range(2):
        ways = choose(count, size)
        s.hands[seat] = combination(left, size, k % ways)
        k //= ways
        left ^= s.hands[seat]
        count -= size
    for i in range(10):
        s.stock[i] = NO_CARD
    for i in range(count):
        card = nth(left, k % (count - i))
        k //= count - i
        left ^= card
        s.stock[i] = popcount(card - 1)
    begin_deal(s)


@compiled
def _begin_match(s: Record) -> None:
    """Nothing is won yet, and no later deal prepared."""
    s.game[0] = 0
    s.game[1] = 0
    s.deal = 0
    s.over = 0
    s.winner = NOBODY
    s.paid = 0
    s.claimed = 0
    s.rng.a = 0
    s.rng.b = 0


@compiled
def deal_cards(s: Record, rng: Record) -> None:
    """Two hands and the stock, drawn from the pack."""
    left = PACK[s.pack]
    count = popcount(left)
    for seat in range(2):
        s.hands[seat] = 0
        for _ in range(HAND[s.pack]):
            card = nth(left, below(rng, count))
            left ^= card
            s.hands[seat] |= card
            count -= 1
    for i in range(10):
        s.stock[i] = NO_CARD
    i = 0
    while count > 0:
        card = nth(left, below(rng, count))
        left ^= card
        s.stock[i] = popcount(card - 1)
        count -= 1
        i += 1


@compiled
def begin_deal(s: Record) -> None:
    """Clears all that belongs to one deal; hands, stock and forehand stand."""
    size = HAND[s.pack]
    s.left = popcount(PACK[s.pack]) - 2 * size
    for seat in range(2):
        s.shown[seat] = 0
        s.lacks[seat] = 0
        s.memory[seat] = s.hands[seat]
        s.size[seat] = size
        s.points[seat] = 0
        s.pending[seat] = 0
        s.won[seat] = 0
        s.stake[seat] = 0
    for i in range(LOG):
        s.log[i] = 0
    s.said = 0
    s.played = 0
    s.trump = s.stock[s.left - 1] // 5
    s.turned = s.stock[s.left - 1] if s.pack == FULL else NO_CARD
    s.face = s.turned
    s.phase = LEAD
    s.turn = s.forehand
    s.lead = NO_CARD
    s.closer = NOBODY
