"""The folder of a run: the names of its files, and what can be told from them without torch."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stich.core.files import complete_lines

CONFIG, MANIFEST, METRICS, RESULT = "config.json", "manifest.json", "metrics.jsonl", "result.json"
CHECKPOINTS, SNAPSHOTS, BOARD, MODEL = "checkpoints", "snapshots", "tensorboard", "model"


def evaluations(run: Path) -> list[dict[str, Any]]:
    """What a run has measured on the way: frames, and a mean with its standard error by side and opponent."""
    lines = (json.loads(line) for line in complete_lines(run / METRICS))
    return [line for line in lines if line["kind"] == "evaluation"]


def list_runs(folder: Path) -> Iterator[dict[str, Any]]:
    """The runs in a folder, or the one that it is: what they do and how they stand."""
    for place in sorted([*folder.glob(MANIFEST), *folder.glob(f"*/{MANIFEST}")]):
        with contextlib.suppress(OSError, ValueError, KeyError):
            path = place.parent
            setup = json.loads((path / CONFIG).read_text("utf-8"))
            lines = [json.loads(line) for line in complete_lines(path / METRICS)]
            measured = evaluations(path)
            yield {
                "run": str(path),
                "algorithm": setup["algorithm"],
                "game": setup["game"],
                "options": setup["options"],
                "finished": (path / RESULT).exists(),
                "frames": max((line["frames"] for line in lines), default=0),
                "of": setup["config"]["frames"],
                "evaluate_games": setup["config"]["evaluate_games"],
                "evaluation": {name: value for name, value in measured[-1].items() if isinstance(value, dict)}
                if measured
                else {},
            }
