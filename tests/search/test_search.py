"""Monte Carlo search: right answers where they are known, the same for every number of threads, within its limits."""

import json
import os
import signal
import threading
import time

import numpy as np
import pytest

import stich
from conftest import run
from stich.agents import make_agent
from stich.core.bits import ctz
from stich.core.contract import legal
from stich.core.errors import StichError
from stich.core.game import State
from stich.core.rng import numbered, stream
from stich.search.worlds.analysis import summary, tally_of
from stich.search.worlds.determinized import Dmcts
from stich.search.worlds.ismcts import Ismcts
from stich.search.worlds.search import Drawing, Limits, TreeOptions
from stich.search.worlds.uct import grow_tree, new_tree

SEARCHES = ["mc(d=6,i=40)", "dmcts(d=6,i=60)", "ismcts(i=400)", "ismcts(i=400,observers=on,trees=2)"]


def best_by_brute_force(state: State) -> dict[int, float]:
    """What the seat to act gets by each action when all see all cards and play for themselves (two seats)."""

    def value(position: State) -> list[float]:
        if position.is_over:
            return position.returns()
        outcomes = [value(position.copy().play(action)) for action in position.action_ids()]
        return max(outcomes, key=lambda outcome: outcome[position.player])

    return {action: value(state.copy().play(action))[state.player] for action in state.action_ids()}


def late_position(variant: str, seed: int, left: int) -> State:
    """A random game, stopped when the hands hold so few cards and there is a choice."""
    state, rng = stich.make(variant).new(seed), np.random.default_rng(seed)
    while not state.is_over:
        if state.record["size"].max() <= left and len(state.action_ids()) > 1 and state.record["left"] == 0:
            return state
        state.play(int(rng.choice(state.action_ids())))
    return late_position(variant, seed + 1000, left)


@pytest.mark.parametrize("seed", range(8))
def test_a_search_that_sees_all_cards_finds_the_best_move(seed):
    state = late_position("schnapsen.deal", seed, 4)
    exact = best_by_brute_force(state)
    found = make_agent("cheat-mcts(i=6000, c=1)", state.game).analyse(state, stream(seed, "x"))
    assert exact[found.chosen] == max(exact.values())
    chosen = found.value[found.actions == found.chosen][0]
    assert chosen == pytest.approx(exact[found.chosen], abs=0.35)


@pytest.mark.parametrize("seed", range(4))
def test_with_an_exhausted_stock_honest_searches_know_all_cards_too(seed):
    """In Schnapsen the other hand is known when the stock is gone: every search finds the best move."""
    state = late_position("schnapsen.deal", seed, 3)
    exact = best_by_brute_force(state)
    for spec in ("dmcts(d=4,i=3000,c=1)", "ismcts(i=8000,c=1)", "ismcts(i=8000,c=1,observers=on)"):
        found = make_agent(spec, state.game).analyse(state.view(state.player), stream(seed, "x"))
        assert exact[found.chosen] == max(exact.values()), spec


@pytest.mark.parametrize("spec", SEARCHES)
@pytest.mark.parametrize("name", ["jass", "schnapsen", "wizard.round", "durak.3", "cego", "kuhn"])
def test_searches_play_every_game_legally_and_alike_in_any_batch(spec, name):
    game = stich.make(name)
    agent = make_agent(spec, game)
    states = [game.new(seed) for seed in range(3)]
    for step in range(4):
        views = np.concatenate([state.view(state.player).array for state in states])
        together, single = numbered(0, 3, step, "x"), numbered(0, 3, step, "x")
        actions = agent.act_many(views, together)
        alone = [int(agent.act_many(views[i : i + 1], single[i : i + 1])[0]) for i in range(3)]
        assert actions.tolist() == alone
        assert together.tobytes() == single.tobytes()
        for state, action in zip(states, actions, strict=True):
            if not state.is_over:
                state.play(int(action))
        if any(state.is_over for state in states):
            return


@pytest.mark.parametrize(
    "spec", ["dmcts(d=23,i=50,threads={})", "ismcts(i=1500,trees=3,threads={})", "mc(d=11,threads={})"]
)
def test_threads_do_not_change_the_result(spec):
    game = stich.make("jass")
    state = game.new(4).play("H")
    view = state.view(state.player)
    found = [make_agent(spec.format(threads), game).analyse(view, stream(1, "x")) for threads in (1, 2, 3)]
    for other in found[1:]:
        assert np.array_equal(found[0].visits, other.visits)
        assert np.array_equal(found[0].value, other.value)
        assert found[0].chosen == other.chosen


