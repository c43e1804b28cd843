"""Monte Carlo tree search on full states, and determinized search on views.

A tree is an array of nodes of fixed size: when it is full, the search continues below its leaves by playouts alone. The
children of a node are adjacent. Every node keeps the number of visits and the sum of the results, scaled to [0, 1], for
the seat that moved into it: each seat (and so each team) maximises its own result.
"""

from typing import Any, NamedTuple

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
"""The width of a child that was never visited: it is chosen first."""
DEPTH = 512
"""The longest path in a tree; deeper moves of one game belong to the playout."""
ACTIONS = 63

SETTINGS = np.dtype(
    [
        ("c", "f8"),  # exploration
        ("ruled", "f8"),  # the share of playout moves by the game's rule-based player
        ("least", "f8"),  # the bounds of a result of the game
        ("most", "f8"),
        ("low", "f8"),  # the least result of the stage that is searched
        ("span", "f8"),  # the greatest minus the least
        ("stage", "i8"),  # the stage of the game that is searched
        ("used", "i8"),  # nodes in use
        ("world", "i8"),  # in a search of many worlds: the current one,
        ("grown", "i8"),  # its iterations so far,
        ("worlds", "i8"),  # and how many are finished
    ],
    align=True,
)
"""The settings and the progress of a search: one record for each tree."""
TALLY = np.dtype(
    [
        ("visits", "i8"),
        ("value", "f8"),  # the sum of results
        ("worlds", "i8"),  # in how many worlds it was visited
        ("means", "f8"),  # the sum of its means in them,
        ("squares", "f8"),  # of their squares,
        ("votes", "f8"),  # of its means in the worlds that would choose it,
        ("gains", "f8"),  # of the differences to a base action in them,
        ("gain_squares", "f8"),  # and of the squares of these differences
    ],
    align=True,
)
"""The statistics of an action over many worlds."""
SHARDS = 64
"""World w is counted in tally w % SHARDS, so that sums do not depend on which thread took which world."""
MAX_SEATS = 8
"""Seats that the work arrays have room for."""


class Tree(NamedTuple):
    """A tree, and what growing it needs."""

    nodes: Array
    settings: Array
    """Of dtype SETTINGS; the first record counts."""
    rngs: Array
    """The first generator is used."""
    policy: Any
    """A compiled function of a state and a generator in place of the game's rule-based player, or None."""


class Source(NamedTuple):
    """Where worlds come from: a pool, else a prepared sampler; with neither, the view itself."""

    root: Array
    """The view. (Numba takes no field of the name `view`.)"""
    me: Int
    plan: Array
    table: Array
    pool: Array


class Job(NamedTuple):
    """The share of one thread in a search of many worlds."""

    seeds: Array
    world: Array
    """Work array: the current world."""
    worlds: Int
    iterations: Int
    """In each world."""
    thread: Int
    threads: Int
    base: Int
    """The action that gains are measured against, -1 for none."""


class Work(NamedTuple):
    """The work arrays of an iteration: the path in the tree, the standing before and after."""

    path: Array
    before: Array
    result: Array


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
    """The child with the greatest upper confidence bound; an unvisited one comes first."""
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
    """Gives a leaf its children if there is room; returns how many it has."""
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
def iterate(s: Record, nodes: Array, settings: Record, rng: Record, policy: Any, work: Work) -> None:
    """One iteration from a world: down the tree, a new leaf, a playout, and the result back up the path."""
    path, before, result = work.path, work.before, work.result
    node: Int = 0
    depth, grown = 1, False
    path[0] = 0
    while not grown and depth < DEPTH:
        if nodes[node].count > 0:
            node = np.int64(choose_child(nodes, node, settings.c))
        else:
            if (nodes[node].visits == 0 and node > 0) or is_over(s) or stage(s) != settings.stage:
                break
            count = expand(nodes, node, s, settings)
            if count == 0:
                break
            node = np.int64(nodes[node].first) + np.int64(uniform(rng) * count)
            grown = True
        apply(s, np.int64(nodes[node].action))  # in one place only: it is inlined wherever it stands
        path[depth] = node
        depth += 1
    playout(s, settings, rng, policy)
    standing(s, result)
    for i in range(depth):
        node = path[i]
        seat = nodes[node].seat
        visits = nodes[node].visits + 1
        value = nodes[node].value + (result[seat] - before[seat] - settings.low) / settings.span
        nodes[node].visits = visits
        nodes[node].value = value
        nodes[node].mean = value / visits
        nodes[node].width = 1.0 / np.sqrt(np.float64(visits))


