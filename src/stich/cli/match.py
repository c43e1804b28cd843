"""`stich match`: agents against each other on equal deals."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from stich.cli.arguments import GameName, Json, Limit, Options, Plot, Ray, Seed, Workers, options_of, workers_of
from stich.cli.output import console, counted, interval, print_json
from stich.core.errors import StichError
from stich.run import figures

if TYPE_CHECKING:
    from stich.arena.match import Result, Stop

app = typer.Typer()


@app.command()
def match(
    game: GameName,
    agent: Annotated[list[str] | None, typer.Argument(metavar="[AGENT]...", help="The agents, by spec.")] = None,
    seats: Annotated[str | None, typer.Option(metavar="A,B,...", help="A fixed line-up, seat by seat.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Number of games, at most.")] = 10_000,
    seed: Seed = 0,
    option: Options = None,
    until: Annotated[
        str | None, typer.Option(help="`significant`: stop when it is decided who is better.")
    ] = None,
    error: Annotated[float, typer.Option(help="The error rate of --until significant.")] = 0.05,
    margin: Annotated[
        float, typer.Option(min=0, help="With --until: differences up to this count as none.")
    ] = 0.0,
    workers: Workers = None,
    ray: Ray = None,
    faults: Annotated[
        str, typer.Option(help="A faulty move: play a `random` one, or also `lose` the game.")
    ] = "random",
    limit: Limit = 60.0,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Play agents against each other on equal deals; exits 1 where an agent was at fault."""
    from stich.arena.match import Stop, run_match
    from stich.arena.plan import plan_match

    agents, stop = _agents(agent or [], seats), Stop.of(until, error, margin)
    fixed = seats is not None
    plan = plan_match(game, options_of(option), agents, fixed=fixed, seed=seed, policy=faults, limit=limit)
    if plot:
        figures.check_file(plot)
    deals = -(-games // len(plan.arrangements))
    with workers_of(workers, ray) as place, counted(game, deals, "deals", quiet=json) as tell:
        result = run_match(plan, deals, place, stop, tell)
    _show(result, stop, plot, json)


def _agents(named: list[str], seats: str | None) -> list[str]:
    """The agents of a match: those named, or those of a fixed line-up."""
    from stich.agents import split

    if seats is not None and named:
        raise StichError("name the agents of a match, or a line-up by --seats, not both")
    return named if seats is None else split(seats)


def _show(result: "Result", stop: "Stop | None", plot: Path | None, json: bool) -> None:
    """Picture, then JSON or tables; exits 1 where an agent was at fault."""
    if plot:
        figures.save(lambda figure: _draw(figure, result), plot)
    if json:
        print_json(result.record())
    else:
        _print(result, stop)
        if plot:
            console().print(f"written: {plot}", markup=False)
    if result.faults:
        raise typer.Exit(1)


def _print(result: "Result", stop: "Stop | None") -> None:
    screen = console()
    record = result.record()
    title = (
        f"{result.plan.make_game()!r}: {result.games:,} games on {result.deals:,} deals, seed {result.plan.seed}"
    )
    fixed = len(result.plan.arrangements) == 1
    table = Table(*(["seat"] if fixed else []), "agent", *result.names, title=title, title_justify="left")
    for row in record["rows"]:
        cells = [interval(row[name], 4) for name in result.names]
        table.add_row(*([str(row["seat"])] if fixed else []), row["agent"], *cells)
    screen.print(table)
    if record["differences"] and not fixed:
        table = Table("difference", "of", "mean with 95 % interval", "p paired", "p unpaired")
        for row in record["differences"]:
            tests = [f"{row[test]:.2g}" if test in row else "" for test in ("p_paired", "p_unpaired")]
            table.add_row(f"{row['a']} - {row['b']}", row["figure"], interval(row, 4), *tests)
        screen.print(table)
    if stop:
        claims = {"": "undecided", "equal": f"equal within {stop.margin:g}"}
        claim = claims.get(result.verdict, f"{result.plan.agents[0]} is {result.verdict}")
        screen.print(f"Sequential test, error rate {stop.error:g}: {claim}.", markup=False)
    print_faults(screen, result.faults, result.examples)
    screen.print(f"{result.seconds:.1f} s, {result.games / result.seconds:,.0f} games/s")
    times = (
        f"{agent} {taken:,.3g} ms" for agent, taken in zip(result.plan.agents, record["milliseconds"], strict=True)
    )
    screen.print(f"A decision took: {', '.join(times)}.", markup=False, highlight=False)


def print_faults(screen: Console, faults: Mapping[str, Mapping[str, int]], examples: Mapping[str, str]) -> None:
    """What each agent did wrong."""
    for spec, kinds in faults.items():
        counts = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
        line = f"{spec} was at fault: {counts}; first: {examples[spec]}"
        screen.print(line, style="red", markup=False)


def _draw(figure: Any, result: "Result") -> None:
    """A panel for each figure: the agents' means with their intervals."""
    panels = figure.subplots(1, len(result.names), squeeze=False)[0]
    rows = result.record()["rows"]
    names = [f"{row['seat']}: {row['agent']}" if "seat" in row else row["agent"] for row in rows]
    for axes, name in zip(panels, result.names, strict=True):
        means = [row[name]["mean"] for row in rows]
        halves = [0.0 if row[name]["low"] is None else row[name]["high"] - row[name]["mean"] for row in rows]
        axes.errorbar(means, range(len(rows)), xerr=halves, fmt="o", capsize=4)
        axes.set(title=name, yticks=range(len(rows)), yticklabels=names, ylim=(len(rows) - 0.5, -0.5))
        axes.grid(visible=True, alpha=0.3)
    for axes in panels[1:]:
        axes.set_yticklabels([])
    figure.set_size_inches(2 + 3 * len(result.names), 1.5 + 0.5 * len(rows))
    figure.suptitle(f"{result.plan.make_game()!r}: {result.games:,} games", fontsize=10)
