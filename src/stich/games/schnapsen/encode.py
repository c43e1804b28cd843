"""A first observation of Schnapsen: all that a seat knows, card by card."""

import numpy as np

from stich.core.bits import write_bits
from stich.core.contract import Array, Int, Record
from stich.core.spec import Encoder, Field
from stich.games.schnapsen.cards import NO_CARD, PACK
from stich.games.schnapsen.state import NOBODY

ENCODERS = (
    Encoder(
        "flat",
        "all that a seat knows",
        (
            Field("hand", 20, "own cards"),
            Field("played", 20, "cards played"),
            Field("unseen", 20, "cards not seen"),
            Field("known", 20, "cards known to be in the other hand"),
            Field("lead", 20, "the card to answer"),
            Field("face", 20, "the open trump card"),
            Field("trump", 4, "the trump suit"),
            Field("points", 2, "own and other points / 66", 66),
            Field("tricks", 2, "own and other tricks / 10", 10),
            Field("game", 2, "own and other game points / 7", 7),
            Field("stake", 2, "own and other frozen stake / 3", 3),
            Field("closed", 2, "closed by self, by the other"),
            Field("left", 1, "cards in the stock / 10", 10),
            Field("turn", 1, "whether it is its own turn"),
        ),
        high=4.0,
    ),
)


def observe(s: Record, me: Int, which: Int, out: Array) -> None:
    """The observation of a seat."""
    for i in range(len(out)):
        out[i] = 0
    other = 1 - me
    write_bits(out, 0, s.hands[me])
    write_bits(out, 20, s.played)
    face = 1 << s.face if s.face != NO_CARD else 0
    write_bits(out, 40, PACK[s.pack] & ~s.hands[me] & ~s.played & ~face)
    write_bits(out, 60, s.shown[other])
    if s.lead != NO_CARD:
        out[80 + s.lead] = 1
    write_bits(out, 100, np.int64(face))
    out[120 + s.trump] = 1
    out[124], out[125] = s.points[me], s.points[other]
    out[126], out[127] = s.won[me], s.won[other]
    out[128], out[129] = s.game[me], s.game[other]
    out[130], out[131] = s.stake[me], s.stake[other]
    if s.closer != NOBODY:
        out[132 + (s.closer ^ me)] = 1
    out[134] = s.left
    out[135] = s.turn == me
