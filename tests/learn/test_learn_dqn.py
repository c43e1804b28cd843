"""Deep Q-learning and neural fictitious self-play: settings, memories, and that they learn what is right."""

import numpy as np
import pytest
import torch
from test_learn_dmc import plain

import stich
from stich.core.errors import StichError
from stich.core.rng import streams
from stich.learn.buffers import Memory
from stich.learn.dqn import Dqn, DqnConfig
from stich.learn.lanes import STEP, Decisions, no_decisions
from stich.learn.nfsp import Nfsp, NfspConfig
from stich.learn.run import restore, state
from stich.search.equilibrium import exploitability as evaluate
from stich.search.equilibrium.tree import build

SMALL = {"layers": "24,24", "lanes": "32", "batch_size": "64", "train_every": "8", "replay_size": "5000"}
SMALL |= {"replay_init": "100", "epsilon_decay": "20000", "update_target_every": "50", "evaluate_games": "200"}


def small(kind, config, game, **settings):
    return kind(game, config.of("shipped", SMALL | {name: str(value) for name, value in settings.items()}))


def test_the_document_presets_are_tables_9_and_10():
    for kind in (DqnConfig, NfspConfig):
        config = kind.of("document", {})
        assert (config.seed, config.replay_size, config.replay_init) == (20, 100_000, 100)
        assert (config.update_target_every, config.discount, config.batch_size) == (10_000, 0.95, 32)
        assert (config.epsilon_start, config.epsilon_end, config.epsilon_decay) == (1, 0.1, 100_000)
        assert (config.layers, config.rate, config.train_every) == ((512, 512), 1e-5, 1)
        assert (config.learners, config.opponent) == ((0,), "random")
    assert (config.sl_layers, config.reservoir_size, config.anticipatory) == ((512, 512), 100_000, 0.5)
    assert (config.sl_batch_size, config.sl_rate, config.sl_min) == (32, 1e-4, 100)


def test_wrong_settings_are_explained():
    with pytest.raises(StichError, match="replay_size must be at least 1"):
        DqnConfig.of("quick", {"replay_size": "0"})
    with pytest.raises(StichError, match="anticipatory must be more than 0"):
        NfspConfig.of("quick", {"anticipatory": "0"})


class Source:
    """Stands for lanes with samples: number i is action i % 50 of seat i % 2."""

    net_of = np.array([0, 1])

    def __init__(self, count):
        self.count = count
        self.samples = no_decisions(
            Decisions(np.zeros(0, STEP), np.zeros((0, 1), np.uint16), np.zeros((0, 0), STEP)), count
        )
        self.samples.observations[:, 0] = np.arange(count)
        self.samples.steps["seat"] = np.arange(count) % 2
        self.samples.steps["mode"] = np.arange(count) % 4 // 2


def test_a_replay_memory_holds_the_newest_of_its_net():
    source = Source(100)
    memory = Memory(source, 1, 30)
    assert memory.remember() == 50
    assert sorted(memory.decisions.observations[:, 0]) == list(range(41, 100, 2))
    rows = memory.rows(2000, streams(1, 1, "x"))
    assert set(rows) == set(range(30))


def test_a_reservoir_keeps_each_with_the_same_chance_and_only_best_responses():
    source, rng, hits = Source(400), streams(1, 1, "x"), np.zeros(400)
    for _ in range(300):
        memory = Memory(source, 0, 20)
        memory.sift(rng)
        hits[memory.decisions.observations[:, 0]] += 1
    own = np.arange(0, 400, 4)  # seat 0, chosen by value
    assert hits.sum() == hits[own].sum() == 300 * 20
    expected = 300 * 20 / 100
    assert ((hits[own] - expected) ** 2).sum() / (expected * 0.8) < 100 + 4 * np.sqrt(200)


