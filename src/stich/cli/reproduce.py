"""`stich reproduce`: an experiment of a document run again, its figures and statements beside ours."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from stich.cli.analyse import bars
from stich.cli.match import default_workers
from stich.cli.output import console, print_json
from stich.core.errors import StichError
from stich.papers import find_reproduction, reproductions
from stich.papers.experiment import Effort, Entry, Outcome
from stich.run.figures import check_file, save
from stich.run.workers import open_workers

WIDTH = 160
"""Columns where nobody's terminal says how many there are."""


def list_reproductions(json: bool) -> None:
    """All experiments with what they are about."""
    found = {name: reproduction.doc for name, reproduction in reproductions().items()}
    if json:
        print_json([{"name": name, "doc": doc} for name, doc in found.items()])
        return
    table = Table("experiment", "what it is about", title="stich reproduce NAME", title_justify="left")
    for name, doc in found.items():
        table.add_row(name, doc)
    console().print(table)


def run_reproduction(
    name: str,
    *,
    full: bool,
    games: int,
    opponent: str | None,
    file: Path | None,
    models: Path | None,
    runs: Path | None,
    seed: int,
    workers: int | None,
    ray: str | None,
    plot: Path | None,
    json: bool,
) -> None:
    """Runs an experiment and prints it, as tables or as JSON; exits 1 where a model or a run was missing."""
    reproduction = find_reproduction(name)
    if opponent and not reproduction.has_opponent:
        raise StichError(f"{name} has no opponent: leave --opponent out")
    if file and not reproduction.has_file:
        raise StichError(f"{name} keeps no recorded games: leave --recorded out")
    if models and not reproduction.has_models:
        raise StichError(f"{name} plays no models: leave --models out")
    if runs and not reproduction.has_runs:
        raise StichError(f"{name} shows no runs: leave --runs out")
    for folder in (models, runs):
        if folder and not folder.is_dir():
            raise StichError(f"there is no folder {folder}")
    if file and not file.absolute().parent.is_dir():
        raise StichError(f"there is no folder {file.parent} for the recorded games")
    if plot:
        check_file(plot)
    place = open_workers(default_workers() if workers is None else workers, ray)
    effort = Effort(seed, place, full, games, opponent or "", file, models, runs)
    began = time.perf_counter()
    try:
        with bars(quiet=json) as tell:
            outcome = reproduction.run(replace(effort, tell=tell))
    finally:
        place.close()
    seconds = time.perf_counter() - began
    if plot:
        save(outcome.draw, plot)
    missing = list(dict.fromkeys(row.missing for row in outcome.rows if row.missing))
    if json:
        print_json({**_machine(name, effort, outcome, seconds, plot), "missing": missing})
    else:
        _show(name, outcome, f"seed {seed}, {seconds:.1f} s", missing, plot)
    if missing:
        raise typer.Exit(1)


def _show(name: str, outcome: Outcome, effort: str, missing: Sequence[str], plot: Path | None) -> None:
    screen = console()
    if not screen.is_terminal:
        screen.width = WIDTH
    _print(screen, outcome)
    screen.print(effort)
    for what in missing:
        screen.print(f"missing: {what}", markup=False)
    if plot:
        screen.print(f"drawn: {plot}", markup=False)
    else:
        screen.print(f"To draw it: stich reproduce {name} --plot FILE.png", markup=False)


def _machine(name: str, effort: Effort, outcome: Outcome, seconds: float, plot: Path | None) -> dict[str, object]:
    return {
        "experiment": name,
        "title": outcome.title,
        "seed": effort.seed,
        "full": effort.full,
        "seconds": seconds,
        "rows": [row.machine() for row in outcome.rows],
        "statements": [statement.machine() for statement in outcome.statements],
        "notes": list(outcome.notes),
        "figures": [str(plot)] if plot else [],
    }


def _print(screen: Console, outcome: Outcome) -> None:
    screen.print(outcome.title, markup=False)
    screen.print(_grid(outcome) if outcome.grid else _list(outcome))
    if outcome.statements:
        table = Table("the document says", "its p", "our difference, 95 %", "p", "ours agree", box=None)
        for statement in outcome.statements:
            difference = f"{statement.difference.mean:+.2f} ± {statement.difference.half:.2f}"
            table.add_row(statement.text, statement.document, difference, f"{statement.p:.2g}", statement.verdict)
        screen.print(table)
    for note in outcome.notes:
        screen.print(note, markup=False)


def _list(outcome: Outcome) -> Table:
    """A line for each row."""
    labels = list(outcome.rows[0].labels)
    published = ["document"] if any(row.document is not None for row in outcome.rows) else []
    table = Table(*labels, *published, "ours", "95 % interval", "deals", box=None)
    for row in outcome.rows:
        ours, digits = row.ours, outcome.digits
        interval = f"{ours.low:.{digits}f} to {ours.high:.{digits}f}"
        found = [f"{ours.mean:.{digits}f}", interval, f"{row.count:,}"] if not row.missing else ["missing", "", ""]
        cells = [*([_published(row)] if published else []), *found]
        table.add_row(*(str(row.labels[name]) for name in labels), *cells)
    return table


def _published(row: Entry) -> str:
    if row.document is None:
        return ""
    return f"{row.document:g}" + (f" ± {row.spread:g}" if row.spread is not None else "")


def _grid(outcome: Outcome) -> Table:
    """The rows by two of their labels: ours with half the interval, the document's in brackets."""
    assert outcome.grid
    down, across = outcome.grid
    cells = {(row.labels[down], row.labels[across]): row for row in outcome.rows}
    columns = list(dict.fromkeys(column for _, column in cells))
    table = Table(down, *(_number(column) for column in columns), box=None)
    for line in dict.fromkeys(line for line, _ in cells):
        table.add_row(_number(line), *(_cell(cells.get((line, column)), outcome.digits) for column in columns))
    return table


def _number(value: str | int | float) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _cell(row: Entry | None, digits: int) -> str:
    if row is None:
        return ""
    document = f" ({row.document:g})" if row.document is not None else ""
    return f"{row.ours.mean:.{digits}f} ± {row.ours.half:.{digits}f}{document}"
