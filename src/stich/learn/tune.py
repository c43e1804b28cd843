"""A search for good settings: document 000's random search (chapter 6), or TPE with pruning, on Optuna.

A search is a folder: `search.json` (its plan), Optuna's journal, a run for each trial, and `best.json`. Killed and
started again it resumes. One process asks for trials and records their results; the trials may be trained elsewhere,
and report to the journal, by which they are pruned.
"""

import json
import os
import shutil
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, Trial, TrialState

from stich.core.errors import StichError
from stich.core.files import alone, complete_lines, write_whole
from stich.games import make
from stich.learn.config import write_preset
from stich.learn.learner import check_opponent, sides
from stich.learn.run import Setup, learner_of, load_run, train
from stich.learn.run_folder import CHECKPOINTS, RESULT, evaluations
from stich.learn.spaces import Range, Space, Values, as_text, draw, number_of
from stich.run.workers import Workers

SEARCH, JOURNAL, BEST, MEASURED = "search.json", "journal.log", "best.json", "measured.json"
METHODS = ("random", "tpe")
SEEDS = (12, 17, 20, 30, 33)
"""Each trained model plays games of these seeds (6.1.2)."""
PASSING = ("seed", "threads", "frames", "evaluate_every", "evaluate_games", "log_every", "checkpoint_minutes")
"""Settings of a trial that its best settings leave to the run that uses them."""


@dataclass(frozen=True)
class TuningPlan:
    """What is searched, and how."""

    algorithm: str
    game: str
    options: Mapping[str, str] = field(default_factory=dict)
    method: str = "random"
    space: str = "document"
    given: Mapping[str, str] = field(default_factory=dict)
    """Settings that are fixed."""
    seed: int = 12
    against: str = "random"
    games: int = 1000
    """How many games of each seed a trained model plays."""
    option: str = ""
    """An option of the game that trials take in turn, as the document's two reward systems."""
    values: tuple[str, ...] = ()
    """Its values."""

    def __post_init__(self) -> None:
        """Refuses what does not fit together."""
        if self.method not in METHODS:
            raise StichError(f"a search goes by {' or '.join(METHODS)}, not by {self.method!r}")
        if self.option and self.method != "random":
            raise StichError("trials with different options cannot be pruned by each other: take --method random")
        if self.option and (len(self.values) < 2 or self.option in self.options):
            raise StichError(f"name two values or more of {self.option}, and do not fix it by -o as well")
        self.values_to_try()

    @classmethod
    def load(cls, folder: Path) -> "TuningPlan":
        """The plan of the search in a folder."""
        try:
            found = json.loads((folder / SEARCH).read_text("utf-8"))
            return cls(**{**found, "values": tuple(found["values"])})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StichError(f"{folder / SEARCH} cannot be read: {error}") from None

    def own_space(self) -> Space:
        """The learner's space of this name."""
        return learner_of(self.algorithm).settings.space(self.space)

    def values_to_try(self) -> Values:
        """What is searched: the space without the settings that are fixed."""
        return self.own_space().without(self.given)

    def settings(self, params: Mapping[str, Any]) -> dict[str, str]:
        """What a trial sets beside the preset: fixed, then chosen."""
        budget = {**self.own_space().budget, "seed": str(self.seed)}
        return {**budget, **self.given, **{name: as_text(value) for name, value in params.items()}}

    def own_options(self, number: int) -> dict[str, str]:
        """The options that trial `number` learns with."""
        own = {self.option: self.values[number % len(self.values)]} if self.option else {}
        return {**self.options, **own}

    def setup(self, number: int, params: Mapping[str, Any]) -> Setup:
        """The run of a trial."""
        config = learner_of(self.algorithm).settings.of(self.own_space().preset, self.settings(params))
        return Setup(self.algorithm, self.game, self.own_options(number), config)

    def curve(self, run: Path, setup: Setup) -> list[float]:
        """What a run has measured on the way, scaled to 0 to 1 by what its game can give (6.1.2)."""
        low, high = setup.make_game().bounds
        found = [line[f"side0 vs {self.against}"]["mean"] for line in evaluations(run)]
        return [(value - low) / (high - low) for value in found]

    def distributions(self) -> dict[str, BaseDistribution]:
        """The space as Optuna has it."""
        return {
            name: FloatDistribution(values.low, values.high, log=True)
            if isinstance(values, Range)
            else CategoricalDistribution(values)
            for name, values in self.values_to_try().items()
        }


