"""Monte Carlo tree search on full states, and determinized search on views.

A tree is an array of nodes, given once and never grown: when it is full, the search goes on below its leaves by
playouts alone. The children of a node stand side by side. Every node keeps the number of visits and the sum of the
results, scaled to [0, 1], for the seat that moved into it: each seat (and so each team) goes for its own result.
"""

from typing import Any

import numpy as np

from stich.core.bits import ctz, popcount
from stich.core.contract import (
    Array,
    Int,
    Real,
    Record,
    apply,
    fill,
    is_over,
    legal,
    player,
    rule,
    stage,
    stakes,
    standing,
)
from stich.core.jit import compiled, kernel
from stich.core.kernels import random_action
from stich.core.rng import below, set_number, uniform
from stich.core.sampler import DRAW, draw

NODE = np.dtype(
    [
        ("value", "f8"),  # the sum of results
        ("mean", "f4"),
        ("width", "f4"),  # 1 / the root of visits: kept, so that choosing a child needs no division
        ("visits", "i4"),
        ("first", "i4"),
        ("count", "u1"),
        ("action", "u1"),
        ("seat", "u1"),
    ],
    align=True,
)
UNTRIED = 1e18
"""The width of a child that was never visited: it comes first."""
DEPTH = 512
"""The longest path that is remembered; deeper moves of one game are playouts."""
ACTIONS = 63

SETTINGS = np.dtype(
    [
        ("c", "f8"),  # exploration
        ("ruled", "f8"),  # the share of playout moves by the game's rules of thumb
        ("low", "f8"),  # the least result
        ("span", "f8"),  # the greatest less the least
        ("stage", "i8"),  # the stage of the game that is searched
        ("used", "i8"),  # nodes in use
        ("world", "i8"),  # of a search of many worlds: the one at hand,
        ("grown", "i8"),  # its iterations so far,
        ("worlds", "i8"),  # and how many are done
    ],
    align=True,
)
TALLY = np.dtype(
    [
        ("visits", "i8"),
        ("value", "f8"),  # the sum of results
        ("worlds", "i8"),  # in how many worlds it was visited
        ("means", "f8"),  # the sum of its means in them,
        ("squares", "f8"),  # of their squares,
        ("votes", "f8"),  # of those of worlds that would choose it,
        ("gains", "f8"),  # of what it is above a base action in them,
        ("gain_squares", "f8"),  # and of the squares of that
    ],
    align=True,
)
"""What is known about an action over many worlds."""
STRANDS = 64
"""World w is counted in tally w % STRANDS, so that sums do not depend on which thread took which world."""
WORK = 8
"""Seats that the work arrays have room for."""


@compiled
def playout(s: Record, settings: Record, rng: Record, policy: Any) -> None:
    """Plays to the end of the game or of its present stage."""
    at, ruled = settings.stage, settings.ruled
    while not is_over(s) and stage(s) == at:
        mask = legal(s)
        if ruled > 0.0 and (ruled >= 1.0 or uniform(rng) < ruled):
            action = ctz(mask)
            if mask & (mask - 1):
                action = rule(s, rng) if policy is None else policy(s, rng)
        else:
            action = random_action(mask, rng)
        apply(s, action)


@compiled
def plant(tree: Array, settings: Record) -> None:
    """Begins a tree with its root alone."""
    tree[0].visits = 0
    tree[0].count = 0
    tree[0].value = 0.0
    tree[0].seat = 0
    settings.used = 1


@compiled
def choose_child(tree: Array, node: Int, c: Real) -> Int:
    """The child of the greatest upper confidence bound; one never visited comes first."""
    first = tree[node].first
    best, bound = first, -1e300
    spread = c * np.sqrt(np.log(np.float64(tree[node].visits) + 1.0))
    for child in range(first, first + tree[node].count):
        worth = tree[child].mean + spread * tree[child].width
        if worth > bound:
            bound = worth
            best = child
    return best


@compiled
def expand(tree: Array, node: Int, s: Record, settings: Record) -> Int:
    """Gives a leaf its children, where there is room, and returns how many it has."""
    mask = legal(s)
    count = popcount(mask)
    if settings.used + count > len(tree):
        return 0
    seat = player(s)
    child = np.int64(settings.used)
    tree[node].first = child
    tree[node].count = count
    settings.used += count
    while mask:
        tree[child].action = ctz(mask)
        tree[child].seat = seat
        tree[child].visits = 0
        tree[child].count = 0
        tree[child].value = 0.0
        tree[child].mean = 0.0
        tree[child].width = UNTRIED
        mask &= mask - 1
        child += 1
    return count


