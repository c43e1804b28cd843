"""`stich analyse-position`: what a search or a model finds about each legal action of one position."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.table import Table

from stich.agents import make_agent
from stich.arena.study import reach
from stich.cli.output import console, print_json, readable
from stich.cli.study import read_start
from stich.core.errors import StichError
from stich.core.rng import stream
from stich.games import make
from stich.run import figures


def analyse_position(
    name: str,
    options: Mapping[str, object],
    start: Path | None,
    moves: str,
    spec: str,
    seed: int,
    plot: Path | None,
    json: bool,
) -> None:
    """Sets a position up, searches it and prints the analysis."""
    game = make(name, **options)
    state = reach(game, read_start(start) if start else None, moves, seed)
    agent = make_agent(spec, game)
    if plot:
        figures.check_file(plot)
    view = state.view(state.player)
    found = agent.analyse(agent.sees(state), stream(seed, "analysis"))
    if found is None:
        raise StichError(f"{spec} chooses without an analysis; use a search such as dmcts or ismcts, or a model")
    rows = sorted(found.rows(view), key=lambda row: (row["action"] != found.chosen, -row["value"]))
    if plot:
        figures.save(lambda figure: _draw(figure, f"{game!r}: {spec}", rows), plot)
    if json:
        facts = {"iterations": found.iterations, "worlds": found.worlds, "seconds": found.seconds}
        head = {"game": game.name, "options": game.options, "seed": seed, "agent": spec, "seat": view.player}
        print_json(
            {**head, "cheats": agent.cheats, "chosen": view.action_name(found.chosen), **facts, "rows": rows}
        )
        return
    screen = console()
    screen.print(readable(view.show()) + "\n")
    table = Table("action", "value", "95 % interval", "visits", title=spec, title_justify="left")
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


def _draw(figure: Any, title: str, rows: list[dict[str, Any]]) -> None:
    """The values with their intervals."""
    axes = figure.subplots()
    values = [row["value"] for row in rows]
    halves = [0.0 if row["low"] is None else row["value"] - row["low"] for row in rows]
    axes.errorbar(values, range(len(rows)), xerr=halves, fmt="o", capsize=4)
    axes.set(title=title, xlabel="value", yticks=range(len(rows)), yticklabels=[row["name"] for row in rows])
    axes.invert_yaxis()
    axes.grid(visible=True, alpha=0.3)
