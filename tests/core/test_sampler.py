"""The sampler of hidden cards against enumeration and an independent count."""

import itertools
from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import stich
from conftest import TOY
from stich.core import kernels
from stich.core.errors import StichError
from stich.core.rng import stream
from stich.core.sampler import DRAW, PLAN


def make_plan(sizes, weights):
    """A plan of `sizes` with weights[card][place]."""
    plan = np.zeros(1, PLAN)
    cards = len(weights)
    plan["cards"], plan["places"] = cards, len(sizes)
    plan["size"][0, : len(sizes)] = sizes
    plan["card"][0, :cards] = range(cards)
    plan["weight"][0, :cards, : len(sizes)] = weights
    table = np.empty(kernels.plan_size(plan))
    return plan, table, kernels.plan_prepare(plan, table)


def enumerate_placements(sizes, weights):
    """Every placement with its exact probability."""
    found = {}
    for placement in itertools.product(range(len(sizes)), repeat=len(weights)):
        if all(placement.count(place) == size for place, size in enumerate(sizes)):
            weight = Fraction(1)
            for card, place in enumerate(placement):
                weight *= Fraction(weights[card][place])
            if weight:
                found[placement] = weight
    total = sum(found.values())
    return {placement: weight / total for placement, weight in found.items()}


def walk_probability(plan, table, placement):
    """The probability with which `draw` walks a placement: the product of its conditional choices."""
    p, cell, probability = plan[0], int(plan[0]["start"]), 1.0
    for row, place in enumerate(placement):
        base = (row + 1) * p["cells"] + cell
        parts = [p["weight"][row, k] * table[base - p["stride"][k]] for k in range(p["places"])]
        probability *= parts[place] / sum(parts)
        cell -= int(p["stride"][place])
    return probability


small = st.integers(2, 4).flatmap(
    lambda places: st.lists(st.integers(0, 3), min_size=places, max_size=places).filter(lambda s: 0 < sum(s) < 7)
)


@settings(max_examples=60, deadline=None)
@given(small, st.data())
def test_probabilities_are_exact_on_small_cases(sizes, data):
    row = st.lists(st.sampled_from([0, 1, 1, 1, 2, 5, 0.25]), min_size=len(sizes), max_size=len(sizes))
    weights = data.draw(st.lists(row, min_size=sum(sizes), max_size=sum(sizes)))
    exact = enumerate_placements(sizes, weights)
    plan, table, possible = make_plan(sizes, weights)
    assert possible == bool(exact)
    for placement, probability in exact.items():
        assert walk_probability(plan, table, placement) == pytest.approx(float(probability), rel=1e-12)


def test_draws_follow_the_probabilities():
    sizes, rng = (2, 3, 1), np.random.default_rng(5)
    weights = rng.choice([0.5, 1, 1, 3], (6, 3)).tolist()
    weights[0], weights[1][0], weights[4][2] = [0, 1, 0], 0, 0
    exact = enumerate_placements(sizes, weights)
    plan, table, possible = make_plan(sizes, weights)
    assert possible
    out = np.zeros(200_000, DRAW)
    kernels.plan_places(plan, table, stream(1, "test"), out)
    counts = Counter(map(tuple, out["place"][:, :6].tolist()))
    assert set(counts) <= set(exact)
    placements = sorted(exact)
    expected = [float(exact[p]) * len(out) for p in placements]
    assert chisquare([counts[p] for p in placements], expected).pvalue > 1e-3
    assert len(np.unique(out["seed"])) == len(out)


def marginals(sizes, weights):
    """P(card in place), by counting in exact fractions over sizes as a tuple: another way than the sampler's."""

    @cache
    def count(card, left, without):
        if card == len(weights):
            return Fraction(int(not any(left)))
        if card == without:
            return count(card + 1, left, without)
        total = Fraction(0)
        for place, room in enumerate(left):
            if room and weights[card][place]:
                rest = (*left[:place], room - 1, *left[place + 1 :])
                total += Fraction(weights[card][place]) * count(card + 1, rest, without)
        return total

    whole = count(0, tuple(sizes), -1)
    table = np.zeros((len(weights), len(sizes)))
    for card, row in enumerate(weights):
        for place, weight in enumerate(row):
            if weight and sizes[place]:
                left = tuple(size - (k == place) for k, size in enumerate(sizes))
                table[card, place] = Fraction(weight) * count(0, left, card) / whole
    return table


@pytest.mark.parametrize("weighted", [False, True])
def test_marginals_of_a_large_case(weighted):
    """27 cards in three hands with voids, as in the first trick of Jass."""
    rng, sizes = np.random.default_rng(2), (9, 9, 9)
    weights = rng.integers(1, 6, (27, 3)) if weighted else np.ones((27, 3), int)
    weights[:6, 0] = 0
    weights[20:, 2] = 0
    expected = marginals(sizes, weights.tolist())
    plan, table, possible = make_plan(sizes, weights)
    assert possible
    out = np.zeros(100_000, DRAW)
    kernels.plan_places(plan, table, stream(4, "test"), out)
    found = np.stack([(out["place"][:, :27] == place).mean(0) for place in range(3)], 1)
    error = np.sqrt(expected * (1 - expected) / len(out))
    assert (np.abs(found - expected) <= 4.5 * error + 1e-12).all()
    assert (out["place"][:, :27].reshape(-1, 27) == 1).sum(1).tolist() == [9] * len(out)


def test_extreme_weights_stay_in_range():
    """Sixty cards whose only possible placement has a weight of 1e-30 a card."""
    weights = np.full((60, 3), 0.0)
    weights[:30, 0], weights[30:, 1] = 1e-30, 1e-30
    weights[0, 1] = 1.0
    plan, table, possible = make_plan((30, 30, 0), weights)
    assert possible
    out = np.zeros(5, DRAW)
    kernels.plan_places(plan, table, stream(1, "test"), out)
    assert (out["place"][:, :60] == np.repeat([0, 1], 30)).all()


def test_an_impossible_plan_is_noticed():
    assert not make_plan((1, 1), [[1, 0], [1, 0]])[2]  # two cards for one room
    assert not make_plan((2, 2), [[1, 1]] * 3)[2]  # a card too few


def test_a_view_without_hidden_cards_has_one_world():
    game = stich.make("jass")
    state = game.new(1)
    for _ in range(36):
        state.play(state.action_ids()[0])
    while state.mask and state.record["tricks"] < 9 and not state.is_over:
        state.play(state.action_ids()[0])
    view = state.view(0)
    assert view.sampler().draw(stream(1, "x"), 2).tobytes() == np.repeat(state.array, 2).tobytes()


def test_weights_guide_the_draws_and_bad_ones_are_refused():
    view = stich.make(str(TOY)).new(3).view(0)
    hidden = [card for card in range(9) if not int(view.record["duel"][0]) >> card & 1]
    weights = np.ones((9, 2))
    weights[hidden[0]] = [0.0, 1.0]
    worlds = view.sampler(weights).draw(stream(1, "x"), 200)
    assert not (worlds["duel"][:, 1] >> hidden[0] & 1).any()
    with pytest.raises(StichError, match="no placement"):
        view.sampler(np.zeros((9, 2)))
