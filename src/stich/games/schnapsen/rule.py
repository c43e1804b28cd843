"""The rule-based player of Schnapsen: exchanges and marries when it can, closes and plays cards by weighted sums.

A card is judged by what it is worth, whether it is a trump or half of a marriage, which unseen cards beat it, whether
it takes the trick and what the trick is worth; the weights differ by leading or following and by whether suit must be
followed. `bench/fit_schnapsen.py` fitted them. Only the player's own hand and public knowledge are used.
"""

import numpy as np

from stich.core.bits import ctz, popcount
from stich.core.contract import Array, Int, Real, Record, legal
from stich.core.jit import compiled
from stich.games.schnapsen.cards import FULL, HIGHER, NO_CARD, PACK, PAIR, SUIT, VALUE, A, K, Q, T
from stich.games.schnapsen.state import CLAIM, CLOSE, EXCHANGE, LEAD, MARRIAGE, NOBODY

FEATURES = 14
# fmt: off
WEIGHTS = np.array(
    [
        [-6.3, -3.57, -1.21, -0.57, 1.42, -0.28, 0.89, -2.49, -0.33, 3.81, 0.77, -1.08, -1.52, 0.25],
        [-0.42, -0.15, 1.19, -2, -0.05, 0.93, -1.17, -0.28, 1.13, 2.63, 1.65, -2.07, -0.22, 0.25],
        [-2.95, -3.97, -0.21, 0.69, -0.08, 3.46, -3.09, -0.47, -0.7, 2.75, -0.85, 0.59, -4.15, 0.51],
        [-2.61, -0.65, -0.44, 1.98, 0.65, -2.85, -0.38, -0.38, 0.82, 0.76, -0.51, 0.31, -1.27, -0.09],
        [-5.21, 2.89, 0.8, 0.68, -1.05, 0.89, 0.52, 2.46, 1.24, 1.83, 0.4, 0.14, -1.04, 0.68],
    ]
)
# fmt: on
"""Four rows for cards (lead, lead when suit must be followed, follow, follow when it must), one for closing."""


def rule(s: Record, rng: Record) -> Int:
    """An action of the player with the fitted weights."""
    return judge(s, WEIGHTS)


@compiled
def judge(s: Record, weights: Array) -> Int:
    """An action by given weights."""
    actions = legal(s)
    if actions >> CLAIM & 1:
        return CLAIM
    if actions >> EXCHANGE & 1:
        return EXCHANGE
    if actions >> CLOSE & 1 and _closing(s, weights[4]) > 0:
        return CLOSE
    marriages = actions >> MARRIAGE & 0xFF
    if marriages:
        trump = marriages >> 2 * s.trump & 3
        return MARRIAGE + (2 * np.int64(s.trump) + ctz(trump) if trump else ctz(marriages))
    row = weights[(0 if s.phase == LEAD else 2) + (1 if s.left == 0 or s.closer != NOBODY else 0)]
    cards = actions & PACK[FULL]
    best: Real = -1e9
    chosen = ctz(cards)
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        worth = _worth(s, card, row)
        if worth > best:
            best, chosen = worth, card
    return chosen


@compiled
def _unseen(s: Record, me: Int) -> Int:
    """The cards that the other player may hold."""
    face = 1 << s.face if s.face != NO_CARD else 0
    return PACK[s.pack] & ~s.played & ~s.hands[me] & ~s.lacks[1 - me] & ~face


@compiled
def _worth(s: Record, card: Int, w: Array) -> Real:
    """The weighted sum of what a card is and does."""
    me = np.int64(s.turn)
    hand = s.hands[me]
    unseen = _unseen(s, me)
    suit = card // 5
    value = VALUE[card] / 11
    trump = 1.0 if suit == s.trump else 0.0
    above = popcount(unseen & HIGHER[card])
    trumps = popcount(unseen & SUIT[s.trump])
    total = w[0] * value + w[1] * trump + w[2] * trump * value + w[3] * above
    total += w[4] * popcount(hand & SUIT[suit]) + w[5] * value * s.left / 10
    partner = PAIR[suit] & ~(1 << card)
    if s.marriages and (card % 5 == Q or card % 5 == K):
        if hand & partner:
            total += w[6]
        elif unseen & partner:
            total += w[7]
    if s.phase == LEAD:
        sure = above == 0 and (trump > 0 or trumps == 0)
        total += w[8] * sure + w[9] * sure * value + w[10] * trumps * (1 - trump) * value + w[11] * above * value
        return total
    lead = np.int64(s.lead)
    stake = value + VALUE[lead] / 11
    wins = card > lead if suit == lead // 5 else trump > 0
    if not wins:
        return total + w[12] * stake
    if s.pack == FULL and s.points[me] + VALUE[card] + VALUE[lead] >= 66:
        return 1e6
    return total + w[8] + w[9] * stake + w[10] * trump + w[11] * above + w[13] * stake * trump


@compiled
def _closing(s: Record, w: Array) -> Real:
    """How good it looks to close the stock; positive closes."""
    me = np.int64(s.turn)
    hand = s.hands[me]
    trumps = hand >> 5 * s.trump & 0x1F
    total = w[0] + w[1] * s.points[me] / 33 + w[2] * s.points[1 - me] / 33 + w[3] * (s.won[1 - me] == 0)
    total += w[4] * s.left / 10 + w[5] * popcount(trumps & (1 << A | 1 << T)) + w[6] * popcount(trumps)
    for suit in range(4):
        if hand & PAIR[suit] == PAIR[suit]:
            total += w[7] if suit == s.trump else w[8]
        if suit != s.trump:
            total += w[9] * (hand >> (5 * suit + A) & 1)
            total += w[10] * (hand >> (5 * suit + T) & 1)
            total += w[11] * (hand >> (5 * suit + A) & hand >> (5 * suit + T) & 1)
    unseen = _unseen(s, me) & SUIT[s.trump]
    return total + w[12] * popcount(unseen) + w[13] * (trumps >> A & 1)
