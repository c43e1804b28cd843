"""`stich paper`: a table, figure or experiment of a document run again, its figures beside ours."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from stich.cli.arguments import Json, Plot, Ray, Workers, workers_of
from stich.cli.output import PERCENT, console, print_json, progress
from stich.core.errors import StichError
from stich.run.figures import check_file, save

if TYPE_CHECKING:
    from rich.progress import TaskID

    from stich.papers.experiment import Comparison, Effort, Experiment, Outcome
    from stich.papers.report import Tell

app = typer.Typer()


@app.command()
def paper(
    name: Annotated[
        str | None, typer.Argument(help="A table, figure or experiment; without a name, all are listed.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="The document's sizes: hours or days.")] = False,
    games: Annotated[
        int, typer.Option(min=0, help="Games of each row or simulation; 0: the experiment's own number.")
    ] = 0,
    opponent: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Another opponent, where there is one.")
    ] = None,
    recorded: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", help="Keep recorded games in this file, or read them from it."),
    ] = None,
    models: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Take models from here: GAME/ALGORITHM, or runs.")
    ] = None,
    runs: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="A run of `stich train`, or a folder of them.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The seed; default: the experiment's own.")] = None,
    workers: Workers = None,
    ray: Ray = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Run a table, figure or experiment of a document again, its figures beside ours; exits 1 if a model is missing."""
    if name is None:
        _list(json)
        return
    from stich.papers import find
    from stich.papers.experiment import Effort
    from stich.run.workers import InProcess

    found = find(name)
    own = (found.seed if seed is None else seed, InProcess(), full, games or found.games)
    effort = Effort(*own, opponent or "", recorded, models, runs)
    _check(name, found, effort, plot)
    began = time.perf_counter()
    with workers_of(workers, ray) as place, _bars(quiet=json) as tell:
        result = found.run(replace(effort, workers=place, tell=tell))
    seconds = time.perf_counter() - began
    files = _draw(result, plot) if plot else []
    if json:
        head = {"experiment": name, "doc": found.doc, "seed": effort.seed, "games": effort.games, "full": full}
        figures = [str(path) for path in files]
        print_json(
            {**head, "seconds": seconds, **result.machine(), "figures": figures, "missing": list(result.missing)}
        )
    else:
        _print(result, effort, seconds)
        _print_files(name, files, found.has_figure)
    if result.missing:
        raise typer.Exit(1)


def _list(json: bool) -> None:
    """All experiments by document."""
    from stich.core.registry import summary
    from stich.papers import documents

    if json:
        print_json(
            [
                {"name": name, "doc": found.doc, "document": summary(document), "takes": sorted(found.takes)}
                for document in documents()
                for name, found in document.EXPERIMENTS.items()
            ]
        )
        return
    for document in documents():
        table = Table("name", "what it is about", title=summary(document), title_justify="left")
        for name, found in document.EXPERIMENTS.items():
            table.add_row(name, escape(found.doc))
        console().print(table)
    console().print("To run one: stich paper NAME")


def _check(name: str, found: "Experiment", effort: "Effort", plot: Path | None) -> None:
    """Refuses what would fail after the work is done."""
    found.check(name, effort)
    for folder in (effort.models, effort.runs):
        if folder and not folder.is_dir():
            raise StichError(f"there is no folder {folder}")
    file = effort.recorded
    if file and not file.absolute().parent.is_dir():
        raise StichError(f"there is no folder {file.parent} for the recorded games")
    if plot and not found.has_figure:
        raise StichError(f"{name} has no figure: leave --plot out")
    if plot:
        check_file(plot)


@contextmanager
def _bars(quiet: bool) -> "Iterator[Tell]":
    """A progress bar for each part of an experiment."""
    with progress(PERCENT, quiet=quiet) as bar:
        tasks: dict[str, TaskID] = {}

        def tell(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)

        yield tell


def _draw(result: "Outcome | Comparison", plot: Path) -> list[Path]:
    """Writes the figures; if there are several, each file is named after its table."""
    drawings = result.drawings()
    files = [plot if len(drawings) == 1 else plot.with_stem(f"{plot.stem}-{name}") for name in drawings]
    for draw, path in zip(drawings.values(), files, strict=True):
        save(draw, path)
    return files


def _print(result: "Outcome | Comparison", effort: "Effort", seconds: float) -> None:
    from stich.cli.paper_print import print_comparison, print_outcome
    from stich.papers.experiment import Comparison

    screen = console()
    games = ""
    if isinstance(result, Comparison):
        print_comparison(screen, result)
        if any(row.deviation is not None for row in result.rows):
            games = f"{effort.games:,} games a simulation, "
    else:
        print_outcome(screen, result)
    screen.print(f"{games}seed {effort.seed}, {seconds:.1f} s")
    for what in result.missing:
        screen.print(f"missing: {what}", markup=False)


def _print_files(name: str, files: list[Path], has_figure: bool) -> None:
    for path in files:
        console().print(f"drawn: {path}", markup=False)
    if has_figure and not files:
        console().print(f"To draw it: stich paper {name} --plot FILE.png", markup=False)
