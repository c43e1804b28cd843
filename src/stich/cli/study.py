"""`stich study`: what agents do, as table, picture or JSON."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer
from rich.console import Console

from stich.cli.arguments import GameName, Json, Limit, Options, Plot, Ray, Seed, Workers, options_of, workers_of
from stich.cli.match import print_faults
from stich.cli.output import console, counted, print_json
from stich.run import figures

if TYPE_CHECKING:
    from stich.arena.match import Faults
    from stich.arena.plan import Plan

app = typer.Typer()
study = typer.Typer(help="Study what agents do: as table, picture or JSON.", no_args_is_help=True)
app.add_typer(study, name="study")

Games = Annotated[int, typer.Option(min=1, help="Number of games.")]
LineUp = Annotated[str | None, typer.Option(metavar="A,B,...", help="The agents seat by seat, or one for all.")]


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

    faults: "Faults"

    def record(self) -> dict[str, Any]:
        """The study as plain data."""


@study.command()
def cards(
    game: GameName,
    seats: LineUp = None,
    seat: Annotated[int, typer.Option(help="The seat that is studied.")] = 0,
    phase: Annotated[
        str | None, typer.Option(help="Count the decisions of these phases (A,B or `all`); default: the last.")
    ] = None,
    games: Games = 10_000,
    seed: Seed = 0,
    option: Options = None,
    workers: Workers = None,
    ray: Ray = None,
    limit: Limit = 60.0,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Which cards a seat plays when: each action's share of games, decision by decision."""
    from stich.arena.study import plan_study, study_cards
    from stich.cli.study_print import draw_cards, print_cards

    plan = plan_study(game, options_of(option), seats=_listed(seats), seed=seed, limit=limit)
    run = Run(games, workers, ray, plot, json)
    found = _played(plan, run, lambda place, tell: study_cards(plan, seat, phase, games, place, tell))
    _show(found, plot, json, print_cards, draw_cards)


@study.command()
def positions(
    game: GameName,
    agents: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Agents who take turns at the seats; one plays all.")
    ] = None,
    seats: LineUp = None,
    games: Games = 10_000,
    seed: Seed = 0,
    option: Options = None,
    workers: Workers = None,
    ray: Ray = None,
    limit: Limit = 60.0,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """How agents fare by position: who acts first, second, ... in a game."""
    from stich.arena.study import plan_study, study_positions
    from stich.cli.study_print import draw_positions, print_positions

    who = {"seats": _listed(seats), "agents": _listed(agents)}
    plan = plan_study(game, options_of(option), **who, seed=seed, limit=limit)
    run = Run(games, workers, ray, plot, json)
    found = _played(plan, run, lambda place, tell: study_positions(plan, games, place, tell))
    _show(found, plot, json, print_positions, draw_positions)


def _listed(specs: str | None) -> list[str]:
    """The agents of a list."""
    from stich.agents import split

    return split(specs) if specs else []


def _played(plan: "Plan", run: Run, study: Callable[[Any, Callable[[int], None]], Any]) -> Any:
    """Runs a study on the workers asked for, with a bar."""
    if run.plot:
        figures.check_file(run.plot)
    deals = -(-run.games // len(plan.arrangements))
    with workers_of(run.workers, run.ray) as place, counted(plan.game, deals, "deals", run.json) as tell:
        return study(place, tell)


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
