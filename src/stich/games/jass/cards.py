"""The 36 cards, the six modes and the tables that follow from them.

Card 9 * suit + column: suits D H S C, columns A K Q J 10 9 8 7 6. Mode 0 to 3 makes that suit trump, 4 is
obe-abe (tops down), 5 une-ufe (bottoms up). docs/rules.md 3.1 and 3.2.
"""

import numpy as np

from stich.core.bits import set_bits

SUITS = "DHSC"
RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6")
CARDS = tuple(suit + rank for suit in SUITS for rank in RANKS)
MODES = ("D", "H", "S", "C", "O", "U")
OBE, UNE = 4, 5
A, K, Q, J, TEN, NINE, EIGHT, SEVEN, SIX = range(9)

ALL = (1 << 36) - 1
"""The whole pack."""
TRUMP_ORDER = (6, 5, 4, 8, 3, 7, 2, 1, 0)
"""The rank in trump of each column: Buur (jack) and Nell (nine) stand above the ace."""

SUIT = np.array([0x1FF << 9 * suit for suit in range(4)] + [0, 0], np.int64)
"""The cards of each suit, so SUIT[mode] are the trumps: none in obe-abe and une-ufe."""
BUUR = np.array([1 << (9 * suit + J) for suit in range(4)] + [0, 0], np.int64)
"""The jack of trumps in each mode."""

NO_BAR = 36
HIGHER = np.zeros(37, np.int64)
"""The trumps above a trump; all of them above NO_BAR."""
HIGHER[NO_BAR] = ALL

VALUE = np.zeros((6, 36), np.int64)
"""Card points by mode."""
POWER = np.zeros((6, 4, 36), np.int64)
"""What wins by mode and led suit: 0 never, 1 to 9 following, 10 to 18 trump."""

PLAIN_VALUE = (11, 4, 3, 2, 10, 0, 0, 0, 0)
TRUMP_VALUE = (11, 4, 3, 20, 10, 14, 0, 0, 0)
OBE_VALUE = (11, 4, 3, 2, 10, 0, 8, 0, 0)
UNE_VALUE = (0, 4, 3, 2, 10, 0, 8, 0, 11)

for card in range(36):
    suit, column = divmod(card, 9)
    for other in range(9):
        if TRUMP_ORDER[other] > TRUMP_ORDER[column]:
            HIGHER[card] |= 1 << (9 * suit + other)
    for mode in range(6):
        values = {OBE: OBE_VALUE, UNE: UNE_VALUE, suit: TRUMP_VALUE}.get(mode, PLAIN_VALUE)
        VALUE[mode, card] = values[column]
        if mode == suit:
            POWER[mode, :, card] = 10 + TRUMP_ORDER[column]
        else:
            POWER[mode, suit, card] = 1 + (column if mode == UNE else 8 - column)

FACTOR = np.array([1, 1, 2, 2, 3, 3], np.int64)
"""What each mode counts under multipliers: the black suits double, obe-abe and une-ufe treble (docs/rules.md 3.4)."""


def card_id(name: str) -> int:
    """The card of a code like `D10`."""
    return CARDS.index(name)


def mask_of(names: list[str]) -> int:
    """The mask of some cards."""
    return sum(1 << card_id(name) for name in names)


def names_of(mask: int) -> list[str]:
    """The codes of the cards of a mask, in the order of the pack."""
    return [CARDS[card] for card in set_bits(int(mask))]


ABOVE = np.zeros((6, 36), np.int64)
"""The cards of the same suit that beat a card, by mode."""
for _mode in range(6):
    for _card in range(36):
        for _other in range(_card // 9 * 9, _card // 9 * 9 + 9):
            if POWER[_mode, _card // 9, _other] > POWER[_mode, _card // 9, _card]:
                ABOVE[_mode, _card] |= 1 << _other