def test_iterations_are_counted_and_shared_out():
    state = stich.make("jass").new(4).play("H")
    view = state.view(state.player)
    found = make_agent("dmcts(d=10,i=70)", state.game).analyse(view, stream(1, "x"))
    assert (found.iterations, found.worlds, found.visits.sum()) == (700, 10, 700)
    assert set(found.actions.tolist()) == set(state.action_ids())
    assert (found.low <= found.value).all()
    assert (found.value <= found.high).all()
    flat = make_agent("mc(d=10,i=27)", state.game).analyse(view, stream(1, "x"))
    assert set(flat.visits.tolist()) == {30}  # nine cards, three times each in every world
    shared = make_agent("ismcts(i=700)", state.game).analyse(view, stream(1, "x"))
    assert shared.visits.sum() == 700


def test_a_full_tree_goes_on_without_growing():
    game = stich.make("jass")
    state = game.new(4).play("H")
    tree = new_tree(50, 1.0, (0.0, 157.0), stream(1, "x"))
    guard = tree.nodes.copy()
    grow_tree(state.array, tree._replace(nodes=tree.nodes[:40]), 3000, 1)
    assert tree.settings["used"][0] <= 40
    assert tree.nodes["visits"][0] == 3000
    assert np.array_equal(tree.nodes[40:], guard[40:])
    view = state.view(state.player)
    small = Ismcts(game, Limits(1, 2000), TreeOptions(c=1.0, nodes=30))
    found = small.analyse(view.array, view.player, stream(1, "x"))
    assert small.settings["used"].max() <= 30
    assert found.iterations == 2000
    assert small.memory == 30 * 32 * 4


@pytest.mark.parametrize(
    "spec",
    [
        "dmcts(d=1000000,i=200,time=0.3)",
        "dmcts(d=10,i=1000000000,time=0.3)",
        "mc(d=1,i=1000000000,time=0.3,threads=2)",
        "ismcts(i=100000000,time=0.3)",
        "tdmcts(time=0.3)",
    ],
)
def test_deadlines_are_kept(spec):
    state = stich.make("jass").new(4).play("H")
    view, agent = state.view(state.player), make_agent(spec, state.game)
    took = []
    for _ in range(5):
        began = time.perf_counter()
        agent.analyse(view, stream(1, "x"))
        took.append(time.perf_counter() - began)
    assert 0.2 < min(took) < 0.4  # the least of five: a busy machine may hold a run up


@pytest.mark.parametrize(
    "spec",
    [
        "dmcts(d=2,i=1000000000,threads=2)",
        "cheat-mcts(i=1000000000)",
        "ismcts(i=1000000000,trees=2,threads=2)",
        "pimc(d=1000000,cards=36,threads=2)",
    ],
)
def test_an_interrupt_ends_a_search(spec):
    """As Ctrl-C does: the search ends soon on all its threads, and the next one is not cut short."""
    state = stich.make("jass").new(4).play("H")
    agent = make_agent(spec, state.game)
    seen = agent.sees(state)
    took = []
    for _ in range(3):
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        began = time.perf_counter()
        with pytest.raises(KeyboardInterrupt):
            agent.analyse(seen, stream(1, "x"))
        took.append(time.perf_counter() - began)
    assert min(took) < 0.25


def test_the_timed_form_draws_worlds_by_the_tricks_that_remain():
    state = stich.make("jass").new(4).play("H")
    agent = make_agent("tdmcts(time=0.2, factor=3)", state.game)
    assert agent.analyse(state.view(state.player), stream(1, "x")).worlds == 27
    for _ in range(8):
        state.play(state.action_ids()[0])
    assert agent.analyse(state.view(state.player), stream(1, "x")).worlds == 21


def test_final_rules_by_hand():
    """Two actions in three worlds: visits and summed values."""
    visits, values = np.zeros((3, 63), np.int64), np.zeros((3, 63))
    visits[:, 5], visits[:, 9] = (6, 6, 1), (4, 4, 9)
    values[:, 5], values[:, 9] = (3.0, 3.0, 0.9), (3.2, 3.2, 5.4)
    # Action 5: 13 visits, 6.9 / 13 = 0.53. Action 9: 17 visits, 11.8 / 17 = 0.69.
    # Votes: 5 is chosen twice at 0.5 (1.0 in all), 9 once at 0.6.
    rows = tally_of(visits, values)
    chosen = {final: summary(rows, final, (0.0, 1.0), 3, 0.1) for final in ("robust", "max", "vote")}
    assert {final: found.chosen for final, found in chosen.items()} == {"robust": 9, "max": 9, "vote": 5}
    assert chosen["max"].value.tolist() == pytest.approx([6.9 / 13, 11.8 / 17])
    scaled = summary(rows, "max", (-3.0, 6.0), 3, 0.1)
    assert scaled.value.tolist() == pytest.approx([-3 + 6 * 6.9 / 13, -3 + 6 * 11.8 / 17])


