"""Printing: tables and text for people, JSON for machines."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import floor, log10
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

if TYPE_CHECKING:
    from rich.progress import Progress

SIGNS = str.maketrans({"♦": "D", "♥": "H", "♠": "S", "♣": "C", "·": "-", "→": ">"})


def console() -> Console:
    """The terminal, without colours where it has none and cut to nothing where output is piped."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


PERCENT = "{task.percentage:.0f} %"


def progress(*texts: str, quiet: bool, total: bool = True) -> "Progress":
    """A progress display beside the output: on standard error, gone when done, none for machines.

    A description, then these texts; with a bar and the remaining time if the total is known.
    """
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

    columns: list[ProgressColumn] = [TextColumn("{task.description}"), *([BarColumn()] if total else [])]
    columns += [*map(TextColumn, texts), *([TimeRemainingColumn()] if total else [])]
    shown = sys.stderr.isatty() and not quiet
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not shown)


@contextmanager
def counted(name: str, total: int, unit: str, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A progress bar; call what it gives with the number that is done."""
    with progress("{task.completed:,} of {task.total:,} " + unit, quiet=quiet) as bar:
        task = bar.add_task(escape(name), total=total)
        yield lambda done: bar.update(task, completed=done)


def interval(value: Mapping[str, Any], digits: int | None = None) -> str:
    """A mean with half of its interval, to `digits` decimals (default: two digits of that half)."""
    if value["low"] is None:
        return f"{value['mean']:.4g} ± ?"
    half = abs(value["high"] - value["low"]) / 2
    if digits is None:
        digits = max(0, 1 - floor(log10(half))) if half > 0 else 4
    return f"{round(value['mean'], digits) + 0.0:.{digits}f} ± {half:.{digits}f}"  # and no -0.0


def readable(text: str) -> str:
    """Text with card signs, or letters where the terminal cannot show them."""
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    if encoding.startswith("utf"):
        return text
    return text.translate(SIGNS).encode("ascii", "replace").decode()


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def print_line(value: Any) -> None:
    """One line of JSON, sent at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()
