"""Deep Monte Carlo: its settings, that it learns what is right, and that a copy of its state goes on alike."""

import numpy as np
import pytest

import stich
from stich.core.errors import StichError
from stich.learn.dmc import Dmc, DmcConfig
from stich.learn.run import restore, state
from stich.search.equilibrium import exploitability as evaluate
from stich.search.equilibrium.tree import build

SMALL = {
    "layers": "16,16",
    "lanes": "64",
    "buffers": "20",
    "batch_size": "16",
    "unroll_length": "100",
    "evaluate_games": "200",
}


def small(game, **settings):
    return Dmc(game, DmcConfig.of("shipped", SMALL | {name: str(value) for name, value in settings.items()}))


def test_the_document_preset_is_table_11():
    config = DmcConfig.of("document", {})
    assert (config.seed, config.layers, config.frames) == (20, (512,) * 5, 2_500_000_000)
    assert (config.epsilon, config.batch_size, config.unroll_length, config.buffers) == (0.01, 32, 100, 50)
    assert (config.max_grad_norm, config.rate, config.alpha, config.momentum) == (40, 0.0001, 0.99, 0)
    assert (config.optimizer, config.optimizer_epsilon, config.nets) == ("rmsprop", 0.00001, "seat")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"layer": "3"}, "there is no setting 'layer'; there are seed"),
        ({"layers": "64,x"}, "layers should be whole numbers, as 512,512, not '64,x'"),
        ({"lanes": "2.5"}, "lanes should be a whole number, not '2.5'"),
        ({"rate": "fast"}, "rate should be a number, not 'fast'"),
        ({"skip_forced": "maybe"}, "skip_forced should be on or off"),
        ({"optimizer": "magic"}, "optimizer cannot be 'magic': it takes adam, rmsprop"),
        ({"epsilon": "1.5"}, "epsilon must lie between 0 and 1"),
        ({"lanes": "0"}, "lanes must be at least 1"),
        ({"baseline": "-1"}, "baseline must be at least 0"),
        ({"discount": "0.9"}, "where it is more discount must be 1"),
    ],
)
def test_wrong_settings_are_explained(given, message):
    with pytest.raises(StichError, match=message):
        DmcConfig.of("shipped", given)


def test_settings_as_text():
    config = DmcConfig.of(
        "quick", {"frames": "2.5e9", "layers": "[512, 256]", "skip_forced": "off", "learners": "0,2"}
    )
    assert (config.frames, config.layers, config.skip_forced, config.learners) == (
        2_500_000_000,
        (512, 256),
        False,
        (0, 2),
    )
    assert DmcConfig.restore(config.record()) == config
    with pytest.raises(StichError, match="there is no preset 'fast'; there are shipped, document, quick"):
        DmcConfig.of("fast", {})


def test_it_finds_the_best_response_to_random_play():
    """In Kuhn poker the best answer to a random opponent is known exactly."""
    game = stich.make("kuhn")
    tree = build(game)
    best = evaluate.values(tree, evaluate.uniform_strategy(tree))[1][0]
    learner = small(game, learners="0", epsilon=0.2, evaluate_games=20_000, rate=0.01, frames=60_000)
    while learner.frames < 60_000:
        learner.block()
    found = learner.evaluate()["side0 vs random"]
    assert best > 0.4
    assert abs(found["mean"] - best) < 4 * found["error"]


@pytest.mark.parametrize("settings", [{}, {"optimizer": "rmsprop", "average": 0, "nets": "seat", "momentum": 0.5}])
def test_a_copy_of_the_state_goes_on_alike(settings):
    game = stich.make("cego.bettel", heuristic="on")
    first = small(game, passes=2, **settings)
    for _ in range(3):
        first.block()
    second = small(game, passes=2, seed=9, **settings)  # other weights, other deals, until restored
    second.lanes.envs.learners[:] = first.lanes.envs.learners
    restore(second, {name: plain(array) for name, array in state(first).items()})
    for _ in range(3):
        figures = first.block(), second.block()
        assert figures[0] == figures[1]
    for name, array in state(first).items():
        assert plain(array).tobytes() == plain(state(second)[name]).tobytes(), name


def plain(array):
    """As a checkpoint writes it."""
    return array[..., None].view(np.uint8).copy() if array.dtype.names else np.array(array)


def test_seats_learn_among_others_in_turn():
    game = stich.make("cego.solo", heuristic="on")
    learner = small(game, opponent_share=0.5, opponent="rule")
    masks = learner.lanes.envs.learners.tolist()
    assert masks[:32] == [0b1111] * 32
    assert masks[32:] == ([0b0001, 0b0010, 0b0001, 0b0100, 0b0001, 0b1000] * 6)[:32]
    assert learner.lanes.envs.by_rule.all()
    both = small(game, opponent_share=0.5, opponent="both").lanes.envs
    pairs = list(zip(both.learners.tolist(), both.by_rule.tolist(), strict=True))[32:]
    assert {pair[0] for pair in pairs} == {0b0001, 0b0010, 0b0100, 0b1000}
    for rule in (False, True):
        assert pairs.count((0b0001, rule)) == 8
        assert all(pairs.count((1 << seat, rule)) >= 2 for seat in (1, 2, 3))
    assert set(small(game, opponent_share=0.5, learners="0").lanes.envs.learners.tolist()) == {0b0001}
    assert not small(stich.make("kuhn"), opponent="both").lanes.envs.by_rule.any()
    with pytest.raises(StichError, match="kuhn has no rule-based player"):
        small(stich.make("kuhn"), opponent="rule")
    with pytest.raises(StichError, match="learners are seats 0 to 3"):
        small(game, learners="4")


@pytest.mark.parametrize(
    ("name", "nets", "expected"),
    [
        ("cego.solo", "side", [0, 1, 1, 1]),
        ("cego.raeuber", "side", [0, 0, 0, 0]),
        ("cego.raeuber", "seat", [0, 1, 2, 3]),
        ("jass", "side", [0, 1, 0, 1]),
        ("jass", "one", [0, 0, 0, 0]),
    ],
)
def test_nets_of_seats(name, nets, expected):
    learner = small(stich.make(name), nets=nets)
    assert learner.net_of.tolist() == expected
    seats = 0 if nets == "seat" else 4
    assert learner.sizes()[0] == learner.game.encoders[0].size + seats
