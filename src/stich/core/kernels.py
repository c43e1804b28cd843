"""The kernels that need nothing but the contract: single operations over arrays of states, and random play."""

from typing import NamedTuple

import numpy as np

from stich.core.bits import ctz, nth_bit, popcount
from stich.core.contract import (
    Array,
    Int,
    Record,
    apply,
    deal,
    deal_count,
    deal_nth,
    fill,
    hide,
    is_over,
    key,
    legal,
    measure,
    observe,
    observe_move,
    owners,
    phase,
    player,
    prepares,
    returns,
    rule,
)
from stich.core.jit import compiled, kernel
from stich.core.rng import below, mix, next64
from stich.core.sampler import draw, prepare, table_size


@compiled
def random_action(mask: Int, rng: Record) -> Int:
    """One of the actions of a mask, all equally likely."""
    return nth_bit(mask, below(rng, popcount(mask)))


@kernel
def words(rngs: Array, out: Array) -> None:
    """64 random bits from each generator."""
    for i in range(len(rngs)):
        out[i] = next64(rngs[i])


@kernel
def deal_all(states: Array, rngs: Array) -> None:
    """Deals each state from its own generator."""
    for i in range(len(states)):
        deal(states[i], rngs[i])


class Turns(NamedTuple):
    """Of each state: who acts, what is legal (0 at the end), and whether the game is over."""

    players: Array
    masks: Array
    over: Array


def new_turns(count: int) -> Turns:
    """Room for the turns of `count` states."""
    return Turns(np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.bool_))


@kernel
def count_deals(states: Array) -> Int:
    """How many equally likely deals the game of states[0] has."""
    count: Int = deal_count(states[0])
    return count


@kernel
def set_deals(states: Array) -> None:
    """Sets each state up as the deal of its number."""
    for i in range(len(states)):
        deal_nth(states[i], i)


@kernel
def advance_all(states: Array, actions: Array, rngs: Array, results: Array, turns: Turns) -> None:
    """Plays an action in each state (none where it is negative), then writes whose turn it is.

    With generators a finished game leaves its results and is dealt anew at once; with none it stays finished.
    """
    for i in range(len(states)):
        s = states[i]
        if actions[i] >= 0:
            apply(s, np.int64(actions[i]))
        turns.over[i] = is_over(s)
        if turns.over[i] and len(rngs) > 0:
            returns(s, results[i])
            deal(s, rngs[i])
        turns.players[i] = player(s)
        turns.masks[i] = 0 if is_over(s) else legal(s)


@kernel
def returns_all(states: Array, out: Array) -> None:
    """Each seat's result in each finished state."""
    for i in range(len(states)):
        returns(states[i], out[i])


@kernel
def hide_all(states: Array, seats: Array) -> None:
    """Turns each state into the view of its seat."""
    for i in range(len(states)):
        hide(states[i], np.int64(seats[i]))


@kernel
def observe_all(states: Array, seats: Array, which: Int, out: Array) -> None:
    """The observation of its seat for each state."""
    for i in range(len(states)):
        observe(states[i], np.int64(seats[i]), which, out[i])


PREPARED = 8
"""The most positions that a seat can reach by preparing a move, the present one included."""


@kernel
def compose_all(states: Array, seats: Array, which: Int, out: Array) -> None:
    """The observation of its seat for each state, by an encoder composed from its name."""
    for i in range(len(states)):
        observe_move(states[i], np.int64(seats[i]), -1, which, out[i])


@kernel
def moves_all(states: Array, which: Int, starts: Array, actions: Array, moves: Array, out: Array) -> Int:
    """The inputs of nets that rate moves: a row for each move of the seat to act in each state; returns their number.

    Rows starts[i] to starts[i + 1] - 1 belong to state i. Row r rates moves[r]; actions[r] is what to do now: the
    move itself, or the first step that prepares it. Rows beyond the arrays are counted but not written.
    """
    work, begun = np.empty(PREPARED, states.dtype), np.empty(PREPARED, np.int64)
    rows = 0
    for i in range(len(states)):
        starts[i] = rows
        work[0] = states[i]
        at, count = 0, 0 if is_over(states[i]) else 1
        while at < count:
            s = work[at]
            me, mask = np.int64(player(s)), legal(s)
            while mask:
                a = ctz(mask)
                mask &= mask - 1
                first = a if at == 0 else begun[at]
                if prepares(s, a):
                    work[count], begun[count] = s, first
                    apply(work[count], a)
                    count += 1
                    continue
                if rows < len(out):
                    actions[rows], moves[rows] = first, a
                    observe_move(s, me, a, which, out[rows])
                rows += 1
            at += 1
    starts[len(states)] = rows
    return rows


