"""Commands of version 0.1 under their old names: hidden, with a hint at the new ones; they go with the next version."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from stich.cli.arguments import GameName, Json, Limit, Options, Plot, Ray, Seed, Workers, options_of
from stich.cli.paper import paper
from stich.cli.position import position
from stich.cli.study import study

app = typer.Typer()

ANALYSES = {
    "cego trick-wins": "cego-tables",
    "cego high-low": "cego-figure-8",
    "cego advantages": "cego-table-6",
    "cego deals": "cego-equation-11",
    "cego tables": "cego-tables",
    "wizard accuracy": "wizard-figure-9",
    "wizard winning": "wizard-figure-17",
}


def _hint(old: str, new: str) -> None:
    sys.stderr.write(f"stich: `stich {old}` is now `stich {new}`; the old name goes with the next version\n")


@app.command(hidden=True)
def analyse(
    document: str, what: str, games: int = 0, seed: Seed = 12, plot: Plot = None, json: Json = False
) -> None:
    """Now `stich paper`."""
    name = ANALYSES.get(f"{document} {what}", f"{document}-{what}")
    _hint(f"analyse {document} {what}", f"paper {name}")
    paper(name, games=games, seed=seed, plot=plot, json=json)


@app.command(hidden=True)
def reproduce(
    name: Annotated[str | None, typer.Argument()] = None,
    full: bool = False,
    games: int = 0,
    opponent: str | None = None,
    recorded: Path | None = None,
    models: Path | None = None,
    runs: Path | None = None,
    seed: Seed = 0,
    workers: Workers = None,
    ray: Ray = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Now `stich paper`."""
    _hint("reproduce", f"paper {name or ''}".strip())
    paper(name, full, games, opponent, recorded, models, runs, seed, workers, ray, plot, json)


@app.command("analyse-position", hidden=True)
def analyse_position(
    game: GameName,
    start: Annotated[Path | None, typer.Argument(metavar="[FILE.json]")] = None,
    moves: str = "",
    agent: str = "dmcts",
    seed: Seed = 0,
    option: Options = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Now `stich position`."""
    _hint("analyse-position", "position")
    position(game, start, moves, [agent], None, seed, option, plot=plot, json=json)


@study.command("position", hidden=True)
def study_position(
    game: GameName,
    agent: str | None = None,
    start: Path | None = None,
    moves: str = "",
    samples: int = 1_000,
    seed: Seed = 0,
    option: Options = None,
    limit: Limit = 60.0,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Now `stich position --samples N`."""
    from stich.agents import default_spec
    from stich.games import make

    _hint("study position", "position")
    spec = agent or default_spec(make(game, **options_of(option)))
    position(game, start, moves, [spec], samples, seed, option, limit, plot, json)
