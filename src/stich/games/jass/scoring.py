"""What a round counts."""

from stich.core.contract import Array, Int, Record
from stich.core.jit import compiled
from stich.games.jass.cards import FACTOR
from stich.games.jass.state import PARTNER, TRUMP


@compiled
def factor(s: Record) -> Int:
    """What the points of the round are multiplied by."""
    return FACTOR[s.mode] if s.multipliers else 1


@compiled
def total(s: Record, team: Int) -> Int:
    """A team's points in the match so far, the running round included."""
    return s.score[team] + factor(s) * (s.points[team] + s.bonus[team])


def returns(s: Record, out: Array) -> None:
    """Each seat's points; in a match to a target 1 for the winners and 0 for the losers."""
    for seat in range(4):
        if s.target > 0:
            out[seat] = 1.0 if seat & 1 == s.first else 0.0
        else:
            out[seat] = s.score[seat & 1]


def standing(s: Record, out: Array) -> None:
    """Each side's points so far; a match to a target may end within a round."""
    for seat in range(4):
        out[seat] = total(s, seat & 1) if s.target > 0 else s.score[seat & 1]


def stakes(s: Record, out: Array) -> None:
    """What a round may bring; melds and multipliers bring more, but seldom."""
    out[0] = 0.0
    out[1] = 257.0 if s.match_bonus else 157.0
    if s.multipliers:
        out[1] *= 3 if s.phase == TRUMP or s.phase == PARTNER else FACTOR[s.mode]
