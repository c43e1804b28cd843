"""`stich tune`: a search for settings, with the document's two measures and ranks of every trial."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from stich.cli.arguments import GameName, Json, LearnerName, Options, Plot, Ray, Seed, options_of, workers_of
from stich.cli.output import console, counted, print_json
from stich.cli.train import short
from stich.core.errors import StichError
from stich.run.figures import check_file, save

if TYPE_CHECKING:
    from stich.learn.tune import Row, TuningPlan

WIDTH = 200
"""Columns if output is not a terminal."""
BRIGHT = 5
"""The number of best curves that are drawn in colour, as the document shows five."""

app = typer.Typer()


@app.command()
def tune(
    algorithm: LearnerName,
    game: GameName,
    trials: Annotated[int, typer.Option(min=1, help="Number of trials in all.")] = 20,
    method: Annotated[
        str, typer.Option(help="random, as document 000, or tpe: guided, and bad trials end early.")
    ] = "",
    space: Annotated[str, typer.Option(help="What to choose from, as listed by `stich learners`.")] = "",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Fix a setting.")
    ] = None,
    option: Options = None,
    compare: Annotated[
        str,
        typer.Option(metavar="NAME=A,B", help="Trials take these values of an option in turn: reward=win,points."),
    ] = "",
    against: Annotated[str, typer.Option(help="Who plays the other seats when models are measured.")] = "random",
    games: Annotated[
        int, typer.Option(min=1, help="Games of each of five seeds that a model is measured in.")
    ] = 1000,
    seed: Seed = 12,
    workers: Annotated[int, typer.Option(min=1, help="Number of trials that are trained at a time.")] = 1,
    ray: Ray = None,
    run: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where it is kept; a search that is there is resumed.")
    ] = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Search for the settings of a learner; killed and started again it resumes."""
    if find_spec("torch") is None or find_spec("optuna") is None:
        raise StichError("learning needs more packages: pip install 'stich[learn]'")
    from stich.learn.tune import TuningPlan, run_search

    method, space = choices(algorithm, method, space)
    varied, _, values = compare.partition("=")
    chosen = tuple(value.strip() for value in values.split(",") if value.strip())
    fixed = options_of(settings)
    search = TuningPlan(
        algorithm, game, options_of(option), method, space, fixed, seed, against, games, varied, chosen
    )
    if plot:
        check_file(plot)
    folder = run or Path("runs") / f"tune-{method}-{short(algorithm)}-{game}"
    name = f"{method} {algorithm} {game}"
    with workers_of(workers, ray) as place, counted(name, trials, "trials", quiet=json) as tell:
        rows = run_search(search, folder, trials, place, lambda done, rows: tell(done))
    if plot:
        save(partial(_draw, rows, search), plot)
    _show(search, folder, rows, json)


def choices(algorithm: str, method: str, space: str) -> tuple[str, str]:
    """The method and the space of a search: the document's if the learner has it and no other was asked for."""
    from stich.learn.run import learner_of

    spaces = learner_of(algorithm).settings.spaces
    method = method or ("random" if "document" in spaces else "tpe")
    own = "document" if method == "random" and "document" in spaces else "wide"
    return method, space or (own if own in spaces else next(iter(spaces), "wide"))


def _show(search: "TuningPlan", folder: Path, rows: "Sequence[Row]", json: bool) -> None:
    from stich.learn.tune import BEST, best_of

    best = best_of(search, list(rows))
    if json:
        print_json(
            {
                "run": str(folder),
                "search": asdict(search),
                "rows": [asdict(row) for row in rows],
                "best": best.number if best else None,
                "settings": str(folder / BEST) if best else None,
            }
        )
        return
    screen = console()
    if not screen.is_terminal:
        screen.width = WIDTH
    screen.print(_table(search, rows))
    if best:
        options = "".join(f" -o {name}={value}" for name, value in best.options.items())
        screen.print(
            f"best: trial {best.number}; to use it:\n"
            f"stich train {search.algorithm} {search.game}{options} --preset {folder / BEST} --set frames=...",
            markup=False,
        )


def _table(search: Any, rows: Sequence[Any]) -> Table:
    """Tables 7 and 8: both measures, and the mean of their ranks."""
    varied = [search.option] if search.option else []
    names = list(dict.fromkeys(name for row in rows for name in row.settings))
    heads = ("rank", "trial", *varied, "average rank", "APPG", "rank", "TIOT, 1e-4", "rank", *names)
    found = Table(*heads, title=f"{search.algorithm} {search.game}: APPG is the mean result against {search.against}, "
                  "TIOT the slope of the training curve", title_justify="left", box=None)  # fmt: skip
    for row in rows:
        cells = ("", "", "", "", "")
        if row.appg is not None:
            appg = f"{row.appg:.3f} ± {1.96 * row.error:.3f}"
            tiot = f"{1e4 * row.tiot:.3f}"
            cells = (f"{row.average_rank:g}", appg, str(row.appg_rank), tiot, str(row.tiot_rank))
        head = str(row.rank) if row.rank else row.state
        own = [row.options[name] for name in varied]
        found.add_row(head, str(row.number), *own, *cells, *(row.settings.get(name, "") for name in names))
    return found


def _draw(rows: Sequence[Any], search: Any, figure: Any) -> None:
    """The training curves, as Figures D1 and D2: the best in colour, those that ended early dashed."""
    figure.set_size_inches(9, 5.5)
    axes = figure.subplots()
    for row in reversed(rows):
        bright = row.rank is not None and row.rank <= BRIGHT
        label = f"{row.rank}. trial {row.number}: APPG {row.appg:.2f}" if bright else None
        style = {"lw": 1.6, "zorder": 3} if bright else {"lw": 0.8, "color": "0.75"}
        axes.plot(row.curve, ls="--" if row.state == "pruned" else "-", label=label, **style)
    axes.set(
        title=f"{search.method} search: {search.algorithm} {search.game}",
        xlabel="evaluation",
        ylabel=f"result against {search.against}, scaled to 0 to 1",
    )
    axes.grid(alpha=0.3)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(reverse=True)
