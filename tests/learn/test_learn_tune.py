"""The search for settings: measures and ranks by hand, and searches that a kill or more workers do not change."""

import json
import os
import re
import signal
import sys
from dataclasses import asdict, replace
from functools import partial
from math import prod

import pytest

from conftest import HERE, python
from stich.cli.train import train as train_command
from stich.cli.tune import choices
from stich.cli.tune import tune as tune_command
from stich.core.errors import StichError
from stich.learn import tune
from stich.learn.dmc import DmcConfig
from stich.learn.dqn import DqnConfig
from stich.learn.nfsp import NfspConfig
from stich.learn.run import REGISTRY, Setup
from stich.learn.spaces import Range, draw
from stich.learn.tune import Row, TuningPlan, best_of, ranked, run_search, slope
from stich.run.workers import InProcess, Processes

optuna = pytest.importorskip("optuna")

SMALL = {
    "layers": "8",
    "lanes": "16",
    "frames": "8000",
    "evaluate_every": "1000",
    "evaluate_games": "40",
    "buffers": "200",
    "batch_size": "100",
    "log_every": "1000",
    "checkpoint_minutes": "0",
}
BETTEL = TuningPlan("dmc", "cego.bettel", {"heuristic": "on"}, "tpe", "wide", SMALL, games=20)
DQN = {name: value for name, value in SMALL.items() if name != "buffers"} | {"train_every": "64"}
REWARDS = TuningPlan(
    "dqn", "cego.standard", {"heuristic": "on"}, given=DQN, games=20, option="reward", values=("win", "points")
)


def row(number, appg, tiot):
    return Row(number, "complete", {}, {}, appg, 0.1, tiot)


def test_the_slope_is_that_of_least_squares():
    assert slope([0.1, 0.2, 0.3, 0.4]) == pytest.approx(0.1)
    # Around their means x is -1.5, -0.5, 0.5, 1.5 and y is -0.5, 0.5, -0.5, 0.5: products 1.0, squares of x 5.
    assert slope([0, 1, 0, 1]) == pytest.approx(0.2)
    assert slope([0.5]) == 0


def test_the_five_trials_of_table_7_are_ranked_by_both_measures():
    rows = [row(19, 43.02, 4.276), row(9, 42.75, 3.428), row(3, 43.10, 2.722), row(7, 42.45, 3.266)]
    rows += [row(11, 41.74, 5.003), Row(4, "pruned", {}, {})]
    found = [(r.number, r.appg_rank, r.tiot_rank, r.average_rank, r.rank) for r in ranked(rows)]
    assert found == [
        (19, 2, 2, 2.0, 1),
        (3, 1, 5, 3.0, 2),
        (9, 3, 3, 3.0, 2),
        (11, 5, 1, 3.0, 2),
        (7, 4, 4, 4.0, 5),
        (4, None, None, None, None),
    ]
    assert best_of(REWARDS, ranked(rows)).number == 19
    assert best_of(BETTEL, ranked(rows)).number == 3  # by the mean result alone
    assert best_of(BETTEL, ranked(rows[5:])) is None


def test_equal_values_share_the_better_rank():
    found = ranked([row(0, 1.0, 0.1), row(1, 2.0, 0.1), row(2, 2.0, 0.3)])
    assert [(r.number, r.appg_rank, r.tiot_rank) for r in found] == [(2, 1, 1), (1, 1, 2), (0, 3, 2)]


def test_samples_are_drawn_once_each_and_do_not_depend_on_how_many_there_are():
    space = {"a": ("1", "2", "3"), "b": ("x", "y")}
    samples = [draw(space, 5, number) for number in range(6)]
    assert {(sample["a"], sample["b"]) for sample in samples} == {(a, b) for a in "123" for b in "xy"}
    assert samples != [draw(space, 6, number) for number in range(6)]
    with pytest.raises(StichError, match="only 6 settings"):
        draw(space, 5, 6)
    rates = [draw({"rate": Range(1e-4, 1e-2)}, 5, number)["rate"] for number in range(200)]
    assert min(rates) >= 1e-4
    assert max(rates) <= 1e-2
    assert 70 <= sum(rate < 1e-3 for rate in rates) <= 130  # half of them, on the scale of logarithms


def test_the_spaces_of_the_document_have_its_sizes_and_all_values_can_be_set():
    sizes = [prod(map(len, kind.spaces["document"].values.values())) for kind in (DqnConfig, NfspConfig)]
    assert sizes == [3 * 3 * 4 * 3 * 2 * 3 * 4, 4 * 4 * 5 * 3 * 5]
    for learner in REGISTRY.own.values():
        for space in learner.settings.spaces.values():
            for setting, values in space.values.items():
                some = (str(values.low), str(values.high)) if isinstance(values, Range) else values
                configs = {learner.settings.of(space.preset, {setting: value}) for value in some}
                assert len(configs) == len(some)


