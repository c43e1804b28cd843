"""Regularised policy gradients: settings, that they come close to equilibria, and that a copy continues alike."""

import numpy as np
import pytest
from test_learn_dmc import plain

import stich
from stich.agents import make_agent
from stich.core.errors import StichError
from stich.learn.lanes import STEP
from stich.learn.nashconv import nash_conv, strategy_of, tree_of
from stich.learn.ppo import Ppo, PpoConfig, advantages
from stich.learn.run import REGISTRY, Setup, restore, state, train
from stich.learn.run_folder import evaluations

SMALL = {"layers": "32,32", "critic_layers": "32", "lanes": "128", "buffers": "1024", "batch_size": "256"}


def small(game, **settings):
    return Ppo(game, PpoConfig.of("shipped", SMALL | {name: str(value) for name, value in settings.items()}))


def test_wrong_settings_are_explained():
    for given, message in (
        ({"clip": "0"}, "clip must be more than 0"),
        ({"trace": "2"}, "trace must lie between 0 and 1"),
        ({"critic": "some"}, "critic cannot be 'some': it takes all, own"),
        ({"passes": "0"}, "passes must be at least 1"),
    ):
        with pytest.raises(StichError, match=message):
            PpoConfig.of("shipped", given)


def test_advantages_by_hand():
    """Two decisions of one seat, then one of another; lambda 0.5."""
    steps = np.zeros(3, STEP)
    steps["last"], steps["target"] = [0, 1, 1], [1.0, 1.0, 0.0]
    values, found, targets = np.array([0.2, 0.6, 0.5]), np.zeros(3), np.zeros(3)
    advantages(steps, values, 0.5, found, targets)
    assert found == pytest.approx([0.4 + 0.5 * 0.4, 0.4, -0.5])
    assert targets == pytest.approx([0.8, 1.0, 0.0])


@pytest.mark.parametrize("critic", ["all", "own"])
def test_kuhn_poker_comes_close_to_its_equilibrium(critic):
    """A uniform policy has a NashConv of 11/12; the equilibrium mixes, so greedy play is far from it too."""
    game = stich.make("kuhn")
    learner = small(
        game, critic=critic, frames=250_000, rate=0.003, entropy=0.1, entropy_end=0.02, magnet=0.05, seed=1
    )
    before = nash_conv(learner)
    while learner.frames < learner.config.frames:
        learner.block()
    assert before > 0.5
    assert nash_conv(learner) < 0.2


def test_the_strategy_of_a_policy_is_its_softmax():
    game = stich.make("leduc")
    learner = small(game)
    tree = tree_of(game)
    strategy = strategy_of(learner, tree)
    for info in (0, 7, tree.infos - 1):
        seat = int(tree.info_seat[info])
        view = tree.state(int(tree.info_node[info]))
        x = np.append(view.observation(seat).ravel(), np.eye(2)[seat][: 2 * learner.inputs.seat])
        out = np.zeros((1, game.spec.actions), np.float32)
        starts = np.array([int(learner.net_of[seat] < n) for n in range(2 * learner.nets_count + 1)])
        learner.forward(x.astype(np.float32)[None], starts, out)
        legal = [a for a in range(game.spec.actions) if int(tree.info_mask[info]) >> a & 1]
        shares = np.exp(out[0, legal]) / np.exp(out[0, legal]).sum()
        assert strategy[tree.slot_start[info] : tree.slot_start[info + 1]] == pytest.approx(shares, abs=1e-5)


def test_a_copy_of_the_state_continues_alike():
    game = stich.make("cego.bettel", heuristic="on")
    first, second = small(game, seed=3), small(game, seed=4)
    for _ in range(2):
        first.block()
    restore(second, {name: plain(array) for name, array in state(first).items()})
    for learner in (first, second):
        learner.block()
    for name, array in state(first).items():
        assert plain(array).tobytes() == plain(state(second)[name]).tobytes(), name


def test_a_run_by_its_name_writes_nash_conv_and_a_model_that_plays(tmp_path):
    """The name finds the learner with its settings, as `stich train ppo` does."""
    config = REGISTRY.find("ppo").settings
    assert config is PpoConfig
    given = SMALL | {"frames": "4000", "evaluate_games": "50", "nash_conv": "on"}
    assert train(Setup("ppo", "kuhn", {}, config.of("shipped", given)), tmp_path / "run")
    assert evaluations(tmp_path / "run")[-1]["nash_conv"]["mean"] > 0
    game = stich.make("kuhn")
    view = game.new(1).view(0)
    assert make_agent(f"model({tmp_path / 'run'})", game).act(view, stich.stream(1, "x")) in view.action_ids()