@compiled
def prepare_root(world: Record, settings: Record, before: Array) -> None:
    """What results are measured against: the standing at the root, and the least and greatest change of it."""
    settings.stage = stage(world)
    stakes(world, before)
    if before[0] < before[1]:
        settings.low = before[0]
        settings.span = before[1] - before[0]
        standing(world, before)
    else:
        settings.low = settings.least
        settings.span = settings.most - settings.least
        for seat in range(len(before)):
            before[seat] = 0.0


@kernel
def grow_tree(world: Array, tree: Tree, iterations: Int, fresh: Int) -> None:
    """Adds iterations on one full state to a tree, which is cleared before where it is `fresh`."""
    current = np.empty_like(world[:1])
    work = Work(np.empty(DEPTH, np.int64), np.zeros(MAX_SEATS), np.zeros(MAX_SEATS))
    prepare_root(world[0], tree.settings[0], work.before)
    if fresh:
        plant(tree.nodes, tree.settings[0])
    for _ in range(iterations):
        current[0] = world[0]
        iterate(current[0], tree.nodes, tree.settings[0], tree.rngs[0], tree.policy, work)


@compiled
def count_root(tree: Array, tally: Array, base: Int) -> None:
    """Adds the results of the root's actions in a world, also compared with a base action (-1: none)."""
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
    """`count_root` as a kernel."""
    count_root(tree, tally, base)


@compiled
def draw_world(source: Source, rng: Record, placed: Record, out: Array) -> None:
    """One of the worlds of a pool, else one drawn for the view; without a table the view itself."""
    if len(source.pool) > 0:
        out[0] = source.pool[below(rng, len(source.pool))]
        return
    out[0] = source.root[0]
    if len(source.table) > 0:
        draw(source.plan[0], source.table, rng, placed)
        fill(out[0], source.me, placed)


@kernel
def search_worlds(source: Source, tree: Tree, job: Job, budget: Int, tally: Array) -> None:
    """Continues with this thread's worlds: each is drawn for the view, gets its own tree and is counted."""
    current = np.empty_like(source.root[:1])
    placed = np.zeros(1, DRAW)
    work = Work(np.empty(DEPTH, np.int64), np.zeros(MAX_SEATS), np.zeros(MAX_SEATS))
    at, rng, world = tree.settings[0], tree.rngs[0], job.world
    while budget > 0 and at.world < job.worlds:
        if at.world % SHARDS % job.threads != job.thread:
            at.world += 1
            continue
        if at.grown == 0:
            set_number(job.seeds[0], at.world, rng)
            draw_world(source, rng, placed[0], world)
            plant(tree.nodes, at)
        prepare_root(world[0], at, work.before)
        count = min(budget, job.iterations - at.grown)
        for _ in range(count):
            current[0] = world[0]
            iterate(current[0], tree.nodes, at, rng, tree.policy, work)
        budget -= count
        at.grown += count
        if at.grown == job.iterations:
            count_root(tree.nodes, tally[at.world % SHARDS], job.base)
            at.grown = 0
            at.world += 1
            at.worlds += 1


def new_tree(nodes: int, c: float, bounds: tuple[float, float], rngs: Array) -> Tree:
    """An empty tree with room for `nodes` nodes, for a game whose results lie within `bounds`."""
    settings = np.zeros(1, SETTINGS)
    settings["c"], settings["least"], settings["most"] = c, *bounds
    return Tree(np.zeros(nodes, NODE), settings, rngs, None)
