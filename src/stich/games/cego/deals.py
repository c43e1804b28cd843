"""Deals, with the hand conditions of document 000, 4.5, drawn exactly and without long rejection.

A condition fixes how many cards of each kind the single player may have. How many hands there are of each kind
is counted once; a deal first draws the kind in proportion to that, then the cards of each kind uniformly.
"""

from math import comb

import numpy as np

from stich.core.bits import nth, popcount, top
from stich.core.contract import Int, Record
from stich.core.jit import compiled
from stich.core.rng import below, uniform
from stich.games.cego.cards import ALL, GEISS, HALVES, HIGH, LOW, RANK, STRONG, SUIT, TRUMPS
from stich.games.cego.state import BETTEL, PICCOLO, SOLO, STANDARD, ULTIMO

SUITS = ALL & ~TRUMPS
WEAK = TRUMPS & ~STRONG & ~(1 << GEISS)
"""Trumps 2 to 16."""

FOUR_IN_TWO_SUITS = comb(4, 2) * (comb(16, 4) - 2 * comb(8, 4)) + 4 * comb(8, 4)
"""Sets of four suit cards in at most two suits."""
SAME_SUIT_SHARE = 4 * comb(8, 4) / FOUR_IN_TWO_SUITS


def _kinds(rows: list[tuple[tuple[int, ...], int]]) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """The kinds of hands and their cumulated share."""
    counts = np.array([kind for kind, _ in rows], np.int64)
    weights = np.array([float(weight) for _, weight in rows])
    return counts, np.cumsum(weights) / weights.sum()


# Solo: strong trumps, other trumps, suit cards. With seven trumps two must be strong and the rest in two suits.
SOLO_KINDS, SOLO_SHARES = _kinds(
    [
        ((strong, trumps - strong, 11 - trumps), comb(6, strong) * comb(16, trumps - strong) * rest)
        for trumps in range(7, 12)
        for strong in range(0 if trumps > 7 else 2, min(6, trumps) + 1)
        for rest in [comb(32, 11 - trumps) if trumps > 7 else FOUR_IN_TWO_SUITS]
    ]
)
# Ultimo: beside the 1 of trumps at least two strong ones and eight trumps in all.
ULTIMO_KINDS, ULTIMO_SHARES = _kinds(
    [
        (
            (strong, trumps - 1 - strong, 11 - trumps),
            comb(6, strong) * comb(15, trumps - 1 - strong) * comb(32, 11 - trumps),
        )
        for trumps in range(8, 12)
        for strong in range(2, 7)
        if 0 <= trumps - 1 - strong <= 15
    ]
)


@compiled
def some(cards: Int, count: Int, rng: Record) -> Int:
    """`count` of the cards of a mask, every set equally likely."""
    left = popcount(cards)
    chosen = 0
    for _ in range(count):
        card = nth(cards, below(rng, left))
        cards ^= card
        chosen |= card
        left -= 1
    return chosen


@compiled
def halves(cards: Int) -> Int:
    """Twice the value of the cards of a mask."""
    total = 0
    for card in range(54):
        total += HALVES[card] * (cards >> card & 1)
    return total


@compiled
def single_hand(mode: Int, heuristic: Int, rng: Record) -> Int:
    """The single player's eleven cards for a sub-game, with its hand condition where that is asked for."""
    if mode == ULTIMO and not heuristic:
        return 1 << GEISS | some(ALL & ~(1 << GEISS), 10, rng)
    if not heuristic:
        return some(ALL, 11, rng)
    if mode == SOLO or mode == ULTIMO:
        return _strong_hand(mode, rng)
    if mode == BETTEL:
        return some(LOW, 11, rng)
    if mode == PICCOLO:
        return some(LOW, 10, rng) | some(HIGH, 1, rng)
    hand = some(ALL, 11, rng)
    while mode == STANDARD and halves(hand) < 30:  # 15 points: three hands in five have them
        hand = some(ALL, 11, rng)
    return hand


@compiled
def _strong_hand(mode: Int, rng: Record) -> Int:
    """A hand that satisfies the condition of Solo or Ultimo."""
    shares = SOLO_SHARES if mode == SOLO else ULTIMO_SHARES
    kinds = SOLO_KINDS if mode == SOLO else ULTIMO_KINDS
    draw = uniform(rng)
    kind = 0
    while draw >= shares[kind]:
        kind += 1
    strong, others, rest = kinds[kind, 0], kinds[kind, 1], kinds[kind, 2]
    weak = WEAK | (1 << GEISS) if mode == SOLO else WEAK
    hand = some(STRONG, strong, rng) | some(weak, others, rng)
    if mode == ULTIMO:
        return hand | 1 << GEISS | some(SUITS, rest, rng)
    return hand | (_in_two_suits(rng) if strong + others == 7 else some(SUITS, rest, rng))


@compiled
def _in_two_suits(rng: Record) -> Int:
    """Four suit cards in at most two suits, every set equally likely."""
    first = below(rng, 4)
    if uniform(rng) < SAME_SUIT_SHARE:
        return some(SUIT[first], 4, rng)
    second = (first + 1 + below(rng, 3)) & 3
    cards = some(SUIT[first] | SUIT[second], 4, rng)
    while cards & SUIT[first] == 0 or cards & SUIT[second] == 0:
        cards = some(SUIT[first] | SUIT[second], 4, rng)
    return cards


@compiled
def best_of(cards: Int, rng: Record) -> Int:
    """The highest card by the training rule: trumps, then the rank in the suit; ties at random."""
    if cards & TRUMPS:
        return 1 << top(cards)
    rank = 7
    while cards & RANK[rank] == 0:
        rank -= 1
    return some(cards & RANK[rank], 1, rng)


@compiled
def worst_of(cards: Int, rng: Record) -> Int:
    """The lowest card by the training rule; ties at random."""
    if cards & SUITS == 0:
        return cards & -cards
    rank = 0
    while cards & RANK[rank] == 0:
        rank += 1
    return some(cards & RANK[rank], 1, rng)


@compiled
def build_standard(s: Record, rng: Record) -> None:
    """The training rule of document 000, 4.4.4: keep the two best own cards, lay off the lowest blind card."""
    own = s.hands[0]
    kept = best_of(own, rng)
    kept |= best_of(own & ~kept, rng)
    dropped = worst_of(s.blind, rng)
    s.legage = (own & ~kept) | dropped
    s.hands[0] = kept | (s.blind & ~dropped)
    s.blind = 0
