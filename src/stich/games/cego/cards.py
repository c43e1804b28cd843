"""The 54 cards of Cego and the tables that follow from them (docs/rules.md 1.1, document 000 appendix C).

Card ids: 8 * suit + rank for clubs, spades, hearts, diamonds, each in the order of rank; 32 to 52 the trumps 1 to 21;
53 the Gstiess.
"""

import numpy as np

from stich.core.bits import set_bits

BLACK = ("7", "8", "9", "10", "b", "r", "d", "k")
RED = ("4", "3", "2", "1", "b", "r", "d", "k")
CARDS = tuple(
    [f"{rank}-{suit}" for suit, ranks in zip("cshd", (BLACK, BLACK, RED, RED), strict=True) for rank in ranks]
    + [f"{number}-trump" for number in range(1, 22)]
    + ["gstiess-trump"]
)
GEISS, GSTIESS = 32, 53
"""The lowest trump, the 1, and the highest."""
TRUMP = 4
"""The suit number of trumps."""

ALL = (1 << 54) - 1
TRUMPS = ALL & ~0xFFFFFFFF
SUIT = np.array([0xFF << 8 * suit for suit in range(4)] + [TRUMPS], np.int64)
RANK = np.array([0x01010101 << rank for rank in range(8)], np.int64)
"""The four suit cards of each rank, lowest first."""
EMPTY = 0x0F0F0F0F
"""The suit cards without a picture."""
STRONG = ((1 << 6) - 1) << 48
"""The trumps 17 to 21 and the Gstiess."""
LOW = 0x3F3F3F3F | 0x3F << 32
"""The low cards of document 000, 5.3: empty cards, jacks, cavaliers, trumps 1 to 6."""
HIGH = ALL & ~LOW

HALVES = np.ones(54, np.int64)
"""Twice the value of each card: 0.5 points are the smallest."""
for suit in range(4):
    HALVES[8 * suit + 4 : 8 * suit + 8] = [3, 5, 7, 9]
HALVES[[GEISS, 52, GSTIESS]] = 9

SUIT_OF = np.array([min(card >> 3, TRUMP) for card in range(54)], np.int64)
POWER = np.zeros((5, 54), np.int64)
"""What wins by led suit: 0 never, 1 to 8 following, above that trump."""
for card in range(54):
    POWER[SUIT_OF[card], card] = card % 8 + 1
    if card >= GEISS:
        POWER[:, card] = card


def mask_of(names: list[str]) -> int:
    """The mask of some cards."""
    return sum(1 << CARDS.index(name) for name in names)


def names_of(mask: int) -> list[str]:
    """The codes of the cards of a mask, in the order of ids."""
    return [CARDS[card] for card in set_bits(int(mask))]
