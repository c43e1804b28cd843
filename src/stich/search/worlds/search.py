"""What all searches of worlds share: limits, options, the source of worlds, threads and time.

A search is limited by iterations, by seconds, or by both. Limited by iterations it is deterministic for a seed,
whatever the number of threads: every world (or every tree) has its own generators. Kernels run in slices, so that
deadlines and Ctrl-C wait for a few milliseconds only. Trees are allocated once: their size is the memory of a search.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numba import njit

from stich.core import kernels
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.sampler import PLAN, Sampler
from stich.search.worlds.analysis import Analysis
from stich.search.worlds.belief import NONE, Belief
from stich.search.worlds.uct import SETTINGS, Source, Tree

SLICE = 0.02
"""Seconds of one kernel call."""
NODES = 1 << 20
"""The default limit of nodes in a tree: 32 MB."""
APART = 8
"""Records for each thread, of which one is used: what a thread writes all the time has its own cache lines."""

Weights = Callable[[Any, int], Any]
"""A provider of card probabilities: weights[card, place] for a view and its seat."""
Policy = Callable[[Any, Any], int] | None
"""What plays in playouts: a function of a state and a generator that Numba can compile."""


@dataclass(frozen=True)
class Limits:
    """How long to search; `seconds` 0 is no limit."""

    worlds: int
    iterations: int
    seconds: float = 0.0
    threads: int = 1

    def check(self) -> "Limits":
        """Refuses limits that make no sense."""
        if self.worlds < 1 or self.iterations < 1 or self.threads < 1 or self.seconds < 0:
            raise StichError(
                "a search needs at least one world, one iteration and one thread, and no negative time"
            )
        return self


@dataclass(frozen=True)
class TreeOptions:
    """How trees are grown, and what is played in the end."""

    c: float = 1.5
    """The exploration constant."""
    final: str = "robust"
    """One of `FINAL`."""
    ruled: float = 0.0
    """The share of playout moves by `policy`, or by the game's rule-based player."""
    policy: Policy = None
    nodes: int = NODES

    def check(self, game: Game) -> "TreeOptions":
        """Refuses what makes no sense for a game."""
        if not 0 <= self.ruled <= 1:
            raise StichError(f"the share of playout moves by rule lies between 0 and 1, not at {self.ruled:g}")
        if self.ruled > 0 and not self.policy and not game.spec.has_rule:
            raise StichError(f"{game.spec.name} has no rule-based player for playouts")
        return self


@dataclass(frozen=True)
class Drawing:
    """How worlds are drawn."""

    weights: Weights | None = None
    """Card probabilities; default: all placements are equally likely."""
    belief: Belief = NONE
    open_cards: bool = False
    """Searches the state itself, for players that cheat."""

    def check(self, game: Game) -> "Drawing":
        """Refuses a belief that a game has no means for."""
        if self.belief.check().worlds and game.spec.belief is None:
            raise StichError(f"{game.spec.name} cannot weigh worlds by past moves: it takes no deal back")
        return self

    def sampler(self, view: Array, me: int) -> Sampler:
        """The sampler of a view."""
        return Sampler(view, me, self.weights(view, me) if self.weights else None)


EVEN, OPEN = Drawing(), Drawing(open_cards=True)


class Search(ABC):
    """What all searches share: settings, memory and threads."""

    trees: Array
    """The nodes of all trees, a row for each; the subclass allocates them."""

    def __init__(self, game: Game, limits: Limits, options: TreeOptions, drawing: Drawing) -> None:
        self.game, self.limits = game, limits.check()
        self.options, self.drawing = options.check(game), drawing.check(game)
        self.policy = options.policy and njit(nogil=True)(options.policy)
        self.settings = np.zeros((limits.threads, APART), SETTINGS)
        self.settings["c"], self.settings["ruled"] = options.c, options.ruled
        self.settings["least"], self.settings["most"] = game.bounds
        self.stopped = False
        self.pool = ThreadPoolExecutor(limits.threads) if limits.threads > 1 else None

    @abstractmethod
    def analyse(self, view: Array, me: int, rngs: Array) -> Analysis:
        """Searches one view, from one generator."""

    @property
    def memory(self) -> int:
        """The bytes of the trees."""
        return int(self.trees.nbytes)

    def each_thread(self, work: Callable[[int], None]) -> None:
        """Calls the work with every thread's number, all at once."""
        if self.pool is None:
            work(0)
            return
        running = [self.pool.submit(work, thread) for thread in range(self.limits.threads)]
        try:
            for thread in running:
                thread.result()
        finally:  # on an error or Ctrl-C the others end as soon as they can
            self.stopped = True
            wait(running)
            self.stopped = False

    def late(self, since: float, seconds: float) -> bool:
        """Whether a search must end: its time is up (0 is no limit), or it was interrupted."""
        return self.stopped or 0 < seconds <= time.perf_counter() - since + SLICE / 2

    def tree(self, number: int, rngs: Array) -> Tree:
        """A tree as kernels take it."""
        return Tree(self.trees[number], self.settings[number], rngs, self.policy)

    def source(self, view: Array, me: int, seed: int, began: float) -> Source:
        """Where the worlds of a view come from: its sampler, and the worlds that the belief has weighed."""
        if self.drawing.open_cards:
            return Source(view, np.int64(me), np.zeros(1, PLAN), np.zeros(0), view[:0])
        sampler = self.drawing.sampler(view, me)
        return Source(view, np.int64(me), sampler.plan, sampler.table, self.weighed(sampler, seed, began))

    def weighed(self, sampler: Sampler, seed: int, began: float) -> Array:
        """The worlds of the belief, none without one; they take at most half of the time."""
        return self.drawing.belief.pool(sampler, seed, partial(self.late, began, self.limits.seconds / 2))

    def units(self) -> tuple[float, float]:
        """The least result and the span that the last search scaled to [0, 1]."""
        used = int(np.argmax(self.settings["span"]))  # a thread may have had nothing to do
        return float(self.settings["low"].flat[used]), float(self.settings["span"].flat[used])


def first_seed(rngs: Array) -> int:
    """A seed drawn from the one generator that an agent gets for a view, which moves on."""
    word = np.zeros(1, np.uint64)
    kernels.words(rngs, word)
    return int(word[0])
