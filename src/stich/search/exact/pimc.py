"""Positions solved exactly, and perfect-information Monte Carlo: worlds drawn for a view, each of them solved.

Each solver has its own memory: a transposition table of a given size and a path. Values do not depend on what the
table holds, so a search limited by worlds is deterministic for a seed, whatever the number of threads.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from stich.core.contract import Array, Int
from stich.core.errors import StichError
from stich.core.game import Game, State
from stich.core.rng import numbered
from stich.core.types import Action
from stich.search.exact.alphabeta import (
    DEPTH,
    ENTRY,
    JOB,
    STEPS,
    WINDOW,
    SolverMemory,
    frame_of,
    outlook,
    solve_worlds,
)
from stich.search.exact.maxn import LINE, solve_lines, step_of
from stich.search.worlds.analysis import Analysis, summary, tally_of
from stich.search.worlds.belief import some_of
from stich.search.worlds.search import EVEN, SLICE, Drawing, Limits, Search, TreeOptions, first_seed
from stich.search.worlds.uct import ACTIONS, TALLY

ENTRIES = 1 << 20
"""The default size of a transposition table: 16 MB, and 10 MB for games without sides."""
FEW_CARDS, FEW_ENTRIES = 24, 1 << 16
"""Up to this many cards a position takes some ten thousand nodes, and 1 MB of the table, which stays in the cache."""
BLOCK = 64
"""Worlds whose values are added up at once, in their order: sums do not depend on threads."""
BATCH = 16
"""Worlds that are drawn at once for each thread."""
EXACT_SHARE = 0.7
"""The part of a time limit that is for solving; the rest is for breaking ties."""
BUDGET = 20_000
"""Nodes of the first slice."""


@dataclass(frozen=True)
class Solution:
    """The outcome of a position with all cards open and best play of all."""

    score: int
    """The final score of this stage, as the game counts it for side 0."""
    action: Action
    """A best move."""
    nodes: int
    seconds: float


def outlook_of(states: Array) -> tuple[int, int, int]:
    """Of the first state: the side to act, the cards that are left, and with how many it is solved quickly."""
    out = np.zeros((1, 3), np.int64)
    outlook(states[:1], out)
    return int(out[0, 0]), int(out[0, 1]), int(out[0, 2])


@dataclass(frozen=True)
class Speedups:
    """What makes the solver fast and changes no value; tests turn it off, one by one."""

    steps: bool = True
    """Tests of single scores (MTD) instead of one open window."""
    cutting: bool = True
    """Alpha-beta cutoffs."""
    ordered: bool = True
    """Promising moves first."""
    reduced: bool = True
    """Equivalent moves are tried once."""
    bounded: bool = True
    """Positions whose bounds decide are not searched."""


ALL = Speedups()


class OpenCardSolver:
    """Solves positions of one game with all cards open."""

    def __init__(self, game: Game, entries: int = ENTRIES, speedups: Speedups = ALL) -> None:
        """`entries`, 0 or a power of two, is the size of the transposition table."""
        if entries < 0 or entries & (entries - 1):
            raise StichError(f"a transposition table has a power of two of places, or none, not {entries}")
        self.game = game
        self.table, self.lines = np.zeros(entries, ENTRY), np.zeros(entries // 4, LINE)
        self.frames = np.zeros(DEPTH, frame_of(game.family.state))
        self.path = np.zeros(DEPTH, step_of(game.family.state))
        self.job = np.zeros(1, JOB)
        self.job["todo"] = self.job["ply"] = -1
        self.job["driver"] = STEPS if speedups.steps and speedups.cutting else WINDOW
        for name in ("cutting", "ordered", "reduced", "bounded"):
            self.job[name] = getattr(speedups, name)

    def warm(self) -> None:
        """Compiles what the game's solving needs most, by solving nothing."""
        none = np.zeros((0, ACTIONS))
        if self.game.spec.exact and self.game.spec.exact.has_sides:
            memory = SolverMemory(self.frames, self.table, self.job)
            solve_worlds(self.game.template[:0], memory, np.int64(1), none.astype(int), none)
        else:
            memory = SolverMemory(self.path, self.lines, self.job)
            solve_lines(self.game.template[:0], memory, np.int64(1), none)

    @property
    def memory(self) -> int:
        """The bytes of the tables."""
        return int(self.table.nbytes + self.lines.nbytes)

    def solve(self, state: State, seconds: float = 0.0) -> Solution | None:
        """The outcome of a position of two sides; None if the seconds (0: no limit) are not enough."""
        if outlook_of(state.array)[0] < 0:
            raise StichError("this game has no sides, so there is no common score: ask for `values`")
        began = time.perf_counter()
        scores, worths = np.zeros((1, ACTIONS), np.int64), np.zeros((1, ACTIONS))
        done = self._run(state.array, False, scores, worths, lambda: 0 < seconds <= time.perf_counter() - began)
        if not done:
            return None
        spent = time.perf_counter() - began
        return Solution(int(scores[0, 0]), Action(int(scores[0, 1])), int(self.job["nodes"][0]), spent)

    def values(self, state: State) -> dict[int, float]:
        """The value of each move for the seat to act, in the units of its returns."""
        worths = np.zeros((1, ACTIONS))
        self.rate(state.array, worths)
        return {action: float(worths[0, action]) for action in state.action_ids()}

    def rate(self, worlds: Array, worths: Array, late: Callable[[], bool] = lambda: False) -> int:
        """Writes the value of each move in each position for the seat to act; returns how many were done in time."""
        return self._run(worlds, True, np.zeros(worths.shape, np.int64), worths, late)

    def _run(self, worlds: Array, each: bool, scores: Array, worths: Array, late: Callable[[], bool]) -> int:
        """Runs a job in slices until it is done or late."""
        if not len(worlds):
            return 0
        side, cards, _ = outlook_of(worlds)
        alone = side < 0
        table = self.table[:FEW_ENTRIES] if cards <= FEW_CARDS else self.table
        self.job["each"], self.job["todo"], self.job["ply"] = each, -1, -1
        for name in ("world", "open", "step", "nodes"):
            self.job[name] = 0
        done: Int = False
        budget = BUDGET
        while not done:
            sliced = time.perf_counter()
            if self.job["ply"][0] == len(self.frames) - 1:
                self.frames = np.concatenate([self.frames, np.zeros_like(self.frames)])
                self.path = np.concatenate([self.path, np.zeros_like(self.path)])
            if alone:
                memory = SolverMemory(self.path, self.lines, self.job)
                done = solve_lines(worlds, memory, np.int64(budget), worths)
            else:
                memory = SolverMemory(self.frames, table, self.job)
                done = solve_worlds(worlds, memory, np.int64(budget), scores, worths)
            took = max(time.perf_counter() - sliced, 1e-6)
            budget = max(1000, int(budget * min(4.0, SLICE / took)))
            if not done and late():
                break
        return int(self.job["world"][0])


