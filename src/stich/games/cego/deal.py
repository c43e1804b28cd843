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
from stich.games.cego.cards import ALL, GEISS, HIGH, LOW, RANK, STRONG, SUIT, TRUMPS
from stich.games.cego.state import BETTEL, PICCOLO, SOLO, STANDARD, ULTIMO

SUITS = ALL & ~TRUMPS
GREAT = 0x80808080 | 1 << GEISS | 3 << 52
"""The cards of 4.5 points: kings, 1, 21 and Gstiess."""

FOUR_IN_TWO_SUITS = comb(4, 2) * (comb(16, 4) - 2 * comb(8, 4)) + 4 * comb(8, 4)
"""Sets of four suit cards in at most two suits."""
SAME_SUIT_SHARE = 4 * comb(8, 4) / FOUR_IN_TWO_SUITS


Kinds = list[tuple[int, int, int, int]]
"""How many strong trumps, other trumps and suit cards (beside a sure card), and how many such hands there are."""

# With seven trumps two must be strong and the rest in two suits.
SOLO_KINDS: Kinds = [
    (strong, trumps - strong, 11 - trumps, comb(6, strong) * comb(16, trumps - strong) * rest)
    for trumps in range(7, 12)
    for strong in range(0 if trumps > 7 else 2, min(6, trumps) + 1)
    for rest in [comb(32, 11 - trumps) if trumps > 7 else FOUR_IN_TWO_SUITS]
]
# Beside the 1 of trumps at least two strong ones, eight trumps in all.
ULTIMO_KINDS: Kinds = [
    (strong, others, 10 - strong - others, comb(6, strong) * comb(15, others) * comb(32, 10 - strong - others))
    for strong in range(2, 7)
    for others in range(max(0, 7 - strong), 11 - strong)
]

KINDS = np.zeros((4, 64, 3), np.int64)
SHARES = np.ones((4, 64))
"""The kinds of hands by sub-game, and the share of each kind and those before it."""
for mode, kinds in ((SOLO, SOLO_KINDS), (ULTIMO, ULTIMO_KINDS)):
    KINDS[mode, : len(kinds)] = [kind[:3] for kind in kinds]
    SHARES[mode, : len(kinds)] = np.cumsum([kind[3] for kind in kinds]) / sum(kind[3] for kind in kinds)


@compiled
def some(cards: Int, count: Int, rng: Record) -> Int:
    """`count` of the cards of a mask, every set equally likely."""
    left = popcount(cards)
    chosen: Int = 0
    for _ in range(count):
        card = nth(cards, below(rng, left))
        cards ^= card
        chosen |= card
        left -= 1
    return chosen


@compiled
def halves(cards: Int) -> Int:
    """Twice the value of the cards of a mask: each counts 1, pictures and the three great trumps more."""
    more = popcount(cards & RANK[4]) + 2 * popcount(cards & RANK[5]) + 3 * popcount(cards & RANK[6])
    return popcount(cards) + 2 * (more + 4 * popcount(cards & GREAT))


@compiled
def single_hand(mode: Int, heuristic: Int, rng: Record) -> Int:
    """The single player's eleven cards for a sub-game, with its hand condition where that is asked for."""
    sure, first, second, third = 0, 0, 0, 11
    from_third: Int = ALL
    from_first, from_second = 0, 0
    two_suits: Int = 0
    if mode == ULTIMO:
        sure = 1 << GEISS
        from_third, third = ALL & ~sure, 10
    if heuristic and mode in (SOLO, ULTIMO):
        draw = uniform(rng)
        kind = 0
        while draw >= SHARES[mode, kind]:
            kind += 1
        first, second, third = KINDS[mode, kind, 0], KINDS[mode, kind, 1], KINDS[mode, kind, 2]
        from_first, from_second, from_third = STRONG, TRUMPS & ~STRONG & ~sure, SUITS
        if mode == SOLO and first + second == 7:
            from_third, two_suits = _two_suits(rng)
    elif heuristic and mode == BETTEL:
        from_third = LOW
    elif heuristic and mode == PICCOLO:
        from_first, first, from_third, third = HIGH, 1, LOW, 10
    while True:
        hand = sure | some(from_first, first, rng) | some(from_second, second, rng)
        rest = some(from_third, third, rng)
        spread = not two_suits or (rest & two_suits != 0 and rest & ~two_suits != 0)
        # 15 points are enough for Standard-Cego: three hands in five have them.
        if spread and (mode != STANDARD or not heuristic or halves(rest) >= 30):
            return hand | rest


@compiled
def _two_suits(rng: Record) -> tuple[Int, Int]:
    """Where four cards in at most two suits come from, and one of two suits that both must be among them."""
    first = below(rng, 4)
    if uniform(rng) < SAME_SUIT_SHARE:
        return SUIT[first], 0
    second = (first + 1 + below(rng, 3)) & 3
    return SUIT[first] | SUIT[second], SUIT[first]


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
