"""Perfect-information Monte Carlo: what is chosen, on which worlds, in which time; and that no search peeks."""

import time

import numpy as np
import pytest

import stich
from stich.agents import make_agent
from stich.arena.match import run_match
from stich.arena.plan import plan_match
from stich.core.game import State
from stich.core.rng import stream
from stich.core.sampler import Sampler
from stich.run.workers import InProcess
from stich.search.exact.pimc import OpenCardSolver, Pimc, outlook_of
from stich.search.worlds.determinized import Dmcts
from stich.search.worlds.search import Limits


def later(game, cards, seed=0):
    """A position of a random game in which somebody has a choice of cards, with few left."""
    rng = np.random.default_rng(seed)
    while True:
        state = game.new(int(rng.integers(1 << 30)))
        while not state.is_over:
            _, left, quick = outlook_of(state.array)
            if left <= cards and quick and len(state.action_ids()) > 1:
                return state
            state.play(int(rng.choice(state.action_ids())))


GAMES = ("jass", "cego.standard", "cego.piccolo", "cego.raeuber", "schnapsen", "wizard", "durak")


@pytest.mark.parametrize("name", GAMES)
def test_values_are_means_over_the_worlds(name):
    """The worlds drawn by hand from the same generator, each solved by itself."""
    game = stich.make(name)
    state = later(game, 12)
    view, me = state.view(state.player), state.player
    found = Pimc(game, Limits(20, 1)).analyse(view.array, me, stream(1, "x"))
    from stich.core.rng import numbered
    from stich.search.worlds.search import first_seed

    draws = numbered(0, 1, first_seed(stream(1, "x")), "draw")
    sampler, solver = Sampler(view.array, me), OpenCardSolver(game, 0)
    worlds = np.concatenate([sampler.draw(draws, 16), sampler.draw(draws, 4)])
    each = [solver.values(State(game, worlds[i : i + 1].copy())) for i in range(20)]
    assert found.actions.tolist() == state.action_ids()
    assert found.value == pytest.approx([np.mean([v[a] for v in each]) for a in state.action_ids()])
    assert found.worlds == 20
    assert found.chosen == found.actions[np.argmax(found.value)]


@pytest.mark.parametrize("name", ["jass", "schnapsen"])
def test_threads_do_not_change_results(name):
    game = stich.make(name)
    view = later(game, 14, seed=1)
    view = view.view(view.player)
    alone, two = (
        Pimc(game, Limits(33, 1, threads=threads)).analyse(view.array, view.player, stream(1, "x"))
        for threads in (1, 2)
    )
    assert np.array_equal(alone.value, two.value)
    assert alone.chosen == two.chosen


@pytest.mark.parametrize(
    "spec",
    [
        "dmcts(d=6, i=60)",
        "ismcts(i=300)",
        "mc(d=6, i=5)",
        "pimc(d=6)",
        "ismcts(i=300, belief=30)",
        "mc(d=6, i=5, rule=1, belief=30, final=sure)",
        "pimc(d=4, cards=0, early=ismcts(i=60))",
    ],
)
@pytest.mark.parametrize("name", GAMES)
def test_no_search_sees_hidden_cards(name, spec):
    """Two worlds that agree with one view give the same analysis of their views."""
    game = stich.make(name)
    if "belief" in spec and game.spec.belief is None:
        pytest.skip(f"{name} does not take deals back")
    agent = make_agent(spec, game)
    for seed in range(3):
        state = later(game, 12, seed=seed)
        me = state.player
        worlds = Sampler(state.view(me).array, me).draw(stream(seed, "worlds"), 4)
        others = [State(game, worlds[i : i + 1].copy()) for i in range(4)]
        found = [agent.analyse(other.view(me), stream(seed, "x")) for other in [state, *others]]
        for analysis in found[1:]:
            assert np.array_equal(analysis.value, found[0].value)
            assert np.array_equal(analysis.visits, found[0].visits)
            assert analysis.chosen == found[0].chosen


def test_with_too_many_cards_another_search_is_asked():
    game = stich.make("jass")
    state = game.new(3).play("D")
    view = state.view(state.player)
    early = Dmcts(game, Limits(5, 50))
    asked = early.analyse(view.array, view.player, stream(1, "x"))
    found = Pimc(game, Limits(5, 1), early=early).analyse(view.array, view.player, stream(1, "x"))
    assert np.array_equal(found.visits, asked.visits)
    few = later(game, 8)
    view = few.view(few.player)
    assert Pimc(game, Limits(5, 1), early=early).analyse(view.array, view.player, stream(1, "x")).visits.max() == 5
    none = Pimc(game, Limits(5, 1), early=early, cards=4).analyse(view.array, view.player, stream(1, "x"))
    assert none.visits.sum() == 250


@pytest.mark.parametrize("cards", [-1, 44])
def test_deadlines_hold(cards):
    """Also where not even one world can be solved in time."""
    game = stich.make("cego.standard")
    agent = make_agent(f"pimc(d=1000000, time=0.3, cards={cards})", game)
    for state in (game.new(4), later(game, 16)):
        began = time.perf_counter()
        agent.analyse(state.view(state.player), stream(1, "x"))
        assert time.perf_counter() - began < 0.3 + 0.25  # 50 ms on a machine that does nothing else


def test_the_cheating_solver_plays_the_true_cards():
    game = stich.make("schnapsen.deal")
    agent = make_agent("cheat-solve(cards=20)", game)
    assert agent.cheats
    for seed in range(5):
        state = later(game, 14, seed=seed)
        values = OpenCardSolver(game).values(state)
        assert values[agent.act(state, stream(1, "x"))] == max(values.values())


def test_solved_worlds_beat_the_rules():
    """Small matches whose outcome is far beyond chance."""
    for name, spec in (("schnapsen.deal", "cheat-solve(cards=14)"), ("schnapsen.mini", "pimc(d=20)")):
        result = run_match(plan_match(name, {}, [spec, "random"], seed=1), 30, InProcess())
        assert result.faults == {}
        ahead = result.values(0) - result.values(1)
        assert ahead.mean() > 3 * ahead.std() / np.sqrt(len(ahead))
