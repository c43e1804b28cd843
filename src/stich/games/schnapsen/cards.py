"""The 20 cards of Schnapsen and the tables that follow from them (docs/rules.md 2.1, 2.6).

Card 5 * suit + rank: suits S H C D, ranks J Q K T A from low to high, which is also their order of value.
"""

import numpy as np

from stich.core.bits import set_bits

SUITS = "SHCD"
RANKS = "JQKTA"
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
J, Q, K, T, A = range(5)
NO_CARD = 20

SUIT = np.array([0x1F << 5 * suit for suit in range(4)], np.int64)
VALUE = np.array([(2, 3, 4, 10, 11)[card % 5] for card in range(20)], np.int64)
PAIR = np.array([(1 << Q | 1 << K) << 5 * suit for suit in range(4)], np.int64)
"""King and queen of each suit."""
HIGHER = np.zeros(21, np.int64)
"""The cards of the same suit that beat a card."""
for card in range(20):
    HIGHER[card] = SUIT[card // 5] & ~((2 << card) - 1)

FULL, MINI, MICRO = range(3)
PACK = np.array([(1 << 20) - 1, 0b01111_01111_01111, 0b01111_01111], np.int64)
"""The whole pack; three suits without aces; two of them."""
HAND = np.array([5, 3, 2], np.int64)
"""How many cards each player gets."""


def mask_of(names: list[str]) -> int:
    """The mask of some cards."""
    return sum(1 << CARDS.index(name) for name in names)


def names_of(mask: int) -> list[str]:
    """The codes of the cards of a mask, in the order of ids."""
    return [CARDS[card] for card in set_bits(int(mask))]
