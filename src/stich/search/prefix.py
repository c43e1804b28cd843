"""One tree of first moves for all worlds, with solved positions at its leaves.

Perfect-information Monte Carlo lets a player choose differently in worlds that it cannot tell apart. Here the worlds
share a tree as in information-set search: a node stands for what has been played, whatever the world, so a move must be
good for all worlds in which it is chosen. Where a world leaves the tree, the rest of it is solved exactly.
"""

import numpy as np

from stich.core.bits import nth_bit, popcount
from stich.core.contract import (
    Array,
    Int,
    Real,
    Record,
    apply,
    is_over,
    last_stage,
    legal,
    reach,
    score,
    side,
    stage,
    worth,
)
from stich.core.jit import compiled, kernel
from stich.core.rng import below
from stich.search.exact import NO_GUESS, begin_value, close_window, open_window, search
from stich.search.ismcts import add_child, child_of, select, untried
from stich.search.mcts import DEPTH


@compiled
def final_score(s: Record, frames: Array, table: Array, job: Record) -> Int:
    """The score at the end of the stage with best play of both sides from here on."""
    frames[0].s = s
    job.guess = NO_GUESS
    begin_value(frames[0], job)
    while job.least < job.most:
        open_window(frames[0], job)
        search(frames, table, job, np.int64(1) << 62)
        if close_window(frames[0], job):
            break
    return job.base + job.least


@kernel
def worth_range(worlds: Array, out: Array) -> None:
    """The least and the greatest worth that may come of some worlds."""
    out[0], out[1] = 1e300, -1e300
    for i in range(len(worlds)):
        least, most = reach(worlds[i])
        for added in (np.int64(least), np.int64(most)):
            value = worth(worlds[i], score(worlds[i]) + added)
            out[0] = min(out[0], value)
            out[1] = max(out[1], value)


@kernel
def grow_prefix(
    worlds: Array,
    settings: Array,
    tree: Array,
    frames: Array,
    table: Array,
    jobs: Array,
    iterations: Int,
    fresh: Int,
    low: Real,
    span: Real,
    rngs: Array,
    visits: Array,
    values: Array,
) -> None:
    """Some iterations more (or the first) over some worlds; then what became of the root's actions."""
    job, s = jobs[0], np.empty_like(worlds[:1])
    path = np.zeros(DEPTH, np.int64)
    own = side(worlds[0])
    if fresh:
        tree[0].first = 0
        settings[0].used = 1
    for _ in range(iterations):
        world = worlds[below(rngs[0], len(worlds))]
        s[0] = world
        last_stage(s[0])
        job.stage = stage(s[0])
        depth, grown = 1, False
        while not grown and depth < DEPTH and not is_over(s[0]) and stage(s[0]) == job.stage:
            mask = legal(s[0])
            node = path[depth - 1]
            new = untried(tree, node, mask)
            if new:
                action = nth_bit(new, below(rngs[0], popcount(new)))
                grown = True
            else:
                action = np.int64(tree[select(tree, node, mask, settings[0].c)].action)
            child = np.int64(child_of(tree, node, action))
            if child == 0:
                child = add_child(tree, node, action, 0 if side(s[0]) == own else 1, settings[0])
                if child == 0:
                    break
                tree[child].offered = 1
            path[depth] = child
            depth += 1
            apply(s[0], action)
        result = (worth(world, final_score(s[0], frames, table, job)) - low) / span
        for i in range(1, depth):
            tree[path[i]].visits += 1
            tree[path[i]].value += result if tree[path[i]].seat == 0 else 1.0 - result
    child = tree[0].first
    while child:
        visits[tree[child].action] = tree[child].visits
        values[tree[child].action] = tree[child].value
        child = tree[child].next
