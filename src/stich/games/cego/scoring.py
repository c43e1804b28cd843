"""Who has won, what it pays in a sub-game, and the game points of a deal (docs/rules.md 1.5, 1.8)."""

import numpy as np

from stich.core.contract import Array, Bool, Int, Record
from stich.core.jit import compiled
from stich.games.cego.deal import halves
from stich.games.cego.state import BETTEL, PICCOLO, RAEUBER, SOLO, STANDARD, ULTIMO

POINTS, WIN = range(2)


@compiled
def single_points(s: Record) -> Int:
    """The single player's card points with the Legage, or the blind in Solo."""
    extra = s.legage if s.mode == STANDARD else s.blind if s.mode == SOLO else 0
    return s.points[s.single] + halves(extra) // 2


@compiled
def single_wins(s: Record) -> Bool:
    """Whether the single player has won a game that is not Räuber."""
    if s.mode == ULTIMO:
        return s.made == 1
    if s.mode == BETTEL:
        return s.won[s.single] == 0
    if s.mode == PICCOLO:
        return s.won[s.single] == 1
    return single_points(s) >= 40


@compiled
def robber(s: Record) -> Int:
    """The loser of Räuber: most points; among equals the caller, then the first after them."""
    loser = np.int64(s.single)
    for k in range(1, 4):
        seat = (s.single + k) & 3
        if s.points[seat] > s.points[loser]:
            loser = seat
    return loser


@compiled
def deal_points(s: Record) -> Int:
    """What the single player wins or loses in game points; in Räuber what the loser loses."""
    if s.mode == RAEUBER:
        return 80 if robber(s) == s.single else 40
    if s.mode > SOLO:
        return points_amount(s, np.int64(single_wins(s)))
    return points_amount(
        s, single_points(s) if s.won[s.single] > 0 else 0
    )  # without a trick the Legage is nothing


@compiled
def points_amount(s: Record, points: Int) -> Int:
    """What a deal pays for the single player's card points, or for 1 where a condition is met and 0 where not."""
    if s.mode > SOLO:
        amount = 80 if s.mode == ULTIMO else 30 if s.mode == BETTEL else 40
        return amount if points else -amount
    won = points >= 40
    losing = 79 - points if won else points
    steps = (40 - losing + 4) // 5
    factor = s.level + s.gegen
    if s.mode == SOLO:
        factor = 2 if won else 1
    amount = (5 * steps * factor + 9) // 10 * 10
    return amount if won else -amount


@compiled
def add_score(s: Record) -> None:
    """Writes a finished deal down: every winner gains, every loser loses; zero-sum pays one for all three others."""
    amount = deal_points(s)
    alone: Int = np.int64(s.single)
    others = -amount
    if s.mode == RAEUBER:
        alone = robber(s)
        others = amount if s.zero_sum else 40
        amount = -amount
    for seat in range(4):
        s.score[seat] += others if seat != alone else 3 * amount if s.zero_sum else amount


def returns(s: Record, out: Array) -> None:
    """Game points of the whole game; in a sub-game the win flag or, for Standard-Cego and Solo, card points."""
    alone: Int = np.int64(s.single)
    one: Int = 0
    each = 1
    if s.mode == RAEUBER:
        alone = robber(s)
    elif s.reward == POINTS and s.mode <= SOLO:
        one = single_points(s)
        each = 79 - one
    elif single_wins(s):
        one, each = 1, 0
    for seat in range(4):
        out[seat] = s.score[seat] if s.subgame == 0 else one if seat == alone else each
