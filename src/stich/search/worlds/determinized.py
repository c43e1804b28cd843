"""Monte Carlo search of a position: worlds, threads, time, and what came out.

A search is limited by iterations, by seconds, or by both. Limited by iterations it is deterministic for a seed,
whatever the number of threads: every world (or every tree) has generators of its own. Kernels run in slices, so that
deadlines and Ctrl-C wait for some milliseconds only. Trees are allocated once: their size is the memory of a search.
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
from stich.core.game import Game, State
from stich.core.rng import RNG, number_seeds, numbered
from stich.core.sampler import PLAN, Sampler
from stich.search.worlds.belief import NONE, Belief
from stich.search.worlds.ismcts import BRANCH, grow_shared
from stich.search.worlds.uct import ACTIONS, NODE, SETTINGS, STRANDS, TALLY, count_tree, grow_tree, search_worlds

SLICE = 0.02
"""Seconds of one kernel call."""
NODES = 1 << 20
"""The most nodes of a tree unless a search says otherwise: 32 MB."""
APART = 8
"""Records for each thread, of which one is used: what a thread writes all the time has cache lines of its own."""
FINAL = ("robust", "max", "vote", "sure")
"""What is played: the most visited action, the one of the best mean, the best sum over the worlds that chose it, or
the rule-based player's action unless another one is surely better."""
SURE = 2.0
"""Standard errors of the mean gain over worlds from which on an action is surely better."""

