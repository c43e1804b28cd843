"""`stich tune`: a search for settings, with the document's two measures and ranks of every trial."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from stich.cli.output import console, print_json, progress
from stich.core.errors import StichError
from stich.run.figures import check_file, save
from stich.run.workers import open_workers

WIDTH = 200
"""Columns where nobody's terminal says how many there are."""
BRIGHT = 5
"""So many of the best curves are drawn in colour, as the document shows five."""


def make_search(
    algorithm: str,
    game: str,
    options: Mapping[str, str],
    method: str,
    space: str,
    given: Mapping[str, str],
    seed: int,
    against: str,
    games: int,
    compare: str,
) -> Any:
    """The search that a command asks for: the document's where it has one, unless told otherwise."""
    if find_spec("torch") is None or find_spec("optuna") is None:
        raise StichError("learning needs more packages: pip install 'stich[learn]'")
    from stich.learn.run import algorithm as known
    from stich.learn.spaces import SPACES
    from stich.learn.tune import Search

    known(algorithm)
    method = method or ("random" if algorithm in SPACES["document"] else "tpe")
    space = space or ("document" if method == "random" and algorithm in SPACES["document"] else "wide")
    option, _, values = compare.partition("=")
    chosen = tuple(value.strip() for value in values.split(",") if value.strip())
    return Search(algorithm, game, options, method, space, given, seed, against, games, option, chosen)


def run_tuning(
    search: Any, run: Path | None, trials: int, workers: int, ray: str | None, plot: Path | None, json: bool
) -> None:
    """Runs a search, prints its table, draws its curves."""
    from stich.learn.tune import BEST, best_of, run_search

    if plot:
        check_file(plot)
    folder = run or Path("runs") / f"tune-{search.method}-{search.algorithm}-{search.game}"
    place = open_workers(workers, ray)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed} of {task.total} trials"),
    )
    try:
        with progress(*columns, TimeRemainingColumn(), quiet=json) as bar:
            task = bar.add_task(f"{search.method} {search.algorithm} {search.game}", total=trials)
            rows = run_search(search, folder, trials, place, lambda done, rows: bar.update(task, completed=done))
    finally:
        place.close()
    best = best_of(search, rows)
    if plot:
        save(partial(draw, rows, search), plot)
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
    screen.print(table(search, rows))
    if best:
        options = "".join(f" -o {name}={value}" for name, value in best.options.items())
        screen.print(
            f"best: trial {best.number}; to use it:\n"
            f"stich train {search.algorithm} {search.game}{options} --preset {folder / BEST} --set frames=...",
            markup=False,
        )


def table(search: Any, rows: Sequence[Any]) -> Table:
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


def draw(rows: Sequence[Any], search: Any, figure: Any) -> None:
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
