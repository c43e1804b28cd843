"""The observation of document 000 in 336 bits (its Table 3, docs/rules.md 1.10), and one that remembers the tricks.

Seats are counted from the single player, as the document numbers them.
"""

import numpy as np

from stich.core.bits import write_bits
from stich.core.contract import Array, Int, Record
from stich.core.spec import Encoder, Field
from stich.games.cego.cards import ALL, SUIT
from stich.games.cego.state import NO_CARD, RAEUBER, STANDARD

BITS = (
    Field("hand", 54, "own cards"),
    Field("others", 54, "cards that others may still hold: not own, not played, not in its own Legage"),
    Field("winning", 54, "the card that is winning the trick"),
    Field("first", 54, "the first card of the trick"),
    Field("second", 54, "the second"),
    Field("third", 54, "the third"),
    Field("team", 4, "its own side by seat from the single player; in Räuber its own seat"),
    Field("winner", 4, "the seat that is winning the trick"),
    Field("starter", 4, "the seat that led the trick"),
)
ENCODERS = (
    Encoder("bits336", "the observation of document 000, Table 3", BITS),
    Encoder(
        "tricks364",
        "the observation of document 000, and what the tricks so far have shown",
        (
            *BITS,
            Field("won", 4, "the tricks of each seat", 11),
            Field("points", 4, "the points in them", 79),
            Field(
                "voids",
                20,
                "for each seat whether it has shown that it holds no clubs, spades, hearts, diamonds, trumps",
            ),
        ),
    ),
)


def observe(s: Record, me: Int, which: Int, out: Array) -> None:
    """What a seat knows; during the bidding of the whole game the single player's bits stand for seat 0."""
    for i in range(len(out)):
        out[i] = 0
    single = np.int64(s.single)
    known = s.hands[me] | s.played
    if s.mode == STANDARD and me == single:
        known |= s.legage
    write_bits(out, 0, s.hands[me])
    write_bits(out, 54, ALL & ~known)
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
    if which == 1:
        for seat in range(4):
            whose = (single + seat) & 3
            out[336 + seat] = s.won[whose]
            out[340 + seat] = s.points[whose]
            for suit in range(5):
                out[344 + 5 * seat + suit] = (s.voids[whose] & SUIT[suit]) == SUIT[suit]
