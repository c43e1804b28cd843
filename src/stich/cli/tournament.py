"""`stich tournament`: many agents in many games, with ratings; resumes where it was stopped."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Column, Table

from stich.cli.arguments import Json, Plot, Ray, Workers, workers_of
from stich.cli.output import console, counted, interval, print_json
from stich.core.errors import StichError
from stich.run import figures

if TYPE_CHECKING:
    from stich.arena.tournament_folder import Folder

UNRATED = "no ratings: not all agents have met yet, not even by way of others"

app = typer.Typer()


@app.command()
def tournament(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament, or the folder of a run.")],
    run: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where results are kept; default: runs/NAME.")
    ] = None,
    workers: Workers = None,
    ray: Ray = None,
    show: Annotated[bool, typer.Option("--show", help="Show what a folder holds; play nothing.")] = False,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Let many agents meet in many games, and rate them; resumes where it was stopped."""
    from stich.arena.entries import load_tournament
    from stich.arena.standings import standings
    from stich.arena.tournament_folder import CONFIG, Folder

    if plot:
        figures.check_file(plot)
    if file.is_dir():
        if run:
            raise StichError(f"{file} is the folder of a run already: leave --run out")
        folder, file = Folder(file), file / CONFIG
    else:
        folder = Folder(run or Path("runs") / load_tournament(file)[0].name)
    result = standings(folder.load(), folder.read()) if show else _play(file, folder, workers, ray, json)
    if plot:
        figures.save(lambda figure: _draw(figure, result), plot)
    if json:
        print_json(result)
    else:
        _print(result)
        for written in ([] if show else [folder.path]) + ([plot] if plot else []):
            console().print(f"written: {written}", markup=False)
    if result["faults"]:
        raise typer.Exit(1)


def _play(file: Path, folder: "Folder", workers: int | None, ray: str | None, json: bool) -> dict[str, Any]:
    """Plays with a progress display; a run that is stopped reports how to resume it."""
    from stich.arena.entries import check_agents, load_tournament, pairings
    from stich.arena.tournament import play_tournament

    tournament, text = load_tournament(file)
    check_agents(tournament)
    deals = sum(pairing.deals for pairing in pairings(tournament))
    with folder.open(tournament, text):
        try:
            with workers_of(workers, ray) as place, counted(tournament.name, deals, "deals", quiet=json) as tell:
                return play_tournament(tournament, folder, place, tell)
        except KeyboardInterrupt:
            sys.stderr.write(f"\nstich: what is done is kept; `stich tournament {folder.path}` resumes it\n")
            raise


def _print(result: Mapping[str, Any]) -> None:
    screen = console()
    _print_ratings(result)
    for event in result["events"]:
        if event["agents"]:
            _print_cross(event)
    for name, kinds in result["faults"].items():
        counts = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
        screen.print(
            f"{name} was at fault: {counts}; first: {result['examples'][name]}", style="red", markup=False
        )


def _print_ratings(result: Mapping[str, Any]) -> None:
    """The ratings over all games and in each, with 95 % intervals."""
    tournament = result["tournament"]
    part = "" if result["deals"] == result["planned"] else f" of {result['planned']:,}"
    title = (
        f"{tournament['name']}: {result['games']:,} games on {result['deals']:,}{part} deals, "
        f"seed {tournament['seed']}; ratings with 95 % intervals"
    )
    columns = _columns(result)
    table = Table("agent", *(Column(name, overflow="fold") for name in columns), title=title, title_justify="left")
    listed = [agent["name"] for agent in tournament["agents"]]
    first = next((found for found in columns.values() if found), {})
    for name in [*first, *(name for name in listed if name not in first)]:
        table.add_row(name, *(interval(found[name], 0) if name in found else "" for found in columns.values()))
    console().print(table)
    if not all(columns.values()):
        missing = ", ".join(title for title, found in columns.items() if not found)
        console().print(f"{missing}: {UNRATED}.", markup=False)


def _columns(result: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The ratings by agent, over all games where there are several, and in each; empty where there are none."""
    found = {event["game"]: event["ratings"] for event in result["events"]}
    if len(found) > 1:
        found = {"all games": result["ratings"]} | found
    return {
        title: {row["agent"]: row for row in ratings["agents"]} if ratings else {}
        for title, ratings in found.items()
    }


def _print_cross(event: Mapping[str, Any]) -> None:
    """Every agent against every other: the difference in points a deal, and the share of the games won."""
    title = f"{event['game']}: points of the row less the column's, and its score against the column in %"
    names = [row["agent"] for row in event["agents"]]
    table = Table("agent", "points", *names, title=title, title_justify="left", show_lines=True)
    cells = {}
    for row in event["cross"]:
        points, score = row["points"], row["score"]
        cells[row["a"], row["b"]] = _cell(points, score)
        turned = {"mean": -points["mean"], "low": -points["high"], "high": -points["low"]}
        cells[row["b"], row["a"]] = _cell(turned, {key: 1 - value for key, value in score.items()})
    for row in event["agents"]:
        against = [cells.get((row["agent"], other), "") for other in names]
        table.add_row(row["agent"], interval(row["points"]), *against)
    console().print(table)


def _cell(points: Mapping[str, Any], score: Mapping[str, Any]) -> str:
    return f"{interval(points)}\n{interval({key: 100 * value for key, value in score.items()}, 1)} %"


def _draw(figure: Any, result: Mapping[str, Any]) -> None:
    """A panel over all games and one for each: the ratings with their intervals."""
    columns = {title: found for title, found in _columns(result).items() if found}
    if not columns:
        raise StichError(UNRATED)
    names = list(next(iter(columns.values())))
    names += [name for found in columns.values() for name in found if name not in names]
    panels = figure.subplots(1, len(columns), squeeze=False, sharey=True)[0]
    for axes, (title, found) in zip(panels, columns.items(), strict=True):
        means = [row["mean"] for row in found.values()]
        halves = [(row["high"] - row["low"]) / 2 for row in found.values()]
        axes.errorbar(means, [names.index(name) for name in found], xerr=halves, fmt="o", capsize=4)
        axes.set(title=title, xlabel="rating")
        axes.grid(visible=True, alpha=0.3)
    panels[0].set(yticks=range(len(names)), yticklabels=names, ylim=(len(names) - 0.5, -0.5))
    figure.set_size_inches(2 + 3 * len(columns), 1.5 + 0.5 * len(names))
    figure.suptitle(f"{result['tournament']['name']}: {result['games']:,} games", fontsize=10)
