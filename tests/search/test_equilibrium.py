"""Trees and solvers: known equilibria, and OpenSpiel's solvers iteration by iteration."""

import json
from pathlib import Path

import numpy as np
import pytest

import stich
from conftest import run
from stich.agents import make_agent
from stich.core.errors import StichError
from stich.core.rng import streams
from stich.search.equilibrium import strategy as texts
from stich.search.equilibrium.exploitability import exploitability, uniform_strategy, values
from stich.search.equilibrium.solvers import ALGORITHMS, checkpoints, make_solver
from stich.search.equilibrium.tree import build

OPENSPIEL = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}
GAMES = Path(stich.__file__).parent / "games"


def solved(name: str, algorithm: str, iterations: int, seed: int = 0):
    """A tree and the average strategy after some iterations."""
    tree = build(stich.make(name))
    solver = make_solver(algorithm, tree, seed)
    solver.run(iterations)
    return tree, solver.average()


def chances(tree, strategy) -> dict[tuple[str, str], dict[str, float]]:
    """What a strategy does, by the cards seen and the moves so far."""
    return {
        (row["cards"], row["history"]): {action["name"]: action["probability"] for action in row["actions"]}
        for row in texts.rows(tree, strategy)
    }


def test_trees_have_the_known_sizes():
    sizes = {name: build(stich.make(name)) for name in ("kuhn", "leduc", "coin-toss")}
    assert [(tree.nodes, tree.infos) for tree in sizes.values()] == [(55, 12), (10201, 936), (11, 3)]


def test_uniform_play_is_as_exploitable_as_known():
    known = {"kuhn": 11 / 24, "leduc": 2.373611111111111}  # pyspiel.exploitability of the uniform policy
    for name, value in known.items():
        tree = build(stich.make(name))
        assert exploitability(tree, uniform_strategy(tree)) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("name", OPENSPIEL)
@pytest.mark.parametrize("algorithm", ["cfr", "cfr+"])
def test_every_iteration_equals_openspiel(name, algorithm):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    game, tree = pyspiel.load_game(OPENSPIEL[name]), build(stich.make(name))
    theirs = {"cfr": pyspiel.CFRSolver, "cfr+": pyspiel.CFRPlusSolver}[algorithm](game)
    ours = make_solver(algorithm, tree)
    for stop in (1, 2, 5, 10, 50):
        while ours.iterations < stop:
            theirs.evaluate_and_update_policy()
            ours.run(1)
        wanted = pyspiel.exploitability(game, theirs.average_policy())
        assert exploitability(tree, ours.average()) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(("name", "iterations"), [("kuhn", 20), ("leduc", 3)])
@pytest.mark.parametrize("algorithm", ["linear", "dcfr"])
def test_discounted_iterations_equal_openspiel(name, iterations, algorithm):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    from open_spiel.python.algorithms import discounted_cfr
    from open_spiel.python.algorithms import exploitability as theirs_of

    game = pyspiel.load_game(OPENSPIEL[name])
    theirs = {"linear": discounted_cfr.LCFRSolver, "dcfr": discounted_cfr.DCFRSolver}[algorithm](game)
    for _ in range(iterations):
        theirs.evaluate_and_update_policy()
    tree, average = solved(name, algorithm, iterations)
    wanted = theirs_of.exploitability(game, theirs.average_policy())
    assert exploitability(tree, average) == pytest.approx(wanted, abs=1e-9)


def test_kuhn_is_solved_to_its_known_family_of_equilibria():
    tree, average = solved("kuhn", "cfr+", 10_000)
    assert exploitability(tree, average) < 1e-4
    assert values(tree, average)[0] == pytest.approx([-1 / 18, 1 / 18], abs=1e-5)
    bet = {where: does["bet"] for where, does in chances(tree, average).items()}
    bluff = bet["hand 0: J", ""]
    assert 0 <= bluff <= 1 / 3 + 1e-3
    assert bet["hand 0: K", ""] == pytest.approx(3 * bluff, abs=0.01)
    assert bet["hand 0: Q", "pass bet"] == pytest.approx(bluff + 1 / 3, abs=0.01)
    assert bet["hand 1: J", "pass"] == pytest.approx(1 / 3, abs=0.01)
    assert bet["hand 1: Q", "bet"] == pytest.approx(1 / 3, abs=0.01)


def test_leduc_is_solved_below_a_ten_thousandth():
    tree, average = solved("leduc", "cfr+", 3_000)
    assert exploitability(tree, average) < 1e-4
    assert values(tree, average)[0][0] == pytest.approx(-0.0856064, abs=1e-4)


@pytest.mark.parametrize(("name", "tails"), [("coin-toss", 0.75), ("coin-toss.swapped", 0.25)])
def test_coin_toss_is_guessed_by_the_payoffs_of_selling(name, tails):
    tree, average = solved(name, "cfr+", 10_000)
    assert exploitability(tree, average) < 1e-4
    assert values(tree, average)[0] == pytest.approx([0, 0], abs=1e-4)
    assert chances(tree, average)["", "play"]["tails"] == pytest.approx(tails, abs=1e-3)


