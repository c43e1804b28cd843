"""How `stich paper` prints: figures with verdicts, or rows and statements side by side."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from stich.papers.experiment import Comparison, Entry, Outcome
from stich.papers.report import Report, Row, largest, limit_of, spread

WIDTH = 160
"""Columns if output is not a terminal."""


def print_comparison(screen: Console, found: Comparison) -> None:
    """Each table, then a summary of all."""
    rows = found.rows
    for report in found.reports:
        _print_report(screen, report, limit_of(rows))
    _print_summary(screen, rows)


def _print_report(screen: Console, report: Report, limit: float) -> None:
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


def print_outcome(screen: Console, outcome: Outcome) -> None:
    """Rows as a list or a grid, then the document's statements."""
    if not screen.is_terminal:
        screen.width = WIDTH
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
