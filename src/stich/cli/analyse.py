"""`stich analyse`: a document's tables computed again, its figures beside ours."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from stich.cli.output import console, print_json, progress
from stich.core.errors import StichError
from stich.papers import find
from stich.papers.report import Report, Row, Run, Tell, largest, limit_of, spread
from stich.run.figures import check_file, save


def analyse_document(document: str, what: str, games: int, seed: int, plot: Path | None, json: bool) -> None:
    """Runs one analysis and prints it, as tables or as JSON; draws its figures where that is asked for."""
    analysis = find(document, what)
    if plot:
        if not analysis.has_figure:
            raise StichError(f"{what} of {document} has no figure: leave --plot out")
        check_file(plot)
    began = time.perf_counter()
    with bars(quiet=json) as tell:
        reports = analysis.run(Run(games, seed, tell))
    seconds = time.perf_counter() - began
    files = _draw(reports, plot) if plot else []
    rows = [row for report in reports for row in report.rows]
    if json:
        head: dict[str, object] = {"document": document, "analysis": what, "games": games, "seed": seed}
        print_json(
            {**head, "seconds": seconds, **_machine(reports, rows), "figures": [str(path) for path in files]}
        )
        return
    screen = console()
    simulated = any(row.deviation is not None for row in rows)
    effort = f": {games:,} games a simulation, seed {seed}, {seconds:.1f} s" if simulated else ""
    screen.print(f"{analysis.doc}{effort}")
    for report in reports:
        _print(screen, report, limit_of(rows))
    _print_summary(screen, rows)
    if analysis.has_figure and not plot:
        screen.print(f"To draw it: stich analyse {document} {what} --plot FILE.png")
    for path in files:
        screen.print(f"drawn: {path}", markup=False)


@contextmanager
def bars(quiet: bool) -> Iterator[Tell]:
    """A progress bar for each simulation."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:.0f} %"))
    with progress(*columns, TimeRemainingColumn(), quiet=quiet) as bar:
        tasks: dict[str, TaskID] = {}

        def tell(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)

        yield tell


def _draw(reports: Sequence[Report], plot: Path) -> list[Path]:
    """Writes the figures; where there are several, each file is named after its report."""
    drawn = [report for report in reports if report.draw]
    files = [plot if len(drawn) == 1 else plot.with_stem(f"{plot.stem}-{report.name}") for report in drawn]
    for report, path in zip(drawn, files, strict=True):
        assert report.draw
        save(report.draw, path)
    return files


def _machine(reports: Sequence[Report], rows: Sequence[Row]) -> dict[str, object]:
    limit, worst = limit_of(rows), largest(rows)
    return {
        "rows": [row.machine(limit) for row in rows],
        "limit": limit,
        "largest_deviation": worst.machine(limit) if worst else None,
        "root_mean_square": spread(rows),
        "disagree": sum(not row.agrees(limit) for row in rows),
        "notes": [note for report in reports for note in report.notes],
        **{name: value for report in reports for name, value in report.facts.items()},
    }


def _print(screen: Console, report: Report, limit: float) -> None:
    """One table with its notes."""
    labels = [name for name in report.rows[0].labels if name != "table"]
    estimated = any(row.deviation is not None for row in report.rows)
    table = Table(*labels, title=report.title, title_justify="left", box=None, pad_edge=False)
    for name in ("document", "ours", *(("95 % interval", "deviation") if estimated else ()), "agrees"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in report.rows:
        cells = _estimated(row, report.digits) if estimated else _exact(row)
        verdict = "[green]yes[/]" if row.agrees(limit) else "[bold red]no[/]"
        table.add_row(*(str(row.labels[name]) for name in labels), *cells, verdict)
    screen.print()
    screen.print(table)
    if estimated:
        screen.print(f"Largest deviation: {_describe(largest(report.rows))}.")
        screen.print(f"Root mean square of the deviations: {spread(report.rows):.2f} (about 1 by chance alone).")
    for note in report.notes:
        screen.print(escape(note))


def _exact(row: Row) -> tuple[str, ...]:
    return f"{row.document:g}", f"{row.ours:,}"


def _estimated(row: Row, digits: int) -> tuple[str, ...]:
    if row.deviation is None:
        return *_exact(row), "exact", ""
    interval = f"{row.low:.{digits}f} to {row.high:.{digits}f}"
    return f"{row.document:.{row.decimals}f}", f"{row.ours:.{digits}f}", interval, f"{row.deviation:+.2f}"


def _print_summary(screen: Console, rows: Sequence[Row]) -> None:
    limit = limit_of(rows)
    differ = sum(not row.agrees(limit) for row in rows)
    screen.print()
    screen.print(f"{len(rows) - differ} of {len(rows)} figures agree, {differ} differ.")
    if worst := largest(rows):
        screen.print(f"Largest deviation of all: {_describe(worst)}.")
        screen.print(
            "Deviations are in standard errors of the difference: both samples, and the document's rounding. "
            f"Beyond {limit:.2f} a figure differs: one false alarm in 20 runs at most."
        )


def _describe(row: Row | None) -> str:
    """A row by its labels and deviation."""
    if row is None:
        return "none"
    labels = ", ".join(f"{name} {value}" for name, value in row.labels.items())
    return f"{row.deviation:+.2f} ({labels}: document {row.document:.{row.decimals}f}, ours {row.ours:.4f})"