def slope(curve: list[float]) -> float:
    """TIOT: the slope of the line of least squares through a training curve, an evaluation a unit (5.1)."""
    if len(curve) < 2:
        return 0.0
    return round(float(np.polyfit(np.arange(len(curve)), curve, 1)[0]), 12)  # equal curves share a rank


def open_study(plan: TuningPlan, folder: Path) -> optuna.Study:
    """Optuna's study of a search: its trials and their results."""
    config = plan.setup(0, {}).config
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna.create_study(
        storage=JournalStorage(JournalFileBackend(str(folder / JOURNAL))),
        study_name="search",
        direction="maximize",
        sampler=optuna.samplers.RandomSampler(seed=0),
        # A quarter of a trial is seen before the median of the others at the same point can end it.
        pruner=optuna.pruners.MedianPruner(
            n_startup_trials=5, n_warmup_steps=config.frames // config.evaluate_every // 4
        ),
        load_if_exists=True,
    )


def run_of(folder: Path, number: int) -> Path:
    """The folder of a trial's run."""
    return folder / f"trial-{number:03d}"


def run_trial(folder: Path, number: int) -> dict[str, Any]:
    """Trains and measures a trial, from where its run stands; `pruned` where the others are too far ahead."""
    plan, path = TuningPlan.load(folder), run_of(folder, number)
    study = open_study(plan, folder)
    frozen = study.get_trials(deepcopy=False)[number]
    if (path / MEASURED).exists():
        return dict(json.loads((path / MEASURED).read_text("utf-8")))
    setup = plan.setup(number, frozen.params)
    if not (path / RESULT).exists():
        pruning = _Pruning(plan, setup, study, number, path)
        if pruning.is_due() or not train(setup, path, pruning):
            return {"pruned": True, "curve": plan.curve(path, setup)}
    points = load_run(path)[1].play_against(make(plan.game, **plan.options), plan.against, SEEDS, plan.games)
    curve = plan.curve(path, setup)
    error = float(points.std() / np.sqrt(len(points)))
    found = {"appg": float(points.mean()), "error": error, "tiot": slope(curve), "curve": curve}
    write_whole(path / MEASURED, json.dumps(found) + "\n")
    shutil.rmtree(path / CHECKPOINTS)  # memories are large, and it has all that is asked of it
    return found


class _Pruning:
    """Reports each evaluation of a trial to the journal, and stops the trial where Optuna says so."""

    def __init__(self, plan: TuningPlan, setup: Setup, study: optuna.Study, number: int, path: Path) -> None:
        self.plan, self.setup, self.study, self.number, self.path = plan, setup, study, number, path
        self.trial = Trial(study, study.get_trials(deepcopy=False)[number]._trial_id)
        self.seen: Any = None

    def __call__(self, line: Mapping[str, Any]) -> bool:
        """After every block of games; most have no new evaluation."""
        if line["evaluation"] is self.seen:
            return False
        self.seen = line["evaluation"]
        return self.is_due()

    def is_due(self) -> bool:
        """Reports the newest evaluation, and asks."""
        curve = self.plan.curve(self.path, self.setup)
        step = len(curve) - 1
        # What was measured before any learning is not reported: the pruner goes by a trial's best so far.
        if self.plan.method == "random" or step < 1:
            return False
        reported = self.study.get_trials(deepcopy=False)[self.number].intermediate_values
        if step not in reported:  # a run that resumes repeats earlier reports
            self.trial.report(curve[step], step)
        return step >= max(reported, default=0) and self.trial.should_prune()


