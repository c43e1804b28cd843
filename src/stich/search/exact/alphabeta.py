"""Exact solving with all cards open: alpha-beta in games of two sides, the best line of each where all play alone.

The search keeps its path in an array of frames instead of the call stack, so that it can stop at any node and resume:
kernels run in slices, and deadlines and Ctrl-C wait for a few milliseconds only. The transposition table has a fixed
size; its entries stay valid from one position to the next. The value of a position is what is still added to the score,
so transpositions are found whatever has been scored before them.
"""

from typing import Any, NamedTuple

import numpy as np

from stich.core.bits import ctz
from stich.core.contract import (
    Array,
    Int,
    Record,
    apply,
    cards_left,
    curtail,
    distinct,
    is_over,
    last_stage,
    legal,
    order,
    position,
    reach,
    score,
    side,
    solvable,
    stage,
    worth,
)
from stich.core.jit import compiled, kernel

DEPTH = 128
"""The longest line of moves, until a search meets a longer one."""
MOST = 30000
"""Beyond every score."""
NO_GUESS = 1 << 40
LEAP = 8
"""The first leap; each is twice the one before."""
WINDOW, STEPS = range(2)
"""The drivers: one search with an open window, or tests of single scores (MTD): from a guess on in growing leaps, and
by halves where a leap would go beyond the other bound."""

ENTRY = np.dtype([("key", "i8"), ("least", "i2"), ("most", "i2"), ("move", "u1")], align=True)
"""A place of the transposition table: bounds of a position's value, and the best move found; 16 bytes."""

JOB = np.dtype(
    [
        ("world", "i8"),  # the position that is being solved
        ("todo", "i8"),  # its moves that are still to be rated; -1 before it is begun
        ("open", "i8"),  # whether a move is being rated
        ("ply", "i8"),  # where the search resumes; -1 if none is running
        ("least", "i8"),  # bounds of the value that is sought
        ("most", "i8"),
        ("guess", "i8"),
        ("leap", "i8"),  # how far beyond a bound the next guess lies
        ("beta", "i8"),  # what the running search asks: whether the value is less
        ("base", "i8"),  # the score before what is sought is added
        ("stage", "i8"),
        ("step", "i8"),  # how far play without progress is followed
        ("curtailed", "i8"),  # whether that is less far than the rules allow
        ("move", "i8"),  # the best move at the root
        ("nodes", "i8"),
        ("each", "u1"),  # every move is rated, or the position as a whole
        ("driver", "u1"),
        ("cutting", "u1"),  # switches of what makes the search fast, for tests
        ("ordered", "u1"),
        ("reduced", "u1"),
        ("bounded", "u1"),
    ],
    align=True,
)


class SolverMemory(NamedTuple):
    """What an exact search writes: its path, its transposition table, and its job (one record)."""

    frames: Array
    table: Array
    jobs: Array


def frame_of(state: Any) -> Any:
    """The dtype of one step of the path: a position, its moves, and what is known of its value."""
    return np.dtype(
        [
            ("s", state),
            ("key", "i8"),
            ("slot", "i8"),
            ("alpha", "i4"),  # the window that was asked for
            ("beta", "i4"),
            ("low", "i4"),  # the window as it narrows
            ("high", "i4"),
            ("best", "i4"),
            ("score", "i4"),
            ("gain", "i4"),  # what the move before has scored
            ("moves", "i4", 64),
            ("count", "u1"),
            ("next", "u1"),
            ("best_move", "u1"),
            ("side", "u1"),
        ],
        align=True,
    )


@compiled
def slot_of(key: Int, table: Array) -> Int:
    """The place of a position in a table, whose length is a power of two."""
    return np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & (len(table) - 1)


@compiled
def list_moves(frame: Record, job: Record, mask: Int, first: Int) -> None:
    """Writes the moves of a position, the most promising first."""
    s, moves = frame.s, frame.moves
    if job.reduced:
        mask = distinct(s, mask)
    count = 0
    while mask:
        a = ctz(mask)
        mask &= mask - 1
        code = a
        if job.ordered:
            code = (1 << 20 if a == first else order(s, a)) << 6 | a
        i = count
        while i > 0 and moves[i - 1] < code:
            moves[i] = moves[i - 1]
            i -= 1
        moves[i] = code
        count += 1
    frame.count = count
    frame.next = 0


