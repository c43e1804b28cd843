"""`stich position`: what agents find about each legal action of one position, or how often they play it."""

import json as jsons
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stich.cli.arguments import GameName, Json, Limit, Options, Plot, Seed, options_of
from stich.cli.match import print_faults
from stich.cli.output import console, counted, print_json
from stich.core.errors import StichError
from stich.run import figures

if TYPE_CHECKING:
    from stich.arena.study import Decision
    from stich.core.game import State

SAMPLES = 1_000

app = typer.Typer()


@app.command()
def position(
    game: GameName,
    start: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE.json]", help="The deal, as `State.start()`; default: by --seed."),
    ] = None,
    moves: Annotated[str, typer.Option(metavar="'A B ...'", help="What is played before.")] = "",
    agent: Annotated[
        list[str] | None, typer.Option(help="An agent; give several to compare them. Default: dmcts.")
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            min=1, help=f"Count what agents play when asked this often; default if it is needed: {SAMPLES}."
        ),
    ] = None,
    seed: Seed = 0,
    option: Options = None,
    limit: Limit = 60.0,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """What an agent finds about each legal action of a position: value, interval and visits.

    Agents that only choose, and several agents, are asked again and again: how often does each play what?
    """
    from stich.arena.study import reach, study_position
    from stich.games import make

    made = make(game, **options_of(option))
    if plot:
        figures.check_file(plot)
    state = reach(made, read_start(start) if start else None, moves, seed)
    specs = agent or ["dmcts"]
    if len(specs) == 1 and samples is None and _analyse(state, specs[0], seed, plot, json):
        return
    found = []
    for spec in specs:
        with counted(spec, samples or SAMPLES, "samples", quiet=json) as tell:
            found.append(study_position(game, state, spec, samples or SAMPLES, seed, limit, tell))
    _show_shares(found, plot, json)


def read_start(path: Path) -> Mapping[str, Any]:
    """A start position from a file."""
    try:
        found = jsons.loads(path.read_text("utf-8"))
    except OSError as error:
        raise StichError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise StichError(f"{path} is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise StichError(f"{path} holds no start position: it should be a JSON object")
    return found


def _analyse(state: "State", spec: str, seed: int, plot: Path | None, json: bool) -> bool:
    """Shows what an agent finds; False if it only chooses."""
    from stich.agents import make_agent
    from stich.cli.position_print import draw_analysis, print_analysis
    from stich.core.rng import stream

    agent = make_agent(spec, state.game)
    found = agent.analyse(agent.sees(state), stream(seed, "analysis"))
    if found is None:
        return False
    view, game = state.view(state.player), state.game
    rows = sorted(found.rows(view), key=lambda row: (row["action"] != found.chosen, -row["value"]))
    if plot:
        figures.save(lambda figure: draw_analysis(figure, f"{game!r}: {spec}", rows), plot)
    if json:
        head = {"game": game.name, "options": game.options, "seed": seed, "agent": spec, "seat": view.player}
        facts = {"iterations": found.iterations, "worlds": found.worlds, "seconds": found.seconds}
        chosen = {"cheats": agent.cheats, "chosen": view.action_name(found.chosen)}
        print_json({**head, **chosen, **facts, "rows": rows})
    else:
        print_analysis(console(), view, agent, found, rows)
        if plot:
            console().print(f"written: {plot}", markup=False)
    return True


def _show_shares(found: "Sequence[Decision]", plot: Path | None, json: bool) -> None:
    """Picture, then JSON or table; exits 1 where an agent was at fault."""
    from stich.cli.position_print import draw_shares, print_shares

    if plot:
        figures.save(lambda figure: draw_shares(figure, found), plot)
    if json:
        records = [one.record() for one in found]
        print_json(records[0] if len(records) == 1 else {"agents": records})
    else:
        print_shares(console(), found)
        for one in found:
            print_faults(console(), one.faults.kinds, one.faults.examples)
        if plot:
            console().print(f"written: {plot}", markup=False)
    if any(one.faults.kinds for one in found):
        raise typer.Exit(1)
