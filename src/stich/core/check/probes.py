"""Kernels that ask the optional operations of a game."""

import numpy as np

from stich.core.bits import ctz
from stich.core.contract import (
    Array,
    Int,
    Real,
    Record,
    apply,
    cards_left,
    curtail,
    distinct,
    is_over,
    last_stage,
    legal,
    order,
    play_other,
    player,
    position,
    reach,
    rewind,
    score,
    side,
    solvable,
    stage,
    stakes,
    standing,
    worth,
)
from stich.core.jit import compiled, kernel
from stich.core.kernels import random_action

LEAST, MOST, LOW, HIGH, OTHER = range(5)
"""What `exact_all` writes: the bounds of `reach`, what the moves show instead, and what only has to compile."""


@compiled
def after_moves(s: Record, child: Array, out: Array) -> None:
    """Between what and what the value of a position with two sides lies by the bounds of the moves from it."""
    begun, base, low_side, mask = stage(s), score(s), side(s) == 1, legal(s)
    first = True
    while mask:
        child[0] = s
        apply(child[0], ctz(mask))
        mask &= mask - 1
        least = most = gain = np.int64(score(child[0])) - base
        if not is_over(child[0]) and stage(child[0]) == begun:
            bounds = reach(child[0])
            least, most = gain + bounds[0], gain + bounds[1]
        if first or (least < out[LOW] if low_side else least > out[LOW]):
            out[LOW] = least
        if first or (most < out[HIGH] if low_side else most > out[HIGH]):
            out[HIGH] = most
        first = False


@compiled
def after_playout(s: Record, have: Array, rng: Record, out: Array) -> None:
    """With what the seat to act ends if all play on at random; where each plays for themselves."""
    begun, seat = stage(s), np.int64(player(s))
    while not is_over(s) and stage(s) == begun:
        apply(s, random_action(legal(s), rng))
    standing(s, have)
    out[LOW] = out[HIGH] = have[seat]


@kernel
def stage_all(states: Array, stages: Array, standings: Array, stake: Array) -> None:
    """The stage of each state, with what the seats have so far."""
    for i in range(len(states)):
        stages[i] = stage(states[i])
        standing(states[i], standings[i])
        stakes(states[i], stake[i])


@kernel
def exact_all(states: Array, rngs: Array, work: Array, have: Array, moves: Array, out: Array) -> None:
    """What exact solving asks in each state; `work` are two states of scratch."""
    for i in range(len(states)):
        s = work[0]
        work[0] = states[i]
        moves[i] = distinct(s, legal(s))
        out[i, OTHER] = order(s, ctz(legal(s))) + position(s) + worth(s, score(s)) + solvable(s)
        last_stage(s)
        out[i, LEAST], out[i, MOST] = reach(s)
        if side(s) >= 0:
            after_moves(s, work[1:], out[i])
        else:
            after_playout(s, have, rngs[i], out[i])


@kernel
def left_all(states: Array, out: Array) -> None:
    """How many cards are still to be played in this stage of each state."""
    for i in range(len(states)):
        out[i] = cards_left(states[i])


@kernel
def curtail_all(states: Array, step: Int, out: Array) -> None:
    """Whether repetition was capped in each state."""
    for i in range(len(states)):
        out[i] = curtail(states[i], step)


@kernel
def rewind_all(states: Array, rngs: Array, past: Array, out: Array) -> None:
    """Takes each state back and plays the same actions again: their number, or minus that of the first illegal one."""
    for i in range(len(states)):
        s = states[i]
        out[i] = rewind(s, past, rngs[i])
        for k in range(out[i]):
            if not legal(s) >> past[k] & 1:
                out[i] = -k - 1
                break
            apply(s, past[k])


@kernel
def other_all(views: Array, which: Int, argument: Real, rngs: Array, out: Array) -> None:
    """The action of a bot in each view."""
    for i in range(len(views)):
        out[i] = play_other(views[i], which, argument, rngs[i])
