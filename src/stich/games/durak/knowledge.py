"""What a seat has seen of the cards, duplicates counted."""

import numpy as np

from stich.core.contract import Int, Record
from stich.core.jit import compiled
from stich.games.durak.cards import PACK


@compiled
def table_cards(s: Record, first: Int, last: Int) -> tuple[Int, Int]:
    """The attack cards from one place of the table to another and what beat them: once or more, twice."""
    once = np.int64(0)
    twice = np.int64(0)
    for i in range(first, last):
        bit = 1 << s.attack[i]
        twice |= once & bit
        once |= bit
        if i < s.beaten:
            bit = 1 << s.answer[i]
            twice |= once & bit
            once |= bit
    return once, twice


@compiled
def unseen(s: Record, me: Int) -> tuple[Int, Int]:
    """The cards that a seat has not seen: at least one of their kind, two of their kind."""
    once, twice = table_cards(s, 0, np.int64(s.attacks))
    twice |= s.out_twice | (once & s.out)
    once |= s.out
    for seat in range(s.players):
        held = s.held[me] if seat == me else s.shown[seat]
        twice |= (once & held) | (s.twice[me] if seat == me else s.shown_twice[seat])
        once |= held
    if s.left > 0:
        twice |= once & 1 << s.turned
        once |= 1 << s.turned
    pack = PACK[s.deck // 4]
    if s.decks == 1:
        return pack & ~once, np.int64(0)
    return pack & ~twice, pack & ~once
