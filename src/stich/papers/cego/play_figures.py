"""The figures of document 000's analyses, drawn on empty Matplotlib figures."""

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from stich.core.contract import Array
from stich.games.cego.cards import CARDS
from stich.papers.report import Row

BLUE, VIOLET, GREY, DARK = "#3b75af", "#7b4ba0", "#9a9a9a", "#222222"


def _cards_below(axes: Any, names: Sequence[str]) -> None:
    """Card names along the horizontal axis."""
    axes.set_xticks(range(len(names)), names, rotation=90, fontsize=7)
    axes.set_xlim(-0.8, len(names) - 0.2)


def _grid(axes: Any) -> None:
    """Faint lines behind the bars."""
    axes.grid(axis="y", alpha=0.3)
    axes.set_axisbelow(True)


def draw_tricks(when_played: Sequence[Row], of_all: Sequence[Row], figure: Any) -> None:
    """Tables 4 and 5 by card, and below each how far ours and the document's are apart."""
    figure.set_size_inches(12, 11)
    figure.suptitle("Cego, random Solo: how often each card wins (document 000, Tables 4 and 5)\n", fontsize=13)
    panels = figure.subplots(4, 1, height_ratios=[3, 1.2, 3, 1.2])
    titles = (
        ("Table 4: the card wins the trick it is played in", "P(W|CP) in %"),
        ("Table 5: a trick is won by the card", "P(W) in %"),
    )
    for i, (rows, (title, unit)) in enumerate(zip((when_played, of_all), titles, strict=True)):
        _values(panels[2 * i], rows, title, unit)
        _deviations(panels[2 * i + 1], rows)


def _values(axes: Any, rows: Sequence[Row], title: str, unit: str) -> None:
    places = range(len(rows))
    axes.bar(places, [row.ours for row in rows], color=BLUE, alpha=0.55, label="ours")
    axes.plot(places, [row.document for row in rows], "_", color=DARK, ms=9, mew=1.6, label="document")
    axes.set(title=title, ylabel=unit)
    axes.set_xticks([])
    axes.set_xlim(-0.8, len(rows) - 0.2)
    _grid(axes)
    axes.legend(loc="upper right")


def _deviations(axes: Any, rows: Sequence[Row]) -> None:
    values = [row.deviation or 0.0 for row in rows]
    axes.axhspan(-2, 2, color=GREY, alpha=0.2, lw=0)
    axes.axhline(0, color=GREY, lw=0.8)
    axes.vlines(range(len(rows)), 0, values, color=BLUE, lw=1.5)
    axes.plot(range(len(rows)), values, "o", color=BLUE, ms=3)
    axes.set_ylabel("ours - document\nin std. errors", fontsize=9)
    reach = max(3.0, *(abs(value) + 0.6 for value in values))
    axes.set_ylim(-reach, reach)
    _cards_below(axes, [str(row.labels["card"]) for row in rows])


def draw_split(shares: Array, low: Sequence[int], published: tuple[float, float], figure: Any) -> None:
    """Figure 8: all cards by their share of tricks, high ones violet, low ones blue (`published`: low, high)."""
    figure.set_size_inches(12, 5.5)
    axes = figure.subplots()
    order = np.argsort(-shares, kind="stable")
    names = [CARDS[card] for card in order]
    for label, colour, chosen, theirs in (
        ("high", VIOLET, False, published[1]),
        ("low", BLUE, True, published[0]),
    ):
        places = [i for i, card in enumerate(order) if (card in low) == chosen]
        total = sum(shares[order[i]] for i in places)
        text = f"{len(places)} {label} cards: {total:.2f} % of all tricks (document: {theirs:.2f} %)"
        axes.bar(places, shares[order[places]], color=colour, label=text)
    axes.axvline(len(names) - len(low) - 0.5, color=DARK, lw=1, ls="--")
    axes.set(title="Cego: high and low cards (document 000, Figure 8)", ylabel="share of all tricks in %")
    _grid(axes)
    axes.legend()
    _cards_below(axes, names)


PANELS = (
    ("Average points of the single player", "points", ("standard", "solo")),
    ("Winning percentage of the single player", "%", ("ultimo", "bettel", "piccolo")),
)
CONDITIONS = (("off", GREY, "ours, any hand"), ("on", VIOLET, "ours, hands that satisfy the condition"))


def draw_advantages(rows: Sequence[Row], figure: Any) -> None:
    """Table 6: the single player with and without hand conditions, and the four seats of Räuber."""
    figure.set_size_inches(13, 5.5)
    figure.suptitle("Cego, random play: player advantages (document 000, Table 6)\n", fontsize=13)
    panels = figure.subplots(1, 3, width_ratios=[2, 3, 2.4])
    for axes, (title, unit, subgames) in zip(panels[:2], PANELS, strict=True):
        for side, (heuristic, colour, label) in enumerate(CONDITIONS):
            single = {row.labels["subgame"]: row for row in rows if _is_single(row, heuristic)}
            places = [i + 0.4 * side - 0.2 for i in range(len(subgames))]
            _bars(axes, [single[name] for name in subgames], places, colour, label)
        axes.set(title=title, ylabel=unit)
        axes.set_xticks(range(len(subgames)), [name.capitalize() for name in subgames])
        _grid(axes)
    _seats(panels[2], [row for row in rows if row.labels["subgame"] == "raeuber"])
    figure.legend(*_legend(panels[1]), loc="outside lower center", ncols=3)


def _is_single(row: Row, heuristic: str) -> bool:
    return row.labels["heuristic"] == heuristic and row.labels["seat"] == 0


def _bars(axes: Any, rows: Sequence[Row], places: Sequence[float], colour: str, label: str) -> None:
    """Bars of ours with their values, and a dash for the document's."""
    bars = axes.bar(places, [row.ours for row in rows], 0.36, color=colour, alpha=0.6, label=label)
    axes.bar_label(bars, fmt="%.2f", padding=4, fontsize=9)
    axes.plot(places, [row.document for row in rows], "_", color=DARK, ms=22, mew=1.5, label="document")
    axes.margins(y=0.12)


def _seats(axes: Any, rows: Sequence[Row]) -> None:
    """Both estimates of each seat with their 95 % intervals: they lie too close together for bars."""
    for side, name, colour in ((-0.1, "document", DARK), (0.1, "ours", VIOLET)):
        values = [row.document if name == "document" else row.ours for row in rows]
        # The document's interval follows from its number of games and the share itself.
        own = [(row.high - row.low) / 2 for row in rows]
        halves = [1.96 * sqrt(value * (100 - value) / 1e6) for value in values] if name == "document" else own
        places = [seat + side for seat in range(len(rows))]
        axes.errorbar(places, values, halves, fmt="o", color=colour, ms=4, capsize=3, label=name)
    axes.set(title="Winning percentage in Räuber", ylabel="% (points with 95 % intervals)", xlim=(-0.5, 3.5))
    axes.set_xticks(range(len(rows)), [f"seat {row.labels['seat']}" for row in rows])
    axes.legend(loc="upper left")
    _grid(axes)


def _legend(axes: Any) -> tuple[list[Any], list[str]]:
    """Each label once."""
    once = {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    return list(once.values()), list(once)
