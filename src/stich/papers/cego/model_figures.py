"""The tables and figures of document 000 about trained models, drawn on empty Matplotlib figures."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stich.arena.study import Cards
from stich.papers.cego.play_figures import BLUE, DARK, GREY, VIOLET
from stich.papers.experiment import Entry

COLORS = (VIOLET, BLUE, "#c8762b", GREY)
"""Of lines in one panel."""


def draw_lines(rows: Sequence[Entry], title: str, figure: Any) -> None:
    """Points on the left, winning percentages on the right: a line for each setup."""
    names = list(dict.fromkeys(str(row.labels["setup"]) for row in rows))
    figure.set_size_inches(10, 1.6 + 0.45 * len(names))
    figure.suptitle(f"Document 000, {title}")
    for axes, kind in zip(figure.subplots(1, 2, sharey=True), ("APPG", "WP"), strict=True):
        own = [row for row in rows if row.labels["figure"] == kind]
        places = [names.index(str(row.labels["setup"])) for row in own]
        _ours(axes, own, places, across=True)
        axes.plot([row.document for row in own], places, "|", color=DARK, ms=14, mew=1.5, label="document")
        axes.set(xlabel="points a game" if kind == "APPG" else "games won in %")
        axes.set_yticks(range(len(names)), names)
        axes.grid(alpha=0.3)
    axes.invert_yaxis()
    axes.legend()


def _ours(axes: Any, rows: Sequence[Entry], places: Sequence[float], across: bool) -> None:
    """Ours with intervals, where there are any."""
    known = [(row, place) for row, place in zip(rows, places, strict=True) if not row.missing]
    values, at = [row.ours.mean for row, _ in known], [place for _, place in known]
    halves = [row.ours.half for row, _ in known]
    style = {"fmt": "o", "color": BLUE, "ms": 4, "capsize": 3, "label": "ours, 95 % interval"}
    if across:
        axes.errorbar(values, at, xerr=halves, **style)
    else:
        axes.errorbar(at, values, yerr=halves, **style)


def draw_setups(rows: Sequence[Entry], figure: Any) -> None:
    """Table 15: a panel for each sub-game, the seats of each setup side by side."""
    figure.set_size_inches(12, 7)
    figure.suptitle("Document 000, Table 15: dmc models in all sub-games (seats 0 to 3 of each setup)")
    subgames = list(dict.fromkeys(str(row.labels["subgame"]) for row in rows))
    for axes, subgame in zip(figure.subplots(2, 3).flat, subgames, strict=True):
        own = [row for row in rows if row.labels["subgame"] == subgame]
        places = [int(row.labels["setup"]) + 0.15 * (int(row.labels["seat"]) - 1.5) for row in own]
        _ours(axes, own, places, across=False)
        axes.plot(places, [row.document for row in own], "_", color=DARK, ms=11, mew=1.5, label="document")
        axes.set(title=subgame, xlabel="setup", ylabel="points" if own[0].labels["figure"] == "APPG" else "% won")
        axes.set_xticks(sorted({int(row.labels["setup"]) for row in own}))
        axes.grid(axis="y", alpha=0.3)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2)


def draw_cards(cards: Cards | None, figure: Any) -> None:
    """Figure F1: rounds down, cards across, dark where a card is often played."""
    figure.set_size_inches(12, 4)
    axes = figure.subplots()
    axes.set(title="Document 000, Figure F1: what the model of Ultimo plays when", ylabel="round")
    if cards is None:
        axes.text(0.5, 0.5, "no model", ha="center")
        return
    shares = 100 * cards.shares
    image = axes.imshow(shares, aspect="auto", cmap="Purples", vmin=0)
    axes.set_xticks(range(len(cards.names)), cards.names, rotation=90, fontsize=7)
    axes.set_yticks(range(len(shares)), range(1, len(shares) + 1))
    figure.colorbar(image, label="share of games in %")


def draw_curves(
    curves: Mapping[str, Mapping[str, Any]], marks: Mapping[str, Sequence[tuple[float, float]]], figure: Any
) -> None:
    """Training progress: a panel for each run, its lines with intervals; where the document's end, dashed."""
    names = list(curves) or ["no run"]
    across = min(3, len(names))
    down = -(-len(names) // across)
    figure.set_size_inches(max(7, 4.2 * across), 3.6 * down + 0.4)
    panels = figure.subplots(down, across, squeeze=False).flat
    for axes, name in zip(panels, names, strict=False):
        axes.set(title=name, xlabel="million frames", ylabel="points, or games won in %")
        lines = curves.get(name, {})
        for (label, table), color, ends in zip(lines.items(), COLORS, marks.get(name, ()), strict=False):
            frames, mean, low, high = np.array(table).T
            axes.plot(frames / 1e6, mean, color=color, label=label)
            axes.fill_between(frames / 1e6, low, high, color=color, alpha=0.2, lw=0)
            if ends[1] > ends[0]:
                axes.axhspan(*ends, color=color, alpha=0.15, lw=0)
            else:
                axes.axhline(ends[0], color=color, lw=1, ls="--")
        axes.plot([], [], color=DARK, ls="--", label="document, the end")
        axes.grid(alpha=0.3)
    figure.legend(
        *figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=5, title="95 % intervals"
    )
