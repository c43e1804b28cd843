"""`stich train` and `stich resume`: learning, with progress."""

import contextlib
import json as jsons
import signal
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from stich.cli.arguments import Json, LearnerName, Options, RunFolder, Settings, options_of
from stich.cli.output import console, print_json, progress
from stich.core.errors import StichError

app = typer.Typer()


@app.command()
def train(
    algorithm: LearnerName,
    game: Annotated[str | None, typer.Argument(help="A game or variant, as listed by `stich games`.")] = None,
    preset: Annotated[
        str, typer.Option(help="Named settings, as listed by --list, or a file of `stich tune`.")
    ] = "shipped",
    settings: Settings = None,
    option: Options = None,
    run: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where the run is kept; default: a new one under runs/.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the settings; train nothing.")] = False,
    json: Json = False,
) -> None:
    """Train a model by self-play; `stich resume` continues a run that was stopped."""
    if listed:
        _list_settings(algorithm, json)
        return
    if game is None:
        raise StichError(f"name a game to learn, as in: stich train {algorithm} cego.solo")
    from stich.games import make
    from stich.nets.model import shipped_settings

    runs, options = learning(), options_of(option)
    kind, name = runs.learner_of(algorithm).settings, make(game, **options).name
    known = shipped_settings(algorithm, name) if preset == "shipped" else {}
    setup = runs.Setup(algorithm, game, options, kind.of(preset, options_of(settings), known))
    _train(setup, run or _free(Path("runs") / f"{short(algorithm)}-{name}"), json)


@app.command()
def resume(run: RunFolder, json: Json = False) -> None:
    """Continue a run of `stich train`; it ends as if it had never been stopped."""
    _train(learning().Setup.load(run), run, json)


def learning() -> Any:
    """The module of runs, which needs torch."""
    if find_spec("torch") is None:
        raise StichError("learning needs more packages: pip install 'stich[learn]'")
    from stich.learn import run

    return run


def short(algorithm: str) -> str:
    """A learner's name as a part of a folder's."""
    return algorithm.rpartition(":")[2].lower()


def _free(path: Path) -> Path:
    """The folder, or with a number behind it where there is one already."""
    tries = (path if number == 1 else path.with_name(f"{path.name}-{number}") for number in range(1, 10_000))
    return next(path for path in tries if not path.exists())


def _train(setup: Any, path: Path, json: bool) -> None:
    runs = learning()
    frames = "{task.completed:,} of {task.total:,} frames{task.fields[standing]}"
    with progress(frames, quiet=json) as bar, _stop_signal() as stop:
        task = bar.add_task(f"{setup.algorithm} {setup.game}", total=setup.config.frames, standing="")
        shown: dict[str, Any] = {}

        def report(line: Mapping[str, Any]) -> bool:
            speed = f", {line['frames'] / max(line['seconds'], 1e-9):,.0f}/s"
            loss = f", loss {line['loss']:.4g}" if line["loss"] is not None else ""
            bar.update(task, completed=line["frames"], standing=speed + loss)
            if line["evaluation"] != shown and not json:
                shown.update(line["evaluation"])
                bar.console.print(f"{line['frames']:,} frames, {_clock(line['seconds'])}: {strengths(shown)}")
            return bool(stop)

        finished = runs.train(setup, path, report)
    if not finished:
        sys.stderr.write(f"stich: stopped; `stich resume {path}` resumes it\n")
        raise typer.Exit(130)
    from stich.learn.run_folder import RESULT

    result = jsons.loads((path / RESULT).read_text("utf-8"))
    if json:
        print_json({"run": str(path), **result})
    else:
        _print_result(path, result)


@contextlib.contextmanager
def _stop_signal() -> Iterator[list[int]]:
    """A list that is no longer empty when the user or the system asks to stop; asked twice, it stops at once."""
    asked: list[int] = []

    def ask(number: int, frame: Any) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


def strengths(evaluation: Mapping[str, Any]) -> str:
    """What was measured, with halves of 95 % intervals."""
    parts = (f"{name} {value['mean']:.4g} ± {1.96 * value['error']:.2g}" for name, value in evaluation.items())
    return ", ".join(parts)


def _print_result(path: Path, result: Mapping[str, Any]) -> None:
    seconds = max(result["seconds"], 1e-9)
    peak = result["peak_memory_mb"]
    memory = "memory unknown" if peak is None else f"{peak:,} MB"
    console().print(
        f"{result['frames']:,} frames of {result['games']:,} games in {_clock(seconds)}: "
        f"{result['frames'] / seconds:,.0f} frames/s, {result['samples'] / seconds:,.0f} samples/s, "
        f"{memory}\n{strengths(result['evaluation'])}\nwritten: {path}/model.safetensors",
        markup=False,
    )


def _list_settings(algorithm: str, json: bool) -> None:
    """The settings of an algorithm: each with its value in every preset."""
    from stich.learn.config import explain, text

    config = learning().learner_of(algorithm).settings
    presets = {name: config.of(name, {}).record() for name in config.presets}
    rows = [
        (name, doc, {preset: values[name] for preset, values in presets.items()})
        for name, _, doc in explain(config)
    ]
    if json:
        print_json([{"name": name, "doc": doc, "presets": values} for name, doc, values in rows])
        return
    table = Table("setting", *presets, "meaning", title=f"{algorithm}: settings by preset", title_justify="left")
    for name, doc, values in rows:
        shown = [text(value) for value in values.values()]
        table.add_row(name, *(value if i == 0 or value != shown[0] else "" for i, value in enumerate(shown)), doc)
    console().print(table)
