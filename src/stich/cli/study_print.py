"""How the studies of `stich study` are printed and drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from stich.arena.study import Cards, Positions
from stich.cli.output import interval, readable

SHOWN = 40
"""The most decisions that a table on the screen has."""
NUMBERED = 24
"""A heat map of at most this many decisions has its numbers in the cells."""
COLOURS = ("#3b75af", "#e08a2e", "#4f9d69", "#7b4ba0", "#b84a4a", "#777777")


# Cards by the number of the decision


def _title(found: Cards) -> str:
    what = f", {' and '.join(found.phases)}" if found.phases else ""
    return (
        f"{found.plan.make_game()!r}: what {found.agent} plays at seat {found.seat}{what}; {found.games:,} games"
    )


def print_cards(found: Cards, screen: Console) -> None:
    """For each decision the actions that are played most, as shares of all games in %."""
    names, shares = found.names, 100 * found.shares
    best = shares.max()
    width = max(len(name) for name in names)
    columns = max(1, min(8, len(names), (screen.width - 23) // (width + 9)))
    title = f"{_title(found)}. What is played most, in % of them:"
    table = Table("decision", "games", title=escape(title), title_justify="left")
    for i in range(columns):
        table.add_column(str(i + 1), no_wrap=True)
    for i, row in enumerate(shares[:SHOWN]):
        top = [action for action in np.argsort(-row, kind="stable")[:columns] if row[action] > 0]
        cells = [
            Text(readable(f"{names[action]:{width}} {row[action]:5.1f}"), _shade(row[action] / best))
            for action in top
        ]
        table.add_row(str(i + 1), f"{found.counts[i].sum():,}", *cells)
    screen.print(table)
    if len(shares) > SHOWN:
        screen.print(f"{len(shares) - SHOWN} more decisions: --plot or --json has them all.")
    screen.print(f"{found.seconds:.1f} s, {found.games / found.seconds:,.0f} games/s")


def _shade(part: float) -> str:
    """White to blue for 0 to 1; the root keeps small shares apart."""
    depth = part**0.5
    red, green, blue = (round(255 + depth * (full - 255)) for full in (20, 80, 160))
    return f"{'white' if depth > 0.6 else 'black'} on rgb({red},{green},{blue})"


def draw_cards(figure: Any, found: Cards) -> None:
    """A heat map: actions downwards in the game's order, decisions across, colour and number the share in %."""
    from matplotlib.colors import PowerNorm

    shares = 100 * found.shares.T
    rows, columns = shares.shape
    axes = figure.subplots()
    small = columns <= NUMBERED
    figure.set_size_inches(3.2 + columns * (0.42 if small else 0.12), 1.6 + 0.19 * rows)
    norm = PowerNorm(0.5, 0, shares.max())
    image = axes.imshow(shares, cmap="Blues", norm=norm, aspect="auto", interpolation="nearest")
    axes.set_yticks(range(rows), found.names, fontsize=8)
    step = 1 if small else 5
    axes.set_xticks(range(step - 1, columns, step), range(step, columns + 1, step), fontsize=8)
    axes.set_xlabel("number of the decision" + (f" ({', '.join(found.phases)})" if found.phases else ""))
    axes.tick_params(length=0, labeltop=rows > 20)
    for (row, column), share in np.ndenumerate(shares) if small else ():
        if share >= 0.05:
            colour = "white" if norm(share) > 0.6 else "black"
            label = f"{share:.1f}" if share < 99.95 else "100"
            axes.text(column, row, label, ha="center", va="center", fontsize=6, color=colour)
    for edge in np.arange(0.5, rows - 1):
        axes.axhline(edge, color="#dddddd", lw=0.4)
    figure.colorbar(image, label="% of games", shrink=0.6 if rows > 20 else 1, pad=0.02)
    axes.set_title(wrapped(_title(found), figure), fontsize=9, loc="left")


def wrapped(title: str, figure: Any, panels: int = 1) -> str:
    """A title in lines that fit the figure, or one of its panels."""
    import textwrap

    return textwrap.fill(title, max(30, int(12 * figure.get_size_inches()[0] / panels)))


# Results by position


def print_positions(found: Positions, screen: Console) -> None:
    """Each agent at each position, with intervals."""
    deals = f"{found.games:,} games on {len(found.figures):,} deals"
    title = f"{found.plan.make_game()!r}: {deals}, by position (1 acts first), with 95 % intervals"
    table = Table("agent", "position", "games", title=escape(title), title_justify="left")
    for name in found.names:
        table.add_column(name, justify="right")
    for i, row in enumerate(found.rows):
        last = i + 1 == len(found.rows) or found.rows[i + 1]["agent"] != row["agent"]
        cells = [interval(row[name]) for name in found.names]
        table.add_row(escape(row["agent"]), str(row["position"]), f"{row['games']:,}", *cells, end_section=last)
    screen.print(table)
    screen.print(f"{found.seconds:.1f} s, {found.games / found.seconds:,.0f} games/s")


def draw_positions(figure: Any, found: Positions) -> None:
    """A panel for each figure: bars of each agent by position, from the mean of all seats up or down."""
    panels = figure.subplots(1, len(found.names), squeeze=False)[0]
    count = found.figures.shape[2]
    agents = list(dict.fromkeys(row["agent"] for row in found.rows))
    figure.set_size_inches(1 + (1.5 + 0.32 * count * max(2, len(agents))) * len(panels), 4)
    for i, (axes, name) in enumerate(zip(panels, found.names, strict=True)):
        level = float(found.figures[..., i].mean())
        for number, agent in enumerate(agents):
            rows = [row for row in found.rows if row["agent"] == agent]
            _bars(axes, rows, name, level, (number, len(agents)))
        axes.axhline(level, color="#222222", lw=0.8)
        axes.set_xticks(range(1, count + 1))
        axes.set(title=name, xlabel="position (1 acts first)")
        axes.grid(axis="y", alpha=0.3)
        axes.set_axisbelow(True)
        axes.margins(y=0.12)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=8)
    title = f"{found.plan.make_game()!r}: {found.games:,} games; the line is the mean of all seats"
    figure.suptitle(wrapped(title, figure), fontsize=10)


def _bars(axes: Any, rows: Sequence[Mapping[str, Any]], name: str, level: float, place: tuple[int, int]) -> None:
    """The bars of an agent, side by side with those of the others, with values and 95 % intervals."""
    number, agents = place
    width = 0.8 / agents
    places = [row["position"] + (number + 0.5) * width - 0.4 for row in rows]
    means = [row[name]["mean"] for row in rows]
    halves = [0 if row[name]["low"] is None else (row[name]["high"] - row[name]["low"]) / 2 for row in rows]
    heights = [mean - level for mean in means]
    colour = COLOURS[number % len(COLOURS)]
    axes.bar(places, heights, 0.92 * width, level, color=colour, alpha=0.7, label=rows[0]["agent"])
    axes.errorbar(places, means, halves, fmt="none", ecolor="#222222", capsize=3, lw=1)
    for x, mean, half in zip(places, means, halves, strict=True):
        up = mean >= level
        axes.annotate(
            f"{mean:.4g}",
            (x, mean + half if up else mean - half),
            (0, 3 if up else -3),
            textcoords="offset points",
            ha="center",
            va="bottom" if up else "top",
            fontsize=7,
        )
