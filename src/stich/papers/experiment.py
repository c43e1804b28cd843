"""Experiments of the documents run again: how much is run, and the document's figures beside ours.

An experiment of agents gives rows (a figure of ours with its interval, and the document's where it printed one) and
statements (what the document concludes, and whether our runs agree). The opponents or the games may differ from the
document's, so figures stand side by side without a verdict, and the statements get one. A `Comparison` is for tables
that a simulation should meet: there every figure gets a verdict.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from stich.arena.stats import Estimate, estimate, paired_p
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.papers.report import Report, Row, Run, Tell, largest, limit_of, silent, spread
from stich.run.workers import Workers


@dataclass(frozen=True)
class Effort:
    """How much to run, from which seed, and where."""

    seed: int
    workers: Workers
    full: bool = False
    """The document's sizes."""
    games: int = 0
    """Games for each row; 0: the experiment's own number."""
    opponent: str = ""
    """Another opponent than the experiment's own."""
    recorded: Path | None = None
    """Where recorded games are kept."""
    models: Path | None = None
    """Where models are, in place of those that come with Stich."""
    runs: Path | None = None
    """A run of `stich train`, or a folder of them."""
    tell: Tell = silent

    def deals(self, usual: int, document: int, games: int = 2) -> int:
        """How many deals to play, each in a number of games; never less than usual where the document's sizes are."""
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


Draw = Callable[[Any], None]
"""Draws on an empty Matplotlib figure."""


@dataclass(frozen=True)
class Outcome:
    """An experiment that was run: rows side by side, and statements with a verdict."""

    title: str
    rows: Sequence[Entry]
    statements: Sequence[Statement]
    notes: Sequence[str]
    draw: Draw
    digits: int = 2
    grid: tuple[str, str] | None = None
    """The labels that make lines and columns where the rows are best read as a grid."""

    @property
    def missing(self) -> list[str]:
        """What would be needed for the rows that have no figure of ours."""
        return list(dict.fromkeys(row.missing for row in self.rows if row.missing))

    def drawings(self) -> dict[str, Draw]:
        """What can be drawn, by name."""
        return {"": self.draw}

    def machine(self) -> dict[str, Any]:
        """The outcome for JSON."""
        return {
            "title": self.title,
            "rows": [row.machine() for row in self.rows],
            "statements": [statement.machine() for statement in self.statements],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Comparison:
    """Published tables computed again: every figure is judged, all of them together."""

    reports: Sequence[Report]
    missing: Sequence[str] = ()

    @property
    def rows(self) -> list[Row]:
        """The rows of all tables."""
        return [row for report in self.reports for row in report.rows]

    def drawings(self) -> dict[str, Draw]:
        """What can be drawn, by name."""
        return {report.name: report.draw for report in self.reports if report.draw}

    def machine(self) -> dict[str, Any]:
        """The comparison for JSON."""
        rows = self.rows
        limit, worst = limit_of(rows), largest(rows)
        return {
            "rows": [row.machine(limit) for row in rows],
            "limit": limit,
            "largest_deviation": worst.machine(limit) if worst else None,
            "root_mean_square": spread(rows),
            "disagree": sum(not row.agrees(limit) for row in rows),
            "notes": [note for report in self.reports for note in report.notes],
            **{name: value for report in self.reports for name, value in report.facts.items()},
        }


OPTIONS = {
    "full": "has no larger size",
    "opponent": "has no opponent",
    "recorded": "keeps no recorded games",
    "models": "plays no models",
    "runs": "shows no runs",
}
"""What an experiment may take beside games and seed, and the message where it does not."""


@dataclass(frozen=True)
class Experiment:
    """A table, figure or section of a document that can be run again."""

    doc: str
    run: Callable[[Effort], Outcome | Comparison]
    takes: frozenset[str]
    """Which of `OPTIONS` it takes."""
    games: int = 0
    """Games of each simulation; 0: each row has its own number."""
    least: int = 1
    """The fewest games that make sense."""
    seed: int = 0
    has_figure: bool = True

    def check(self, name: str, effort: Effort) -> None:
        """Refuses what it does not take."""
        for option, problem in OPTIONS.items():
            if getattr(effort, option) and option not in self.takes:
                raise StichError(f"{name} {problem}: leave --{option} out")
        if 0 < effort.games < self.least:
            raise StichError(f"{name} needs at least {self.least:,} games, not {effort.games:,}")


def reproduction(doc: str, run: Callable[[Effort], Outcome], *takes: str) -> Experiment:
    """An experiment with agents or models, in a quick size and in the document's (`full`)."""
    return Experiment(doc, run, frozenset({"full", *takes}))


def comparison(doc: str, tables: Callable[[Run], Sequence[Report]], has_figure: bool = True) -> Experiment:
    """An experiment that simulates published tables again."""

    def run(effort: Effort) -> Comparison:
        return Comparison(tables(Run(effort.games, effort.seed, effort.tell)))

    return Experiment(doc, run, frozenset(), games=1_000_000, least=1000, seed=12, has_figure=has_figure)
