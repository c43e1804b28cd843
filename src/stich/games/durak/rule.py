"""The rule-based player: cheap cards first, trumps saved while the talon is large, counting at the end.

It sees only what its seat knows. Every card has a worth: its rank from 0 to 1 in the pack, trumps one more. What is
gained or lost by a move is measured on the same scale. The weights were found by playing against variants of themselves
and random players, and each earns its place: `tests/test_durak_rule.py` sets single ones to nothing.
"""

import numpy as np

from stich.core.bits import ctz, popcount
from stich.core.contract import Array, Int, Real, Record
from stich.core.jit import compiled
from stich.games.durak.attack import options, targets
from stich.games.durak.cards import BEATERS, NEXT, NO_CARD, PREV, SPREAD
from stich.games.durak.knowledge import unseen
from stich.games.durak.state import CHECK, PUSH

(
    PAIR,  # leading: for each other plain card of the rank in hand
    HARD,  # leading at the end: for a card that the defender cannot beat
    FRESH,  # opening a rank of which cards are unseen, for each of them
    THROW_EARLY,  # throwing in: the most a card may be worth while the talon is full, the defender beating
    THROW_LATE,  # the same with the talon gone
    FEED_EARLY,  # the same when the defender takes
    FEED_LATE,
    BEAT_EARLY,  # beating: the most that all answers may be worth while the talon is full
    BEAT_LATE,
    BEAT_TABLE,  # more for each card on the table that would be taken
    BEAT_WORTH,  # less for what the table is worth
    BEAT_DANGER,  # more when an attacker is about to be out
    PUSH_EARLY,  # pushing: the most a card may be worth
    PUSH_LATE,
    COUNT,
) = range(15)

WEIGHTS = np.zeros(COUNT)


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
def _theirs(s: Record, me: Int) -> Int:
    """The cards of the only other player once the talon is gone: nothing is hidden any more."""
    other = NEXT[s.active, me]
    if s.left > 0 or popcount(np.int64(s.active)) > 2:
        return 0
    once, _ = unseen(s, me)
    return once | s.shown[other]


@compiled
def _lead(s: Record, me: Int, mask: Int, w: Array) -> Int:
    """The cheapest card, rather of a rank held several times; at the end one that cannot be beaten."""
    theirs = _theirs(s, me)
    once, _ = unseen(s, me)
    best, chosen = -1e9, 0
    while mask:
        card = ctz(mask)
        mask &= mask - 1
        rank = (1 << card % 13) * SPREAD
        others = popcount(s.held[me] & rank & ~(8191 << 13 * s.suit)) - 1
        value = w[PAIR] * others - _worth(s, card) - w[FRESH] * popcount(once & rank)
        if theirs and theirs & BEATERS[s.suit, card] == 0:
            value += w[HARD]
        if value > best:
            best, chosen = value, card
    return chosen


@compiled
def _cheapest(s: Record, cards: Int) -> Int:
    """The card of least worth."""
    best, chosen = 1e9, 0
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
    if s.checked >> s.defender & 1:
        most = _between(s, w[FEED_EARLY], w[FEED_LATE])
    else:
        most = _between(s, w[THROW_EARLY], w[THROW_LATE])
    return card if _worth(s, card) <= most else CHECK


@compiled
def _defend(s: Record, me: Int, mask: Int, w: Array) -> Int:
    """Pushes if that is cheap, beats all if that is not too dear, else takes."""
    push = mask >> PUSH
    if push:
        suit = ctz(push)
        for other in range(4):
            if push >> other & 1 and suit == s.suit:
                suit = other
        if _worth(s, 13 * suit + s.attack[0] % 13) <= _between(s, w[PUSH_EARLY], w[PUSH_LATE]):
            return PUSH + suit
    answer = _answer(s, me, w)
    return answer if answer >= 0 else CHECK


@compiled
def _answer(s: Record, me: Int, w: Array) -> Int:
    """The card to beat with first, or -1: the open card with the fewest answers gets its cheapest one."""
    hand = s.held[me]
    left = hand
    cost = 0.0
    first = -1
    fewest = 100
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
    return first if cost <= _most(s, me, w) else -1


@compiled
def _most(s: Record, me: Int, w: Array) -> Real:
    """What beating may cost: more late, with much on the table, or when an attacker is about to be out."""
    most = _between(s, w[BEAT_EARLY], w[BEAT_LATE]) + w[BEAT_TABLE] * (np.float64(s.attacks) + s.beaten)
    for i in range(s.attacks):
        most -= w[BEAT_WORTH] * _worth(s, np.int64(s.attack[i]))
        if i < s.beaten:
            most -= w[BEAT_WORTH] * _worth(s, np.int64(s.answer[i]))
    if s.left == 0 and s.size[PREV[s.active, me]] <= 1:
        most += w[BEAT_DANGER]
    return most


@compiled
def _target(s: Record, mask: Int) -> Int:
    """The open card that the fewest cards of the own hand beat."""
    hand = s.held[s.turn]
    fewest, chosen = 100, 0
    while mask:
        card = ctz(mask)
        mask &= mask - 1
        count = popcount(hand & BEATERS[s.suit, card])
        if count < fewest:
            fewest, chosen = count, card
    return chosen
