"""Deals taken back, worlds weighed by what the others have done, and what is played unless another move is better."""

import numpy as np
import pytest

import stich
from stich.agents import make_agent
from stich.core.contract import Array, apply, rewind
from stich.core.errors import StichError
from stich.core.jit import kernel
from stich.core.rng import stream
from stich.core.sampler import Sampler
from stich.games.cego.cards import HIGH
from stich.search.worlds.analysis import summary, tally_of
from stich.search.worlds.belief import Belief, agree_all

GAMES = [
    ("jass", {}),
    ("jass.1000", {}),
    ("cego.standard", {}),
    ("cego.piccolo", {"heuristic": "on"}),
    ("cego", {"deals": 2}),
    ("schnapsen", {}),
    ("schnapsen.deal", {"claim": "chosen"}),
    ("wizard.round", {"round": 7}),
    ("wizard", {"wizard_turned": "dealer_chooses", "players": 5}),
]


@kernel
def again(state: Array, rngs: Array, past: Array) -> int:
    """Takes a state back and plays it again; returns how many actions that were."""
    count = rewind(state[0], past, rngs[0])
    for i in range(count):
        apply(state[0], past[i])
    return count


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_deal_taken_back_and_played_again_is_as_it_was(name, options):
    """In games at random and by rule, of the true position and of one drawn for the view."""
    game = stich.make(name, **options)
    rng, rule = np.random.default_rng(1), make_agent("rule", game)
    taken_back = 0
    for seed in range(8):
        state, moves = game.new(seed), 0
        while not state.is_over and moves < 150:
            me = state.player
            positions = [state.array]
            if game.options.get("melds") != "on":  # a drawn world may have more to announce than was announced
                positions.append(Sampler(state.view(me).array, me).draw(stream(seed, "w"), 1))
            for full in positions:
                copy = full.copy()
                taken_back += again(copy, stream(seed, "x"), np.zeros(128, np.int64))
                if "memory" in copy.dtype.names:  # no state tells in which order cards were drawn
                    copy["memory"] = full["memory"]
                assert copy.tobytes() == full.tobytes()
            by_rule = rule.act(state.view(me), stream(seed, "y"))
            state.play(by_rule if seed & 1 else int(rng.choice(state.action_ids())))
            moves += 1
    assert taken_back > 500


@pytest.mark.parametrize("name", ["jass", "cego.ultimo", "wizard.round"])
def test_chances_of_past_moves(name):
    """A move by rule has 1 - slip and its share of the slips, another one that share alone; own moves count nothing."""
    game = stich.make(name)
    rng, rule = np.random.default_rng(2), make_agent("rule", game)
    for seed in range(3):
        state, me, expected = game.new(seed), 1, 1.0
        for _ in range(14):
            actions = state.action_ids()
            by_rule = rule.act(state.view(state.player), stream(1, "x"))
            action = by_rule if rng.random() < 0.7 else int(rng.choice(actions))
            if state.player != me and len(actions) > 1:
                expected *= 0.2 / len(actions) + (0.8 if action == by_rule else 0)
            state.play(action)
            if state.is_over:
                break
        if not state.is_over:
            chance = np.zeros(1)
            agree_all(state.array, me, 0.2, stream(1, "x"), chance)
            assert chance[0] == pytest.approx(expected)


def test_who_has_chosen_trump_is_believed_to_hold_it():
    """South has chosen hearts by rule: in weighed worlds he has the jack of hearts more often, as seen from West."""
    game = stich.make("jass")
    rule = make_agent("rule", game)
    for seed in range(200):
        state = game.new(seed)
        if state.player == 2 and rule.act(state.view(2), stream(1, "x")) == 37:
            break
    state.play(37)
    view = state.view(3)
    if int(view.record["hands"][3]) >> 12 & 1:
        pytest.skip("West has the jack himself")
    sampler = Sampler(view.array, 3)
    even = sampler.draw(stream(1, "even"), 2000)
    weighed = Belief(2000, 0.3).pool(sampler, 5, bool)
    shares = [(worlds["hands"][:, 2] >> 12 & 1).mean() for worlds in (even, weighed)]
    assert shares[0] == pytest.approx(1 / 3, abs=0.04)
    assert shares[1] > shares[0] + 0.15


def test_a_belief_leaves_enough_worlds():
    game = stich.make("jass")
    state = game.new(3)
    rng = np.random.default_rng(3)
    for _ in range(20):  # random play, which the rules would find unlikely in every world
        state.play(int(rng.choice(state.action_ids())))
    sampler = Sampler(state.view(state.player).array, state.player)
    pool = Belief(400, 0.01).pool(sampler, 1, bool)
    counts = np.unique(pool, return_counts=True)[1]
    assert len(pool) == 400
    assert counts.sum() ** 2 / (counts**2).sum() > 25  # 40 by the weights, less by drawing


@pytest.mark.parametrize("name", ["cego.bettel", "cego.piccolo"])
def test_the_hand_condition_is_known_to_all(name):
    """Drawn single players hold as many high cards as the true one: none in Bettel, at most one in Piccolo."""
    game = stich.make(name, heuristic="on")
    rng = np.random.default_rng(1)
    for seed in range(20):
        state = game.new(seed)
        while not state.is_over:
            me = state.player
            worlds = Sampler(state.view(me).array, me).draw(stream(seed, "w"), 3)
            for hands in (*worlds["hands"], *state.array["hands"]):
                high = bin(int(hands[0]) & HIGH).count("1")
                assert high == bin(int(state.record["hands"][0]) & HIGH).count("1")
            state.play(int(rng.choice(state.action_ids())))


def test_the_move_by_rule_is_played_unless_another_is_surely_better():
    visits, values = np.zeros((4, 63), np.int64), np.zeros((4, 63))
    visits[:, [2, 5, 7]] = 1
    values[:, 2], values[:, 5], values[:, 7] = (0.5, 0.2, 0.7, 0.4), (0.6, 0.3, 0.9, 0.5), (1.0, 0.0, 1.0, 0.0)
    # Against 2: 5 gains 0.125 on average with a standard error of 0.02, 7 gains 0.05 with one of about 0.2.
    chosen = [
        summary(tally_of(visits, values, base), "sure", (0.0, 1.0), 4, 0.1, base).chosen for base in (2, 5, 7)
    ]
    assert chosen == [5, 5, 7]  # nothing is surely better than 7, whose results spread widely


def test_bad_beliefs_are_refused():
    with pytest.raises(StichError, match="slips"):
        make_agent("ismcts(belief=10, slip=0)", stich.make("jass"))
    with pytest.raises(StichError, match="takes no deal back"):
        make_agent("dmcts(belief=10)", stich.make("durak"))
    with pytest.raises(StichError, match="no rule-based player"):
        make_agent("mc(final=sure)", stich.make("kuhn"))
