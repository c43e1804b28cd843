"""Document 000 (P. Oeschger, Cego), Figures 9 to 11 and E1: training progress, from the metrics of our own runs.

The document prints no values of these figures; what its text says of them stands beside ours. See docs/papers/cego.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import erfc, hypot, sqrt
from pathlib import Path
from typing import Any

from stich.arena.stats import Z95, Estimate
from stich.learn.folder import evaluations, list_runs
from stich.papers.cego import TABLE_6
from stich.papers.cego_model_figures import draw_curves
from stich.papers.cego_models import TABLE_15, measure_of, options_of
from stich.papers.reproduce import Effort, Entry, Outcome, Reproduction, Statement, lacking

MEASURED = "side0 vs random"
"""The single player's model against random play: setup 1, and the tournaments of 7.1.1."""
END = 10
"""The end of a curve is the last tenth of its points: single ones fluctuate."""

BEGINNING, EARLY, LAST = "beginning", "early", "end"
SAYS: Mapping[str, Mapping[str, float | None]] = {
    "dqn": {BEGINNING: 40.5, EARLY: 43.0, LAST: 43.5},
    "nfsp": {BEGINNING: None, LAST: 42.5},
    "dmc": {BEGINNING: None, LAST: 46.5},
}
"""What sections 7.1.2 to 7.1.4 read from Figures 9 to 11; dmc ends between 46 and 47."""
RANGES = {"dqn": (43.5, 43.5), "nfsp": (42.5, 42.5), "dmc": (46.0, 47.0)}
EARLY_FRAMES = 250_000
"""Half of the document's 500,000 time steps: it counts the moves of its evaluation games, as many as those learned
from. 35,244,044 steps are 801,001 games of 44 moves: 400,001 that were trained and 401 tournaments of 1,000."""


