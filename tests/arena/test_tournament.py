"""Tournaments: what a file may say, runs that go on after any stop, ratings that hold what their intervals promise."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from math import log10

import numpy as np
import pytest
import typer
from simulated_ratings import TRUTH, coverage, four, simulated, teams, two

import stich
from conftest import HERE, run
from stich.agents import Agent
from stich.agents.watched import Watched
from stich.arena import stats
from stich.arena.entries import differences, pairings, partnerships, read_tournament, units
from stich.arena.match import run_match
from stich.arena.play import WIN
from stich.arena.ratings import SCALE, Scores, rate
from stich.arena.standings import rows, standings
from stich.arena.tournament import play_tournament
from stich.arena.tournament_folder import Folder
from stich.cli.tournament import tournament as command
from stich.core.errors import StichError
from stich.core.rng import stream
from stich.run.workers import open_workers

SMALL = """
name = "small"
seed = 3
deals = 60
unit = 5
anchor = "random"
agents = ["random", "rule", { name = "weak", spec = "weaken(rule, p=0.3)" }, "weaken(random)"]
games = [
  { game = "kuhn", agents = ["random", "weaken(random)"], deals = 93 },
  { game = "jass", agents = ["random", "rule", "weak"] },
  { game = "schnapsen.deal", agents = ["random", "rule", "weak"] },
]
"""


class Clumsy(Agent):
    """Plays at random, and in about one of 50 moves something that is not legal."""

    def act_many(self, views, rngs):
        actions = np.zeros(len(views), np.int64)
        stich.core.kernels.random_all(views, rngs, actions)
        return np.where(rngs["a"] % 50 == 0, 60, actions)


def tournament_of(text):
    return read_tournament(text, "small.toml")


def play(text, path, workers=1):
    """The bytes of the result."""
    tournament, folder = tournament_of(text), Folder(path)
    place = open_workers(workers)
    try:
        with folder.open(tournament, text):
            play_tournament(tournament, folder, place)
    finally:
        place.close()
    return (path / "result.json").read_bytes()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A run that nobody has stopped."""
    path = tmp_path_factory.mktemp("undisturbed")
    play(SMALL, path)
    return path


# The file


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed = 3", "sead = 3", "unknown key 'sead'; there are name, agents"),
        ("seed = 3", "seed = 3.5", "seed should be a whole number, not 3.5"),
        ("seed = 3", "seed = true", "seed should be a whole number, not True"),
        ("seed = 3", "seed =", "is not TOML"),
        ('name = "small"', "", "the key 'name' is missing"),
        ('name = "small"', 'name = "a/b"', "should be one word"),
        ("deals = 60", "deals = 1", "at least 2 are needed"),
        ("unit = 5", "unit = 0", "a unit has at least 2 deals"),
        ("unit = 5", "limit = -1", "a limit cannot be negative"),
        ('"jass"', '"bridge"', "there is no game 'bridge'"),
        ('"jass"', '"jass", options = { colour = 1 }', "colour"),
        ('"jass"', '"jass", table = 4', "at least 4 agents are needed, not 3"),
        ('"jass"', '"schnapsen.deal"', "'schnapsen.deal' is entered twice"),
        ('["random", "weaken(random)"]', '["random"]', "at least 2 agents are needed, not 1"),
        ('["random", "weaken(random)"]', '["random", "best"]', "no agent 'best' in the list; there are random"),
        ('anchor = "random"', 'anchor = "best"', "no agent 'best' in the list"),
        ('"weaken(random)"]\ngames', '"rule"]\ngames', "the agent 'rule' is entered twice"),
        ('"weaken(random)"]\ngames', "7]\ngames", "an agent is a spec, or a table"),
    ],
)
def test_bad_files_are_refused(old, new, message):
    assert old in SMALL
    with pytest.raises(StichError, match=r"small.toml|there is no game|colour") as caught:
        tournament_of(SMALL.replace(old, new))
    assert message in str(caught.value)


