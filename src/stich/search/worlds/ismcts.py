"""Information-set Monte Carlo tree search (P. Cowling, E. Powley, D. Whitehouse, 2012).

Every iteration draws its own world, and all worlds share the tree: a node stands for all that has been played so far,
its children are the actions that were legal in some world, and a child competes only where it is legal. So a child's
visits are compared with how often it could have been chosen, not with its parent's visits.

With one observer there is one tree, and every move is an edge of it. With several, every seat has its own tree, in
which choices that the seat cannot see are one and the same edge; the seat to act chooses by its own tree, and all trees
follow. They differ only in games with secret choices.
"""

import time
from typing import Any, NamedTuple

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
from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.jit import compiled, kernel
from stich.core.rng import below, numbered
from stich.core.sampler import DRAW
from stich.search.worlds.analysis import FINAL, Analysis, summary, tally_of
from stich.search.worlds.search import APART, EVEN, SLICE, Drawing, Limits, Search, TreeOptions, first_seed
from stich.search.worlds.uct import (
    ACTIONS,
    DEPTH,
    MAX_SEATS,
    Source,
    Tree,
    Work,
    draw_world,
    playout,
    prepare_root,
)

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
OPTIONS = TreeOptions(c=1.0)
HIDDEN = 63
"""The edge of all choices that an observer cannot see."""


class Root(NamedTuple):
    """The visits and summed results of each action at the root of a tree."""

    visits: Array
    values: Array


@compiled
def child_of(tree: Array, node: Int, action: Int) -> Int:
    """The child of an action, 0 if there is none."""
    child = tree[node].first
    while child and tree[child].action != action:
        child = tree[child].next
    return child


@compiled
def add_child(tree: Array, node: Int, action: Int, seat: Int, settings: Record) -> Int:
    """A new child, 0 if the tree is full."""
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
    """The legal child with the greatest upper confidence bound."""
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
def walk(s: Record, nodes: Array, settings: Record, rng: Record, policy: Any, work: Work) -> None:
    """One iteration in one world; observer `o` has row o of the path, and its tree begins at node o."""
    path, before, result = work.path, work.before, work.result
    observers = len(path)
    depth = 1
    for observer in range(observers):
        path[observer, 0] = observer
    grown = False
    while not grown and depth < DEPTH and not is_over(s) and stage(s) == settings.stage:
        seat = player(s)
        own = seat if observers > 1 else 0
        node = path[own, depth - 1]
        mask = legal(s)
        fresh = untried(nodes, node, mask)
        if fresh:
            action = nth_bit(fresh, below(rng, popcount(fresh)))
            grown = True
        else:
            action = np.int64(nodes[select(nodes, node, mask, settings.c)].action)
        unseen = secret(s)
        full = False
        for observer in range(observers):
            edge = HIDDEN if unseen and observer != own else action
            child: Int = np.int64(child_of(nodes, path[observer, depth - 1], edge))
            if child == 0:
                child = add_child(nodes, path[observer, depth - 1], edge, seat, settings)
                if child > 0:
                    nodes[child].offered = 1
            full = full or child == 0
            path[observer, depth] = child
        apply(s, action)
        if full:
            break
        depth += 1
    playout(s, settings, rng, policy)
    standing(s, result)
    for observer in range(observers):
        for i in range(1, depth):
            node = path[observer, i]
            seat = nodes[node].seat
            nodes[node].visits += 1
            nodes[node].value += (result[seat] - before[seat] - settings.low) / settings.span


@kernel
def grow_shared(source: Source, tree: Tree, observers: Int, iterations: Int, fresh: Int, root: Root) -> None:
    """Adds iterations on a view to a tree, which is cleared before where it is `fresh`; then writes its root."""
    nodes, settings, me = tree.nodes, tree.settings[0], source.me
    world = np.empty_like(source.root[:1])
    placed = np.zeros(1, DRAW)
    work = Work(np.zeros((observers, DEPTH), np.int64), np.zeros(MAX_SEATS), np.zeros(MAX_SEATS))
    if fresh:
        for observer in range(observers):
            nodes[observer].first = 0
        settings.used = observers
    prepare_root(source.root[0], settings, work.before)
    for _ in range(iterations):
        draw_world(source, tree.rngs[0], placed[0], world)
        walk(world[0], nodes, settings, tree.rngs[0], tree.policy, work)
    child = nodes[me if observers > 1 else 0].first
    while child:
        root.visits[nodes[child].action] = nodes[child].visits
        root.values[nodes[child].action] = nodes[child].value
        child = nodes[child].next


class Ismcts(Search):
    """One tree for all worlds; each thread grows one at a time, and the roots of all trees are added up."""

    def __init__(
        self,
        game: Game,
        limits: Limits,
        options: TreeOptions = OPTIONS,
        drawing: Drawing = EVEN,
        observers: bool = False,
        trees: int = 4,
    ) -> None:
        """`trees` independent trees share the iterations, so that threads do not change the result."""
        if options.final not in FINAL[:2]:
            raise StichError(f"the final rule is one of {', '.join(FINAL[:2])}, not {options.final!r}")
        super().__init__(game, limits, options, drawing)
        self.observers, self.count = game.seats if observers else 1, trees
        room = (limits.iterations + 2) * self.observers
        self.trees = np.zeros((trees, min(options.nodes, room)), BRANCH)
        self.settings = np.repeat(self.settings[:1], trees, axis=0)

    def analyse(self, view: Array, me: int, rngs: Array) -> Analysis:
        """Searches one view, from one generator."""
        began = time.perf_counter()
        seed, limits = first_seed(rngs), self.limits
        source = self.source(view, me, seed, began)
        generators = np.repeat(numbered(0, self.count, seed, "tree")[:, None], APART, axis=1)
        visits, values = (np.zeros((self.count, ACTIONS), kind) for kind in (np.int64, np.float64))
        total = np.zeros(self.count, np.int64)

        def work(thread: int) -> None:
            for number in range(thread, self.count, limits.threads):
                tree = self.tree(number, generators[number])
                root = Root(visits[number], values[number])
                share = -(-limits.iterations // self.count)
                seconds = limits.seconds * (number // limits.threads + 1) / -(-self.count // limits.threads)
                batch = 64
                while total[number] < share and (total[number] == 0 or not self.late(began, seconds)):
                    batch = int(min(batch, share - total[number]))
                    sliced = time.perf_counter()
                    grow_shared(source, tree, self.observers, batch, int(total[number] == 0), root)
                    total[number] += batch
                    took = max(time.perf_counter() - sliced, 1e-6)
                    batch = max(1, int(batch * min(4.0, SLICE / took)))

        self.each_thread(work)
        seconds = time.perf_counter() - began
        return summary(tally_of(visits, values), self.options.final, self.units(), self.count, seconds)
