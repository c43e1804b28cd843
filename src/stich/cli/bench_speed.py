"""The budgets of docs/architecture.md, measured.

Every figure is the best of several runs: on a shared machine the best is the least disturbed. Ratios are taken
from runs that alternate.
"""

import functools
import json as jsonlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stich.cli.bench_search import search_rows, solving_rows
from stich.core import kernels
from stich.core.game import Game
from stich.core.rng import stream, streams
from stich.core.sampler import DRAW, PLAN
from stich.core.vector import VectorGame

RUNS = 7
TWINS = Path(__file__).parents[3] / "bench"
"""C++ twins of games, `GAME_twin.cpp`, and the comparison with OpenSpiel; only a checkout has them."""


@dataclass(frozen=True)
class Row:
    """One figure beside its budget."""

    name: str
    value: float
    unit: str
    budget: float

    @property
    def ok(self) -> bool:
        """Whether the budget is kept."""
        return self.value <= self.budget


def measure(games: list[Game], names: list[str]) -> Iterator[Row | str]:
    """Each figure with its budget, or a note where something cannot be measured."""
    for game in games:
        for variant in game.spec.variants:
            yield from _random_play(Game(game.family, variant, {}))
            if game.spec.deal_filter:
                yield from _filtered_deals(Game(game.family, variant, game.spec.deal_filter))
            for found in solving_rows(Game(game.family, variant, game.spec.deal_filter)):
                yield found if isinstance(found, str) else Row(*found)
        yield from _lockstep(game)
        for found in search_rows(game, TWINS / "openspiel_search.py"):
            yield found if isinstance(found, str) else Row(*found)
        if game.spec.budgets.equilibrium:
            yield from _solver(game.name)
    yield from _sampler()
    for name in names:
        yield from _starts(name)
    command = [sys.executable, "-m", "stich.cli", "--help"]
    yield Row("stich --help", best(lambda: subprocess.run(command, capture_output=True, check=True), 4), "s", 0.3)


def best(action: Callable[[], object], runs: int = RUNS) -> float:
    """The seconds of the fastest of several runs."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return min(times)


def _random_play(game: Game) -> Iterator[Row | str]:
    """Random play with the deal, alone and beside the C++ twin where there is one."""
    states, rngs = game.template.copy(), stream(1, "bench")
    result, sums, squares = np.zeros(game.seats), np.zeros(game.seats), np.zeros(game.seats)
    start = rngs.copy()
    moves = kernels.random_rounds(states, 2000, rngs, result, sums, squares)
    rounds = max(2000, int(2000 * 2_000_000 / moves))

    def play() -> float:
        rngs[:] = start
        sums[:] = 0
        began = time.perf_counter()
        count = kernels.random_rounds(states, rounds, rngs, result, sums, squares)
        return 1e9 * (time.perf_counter() - began) / float(count)

    twin = _compile_twin(game.name)
    pairs = [(play(), _run_twin(twin, rounds, start) if isinstance(twin, Path) else None) for _ in range(RUNS)]
    ours = min(pair[0] for pair in pairs)
    yield Row(f"{game.name} random play", ours, "ns/move", game.spec.budgets.move)
    if isinstance(twin, str):
        if twin:
            yield twin
        return
    runs = [pair[1] for pair in pairs if pair[1] is not None]
    if [int(value) for value in sums] != runs[0]["sums"]:
        yield f"the C++ twin of {game.name} plays differently: {runs[0]['sums']} instead of {sums.tolist()}"
    fastest = min(1e9 * run["seconds"] / run["moves"] for run in runs)
    yield Row(f"{game.name} random play / C++ twin", ours / fastest, "x", 1.25)
    if game.spec.budgets.twin:
        slow = fastest / game.spec.budgets.twin
        yield (
            f"{game.name}: the C++ twin takes {fastest:.1f} ns a move, {slow:.2f} times as long as in a quiet hour "
            "of the machine that the budgets are for"
        )


@functools.lru_cache(None)
def _compile_twin(name: str) -> Path | str:
    """The program of a variant's twin, or why it cannot run; nothing where there is none."""
    source = TWINS / f"{name}_twin.cpp"
    compiler = shutil.which("g++")
    if not source.exists():
        return ""
    if compiler is None:
        return f"{name}: no g++ to compile the C++ twin"
    program = Path(tempfile.mkdtemp(prefix="stich-bench-")) / name
    done = subprocess.run(
        [compiler, "-O3", "-march=native", "-std=c++17", "-o", str(program), str(source)], capture_output=True
    )
    return program if done.returncode == 0 else f"{name}: the C++ twin does not compile"


