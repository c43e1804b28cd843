"""Runs: a folder with the configuration, a manifest, metrics, checkpoints and at the end the model.

`train` starts or resumes a run; a run that was stopped, however it was, ends with the same weights.
"""

import contextlib
import datetime
import json
import os
import platform
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import stich
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.files import alone, write_whole
from stich.core.game import Game
from stich.core.registry import Registry
from stich.games import make
from stich.learn import checkpoint
from stich.learn.config import Config
from stich.learn.learner import Learner, part_of, prefixed
from stich.learn.run_folder import BOARD, CHECKPOINTS, CONFIG, MANIFEST, METRICS, MODEL, RESULT, SNAPSHOTS
from stich.nets.model import describe, save_model

REGISTRY = Registry("learner", "stich.learn", "LEARNERS", "stich.learners")
"""The learners: a module here declares its own in a table `LEARNERS`."""


def learner_of(name: str) -> type[Learner]:
    """The learner of this name, or the one that `module:Class` names."""
    found = REGISTRY.find(name)
    if not (isinstance(found, type) and issubclass(found, Learner)):
        raise StichError(f"{name!r} is not a subclass of stich.learn.learner.Learner")
    return found


@dataclass(frozen=True)
class Setup:
    """What a run does: which algorithm learns which game, and how."""

    algorithm: str
    game: str
    options: Mapping[str, Any]
    config: Config

    def record(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "algorithm": self.algorithm,
            "game": self.game,
            "options": dict(self.options),
            "config": self.config.record(),
        }

    @classmethod
    def load(cls, path: Path) -> "Setup":
        """What the run in a folder does."""
        try:
            found = json.loads((path / CONFIG).read_text("utf-8"))
            config = learner_of(found["algorithm"]).settings.restore(found["config"])
            return cls(found["algorithm"], found["game"], found["options"], config)
        except FileNotFoundError:
            raise StichError(f"there is no run in {path}, since it has no {CONFIG}") from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StichError(f"{path / CONFIG} cannot be read: {error!r}") from None

    def make_game(self) -> Game:
        """The game with its options."""
        return make(self.game, **self.options)

    def make_learner(self) -> Learner:
        """The algorithm before its first game."""
        return learner_of(self.algorithm)(self.make_game(), self.config)


@dataclass
class Standing:
    """What a run knows of itself beside what the algorithm knows; all of it is in a checkpoint."""

    number: int = 0
    seconds: float = 0.0
    """Of playing, learning and measuring, over all sessions."""
    logged: int = 0
    evaluated: int = -1
    metrics: int = 0
    """Bytes of metrics that were written before."""
    samples: float = 0.0
    losses: list[float] = field(default_factory=list)
    evaluation: dict[str, Any] = field(default_factory=dict)


Report = Callable[[Mapping[str, Any]], bool]
"""A callback after every block with the state of the run; if it returns True the run stops, to be resumed."""


def train(setup: Setup, path: Path, report: Report = lambda line: False) -> bool:
    """Runs a setup to its end, from the newest checkpoint where there is one; False where it was told to stop."""
    with contextlib.ExitStack() as stack:
        try:
            path.mkdir(parents=True, exist_ok=True)
            stack.enter_context(alone(path))
            _begin(setup, path)
            if (path / RESULT).exists():
                raise StichError(f"the run {path} is finished")
            return _Session(setup, path, report, stack).run()
        except OSError as error:
            raise StichError(f"{path} cannot be used: {error.strerror}") from None


def _begin(setup: Setup, path: Path) -> None:
    """Writes what the run does, or sees that it does the same."""
    if not (path / CONFIG).exists():
        if (path / METRICS).exists():
            raise StichError(f"{path} has a {METRICS} without a {CONFIG}: it belongs to something else")
        write_whole(path / MANIFEST, json.dumps(manifest(setup), indent=1) + "\n")
        write_whole(path / CONFIG, json.dumps(setup.record(), indent=1) + "\n")
    elif Setup.load(path) != setup:
        raise StichError(f"{path} holds another run; name another folder, or resume it by `stich resume {path}`")


def manifest(setup: Setup) -> dict[str, Any]:
    """Where a run comes from: versions, commit, machine, seed."""
    import numba
    import torch

    where = Path(stich.__file__).parent
    asked = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=where, capture_output=True, text=True)
    game = setup.make_game()
    return {
        "stich": stich.__version__,
        "commit": asked.stdout.strip() or None,
        "signature": game.signature(),
        "rules_version": game.spec.rules_version,
        "seed": setup.config.seed,
        "threads": setup.config.threads,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "torch": torch.__version__,
        "machine": f"{platform.machine()} {platform.system()}, {os.cpu_count()} cores",
        "started": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }


