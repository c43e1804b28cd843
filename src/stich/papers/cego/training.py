"""Document 000 (P. Oeschger, Cego), Figures 9 to 11 and E1: training progress, from what our own runs have kept.

The document prints no values of these figures; what its text says of them stands beside ours. See docs/papers/cego.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import erfc, hypot, sqrt
from pathlib import Path
from typing import Any

from stich.arena.play import POINTS
from stich.arena.stats import Z95, Estimate
from stich.learn.run_folder import SNAPSHOTS, evaluations, list_runs
from stich.papers.cego.model_figures import draw_curves
from stich.papers.cego.models import TABLE_15, measure_of, options_of, play_seats, published_15, setups_of
from stich.papers.cego.play import TABLE_6
from stich.papers.experiment import Effort, Entry, Outcome, Statement, lacking, reproduction

MEASURED = "side0 vs random"
"""The single player's model against random play: setup 1, and the tournaments of 7.1.1."""
E1_SEED, E1_GAMES, SHOWN = 15, 1000, 12
"""Appendix E: seed and games behind each point; how many snapshots are played unless `--full` asks for all."""
END = 10
"""The end of a curve is the last tenth of its points: single ones fluctuate."""

Labels = dict[str, str | int]
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


def find_run(effort: Effort, subgame: str, algorithm: str) -> dict[str, Any] | None:
    """The run of a sub-game and algorithm; of several the one with the most frames."""
    wanted = [
        run
        for run in (list_runs(effort.runs) if effort.runs else ())
        if (run["algorithm"], run["game"]) == (algorithm, f"cego.{subgame}")
        and options_of(subgame).items() <= run["options"].items()
        and run["options"].get("reward", "points") == "points"
        and MEASURED in run["evaluation"]
    ]
    return max(wanted, key=lambda run: run["frames"], default=None)


def find_curve(effort: Effort, subgame: str, algorithm: str) -> Curve | None:
    """What the run of a sub-game and algorithm has measured on the way."""
    run = find_run(effort, subgame, algorithm)
    if run is None:
        return None
    factor = measure_of(subgame)[1]
    measured = [(line["frames"], line[MEASURED]) for line in evaluations(Path(run["run"]))]
    points = [(frames, factor * one["mean"], factor * one["error"]) for frames, one in measured]
    return Curve(run["run"], points, run["evaluate_games"])


def snapshot_curve(effort: Effort, subgame: str, setup: int) -> Curve | None:
    """The results of a setup at the snapshots of the run of a sub-game: some of them, all with `--full`."""
    run = find_run(effort, subgame, "dmc")
    kept = sorted((Path(run["run"]) / SNAPSHOTS).glob("*.json")) if run else []
    if not run or not kept:
        return None
    if not effort.full:
        kept = [kept[i] for i in sorted({round(k * (len(kept) - 1) / (SHOWN - 1)) for k in range(SHOWN)})]
    where, factor = setups_of(subgame)[setup - 1], measure_of(subgame)[1]
    points = []
    for path in kept:
        seats = [f"model({path.with_suffix('')})" if seat in where else "random" for seat in range(4)]
        what = f"{subgame}, setup {setup}, {int(path.stem):,} frames"
        played = play_seats(effort, subgame, seats, (E1_SEED,), what, E1_GAMES, E1_GAMES)
        values = factor * played[:, where[0], POINTS]
        points.append((int(path.stem), float(values.mean()), float(values.std() / sqrt(len(values)))))
    return Curve(run["run"], points, len(played))


def _needed(subgame: str, algorithm: str, more: str = "") -> str:
    options = "".join(f" -o {name}={value}" for name, value in options_of(subgame).items())
    return f"--runs with a run of: stich train {algorithm} cego.{subgame}{options}{more}"