@dataclass(frozen=True)
class Row:
    """A trial in the table of results."""

    number: int
    state: str
    """complete, pruned or running."""
    options: Mapping[str, str]
    settings: Mapping[str, str]
    """What was chosen."""
    appg: float | None = None
    """Mean result of the trained model (average points per game)."""
    error: float | None = None
    tiot: float | None = None
    """Slope of the training curve (training improvement over time)."""
    curve: tuple[float, ...] = ()
    appg_rank: int | None = None
    tiot_rank: int | None = None
    average_rank: float | None = None
    rank: int | None = None


def ranked(rows: list[Row]) -> list[Row]:
    """Complete trials by the mean of both ranks, as in Tables 7 and 8; equal values share the better rank."""
    done = [row for row in rows if row.appg is not None]
    by_appg, by_tiot = _ranks([row.appg for row in done]), _ranks([row.tiot for row in done])
    average = [(a + t) / 2 for a, t in zip(by_appg, by_tiot, strict=True)]
    final = _ranks([-value for value in average])
    found = [
        Row(**{**vars(row), "appg_rank": a, "tiot_rank": t, "average_rank": mean, "rank": rank})
        for row, a, t, mean, rank in zip(done, by_appg, by_tiot, average, final, strict=True)
    ]
    found.sort(key=lambda row: (row.rank, row.appg_rank, row.number))
    return found + [row for row in rows if row.appg is None]


def _ranks(values: list[Any]) -> list[int]:
    """1 for the greatest."""
    return [1 + sum(other > value for other in values) for value in values]


def results(plan: TuningPlan, study: optuna.Study) -> list[Row]:
    """All trials, best first."""
    rows = []
    for trial in study.get_trials(deepcopy=False):
        state = "running" if trial.state in (TrialState.RUNNING, TrialState.WAITING) else trial.state.name.lower()
        chosen = {name: as_text(value) for name, value in trial.params.items()}
        figures = {**trial.user_attrs, "curve": tuple(trial.user_attrs.get("curve", ()))}
        rows.append(Row(trial.number, state, plan.own_options(trial.number), chosen, **figures))
    return ranked(rows)


def best_of(plan: TuningPlan, rows: list[Row]) -> Row | None:
    """The best trial: by both measures in the document's search, by the mean result otherwise.

    The slope alone would reward a bad start; it is what the document weighs in.
    """
    done = [row for row in rows if row.appg is not None]
    if plan.method == "random":
        return done[0] if done else None
    return max(done, key=lambda row: row.appg or 0.0, default=None)


Progress = Callable[[int, list[Row]], None]
"""A callback after each trial: how many are done, and all results so far."""


def run_search(
    plan: TuningPlan, folder: Path, trials: int, workers: Workers, progress: Progress = lambda done, rows: None
) -> list[Row]:
    """Runs or resumes a search until `trials` trials are done; returns them, best first."""
    _check(plan)
    folder = folder.absolute()  # others may work elsewhere
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with alone(folder):
            _begin(plan, folder)
            return _Coordinator(plan, folder, trials, workers, progress).run()
    except OSError as error:
        raise StichError(f"{folder} cannot be used: {error.strerror}") from None


def _begin(plan: TuningPlan, folder: Path) -> None:
    """Writes the plan, or checks that it is the same."""
    if not (folder / SEARCH).exists():
        write_whole(folder / SEARCH, json.dumps(asdict(plan), indent=1) + "\n")
    elif TuningPlan.load(folder) != plan:
        raise StichError(f"{folder} holds another search; name another folder by --run")


def _check(plan: TuningPlan) -> None:
    """Refuses a search whose trials could not be measured."""
    setup = plan.setup(0, {})
    game, config = setup.make_game(), setup.config
    if plan.against not in ("random", "rule"):
        raise StichError(f"models are measured against random or rule, not {plan.against!r}")
    check_opponent(game, plan.against)
    first = sides(game)[0] if game.teams else [0]
    if config.learners and not set(first) <= set(config.learners):
        seats = ",".join(map(str, first))
        raise StichError(f"the first side is measured, so it must learn: --set learners={seats}")


