"""Exact solving without sides: every seat chooses what is best for itself (max^n).

Among moves that are equally good for a seat it takes the first by number. This may matter to others, so the values are
those of this convention. The search keeps its path in frames and runs in slices like `stich.search.exact.alphabeta`.
"""

from typing import Any

import numpy as np

from stich.core.bits import ctz
from stich.core.contract import (
    Array,
    Int,
    Record,
    apply,
    distinct,
    is_over,
    last_stage,
    legal,
    player,
    position,
    reach,
    stage,
    stakes,
    standing,
)
from stich.core.jit import compiled, kernel
from stich.search.exact.alphabeta import SolverMemory, slot_of
from stich.search.worlds.uct import MAX_SEATS

LINE = np.dtype([("key", "i8"), ("values", "f4", MAX_SEATS)], align=True)
"""A place of the transposition table: every seat's standing at the end; 40 bytes."""


def step_of(state: Any) -> Any:
    """The dtype of one step of the path: a position, its moves that are left, and the best line found."""
    return np.dtype(
        [("s", state), ("key", "i8"), ("slot", "i8"), ("moves", "i8"), ("best", "f8", MAX_SEATS), ("seat", "i8")],
        align=True,
    )


@compiled
def begin_step(frame: Record, table: Array, job: Record) -> Int:
    """Enters a position; True if its values are known at once. Forced moves are played here."""
    s = frame.s
    job.nodes += 1
    mask = np.int64(0)
    while True:
        if is_over(s) or stage(s) != job.stage:
            standing(s, frame.best)
            return True
        mask = legal(s)
        if mask & (mask - 1):
            break
        apply(s, ctz(mask))
    frame.key = position(s) if len(table) > 0 else np.int64(-1)
    if frame.key != -1:
        frame.slot = slot_of(frame.key, table)
        entry = table[frame.slot]
        if entry.key == frame.key:
            for seat in range(MAX_SEATS):
                frame.best[seat] = entry.values[seat]
            return True
    frame.moves = distinct(s, mask) if job.reduced else mask
    frame.seat = player(s)
    frame.best[frame.seat] = -1e300
    return False


@compiled
def take_line(frame: Record, child: Record, table: Array, job: Record) -> Int:
    """Backs up the values of a move; True if no other move can be better for the seat."""
    seat = frame.seat
    if child.best[seat] > frame.best[seat]:
        for other in range(MAX_SEATS):
            frame.best[other] = child.best[other]
    if frame.moves and not (job.bounded and frame.best[seat] >= reach(frame.s)[1]):
        return False
    if frame.key != -1:
        entry = table[frame.slot]
        entry.key = frame.key
        for other in range(MAX_SEATS):
            entry.values[other] = frame.best[other]
    return True


@compiled
def search_lines(frames: Array, table: Array, job: Record, limit: Int) -> Int:
    """Continues the running search; False if the budget of nodes or the frames run out before its end."""
    ply = np.int64(job.ply)
    while job.nodes < limit and ply < len(frames) - 1:
        done = begin_step(frames[ply], table, job)
        while done:
            if ply == 0:
                job.ply = -1
                return True
            ply -= 1
            done = take_line(frames[ply], frames[ply + 1], table, job)
        frames[ply + 1].s = frames[ply].s
        apply(frames[ply + 1].s, ctz(frames[ply].moves))
        frames[ply].moves &= frames[ply].moves - 1
        ply += 1
    job.ply = ply
    return False


@kernel
def solve_lines(worlds: Array, memory: SolverMemory, budget: Int, worths: Array) -> Int:
    """Continues a job for a number of nodes; returns whether all positions are solved.

    worths[i, a] is what move a in position i brings the seat to act until the end of the stage, best play of all after
    it; a game whose stakes are not known has no standing before its end, so its results count from nothing.
    """
    frames, table = memory.frames, memory.table
    job, root = memory.jobs[0], frames[0]
    before = np.zeros(MAX_SEATS)
    limit = np.int64(job.nodes + budget)
    while job.world < len(worlds):
        world = worlds[job.world]
        if job.todo < 0:
            job.todo = legal(world)
        if job.ply < 0:
            root.s = world
            last_stage(root.s)
            job.stage = stage(root.s)
            apply(root.s, ctz(job.todo))
            job.ply = 0
        if not search_lines(frames, table, job, limit):
            return False
        stakes(world, before)
        seat = player(world)
        if before[0] < before[1]:
            standing(world, before)
        else:
            before[seat] = 0.0
        worths[job.world, ctz(job.todo)] = root.best[seat] - before[seat]
        job.todo &= job.todo - 1
        if job.todo == 0:
            job.todo = -1
            job.world += 1
    return True