def add_up(tally: Array, worths: list[Any], legal: list[Action]) -> None:
    """Adds the values of the legal moves in some worlds."""
    visits = np.zeros((len(worths), ACTIONS), np.int64)
    visits[:, legal] = 1
    rows = tally_of(visits, np.array(worths))
    for name in TALLY.names or ():
        tally[name] += rows[name].sum(axis=0)


class Pimc(Search):
    """PIMC: every move of a view solved in every world drawn for it, and the best mean chosen.

    If more than `cards` cards are still to be played (-1: more than the game says can be solved quickly) another search
    is used. It also decides between moves of the same mean: solved worlds see no difference when nothing helps against
    players who know all cards, but against real ones there may be one.
    """

    def __init__(
        self,
        game: Game,
        limits: Limits,
        drawing: Drawing = EVEN,
        early: Search | None = None,
        cards: int = -1,
        entries: int = ENTRIES,
    ) -> None:
        """`entries` is the size of each thread's transposition table."""
        super().__init__(game, limits, TreeOptions(), drawing)
        self.solvers = [OpenCardSolver(game, entries) for _ in range(limits.threads)]
        self.solvers[0].warm()
        if drawing.belief.worlds:  # compiled before time counts
            some_of(game.template, numbered(0, 1, 0, "warm"), 1)
        self.early, self.cards = early, cards

    @property
    def memory(self) -> int:
        """The bytes of the tables, and of the other search."""
        return sum(solver.memory for solver in self.solvers) + (self.early.memory if self.early else 0)

    def few_enough(self, view: Array) -> bool:
        """Whether the worlds of a view are to be solved."""
        _, left, quick = outlook_of(view)
        return bool(left <= (quick if self.cards < 0 else self.cards))

    def analyse(self, view: Array, me: int, rngs: Array) -> Analysis:
        """Searches one view, from one generator."""
        began = time.perf_counter()
        if self.early and not self.few_enough(view):
            return self.early.analyse(view, me, rngs)
        seed = first_seed(rngs)
        draws = numbered(0, 1, seed, "draw")
        sampler = None if self.drawing.open_cards else self.drawing.sampler(view, me)
        pool = self.weighed(sampler, seed, began) if sampler else view[:0]

        def drawn(count: int) -> Array:
            if sampler is None:
                return view.copy()
            return some_of(pool, draws, count) if len(pool) else sampler.draw(draws, count)

        late = partial(self.late, began, EXACT_SHARE * self.limits.seconds)
        found = self._solve(view, drawn, late, began)
        tied = found.actions[found.value >= found.value.max() - 1e-9] if found.worlds else found.actions
        if self.early and len(tied) > 1:
            return self._break_tie(found, tied, self.early, view, me, rngs)
        return found

    def _break_tie(self, found: Analysis, tied: Any, other: Search, view: Array, me: int, rngs: Array) -> Analysis:
        """If solved worlds do not distinguish the best moves, or none was solved in time, the other search decides."""
        limits = other.limits
        if self.limits.seconds:
            other.limits = replace(limits, seconds=max(self.limits.seconds - found.seconds, SLICE))
        judged = other.analyse(view, me, rngs)
        other.limits = limits
        if not found.worlds:
            return judged
        visits = dict(zip(judged.actions.tolist(), judged.visits.tolist(), strict=True))
        chosen = max(tied.tolist(), key=lambda action: visits.get(action, 0))
        return replace(found, chosen=chosen, seconds=found.seconds + judged.seconds)

    def _solve(
        self, view: Array, drawn: Callable[[int], Array], late: Callable[[], bool], began: float
    ) -> Analysis:
        """Every move solved in every world."""
        wanted = 1 if self.drawing.open_cards else self.limits.worlds
        legal = State(self.game, view.copy()).action_ids()
        tally, rated, worlds = np.zeros((1, ACTIONS), TALLY), list[Any](), 0
        while worlds + len(rated) < wanted and not late():
            count = min(BATCH * self.limits.threads, wanted - worlds - len(rated))
            rated.extend(self._rate(drawn(count), late))
            while len(rated) >= BLOCK:
                add_up(tally, rated[:BLOCK], legal)
                worlds += BLOCK
                del rated[:BLOCK]
        if rated:
            add_up(tally, rated, legal)
            worlds += len(rated)
        seconds = time.perf_counter() - began
        if not worlds:
            level = np.zeros(len(legal))
            return Analysis(np.array(legal), level.astype(int), level, level, level, legal[0], 0, 0, seconds)
        return summary(tally, "max", (0.0, 1.0), worlds, seconds)

    def _rate(self, worlds: Array, late: Callable[[], bool]) -> list[Any]:
        """The value of each move in each world that was done in time."""
        threads = self.limits.threads
        worths = np.zeros((len(worlds), ACTIONS))
        bounds = [thread * len(worlds) // threads for thread in range(threads + 1)]
        done = np.zeros(threads, np.int64)

        def work(thread: int) -> None:
            part = slice(bounds[thread], bounds[thread + 1])
            done[thread] = self.solvers[thread].rate(worlds[part], worths[part], late)

        self.each_thread(work)
        return [row for thread in range(threads) for row in worths[bounds[thread] : bounds[thread] + done[thread]]]
