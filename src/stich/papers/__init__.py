"""The documents' tables computed again and set beside the published figures.

A document is a module here with a table `ANALYSES`; `stich analyse MODULE NAME` runs one of them. Experiments that need
agents and time stand in its table `REPRODUCTIONS`; `stich reproduce NAME` runs one of them. Nothing else names it.
"""

import importlib
import pkgutil

from stich.core.errors import StichError
from stich.papers.experiment import Reproduction
from stich.papers.report import Analysis


def documents() -> dict[str, dict[str, Analysis]]:
    """The analyses of every document, by the name of its module."""
    found = {info.name: analyses_of(info.name) for info in pkgutil.iter_modules(__path__)}
    return {name: analyses for name, analyses in found.items() if analyses}


def analyses_of(document: str) -> dict[str, Analysis]:
    """The analyses of one document; none where there is no such module."""
    if document not in {info.name for info in pkgutil.iter_modules(__path__)}:
        return {}
    return getattr(importlib.import_module(f"{__name__}.{document}"), "ANALYSES", {})


def find(document: str, what: str) -> Analysis:
    """The analysis of this name."""
    analyses = analyses_of(document)
    if not analyses:
        raise StichError(f"there are no analyses of {document!r}; there are those of {', '.join(documents())}")
    if what not in analyses:
        raise StichError(f"there is no analysis {what!r} of {document}; there are {', '.join(analyses)}")
    return analyses[what]


def reproductions() -> dict[str, Reproduction]:
    """The experiments of all documents by name, which begins with that of the game."""
    modules = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    return {name: found for module in modules for name, found in getattr(module, "REPRODUCTIONS", {}).items()}


def find_reproduction(name: str) -> Reproduction:
    """The experiment of this name."""
    known = reproductions()
    if name not in known:
        raise StichError(f"there is no experiment {name!r}; there are {', '.join(known)}")
    return known[name]
