"""Observations: the 336 bits of document 000 (its Table 3, RULES.md 1.10), and a flat input for the whole game.

Seats are counted from the single player, as the document numbers them; in `table` from the own seat.
"""

import numpy as np

from stich.core.bits import ctz
from stich.core.contract import Array, Encoder, Field, Int, Record, legal
from stich.core.jit import compiled
from stich.games.cego.cards import ALL
from stich.games.cego.state import NO_CARD, NOBODY, RAEUBER, STANDARD

BITS, TABLE = range(2)

ENCODERS = (
    Encoder(
        "bits336",
        "the observation of document 000, Table 3",
        (
            Field("hand", 54, "own cards"),
            Field("others", 54, "cards that others may still hold: not own, not played, not in the own Legage"),
            Field("winning", 54, "the card that is winning the trick"),
            Field("first", 54, "the first card of the trick"),
            Field("second", 54, "the second"),
            Field("third", 54, "the third"),
            Field("team", 4, "the own side by seat from the single player; in Räuber the own seat"),
            Field("winner", 4, "the seat that is winning the trick"),
            Field("starter", 4, "the seat that led the trick"),
        ),
    ),
    Encoder(
        "table",
        "our own input for the whole game, bidding and building included; seats from the own one in playing order",
        (
            Field("hand", 54, "own cards"),
            Field("legal", 63, "legal actions"),
            Field("played", 216, "cards played by self, next, opposite, previous"),
            Field("trick", 162, "cards of the running trick by next, opposite, previous"),
            Field("possible", 162, "unseen cards that next, opposite, previous may hold"),
            Field("shown", 54, "cards known to be in the single player's hand"),
            Field("own legage", 54, "the Legage, where it is the own"),
            Field("phase", 12, "the phase"),
            Field("mode", 7, "bidding, then the sub-game"),
            Field("level", 8, "none, then the level of Standard-Cego"),
            Field("gegensolo", 1, "whether Gegensolo was said"),
            Field("single", 4, "the single player, zero while there is none"),
            Field("holder", 4, "who holds the bid for the blind"),
            Field("dealer", 4, "the dealer"),
            Field("leader", 4, "who led the running trick"),
            Field("points", 4, "card points of each seat's tricks / 79", 79),
            Field("tricks", 4, "tricks of each seat / 11", 11),
        ),
    ),
)


def observe(s: Record, me: Int, which: Int, out: Array) -> None:
    """The observation of a seat by one of the encoders."""
    for i in range(len(out)):
        out[i] = 0
    _cards(out, 0, s.hands[me])
    if which == BITS:
        _bits(s, me, out)
    else:
        _table(s, me, out)


@compiled
def _cards(out: Array, start: Int, mask: Int) -> None:
    """Ones for the cards of a mask."""
    while mask:
        out[start + ctz(mask)] = 1
        mask &= mask - 1


@compiled
def _bits(s: Record, me: Int, out: Array) -> None:
    single = np.int64(s.single)
    known = s.hands[me] | s.played
    if s.mode == STANDARD and me == single:
        known |= s.legage
    _cards(out, 54, ALL & ~known)
    base = 4 * np.int64(s.tricks)
    for i in range(s.cards):
        out[162 + 54 * i + s.plays[base + i]] = 1
    if s.best != NO_CARD:
        out[108 + s.best] = 1
        out[328 + ((s.winner - single) & 3)] = 1
    out[332 + ((s.leads[s.tricks] - single) & 3)] = 1
    own = (me - single) & 3
    if s.mode == RAEUBER or own == 0:
        out[324 + own] = 1
    else:
        for seat in range(1, 4):
            out[324 + seat] = 1


@compiled
def _table(s: Record, me: Int, out: Array) -> None:
    if s.turn == me and not s.over:
        _cards(out, 54, legal(s))
    for i in range(4 * s.tricks + s.cards):
        card = np.int64(s.plays[i])
        away = (s.leads[i >> 2] + i - me) & 3
        out[117 + 54 * away + card] = 1
        if i >= 4 * s.tricks and away > 0:
            out[333 + 54 * (away - 1) + card] = 1
    unseen = ALL & ~s.played & ~s.hands[me] & ~s.laid_open
    if s.single == me:
        unseen &= ~s.legage
        _cards(out, 711, s.legage)
    for away in range(1, 4):
        _cards(out, 495 + 54 * (away - 1), unseen & ~s.voids[(me + away) & 3])
    _cards(out, 657, s.shown & ~s.played)
    out[765 + s.phase] = 1
    out[777 + s.mode] = 1
    out[784 + s.level] = 1
    out[792] = s.gegen
    if s.mode > 0:
        out[793 + ((s.single - me) & 3)] = 1
    if s.holder < NOBODY:
        out[797 + ((s.holder - me) & 3)] = 1
    out[801 + ((s.dealer - me) & 3)] = 1
    out[805 + ((s.leads[s.tricks] - me) & 3)] = 1
    for away in range(4):
        out[809 + away] = s.points[(me + away) & 3]
        out[813 + away] = s.won[(me + away) & 3]
