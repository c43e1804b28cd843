"""The rule-based bidding of appendix G of document 000, and the building of the hand (docs/rules.md 1.7, 1.9)."""

import numpy as np

from stich.core.bits import ctz, popcount, top
from stich.core.contract import Bool, Int, Record, legal
from stich.core.jit import compiled
from stich.games.cego.cards import GEISS, HALVES, HIGH, LOW, RANK, STRONG, SUIT, TRUMPS
from stich.games.cego.deal import halves
from stich.games.cego.state import (
    BID,
    CEGO,
    CHOICE,
    EXTRA,
    FORT,
    GEGEN,
    KEEP,
    LAYOFF,
    PASS,
    SAY_BETTEL,
    SAY_GEGENSOLO,
    SAY_PICCOLO,
    SAY_RAEUBER,
    SAY_SOLO,
    SAY_ULTIMO,
    SELBER,
    SWAP,
)

NEEDED = np.array([0, 15, 17, 18, 22, 26, 30, 32], np.int64)
"""The least value of a hand for each level."""
GEGENSOLO = 3
"""How much more a level wants against a soloist."""


@compiled
def choose(s: Record) -> Int:
    """What to say, or which card to choose, before the play."""
    hand = s.hands[s.turn]
    actions = legal(s)
    if s.phase == FORT:
        if _strong_enough(hand, 8) and hand >> GEISS & 1:
            return SAY_ULTIMO
        return SAY_SOLO if _strong_enough(hand, 7) else PASS
    if s.phase == GEGEN:
        return SAY_GEGENSOLO if halves(hand) >= 2 * (NEEDED[CEGO] + GEGENSOLO) else PASS
    if s.phase == EXTRA:
        return _low_game(hand, actions)
    if s.phase == CHOICE:
        return BID if halves(hand) >= 2 * NEEDED[CEGO] else SAY_RAEUBER
    if s.phase < CHOICE:
        wanted = SELBER if actions >> SELBER & 1 else BID
        level = s.level + (0 if wanted == SELBER else 1)
        if not actions >> wanted & 1:
            return PASS
        return wanted if halves(hand) >= 2 * (NEEDED[level] + GEGENSOLO * s.gegen) else PASS
    return _build(s, actions)


@compiled
def _strong_enough(hand: Int, trumps: Int) -> Bool:
    """The trumps that Ultimo (eight, two of them strong) or Solo (eight, or seven with two suits) wants."""
    count = popcount(hand & TRUMPS)
    strong = popcount(hand & STRONG) > 1
    if trumps == 8:
        return count > 7 and strong
    suits = 0
    for suit in range(4):
        suits += 1 if hand & SUIT[suit] else 0
    return count > 7 or (count == 7 and strong and suits < 3)


@compiled
def _low_game(hand: Int, actions: Int) -> Int:
    """Bettel with nothing but low cards; Piccolo as a last resort, where Cego is out of reach."""
    high = popcount(hand & HIGH)
    if high == 0 and actions >> SAY_BETTEL & 1:
        return SAY_BETTEL
    if high == 1 and popcount(hand & LOW) == 10 and halves(hand) < 2 * NEEDED[CEGO]:
        return SAY_PICCOLO
    return PASS


@compiled
def _build(s: Record, actions: Int) -> Int:
    """Keeps the best trumps and kings, exposes the lowest cards, lays off what counts much and wins little."""
    if s.phase == KEEP:
        trumps = actions & TRUMPS
        return top(trumps) if trumps else _by_rank(actions, 1)
    if s.phase == LAYOFF:
        return _lay_off(actions)
    if s.phase == SWAP:
        # A lower card of the suit does as well in a trick that cannot be won.
        cards = actions & ~(1 << PASS)
        lowest = ctz(cards) if cards else PASS
        return lowest if lowest < ctz(s.swaps) else PASS
    cards = actions & ~TRUMPS
    return _by_rank(cards, 0) if cards else ctz(actions)


@compiled
def _by_rank(cards: Int, highest: Int) -> Int:
    """The highest or lowest suit card, whatever its suit."""
    rank = 7 if highest else 0
    while cards & RANK[rank] == 0 and 0 < rank + 1 < 9:
        rank += -1 if highest else 1
    return ctz(cards & RANK[rank])


@compiled
def _lay_off(cards: Int) -> Int:
    """A queen, cavalier or jack from the shortest suit without its king, else the worst suit card, else a low trump."""
    best, chosen = -1.0, -1
    for suit in range(4):
        held = cards & SUIT[suit]
        for rank in range(8):
            card = 8 * suit + rank
            if held >> card & 1 and rank < 7:
                guarded = held >> (8 * suit + 7) & 1
                worth = HALVES[card] + 2.0 * (4 - popcount(held)) - 3.0 * guarded
                if worth > best:
                    best, chosen = worth, card
    return chosen if chosen >= 0 else ctz(cards)
