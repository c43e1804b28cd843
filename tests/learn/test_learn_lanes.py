"""Lockstep self-play: what the lanes keep is what was seen and done, with targets as defined."""

import functools

import numpy as np
import pytest

import stich
from stich.core.bits import set_bits
from stich.core.rng import streams
from stich.learn.lanes import MOVES, SWITCHES, Lanes, Lineup
from stich.nets.inputs import Inputs
from stich.nets.model import choose_rows

SOLO = {"heuristic": "on"}


def lanes_of(game, count=1, learners=None, by_rule=False, seed=5, nets=None, threads=1, **settings):
    switches = np.zeros(1, SWITCHES)
    net_of = np.zeros(game.seats, np.int64) if nets is None else np.array(nets)
    given = {"by_value": 1, "trace": 1, "discount": 1, "span": 1, "nets": net_of.max() + 1} | settings
    for name, value in given.items():
        switches[name] = value
    masks = np.full(count, (1 << game.seats) - 1 if learners is None else learners)
    deals, choices = streams(count, seed, "deals"), streams(count, seed, "choices")
    inputs = Inputs(game.encoders[0].name, True)
    lineup = Lineup(masks, np.full(count, by_rule), deals, choices)
    return Lanes(game, inputs, net_of, lineup, switches, threads)


def some_net(inputs, starts, outputs):
    """A fixed function of the input that stands for a net."""
    outputs[:] = inputs @ some_weights(inputs.shape[1], outputs.shape[1])


@functools.cache
def some_weights(wide, out):
    return np.random.default_rng(1).normal(size=(wide, out)).astype(np.float32)


@pytest.mark.parametrize(
    ("name", "options"), [("cego.solo", SOLO), ("jass", {}), ("kuhn", {}), ("wizard.round", {})]
)
def test_samples_are_what_a_replay_sees(name, options):
    game = stich.make(name, **options)
    lanes = lanes_of(game)
    while not lanes.count:
        lanes.step(some_net)
    samples, observations, _ = lanes.samples
    deals = streams(1, 5, "deals")
    state = game.state(game.template.copy())
    stich.core.kernels.deal_all(state.array, deals)
    state.force(-1)
    todo = {seat: list(np.flatnonzero(samples["seat"] == seat)) for seat in range(game.seats)}
    rows = []
    while not state.is_over:
        row = todo[state.player].pop(0)
        rows.append((row, state.player))
        encoder = game.encoders[0]
        assert (encoder.scaled(observations[row]) == state.observation().ravel()).all()
        assert samples["mask"][row] == state.mask
        seat = np.eye(game.seats)[state.player]
        said = np.zeros((1, game.spec.actions), np.float32)
        some_net(np.append(encoder.scaled(observations[row]), seat).astype(np.float32)[None], None, said)
        best = max(set_bits(state.mask), key=lambda action: said[0, action])
        assert samples["action"][row] == best
        assert samples["value"][row] == pytest.approx(said[0, best], abs=1e-3)
        state.play(best)
    assert not any(todo.values())
    for row, seat in rows:
        assert samples["target"][row] == pytest.approx(state.returns()[seat])
        assert samples["last"][row] == (row == max(other for other, whose in rows if whose == seat))


def test_targets_with_discount_and_trace():
    game = stich.make("cego.solo", **SOLO)
    lanes = lanes_of(game, discount=0.9, trace=0.6, low=10, span=50)
    while not lanes.count:
        lanes.step(some_net)
    samples = lanes.samples.steps
    for seat in range(4):
        own = samples[samples["seat"] == seat]
        assert len(own) == 11
        target = (lanes.results[0, seat] - 10) / 50
        for k in reversed(range(11)):
            assert own["target"][k] == pytest.approx(target, rel=1e-5)
            target = 0.9 * (0.6 * target + 0.4 * float(own["value"][k]))


def test_a_baseline_is_what_random_play_of_the_true_cards_brings():
    game = stich.make("cego.solo", **SOLO)
    lanes = lanes_of(game, 200, baseline=8, trace=0.6, low=10, span=50)
    while lanes.totals[2] < 400:
        lanes.step(some_net)
    samples = lanes.samples.steps
    ends = np.flatnonzero(samples["last"])
    whole = samples["target"][ends] + samples["baseline"][ends]
    assert np.allclose(whole * 50 + 10, np.round(whole * 50 + 10), atol=1e-3)  # points of finished games
    for end, target in zip(ends[:20], whole, strict=False):
        for k in range(end, end - 11, -1):
            assert samples["target"][k] == pytest.approx(target - samples["baseline"][k], rel=1e-5, abs=1e-5)
            target = 0.6 * target + 0.4 * float(samples["baseline"][k] + samples["value"][k])
    first = samples["baseline"][ends - 10]
    late = samples["baseline"][ends - 1]
    assert 0.3 < np.corrcoef(first, whole)[0, 1] < np.corrcoef(late, whole)[0, 1]
    single = first[samples["seat"][ends] == 0] * 50 + 10
    assert abs(single.mean() - random_points(game)) < 1.0


