"""`stich replay`: recorded games against the engine."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from stich.cli.arguments import Json
from stich.cli.output import console, print_json, progress
from stich.core.errors import StichError

if TYPE_CHECKING:
    from stich.core.transcript import Report

app = typer.Typer()


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Recordings, plain or gzip.")],
    json: Json = False,
) -> None:
    """Replay recorded games and compare every step; exits 1 on a mismatch, 2 on a file that is no recording."""
    from stich.core.transcript import replay_file
    from stich.games import make

    reports: list[Report] = []
    errors: list[str] = []
    with progress("{task.completed:.0f} games", quiet=json, total=False) as bar:
        for path in files:
            task = bar.add_task(path.name, total=None)
            try:
                reports.append(replay_file(path, make, lambda task=task: bar.advance(task)))  # type: ignore[misc]
            except StichError as error:
                errors.append(str(error))
            bar.remove_task(task)
    if json:
        _print_json(reports, errors)
    else:
        _print_table(reports)
    for line in errors:
        sys.stderr.write(f"stich: {line}\n")
    raise typer.Exit(2 if errors else 1 if any(report.mismatches for report in reports) else 0)


def _print_json(reports: "list[Report]", errors: list[str]) -> None:
    files = [
        {**asdict(report), "first": None if report.first is None else str(report.first)} for report in reports
    ]
    print_json({"files": files, "errors": errors})


def _print_table(reports: "list[Report]") -> None:
    screen = console()
    table = Table("file", "games", "decisions", "vectors", "mismatches")
    for report in reports:
        counts = (report.games, report.decisions, report.vectors, report.mismatches)
        table.add_row(Path(report.file).name, *(f"{count:,}" for count in counts))
    if reports:
        screen.print(table)
    for report in reports:
        if report.first:
            screen.print(f"first mismatch: {report.first}", markup=False)