@compiled
def iterate(
    s: Record,
    tree: Array,
    settings: Record,
    rng: Record,
    policy: Any,
    path: Array,
    before: Array,
    result: Array,
) -> None:
    """One iteration from a world: down the tree, a new leaf, a playout, and the result back up the path."""
    node: Int = 0
    depth, grown = 1, False
    path[0] = 0
    while not grown and depth < DEPTH:
        if tree[node].count > 0:
            node = np.int64(choose_child(tree, node, settings.c))
        else:
            if (tree[node].visits == 0 and node > 0) or is_over(s) or stage(s) != settings.stage:
                break
            count = expand(tree, node, s, settings)
            if count == 0:
                break
            node = np.int64(tree[node].first) + np.int64(uniform(rng) * count)
            grown = True
        apply(s, np.int64(tree[node].action))  # in one place only: it is inlined wherever it stands
        path[depth] = node
        depth += 1
    playout(s, settings, rng, policy)
    standing(s, result)
    for i in range(depth):
        node = path[i]
        seat = tree[node].seat
        visits = tree[node].visits + 1
        value = tree[node].value + (result[seat] - before[seat] - settings.low) / settings.span
        tree[node].visits = visits
        tree[node].value = value
        tree[node].mean = value / visits
        tree[node].width = 1.0 / np.sqrt(np.float64(visits))


@compiled
def prepare_root(world: Record, settings: Record, low: Real, high: Real, before: Array) -> None:
    """What results are measured against: the standing at the root, and the least and greatest change of it."""
    settings.stage = stage(world)
    stakes(world, before)
    if before[0] < before[1]:
        settings.low = before[0]
        settings.span = before[1] - before[0]
        standing(world, before)
    else:
        settings.low = low
        settings.span = high - low
        for seat in range(len(before)):
            before[seat] = 0.0


@kernel
def grow_tree(
    world: Array,
    settings: Array,
    tree: Array,
    iterations: Int,
    fresh: Int,
    low: Real,
    high: Real,
    rngs: Array,
    policy: Any,
) -> None:
    """Some iterations more (or the first) on one full state; `policy(s, rng)` takes the place of `rule` in playouts."""
    work = np.empty_like(world[:1])
    path = np.empty(DEPTH, np.int64)
    before = np.zeros(WORK)
    result = np.zeros(WORK)
    prepare_root(world[0], settings[0], low, high, before)
    if fresh:
        plant(tree, settings[0])
    for _ in range(iterations):
        work[0] = world[0]
        iterate(work[0], tree, settings[0], rngs[0], policy, path, before, result)


@compiled
def count_root(tree: Array, tally: Array, base: Int) -> None:
    """Adds what became of the root's actions in a world, also beside a base action, -1 for none."""
    level: Real = 0.0
    for child in range(tree[0].first, tree[0].first + tree[0].count):
        if tree[child].action == base and tree[child].visits > 0:
            level = tree[child].value / tree[child].visits
    most: Int = 0
    best: Int = 0
    worth: Real = 0.0
    for child in range(tree[0].first, tree[0].first + tree[0].count):
        visits = tree[child].visits
        if visits > 0:
            action, mean = np.int64(tree[child].action), tree[child].value / visits
            tally[action].visits += visits
            tally[action].value += tree[child].value
            tally[action].worlds += 1
            tally[action].means += mean
            tally[action].squares += mean * mean
            tally[action].gains += mean - level
            tally[action].gain_squares += (mean - level) ** 2
            if visits > most:
                most, best, worth = visits, action, mean
    tally[best].votes += worth


@kernel
def count_tree(tree: Array, tally: Array, base: Int) -> None:
    """`count_root` from outside."""
    count_root(tree, tally, base)


@compiled
def draw_world(
    view: Array, me: Int, plan: Array, table: Array, pool: Array, rng: Record, placed: Record, out: Array
) -> None:
    """One of the worlds of a pool, else one drawn for the view; without a table the view itself."""
    if len(pool) > 0:
        out[0] = pool[below(rng, len(pool))]
        return
    out[0] = view[0]
    if len(table) > 0:
        draw(plan[0], table, rng, placed)
        fill(out[0], me, placed)


@kernel
def search_worlds(
    view: Array,
    me: Int,
    plan: Array,
    table: Array,
    pool: Array,
    settings: Array,
    tree: Array,
    world: Array,
    seeds: Array,
    rngs: Array,
    worlds: Int,
    iterations: Int,
    thread: Int,
    threads: Int,
    budget: Int,
    low: Real,
    high: Real,
    policy: Any,
    base: Int,
    tally: Array,
) -> None:
    """Goes on with this thread's worlds: each is drawn for the view, gets a tree of its own and is counted."""
    work = np.empty_like(view[:1])
    placed = np.zeros(1, DRAW)
    path = np.empty(DEPTH, np.int64)
    before = np.zeros(WORK)
    result = np.zeros(WORK)
    job = settings[0]
    while budget > 0 and job.world < worlds:
        if job.world % STRANDS % threads != thread:
            job.world += 1
            continue
        if job.grown == 0:
            set_number(seeds[0], job.world, rngs[0])
            draw_world(view, me, plan, table, pool, rngs[0], placed[0], world)
            plant(tree, job)
        prepare_root(world[0], job, low, high, before)
        count = min(budget, iterations - job.grown)
        for _ in range(count):
            work[0] = world[0]
            iterate(work[0], tree, job, rngs[0], policy, path, before, result)
        budget -= count
        job.grown += count
        if job.grown == iterations:
            count_root(tree, tally[job.world % STRANDS], base)
            job.grown = 0
            job.world += 1
            job.worlds += 1