def _mend(journal: Path) -> None:
    """Removes what a killed process may have left: a line that was cut off, and the lock it held while writing."""
    journal.with_name(f"{journal.name}.lock").unlink(missing_ok=True)
    if journal.exists():
        os.truncate(journal, sum(map(len, complete_lines(journal))))


class _Coordinator:
    """Hands trials to workers and records their results."""

    def __init__(self, plan: TuningPlan, folder: Path, trials: int, workers: Workers, progress: Progress) -> None:
        self.plan, self.folder, self.trials, self.workers, self.progress = plan, folder, trials, workers, progress
        _mend(folder / JOURNAL)
        self.study = open_study(plan, folder)
        self.space = plan.values_to_try()
        self.lock, self.stopped = threading.Lock(), False
        self.left = [trial.number for trial in self._all() if trial.state == TrialState.RUNNING]

    def _all(self) -> list[FrozenTrial]:
        return self.study.get_trials(deepcopy=False)

    def run(self) -> list[Row]:
        """Keeps every worker busy; one that waits is a thread here."""
        try:
            if self.workers.count == 1:
                self._work()
            else:
                self._work_together()
        except BaseException:
            self.stopped = True
            self.workers.close()
            raise
        rows = results(self.plan, self.study)
        self._keep_best(rows)
        return rows

    def _work_together(self) -> None:
        threads = ThreadPoolExecutor(self.workers.count)
        try:
            for future in as_completed([threads.submit(self._work) for _ in range(self.workers.count)]):
                future.result()
        finally:
            threads.shutdown(wait=False)

    def _work(self) -> None:
        """One trial after the other."""
        while (number := self._claim()) is not None:
            found, _ = self.workers.result(self.workers.submit((run_trial, self.folder, number)))
            with self.lock:
                self._settle(number, found)

    def _claim(self) -> int | None:
        """A trial that was left unfinished, or a new one; None where there are enough."""
        with self.lock:
            if self.left:
                return self.left.pop(0)
            states = [trial.state for trial in self._all()]
            waiting = states.count(TrialState.WAITING)
            if self.stopped or len(states) - waiting >= self.trials:
                return None
            if self.plan.method == "random" and not waiting:
                self.study.enqueue_trial(draw(self.space, self.plan.seed, len(states)))
            # Each trial has its own sampler: a search that was stopped continues as if it had not been.
            self.study.sampler = self._sampler(len(states))
            return self.study.ask(self.plan.distributions()).number

    def _sampler(self, number: int) -> optuna.samplers.BaseSampler:
        seed = number_of(self.plan.seed, "sampler", number) % 2**32
        if self.plan.method == "random":
            return optuna.samplers.RandomSampler(seed=seed)
        return optuna.samplers.TPESampler(seed=seed, multivariate=False, constant_liar=self.workers.count > 1)

    def _settle(self, number: int, found: dict[str, Any]) -> None:
        """Records the result of a trial."""
        trial = Trial(self.study, self._all()[number]._trial_id)
        pruned = found.pop("pruned", False)
        for name, value in found.items():
            trial.set_user_attr(name, value)
        if pruned:
            self.study.tell(number, state=TrialState.PRUNED)
            shutil.rmtree(run_of(self.folder, number) / CHECKPOINTS, ignore_errors=True)
        else:
            self.study.tell(number, found["appg"])
        rows = results(self.plan, self.study)
        self._keep_best(rows)
        self.progress(sum(trial.state.is_finished() for trial in self._all()), rows)

    def _keep_best(self, rows: list[Row]) -> None:
        """Writes the best settings so far, for `stich train --preset`."""
        best, plan = best_of(self.plan, rows), self.plan
        if best:
            fixed = {name: value for name, value in plan.given.items() if name not in PASSING}
            content = write_preset(
                plan.own_space().preset,
                {**fixed, **best.settings},
                algorithm=plan.algorithm,
                game=plan.game,
                options=dict(best.options),
                trial=best.number,
                appg=best.appg,
                tiot=best.tiot,
            )
            write_whole(self.folder / BEST, content)
