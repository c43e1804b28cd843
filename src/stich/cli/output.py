"""Printing: tables and text for people, JSON for machines."""

import json
import sys
from typing import Any

from rich.console import Console
from rich.progress import Progress, ProgressColumn

SIGNS = str.maketrans({"♦": "D", "♥": "H", "♠": "S", "♣": "C", "·": "-", "→": ">"})


def console() -> Console:
    """The terminal, without colours where it has none and cut to nothing where output is piped."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def progress(*columns: ProgressColumn, quiet: bool) -> Progress:
    """A progress display beside the output: on standard error, gone when done, none for machines."""
    return Progress(
        *columns, console=Console(stderr=True), transient=True, disable=quiet or not sys.stderr.isatty()
    )


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