@compiled
def begin_node(frame: Record, root: Int, table: Array, job: Record) -> Int:
    """Enters a position; True if its value, or a sufficient bound, is known at once.

    A forced move is played here: it needs no frame.
    """
    s = frame.s
    job.nodes += 1
    gain = np.int64(0)
    mask = np.int64(0)
    while True:
        if is_over(s) or stage(s) != job.stage:
            frame.gain += gain
            frame.best = 0
            return True
        mask = legal(s)
        if mask & (mask - 1) or root:
            break
        gain -= score(s)
        apply(s, ctz(mask))
        gain += score(s)
    frame.gain += gain
    alpha, beta = np.int64(frame.alpha) - gain, np.int64(frame.beta) - gain
    key, first = np.int64(-1), np.int64(-1)
    if len(table) > 0:
        key = position(s)
    if key != -1:
        frame.slot = slot_of(key, table)
        entry = table[frame.slot]
        if entry.key == key:
            if not root:
                if entry.least >= beta or entry.least == entry.most:
                    frame.best = entry.least
                    return True
                if entry.most <= alpha:
                    frame.best = entry.most
                    return True
                alpha = max(alpha, np.int64(entry.least))
                beta = min(beta, np.int64(entry.most))
            first = np.int64(entry.move)
    if job.bounded and not root:
        least, most = reach(s)
        if least >= beta or least == most:
            frame.best = least
            return True
        if most <= alpha:
            frame.best = most
            return True
    frame.key = key
    frame.alpha = alpha
    frame.beta = beta
    frame.low = alpha
    frame.high = beta
    frame.side = side(s)
    frame.score = score(s)
    frame.best = -MOST if frame.side == 0 else MOST
    list_moves(frame, job, mask, first)
    return False


@compiled
def descend(frame: Record, child: Record, job: Record) -> None:
    """Plays the next move of a position into the frame after it."""
    child.s = frame.s
    apply(child.s, np.int64(frame.moves[frame.next]) & 63)
    frame.next += 1
    gain = score(child.s) - frame.score
    child.gain = gain
    if job.cutting:
        child.alpha = frame.low - gain
        child.beta = frame.high - gain
    else:
        child.alpha = -MOST
        child.beta = MOST


@compiled
def take_value(frame: Record, child: Record, table: Array, job: Record) -> Int:
    """Backs up the value of a move; True if no other move can change the outcome."""
    value = np.int64(child.best) + child.gain
    if frame.side == 0:
        if value > frame.best:
            frame.best = value
            frame.best_move = np.int64(frame.moves[frame.next - 1]) & 63
            if value > frame.low:
                frame.low = value
    elif value < frame.best:
        frame.best = value
        frame.best_move = np.int64(frame.moves[frame.next - 1]) & 63
        if value < frame.high:
            frame.high = value
    if frame.next < frame.count and not (job.cutting and frame.low >= frame.high):
        return False
    if frame.key != -1:
        entry = table[frame.slot]
        if entry.key != frame.key:
            entry.key = frame.key
            entry.least = -MOST
            entry.most = MOST
        if frame.best < frame.beta:
            entry.most = frame.best
        if frame.best > frame.alpha:
            entry.least = frame.best
        entry.move = frame.best_move
    return True


@compiled
def search(frames: Array, table: Array, job: Record, limit: Int) -> Int:
    """Continues the running search; False if the budget of nodes or the frames run out before its end."""
    ply = np.int64(job.ply)
    while job.nodes < limit and ply < len(frames) - 1:
        done = begin_node(frames[ply], ply == 0, table, job)
        while done:
            if ply == 0:
                job.ply = -1
                return True
            ply -= 1
            done = take_value(frames[ply], frames[ply + 1], table, job)
        descend(frames[ply], frames[ply + 1], job)
        ply += 1
    job.ply = ply
    return False