Weights = Callable[[Any, int], Any]
"""A provider of card probabilities: weights[card, place] for a view and its seat."""
Policy = Callable[[Any, Any], int] | None
"""What plays in playouts: a function of a state and a generator that Numba can compile."""


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

    def rows(self, view: State) -> list[dict[str, Any]]:
        """What was found about each action, with its name; an interval is None where there is none."""
        columns = (self.actions, self.value, self.low, self.high, self.visits)
        return [
            {
                "action": int(action),
                "name": view.action_name(int(action)),
                "value": float(value),
                "low": float(low) if abs(low) < 1e300 else None,
                "high": float(high) if abs(high) < 1e300 else None,
                "visits": int(visits),
            }
            for action, value, low, high, visits in zip(*columns, strict=True)
        ]


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
        self,
        game: Game,
        limits: Limits,
        c: float,
        ruled: float,
        nodes: int,
        kind: Any,
        policy: Policy = None,
        belief: Belief = NONE,
    ) -> None:
        """`policy` plays the share `ruled` of playout moves in place of the game's rules of thumb."""
        self.game, self.limits, self.belief = game, limits.check(), belief.check()
        self.policy = policy and njit(nogil=True)(policy)
        if not 0 <= ruled <= 1:
            raise StichError(f"the share of playout moves by rule lies between 0 and 1, not at {ruled:g}")
        if ruled > 0 and not policy and not game.spec.has_rule:
            raise StichError(f"{game.spec.name} has no rule-based player for playouts")
        if belief.worlds and game.spec.belief is None:
            raise StichError(f"{game.spec.name} cannot weigh worlds by past moves: it takes no deal back")
        self.settings = np.zeros((limits.threads, APART), SETTINGS)
        self.settings["c"], self.settings["ruled"] = c, ruled
        self.trees = np.zeros((limits.threads, nodes), kind)
        self.low, self.high = map(float, game.bounds)
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

    def plan(
        self, view: Array, me: int, weights: Weights | None, seed: int, began: float
    ) -> tuple[Array, Array, Array]:
        """Where worlds come from: the plan and table of a sampler, and those that the belief has weighed."""
        sampler = Sampler(view, me, weights(view, me) if weights else None)
        return sampler.plan, sampler.table, self.weighed(sampler, seed, began)

    def weighed(self, sampler: Sampler, seed: int, began: float) -> Array:
        """The worlds of the belief, none without one; at most half of the time is for them."""
        return self.belief.pool(sampler, seed, partial(self.late, began, self.limits.seconds / 2))

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
        policy: Policy = None,
        weights: Weights | None = None,
        open_cards: bool = False,
        belief: Belief = NONE,
        nodes: int = NODES,
    ) -> None:
        """`open_cards` searches the state itself, for players that cheat."""
        if final not in FINAL:
            raise StichError(f"the final rule is one of {', '.join(FINAL)}, not {final!r}")
        if final == "sure" and not game.spec.has_rule:
            raise StichError(f"{game.spec.name} has no rule-based player for the final rule 'sure'")
        room = 64 * limits.iterations + 64
        super().__init__(game, limits, c, ruled, min(nodes, room), NODE, policy, belief)
        self.final, self.weights, self.open_cards = final, weights, open_cards

    def analyse(self, view: Array, me: int, rngs: Array) -> Analysis:
        """Searches one view, from one generator."""
        began = time.perf_counter()
        seed, limits, tally = first_seed(rngs), self.limits, np.zeros((STRANDS, ACTIONS), TALLY)
        seeds, base = number_seeds(seed, "world"), self.by_rule(view, rngs)
        plan, table, pool = np.zeros(1, PLAN), np.zeros(0), view[:0]
        if not self.open_cards:
            plan, table, pool = self.plan(view, me, self.weights, seed, began)
        for name in ("world", "grown", "worlds", "span"):
            self.settings[name] = 0

        def work(thread: int) -> None:
            job, world, rng = self.settings[thread], view.copy(), np.zeros(APART, RNG)
            budget = 64
            while job["world"][0] < limits.worlds:
                sliced = time.perf_counter()
                search_worlds(
                    view,
                    np.int64(me),
                    plan,
                    table,
                    pool,
                    job,
                    self.trees[thread],
                    world,
                    seeds,
                    rng,
                    limits.worlds,
                    limits.iterations,
                    thread,
                    limits.threads,
                    budget,
                    self.low,
                    self.high,
                    self.policy,
                    base,
                    tally,
                )
                if self.late(began, limits.seconds):
                    break
                took = max(time.perf_counter() - sliced, 1e-6)
                budget = max(1, int(budget * min(8.0, SLICE / took)))

        self.each_thread(work)
        worlds = int(self.settings["worlds"][:, 0].sum())
        if worlds == 0:  # there was no time for one: what there is counts
            for thread in np.flatnonzero(self.settings["grown"][:, 0]):
                count_tree(self.trees[thread], tally[thread], base)
                worlds += 1
        return summary(tally, self.final, self.units(), worlds, time.perf_counter() - began, base)

    def by_rule(self, view: Array, rngs: Array) -> int:
        """The action of the rule-based player, where what is played depends on it; else -1."""
        action = np.full(1, -1)
        if self.final == "sure":
            kernels.rule_all(view, rngs, action)
        return int(action[0])


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
        generators, base = numbered(0, count, seed, "world"), self.by_rule(view, rngs)
        tally = np.zeros((count, ACTIONS), TALLY)
        share = self.limits.seconds * threads / count

        def work(thread: int) -> None:
            tree, settings = self.trees[thread], self.settings[thread]
            for number, world in enumerate(range(thread, count, threads)):
                until, batch, fresh = began + (number + 1) * share, 16, 1
                rng = np.repeat(generators[world : world + 1], APART)
                while fresh or (time.perf_counter() < until and not self.stopped):
                    sliced = time.perf_counter()
                    grow_tree(
                        worlds[world : world + 1],
                        settings,
                        tree,
                        batch,
                        fresh,
                        self.low,
                        self.high,
                        rng,
                        self.policy,
                    )
                    took = max(time.perf_counter() - sliced, 1e-6)
                    left = max(until - time.perf_counter(), 0.0)
                    batch = max(1, int(batch * min(4.0, min(SLICE, left) / took)))
                    fresh = 0
                count_tree(tree, tally[world], base)

        self.each_thread(work)
        return summary(tally, self.final, self.units(), count, time.perf_counter() - began, base)


