"""The rows of `stich bench` about search: Monte Carlo beside OpenSpiel's bots, exact solving, PIMC."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from stich.agents import make_agent
from stich.core.game import Game, State
from stich.core.rng import stream
from stich.search.exact.pimc import OpenCardSolver, outlook_of
from stich.search.worlds.uct import grow_tree, new_tree

RUNS = 5
UCT, ISMCTS, WORLDS = 20_000, 40_000, 200
DEALS, WHOLE_SECONDS = 6, 10.0
DECISIONS, PIMC_SECONDS = 40, 5.0

Figure = tuple[str, float, str, float]
"""A name, a figure, its unit and its budget."""


def search_rows(game: Game, script: Path) -> Iterator[Figure | str]:
    """An iteration of UCT and of ISMCTS, and what a second thread brings."""
    first = game.spec.budgets.before_search
    if first is None:
        return
    state = game.new(1).play(first)
    view = state.view(state.player)
    tree = new_tree(20 * UCT, 1.0, game.bounds, stream(1, "bench"))

    def uct() -> None:
        grow_tree(state.array, tree._replace(rngs=stream(1, "bench")), UCT, 1)

    uct()
    each = 1e9 * min(_seconds(uct) for _ in range(RUNS)) / UCT
    yield f"{game.name} UCT from the first card, an iteration", each, "ns", 1e9 / 1.3e6
    shared = searcher(game, f"ismcts(i={ISMCTS})", view)
    each = 1e9 * min(shared() for _ in range(RUNS)) / ISMCTS
    yield f"{game.name} ISMCTS, an iteration", each, "ns", 1e9 / 0.5e6
    one, two = (searcher(game, f"dmcts(d={WORLDS},i=800,threads={threads})", view) for threads in (1, 2))
    times = [(one(), two()) for _ in range(RUNS)]
    ratio = min(second for _, second in times) / min(first for first, _ in times)
    yield f"{game.name} DMCTS, two threads / one", ratio, "x", 1 / 1.85
    yield from _openspiel(game.name, script)


def searcher(game: Game, spec: str, view: State) -> Callable[[], float]:
    """What searches a view and gives the seconds that it took."""
    agent: Any = make_agent(spec, game)
    return lambda: float(agent.analyse(view, stream(1, "bench")).seconds)


def _seconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def _openspiel(name: str, script: Path) -> Iterator[str]:
    """What an iteration of OpenSpiel's bots costs in its closest games."""
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    if done.returncode != 0:
        yield f"{name}: no comparison with OpenSpiel's search, which needs open_spiel and a checkout"
        return
    for line in json.loads(done.stdout):
        yield f"OpenSpiel {line['bot']} in {line['game']}: {1e9 * line['seconds']:,.0f} ns an iteration"


def solving_rows(game: Game) -> Iterator[Figure | str]:
    """Positions and whole deals solved exactly, and decisions of PIMC."""
    budgets = game.spec.budgets
    if game.name in budgets.exact:
        yield _exact(game, *budgets.exact[game.name])
    if game.name in budgets.whole:
        yield _whole_deals(game, *budgets.whole[game.name])
    if game.name in budgets.pimc:
        yield from _pimc(game, budgets.pimc[game.name])


def _positions(game: Game, cards: int, count: int) -> list[State]:
    """Positions of random games: with cards being played and at most this many left."""
    rng = np.random.default_rng(1)
    found: list[State] = []
    while len(found) < count:
        state = game.new(int(rng.integers(1 << 30)))
        while not state.is_over and (outlook_of(state.array)[1] > cards or outlook_of(state.array)[2] == 0):
            state.play(int(rng.choice(state.action_ids())))
        if not state.is_over:
            found.append(state)
    return found


def _exact(game: Game, cards: int, budget: float, count: int = 100) -> Figure:
    """Positions with all cards open, each run with an empty table."""
    found = _positions(game, cards, count)

    def solve() -> None:
        solver = OpenCardSolver(game)
        for state in found:
            solver.solve(state)

    solve()
    fastest = min(_seconds(solve) for _ in range(3))
    return f"{game.name} solved exactly, {cards} cards left", 1e3 * fastest / count, "ms", budget


def _whole_deals(game: Game, cards: int, budget: float) -> Figure:
    """The first deals of a fixed set; a deal that is not solved when the time is up counts with the time it had."""
    solver, late = OpenCardSolver(game, 1 << 22), 0
    spent: list[float] = []
    for state in _positions(game, cards, DEALS):
        left = WHOLE_SECONDS - sum(spent)
        if left > 0:
            began = time.perf_counter()
            late += solver.solve(state, left) is None
            spent.append(time.perf_counter() - began)
    name = f"{game.name} solved exactly, {len(spent)} whole deals" + (f", {late} not in time" if late else "")
    return name, sum(spent) / len(spent), "s", budget


def _pimc(game: Game, budget: float) -> Iterator[Figure | str]:
    """Decisions of PIMC at its defaults, spread over random games; only those that are solved, not searched."""
    agent: Any = make_agent("pimc", game)
    rng, spent, seed = np.random.default_rng(2), [0.0], 0
    while len(spent) <= DECISIONS and sum(spent) < PIMC_SECONDS:
        state, seed = game.new(seed), seed + 1
        solved = []
        while not state.is_over:
            if len(state.action_ids()) > 1 and agent.search.few_enough(state.array):
                solved.append(state.copy())
            state.play(int(rng.choice(state.action_ids())))
        if solved:
            chosen = solved[int(rng.integers(len(solved)))]
            spent.append(float(agent.analyse(chosen.view(chosen.player), stream(1, "bench")).seconds))
    each = sum(spent) / (len(spent) - 1)
    yield f"{game.name} PIMC, a decision among solved worlds", 1e3 * each, "ms", budget
    yield f"{game.name}: {1 / each:,.1f} PIMC decisions/s, mean of {len(spent) - 1} solved positions of random games"
