"""Document 003 (J. Schumacher, M. Pleines, Wizard): accuracy by round (Figure 9) and winning shares (Figure 17).

Figure 9 is a drawing; the text says that random play meets one bid in r + 1. The rule-based curve stands as rounded
numbers in the authors' code, and so do the mean points of both players. docs/papers/wizard.md holds the results.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, sqrt
from typing import Any

import numpy as np

from stich.arena.stats import Z95
from stich.core.rng import stream
from stich.games import make
from stich.papers.experiment import comparison
from stich.papers.report import Report, Row, Run, mean
from stich.papers.wizard.kernels import DOCUMENT, OURS, RANDOM, Sums, play_kinds

ROUNDS = range(1, 16)
RULE_ACCURACY = (84, 71, 59, 51, 48, 46, 44, 43, 42, 41, 41, 41, 41, 41, 40)
"""The document's rule-based player among its equals: bids met in percent, rounds 1 to 15."""
RULE_POINTS = (17, 13.5, 10.5, 8.5, 8, 8, 8.5, 9, 9.5, 10, 11, 12, 13, 14, 13)
RANDOM_POINTS = (6.5, -0.5, -5.5, -10, -14, -17.5, -21, -24, -27.5, -31, -34.5, -37.5, -41, -44.5, -47.5)
DOCUMENT_ROUNDS = 10_000
"""Section IV.A: 10,000 rounds for each bidding position are behind a figure."""
DQN = "87 % in round 1, 65 to 67 % in the middle, almost 80 % in round 15"
"""What the text says of the trained nets (Figure 8)."""
DQN_WINS = {1: 80.0, 2: 89.0}
"""Figure 17: the winning share of one or two nets, together, against rule-based players."""
NAMES = {RANDOM: "random", DOCUMENT: "document", OURS: "ours"}
SLOWNESS = {RANDOM: 4, DOCUMENT: 4, OURS: 40}
"""A round holds four bids; our own player thinks longer and gets a tenth of the rounds."""


@dataclass(frozen=True)
class Outcome:
    """What many games gave: (mean, standard deviation, games) of accuracy in percent and of points; wins by seat."""

    accuracy: tuple[float, float, int]
    points: tuple[float, float, int]
    wins: Any


def play(run: Run, name: str, what: str, kinds: Sequence[int], judged: int, **options: object) -> Outcome:
    """Plays a variant with kinds of players and gives the outcome of one kind."""
    game = make(name, **options)
    states, rngs = game.template.copy(), stream(run.seed, "wizard", what)
    met, points, wins = sums = Sums(np.zeros((3, 2)), np.zeros((3, 2)), np.zeros(len(kinds)))
    seats = np.array(kinds)
    run.play(what, lambda count: play_kinds(states, count, rngs, seats, sums))
    scale = 100.0 if name == "wizard.round" else 100.0 / len(ROUNDS)
    return Outcome(
        _estimate(met[judged] * (scale, scale**2), run.games), _estimate(points[judged], run.games), wins
    )


def _estimate(sums: Any, games: int) -> tuple[float, float, int]:
    value = float(sums[0]) / games
    return value, sqrt(max(0.0, float(sums[1]) / games - value**2)), games


