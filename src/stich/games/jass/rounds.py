"""A round of Jass as it begins, and back to its beginning."""

import numpy as np

from stich.core.contract import Array, Int, Record
from stich.core.jit import compiled
from stich.games.jass.cards import NO_BAR
from stich.games.jass.state import ANNOUNCE, MELD, MODE_0, NOBODY, PLAY, PUSH, SILENT, TRUMP


@compiled
def begin_round(s: Record) -> None:
    """Clears all that belongs to one round; hands and dealer stand."""
    for seat in range(4):
        s.voids[seat] = 0
        s.shown[seat] = 0
    for team in range(2):
        s.points[team] = 0
        s.bonus[team] = 0
        s.won[team] = 0
    for i in range(36):
        s.plays[i] = 0
    for i in range(10):
        s.leads[i] = 0
    s.played = 0
    s.phase = TRUMP
    s.mode = 0
    s.turn = (s.dealer + 3) & 3
    s.tricks = 0
    s.pair = NOBODY
    s.declarer = NOBODY
    s.pushed = 0
    begin_trick(s)


@compiled
def begin_trick(s: Record) -> None:
    """The seat to act leads."""
    s.leads[s.tricks] = s.turn
    s.cards = 0
    s.lead = 0
    s.winner = s.turn
    s.power = 0
    s.bar = NO_BAR
    s.pot = 0


def rewind(s: Record, past: Array, rng: Record) -> Int:
    """Back to the choice of the mode."""
    count = 0
    if s.pushed:
        past[count] = PUSH
        count += 1
    if s.phase >= MELD:
        past[count] = MODE_0 + s.mode
        count += 1
    cards = 4 * np.int64(s.tricks) + s.cards
    asked = min(4, cards + (s.phase == PLAY)) if s.melds else 0
    for i in range(max(cards, asked)):
        seat = (s.leads[i >> 2] - i) & 3
        if i < asked:
            past[count] = ANNOUNCE if s.shown[seat] else SILENT
            count += 1
        if i < cards:
            past[count] = s.plays[i]
            count += 1
            s.hands[seat] |= 1 << s.plays[i]
    begin_round(s)
    return count