def test_a_trial_of_the_documents_search_is_as_in_section_6_1():
    search = TuningPlan("nfsp", "cego.standard", {"heuristic": "on"}, *choices("nfsp", "", ""))
    config = search.setup(0, draw(NfspConfig.spaces["document"].values, 12, 0)).config
    assert (search.method, search.space, search.games, tune.SEEDS) == (
        "random",
        "document",
        1000,
        (12, 17, 20, 30, 33),
    )
    assert config.frames == 50_000 * 44
    assert config.evaluate_every == 500 * 44
    assert (config.evaluate_games, config.seed, config.learners, config.opponent) == (1000, 12, (0,), "random")
    assert (config.epsilon_decay, config.rate, config.layers) == (50_000, 1e-5, (512, 512))
    assert choices("dmc", "", "") == ("tpe", "wide")
    assert choices("dqn", "tpe", "") == ("tpe", "wide")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"method": "grid"}, "random or tpe, not by 'grid'"),
        ({"space": "narrow"}, "no space 'narrow'"),
        ({"space": "document"}, "no space 'document' for DmcConfig; there is wide"),
        ({"option": "reward", "values": ("win", "points")}, "take --method random"),
        ({"option": "reward", "values": ("win",), "method": "random"}, "two values or more of reward"),
        ({"given": dict.fromkeys(DmcConfig.spaces["wide"].values, "1")}, "nothing is left"),
    ],
)
def test_searches_that_cannot_be(changes, message):
    with pytest.raises(StichError, match=message):
        replace(BETTEL, **changes)


def test_a_search_whose_models_could_not_be_measured_is_refused_before_it_begins(tmp_path):
    with pytest.raises(StichError, match="against random or rule, not 'people'"):
        run_search(replace(BETTEL, against="people"), tmp_path, 1, InProcess())
    with pytest.raises(StichError, match="no rule-based player"):
        run_search(replace(BETTEL, against="rule", game="kuhn", options={}), tmp_path, 1, InProcess())
    with pytest.raises(StichError, match="must learn: --set learners=0,2"):
        run_search(TuningPlan("dqn", "jass", given=DQN), tmp_path, 1, InProcess())
    assert not list(tmp_path.iterdir())


def shown(rows):
    return [asdict(row) for row in rows]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tune") / "undisturbed"
    return folder, run_search(BETTEL, folder, 5, InProcess())


