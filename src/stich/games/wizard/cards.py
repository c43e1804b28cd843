"""The 60 cards and the tables that follow from them (docs/rules.md 4.2).

Card 13 * suit + rank - 1 with suits S H C D and ranks 1 to 13; 52 to 55 are the jesters, 56 to 59 the wizards.
"""

import numpy as np

from stich.core.bits import set_bits

SUITS = "SHCD"
JESTER, WIZARD, NO_CARD = 52, 56, 60
"""The first jester, the first wizard, and what stands where there is no card."""
NO_SUIT = 4
CARDS = (
    *(f"{suit}{rank}" for suit in SUITS for rank in range(1, 14)),
    *(f"{kind}{i}" for kind in "JW" for i in range(1, 5)),
)

ALL = (1 << 60) - 1
"""The whole pack."""
SUIT = np.array([0x1FFF << 13 * suit for suit in range(4)] + [0], np.int64)
"""The cards of each suit; none of NO_SUIT."""
JESTERS, WIZARDS = 0xF << JESTER, 0xF << WIZARD
SPECIAL = JESTERS | WIZARDS
"""Wizards and jesters, which may always be played."""

TRUMP_POWER, WIZARD_POWER = 20, 40
POWER = np.zeros((5, 5, 60), np.uint8)
"""What wins, by trump and the suit to follow: 0 never, 1 to 13 following, from 20 on trumps, 40 a wizard."""
POWER[:, :, WIZARD:] = WIZARD_POWER
for suit in range(4):
    ranks = np.arange(13)
    POWER[:, suit, 13 * suit : 13 * suit + 13] = 1 + ranks
for suit in range(4):
    POWER[suit, :, 13 * suit : 13 * suit + 13] = TRUMP_POWER + ranks


def mask_of(names: list[str]) -> int:
    """The mask of some cards."""
    return sum(1 << CARDS.index(name) for name in names)


def names_of(mask: int) -> list[str]:
    """The codes of the cards of a mask, in the order of the pack."""
    return [CARDS[card] for card in set_bits(int(mask))]
