"""The rows of `stich bench` about Monte Carlo search, beside OpenSpiel's bots where it is installed."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from stich.agents import make_agent
from stich.core.face import Game, State
from stich.core.rng import stream
from stich.search.mcts import NODE, SETTINGS, grow_tree

RUNS = 5
UCT, ISMCTS, WORLDS = 20_000, 40_000, 200
FIRST_MOVE = {"jass": "D"}
"""The games whose search is measured, and what is played before: searches begin with the first card."""

Figure = tuple[str, float, str, float]
"""A name, a figure, its unit and its budget."""


def search_rows(game: Game, script: Path) -> Iterator[Figure | str]:
    """An iteration of UCT and of ISMCTS, and what a second thread brings."""
    if game.name not in FIRST_MOVE:
        return
    state = game.new(1).play(FIRST_MOVE[game.name])
    view, (low, high) = state.view(state.player), map(float, game.bounds)
    settings, tree = np.zeros(1, SETTINGS), np.zeros(20 * UCT, NODE)
    settings["c"] = 1.0

    def uct() -> None:
        grow_tree(state.array, settings, tree, UCT, 1, low, high, stream(1, "bench"), None)

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