def _run_twin(program: Path, rounds: int, rngs: Any) -> dict[str, Any]:
    words = [str(rounds), str(rngs["a"][0]), str(rngs["b"][0])]
    output = subprocess.run([str(program), *words], capture_output=True, check=True).stdout
    run: dict[str, Any] = jsonlib.loads(output)
    return run


def _lockstep(game: Game, lanes: int = 1024, steps: int = 200) -> Iterator[Row]:
    """A lockstep step with mask and the document's observation, without choosing the actions."""
    vector = VectorGame(game, lanes)

    def play() -> float:
        seconds = 0.0
        for _ in range(steps):
            actions = vector.random_actions()
            began = time.perf_counter()
            vector.step(actions)
            seconds += time.perf_counter() - began
        return seconds

    fastest = min(play() for _ in range(RUNS))
    yield Row(f"{game.name} lockstep step, {vector.encoder.name}", 1e9 * fastest / (lanes * steps), "ns", 150.0)


def _solver(name: str) -> Iterator[Row | str]:
    """An iteration of CFR+ beside OpenSpiel's in C++, called through Python."""
    done = subprocess.run([sys.executable, TWINS / "openspiel.py", name], capture_output=True, text=True)
    if done.returncode != 0:
        yield f"{name}: no comparison with OpenSpiel, which needs open_spiel and a checkout"
        return
    theirs, ours, gap = jsonlib.loads(done.stdout)
    yield Row(f"{name} CFR+ / OpenSpiel's C++", ours / theirs, "x", 0.05)
    yield Row(f"{name} CFR+, exploitability beside OpenSpiel's", gap, "apart", 1e-9)


def _filtered_deals(game: Game, lanes: int = 2000) -> Iterator[Row]:
    """Deals under a hand condition."""
    states, rngs = np.repeat(game.template, lanes), streams(lanes, 1, "bench")
    kernels.deal_all(states, rngs)
    options = " ".join(f"{name}={value}" for name, value in game.spec.deal_filter.items())
    yield Row(
        f"{game.name} deal, {options}", 1e6 * best(lambda: kernels.deal_all(states, rngs)) / lanes, "us", 10.0
    )


def _sampler(draws: int = 5000) -> Iterator[Row]:
    """The largest usual plan: 43 hidden cards in three hands of 11 and a stock of 10, with weights."""
    plan = np.zeros(1, PLAN)
    sizes = [11, 11, 11, 10]
    plan["cards"], plan["places"] = sum(sizes), len(sizes)
    plan["size"][0, : len(sizes)] = sizes
    plan["card"][0, : sum(sizes)] = range(sum(sizes))
    plan["weight"][0, : sum(sizes), : len(sizes)] = np.random.default_rng(1).random((sum(sizes), len(sizes)))
    table, rngs = np.empty(kernels.plan_size(plan)), stream(1, "bench")
    places = np.zeros(draws, DRAW)
    kernels.plan_prepare(plan, table)
    kernels.plan_places(plan, table, rngs, places)
    yield Row("sampler prepare, 4 places", 1e6 * best(lambda: kernels.plan_prepare(plan, table)), "us", 500.0)
    seconds = best(lambda: kernels.plan_places(plan, table, rngs, places))
    yield Row("sampler draw, 4 places", 1e9 * seconds / (draws * sum(sizes)), "ns/card", 50.0)


COLD = 8.0
COMPILE = """
import time
began = time.perf_counter()
import stich
from stich.cli.bench_speed import touch
touch(stich.make({name!r}))
print(time.perf_counter() - began)
"""


def touch(game: Game) -> None:
    """Runs every kernel that playing, lockstep and sampling need, so that all are compiled."""
    state = game.new(1)
    view = state.view(state.player)
    view.sampler().draw(stream(1, "touch"), 2)
    state.key()
    state.play(state.action_ids()[0])
    kernels.returns_all(state.array, np.zeros((1, game.seats)))
    results = np.zeros((3, game.seats))
    kernels.random_rounds(game.template.copy(), 2, stream(1, "touch"), *results)
    VectorGame(game, 2).step(VectorGame(game, 2).random_actions())


def _starts(name: str) -> Iterator[Row]:
    """Cold compile, warm start and help, each in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="stich-bench-") as folder:
        colds: list[float] = []
        while len(colds) < 3 and min(colds, default=9.0) > COLD:
            environment = {**os.environ, "STICH_CACHE_DIR": f"{folder}/{len(colds)}"}
            colds.append(float(_python(COMPILE.format(name=name), environment)))
        yield Row(f"{name} cold compile", min(colds), "s", COLD)
        command = [sys.executable, "-m", "stich.cli", "sim", name, "--rounds", "1", "--json"]
        warm = best(lambda: subprocess.run(command, env=environment, capture_output=True, check=True), 4)
        yield Row(f"{name} warm start to the first result", warm, "s", 1.0)


def _python(code: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout
