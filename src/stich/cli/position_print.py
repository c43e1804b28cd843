"""How `stich position` prints and draws an analysis, or the shares of what agents play."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from stich.agents import Agent
from stich.arena.study import Decision
from stich.cli.output import readable
from stich.cli.study_print import COLOURS, wrapped
from stich.core.game import State
from stich.search.worlds.analysis import Analysis

Rows = Sequence[Mapping[str, Any]]


def print_analysis(screen: Console, view: State, agent: Agent, found: Analysis, rows: Rows) -> None:
    """Value, interval and visits of each legal action; the chosen one is bold."""
    screen.print(readable(view.show()) + "\n")
    table = Table("action", "value", "95 % interval", "visits", title=escape(agent.spec), title_justify="left")
    for row in rows:
        mark = "[bold]" if row["action"] == found.chosen else ""
        interval = f"{row['low']:.4g} to {row['high']:.4g}" if row["low"] is not None else "unknown"
        share = f"{row['visits']:,} ({row['visits'] / max(1, int(found.visits.sum())):.1%})"
        label = readable(view.label(row["action"]))
        table.add_row(f"{mark}{label}", f"{mark}{row['value']:.4g}", f"{mark}{interval}", f"{mark}{share}")
    screen.print(table)
    if found.iterations:
        screen.print(f"{found.iterations:,} iterations in {found.worlds:,} worlds, {found.seconds:.2f} s")
    if agent.cheats:
        screen.print("This agent sees all cards: no honest player can know these values.", style="red")


def draw_analysis(figure: Any, title: str, rows: Rows) -> None:
    """The values with their intervals."""
    axes = figure.subplots()
    values = [row["value"] for row in rows]
    halves = [0.0 if row["low"] is None else row["value"] - row["low"] for row in rows]
    axes.errorbar(values, range(len(rows)), xerr=halves, fmt="o", capsize=4)
    axes.set(title=title, xlabel="value", yticks=range(len(rows)), yticklabels=[row["name"] for row in rows])
    axes.invert_yaxis()
    axes.grid(visible=True, alpha=0.3)


def print_shares(screen: Console, found: Sequence[Decision]) -> None:
    """How often each agent plays each legal action."""
    view = found[0].view
    screen.print(readable(f"[bold]{view.game!r}[/], seat {view.player} to act\n\n{view.show()}\n"))
    screen.print(_alone(found[0]) if len(found) == 1 else _beside(found))
    for one in found:
        screen.print(f"{one.spec}: {one.seconds:.1f} s, {one.samples / one.seconds:,.0f} samples/s", markup=False)


def _alone(found: Decision) -> Table:
    """One agent, with bars."""
    title = f"What {found.spec} does: {found.samples:,} samples"
    table = Table("action", "share", "95 % interval", "", title=escape(title), title_justify="left")
    for row in _by_share(found):
        interval = f"{100 * row['low']:.1f} to {100 * row['high']:.1f} %"
        label = readable(found.view.label(row["action"]))
        table.add_row(label, f"{100 * row['share']:.1f} %", interval, "█" * round(30 * row["share"]))
    return table


def _beside(found: Sequence[Decision]) -> Table:
    """Several agents, a column each; actions in the order of the first."""
    title = f"What agents do: {found[0].samples:,} samples each, with 95 % intervals"
    table = Table("action", *(escape(one.spec) for one in found), title=title, title_justify="left")
    shares = [{row["action"]: row for row in one.rows} for one in found]
    for row in _by_share(found[0]):
        cells = [
            f"{100 * own['share']:.1f} % ({100 * own['low']:.1f} to {100 * own['high']:.1f})"
            for own in (rows[row["action"]] for rows in shares)
        ]
        table.add_row(readable(found[0].view.label(row["action"])), *cells)
    return table


def _by_share(found: Decision) -> list[dict[str, Any]]:
    return sorted(found.rows, key=lambda row: -float(row["share"]))


def draw_shares(figure: Any, found: Sequence[Decision]) -> None:
    """A panel for each agent: a bar for each legal action with its interval."""
    panels = figure.subplots(1, len(found), squeeze=False)[0]
    figure.set_size_inches(7 * len(found), 1.4 + 0.3 * len(found[0].counts))
    for axes, one in zip(panels, found, strict=True):
        _draw_bars(axes, one)
        title = f"{one.view.game!r}: what {one.spec} does at seat {one.view.player}; {one.samples:,} samples"
        axes.set_title(wrapped(title, figure, len(found)), fontsize=10, loc="left")


def _draw_bars(axes: Any, found: Decision) -> None:
    rows = _by_share(found)
    shares = np.array([100 * row["share"] for row in rows])
    ends = np.array([[100 * row["low"], 100 * row["high"]] for row in rows]).T
    reach = np.maximum([shares - ends[0], ends[1] - shares], 0)
    axes.barh(range(len(rows)), shares, color=COLOURS[0], alpha=0.7)
    axes.errorbar(shares, range(len(rows)), xerr=reach, fmt="none", ecolor="#222222", capsize=3, lw=1)
    for i, share in enumerate(shares):
        place = {"xytext": (5, 0), "textcoords": "offset points", "va": "center", "fontsize": 8}
        axes.annotate(f"{share:.1f} %", (ends[1][i], i), **place)
    axes.set_yticks(range(len(rows)), [row["name"] for row in rows])
    axes.set(ylim=(len(rows) - 0.4, -0.6), xlim=(0, 1.12 * max(ends[1])), xlabel="% of samples (95 % intervals)")
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