@compiled
def begin_move(world: Record, root: Record, job: Record) -> None:
    """Sets the next move (or the position itself) up at the root."""
    root.s = world
    last_stage(root.s)
    job.curtailed = curtail(root.s, np.int64(job.step))
    job.stage = stage(root.s)
    if job.each:
        apply(root.s, ctz(job.todo))
    begin_value(root, job)
    job.open = 1


@compiled
def begin_value(root: Record, job: Record) -> None:
    """Begins to seek the value of the position at the root: its bounds and a guess."""
    job.base = score(root.s)
    least, most = -MOST, MOST
    if is_over(root.s) or stage(root.s) != job.stage:
        least = most = 0
    elif job.bounded:
        least, most = reach(root.s)
    if job.guess == NO_GUESS:
        job.guess = job.base + (least + most) // 2
    job.leap = LEAP
    # A best move of the position as a whole comes out of a search alone, not out of bounds.
    job.least = least if job.each else -MOST
    job.most = most if job.each else MOST


@compiled
def open_window(root: Record, job: Record) -> None:
    """The window of the next search: all that is possible, or one score."""
    root.gain = 0
    root.alpha = -MOST
    job.beta = MOST
    if job.driver == STEPS:
        guess = min(max(np.int64(job.guess - job.base), np.int64(job.least)), np.int64(job.most))
        job.beta = guess + 1 if guess == job.least else guess
        root.alpha = job.beta - 1
    root.beta = job.beta
    job.ply = 0


@compiled
def close_window(root: Record, job: Record) -> Int:
    """Narrows the bounds by the result of a search; True if the value is known."""
    found = np.int64(root.best)
    if found < job.beta:
        job.most = found
    if found >= job.beta or job.driver == WINDOW:
        job.least = found
    if (found >= job.beta) == (root.side == 0) or job.driver == WINDOW:
        job.move = root.best_move
    guess = found + (job.leap if found >= job.beta else -job.leap)
    if not job.least < guess < job.most:
        guess = (job.least + job.most + 1) // 2
    job.guess = job.base + guess
    job.leap *= 2
    return job.least >= job.most


@kernel
def solve_worlds(worlds: Array, memory: SolverMemory, budget: Int, scores: Array, worths: Array) -> Int:
    """Continues a job for a number of nodes; returns whether all positions are solved.

    scores[i, a] is the final score of position i after move a, worths[i, a] its value for the seat to act; if
    positions are rated as a whole, scores[i, 0] is the score with best play and scores[i, 1] the best move.
    """
    frames, table = memory.frames, memory.table
    job, root = memory.jobs[0], frames[0]
    limit = np.int64(job.nodes + budget)
    while job.world < len(worlds):
        world = worlds[job.world]
        if job.todo < 0:
            job.todo = legal(world) if job.each else 1
            job.guess = NO_GUESS
        if not job.open:
            begin_move(world, root, job)
        if job.ply < 0 and job.least < job.most:
            open_window(root, job)
        if job.ply >= 0:
            if not search(frames, table, job, limit):
                return False
            if not close_window(root, job):
                continue
        if job.curtailed and job.base + job.least == score(world):
            job.step += 1
            job.open = 0
            continue
        a = ctz(job.todo) if job.each else 0
        scores[job.world, a] = job.base + job.least
        worths[job.world, a] = worth(world, job.base + job.least)
        if not job.each:
            scores[job.world, 1] = job.move
        job.guess = job.base + job.least
        job.open = 0
        job.step = 0
        job.todo &= job.todo - 1
        if job.todo == 0:
            job.todo = -1
            job.world += 1
    return True


@kernel
def outlook(states: Array, out: Array) -> None:
    """Of each state: the side to act, the cards that are left, and with how many it is solved quickly."""
    for i in range(len(states)):
        out[i, 0] = side(states[i])
        out[i, 1] = cards_left(states[i])
        out[i, 2] = solvable(states[i])