class _Session:
    """A run from where it stands to its end."""

    def __init__(self, setup: Setup, path: Path, report: Report, stack: contextlib.ExitStack) -> None:
        self.setup, self.path, self.report = setup, path, report
        self.config = setup.config
        self.learner = setup.make_learner()
        self.standing = Standing()
        found = checkpoint.read(path / CHECKPOINTS)
        if found:
            arrays, facts = found
            restore(self.learner, arrays)
            self.standing = Standing(**facts)
        if (path / METRICS).exists():
            os.truncate(path / METRICS, self.standing.metrics)
        self.metrics = stack.enter_context((path / METRICS).open("ab", buffering=0))
        self.board = stack.enter_context(_board(path / BOARD, self.learner.frames if found else None))
        self.began = time.perf_counter() - self.standing.seconds
        self.saved = time.perf_counter()

    def run(self) -> bool:
        """Plays, learns, measures, until all frames are played or it is told to stop."""
        learner, config, standing = self.learner, self.config, self.standing
        if standing.evaluated < 0:
            self._evaluate()
        while learner.frames < config.frames:
            figures = learner.block()
            standing.samples += figures["samples"]
            standing.losses += [figures["loss"]] if "loss" in figures else []
            standing.seconds = time.perf_counter() - self.began
            if learner.frames // config.log_every > standing.logged // config.log_every:
                self._log(figures)
            if learner.frames // config.evaluate_every > standing.evaluated // config.evaluate_every:
                self._evaluate()
            if self.report(self._line(figures)):
                self._checkpoint()
                return False
            if time.perf_counter() - self.saved >= 60 * config.checkpoint_minutes:
                self._checkpoint()
        if standing.evaluated < learner.frames:
            self._evaluate()
        self._checkpoint()
        self._finish()
        return True

    def _line(self, figures: Mapping[str, float]) -> dict[str, Any]:
        learner, standing = self.learner, self.standing
        return {
            "frames": learner.frames,
            "games": learner.games,
            "samples": int(standing.samples),
            "seconds": round(standing.seconds, 3),
            **{name: value for name, value in figures.items() if name != "samples"},
            "loss": float(np.mean(standing.losses)) if standing.losses else None,
            "evaluation": standing.evaluation,
        }

    def _log(self, figures: Mapping[str, float]) -> None:
        line = {"kind": "training", **self._line(figures)}
        del line["evaluation"]
        self._write(line)
        self.standing.logged = self.learner.frames
        self.standing.losses.clear()

    def _evaluate(self) -> None:
        self.standing.evaluation = self.learner.evaluate()
        if self.config.nash_conv:
            from stich.learn.nashconv import nash_conv

            self.standing.evaluation["nash_conv"] = {"mean": nash_conv(self.learner), "error": 0.0}
        self.standing.evaluated = self.learner.frames
        self.standing.seconds = time.perf_counter() - self.began
        head = {"kind": "evaluation", "frames": self.learner.frames, "seconds": round(self.standing.seconds, 3)}
        self._write({**head, **self.standing.evaluation})
        if self.config.snapshots:
            path = self.path / SNAPSHOTS / f"{self.learner.frames:012}"
            path.parent.mkdir(exist_ok=True)
            write_model(self.setup, self.learner, self.standing, path, np.float16)

    def _write(self, line: Mapping[str, Any]) -> None:
        """A line of metrics, there and for TensorBoard."""
        self.metrics.write(json.dumps(line).encode() + b"\n")
        for name, value in line.items():
            number = value["mean"] if isinstance(value, dict) else value
            if name not in ("kind", "frames") and number is not None:
                self.board.add_scalar(f"{line['kind']}/{name}", number, line["frames"])
        self.board.flush()

    def _checkpoint(self) -> None:
        os.fsync(self.metrics.fileno())
        self.standing.number += 1
        self.standing.metrics = os.fstat(self.metrics.fileno()).st_size
        checkpoint.write(self.path / CHECKPOINTS, self.standing.number, state(self.learner), vars(self.standing))
        self.saved = time.perf_counter()

    def _finish(self) -> None:
        write_model(self.setup, self.learner, self.standing, self.path / MODEL)
        result = {
            **self._line({}),
            "peak_memory_mb": _peak_memory(),
        }
        write_whole(self.path / RESULT, json.dumps(result, indent=1) + "\n")


def _peak_memory() -> int | None:
    """The most memory that this process has used, in MB; None if the system does not say (Windows)."""
    try:
        resource = import_module("resource")
    except ImportError:
        return None
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def state(learner: Learner) -> dict[str, Array]:
    """All that a learner needs to continue."""
    return prefixed({"lanes": learner.lanes.arrays(), "learner": learner.arrays()})


def restore(learner: Learner, arrays: Mapping[str, Array]) -> None:
    """Continues where `state` was taken."""
    learner.lanes.restore(part_of(arrays, "lanes"))
    learner.restore(part_of(arrays, "learner"))


def write_model(
    setup: Setup, learner: Learner, standing: Standing, path: Path, numbers: type[np.floating] = np.float32
) -> None:
    """Writes the model of a learner, with what it has shown so far; `numbers` is how its weights are stored."""
    players = learner.players()
    training = {
        **setup.record(),
        "frames": learner.frames,
        "games": learner.games,
        "seconds": round(standing.seconds),
        "stich": stich.__version__,
    }
    facts = {
        "nets": learner.nets_count,
        "net_of_seats": learner.net_of.tolist(),
        "layers": list(players[0][0].sizes),
        "activation": setup.config.activation,
        "chooses": "value" if learner.evaluated_by_value else "policy",
        "training": training,
        "strength": {"games": setup.config.evaluate_games, **standing.evaluation},
    }
    tensors = prefixed(
        {f"net{number}": net.tensors(own.astype(numbers)) for number, (net, own) in enumerate(players)}
    )
    save_model(path, describe(learner.game, learner.inputs, facts), tensors)


def load_run(path: Path) -> tuple[Setup, Learner, Standing]:
    """A run as its newest checkpoint has it."""
    setup = Setup.load(path)
    found = checkpoint.read(path / CHECKPOINTS)
    if found is None:
        raise StichError(f"the run {path} has no checkpoint yet")
    learner = setup.make_learner()
    restore(learner, found[0])
    return setup, learner, Standing(**found[1])


@contextlib.contextmanager
def _board(path: Path, purge: int | None) -> Iterator[Any]:
    """The writer of TensorBoard's files; what was logged after the checkpoint is marked as void."""
    from torch.utils.tensorboard import SummaryWriter

    writer = SummaryWriter(str(path), purge_step=purge)
    try:
        yield writer
    finally:
        writer.close()
