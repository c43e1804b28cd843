"""What a stranger writes outside the package: an agent and a learner of one file each run by name."""

import json
import os
import subprocess
import sys

import pytest

from conftest import HERE, run

ROOT = HERE.parent


def stich_at_root(*arguments):
    """Runs a command in the folder that `examples` lies in."""
    command = [sys.executable, "-m", "stich.cli", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=dict(os.environ), timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("place", ["examples.agent", "examples/agent.py"])
def test_an_agent_of_one_file_plays_a_match(place):
    agent = f"{place}:Lookahead(worlds=2)"
    found = json.loads(stich_at_root("match", "jass", agent, "random", "--games", "2", "--workers", "1", "--json"))
    assert found["faults"] == {}
    assert {row["agent"] for row in found["rows"]} == {agent, "random"}


def test_a_learner_of_one_file_trains_a_model_that_beats_random_play(tmp_path):
    pytest.importorskip("torch")
    path = tmp_path / "linear"
    few = [part for setting in ("frames=200000", "evaluate_games=100") for part in ("--set", setting)]
    learner = f"{ROOT / 'examples' / 'learner.py'}:Linear"
    trained = run("train", learner, "schnapsen.deal", *few, "--run", str(path), "--json")
    assert trained.returncode == 0, trained.stderr
    assert json.loads(trained.stdout)["frames"] >= 200_000
    played = run(
        "match", "schnapsen.deal", f"model({path})", "random", "--games", "400", "--workers", "1", "--json"
    )
    row = next(row for row in json.loads(played.stdout)["rows"] if row["agent"] != "random")
    assert row["points"]["low"] > 0
    values = json.loads(run("position", "schnapsen.deal", "--agent", f"model({path})", "--json").stdout)["rows"]
    assert all(-3 <= row["value"] <= 3 for row in values)
    settings = json.loads(run("train", learner, "--list", "--json").stdout)
    assert next(row for row in settings if row["name"] == "rate")["doc"] == "learning rate"


def test_the_examples_are_short():
    for path in (ROOT / "examples").glob("*.py"):
        assert len(path.read_text("utf-8").splitlines()) < 80, path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "nobody", "kuhn"], "there is no learner 'nobody'; there are dmc, dqn, nfsp and module:Class"),
        (["train", "json:loads", "kuhn"], "is not a subclass of stich.learn.learner.Learner"),
        (["train", "no_such.py:Linear", "kuhn"], "there is no file no_such.py"),
        (["match", "kuhn", "json:loads", "random"], "is not a subclass of stich.agents.base.Agent"),
        (["match", "kuhn", f"{ROOT}/examples/agent.py:Nobody", "random"], "has no Nobody"),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "",
)
def test_what_cannot_be_loaded_is_one_clear_line(arguments, message):
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