def rounds_of(run: Run, kind: int) -> list[Outcome]:
    """Each round alone, four players of one kind, the start seat drawn."""
    fewer = Run(max(1, run.games // SLOWNESS[kind]), run.seed, run.tell)
    return [play(fewer, "wizard.round", f"{NAMES[kind]} {r}", [kind] * 4, kind, round=r) for r in ROUNDS]


def accuracy_reports(run: Run) -> list[Report]:
    """Figure 9, and the mean points of the same rounds."""
    outcomes = {kind: rounds_of(run, kind) for kind in NAMES}
    exact = [100 / (r + 1) for r in ROUNDS]
    accuracy = [
        *_rows("Figure 9", RANDOM, exact, outcomes[RANDOM], "accuracy", inf, 0.005),
        *_rows("Figure 9", DOCUMENT, RULE_ACCURACY, outcomes[DOCUMENT], "accuracy", DOCUMENT_ROUNDS, 0.5),
    ]
    points = [
        *_rows("points", RANDOM, RANDOM_POINTS, outcomes[RANDOM], "points", DOCUMENT_ROUNDS, 0.25),
        *_rows("points", DOCUMENT, RULE_POINTS, outcomes[DOCUMENT], "points", DOCUMENT_ROUNDS, 0.25),
    ]
    ours = outcomes[OURS]
    return [
        Report(
            "accuracy",
            "Figure 9: bids met in percent, four players of one kind",
            accuracy,
            2,
            [
                "Random: the document's 1 / (r + 1). Rule-based: the numbers of the authors' code. "
                f"{outcomes[RANDOM][0].accuracy[2]:,} rounds of four bids each.",
                *_table(ours),
            ],
            {"ours": [_machine(r, outcome) for r, outcome in zip(ROUNDS, ours, strict=True)]},
            draw=partial(draw_accuracy, accuracy, [outcome.accuracy[0] for outcome in ours]),
        ),
        Report("points", "Mean points of a round, as the authors' code has them", points, 2),
    ]


def _rows(
    table: str,
    kind: int,
    published: Sequence[float],
    outcomes: Sequence[Outcome],
    what: str,
    trials: float,
    rounding: float,
) -> list[Row]:
    return [
        mean(
            {"table": table, "player": NAMES[kind], "round": r},
            value,
            getattr(outcome, what),
            trials,
            rounding,
        )
        for r, value, outcome in zip(ROUNDS, published, outcomes, strict=True)
    ]


def _interval(estimate: tuple[float, float, int]) -> tuple[float, float]:
    half = Z95 * estimate[1] / sqrt(estimate[2])
    return estimate[0] - half, estimate[0] + half


def _machine(r: int, outcome: Outcome) -> dict[str, object]:
    """Our player's round for JSON."""
    low, high = _interval(outcome.accuracy)
    return {
        "round": r,
        "accuracy": outcome.accuracy[0],
        "low": low,
        "high": high,
        "points": outcome.points[0],
        "rounds": outcome.accuracy[2],
    }


def _table(ours: Sequence[Outcome]) -> list[str]:
    """Our rule-based player beside the document's, as lines."""
    lines = [
        f"Our own rule-based player among its equals, {ours[0].accuracy[2]:,} rounds (the document's nets: {DQN}):",
        f"{'round':>7}{'document':>10}{'ours':>8}   95 % interval   points",
    ]
    for r, published, outcome in zip(ROUNDS, RULE_ACCURACY, ours, strict=True):
        low, high = _interval(outcome.accuracy)
        lines.append(
            f"{r:>7}{published:>10}{outcome.accuracy[0]:>8.2f}   {low:.2f} to {high:.2f}  {outcome.points[0]:>7.2f}"
        )
    return lines


def winning_report(run: Run) -> Report:
    """Figure 17: whole games; rule-based players alone, and ours in the place of the nets."""
    fewer = Run(max(1, run.games // 100), run.seed, run.tell)
    equal = play(fewer, "wizard", "document", [DOCUMENT] * 4, DOCUMENT)
    rows = [
        mean({"table": "Figure 17", "seat": seat}, 25.0, _share(equal.wins[seat], fewer.games), 10_000, 0.5)
        for seat in range(4)
    ]
    notes, facts = [], []
    for count, published in DQN_WINS.items():
        kinds = [OURS, DOCUMENT, OURS if count == 2 else DOCUMENT, DOCUMENT]
        outcome = play(fewer, "wizard", f"{count} of ours", kinds, OURS)
        wins = sum(outcome.wins[seat] for seat in range(4) if kinds[seat] == OURS)
        share = _share(wins, fewer.games)
        low, high = _interval(share)
        notes.append(
            f"{count} of our rule-based players against {4 - count} of the document's: {share[0]:.2f} % of the wins "
            f"({low:.2f} to {high:.2f}), {outcome.points[0]:.1f} points; the document's nets: {published:.0f} %."
        )
        facts.append({"ours": count, "wins": share[0], "low": low, "high": high, "points": outcome.points[0]})
    return Report(
        "winning",
        "Figure 17: winning share in percent of each seat, four of the document's rule-based players",
        rows,
        2,
        [*notes, f"{fewer.games:,} whole games each; ties are shared."],
        {"against_document": facts},
    )


def _share(wins: float, games: int) -> tuple[float, float, int]:
    """A share in percent as (mean, standard deviation, games); ties make it a little less spread than this."""
    share = float(wins) / games
    return 100 * share, 100 * sqrt(share * (1 - share)), games


def draw_accuracy(rows: Sequence[Row], ours: Sequence[float], figure: Any) -> None:
    """Figure 9 again: bids met by round."""
    figure.set_size_inches(9, 5.5)
    axes = figure.subplots()
    for name, colour in (("random", "#3b75af"), ("document", "#b5523b")):
        chosen = [row for row in rows if row.labels["player"] == name]
        axes.plot(ROUNDS, [row.ours for row in chosen], color=colour, label=f"{name}, ours")
        axes.plot(ROUNDS, [row.document for row in chosen], "_", color="#222222", ms=10)
    axes.plot(ROUNDS, ours, color="#7b4ba0", label="our own rule-based player")
    axes.plot([], [], "_", color="#222222", ms=10, label="the document's numbers")
    axes.set(title="Wizard: accuracy by round (document 003, Figure 9)", xlabel="round", ylabel="bids met in %")
    axes.set_xticks(list(ROUNDS))
    axes.set_ylim(0, 100)
    axes.grid(alpha=0.3)
    axes.legend()


EXPERIMENTS = {
    "wizard-figure-9": comparison("bids met by round, and mean points", accuracy_reports),
    "wizard-figure-17": comparison("winning shares in whole games", lambda run: [winning_report(run)], False),
}