@kernel
def key_all(states: Array, seats: Array, out: Array) -> None:
    """The information-state key of its seat for each state."""
    for i in range(len(states)):
        out[i] = key(states[i], np.int64(seats[i]))


@kernel
def phase_all(states: Array, out: Array) -> None:
    """What is decided now in each state."""
    for i in range(len(states)):
        out[i] = phase(states[i])


@kernel
def measure_all(states: Array, out: Array) -> None:
    """The game's own figures of each seat in each finished state."""
    for i in range(len(states)):
        measure(states[i], out[i])


@kernel
def random_all(states: Array, rngs: Array, out: Array) -> None:
    """A random legal action in each state, from its own generator."""
    for i in range(len(states)):
        out[i] = random_action(legal(states[i]), rngs[i])


@kernel
def first_illegal(actions: Array, masks: Array) -> Int:
    """The first environment whose action is not in its mask, or -1."""
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] > 62 or not (masks[i] >> actions[i]) & 1:
            return i
    return -1


@kernel
def rule_all(views: Array, rngs: Array, out: Array) -> None:
    """The rule-based player's action in each view, from its own generator."""
    for i in range(len(views)):
        out[i] = rule(views[i], rngs[i])


@kernel
def random_rounds(states: Array, count: Int, rngs: Array, result: Array, sums: Array, squares: Array) -> Int:
    """Plays `count` games at random; adds up each seat's result and its square, and returns the moves made."""
    s = states[0]
    moves = 0
    for _ in range(count):
        deal(s, rngs[0])
        while not is_over(s):
            apply(s, random_action(legal(s), rngs[0]))
            moves += 1
        returns(s, result)
        for seat in range(len(sums)):
            sums[seat] += result[seat]
            squares[seat] += result[seat] * result[seat]
    return moves


@kernel
def signature(states: Array, count: Int, rngs: Array, encoders: Array, observations: Array, result: Array) -> Int:
    """A 64-bit number over all masks, moves, keys, observations and results of `count` random games."""
    s = states[0]
    total: Int = np.int64(0)
    for _ in range(count):
        deal(s, rngs[0])
        while not is_over(s):
            me = np.int64(player(s))
            mask = legal(s)
            action = random_action(mask, rngs[0])
            total = mix(mix(mix(total, mask), action), key(s, me))
            for k in range(len(encoders)):
                observe(s, me, encoders[k], observations[k])
                for value in observations[k]:
                    total = mix(total, np.int64(value * 1000000.0))
            apply(s, action)
        returns(s, result)
        for value in result:
            total = mix(total, np.int64(value * 1000.0))
    return total


@kernel
def plan_owners(view: Array, me: Int, plan: Array) -> Int:
    """The plan of the hidden cards of view[0] for seat `me`; returns the length of the table it needs."""
    owners(view[0], me, plan[0])
    return table_size(plan[0])


@kernel
def plan_size(plan: Array) -> Int:
    """Lays out a plan made by hand; returns the length of the table it needs."""
    return table_size(plan[0])


@kernel
def plan_prepare(plan: Array, table: Array) -> Int:
    """Prepares a plan's table; False where nothing fits."""
    return prepare(plan[0], table)


@kernel
def plan_places(plan: Array, table: Array, rngs: Array, out: Array) -> None:
    """Draws placements into an array of dtype `DRAW`."""
    for i in range(len(out)):
        draw(plan[0], table, rngs[0], out[i])


@kernel
def plan_draw(states: Array, me: Int, plan: Array, table: Array, rngs: Array, placement: Array) -> None:
    """Fills each state, a copy of one view, with a placement of its own; `placement` is scratch."""
    for i in range(len(states)):
        draw(plan[0], table, rngs[0], placement[0])
        fill(states[i], me, placement[0])