@dataclass(frozen=True)
class Curve:
    """What a run has measured on the way, in the table's unit."""

    run: str
    points: list[tuple[int, float, float]]
    """Frames, mean, standard error."""
    games: int
    """Behind each point."""

    def part(self, which: str) -> list[tuple[int, float, float]]:
        """The points of the beginning, of the evaluation nearest to the document's early one, or of the end."""
        if which == BEGINNING:
            return self.points[:1]
        if which == EARLY:
            return [min(self.points[1:] or self.points, key=lambda point: abs(point[0] - EARLY_FRAMES))]
        return self.points[-max(1, len(self.points) // END) :]

    def at(self, which: str) -> tuple[float, float]:
        """The mean of a part, with its error."""
        points = self.part(which)
        # All points are measured on the same deals, so their mean is hardly more certain than one of them.
        return sum(mean for _, mean, _ in points) / len(points), sum(error for *_, error in points) / len(points)

    def table(self) -> list[tuple[float, ...]]:
        """Frames, mean, and the ends of the 95 % interval."""
        return [(frames, mean, mean - Z95 * error, mean + Z95 * error) for frames, mean, error in self.points]


def find_curve(effort: Effort, subgame: str, algorithm: str) -> Curve | None:
    """The run of a sub-game and algorithm; of several the one with the most frames."""
    wanted = [
        run
        for run in (list_runs(effort.runs) if effort.runs else ())
        if (run["algorithm"], run["game"]) == (algorithm, f"cego.{subgame}")
        and options_of(subgame).items() <= run["options"].items()
        and run["options"].get("reward", "points") == "points"
    ]
    wanted = [run for run in wanted if MEASURED in run["evaluation"]]
    if not wanted:
        return None
    run = max(wanted, key=lambda run: run["frames"])
    factor = measure_of(subgame)[1]
    measured = [(line["frames"], line[MEASURED]) for line in evaluations(Path(run["run"]))]
    points = [(frames, factor * one["mean"], factor * one["error"]) for frames, one in measured]
    return Curve(run["run"], points, run["evaluate_games"])


def _needed(subgame: str, algorithm: str) -> str:
    options = "".join(f" -o {name}={value}" for name, value in options_of(subgame).items())
    return f"--runs with a run of: stich train {algorithm} cego.{subgame}{options}"


def _rows(
    figure: str, subgame: str, algorithm: str, curve: Curve | None, says: Mapping[str, float | None]
) -> list[Entry]:
    """A row for each part of a curve that the document has something to say of; the last carries the curve."""
    rows = []
    for part, document in says.items():
        labels: dict[str, str | int] = {
            "table": figure,
            "setup": algorithm if figure != "figure E1" else 1,
            "subgame": subgame,
            "seat": 0,
            "figure": measure_of(subgame)[0],
            "part": part,
            "frames": curve.part(part)[-1][0] if curve else 0,
        }
        if curve is None:
            rows.append(lacking(labels, document, _needed(subgame, algorithm)))
            continue
        mean, error = curve.at(part)
        facts: dict[str, Any] = {"run": curve.run, "error": error}
        if part == LAST:
            facts |= {"curve": [list(point) for point in curve.table()]}
        ours = Estimate(mean, mean - Z95 * error, mean + Z95 * error)
        rows.append(Entry(labels, ours, curve.games, document, facts=facts))
    return rows


def higher(text: str, one: tuple[float, float], other: tuple[float, float]) -> Statement:
    """Whether a mean is above another, both with their errors."""
    difference, error = one[0] - other[0], hypot(one[1], other[1])
    p = erfc(abs(difference) / (error * sqrt(2))) if error else float(difference == 0)
    return Statement(text, Estimate(difference, difference - Z95 * error, difference + Z95 * error), p)


def progress(algorithm: str, number: int, effort: Effort) -> Outcome:
    """Figures 9 to 11: one algorithm in Standard-Cego."""
    curve = find_curve(effort, "standard", algorithm)
    rows = _rows(f"figure {number}", "standard", algorithm, curve, SAYS[algorithm])
    claims = []
    if curve:
        begin, early, end = (curve.at(part) for part in (BEGINNING, EARLY, LAST))
        claims.append(higher("the points rise in training", end, begin))
        if algorithm == "dqn":
            text = f"they rise more in the first {EARLY_FRAMES:,} frames than afterwards"
            gains = (early[0] - begin[0], hypot(begin[1], early[1])), (end[0] - early[0], hypot(end[1], early[1]))
            claims.append(higher(text, *gains))
        for other in ("dqn", "nfsp") if algorithm == "dmc" else ("nfsp",) if algorithm == "dqn" else ():
            theirs = find_curve(effort, "standard", other)
            claims += [higher(f"they end above those of {other}", end, theirs.at(LAST))] if theirs else []
    name = f"{algorithm} in Standard-Cego"
    return Outcome(
        f"Figure {number}: training progress of {algorithm} in Standard-Cego, points against random play",
        rows,
        claims,
        [
            "The document draws this figure without numbers; its text says what stands beside ours.",
            f"`early` is the evaluation nearest to {EARLY_FRAMES:,} frames of training, the document's 500,000 time "
            "steps, which count the games of its evaluations too; `end` is the last tenth of the evaluations.",
        ],
        partial(draw_curves, {name: curve.table()} if curve else {}, {name: [RANGES[algorithm]]}),
    )


def figure_e1(effort: Effort) -> Outcome:
    """The training of dmc in all sub-games."""
    rows, curves = [], {}
    says = {
        subgame: {
            BEGINNING: TABLE_6[subgame, options_of(subgame).get("heuristic", "off")][0],
            LAST: TABLE_15[subgame][0][0],
        }
        for subgame in TABLE_15
    }
    for subgame in TABLE_15:
        curve = find_curve(effort, subgame, "dmc")
        rows += _rows("figure E1", subgame, "dmc", curve, says[subgame])
        if curve:
            curves[subgame] = curve
    return Outcome(
        "Figure E1: training progress of dmc in all sub-games, setup 1",
        rows,
        [
            higher(f"{subgame}: the result rises in training", curve.at(LAST), curve.at(BEGINNING))
            for subgame, curve in curves.items()
        ],
        [
            "The document draws this figure without numbers: beside our beginning stands its random play (Table 6), "
            "beside our end its trained model (Table 15, setup 1).",
            "Our runs measure setup 1 on the way; setups 2 to 4 of the trained models are in cego-table-15.",
        ],
        partial(
            draw_curves,
            {subgame: curve.table() for subgame, curve in curves.items()},
            {subgame: [(values[LAST], values[LAST])] for subgame, values in says.items()},
        ),
    )


REPRODUCTIONS = {
    f"cego-figure-{number}": Reproduction(
        f"training progress of {algorithm}", partial(progress, algorithm, number), False, has_runs=True
    )
    for number, algorithm in ((9, "dqn"), (10, "nfsp"), (11, "dmc"))
} | {"cego-figure-e1": Reproduction("training progress in all sub-games", figure_e1, False, has_runs=True)}