def test_baselines_are_the_same_however_many_threads_work_on_them():
    found = []
    for threads in (1, 3):
        lanes = lanes_of(stich.make("cego.solo", **SOLO), 50, threads=threads, baseline=4)
        while lanes.count < 1000:
            lanes.step(some_net)
        found.append(lanes.samples.steps)
    assert (found[0]["baseline"] == found[1]["baseline"]).all()
    assert (found[0]["action"] == found[1]["action"]).all()
    assert len(np.unique(found[0]["baseline"])) > 100


def random_points(game):
    """What the single player gets on average when all play at random."""
    result, sums, squares = np.zeros((3, 4))
    stich.core.kernels.random_rounds(
        game.template.copy(), np.int64(4000), streams(1, 2, "random"), result, sums, squares
    )
    return sums[0] / 4000


def test_forced_moves_are_made_but_not_kept():
    game = stich.make("cego.solo", **SOLO)
    asked, all_moves = lanes_of(game, 20, skip_forced=1), lanes_of(game, 20)
    for lanes in (asked, all_moves):
        while lanes.totals[2] < 200:
            lanes.step(some_net)
    assert asked.totals[MOVES] >= 200 * 44
    kept, every = asked.samples.steps, all_moves.samples.steps
    assert all(mask & (mask - 1) for mask in kept["mask"].tolist())
    assert len(every) == all_moves.totals[2] * 44
    forced = np.mean([not mask & (mask - 1) for mask in every["mask"].tolist()])
    assert len(kept) / (44 * asked.totals[2]) == pytest.approx(1 - forced, abs=0.03)


def test_only_learners_are_asked_and_the_rule_plays_like_the_agent():
    game = stich.make("cego.solo", **SOLO)
    lanes = lanes_of(game, 30, learners=0b0001, by_rule=True)
    while lanes.totals[2] < 60:
        lanes.step(some_net)
    assert set(lanes.samples.steps["seat"]) == {0}
    rule = lanes_of(game, 400, learners=0b0001, by_rule=True, once=1)
    rule.play_out(some_net)
    random = lanes_of(game, 400, learners=0b0001, once=1)
    random.play_out(some_net)
    assert rule.results[:, 0].mean() < random.results[:, 0].mean() - 3


def test_one_game_in_each_lane_is_the_same_in_any_company():
    game = stich.make("cego.bettel", **SOLO)
    many, few = lanes_of(game, 40, once=1), lanes_of(game, 7, once=1)
    many.play_out(some_net)
    few.play_out(some_net)
    assert (many.results[:7] == few.results).all()


def test_each_seat_asks_its_own_net_and_average_policies_stand_behind():
    game = stich.make("cego.solo", **SOLO)
    lanes = lanes_of(game, 64, nets=(0, 1, 1, 1), by_value=0.25)
    seen = np.zeros((4, 2))

    def watch(inputs, starts, outputs):
        some_net(inputs, starts, outputs)
        for group in range(4):
            rows = inputs[starts[group] : starts[group + 1]]
            assert (rows[:, -4].astype(bool) == (group % 2 == 0)).all()  # seat 0, and nobody else, has net 0

    while lanes.totals[2] < 600:
        lanes.step(watch)
    for seat in range(4):
        own = lanes.samples.steps[lanes.samples.steps["seat"] == seat]
        seen[seat] = np.bincount(own["mode"], minlength=2)
    assert seen[:, 1] / seen.sum(1) == pytest.approx(np.full(4, 0.75), abs=0.08)


def test_draws_follow_the_softmax():
    logits = np.tile(np.log(np.array([9.0, 1.0, 2.0, 9.0, 5.0], np.float32)), (4000, 1))
    actions = np.zeros(4000, np.int64)
    choose_rows(logits, np.full(4000, 0b10110), 1, streams(4000, 3, "test"), actions)
    drawn = np.bincount(actions, minlength=5)
    assert drawn[[0, 3]].sum() == 0
    assert drawn[[1, 2, 4]] / 4000 == pytest.approx([1 / 8, 2 / 8, 5 / 8], abs=0.03)
