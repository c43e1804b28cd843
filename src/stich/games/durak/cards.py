"""The cards of Durak: a card is suit * 13 + rank, suits C S H D, ranks 2 to A, in any pack (docs/rules.md 5.1)."""

from collections.abc import Iterable

import numpy as np

from stich.core.contract import Int
from stich.core.errors import StichError
from stich.core.jit import compiled

SUITS = "CSHD"
RANKS = "23456789TJQKA"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
NO_CARD = 63
SPREAD = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""Times a set of ranks: all cards of these ranks."""
SUIT = np.array([8191 << 13 * suit for suit in range(4)], np.int64)

PACK = np.array([(8191 >> 13 - ranks << 13 - ranks) * SPREAD for ranks in range(14)], np.int64)
"""The cards of a pack by its number of ranks: the highest ones."""

BEATERS = np.zeros((4, 52), np.int64)
"""By trump suit: the cards that beat a card."""
BEATEN = np.zeros((4, 52), np.int64)
"""By trump suit: the cards that a card beats."""
for trump in range(4):
    for card in range(52):
        higher = int(SUIT[card // 13]) >> card + 1 << card + 1 & int(SUIT[card // 13])
        BEATERS[trump, card] = higher | (int(SUIT[trump]) if card // 13 != trump else 0)
    for card in range(52):
        BEATEN[trump, card] = sum(1 << other for other in range(52) if BEATERS[trump, other] >> card & 1)

NEXT = np.zeros((64, 6), np.int64)
"""By the set of seats in play: the first of them after a seat, clockwise."""
PREV = np.zeros((64, 6), np.int64)
"""The first of them before a seat."""
for active in range(1, 64):
    seats = [seat for seat in range(6) if active >> seat & 1]
    for seat in range(6):
        NEXT[active, seat] = next((other for other in seats if other > seat), seats[0])
        PREV[active, seat] = next((other for other in reversed(seats) if other < seat), seats[-1])


@compiled
def packed(mask: Int, ranks: Int) -> Int:
    """A mask without the ranks that a pack lacks: bit suit * ranks + place of the rank (docs/rules.md 5.3)."""
    low = 13 - ranks
    keep = (1 << ranks) - 1
    return (
        (mask >> low & keep)
        | (mask >> 13 + low & keep) << ranks
        | (mask >> 26 + low & keep) << 2 * ranks
        | (mask >> 39 + low & keep) << 3 * ranks
    )


def card_of(name: str) -> int:
    """The card of a name like `6H`."""
    if name not in CARDS:
        raise StichError(f"{name!r} is no card; cards are written like 6H, TS or AC")
    return CARDS.index(name)


def masks_of(names: Iterable[str]) -> tuple[int, int]:
    """The cards held at least once, and those held twice."""
    once = twice = 0
    for name in names:
        bit = 1 << card_of(name)
        twice |= once & bit
        once |= bit
    return once, twice


def names_of(once: Int, twice: Int = 0) -> list[str]:
    """The names of held cards, those held twice listed twice."""
    return [CARDS[card] for card in range(52) for mask in (once, twice) if int(mask) >> card & 1]