class Shared(Search):
    """ISMCTS: one tree for all worlds; each thread grows one, and the trees' roots are added up."""

    def __init__(
        self,
        game: Game,
        limits: Limits,
        c: float = 1.0,
        final: str = "robust",
        ruled: float = 0.0,
        policy: Policy = None,
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
        super().__init__(game, limits, c, ruled, min(nodes, room), BRANCH, policy, belief)
        self.final, self.weights, self.count = final, weights, trees
        self.trees = np.zeros((trees, min(nodes, room)), BRANCH)
        self.settings = np.repeat(self.settings[:1], trees, axis=0)

    def analyse(self, view: Array, me: int, rngs: Array) -> Analysis:
        """Searches one view, from one generator."""
        began = time.perf_counter()
        seed, limits = first_seed(rngs), self.limits
        plan, table, pool = self.plan(view, me, self.weights, seed, began)
        generators = np.repeat(numbered(0, self.count, seed, "tree")[:, None], APART, axis=1)
        visits, values = (np.zeros((self.count, ACTIONS), kind) for kind in (np.int64, np.float64))
        total = np.zeros(self.count, np.int64)

        def work(thread: int) -> None:
            for tree in range(thread, self.count, limits.threads):
                share = -(-limits.iterations // self.count)
                seconds = limits.seconds * (tree // limits.threads + 1) / -(-self.count // limits.threads)
                batch = 64
                while total[tree] < share and (total[tree] == 0 or not self.late(began, seconds)):
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
                        self.policy,
                        visits[tree],
                        values[tree],
                    )
                    total[tree] += batch
                    took = max(time.perf_counter() - sliced, 1e-6)
                    batch = max(1, int(batch * min(4.0, SLICE / took)))

        self.each_thread(work)
        return summary(tally_of(visits, values), self.final, self.units(), self.count, time.perf_counter() - began)


def tally_of(visits: Array, values: Array, base: int = -1) -> Any:
    """The tallies of rows of visits and summed values, a row a world; gains are above the base."""
    rows, mean = np.zeros(visits.shape, TALLY), values / np.maximum(visits, 1)
    rows["visits"], rows["value"], rows["worlds"] = visits, values, visits > 0
    rows["means"], rows["squares"] = mean, mean**2
    gain = np.where(visits > 0, mean - (mean[:, [base]] if base >= 0 else 0.0), 0.0)
    rows["gains"], rows["gain_squares"] = gain, gain**2
    best = np.arange(len(rows)), np.argmax(visits, axis=1)
    rows["votes"][best] = mean[best]
    return rows


def summary(
    rows: Array, final: str, units: tuple[float, float], worlds: int, seconds: float, base: int = -1
) -> Analysis:
    """What rows of tallies say together about the root's actions; `base` is what the gains are above."""
    total = {name: rows[name].sum(axis=0) for name in TALLY.names or ()}
    actions = np.flatnonzero(total["visits"])
    total = {name: values[actions] for name, values in total.items()}
    mean, seen = total["value"] / total["visits"], total["worlds"]
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (total["squares"] - total["means"] ** 2 / seen) / (seen - 1)
        half = np.where(seen > 1, 1.96 * np.sqrt(np.maximum(variance, 0.0) / seen), np.inf)
    if final == "sure" and base in actions:
        gain = total["gains"] / seen
        error = np.sqrt(np.maximum(total["gain_squares"] - seen * gain**2, 0.0)) / seen
        worth = np.where(actions == base, 0.0, np.where(gain > SURE * error, gain, -1.0))
    else:
        worth = {"vote": total["votes"], "max": mean}.get(final, total["visits"] + 0.5 * mean)
    low, span = units
    scaled = low + span * mean
    return Analysis(
        actions=actions,
        visits=total["visits"],
        value=scaled,
        low=scaled - span * half,
        high=scaled + span * half,
        chosen=int(actions[np.argmax(worth)]),
        iterations=int(total["visits"].sum()),
        worlds=worlds,
        seconds=seconds,
    )
