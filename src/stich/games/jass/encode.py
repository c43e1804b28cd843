"""Observations: the planes of document 002 (docs/rules.md 3.6), its input for choosing trump, and a flat one.

Planes stand channel first: plane p, suit row r, column c is number 36 * p + 9 * r + c.
"""

import numpy as np

from stich.core.bits import write_bits
from stich.core.contract import Array, Int, Record, legal
from stich.core.jit import compiled
from stich.core.spec import Encoder, Field
from stich.games.jass.cards import ALL

PLANES_43, PLANES_45, TRUMP_INPUT, FLAT = range(4)

_CARD_PLANES = (
    Field("player", 4, "cards played, by the seat that played them"),
    Field("trick", 9, "cards played, by trick"),
    Field("position", 4, "cards played, by position in their trick"),
    Field("table", 3, "cards of the running trick, by position"),
    Field("hand", 1, "own cards"),
    Field("valid", 1, "cards that may be played"),
    Field("dealer", 4, "constant 1 for the dealer's seat"),
    Field("declarer", 4, "constant 1 for the seat that chose the mode, zero before"),
    Field("seat", 4, "constant 1 for its own seat"),
    Field("mode", 6, "constant 1 for the mode D H S C O U, zero before it is chosen"),
    Field("forehand", 1, "constant 1 if the mode was chosen without a push"),
)
_POINTS = (
    Field("own points", 1, "constant: its own side's trick points / 157", 157),
    Field("their points", 1, "constant: the other side's trick points / 157", 157),
)
_COUNTS = (
    Field("tricks", 1, "constant: tricks played / 9", 9),
    Field("cards", 1, "constant: cards played / 36", 36),
)

ENCODERS = (
    Encoder(
        "planes43",
        "the 4x9x43 input of document 002, without the two planes that count",
        (*_CARD_PLANES, *_POINTS),
        plane=(4, 9),
    ),
    Encoder(
        "planes45",
        "all 45 planes that document 002 lists",
        (*_CARD_PLANES, *_COUNTS, *_POINTS),
        plane=(4, 9),
    ),
    Encoder(
        "trump",
        "the input of document 002 for choosing trump",
        (Field("hand", 36, "own cards"), Field("forehand", 1, "1 for forehand, 0 after a push")),
    ),
    Encoder(
        "flat",
        "our own: seats counted from its own in playing order, and what each other hand may still hold",
        (
            Field("hand", 36, "own cards"),
            Field("valid", 36, "cards that may be played"),
            Field("played", 144, "cards played by self, next, partner, previous"),
            Field("table", 108, "cards of the running trick by next, partner, previous"),
            Field("possible", 108, "unseen cards that next, partner, previous may hold"),
            Field("mode", 6, "D H S C O U, zero before it is chosen"),
            Field("phase", 4, "choose or push, must choose, announce, play"),
            Field("declarer", 4, "who chose the mode: self, next, partner, previous"),
            Field("dealer", 4, "self, next, partner, previous"),
            Field("leader", 4, "who led the running trick"),
            Field("winner", 4, "who is winning the running trick, zero before its first card"),
            Field("points", 2, "own and other side's trick points / 157", 157),
            Field("tricks", 1, "tricks played / 9", 9),
        ),
    ),
)


def observe(s: Record, me: Int, which: Int, out: Array) -> None:
    """The observation of a seat by one of the encoders."""
    for i in range(len(out)):
        out[i] = 0
    if which == TRUMP_INPUT:
        write_bits(out, 0, s.hands[me])
        out[36] = 1 - s.pushed
    elif which == FLAT:
        _flat(s, me, out)
    else:
        _planes(s, me, which, out)


@compiled
def _constant(out: Array, plane: Int, value: Int) -> None:
    """A whole plane of one value."""
    for card in range(36):
        out[36 * plane + card] = value


@compiled
def _valid(s: Record, me: Int) -> Int:
    """The cards that a seat may play now, none while it is not its turn to play one."""
    return legal(s) & ALL if s.turn == me else 0


@compiled
def _planes(s: Record, me: Int, which: Int, out: Array) -> None:
    played = 4 * np.int64(s.tricks) + np.int64(s.cards)
    for i in range(played):
        card = np.int64(s.plays[i])
        trick = i >> 2
        position = i & 3
        out[36 * ((s.leads[trick] - position) & 3) + card] = 1
        out[36 * (4 + trick) + card] = 1
        out[36 * (13 + position) + card] = 1
    for position in range(s.cards):
        out[36 * (17 + position) + s.plays[4 * s.tricks + position]] = 1
    write_bits(out, 36 * 20, s.hands[me])
    write_bits(out, 36 * 21, _valid(s, me))
    _constant(out, 22 + np.int64(s.dealer), 1)
    _constant(out, 30 + me, 1)
    if s.declarer < 4:
        _constant(out, 26 + np.int64(s.declarer), 1)
        _constant(out, 34 + np.int64(s.mode), 1)
        _constant(out, 40, 1 - np.int64(s.pushed))
    points = 41
    if which == PLANES_45:
        _constant(out, 41, np.int64(s.tricks))
        _constant(out, 42, played)
        points = 43
    _constant(out, points, np.int64(s.points[me & 1]))
    _constant(out, points + 1, np.int64(s.points[1 - (me & 1)]))


@compiled
def _flat(s: Record, me: Int, out: Array) -> None:
    write_bits(out, 0, s.hands[me])
    write_bits(out, 36, _valid(s, me))
    for i in range(4 * s.tricks + s.cards):
        card = np.int64(s.plays[i])
        away = (me - s.leads[i >> 2] + i) & 3
        out[72 + 36 * away + card] = 1
        if i >= 4 * s.tricks and away > 0:
            out[216 + 36 * (away - 1) + card] = 1
    unseen = ALL & ~s.played & ~s.hands[me]
    for away in range(1, 4):
        write_bits(out, 324 + 36 * (away - 1), unseen & ~s.voids[(me - away) & 3])
    if s.declarer < 4:
        out[432 + s.mode] = 1
        out[442 + ((me - s.declarer) & 3)] = 1
    out[438 + s.phase] = 1
    out[446 + ((me - s.dealer) & 3)] = 1
    out[450 + ((me - s.leads[s.tricks]) & 3)] = 1
    if s.cards > 0:
        out[454 + ((me - s.winner) & 3)] = 1
    out[458] = s.points[me & 1]
    out[459] = s.points[1 - (me & 1)]
    out[460] = s.tricks
