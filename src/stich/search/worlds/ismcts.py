"""Information-set Monte Carlo tree search (P. Cowling, E. Powley, D. Whitehouse, 2012).

Every iteration draws a world of its own, and all worlds share the tree: a node stands for all that has been played so
far, its children are the actions that were legal in some world, and a child competes only where it is legal. So a
child is measured against how often it could have been chosen, not against its parent's visits.

With one observer there is one tree, and every move is an edge of it. With several, every seat has a tree of its own,
in which choices that the seat cannot see are one and the same edge; the seat to act chooses by its own tree, and all
trees follow. They differ only in games with secret choices.
"""

from typing import Any

import numpy as np

from stich.core.bits import nth_bit, popcount
from stich.core.contract import (
    Array,
    Int,
    Real,
    Record,
    apply,
    is_over,
    legal,
    player,
    secret,
    stage,
    standing,
)
from stich.core.jit import compiled, kernel
from stich.core.rng import below
from stich.core.sampler import DRAW
from stich.search.worlds.uct import DEPTH, WORK, draw_world, playout, prepare_root

BRANCH = np.dtype(
    [
        ("value", "f8"),
        ("visits", "i4"),
        ("offered", "i4"),  # how often it could have been chosen
        ("first", "i4"),  # child, 0 for none
        ("next", "i4"),  # sibling, 0 for none
        ("action", "u1"),
        ("seat", "u1"),
    ],
    align=True,
)
HIDDEN = 63
"""The edge of all choices that an observer cannot see."""


@compiled
def child_of(tree: Array, node: Int, action: Int) -> Int:
    """The child of an action, 0 where there is none."""
    child = tree[node].first
    while child and tree[child].action != action:
        child = tree[child].next
    return child


@compiled
def add_child(tree: Array, node: Int, action: Int, seat: Int, settings: Record) -> Int:
    """A new child, 0 where the tree is full."""
    if settings.used >= len(tree):
        return 0
    child = np.int64(settings.used)
    settings.used += 1
    tree[child].value = 0.0
    tree[child].visits = 0
    tree[child].offered = 0
    tree[child].first = 0
    tree[child].next = tree[node].first
    tree[child].action = action
    tree[child].seat = seat
    tree[node].first = child
    return child


@compiled
def untried(tree: Array, node: Int, mask: Int) -> Int:
    """The legal actions that have no child yet; those that have one are counted as offered."""
    child = tree[node].first
    while child:
        if mask >> tree[child].action & 1:
            tree[child].offered += 1
            mask ^= 1 << tree[child].action
        child = tree[child].next
    return mask


@compiled
def select(tree: Array, node: Int, mask: Int, c: Real) -> Int:
    """The legal child of the greatest upper confidence bound."""
    best, bound = 0, -1e300
    child = tree[node].first
    while child:
        if mask >> tree[child].action & 1:
            visits = tree[child].visits
            if visits == 0:
                return child
            worth = tree[child].value / visits + c * np.sqrt(np.log(np.float64(tree[child].offered)) / visits)
            if worth > bound:
                bound = worth
                best = child
        child = tree[child].next
    return best


@compiled
def walk(
    s: Record,
    tree: Array,
    settings: Record,
    seats: Int,
    rng: Record,
    policy: Any,
    path: Array,
    before: Array,
    result: Array,
) -> None:
    """One iteration in one world; tree `o` of an observer begins at node o."""
    depth = 1
    for observer in range(seats):
        path[observer, 0] = observer
    grown = False
    while not grown and depth < DEPTH and not is_over(s) and stage(s) == settings.stage:
        seat = player(s)
        own = seat if seats > 1 else 0
        node = path[own, depth - 1]
        mask = legal(s)
        fresh = untried(tree, node, mask)
        if fresh:
            action = nth_bit(fresh, below(rng, popcount(fresh)))
            grown = True
        else:
            action = np.int64(tree[select(tree, node, mask, settings.c)].action)
        unseen = secret(s)
        full = False
        for observer in range(seats):
            edge = HIDDEN if unseen and observer != own else action
            child = np.int64(child_of(tree, path[observer, depth - 1], edge))
            if child == 0:
                child = add_child(tree, path[observer, depth - 1], edge, seat, settings)
                if child > 0:
                    tree[child].offered = 1
            full = full or child == 0
            path[observer, depth] = child
        apply(s, action)
        if full:
            break
        depth += 1
    playout(s, settings, rng, policy)
    standing(s, result)
    for observer in range(seats):
        for i in range(1, depth):
            node = path[observer, i]
            seat = tree[node].seat
            tree[node].visits += 1
            tree[node].value += (result[seat] - before[seat] - settings.low) / settings.span


@kernel
def grow_shared(
    view: Array,
    me: Int,
    observers: Int,
    plan: Array,
    table: Array,
    pool: Array,
    settings: Array,
    tree: Array,
    iterations: Int,
    fresh: Int,
    low: Real,
    high: Real,
    rngs: Array,
    policy: Any,
    visits: Array,
    values: Array,
) -> None:
    """Some iterations more (or the first) on a view; then what became of the root's actions."""
    work = np.empty_like(view[:1])
    placed = np.zeros(1, DRAW)
    path = np.zeros((WORK, DEPTH), np.int64)
    before = np.zeros(WORK)
    result = np.zeros(WORK)
    if fresh:
        for observer in range(observers):
            tree[observer].first = 0
        settings[0].used = observers
    prepare_root(view[0], settings[0], low, high, before)
    for _ in range(iterations):
        draw_world(view, me, plan, table, pool, rngs[0], placed[0], work)
        walk(work[0], tree, settings[0], observers, rngs[0], policy, path, before, result)
    child = tree[me if observers > 1 else 0].first
    while child:
        visits[tree[child].action] = tree[child].visits
        values[tree[child].action] = tree[child].value
        child = tree[child].next
