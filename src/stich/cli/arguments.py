"""Arguments that several commands share, and what is made of them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stich.core.errors import StichError

if TYPE_CHECKING:
    from stich.run.workers import Workers as Place

GameName = Annotated[str, typer.Argument(help="A game or variant, as listed by `stich games`, or a file.py.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="Set an option of the rules.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
Seed = Annotated[int, typer.Option(help="The seed that all randomness derives from.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Number of processes; default: all cores.")]
Ray = Annotated[str | None, typer.Option(metavar="ADDRESS", help="Run on the Ray cluster at this address.")]
Plot = Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the result into this file.")]
Limit = Annotated[float, typer.Option(min=0, help="Seconds for a move of a foreign agent; 0: no limit.")]
Settings = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change a setting.")]
LearnerName = Annotated[str, typer.Argument(help="A learner, as listed by `stich learners`, or module:Class.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]


def options_of(pairs: list[str] | None) -> dict[str, Any]:
    """The options given as NAME=VALUE."""
    options = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals:
            raise StichError(f"{pair!r} is not an option: write NAME=VALUE")
        options[name.strip()] = value.strip()
    return options


@contextmanager
def workers_of(count: int | None, ray: str | None) -> "Iterator[Place]":
    """The workers that a command asks for, closed at the end."""
    from stich.run.workers import open_workers

    place = open_workers(_cores() if count is None else count, ray)
    try:
        yield place
    finally:
        place.close()


def _cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
