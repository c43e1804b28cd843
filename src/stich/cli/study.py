"""`stich study`: what agents do, as table, picture or JSON."""

import json as text
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from stich.agents import default_spec
from stich.arena.match import Faults
from stich.arena.plan import Plan
from stich.arena.study import Cards, Decision, Positions, reach, study_cards, study_position, study_positions
from stich.cli.match import default_workers, print_faults
from stich.cli.output import console, interval, print_json, progress, readable
from stich.core.errors import StichError
from stich.games import make
from stich.run import figures
from stich.run.workers import open_workers

SHOWN = 40
"""The most decisions that a table on the screen has."""
NUMBERED = 24
"""Up to so many decisions a heat map has its numbers in the cells."""
COLOURS = ("#3b75af", "#e08a2e", "#4f9d69", "#7b4ba0", "#b84a4a", "#777777")


@dataclass(frozen=True)
class Run:
    """How a study is run and shown."""

    games: int
    workers: int | None
    ray: str | None
    plot: Path | None
    json: bool


class Study(Protocol):
    """What all studies offer."""

    faults: Faults

    def record(self) -> dict[str, Any]:
        """The study as plain data."""


def cards(plan: Plan, seat: int, phase: str | None, run: Run) -> None:
    """Counts which cards a seat plays when, and shows it."""
    found = _played(plan, run, lambda place, tell: study_cards(plan, seat, phase, run.games, place, tell))
    _show(found, run.plot, run.json, _print_cards, _draw_cards)


def positions(plan: Plan, run: Run) -> None:
    """Takes results by position, and shows them."""
    found = _played(plan, run, lambda place, tell: study_positions(plan, run.games, place, tell))
    _show(found, run.plot, run.json, _print_positions, _draw_positions)


def position(
    name: str,
    options: Mapping[str, object],
    agent: str | None,
    start: Path | None,
    moves: str,
    samples: int,
    seed: int,
    limit: float,
    plot: Path | None,
    json: bool,
) -> None:
    """Samples what an agent does in one position, and shows it."""
    game = make(name, **options)
    if plot:
        figures.check_file(plot)
    state = reach(game, read_start(start) if start else None, moves, seed)
    spec = default_spec(game) if agent is None else agent
    with _bar(spec, samples, "samples", json) as tell:
        found = study_position(name, state, spec, samples, seed, limit, tell)
    _show(found, plot, json, _print_decision, _draw_decision)


def read_start(path: Path) -> Mapping[str, Any]:
    """A start position from a file."""
    try:
        found = text.loads(path.read_text("utf-8"))
    except OSError as error:
        raise StichError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise StichError(f"{path} is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise StichError(f"{path} holds no start position: it should be a JSON object")
    return found


def _played(plan: Plan, run: Run, study: Callable[[Any, Callable[[int], None]], Any]) -> Any:
    """Runs a study on the workers asked for, with a bar."""
    if run.plot:
        figures.check_file(run.plot)
    deals = -(-run.games // len(plan.arrangements))
    place = open_workers(default_workers() if run.workers is None else run.workers, run.ray)
    try:
        with _bar(plan.game, deals, "deals", run.json) as tell:
            return study(place, tell)
    finally:
        place.close()


@contextmanager
def _bar(name: str, total: int, unit: str, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A progress bar; what it gives is told how much is done."""
    counter = TextColumn("{task.completed:,} of {task.total:,} " + unit)
    with progress(
        TextColumn("{task.description}"), BarColumn(), counter, TimeRemainingColumn(), quiet=quiet
    ) as bar:
        task = bar.add_task(escape(name), total=total)
        yield lambda done: bar.update(task, completed=done)


def _show(
    found: Study,
    plot: Path | None,
    json: bool,
    show: Callable[[Any, Console], None],
    draw: Callable[[Any, Any], None],
) -> None:
    """Picture, then JSON or table; exits 1 where an agent was at fault."""
    if plot:
        figures.save(lambda figure: draw(figure, found), plot)
    if json:
        print_json(found.record())
    else:
        screen = console()
        show(found, screen)
        print_faults(screen, found.faults.kinds, found.faults.examples)
        if plot:
            screen.print(f"written: {plot}", markup=False)
    if found.faults.kinds:
        raise typer.Exit(1)


# Cards by the number of the decision


def _title(found: Cards) -> str:
    what = f", {' and '.join(found.phases)}" if found.phases else ""
    return (
        f"{found.plan.make_game()!r}: what {found.agent} plays at seat {found.seat}{what}; {found.games:,} games"
    )


def _print_cards(found: Cards, screen: Console) -> None:
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


def _draw_cards(figure: Any, found: Cards) -> None:
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
    axes.set_title(_wrapped(_title(found), figure), fontsize=9, loc="left")


def _wrapped(title: str, figure: Any) -> str:
    """A title in lines that fit the figure."""
    import textwrap

    return textwrap.fill(title, max(30, int(12 * figure.get_size_inches()[0])))


# Results by position


def _print_positions(found: Positions, screen: Console) -> None:
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


def _draw_positions(figure: Any, found: Positions) -> None:
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
    figure.suptitle(_wrapped(title, figure), fontsize=10)


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


# One position


def _print_decision(found: Decision, screen: Console) -> None:
    view = found.view
    screen.print(readable(f"[bold]{view.game!r}[/], seat {view.player} to act\n\n{view.show()}\n"))
    title = f"What {found.spec} does: {found.samples:,} samples"
    table = Table("action", "share", "95 % interval", "", title=escape(title), title_justify="left")
    for row in _by_share(found):
        interval = f"{100 * row['low']:.1f} to {100 * row['high']:.1f} %"
        label = readable(view.label(row["action"]))
        table.add_row(label, f"{100 * row['share']:.1f} %", interval, "█" * round(30 * row["share"]))
    screen.print(table)
    screen.print(f"{found.seconds:.1f} s, {found.samples / found.seconds:,.0f} samples/s")


def _by_share(found: Decision) -> list[dict[str, Any]]:
    return sorted(found.rows, key=lambda row: -float(row["share"]))


def _draw_decision(figure: Any, found: Decision) -> None:
    """A bar for each legal action with its interval."""
    rows = _by_share(found)
    axes = figure.subplots()
    figure.set_size_inches(7, 1.4 + 0.3 * len(rows))
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
    title = f"{found.view.game!r}: what {found.spec} does at seat {found.view.player}; {found.samples:,} samples"
    axes.set_title(_wrapped(title, figure), fontsize=10, loc="left")