def _rows(curve: Curve | None, says: Mapping[str, float | None], missing: str, **labels: str | int) -> list[Entry]:
    """A row for each part of a curve that the document has something to say of; the last carries the curve."""
    rows = []
    for part, document in says.items():
        own = {**labels, "part": part, "frames": curve.part(part)[-1][0] if curve else 0}
        if curve is None:
            rows.append(lacking(own, document, missing))
            continue
        mean, error = curve.at(part)
        facts: dict[str, Any] = {"run": curve.run, "error": error}
        if part == LAST:
            facts |= {"curve": [list(point) for point in curve.table()]}
        ours = Estimate(mean, mean - Z95 * error, mean + Z95 * error)
        rows.append(Entry(own, ours, curve.games, document, facts=facts))
    return rows


def higher(text: str, one: tuple[float, float], other: tuple[float, float]) -> Statement:
    """Whether a mean is above another, both with their errors."""
    difference, error = one[0] - other[0], hypot(one[1], other[1])
    p = erfc(abs(difference) / (error * sqrt(2))) if error else float(difference == 0)
    return Statement(text, Estimate(difference, difference - Z95 * error, difference + Z95 * error), p)


def progress(algorithm: str, number: int, effort: Effort) -> Outcome:
    """Figures 9 to 11: one algorithm in Standard-Cego."""
    curve = find_curve(effort, "standard", algorithm)
    labels: Labels = {
        "table": f"figure {number}",
        "setup": algorithm,
        "subgame": "standard",
        "seat": 0,
        "figure": "APPG",
    }
    rows = _rows(curve, SAYS[algorithm], _needed("standard", algorithm), **labels)
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
        partial(draw_curves, {name: {"ours": curve.table()}} if curve else {}, {name: [RANGES[algorithm]]}),
    )


def figure_e1(effort: Effort) -> Outcome:
    """The training of dmc in all sub-games and setups."""
    rows, claims = [], []
    curves: dict[str, dict[str, Any]] = {}
    marks: dict[str, list[tuple[float, float]]] = {}
    for subgame in TABLE_15:
        for number, where in enumerate(setups_of(subgame), 1):
            seat, document = where[0], published_15(subgame, number - 1)[where[0]]
            random = TABLE_6[subgame, options_of(subgame).get("heuristic", "off")]
            labels: Labels = {"table": "figure E1", "setup": number, "subgame": subgame, "seat": seat}
            curve = find_curve(effort, subgame, "dmc") if number == 1 else snapshot_curve(effort, subgame, number)
            missing = _needed(subgame, "dmc", "" if number == 1 else " --set snapshots=on")
            says = {BEGINNING: random[seat], LAST: document}
            rows += _rows(curve, says, missing, **labels, figure=measure_of(subgame)[0])
            marks.setdefault(subgame, []).append((document, document))
            if curve:
                curves.setdefault(subgame, {})[f"setup {number}"] = curve.table()
                if number == 1:
                    text = f"{subgame}: the result rises in training"
                    claims.append(higher(text, curve.at(LAST), curve.at(BEGINNING)))
    return Outcome(
        "Figure E1: training progress of dmc in all sub-games and setups",
        rows,
        claims,
        [
            "The document draws this figure without numbers: beside our beginning stands its random play (Table 6), "
            "beside our end its trained model (Table 15).",
            f"Setup 1 is what runs measure on the way; the others are {E1_GAMES:,} games of seed "
            f"{E1_SEED + effort.seed} with each of {SHOWN} snapshots (--full: all), as in the document. Setup 2 is the "
            "result of player 2, the others of player 1.",
        ],
        partial(draw_curves, curves, marks),
    )


EXPERIMENTS = {
    f"cego-figure-{number}": reproduction(
        f"training progress of {algorithm}", partial(progress, algorithm, number), "runs"
    )
    for number, algorithm in ((9, "dqn"), (10, "nfsp"), (11, "dmc"))
} | {"cego-figure-e1": reproduction("training progress in all sub-games", figure_e1, "runs")}
