"""The documents' tables, figures and experiments run again and set beside what was published.

A document is a package here with a table `EXPERIMENTS`; `stich paper NAME` runs one of them. Nothing else names it.
"""

import importlib
import pkgutil
from types import ModuleType

from stich.core.errors import StichError
from stich.papers.experiment import Experiment


def documents() -> list[ModuleType]:
    """The documents."""
    return [
        importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__) if info.ispkg
    ]


def experiments() -> dict[str, Experiment]:
    """The experiments of all documents by name, which begins with that of the game."""
    return {name: found for document in documents() for name, found in document.EXPERIMENTS.items()}


def find(name: str) -> Experiment:
    """The experiment of this name."""
    known = experiments()
    if name not in known:
        raise StichError(f"there is no experiment {name!r}; there are {', '.join(known)}")
    return known[name]
