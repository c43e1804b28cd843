"""Experiments of the documents run again: how much is run, and the document's figures beside ours.

An experiment gives rows (a figure of ours with its interval, and the document's where it printed one) and statements
(what the document concludes, and whether our runs say the same). `compare` judges figures that should be equal; here
the opponents or the games may differ from the document's, so figures stand side by side without a verdict, and the
statements get one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from stich.arena.stats import Estimate, estimate, paired_p
from stich.core.contract import Array
from stich.papers.report import Tell, silent
from stich.run.workers import Workers


@dataclass(frozen=True)
class Effort:
    """How much to run, from which seed, and where."""

    seed: int
    workers: Workers
    full: bool = False
    """The document's sizes."""
    games: int = 0
    """So many games for each row instead of the experiment's own number."""
    opponent: str = ""
    """Another opponent than the experiment's own."""
    file: Path | None = None
    """Where recorded games are kept."""
    models: Path | None = None
    """Where models are, in place of those that come with Stich."""
    runs: Path | None = None
    """A run of `stich train`, or a folder of them."""
    tell: Tell = silent

    def deals(self, usual: int, document: int, games: int = 2) -> int:
        """How many deals to play, each in so many games; never less than usual where the document's sizes are."""
        if self.games:
            return max(2, -(-self.games // games))
        return max(usual, document) if self.full else usual


@dataclass(frozen=True)
class Entry:
    """A figure of ours, and the document's where it has one."""

    labels: Mapping[str, str | int | float]
    ours: Estimate
    count: int
    """The independent deals behind ours."""
    document: float | None = None
    spread: float | None = None
    """The document's plus or minus: the standard deviation of its games."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    missing: str = ""
    """What would be needed for a figure of ours, where there is none."""

    def machine(self) -> dict[str, Any]:
        """The row for JSON."""
        values = {"document": self.document, "document_deviation": self.spread, "count": self.count}
        ours: dict[str, Any] = {"ours": self.ours.mean, "low": self.ours.low, "high": self.ours.high}
        if self.missing:
            ours = dict.fromkeys(ours) | {"missing": self.missing}
        return {**self.labels, **ours, **values} | dict(self.facts)


def lacking(labels: Mapping[str, str | int | float], document: float | None, missing: str) -> Entry:
    """A row that has no figure of ours, and says why."""
    return Entry(labels, Estimate(nan, nan, nan), 0, document, missing=missing)


@dataclass(frozen=True)
class Statement:
    """What the document concludes, and what our runs say to it."""

    text: str
    difference: Estimate
    """Above 0 where the statement holds; where it denies a gain (`none`), above 0 where there is one."""
    p: float
    """Two-sided, paired on equal deals."""
    document: str = ""
    """The document's own p-value."""
    none: bool = False
    """Whether the document found no gain."""

    @property
    def verdict(self) -> str:
        """`yes` or `no` where the interval tells; that nothing is gained can also fail to be refuted."""
        if self.none:
            return "no" if self.difference.low > 0 else "yes" if self.difference.high < 0 else "not refuted"
        return "yes" if self.difference.low > 0 else "no" if self.difference.high < 0 else "undecided"

    def machine(self) -> dict[str, Any]:
        """The statement for JSON."""
        return {"statement": self.text, **asdict(self.difference), "p": self.p, "document": self.document} | {
            "verdict": self.verdict
        }


def statement(text: str, better: Array, worse: Array, document: str = "", none: bool = False) -> Statement:
    """A comparison on the deals that both were measured on."""
    count = min(len(better), len(worse))
    differences = np.asarray(better[:count]) - np.asarray(worse[:count])
    return Statement(text, estimate(differences), paired_p(differences), document, none)


@dataclass(frozen=True)
class Outcome:
    """An experiment that was run."""

    title: str
    rows: Sequence[Entry]
    statements: Sequence[Statement]
    notes: Sequence[str]
    draw: Callable[[Any], None]
    """Draws on an empty Matplotlib figure."""
    digits: int = 2
    grid: tuple[str, str] | None = None
    """The labels that make lines and columns where the rows are best read as a grid."""


@dataclass(frozen=True)
class Reproduction:
    """What a name of `stich reproduce` stands for."""

    doc: str
    run: Callable[[Effort], Outcome]
    has_opponent: bool = True
    has_file: bool = False
    has_models: bool = False
    has_runs: bool = False