def test_agents_that_cannot_play_a_game_are_refused_before_anything_is_played(tmp_path):
    file = tmp_path / "t.toml"
    file.write_text('name = "t"\nagents = ["random", "rule"]\ngames = ["kuhn"]')
    done = run("tournament", str(file), "--run", str(tmp_path / "run"))
    assert done.returncode == 2
    assert done.stderr == "stich: kuhn has no rule-based player; use the agent random\n"
    assert not (tmp_path / "run").exists()


def test_every_two_agents_meet_in_units_of_fixed_bounds():
    found = pairings(tournament_of(SMALL))
    assert [(pairing.event, pairing.agents) for pairing in found] == [
        (0, (0, 3)),
        *((event, pair) for event in (1, 2) for pair in ((0, 1), (0, 2), (1, 2))),
    ]
    assert len({pairing.plan.seed for pairing in found}) == len(found)  # deals of their own
    of_first = [unit for unit in units(found, 5) if unit.pairing == 0]
    assert [(unit.first, unit.deals) for unit in of_first] == [*((5 * i, 5) for i in range(18)), (90, 3)]
    assert found[0].plan.arrangements == ((0, 1), (1, 0))
    assert found[1].plan.arrangements == ((0, 1, 0, 1), (1, 0, 1, 0))


def test_four_at_a_table_are_partners_in_every_way():
    assert partnerships(stich.make("jass"), 4) == [(0, 1, 2, 3), (0, 1, 3, 2), (0, 2, 1, 3)]
    assert partnerships(stich.make("cego.raeuber"), 4) == [(0, 1, 2, 3)]  # nobody has a partner
    assert partnerships(stich.make("cego.solo"), 4) == [(0, 1, 2, 3)]  # each is the single player once
    text = SMALL.replace('"jass", agents = ["random", "rule", "weak"]', '"jass", table = 4')
    text = text.replace('"schnapsen.deal", agents = ["random", "rule", "weak"]', '"cego.raeuber", table = 4')
    jass, *others, raeuber = pairings(tournament_of(text))[1:]
    assert len(others) == 2
    assert rows(jass) == {(0.5, -0.5, 0.5, -0.5): 4}
    assert sorted(rows(raeuber).values()) == [4] * 6  # every two, in each of the four games


# The run


def test_ten_kills_change_nothing(tmp_path, undisturbed):
    """The process is killed after some units, at moments that are drawn; the last goes on to the end."""
    file, path = tmp_path / "small.toml", tmp_path / "run"
    file.write_text(SMALL)
    command = [sys.executable, "-m", "stich.cli", "tournament", str(file), "--run", str(path)]
    rng, before, killed, results = random.Random(5), 0, 0, path / "results.jsonl"
    for kill in range(10):
        workers = "2" if kill == 5 else "1"
        process = subprocess.Popen([*command, "--workers", workers], stdout=subprocess.DEVNULL)
        wanted = before + rng.randrange(1, 9) if kill else 0  # the first dies when there is nothing yet
        while process.poll() is None and wanted and (not results.exists() or count(results) < wanted):
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.005) if kill else 0.8)
        process.kill()
        killed += process.wait() == -signal.SIGKILL and not (path / "result.json").exists()
        before = count(results) if results.exists() else 0
    assert killed >= 8  # the others were at their end
    done = run("tournament", str(path), "--workers", "1")  # the folder alone is enough
    assert done.returncode == 0, done.stderr
    assert (path / "result.json").read_bytes() == (undisturbed / "result.json").read_bytes()
    played = [tuple(json.loads(line)["unit"]) for line in results.read_text().splitlines()]
    assert sorted(played) == sorted(units(pairings(tournament_of(SMALL)), 5))  # each once


def count(results):
    return results.read_bytes().count(b"\n")


def test_a_line_that_was_cut_off_is_played_again(tmp_path, undisturbed):
    whole = (undisturbed / "results.jsonl").read_bytes()
    first = whole.index(b"\n") + 1
    for cut in (0, 1, first - 2, first - 1, first, first + 40, len(whole) - 1):
        path = tmp_path / str(cut)
        path.mkdir()
        (path / "tournament.toml").write_text(SMALL)
        (path / "results.jsonl").write_bytes(whole[:cut])
        assert play(SMALL, path) == (undisturbed / "result.json").read_bytes()
        assert (path / "results.jsonl").read_bytes() == whole


