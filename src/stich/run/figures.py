"""Figures as PNG files, with Matplotlib where it is installed."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stich.core.errors import StichError


def figure_class() -> Any:
    """Matplotlib's figure, which draws without any window; loaded only when something is drawn."""
    try:
        return importlib.import_module("matplotlib.figure").Figure
    except ImportError:
        raise StichError("drawing needs Matplotlib: pip install stich[plot]") from None


def check_file(path: Path) -> None:
    """Refuses a file that nothing can be drawn into, before the work is done."""
    figure_class()
    if path.suffix.lower() != ".png":
        raise StichError(f"a figure is written as PNG: {path} should end in .png")
    if not path.absolute().parent.is_dir():
        raise StichError(f"there is no folder {path.parent} for the figure")


def save(draw: Callable[[Any], None], path: Path) -> None:
    """Draws a figure into a file."""
    figure = figure_class()(layout="constrained")
    draw(figure)
    try:
        figure.savefig(path, dpi=150, bbox_inches="tight", pad_inches=0.2)
    except OSError as error:
        raise StichError(f"the figure cannot be written to {path}: {error.strerror}") from None
