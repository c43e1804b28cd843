"""The figures of document 002, drawn again."""

from collections.abc import Sequence
from typing import Any

from stich.papers.experiment import Entry

OURS, THEIRS = "#3b75af", "#222222"


def draw_values(rows: Sequence[Entry], names: Sequence[str], figure: Any) -> None:
    """Figure 12.1: a curve for each method, rollouts dashed."""
    figure.set_size_inches(9, 6)
    axes = figure.subplots()
    for name in names:
        own = [row for row in rows if row.labels["method"] == name]
        at = [row.labels["cards played"] for row in own]
        search = "MCTS" in name
        [line] = axes.plot(at, [row.ours.mean for row in own], "-" if search else "--", label=name)
        axes.fill_between(
            at, [row.ours.low for row in own], [row.ours.high for row in own], alpha=0.12, color=line.get_color()
        )
    axes.set(
        title=f"Value estimation (document 002, Figure 12.1): {rows[0].count:,} games",
        xlabel="cards played",
        ylabel="mean squared error in 0.01",
    )
    axes.set_ylim(0, 1.2 * max(row.ours.mean for row in rows))
    axes.grid(alpha=0.3)
    axes.legend(ncols=2)


def draw_grid(rows: Sequence[Entry], opponent: str, figure: Any) -> None:
    """Table 13.1: a curve over iterations for each number of determinizations."""
    figure.set_size_inches(9, 5.5)
    axes = figure.subplots()
    for number, d in enumerate(sorted({int(row.labels["determinizations"]) for row in rows})):
        own = [row for row in rows if row.labels["determinizations"] == d]
        at = [
            int(row.labels["iterations"]) * 1.06**number for row in own
        ]  # side by side, not on top of each other
        [line, *_] = axes.errorbar(
            at,
            [row.ours.mean for row in own],
            yerr=[row.ours.half for row in own],
            fmt="o-",
            capsize=3,
            label=f"{d:,} determinizations",
        )
        axes.plot(at, [row.document for row in own], "x:", color=line.get_color(), alpha=0.6)
    axes.plot([], [], "x:", color=THEIRS, alpha=0.6, label="the document, against its network")
    axes.axhline(50, color=THEIRS, lw=0.8)
    axes.set(
        title=f"DMCTS against {opponent} (document 002, Table 13.1)", xlabel="iterations", ylabel="points in %"
    )
    axes.set_xscale("log")
    axes.grid(alpha=0.3)
    axes.legend()


def draw_rows(rows: Sequence[Entry], label: str, title: str, figure: Any) -> None:
    """A line for each row: ours with its interval, the document's with the deviation of its games."""
    figure.set_size_inches(9, 1.5 + 0.5 * len(rows))
    axes = figure.subplots()
    places = range(len(rows))
    axes.errorbar(
        [row.ours.mean for row in rows],
        places,
        xerr=[row.ours.half for row in rows],
        fmt="o",
        color=OURS,
        capsize=4,
        label="ours, 95 % interval",
    )
    known = [(place + 0.2, row) for place, row in zip(places, rows, strict=True) if row.document is not None]
    if known:
        axes.errorbar(
            [row.document for _, row in known],
            [place for place, _ in known],
            xerr=[row.spread for _, row in known],
            fmt="x",
            color=THEIRS,
            capsize=3,
            label="the document, deviation of its games",
        )
    axes.axvline(50, color=THEIRS, lw=0.8)
    names = [str(row.labels[label]) for row in rows]
    axes.set_title(f"Document 002, {title}", fontsize=10, wrap=True)
    axes.set(
        xlabel="points in %",
        yticks=places,
        yticklabels=names,
        ylim=(len(rows) - 0.5, -0.5),
    )
    axes.grid(alpha=0.3)
    axes.legend()