KILLER = """
import os, random, signal, sys, time
from pathlib import Path
sys.path[:0] = {tests!r}
import test_learn_tune as tests
folder, kills, numbers = Path({folder!r}), 0, random.Random(os.getpid())
while True:
    child = os.fork()
    if child == 0:
        tests.run_search(tests.BETTEL, folder, 5, tests.InProcess())
        os._exit(0)
    if kills < 3:
        time.sleep(0.3 + numbers.random())
        os.kill(child, signal.SIGKILL)
        kills += 1
    if os.waitpid(child, 0)[1] == 0:
        break
print(kills)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="fork")
def test_a_search_that_is_killed_ends_with_the_same_trials(tmp_path, undisturbed):
    folder = tmp_path / "killed"
    assert int(python(KILLER.format(tests=[str(HERE), str(HERE / "learn")], folder=str(folder)))) == 3
    rows = run_search(BETTEL, folder, 5, InProcess())  # nothing is left to do
    assert shown(rows) == shown(undisturbed[1])
    assert (folder / "best.json").read_bytes() == (undisturbed[0] / "best.json").read_bytes()


def test_a_search_that_is_done_can_be_made_longer_but_not_another(tmp_path, undisturbed):
    folder = tmp_path / "longer"
    run_search(BETTEL, folder, 2, InProcess())
    assert shown(run_search(BETTEL, folder, 5, InProcess())) == shown(undisturbed[1])
    with pytest.raises(StichError, match="another search"):
        run_search(replace(BETTEL, seed=13), folder, 5, InProcess())


def test_a_journal_that_was_cut_off_and_left_locked_is_used_again(tmp_path):
    folder = tmp_path / "cut"
    before = run_search(BETTEL, folder, 1, InProcess())
    with (folder / "journal.log").open("ab") as journal:
        journal.write(b'{"op_code": 4, "tri')
    (folder / "journal.log.lock").symlink_to("nowhere")
    assert shown(run_search(BETTEL, folder, 1, InProcess())) == shown(before)


def test_a_trial_that_is_far_behind_ends_early(tmp_path):
    folder = tmp_path / "pruned"
    folder.mkdir()
    study = tune.open_study(BETTEL, folder)
    for _ in range(5):  # nothing that learns can reach these
        values = dict.fromkeys(range(1, 9), 2.0)
        params = draw(BETTEL.values_to_try(), 0, 0)
        study.add_trial(
            optuna.trial.create_trial(
                value=2.0, params=params, distributions=BETTEL.distributions(), intermediate_values=values
            )
        )
    [*_, last] = run_search(BETTEL, folder, 6, InProcess())
    assert (last.number, last.state, last.appg, last.rank) == (5, "pruned", None, None)
    assert 2 < len(last.curve) < 9  # a quarter of the eight evaluations is seen first
    assert not (folder / "trial-005" / "checkpoints").exists()


def test_the_two_reward_systems_are_compared_in_points_with_any_workers(tmp_path):
    place = Processes(2)
    try:
        rows = run_search(REWARDS, tmp_path / "two", 4, place)
    finally:
        place.close()
    assert shown(rows) == shown(run_search(REWARDS, tmp_path / "one", 4, InProcess()))
    space = REWARDS.values_to_try()
    for found in rows:
        assert found.options == {"heuristic": "on", "reward": ("win", "points")[found.number % 2]}
        assert found.settings == draw(space, 12, found.number)
        assert 30 < found.appg < 50  # points, whatever was learned from
        assert all(0 <= value <= 1 for value in found.curve)
        assert len(found.curve) == 9  # before the first frame, then every 1,000 of 8,000
    won = next(found for found in rows if found.number == 0)
    assert {round(40 * value, 9) % 1 for value in won.curve} == {0.0}  # shares of 40 games


def test_an_error_in_one_of_several_workers_ends_the_search(tmp_path):
    place = Processes(2)
    wrong = replace(REWARDS, option="", values=(), game="cego", options={}, given=DQN | {"learners": "0,7"})
    with pytest.raises(StichError, match="seats 0 to 3"):
        run_search(wrong, tmp_path, 4, place)


def test_the_command_prints_the_table_and_its_best_settings_train(tmp_path, undisturbed, capsys):
    folder, rows = undisturbed
    fixed = [f"{name}={value}" for name, value in SMALL.items()]
    same = partial(
        tune_command, "dmc", "cego.bettel", 5, settings=fixed, option=["heuristic=on"], games=20, run=folder
    )
    same(plot=tmp_path / "curves.png")
    printed = capsys.readouterr().out
    assert re.search(r"rank +trial +average rank +APPG +rank +TIOT, 1e-4 +rank +rate", printed)
    assert f"--preset {folder / 'best.json'}" in printed
    assert (tmp_path / "curves.png").stat().st_size > 10_000
    same(json=True)
    machine = json.loads(capsys.readouterr().out)
    best = next(row for row in rows if row.appg_rank == 1)
    assert machine["best"] == best.number
    assert [one["rank"] for one in machine["rows"]] == [row.rank for row in rows]

    train_command(
        "dmc",
        "cego.bettel",
        str(folder / "best.json"),
        settings=["frames=1000"],
        option=["heuristic=on"],
        run=tmp_path / "run",
        json=True,
    )
    used = Setup.load(tmp_path / "run").config
    tried = Setup.load(folder / f"trial-{best.number:03d}").config
    assert used == replace(
        tried,
        frames=1000,
        seed=0,
        log_every=200_000,
        evaluate_every=1_000_000,
        evaluate_games=4000,
        checkpoint_minutes=5.0,
    )


def test_files_that_hold_no_settings_are_refused(tmp_path):
    with pytest.raises(StichError, match="there is no file"):
        DqnConfig.of(str(tmp_path / "none.json"), {})
    (tmp_path / "other.json").write_text('{"rate": 1}')
    with pytest.raises(StichError, match="needs `preset` and `settings`"):
        DqnConfig.of(str(tmp_path / "other.json"), {})
    (tmp_path / "mine.json").write_text('{"preset": "document", "settings": {"rate": 0.5, "batch_size": "8"}}')
    config = DqnConfig.of(str(tmp_path / "mine.json"), {"batch_size": "16"})
    assert (config.rate, config.batch_size, config.replay_size) == (0.5, 16, 100_000)


def test_stopping_leaves_no_processes(tmp_path):
    place = Processes(2)

    def stop(done, rows):
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run_search(REWARDS, tmp_path, 8, place, stop)
    assert not getattr(place.pool, "_processes", None)