def test_long_games_are_searched_one_stage_at_a_time():
    """In a match to 1000 the value is that of the running round, within its points."""
    state = stich.make("jass.1000").new(4).play("H")
    found = make_agent("dmcts(d=5,i=100)", state.game).analyse(state.view(state.player), stream(1, "x"))
    assert ((found.value > 0) & (found.value < 257)).all()
    match = stich.make("schnapsen").new(1)
    found = make_agent("dmcts(d=5,i=100)", match.game).analyse(match.view(match.player), stream(1, "x"))
    assert (abs(found.value) <= 3).all()


def test_rule_based_playouts_are_of_use_in_wizard():
    """Random players do not play for their bids; with rule-based playouts even a short search meets more of them."""
    from stich.arena.match import run_match
    from stich.arena.plan import plan_match
    from stich.run.workers import InProcess

    plan = plan_match("wizard.round", {"round": 5}, ["dmcts(d=10,i=60,rule=0)", "dmcts(d=10,i=60,rule=1)"])
    result = run_match(plan, 12, InProcess())
    assert result.values(1, 2).mean() > result.values(0, 2).mean()


def lowest_card(s, rng):
    """A policy for playouts."""
    return ctz(legal(s))


def test_a_policy_of_ones_own_plays_the_playouts():
    """With the lowest card always played nothing is left to chance: after the moves of the tree all is fixed."""
    game = stich.make("jass")
    state = game.new(4).play("H")
    policy = f"{__name__}:lowest_card"
    found = make_agent(f"cheat-mcts(i=9, rule=1, policy={policy})", game).analyse(state, stream(1, "x"))
    expected = {}
    for action in state.action_ids():
        after = state.copy().play(action)
        while not after.is_over:
            after.play(after.action_ids()[0])
        expected[action] = after.returns()[state.player]
    assert dict(zip(found.actions.tolist(), found.value.tolist(), strict=True)) == pytest.approx(expected)
    with pytest.raises(StichError, match="cannot be loaded"):
        make_agent("dmcts(rule=1, policy=nowhere:nothing)", game)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("dmcts(d=0)", "at least one world"),
        ("dmcts(final=loud)", "robust, max, vote"),
        ("ismcts(final=vote)", "robust, max"),
        ("dmcts(rule=2)", "between 0 and 1"),
        ("tdmcts(time=0)", "positive time"),
    ],
)
def test_bad_limits_are_refused(spec, message):
    with pytest.raises(StichError, match=message):
        make_agent(spec, stich.make("jass"))
    with pytest.raises(StichError, match="no rule-based player for playouts"):
        make_agent("dmcts(rule=1)", stich.make("kuhn"))


def test_positions_are_analysed_on_the_command_line(tmp_path):
    picture = tmp_path / "position.png"
    arguments = ["jass", "--moves", "H", "--seed", "3", "--agent", "dmcts(d=20,i=100)", "--plot", str(picture)]
    done = run("position", *arguments, "--json")
    found = json.loads(done.stdout)
    assert found["rows"][0]["name"] == found["chosen"]
    assert sum(row["visits"] for row in found["rows"]) == found["iterations"] == 2000
    assert picture.read_bytes().startswith(b"\x89PNG")
    text = run("position", "jass", "--moves", "H", "--agent", "cheat-mcts(i=100)").stdout
    assert "sees all cards" in text
    shares = json.loads(run("position", "jass", "--agent", "rule", "--json").stdout)
    assert (shares["agent"], shares["samples"]) == ("rule", 1000)  # it only chooses


def test_counted_cards_know_who_chose_trump():
    """South (2) has chosen hearts: he holds the heart jack more often than the two others, seen from West (3)."""
    game = stich.make("jass")
    state = next(state for state in map(game.new, range(99)) if state.player == 2).play("H")
    weights = game.spec.belief.card_weights(game.template, 20_000)(state.array, 3)
    jack = 9 + 3
    assert weights.shape == (36, 3)
    assert weights[jack].argmax() == 2  # places: seats 0, 1, 2
    assert weights[jack, 2] > 1.5
    assert weights.mean(axis=1) == pytest.approx(1)
    found = make_agent("dmcts(d=20,i=50,cards=counted)", game).analyse(state.view(2), stream(1, "x"))
    assert found.worlds == 20
    with pytest.raises(StichError, match="does not count"):
        make_agent("ismcts(cards=counted)", stich.make("schnapsen"))


def test_determinized_search_can_be_told_where_cards_are():
    """Weights of 0 and 1 make a world certain: the search then plays as one that sees all cards."""
    state = late_position("schnapsen.deal", 3, 3)
    game, me = state.game, state.player

    def weights(view, seat):
        sure = np.zeros((20, 3))
        for card in range(20):
            sure[card, 0] = int(state.record["hands"][1 - me]) >> card & 1
            sure[card, 1] = 1 - sure[card, 0]
        return sure

    search = Dmcts(game, Limits(5, 500), drawing=Drawing(weights))
    found = search.analyse(state.view(me).array, me, stream(1, "x"))
    exact = best_by_brute_force(state)
    assert exact[found.chosen] == max(exact.values())
