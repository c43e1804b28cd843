"""Our solvers beside OpenSpiel's: seconds of an iteration and their ratio, best of alternating runs.

`python bench/openspiel.py` prints a row for each game, algorithm and solver of OpenSpiel: the C++ one called through
Python (`pyspiel`) and the one written in Python (`open_spiel.python`). Both sides run the same iterations on the same
game; the last column is the difference of exploitability after them. `python bench/openspiel.py GAME` prints the
seconds of CFR+, theirs in C++ and ours, as JSON for `stich bench`.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability

import stich
from stich.search.equilibrium import exploitability as evaluate
from stich.search.equilibrium.solvers import make_solver
from stich.search.equilibrium.tree import Tree, build

RUNS = 5
ITERATIONS = {"C++": 20, "Python": 2}
SOLVERS: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("cfr", "C++"): pyspiel.CFRSolver,
    ("cfr", "Python"): cfr.CFRSolver,
    ("cfr+", "C++"): pyspiel.CFRPlusSolver,
    ("cfr+", "Python"): cfr.CFRPlusSolver,
}
GAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}


def their_run(game: Any, make: Callable[[Any], Any], iterations: int) -> tuple[float, float]:
    """The seconds of an iteration and the exploitability after all of them."""
    solver = make(game)
    began = time.perf_counter()
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    seconds = (time.perf_counter() - began) / iterations
    return seconds, exploitability.exploitability(game, solver.average_policy())


def our_run(tree: Tree, algorithm: str, iterations: int) -> tuple[float, float]:
    """The same for ours; timed over a hundred times as many, as they are short."""
    long = make_solver(algorithm, tree)
    began = time.perf_counter()
    long.run(100 * iterations)
    seconds = (time.perf_counter() - began) / (100 * iterations)
    solver = make_solver(algorithm, tree)
    solver.run(iterations)
    return seconds, evaluate.exploitability(tree, solver.average())


def compare(name: str, algorithm: str, kind: str) -> tuple[float, float, float]:
    """Their and our seconds of an iteration, and the difference of exploitability."""
    game, tree, iterations = pyspiel.load_game(GAMES[name]), build(stich.make(name)), ITERATIONS[kind]
    our_run(tree, algorithm, 1)  # compiles
    pairs = [
        (their_run(game, SOLVERS[algorithm, kind], iterations), our_run(tree, algorithm, iterations))
        for _ in range(RUNS)
    ]
    theirs, ours = (min(seconds for seconds, _ in runs) for runs in zip(*pairs, strict=True))
    return theirs, ours, abs(pairs[0][0][1] - pairs[0][1][1])


def print_table() -> None:
    """All games, algorithms and solvers."""
    sys.stdout.write(
        f"{'game':8}{'algorithm':11}{'OpenSpiel':11}{'theirs':>12}{'ours':>12}{'ratio':>9}  differ by\n"
    )
    for name in GAMES:
        for algorithm, kind in SOLVERS:
            theirs, ours, gap = compare(name, algorithm, kind)
            times = f"{1e6 * theirs:9.1f} us{1e6 * ours:9.2f} us{theirs / ours:9.0f}"
            sys.stdout.write(f"{name:8}{algorithm:11}{kind:11}{times}  {gap:.1e}\n")


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.stdout.write(json.dumps(compare(sys.argv[1], "cfr+", "C++")))
    else:
        print_table()
