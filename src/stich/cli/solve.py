"""`stich solve`: an equilibrium of a small game."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from stich.cli.arguments import GameName, Json, Options, Plot, Seed, options_of
from stich.cli.output import PERCENT, console, print_json, progress
from stich.run import figures

if TYPE_CHECKING:
    from stich.search.equilibrium.solvers import EquilibriumSolver
    from stich.search.equilibrium.tree import Tree

SLICE = 0.2
"""Seconds of one kernel call: how long Ctrl-C may have to wait."""
SHOWN = 40
"""The most information sets that a table on the screen has."""

app = typer.Typer()


@app.command()
def solve(
    game: GameName,
    algorithm: Annotated[str, typer.Option(help="cfr, cfr+, linear, dcfr, external or outcome.")] = "cfr+",
    iterations: Annotated[int, typer.Option(min=1, help="Number of iterations.")] = 10_000,
    seed: Seed = 0,
    option: Options = None,
    save: Annotated[Path | None, typer.Option(help="Write the strategy; solved(FILE) plays it.")] = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Solve a small game: an equilibrium, how far it is from exact, and what it plays."""
    from stich.games import make
    from stich.search.equilibrium import strategy as texts
    from stich.search.equilibrium.exploitability import values
    from stich.search.equilibrium.solvers import make_solver
    from stich.search.equilibrium.tree import build

    made = make(game, **options_of(option))
    if save:
        texts.check_file(save)
    if plot:
        figures.check_file(plot)
    tree = build(made)
    make_solver(algorithm, tree, seed).run(1)  # compiles
    solver = make_solver(algorithm, tree, seed)
    curve, seconds = _curve(solver, tree, f"{made.name}, {algorithm}", iterations, quiet=json)
    average = solver.average()
    facts = {
        "algorithm": algorithm,
        "iterations": iterations,
        "seed": seed,
        "nodes": tree.nodes,
        "information_sets": tree.infos,
        "exploitability": curve[-1]["exploitability"],
        "value": float(values(tree, average)[0][0]),
    }
    rows = texts.rows(tree, average, None if save or json else SHOWN)
    if save:
        texts.save(save, made, rows, facts)
    if plot:
        figures.save(lambda figure: _draw(figure, repr(made), algorithm, curve), plot)
    if json:
        head = {"game": made.name, "options": made.options, **facts}
        print_json({**head, "seconds": seconds, "rows": curve, "strategy": rows})
        return
    _print(tree, facts, curve, seconds)
    _print_strategy(rows[:SHOWN], len(texts.choices(tree)))
    for path in (save, plot):
        if path:
            console().print(f"written: {path}", markup=False)


def _curve(
    solver: "EquilibriumSolver", tree: "Tree", name: str, iterations: int, quiet: bool
) -> tuple[list[dict[str, Any]], float]:
    """Runs a solver; its exploitability on the way, and the seconds that the iterations took."""
    from stich.search.equilibrium.exploitability import exploitability
    from stich.search.equilibrium.solvers import checkpoints

    curve, seconds = [], 0.0
    with progress(PERCENT, quiet=quiet) as bar:
        task = bar.add_task(name, total=iterations)
        for stop in checkpoints(iterations):
            for took in _run(solver, stop):
                seconds += took
                bar.update(task, completed=solver.iterations)
            curve.append({"iterations": stop, "exploitability": exploitability(tree, solver.average())})
    return curve, seconds


def _run(solver: "EquilibriumSolver", stop: int) -> Iterator[float]:
    """Runs up to iteration `stop` in slices, and gives the seconds that each took."""
    batch = 1
    while solver.iterations < stop:
        batch = min(batch, stop - solver.iterations)
        began = time.perf_counter()
        solver.run(batch)
        took = time.perf_counter() - began
        yield took
        batch = max(1, int(batch * min(8.0, SLICE / max(took, 1e-6))))


def _print(tree: "Tree", facts: Mapping[str, Any], curve: list[dict[str, Any]], seconds: float) -> None:
    """The size of the game and the curve."""
    screen = console()
    iterations = facts["iterations"]
    title = f"{tree.game!r}: {facts['algorithm']}, {tree.nodes:,} nodes, {tree.infos:,} information sets"
    table = Table("iterations", "exploitability", title=title, title_justify="left")
    for row in curve:
        table.add_row(f"{row['iterations']:,}", f"{row['exploitability']:.3g}")
    screen.print(table)
    screen.print(
        f"{iterations:,} iterations in {seconds:.2f} s ({1e6 * seconds / iterations:.1f} us each). "
        f"The value for {_seat(tree, 0)} is {facts['value']:.6f}."
    )


def _print_strategy(rows: list[dict[str, Any]], infos: int) -> None:
    """What the average strategy does, information set by information set."""
    screen = console()
    table = Table("seat", "cards", "moves so far", "strategy", title="Average strategy", title_justify="left")
    for row in rows:
        chances = ", ".join(f"{action['name']} {action['probability']:.3f}" for action in row["actions"])
        table.add_row(str(row["seat"]), row["cards"], row["history"], chances)
    screen.print(table)
    if infos > len(rows):
        screen.print(f"{infos - len(rows)} more information sets: --save FILE or --json has them all.")


def _seat(tree: "Tree", seat: int) -> str:
    return tree.game.words().seat(seat)


def _draw(figure: Any, title: str, algorithm: str, curve: list[dict[str, Any]]) -> None:
    """Exploitability by iterations, both on logarithmic axes."""
    axes = figure.subplots()
    axes.loglog(*zip(*(row.values() for row in curve), strict=True), marker="o", label=algorithm)
    axes.set(title=title, xlabel="iterations", ylabel="exploitability")
    axes.legend()
    axes.grid(visible=True, alpha=0.3)
