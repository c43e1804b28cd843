"""Monte Carlo search of a position: worlds, threads, time, and what came out.

A search is limited by iterations, by seconds, or by both. Limited by iterations it is deterministic for a seed,
whatever the number of threads: every world (or every tree) has generators of its own. Kernels run in slices, so that
deadlines and Ctrl-C wait for some milliseconds only. Trees are allocated once: their size is the memory of a search.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from stich.core import kernels
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.face import Game
from stich.core.rng import numbered
from stich.core.sampler import PLAN, Sampler
from stich.search.belief import NONE, Belief
from stich.search.ismcts import BRANCH, grow_shared
from stich.search.mcts import ACTIONS, NODE, SETTINGS, grow_tree, search_worlds

SLICE = 0.02
"""Seconds of one kernel call."""
NODES = 1 << 20
"""The most nodes of a tree unless a search says otherwise: 32 MB."""
FINAL = ("robust", "max", "vote", "sure")
"""What is played: the most visited action, the one of the best mean, the best sum over the worlds that chose it, or
the rule-based player's action unless another one is surely better."""
SURE = 2.0
"""Standard errors of the mean gain over worlds from which on an action is surely better."""

Weights = Callable[[Any, int], Any]
"""A provider of card probabilities: weights[card, place] for a view and its seat."""


@dataclass(frozen=True)
class Analysis:
    """What a search has found about each legal action."""

    actions: Array
    visits: Array
    value: Array
    """The mean result of the seat to act, in the units of the game (of its present stage in a long one)."""
    low: Array
    high: Array
    """95 % intervals of the value, from the spread over worlds; unbounded where there is no second world."""
    chosen: int
    iterations: int
    worlds: int
    seconds: float


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


class Search(ABC):
    """What all searches share: settings, memory and threads."""

    def __init__(
        self, game: Game, limits: Limits, c: float, ruled: float, nodes: int, kind: Any, belief: Belief = NONE
    ) -> None:
        self.game, self.limits, self.belief = game, limits.check(), belief.check()
        if not 0 <= ruled <= 1:
            raise StichError(f"the share of playout moves by rule lies between 0 and 1, not at {ruled:g}")
        if ruled > 0 and not hasattr(game.module, "rule"):
            raise StichError(f"{game.spec.name} has no rule-based player for playouts")
        if belief.worlds and not hasattr(game.module, "rewind"):
            raise StichError(f"{game.spec.name} cannot weigh worlds by past moves: it takes no deal back")
        self.settings = np.zeros((limits.threads, 1), SETTINGS)
        self.settings["c"], self.settings["ruled"] = c, ruled
        self.trees = np.zeros((limits.threads, nodes), kind)
        self.low, self.high = map(float, game.bounds)
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
        else:
            list(self.pool.map(work, range(self.limits.threads)))

    def plan(self, view: Array, me: int, weights: Weights | None, seed: int) -> tuple[Array, Array, Array]:
        """Where worlds come from: the plan and table of a sampler, and those that the belief has weighed."""
        sampler = Sampler(view, me, weights(view, me) if weights else None)
        return sampler.plan, sampler.table, self.belief.pool(sampler, seed)

    def units(self) -> tuple[float, float]:
        """The least result and the span that the last search scaled to [0, 1]."""
        used = int(np.argmax(self.settings["span"]))  # a thread may have had nothing to do
        return float(self.settings["low"].flat[used]), float(self.settings["span"].flat[used])


def first_seed(rngs: Array) -> int:
    """A seed drawn from the one generator that an agent gets for a view, which moves on."""
    word = np.zeros(1, np.uint64)
    kernels.words(rngs, word)
    return int(word[0])


class Determinized(Search):
    """DMCTS: worlds that agree with the view, each with a tree of its own (document 002, 10.1 and 10.2)."""

    def __init__(
        self,
        game: Game,
        limits: Limits,
        c: float = 1.5,
        final: str = "robust",
        ruled: float = 0.0,
        weights: Weights | None = None,
        open_cards: bool = False,
        belief: Belief = NONE,
        nodes: int = NODES,
    ) -> None:
        """`open_cards` searches the state itself, for players that cheat."""
        if final not in FINAL:
            raise StichError(f"the final rule is one of {', '.join(FINAL)}, not {final!r}")
        if final == "sure" and not hasattr(game.module, "rule"):
            raise StichError(f"{game.spec.name} has no rule-based player for the final rule 'sure'")
        room = 64 * limits.iterations + 64
        super().__init__(game, limits, c, ruled, min(nodes, room), NODE, belief)
        self.final, self.weights, self.open_cards = final, weights, open_cards

    def analyse(self, view: Array, me: int, rngs: Array) -> Analysis:
        """Searches one view, from one generator."""
        began = time.perf_counter()
        seed, limits = first_seed(rngs), self.limits
        plan, table, pool = np.zeros(1, PLAN), np.zeros(0), view[:0]
        if not self.open_cards:
            plan, table, pool = self.plan(view, me, self.weights, seed)
        visits, values = (np.zeros((limits.worlds, ACTIONS), kind) for kind in (np.int64, np.float64))
        done, batch = 0, 1
        while done < limits.worlds and not (done and self.late(began)):
            count = min(batch * limits.threads, limits.worlds - done)
            generators = numbered(done, count, seed, "world")

            def work(thread: int, done: int = done, count: int = count, generators: Array = generators) -> None:
                part = slice(thread * count // limits.threads, (thread + 1) * count // limits.threads)
                search_worlds(
                    view,
                    np.int64(me),
                    plan,
                    table,
                    pool,
                    self.settings[thread],
                    self.trees[thread],
                    limits.iterations,
                    self.low,
                    self.high,
                    generators[part],
                    visits[done : done + count][part],
                    values[done : done + count][part],
                )

            sliced = time.perf_counter()
            self.each_thread(work)
            done += count
            took = max(time.perf_counter() - sliced, 1e-6)
            batch = max(1, int(batch * min(8.0, SLICE / took)))
        seconds = time.perf_counter() - began
        iterations = limits.iterations * done
        by_rule = self.by_rule(view, rngs) if self.final == "sure" else -1
        return summary(visits[:done], values[:done], self.final, self.units(), iterations, seconds, by_rule)

    def by_rule(self, view: Array, rngs: Array) -> int:
        """The action of the rule-based player."""
        action = np.zeros(1, np.int64)
        kernels.rule_all(view, rngs, action)
        return int(action[0])

    def late(self, began: float) -> bool:
        """Whether the time is up."""
        return self.limits.seconds > 0 and time.perf_counter() - began + SLICE / 2 >= self.limits.seconds


class Timed(Determinized):
    """The form of document 002, 10.1: a number of worlds by the tricks that remain, the time shared out among them."""

    def __init__(
        self, game: Game, limits: Limits, factor: int, tricks: Callable[[Any], int], **others: Any
    ) -> None:
        super().__init__(game, limits, **others)
        self.factor, self.tricks = factor, tricks

    def analyse(self, view: Array, me: int, rngs: Array) -> Analysis:
        """Searches one view, from one generator."""
        began = time.perf_counter()
        seed, threads = first_seed(rngs), self.limits.threads
        count = max(1, self.factor * self.tricks(view[0]))
        worlds = Sampler(view, me, self.weights(view, me) if self.weights else None).draw(
            numbered(0, 1, seed, "draw"), count
        )
        generators = numbered(0, count, seed, "world")
        visits, values = (np.zeros((count, ACTIONS), kind) for kind in (np.int64, np.float64))
        share = self.limits.seconds * threads / count
        total = np.zeros(threads, np.int64)

        def work(thread: int) -> None:
            tree, settings = self.trees[thread], self.settings[thread]
            for number, world in enumerate(range(thread, count, threads)):
                until, batch, fresh = began + (number + 1) * share, 16, 1
                while fresh or time.perf_counter() < until:
                    sliced = time.perf_counter()
                    grow_tree(
                        worlds[world : world + 1],
                        settings,
                        tree,
                        batch,
                        fresh,
                        self.low,
                        self.high,
                        generators[world : world + 1],
                    )
                    total[thread] += batch
                    took = max(time.perf_counter() - sliced, 1e-6)
                    left = max(until - time.perf_counter(), 0.0)
                    batch = max(1, int(batch * min(4.0, min(SLICE, left) / took)))
                    fresh = 0
                for child in tree[tree[0]["first"] : tree[0]["first"] + tree[0]["count"]]:
                    visits[world, child["action"]] = child["visits"]
                    values[world, child["action"]] = child["value"]

        self.each_thread(work)
        seconds = time.perf_counter() - began
        return summary(visits, values, self.final, self.units(), int(total.sum()), seconds)


class Shared(Search):
    """ISMCTS: one tree for all worlds; each thread grows one, and the trees' roots are added up."""

    def __init__(
        self,
        game: Game,
        limits: Limits,
        c: float = 1.0,
        final: str = "robust",
        ruled: float = 0.0,
        weights: Weights | None = None,
        observers: bool = False,
        trees: int = 4,
        belief: Belief = NONE,
        nodes: int = NODES,
    ) -> None:
        """`trees` independent trees share the iterations, so that threads do not change the result."""
        if final not in FINAL[:2]:
            raise StichError(f"the final rule is one of {', '.join(FINAL[:2])}, not {final!r}")
        self.observers = game.seats if observers else 1
        room = (limits.iterations + 2) * self.observers
        super().__init__(game, limits, c, ruled, min(nodes, room), BRANCH, belief)
        self.final, self.weights, self.count = final, weights, trees
        self.trees = np.zeros((trees, min(nodes, room)), BRANCH)
        self.settings = np.repeat(self.settings[:1], trees, axis=0)

    def analyse(self, view: Array, me: int, rngs: Array) -> Analysis:
        """Searches one view, from one generator."""
        began = time.perf_counter()
        seed, limits = first_seed(rngs), self.limits
        plan, table, pool = self.plan(view, me, self.weights, seed)
        generators = numbered(0, self.count, seed, "tree").reshape(self.count, 1)
        visits, values = (np.zeros((self.count, ACTIONS), kind) for kind in (np.int64, np.float64))
        total = np.zeros(self.count, np.int64)

        def work(thread: int) -> None:
            for tree in range(thread, self.count, limits.threads):
                share = -(-limits.iterations // self.count)
                until = began + limits.seconds * (tree // limits.threads + 1) / -(-self.count // limits.threads)
                batch = 64
                while total[tree] < share and (
                    total[tree] == 0 or not limits.seconds or time.perf_counter() < until
                ):
                    batch = int(min(batch, share - total[tree]))
                    sliced = time.perf_counter()
                    grow_shared(
                        view,
                        np.int64(me),
                        self.observers,
                        plan,
                        table,
                        pool,
                        self.settings[tree],
                        self.trees[tree],
                        batch,
                        int(total[tree] == 0),
                        self.low,
                        self.high,
                        generators[tree],
                        visits[tree],
                        values[tree],
                    )
                    total[tree] += batch
                    took = max(time.perf_counter() - sliced, 1e-6)
                    batch = max(1, int(batch * min(4.0, SLICE / took)))

        self.each_thread(work)
        seconds = time.perf_counter() - began
        return summary(visits, values, self.final, self.units(), int(total.sum()), seconds)


def summary(
    visits: Array,
    values: Array,
    final: str,
    units: tuple[float, float],
    iterations: int,
    seconds: float,
    by_rule: int = -1,
) -> Analysis:
    """What rows of visits and summed values of the root's actions say together."""
    total = visits.sum(axis=0)
    actions = np.flatnonzero(total)
    visits, values, total = visits[:, actions], values[:, actions], total[actions]
    mean = values.sum(axis=0) / total
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(visits > 0, values / visits, np.nan)
    half = np.full(len(actions), np.inf)
    for i, column in enumerate(means.T):
        seen = column[~np.isnan(column)]
        if len(seen) > 1:
            half[i] = 1.96 * float(np.std(seen, ddof=1)) / sqrt(len(seen))
    if final == "vote":
        best = np.argmax(visits, axis=1)
        worth = np.bincount(best, means[np.arange(len(means)), best], len(actions))
    elif final == "sure" and by_rule in actions:
        worth = sure_gains(means - means[:, actions == by_rule], actions == by_rule)
    else:
        worth = mean if final == "max" else total + 0.5 * mean
    low, span = units
    scaled = low + span * mean
    return Analysis(
        actions=actions,
        visits=total,
        value=scaled,
        low=scaled - span * half,
        high=scaled + span * half,
        chosen=int(actions[np.argmax(worth)]),
        iterations=iterations,
        worlds=len(visits),
        seconds=seconds,
    )


def sure_gains(gains: Array, base: Array) -> Array:
    """The mean of each column where it is surely above 0, else less than nothing; 0 for the base."""
    count = np.maximum((~np.isnan(gains)).sum(axis=0), 1)
    mean = np.nansum(gains, axis=0) / count
    error = np.sqrt(np.nansum((gains - mean) ** 2, axis=0)) / count
    return np.where(base, 0.0, np.where(mean > SURE * error, mean, -1.0))