@pytest.mark.parametrize(("heads", "value"), [(1.0, 0.75), (0.0, 0.25), (0.25, 0.0)])
def test_best_answers_to_a_guesser_are_worth_what_document_001_says(heads, value):
    tree = build(stich.make("coin-toss"))
    strategy = uniform_strategy(tree)
    strategy[-2:] = heads, 1 - heads  # the guesser has the last information set
    assert values(tree, strategy)[1][0] == pytest.approx(value)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_converges_and_slices_change_nothing(algorithm):
    tree, average = solved("kuhn", algorithm, 100_000, seed=4)
    assert exploitability(tree, average) < 0.01
    sliced = make_solver(algorithm, tree, seed=4)
    for count in (1, 9, 990, 99_000):
        sliced.run(count)
    assert np.allclose(sliced.average(), average, rtol=0, atol=1e-12)


def test_sampling_converges_on_leduc():
    for algorithm, limit in (("external", 0.1), ("outcome", 0.8)):
        assert exploitability(*solved("leduc", algorithm, 100_000)) < limit


def test_what_cannot_be_solved_is_refused():
    with pytest.raises(StichError, match="cannot list its deals"):
        build(stich.make("jass"))
    with pytest.raises(StichError, match="more than 10,000 nodes"):
        build(stich.make("leduc"), limit=10_000)
    with pytest.raises(StichError, match="there is no algorithm 'magic'; there are cfr, cfr"):
        make_solver("magic", build(stich.make("kuhn")))


@pytest.mark.parametrize(
    ("source", "known", "forgotten", "message"),
    [
        ("kuhn", "mix(me, s.history)", "mix(me, 0)", "forgets what the seat itself has done"),
        ("leduc", "mix(me, history)", "mix(me, 0)", "different legal actions"),
    ],
)
def test_keys_that_forget_are_found(tmp_path, source, known, forgotten, message):
    text = (GAMES / source / "rules.py").read_text()
    assert known in text
    file = tmp_path / f"forgetful_{source}.py"
    file.write_text(
        text.replace(known, forgotten)
        + "\nfrom dataclasses import replace"
        + f"\nfrom stich.games.{source} import SPEC"
        + "\nfrom stich.core.families import register"
        + "\nregister(replace(SPEC, name='forgetful_' + SPEC.name, rules=replace(SPEC.rules, key=key)), STATE)\n"
    )
    with pytest.raises(StichError, match=message):
        build(stich.make(str(file)))


def test_checkpoints_double():
    assert checkpoints(1) == [1]
    assert checkpoints(8) == [1, 2, 4, 8]
    assert checkpoints(10) == [1, 2, 4, 8, 10]


def test_a_saved_strategy_is_played(tmp_path):
    game, file = stich.make("kuhn"), tmp_path / "kuhn.json"
    tree, average = solved("kuhn", "cfr+", 1_000)
    texts.save(file, game, texts.rows(tree, average), {})
    agent = make_agent(f"solved({file})", game)
    for info in range(tree.infos):
        state = tree.state(int(tree.info_node[info]))
        views = np.repeat(state.view(state.player).array, 2000)
        bets = agent.act_many(views, streams(len(views), info, "play")).mean()
        assert bets == pytest.approx(average[tree.slot_start[info] + 1], abs=0.05)
    with pytest.raises(StichError, match="is a strategy for kuhn, not for coin-toss"):
        make_agent(f"solved({file})", stich.make("coin-toss"))
    file.write_text(json.dumps({**json.loads(file.read_text()), "strategy": [{"seat": 0}]}))
    with pytest.raises(StichError, match="is damaged"):
        make_agent(f"solved({file})", game)
    for bad in ("solved", "solved()", "solved(no_such_file)", f"solved({__file__})", "random(3)"):
        with pytest.raises(StichError):
            make_agent(bad, game)


def test_the_command_solves_saves_and_plays(tmp_path):
    file = tmp_path / "coin.json"
    done = run("solve", "coin-toss", "--iterations", "3000", "--json", "--save", str(file))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [row["iterations"] for row in found["rows"]][-3:] == [1024, 2048, 3000]
    assert found["rows"][-1]["exploitability"] < 1e-3
    assert found["value"] == pytest.approx(0, abs=1e-3)
    assert json.loads(file.read_text())["strategy"] == found["strategy"]
    game = run("play", "coin-toss", "--seat", "0", "--bots", f"solved({file})", "--json", stdin="play\n")
    assert '"event": "end"' in game.stdout
    text = run("solve", "kuhn", "--algorithm", "external", "--iterations", "100").stdout
    assert "100 iterations" in text
    assert "hand 0: J" in text


@pytest.mark.parametrize(
    "arguments",
    [["jass"], ["kuhn", "--algorithm", "magic"], ["kuhn", "--save", "no/such/folder/file"]],
    ids=" ".join,
)
def test_bad_requests_end_in_one_line(arguments):
    done = run("solve", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("stich: ")
    assert len(done.stderr.splitlines()) == 1
