"""Determinized Monte Carlo tree search: worlds that agree with a view, each with its own tree (document 002)."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from stich.core import kernels
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.rng import RNG, number_seeds, numbered
from stich.search.worlds.analysis import FINAL, Analysis, summary
from stich.search.worlds.search import APART, EVEN, SLICE, Drawing, Limits, Search, TreeOptions, first_seed
from stich.search.worlds.uct import ACTIONS, NODE, SHARDS, TALLY, Job, count_tree, grow_tree, search_worlds

OPTIONS = TreeOptions()


class Dmcts(Search):
    """Many worlds, each with its own tree of a given number of iterations (document 002, 10.1 and 10.2)."""

    def __init__(
        self,
        game: Game,
        limits: Limits,
        options: TreeOptions = OPTIONS,
        drawing: Drawing = EVEN,
    ) -> None:
        if options.final not in FINAL:
            raise StichError(f"the final rule is one of {', '.join(FINAL)}, not {options.final!r}")
        if options.final == "sure" and not game.spec.has_rule:
            raise StichError(f"{game.spec.name} has no rule-based player for the final rule 'sure'")
        super().__init__(game, limits, options, drawing)
        room = 64 * limits.iterations + 64
        self.trees = np.zeros((limits.threads, min(options.nodes, room)), NODE)

    def analyse(self, view: Array, me: int, rngs: Array) -> Analysis:
        """Searches one view, from one generator."""
        began = time.perf_counter()
        seed, limits, tally = first_seed(rngs), self.limits, np.zeros((SHARDS, ACTIONS), TALLY)
        seeds, base = number_seeds(seed, "world"), self.by_rule(view, rngs)
        source = self.source(view, me, seed, began)
        for name in ("world", "grown", "worlds", "span"):
            self.settings[name] = 0

        def work(thread: int) -> None:
            tree = self.tree(thread, np.zeros(APART, RNG))
            job = Job(seeds, view.copy(), limits.worlds, limits.iterations, thread, limits.threads, base)
            budget = 64
            while tree.settings["world"][0] < limits.worlds:
                sliced = time.perf_counter()
                search_worlds(source, tree, job, budget, tally)
                if self.late(began, limits.seconds):
                    break
                took = max(time.perf_counter() - sliced, 1e-6)
                budget = max(1, int(budget * min(8.0, SLICE / took)))

        self.each_thread(work)
        worlds = int(self.settings["worlds"][:, 0].sum())
        if worlds == 0:  # there was no time for one: unfinished ones count
            for thread in np.flatnonzero(self.settings["grown"][:, 0]):
                count_tree(self.trees[thread], tally[thread], base)
                worlds += 1
        return summary(tally, self.options.final, self.units(), worlds, time.perf_counter() - began, base)

    def by_rule(self, view: Array, rngs: Array) -> int:
        """The action of the rule-based player if the final rule depends on it, else -1."""
        action = np.full(1, -1)
        if self.options.final == "sure":
            kernels.rule_all(view, rngs, action)
        return int(action[0])


class TimedDmcts(Dmcts):
    """The form of document 002, 10.1: a number of worlds by the tricks that remain, the time divided among them."""

    def __init__(
        self, game: Game, limits: Limits, options: TreeOptions, factor: int, tricks: Callable[[Any], int]
    ) -> None:
        super().__init__(game, limits, options)
        self.factor, self.tricks = factor, tricks

    def analyse(self, view: Array, me: int, rngs: Array) -> Analysis:
        """Searches one view, from one generator."""
        began = time.perf_counter()
        seed, threads = first_seed(rngs), self.limits.threads
        count = max(1, self.factor * self.tricks(view[0]))
        worlds = self.drawing.sampler(view, me).draw(numbered(0, 1, seed, "draw"), count)
        generators, base = numbered(0, count, seed, "world"), self.by_rule(view, rngs)
        tally = np.zeros((count, ACTIONS), TALLY)
        share = self.limits.seconds * threads / count

        def work(thread: int) -> None:
            for number, world in enumerate(range(thread, count, threads)):
                until, batch, fresh = began + (number + 1) * share, 16, 1
                tree = self.tree(thread, np.repeat(generators[world : world + 1], APART))
                while fresh or (time.perf_counter() < until and not self.stopped):
                    sliced = time.perf_counter()
                    grow_tree(worlds[world : world + 1], tree, batch, fresh)
                    took = max(time.perf_counter() - sliced, 1e-6)
                    left = max(until - time.perf_counter(), 0.0)
                    batch = max(1, int(batch * min(4.0, min(SLICE, left) / took)))
                    fresh = 0
                count_tree(tree.nodes, tally[world], base)

        self.each_thread(work)
        return summary(tally, self.options.final, self.units(), count, time.perf_counter() - began, base)