def test_a_damaged_line_in_the_middle_is_named(tmp_path, undisturbed):
    lines = (undisturbed / "results.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "tournament.toml").write_text(SMALL)
    (tmp_path / "results.jsonl").write_bytes(b"".join([lines[0], lines[1][:30] + b"\n", *lines[2:]]))
    with pytest.raises(StichError, match=r"results.jsonl, line 2 is damaged"):
        play(SMALL, tmp_path)


def test_two_workers_give_the_same_file(tmp_path, undisturbed):
    assert play(SMALL, tmp_path, workers=2) == (undisturbed / "result.json").read_bytes()


def test_another_tournament_is_refused_with_what_differs(tmp_path, undisturbed):
    other = SMALL.replace("seed = 3", "seed = 4").replace("p=0.3", "p=0.2")
    with pytest.raises(StichError) as caught:
        play(other, undisturbed)
    assert "seed was 3, now 4" in str(caught.value)
    assert 'agents[2].spec was "weaken(rule, p=0.3)", now "weaken(rule, p=0.2)"' in str(caught.value)
    play("# the same\n" + SMALL, undisturbed)
    assert differences({"a": [1, 2]}, {"a": [1]}) == ["a was [1, 2], now [1]"]
    (tmp_path / "results.jsonl").touch()
    with pytest.raises(StichError, match="it belongs to something else"):
        play(SMALL, tmp_path)


def test_a_folder_in_use_is_refused(undisturbed):
    with (
        Folder(undisturbed).open(tournament_of(SMALL), SMALL),
        pytest.raises(StichError, match=f"is in use by process {os.getpid()}"),
    ):
        play(SMALL, undisturbed)
    play(SMALL, undisturbed)
    (undisturbed / ".lock").write_text("1\n")  # left by a process that did not die of this
    play(SMALL, undisturbed)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of groups")
def test_ctrl_c_ends_cleanly_and_kills_leave_no_processes(tmp_path):
    file, path = tmp_path / "small.toml", tmp_path / "run"
    file.write_text(SMALL.replace("deals = 60", "deals = 20000"))
    command = [sys.executable, "-m", "stich.cli", "tournament", str(file), "--run", str(path), "--workers", "2"]
    for stop in (signal.SIGINT, signal.SIGKILL):
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
        wanted = count(path / "results.jsonl") + 1 if path.exists() else 1
        while not (path / "results.jsonl").exists() or count(path / "results.jsonl") < wanted:
            time.sleep(0.01)
        if stop == signal.SIGINT:
            os.killpg(process.pid, stop)  # as a terminal does
            error = process.communicate(timeout=60)[1]
            assert process.returncode == 130
            assert f"`stich tournament {path}` resumes it" in error
            assert "Traceback" not in error
        else:
            process.kill()
            process.communicate(timeout=60)  # its workers hold the pipe: this ends when they have left
        with pytest.raises(ProcessLookupError):
            wait_for_group(process.pid)


def wait_for_group(group):
    for _ in range(200):
        os.killpg(group, 0)
        time.sleep(0.05)


# The result


def test_the_result_agrees_with_matches(undisturbed):
    """The same plans played as matches, with the statistics of matches."""
    result = json.loads((undisturbed / "result.json").read_text())
    assert result["deals"] == result["planned"] == 93 + 6 * 60
    assert result["games"] == 2 * result["deals"]
    event = result["events"][2]
    assert event["game"] == "schnapsen.deal"
    for pairing, row in zip(pairings(tournament_of(SMALL))[4:], event["cross"], strict=True):
        match = run_match(pairing.plan, 60, open_workers(1))
        for figure, name in enumerate(match.names):
            wanted = stats.estimate(match.values(0, figure) - match.values(1, figure))
            assert [row[name][key] for key in ("mean", "low", "high")] == pytest.approx(
                [wanted.mean, wanted.low, wanted.high]
            )
        share = stats.estimate(match.values(0, 1))  # of two sides one wins
        assert row["score"]["mean"] == pytest.approx(share.mean)
        assert row["score"]["high"] == pytest.approx(share.high)
    rule = next(row for row in event["agents"] if row["agent"] == "rule")
    assert rule["deals"] == 120
    against = [
        row["points"]["mean"] * (1 if row["a"] == "rule" else -1)
        for row in event["cross"]
        if "rule" in row.values()
    ]
    assert rule["points"]["mean"] == pytest.approx(sum(against) / 4)  # a difference counts both agents' points


def test_ratings_are_anchored_and_ordered(undisturbed):
    result = json.loads((undisturbed / "result.json").read_text())
    for event in (result, *result["events"][1:]):
        rated = {row["agent"]: row for row in event["ratings"]["agents"]}
        assert rated["random"] == {"agent": "random", "mean": 0.0, "low": 0.0, "high": 0.0}
        assert rated["rule"]["low"] > 50
        assert next(iter(rated)) == "rule"
        assert rated["rule"]["mean"] > rated["weak"]["mean"] > 0
    assert {row["agent"] for row in result["events"][0]["ratings"]["agents"]} == {"random", "weaken(random)"}


def test_four_at_a_table_are_rated_with_teams_and_alone(tmp_path):
    text = """
name = "four"
deals = 60
table = 4
agents = ["random", "rule", "weaken(rule, p=0.3)", "weaken(rule, p=0.6)"]
games = ["jass", "cego.raeuber", "cego.solo", { game = "schnapsen.deal", table = 2 }]
"""
    result = json.loads(play(text, tmp_path))
    assert result["games"] == 60 * (3 * 4 + 4 + 4 + 6 * 2)
    for ratings in (result["ratings"], *(event["ratings"] for event in result["events"])):
        assert ratings["agents"][0]["agent"] in ("rule", "weaken(rule, p=0.3)")
        assert ratings["agents"][-1]["agent"] == "random"
        assert sum(row["mean"] for row in ratings["agents"]) == pytest.approx(0, abs=1e-6)
    jass = result["events"][0]
    assert all(row["deals"] == 2 * 60 for row in jass["cross"])  # partners in one of three pairings
    assert all(row["deals"] == 3 * 60 for row in jass["agents"])
    found = [pairing for pairing in pairings(tournament_of(text)) if pairing.event == 0]
    matches = [run_match(pairing.plan, 60, open_workers(1)) for pairing in found]
    names = [row["agent"] for row in jass["agents"]]
    for row in jass["cross"]:
        one, other = names.index(row["a"]), names.index(row["b"])
        both = [
            (match.values(pairing.agents.index(one), WIN), match.values(pairing.agents.index(other), WIN))
            for pairing, match in zip(found, matches, strict=True)
        ]
        opposed = [mine for mine, theirs in both if not (mine == theirs).all()]
        wanted = stats.estimate(np.concatenate(opposed))
        assert [row["score"]["mean"], row["score"]["high"]] == pytest.approx([wanted.mean, wanted.high])


def test_part_of_a_run_is_shown(tmp_path, undisturbed, capsys):
    lines = (undisturbed / "results.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "tournament.toml").write_text(SMALL)
    (tmp_path / "results.jsonl").write_bytes(b"".join(lines[:22]))
    plot = tmp_path / "ratings.png"
    command(tmp_path, plot=plot, show=True)
    text = capsys.readouterr().out
    assert "on 108 of 453 deals" in text
    assert "all games, jass, schnapsen.deal: no ratings" in text.replace("\n", " ")
    assert plot.stat().st_size > 1000
    assert not (tmp_path / "result.json").exists()
    command(undisturbed, show=True, json=True)
    assert capsys.readouterr().out.encode() == (undisturbed / "result.json").read_bytes()
    command(tmp_path / "tournament.toml", undisturbed, show=True, json=True)
    assert capsys.readouterr().out.encode() == (undisturbed / "result.json").read_bytes()
    with pytest.raises(StichError, match="there is no tournament in"):
        command(HERE, show=True)


def test_faults_are_counted_and_exit_1(tmp_path, capsys):
    text = """
name = "faults"
deals = 40
unit = 20
limit = 0
agents = ["random", { name = "clumsy", spec = "test_tournament:Clumsy" }]
games = ["kuhn", "schnapsen.deal"]
"""
    file = tmp_path / "faults.toml"
    file.write_text(text)
    with pytest.raises(typer.Exit) as caught:
        command(file, tmp_path / "run", 1)
    assert caught.value.exit_code == 1
    assert "clumsy was at fault" in capsys.readouterr().out
    result = json.loads((tmp_path / "run" / "result.json").read_text())
    assert set(result["faults"]) == {"clumsy"}
    assert result["faults"]["clumsy"]["illegal"] > 5
    assert result["examples"] == {"clumsy": "illegal action 60"}
    lines = (tmp_path / "run" / "results.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "tournament.toml").write_text(text)
    (tmp_path / "part" / "results.jsonl").write_bytes(b"".join(lines[:2]))
    assert play(text, tmp_path / "part") == (tmp_path / "run" / "result.json").read_bytes()


def test_the_process_of_an_agent_ends_with_the_agent():
    """A tournament has many plans, and each makes its agents."""
    view = stich.make("kuhn").new(1).view(0)
    watched = Watched(view.game, "kuhn", "test_tournament:Clumsy", 60.0)
    assert watched.act_many(view.array, stream(1, "x"), np.array([view.mask]))[0] in (0, 1)
    process = watched.host.process
    assert process.is_alive()
    del watched
    assert not process.is_alive()


# Ratings


@pytest.mark.parametrize("luck_of", ["seat", "agent"])
@pytest.mark.parametrize("who_meets", [two, teams, four])
def test_intervals_hold_the_truth_as_often_as_they_say(who_meets, luck_of):
    held, means = coverage(who_meets, luck_of, 300)
    assert 0.93 < held.mean() < 0.97
    assert held.min() > 0.90
    assert means == pytest.approx(TRUTH - TRUTH.mean(), abs=4)


def test_several_games_are_rated_together_and_one_game_counts_once():
    rng = np.random.default_rng(2)
    both = [simulated(rng, TRUTH, pairing, 4000, "seat") for pairing in (*two(5), *four(5))]
    assert rate(5, both, anchor=0).values == pytest.approx(TRUTH, abs=8)
    only = simulated(rng, TRUTH[:4], four(4)[0], 10, "seat")
    assert only.weight * only.games.sum() == 4  # four games a deal


def scores_of(points, deals):
    """Two agents, one game a deal."""
    return Scores(
        np.array([[1.0, -1.0]]), np.array([1]), 1.0, deals, np.array([float(points)]), np.array([[float(points)]])
    )


def test_the_rating_of_two_agents_is_the_logarithm_of_their_odds():
    found = rate(2, [scores_of(300, 400)])
    assert found.difference(0, 1).mean == pytest.approx(400 * log10(300.5 / 100.5))  # with the drawn game
    deviation = SCALE / np.sqrt(400 * 0.75 * 0.25)  # of log odds
    assert found.difference(0, 1).half == pytest.approx(1.966 * deviation, rel=0.01)
    assert found.of(0).mean == pytest.approx(-found.of(1).mean)
    assert rate(2, [scores_of(300, 400)], anchor=1).of(1) == stats.Estimate(0, 0, 0)


def test_an_agent_that_never_loses_has_a_finite_rating_with_an_honest_lower_end():
    found = rate(2, [scores_of(400, 400)]).difference(0, 1)
    assert found.mean == pytest.approx(400 * log10(400.5 / 0.5))
    least = 0.025 ** (1 / 400)  # the chance to win that makes 400 wins as rare as 1 in 40
    assert found.low == pytest.approx(400 * log10(least / (1 - least)), abs=40)


def test_agents_that_have_not_met_are_not_rated():
    apart = [
        simulated(np.random.default_rng(1), TRUTH[:4], pairing, 50, "seat") for pairing in (two(4)[0], two(4)[5])
    ]
    assert rate(4, apart) is None
    assert rate(2, []) is None
    assert standings(tournament_of(SMALL), {})["ratings"] is None
