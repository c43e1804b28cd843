"""`stich train`, `resume`, `runs` and `export`: learning, with progress, and what has come of it."""

import contextlib
import json as jsons
import signal
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import typer
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from stich.cli.output import console, print_json, progress
from stich.core.errors import StichError
from stich.games import make
from stich.learn.run_folder import MODEL, RESULT
from stich.learn.run_folder import list_runs as find_runs
from stich.nets.model import shipped_settings


def run_training(
    algorithm: str,
    game: str,
    options: Mapping[str, Any],
    preset: str,
    settings: Mapping[str, str],
    run: Path | None,
    json: bool,
) -> None:
    """Begins a run; in a folder that has it already, goes on with it."""
    runs = _runs()
    kind, name = runs.algorithm(algorithm)[1], make(game, **options).name
    known = shipped_settings(algorithm, name) if preset == "shipped" else {}
    setup = runs.Setup(algorithm, game, options, kind.of(preset, settings, known))
    _train(setup, run or _free(Path("runs") / f"{algorithm}-{name}"), json)


def resume_training(run: Path, json: bool) -> None:
    """Goes on with a run."""
    _train(_runs().Setup.load(run), run, json)


def _runs() -> Any:
    """The module of runs, which needs torch."""
    if find_spec("torch") is None:
        raise StichError("learning needs more packages: pip install 'stich[learn]'")
    from stich.learn import run

    return run


def _free(path: Path) -> Path:
    """The folder, or with a number behind it where there is one already."""
    tries = (path if number == 1 else path.with_name(f"{path.name}-{number}") for number in range(1, 10_000))
    return next(path for path in tries if not path.exists())


def _train(setup: Any, path: Path, json: bool) -> None:
    runs = _runs()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,} of {task.total:,} frames{task.fields[standing]}"),
        TimeRemainingColumn(),
    )
    with progress(*columns, quiet=json) as bar, _stop_signal() as stop:
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
        sys.stderr.write(f"stich: stopped; `stich resume {path}` goes on\n")
        raise typer.Exit(130)
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


def list_settings(algorithm: str, json: bool) -> None:
    """The settings of an algorithm: each with its value in every preset."""
    from stich.learn.config import explain, text

    config = _runs().algorithm(algorithm)[1]
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


def list_runs(folder: Path, json: bool) -> None:
    """The runs under a folder."""
    found = list(find_runs(folder))
    if json:
        print_json(found)
        return
    table = Table("run", "algorithm", "game", "frames", "state", "last evaluation")
    for run in found:
        done = f"{run['frames']:,} of {run['of']:,}"
        options = " ".join(f"{name}={value}" for name, value in run["options"].items())
        table.add_row(
            run["run"],
            run["algorithm"],
            f"{run['game']} {options}".strip(),
            done,
            "finished" if run["finished"] else "",
            strengths(run["evaluation"]),
        )
    console().print(table)


def export_run(run: Path, to: Path | None, half: bool, onnx: bool, json: bool) -> None:
    """Writes the model of a run as it stands, and ONNX files beside it."""
    runs = _runs()
    setup, learner, standing = runs.load_run(run)
    path = to or run / MODEL
    path.parent.mkdir(parents=True, exist_ok=True)
    runs.write_model(setup, learner, standing, path, np.float16 if half else np.float32)
    written: list[dict[str, Any]] = [{"file": f"{path}.safetensors"}, {"file": f"{path}.json"}]
    if onnx:
        from safetensors.numpy import load_file

        from stich.learn.onnx import export_onnx

        card = jsons.loads(path.with_name(f"{path.name}.json").read_text("utf-8"))
        tensors = {name: array.astype(np.float32) for name, array in load_file(f"{path}.safetensors").items()}
        for file, difference in export_onnx(path, card, tensors):
            written.append({"file": str(file), "difference_from_torch": difference})
    if json:
        print_json({"run": str(run), "written": written})
        return
    for entry in written:
        check = f" (differs from torch by {entry['difference_from_torch']:.1g})" if len(entry) > 1 else ""
        console().print(f"written: {entry['file']}{check}", markup=False)
