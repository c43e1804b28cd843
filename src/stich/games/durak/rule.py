"""The rule-based player: cheap cards first, trumps saved while the talon is large, counting at the end.

It sees only what its seat knows. Every card has a worth: its rank from 0 to 1 in the pack, trumps one more. What is
gained or lost by a move is measured on the same scale. The weights were found by playing against variants of themselves
and random players, and each earns its place: `tests/games/test_durak_rule.py` sets single ones to nothing.
"""

import numpy as np

from stich.core.bits import ctz, popcount
from stich.core.contract import Array, Int, Real, Record
from stich.core.jit import compiled
from stich.games.durak.attack import options
from stich.games.durak.cards import BEATERS, NEXT, NO_CARD, SPREAD
from stich.games.durak.knowledge import unseen
from stich.games.durak.state import CHECK, PUSH

(
    PAIR,  # leading: for each other plain card of the rank in hand
    HARD,  # leading at the end: for a card that the defender cannot beat, when at most one other is beatable
    THROW_EARLY,  # throwing in while the defender beats: the most a card may be worth, with a full talon
    THROW_LATE,  # the same with the talon gone
    FEED_MOST,  # the same when the defender takes
    BEAT_EARLY,  # beating: the most that all answers together may be worth
    BEAT_LATE,
    PUSH_MOST,  # pushing: the most a card may be worth
    PATIENCE,  # pushing: not after this many attacks that left all cards in the hands
) = range(9)

WEIGHTS = np.array([0.7, 9.0, 0.75, 2.0, 1.0, 1.5, 5.0, 1.0, 10.0])


def rule(s: Record, rng: Record) -> Int:
    """The move of the seat to act."""
    return choose(s, WEIGHTS)


@compiled
def choose(s: Record, w: Array) -> Int:
    """The move with given weights."""
    me = np.int64(s.turn)
    mask = options(s, me)
    if mask & (mask - 1) == 0:
        return ctz(mask)
    if me == s.defender:
        return _target(s, mask) if s.card != NO_CARD else _defend(s, me, mask, w)
    if s.attacks == 0:
        return _lead(s, me, mask, w)
    return _throw(s, me, mask & ~(1 << CHECK), w)


@compiled
def _worth(s: Record, card: Int) -> Real:
    """The rank from 0 to 1, and 1 more for a trump."""
    ranks = s.deck // 4
    return (card % 13 - 13.0 + ranks) / (ranks - 1.0) + (1.0 if card // 13 == s.suit else 0.0)


@compiled
def _late(s: Record) -> Real:
    """How far the talon is gone, from 0 to 1."""
    cards = np.float64(s.deck) * s.decks
    return 1.0 - s.left / (cards - s.players * s.hand)


@compiled
def _between(s: Record, early: Real, late: Real) -> Real:
    part = _late(s)
    return early * (1.0 - part) + late * part


@compiled
def _lead(s: Record, me: Int, mask: Int, w: Array) -> Int:
    """The cheapest card, rather of a rank held several times; at the end those that cannot be beaten go first."""
    hard = _unbeatable(s, me, mask)
    finishes = popcount(mask & ~hard) <= 1
    best: Real = -1e9
    chosen: Int = 0
    while mask:
        card = ctz(mask)
        mask &= mask - 1
        others = popcount(s.held[me] & (1 << card % 13) * SPREAD & ~(8191 << 13 * s.suit)) - 1
        value = w[PAIR] * others - _worth(s, card)
        if finishes and hard >> card & 1:
            value += w[HARD]
        if value > best:
            best, chosen = value, card
    return chosen


@compiled
def _unbeatable(s: Record, me: Int, cards: Int) -> Int:
    """Of some cards those that the only other player cannot beat once the talon is gone: all cards are known then."""
    if s.left > 0 or popcount(np.int64(s.active)) > 2:
        return 0
    once, _ = unseen(s, me)
    theirs = once | s.shown[NEXT[s.active, me]]
    found: Int = 0
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        if theirs & BEATERS[s.suit, card] == 0:
            found |= 1 << card
    return found


@compiled
def _cheapest(s: Record, cards: Int) -> Int:
    """The card of least worth."""
    best: Real = 1e9
    chosen: Int = 0
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        if _worth(s, card) < best:
            best, chosen = _worth(s, card), card
    return chosen


@compiled
def _throw(s: Record, me: Int, cards: Int, w: Array) -> Int:
    """Throws the cheapest fitting card in, if it is cheap enough."""
    if cards == 0:
        return CHECK
    card = _cheapest(s, cards)
    takes = s.checked >> s.defender & 1
    most = w[FEED_MOST] if takes else _between(s, w[THROW_EARLY], w[THROW_LATE])
    return card if _worth(s, card) <= most else CHECK


@compiled
def _defend(s: Record, me: Int, mask: Int, w: Array) -> Int:
    """Pushes if that is cheap, beats all if that is not too dear, else takes."""
    push = mask >> PUSH
    if push and s.quiet < w[PATIENCE]:
        suit = ctz(push)
        for other in range(4):
            if push >> other & 1 and suit == s.suit:
                suit = other
        if _worth(s, 13 * suit + s.attack[0] % 13) <= w[PUSH_MOST]:
            return PUSH + suit
    answer = _answer(s, me, w)
    return answer if answer >= 0 else CHECK


@compiled
def _answer(s: Record, me: Int, w: Array) -> Int:
    """The card to beat with first, or -1: the open card with the fewest answers gets its cheapest one."""
    hand = s.held[me]
    left = hand
    cost: Real = 0.0
    first: Int = -1
    fewest: Int = 100
    for i in range(s.beaten, s.attacks):
        able = left & BEATERS[s.suit, s.attack[i]]
        if able == 0:
            return -1
        card = _cheapest(s, able)
        left ^= 1 << card
        cost += _worth(s, card)
        count = popcount(hand & BEATERS[s.suit, s.attack[i]])
        if count < fewest:
            fewest, first = count, card
    return first if cost <= _between(s, w[BEAT_EARLY], w[BEAT_LATE]) else -1


@compiled
def _target(s: Record, mask: Int) -> Int:
    """The open card that the fewest cards of its own hand beat."""
    hand = s.held[s.turn]
    fewest: Int = 100
    chosen: Int = 0
    while mask:
        card = ctz(mask)
        mask &= mask - 1
        count = popcount(hand & BEATERS[s.suit, card])
        if count < fewest:
            fewest, chosen = count, card
    return chosen
