"""The rule-based player of Durak: what it does in clear cases, that it beats random players, that its rules help."""

import numpy as np
import pytest
from numba import njit
from test_durak import play, position

import stich
from stich.core.contract import apply, deal, hide, is_over, legal, player, returns
from stich.core.kernels import random_action, rule_all
from stich.core.rng import stream, streams
from stich.games.durak.cards import CARDS
from stich.games.durak.rule import (
    BEAT_LATE,
    FEED_MOST,
    HARD,
    PAIR,
    PUSH_MOST,
    THROW_EARLY,
    THROW_LATE,
    WEIGHTS,
    choose,
)


@njit(nogil=True, error_model="numpy")
def match(states, rngs, ours, theirs, lost):
    """One seat in turn plays with weights of its own on its view, the others with theirs (none: at random)."""
    s = states[0]
    result = np.zeros(6)
    for i in range(len(rngs)):
        deal(s, rngs[i])
        single = i % s.players
        while not is_over(s):
            me = np.int64(player(s))
            mask = legal(s)
            if me == single or len(theirs) > 0:
                states[1] = states[0]
                hide(states[1], me)
                a = choose(states[1], ours if me == single else theirs)
                lost[2] += not mask >> a & 1
            else:
                a = random_action(mask, rngs[i])
            apply(s, a)
        returns(s, result)
        lost[0] += result[single] < 0
        for seat in range(s.players):
            lost[1] += seat != single and result[seat] < 0


def losses(variant, ours=WEIGHTS, theirs=(), count=4000, seed=3):
    """How often the single seat loses, and how often one of the others, on average."""
    game = stich.make(variant, games=1)
    lost = np.zeros(3)
    match(np.repeat(game.template, 2), streams(count, seed, "rule"), ours, np.array(theirs, float), lost)
    assert lost[2] == 0  # never an illegal move
    return lost[0] / count, lost[1] / count / (game.seats - 1)


@pytest.mark.parametrize(
    ("variant", "most"),
    [
        ("durak", 0.02),
        ("durak.3", 0.01),
        ("durak.4", 0.005),
        ("durak.mini", 0.08),
        ("durak.52", 0.02),
        ("durak.double", 0.005),
        ("durak.series", 0.01),
    ],
)
def test_the_rules_lose_seldom_against_random_players(variant, most):
    """A random player in its place would lose 1 / players of the games."""
    assert losses(variant)[0] < most


@pytest.mark.parametrize(
    ("variant", "change", "least"),
    [
        ("durak", {PAIR: 0}, 0.025),
        ("durak.52", {HARD: 0}, 0.02),
        ("durak", {THROW_EARLY: 9, THROW_LATE: 9}, 0.03),
        ("durak", {THROW_EARLY: -9, THROW_LATE: -9}, 0.4),
        ("durak.4", {FEED_MOST: -9}, 0.02),
        ("durak.3", {FEED_MOST: 9}, 0.02),
        ("durak.mini", {BEAT_LATE: 2}, 0.1),
        ("durak", {PUSH_MOST: -9}, 0.1),
        ("durak", {PUSH_MOST: 9}, 0.02),
    ],
)
def test_each_rule_helps(variant, change, least):
    """Without it a seat loses more often than the others who have it."""
    weights = WEIGHTS.copy()
    for which, value in change.items():
        weights[which] = value
    ours, theirs = losses(variant, weights, WEIGHTS, 20000)
    assert ours - theirs > least


def test_games_between_rules_end():
    for variant in ("durak", "durak.mini", "durak.4"):
        ours, theirs = losses(variant, WEIGHTS, WEIGHTS, 2000)
        seats = stich.make(variant).seats
        assert ours + theirs * (seats - 1) > 0.99  # hardly ever without a loser


def chosen(state):
    view = state.view(state.player)
    actions = np.zeros(1, np.int64)
    rule_all(view.array, stream(1, "rule"), actions)
    return view.action_name(int(actions[0]))


def test_it_leads_its_lowest_plain_card_or_a_pair():
    assert chosen(position("7C 9S AD 6H", "TC TD", talon="8S 8C 8D 8H")) == "7C"
    assert chosen(position("7C 8S 8D 6H", "TC TD", talon="9S 9C 9D 8H")) in ("8S", "8D")


def test_it_beats_as_cheaply_as_it_can():
    state = play(position("7C 9S", "8C TC 6H", talon="8S 8D 9D 8H"), "7C")
    assert chosen(state) == "8C"


def test_it_takes_rather_than_spend_high_trumps_early():
    held = ["AC", "7S", "7D", "AH", "KH", "6S", "8H"]
    talon = " ".join([card for card in CARDS if card[0] not in "2345" and card not in held] + ["8H"])
    state = position("AC 7S", "7D AH KH 6S", talon=talon, hand=2)
    assert chosen(play(state, "AC")) == "check"
    state = position("AC 7S", "7D AH KH 6S", hand=2)
    assert chosen(play(state, "AC")) == "KH"


def test_it_pushes_with_a_plain_card():
    state = play(position("9C 7S KD", "9D 9H TC", talon="8S 8D TD 8H"), "9C")
    assert chosen(state) == "P:9D"


def test_at_the_end_it_leads_what_cannot_be_beaten_and_keeps_one_card_for_last():
    """The other player cannot beat the ace: it is led first, then the seven wins as the last card."""
    assert chosen(position("7C AS", "8C 9C", push="off")) == "AS"