def test_targets_are_double_estimates():
    """A step's targets beside a slow computation from the memory, decision by decision."""
    learner = small(Dqn, DqnConfig, stich.make("cego.solo"), discount=0.9, replay_init=10**6, skip_forced="off")
    for _ in range(60):
        learner.block()
    part = learner.values[0]
    part.target.numbers[:] = np.random.default_rng(0).normal(size=part.target.numbers.shape) * 0.1
    rows = np.arange(len(part.memory))
    found = part._targets(rows).numpy()
    steps, factors = part.memory.decisions.steps, learner.lanes.factors
    assert set(steps["last"][rows]) == {0, 1}
    for row in rows[:200]:
        if steps["last"][row]:
            assert found[row] == steps["target"][row]
            continue
        assert steps["seat"][row] == steps["seat"][row + 1]
        x = np.append(
            part.memory.decisions.observations[row + 1] * factors,
            np.eye(4)[steps["seat"][row]][: learner.inputs.seat * 4],
        )
        with torch.no_grad():
            here, there = (net(torch.tensor(x, dtype=torch.float32)).numpy() for net in (part.net, part.target))
        legal = [action for action in range(63) if steps["mask"][row + 1] >> action & 1]
        best = max(legal, key=lambda action: here[action])
        assert found[row] == pytest.approx(0.9 * there[best], abs=1e-5)


def test_it_finds_the_best_response_to_random_play():
    game = stich.make("kuhn")
    tree = build(game)
    best = evaluate.values(tree, evaluate.uniform_strategy(tree))[1][0]
    learner = small(Dqn, DqnConfig, game, learners="0", epsilon_end=0.2, evaluate_games=20_000, rate=0.003)
    while learner.frames < 60_000:
        learner.block()
    found = learner.evaluate()["side0 vs random"]
    assert abs(found["mean"] - best) < 4 * found["error"]


def test_fictitious_play_comes_near_an_equilibrium():
    """How far the average policy is from one in Kuhn poker, exactly; random play is 0.458 from it."""
    game = stich.make("kuhn")
    tree = build(game)
    learner = small(
        Nfsp, NfspConfig, game, sl_layers="24,24", reservoir_size=100_000, sl_min=100, sl_batch_size=64, train_every=16,
        anticipatory=0.2, epsilon_end=0.1, rate=0.003, sl_rate=0.003, nets="seat",
    )  # fmt: skip
    while learner.frames < 60_000:
        learner.block()
    assert evaluate.exploitability(tree, evaluate.uniform_strategy(tree)) == pytest.approx(0.4583, abs=1e-3)
    assert evaluate.exploitability(tree, average_strategy(learner, tree)) < 0.25


def average_strategy(learner, tree):
    """The average policy as a strategy of the tree."""
    strategy = np.zeros(tree.slots)
    for info in range(tree.infos):
        current = tree.state(int(tree.info_node[info]))
        seat, mask = int(tree.info_seat[info]), int(tree.info_mask[info])
        net, numbers = learner.players()[learner.net_of[seat]]
        x = current.observation(seat).ravel()
        x = np.append(x, np.eye(learner.game.seats)[seat][: learner.inputs.seat * learner.game.seats])
        keep = net.numbers.copy()
        net.numbers[:] = numbers
        with torch.no_grad():
            said = net(torch.tensor(x, dtype=torch.float32)).numpy().astype(float)
        net.numbers[:] = keep
        legal = [action for action in range(len(said)) if mask >> action & 1]
        chances = np.exp(said[legal] - said[legal].max())
        strategy[tree.slot_start[info] : tree.slot_start[info + 1]] = chances / chances.sum()
    return strategy


@pytest.mark.parametrize(("kind", "config"), [(Dqn, DqnConfig), (Nfsp, NfspConfig)])
def test_a_copy_of_the_state_goes_on_alike(kind, config):
    game = stich.make("cego.bettel", heuristic="on")
    settings = {"replay_size": 300, "epsilon_decay": 2000}
    settings |= (
        {"reservoir_size": 200, "sl_layers": "16", "sl_min": 50, "anticipatory": 0.3} if kind is Nfsp else {}
    )
    first = small(kind, config, game, **settings)
    for _ in range(60):
        first.block()
    assert first.values[0].memory.counts[0] > 300
    second = small(kind, config, game, seed=9, **settings)
    restore(second, {name: plain(array) for name, array in state(first).items()})
    for _ in range(40):
        assert first.block() == second.block()
    for name, array in state(first).items():
        assert plain(array).tobytes() == plain(state(second)[name]).tobytes(), name
