"""What a stranger writes outside the package: a game, an agent and a learner of one file each run by name."""

import json
import os
import subprocess
import sys

import pytest

from conftest import HERE, run
from serve.serving import Player, serving

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


GAME = str(ROOT / "examples" / "scopetta.py")


def test_a_game_of_one_file_is_checked_played_and_simulated():
    assert json.loads(stich_at_root("check", GAME, "--json"))["findings"][0]["note"]
    assert stich_at_root("check", "examples/scopetta.py", "-o", "pairs=off").endswith("no findings\n")
    assert json.loads(stich_at_root("sim", GAME, "--rounds", "1000", "--json"))["moves"] == 16_000
    played = run("play", GAME, "--seed", "3", stdin="1\n" * 20)
    assert played.returncode == 0, played.stderr
    assert "  4 cards" in played.stdout  # in the other hand
    assert "  8 cards" in played.stdout  # in the stock


def test_agents_meet_in_a_game_of_one_file(tmp_path):
    search = "dmcts(d=5,i=20)"
    found = json.loads(stich_at_root("match", GAME, "random", search, "--games", "40", "--workers", "1", "--json"))
    assert next(row for row in found["rows"] if row["agent"] == search)["points"]["mean"] > 1
    file = tmp_path / "few.toml"
    file.write_text(
        f'name = "few"\nagents = ["random", "dmcts(d=2, i=5)"]\ngames = [{json.dumps(GAME)}]\ndeals = 4\n'
    )
    done = run("tournament", str(file), "--run", str(tmp_path / "run"), "--workers", "1", "--json")
    assert done.returncode == 0, done.stderr


def test_a_model_learns_a_game_of_one_file(tmp_path):
    pytest.importorskip("torch")
    few = [part for setting in ("frames=2000", "evaluate_games=20") for part in ("--set", setting)]
    trained = run("train", "dmc", GAME, *few, "--run", str(tmp_path / "run"), "--json")
    assert trained.returncode == 0, trained.stderr
    stich_at_root("match", GAME, f"model({tmp_path / 'run'})", "random", "--games", "4", "--workers", "1")


def test_a_game_of_one_file_is_served(tmp_path):
    """It is listed, its hand can be clicked, and other hands and the stock show how many cards they have."""
    with serving(tmp_path, games=(GAME,)) as server:
        assert "Scopetta" in server.client.get("/api/games").text
        table = server.client.post("/api/tables", json={"game": "scopetta"}).json()
        client = Player(server.socket_url, table["table"], table["token"])
        view = client.turn()["view"]
        mine, theirs = (next(hand for hand in view["hands"] if hand["seat"] == seat) for seat in (0, 1))
        assert {action["card"] for action in view["legal"]} == set(mine["cards"])
        assert (theirs["cards"], theirs["count"]) == ([], 4)
        client.play()
        assert len(client.turn()["view"]["legal"]) == 3
        client.close()


def test_the_examples_are_short():
    for path in (ROOT / "examples").glob("*.py"):
        most = 150 if path.stem == "scopetta" else 80
        assert len(path.read_text("utf-8").splitlines()) < most, path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["train", "nobody", "kuhn"],
            "there is no learner 'nobody'; there are dmc, dqn, nfsp, ppo and module:Class",
        ),
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
