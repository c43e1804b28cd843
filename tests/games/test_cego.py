"""Cego: cards, tricks, the six sub-games, bidding, building the hand, scoring, deals and recordings."""

import gzip
import json
from collections import Counter

import numpy as np
import pytest
from numba import njit
from scipy.stats import chi2_contingency

import stich
from conftest import HERE, run
from stich.core import kernels
from stich.core.bits import popcount, set_bits
from stich.core.contract import apply, deal, hide, is_over, legal
from stich.core.errors import StichError
from stich.core.game import State
from stich.core.kernels import random_action
from stich.core.plain import Plain
from stich.core.rng import below, stream, streams
from stich.core.transcript import replay_file
from stich.games.cego.cards import ALL, CARDS, EMPTY, HALVES, HIGH, LOW, SUIT_OF, TRUMP, TRUMPS, mask_of, names_of
from stich.games.cego.deal import halves, some
from stich.games.cego.scoring import deal_points, robber, single_points
from stich.games.cego.state import (
    BETTEL,
    BIDS,
    EINE_LEERE,
    EXPOSE,
    KEEP,
    PICCOLO,
    PLAY,
    RAEUBER,
    SOLO,
    STANDARD,
    ULTIMO,
)
from stich.games.cego.text import played_tricks

SAMPLE = HERE / "data" / "cego.jsonl.gz"
SUBGAMES = [name for name in stich.names() if name.startswith("cego.")]


def table(hands, variant="cego", dealer=3, blind="", **options):
    """A deal with the named cards in hands and blind; the rest is shared in the pack's order."""
    given = {seat: cards.split() for seat, cards in {**hands, 4: blind}.items()}
    rest = [card for card in CARDS if not any(card in hand for hand in given.values())]
    full = []
    for seat in range(4):
        hand = list(given.get(seat, []))
        while len(hand) < 11:
            hand.append(rest.pop(0))
        full.append(hand)
    return stich.make(variant, **options).setup({"hands": full, "blind": given[4] + rest, "dealer": dealer})


def play(state, actions):
    for action in actions.split():
        state.play(action)
    return state


def legal_names(state):
    return " ".join(state.legal_actions())


# --- cards and tricks ------------------------------------------------------------------------------------------


def test_54_cards_are_worth_79_points():
    assert HALVES.sum() == 158
    assert len(set(CARDS)) == 54
    assert CARDS[0] == "7-c"
    assert CARDS[16] == "4-h"
    assert (CARDS[32], CARDS[52], CARDS[53]) == ("1-trump", "21-trump", "gstiess-trump")
    assert popcount(LOW) == 30
    assert popcount(HIGH) == 24
    assert popcount(EMPTY) == 16
    rng = np.random.default_rng(1)
    for _ in range(200):
        hand = sum(1 << int(card) for card in rng.choice(54, 11, replace=False))
        assert halves(hand) == sum(HALVES[card] for card in set_bits(hand))


def test_follow_suit_else_trump_else_anything():
    hands = {
        0: "k-h k-c",
        1: "4-h 3-h 5-trump 7-s 10-s b-s r-s d-s k-s 8-trump 9-trump",
        2: "6-trump 7-trump 8-s 9-s 8-c 9-c 10-c b-c r-c d-c 7-c",
        3: "4-d 3-d 2-d 1-d b-d r-d d-d k-d 2-h 1-h b-h",
    }
    state = table(hands, "cego.solo")
    state.play("k-h")
    assert legal_names(state) == "4-h 3-h"
    state.play("4-h")
    assert legal_names(state) == "6-trump 7-trump"
    state.play("6-trump")
    assert legal_names(state) == "2-h 1-h b-h"
    state.play("2-h")
    assert state.player == 2
    state.play("7-c")
    assert legal_names(state) == "1-h b-h 4-d 3-d 2-d 1-d b-d r-d d-d k-d"  # neither clubs nor trumps


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("4-h 1-h 2-h 3-h", 1),  # the red 1 is the best empty card
        ("7-c 10-c 9-c 8-c", 1),
        ("k-h k-d k-c k-s", 0),  # discards never win
        ("k-h 1-trump 2-trump 21-trump", 3),
        ("21-trump gstiess-trump 1-trump k-h", 1),
        ("d-h r-h k-h b-h", 2),
    ],
)
def test_who_takes_a_trick(cards, winner):
    names = cards.split()
    state = table(dict(enumerate(names)), "cego.solo")
    for name in names:
        state.force(CARDS.index(name))
    assert state.player == winner
    assert state.record["points"][winner] == sum(HALVES[CARDS.index(name)] for name in names) / 2


# --- sub-games -------------------------------------------------------------------------------------------------


def finished(variant, seed, **options):
    state = stich.make(variant, **options).new(seed)
    rng = np.random.default_rng(seed)
    while not state.is_over:
        state.play(int(rng.choice(state.action_ids())))
    return state


@pytest.mark.parametrize("variant", SUBGAMES)
@pytest.mark.parametrize("heuristic", ["off", "on"])
def test_results_follow_from_the_tricks(variant, heuristic):
    for seed in range(60):
        points = finished(variant, seed, heuristic=heuristic)
        flags = finished(variant, seed, heuristic=heuristic, reward="win")
        record = points.record
        single = record["won"][0]
        if variant in ("cego.standard", "cego.solo"):
            extra = halves(int(record["legage"] if variant == "cego.standard" else record["blind"])) / 2
            mine = record["points"][0] + extra
            assert points.returns() == [mine, *[79 - mine] * 3]
            assert record["points"].sum() + extra == 79
            assert flags.returns() == ([1, 0, 0, 0] if mine >= 40 else [0, 1, 1, 1])
        elif variant == "cego.raeuber":
            most = max(record["points"])
            loser = list(record["points"]).index(most)  # among equals the caller, then the first after him
            assert points.returns() == [0 if seat == loser else 1 for seat in range(4)]
        else:
            won = {
                "cego.bettel": single == 0,
                "cego.piccolo": single == 1,
                "cego.ultimo": record["tricks"] == 11
                and record["plays"][40:].tolist().count(32) == 1
                and record["made"],
            }[variant]
            assert points.returns() == ([1, 0, 0, 0] if won else [0, 1, 1, 1])


def test_bettel_and_piccolo_end_when_they_are_lost():
    for variant, tricks in (("cego.bettel", 1), ("cego.piccolo", 2)):
        early = [finished(variant, seed).record for seed in range(60)]
        for record in early:
            assert record["tricks"] == 11 or record["won"][0] == tricks
        assert any(record["tricks"] < 11 for record in early)


@pytest.mark.parametrize(
    ("stop", "first", "fourth"), [("at_once", True, True), ("engine", True, False), ("never", False, False)]
)
def test_ultimo_ends_when_the_geiss_goes_too_early(stop, first, fourth):
    hands = {0: "1-trump 7-c 8-c", 1: "2-trump k-c", 2: "3-trump d-c", 3: "4-trump r-c"}
    state = table(hands, "cego.ultimo", ultimo_stop=stop)
    assert state.play("1-trump").is_over == first
    state = table(hands, "cego.ultimo", ultimo_stop=stop)
    for name in ("7-c", "k-c", "d-c", "r-c"):
        state.force(CARDS.index(name))
    assert state.player == 1
    for name in ("2-trump", "3-trump", "4-trump", "1-trump"):
        assert not state.is_over
        state.force(CARDS.index(name))
    assert state.is_over == fourth


def test_all_three_ways_to_stop_give_the_same_results():
    for seed in range(40):
        start = stich.make("cego.ultimo").new(seed).start()
        ends = []
        for stop in ("at_once", "engine", "never"):
            state = stich.make("cego.ultimo", ultimo_stop=stop).setup(start)
            while not state.is_over:
                state.play(state.action_ids()[0])
            ends.append(state.returns())
        assert ends[0] == ends[1] == ends[2]


# --- bidding ---------------------------------------------------------------------------------------------------

NO_GEISS = {0: "2-trump 7-c", 1: "3-trump 8-c 9-c", 2: "4-trump 7-s", 3: "5-trump 8-s"}


def test_vorhand_speaks_first_and_ultimo_needs_the_geiss():
    state = table({0: "1-trump"}, dealer=2)
    assert (state.player, legal_names(state)) == (3, "pass solo")
    state.play("pass")
    assert (state.player, legal_names(state)) == (0, "pass solo ultimo")
    state.play("ultimo")
    assert (state.record["mode"], state.record["single"], state.player) == (ULTIMO, 0, 0)


def test_a_solo_that_nobody_answers_is_played():
    state = play(table({}), "pass solo pass pass pass")
    assert (state.record["mode"], state.record["single"], state.player) == (SOLO, 1, 1)


def test_gegensolo_opens_the_bidding_for_the_other_three():
    state = play(table({}), "pass solo pass gegensolo")
    # Seat 3 holds level Cego; seats 0 and 2 may challenge, the soloist 1 is left out; then seat 3 must play.
    assert (state.player, legal_names(state)) == (0, "pass bid")
    state.play("pass")
    assert state.player == 2
    state.play("pass")
    assert (state.record["phase"], state.record["single"], state.record["gegen"]) == (KEEP, 3, 1)


def test_bettel_and_piccolo_only_when_nobody_plays_his_hand_and_the_first_caller_plays():
    state = play(table({}), "pass pass pass pass")
    assert (state.player, legal_names(state)) == (0, "pass bettel piccolo")
    assert play(state, "pass bettel").record["mode"] == BETTEL
    assert (state.record["single"], state.player) == (1, 1)
    state = play(table({}), "pass pass pass pass piccolo")
    assert state.record["mode"] == PICCOLO


def test_piccolo_over_bettel_is_an_option():
    state = play(table({}, overcall="on"), "pass pass pass pass bettel")
    assert (state.player, legal_names(state)) == (1, "pass piccolo")
    assert play(state, "pass piccolo").record["single"] == 2
    state = play(table({}, overcall="on"), "pass pass pass pass bettel pass pass pass")
    assert (state.record["mode"], state.record["single"]) == (BETTEL, 0)


ALL_FORT = "pass pass pass pass pass pass pass pass"


def test_raeuber_is_vorhands_way_out_when_nobody_challenges():
    state = play(table({}), ALL_FORT + " pass pass pass")
    assert (state.player, legal_names(state)) == (0, "bid raeuber")
    state.play("raeuber")
    assert (state.record["mode"], state.record["single"], state.player) == (RAEUBER, 0, 0)


def test_no_raeuber_once_a_level_was_bid():
    state = play(table({}), ALL_FORT + " bid pass pass pass")
    assert (state.record["single"], state.record["level"]) == (1, 2)
    state = play(table({}), ALL_FORT + " bid selber pass pass pass")
    assert (state.record["single"], state.record["level"]) == (0, 2)


def test_selber_and_one_higher_until_one_yields():
    state = play(table(NO_GEISS), ALL_FORT)
    assert (state.player, legal_names(state)) == (1, "pass bid")
    state.play("bid")  # Halbe
    assert (state.player, legal_names(state)) == (0, "pass selber")
    state.play("selber")
    assert (state.player, legal_names(state)) == (1, "pass bid")
    state.play("bid")  # Eine
    state.play("pass")  # Vorhand yields
    assert (state.player, state.record["holder"], state.record["level"]) == (2, 1, 3)
    state.play("bid")  # Eine Leere
    assert state.player == 1
    state.play("pass")
    assert (state.player, state.record["holder"]) == (3, 2)
    state.play("pass")
    assert (state.record["single"], state.record["level"]) == (2, 4)


def test_kleiner_mann_is_the_top_and_needs_the_geiss():
    state = play(table({1: "1-trump 8-c 9-c 4-h k-h", 0: "7-c 7-s 8-s 9-s"}), ALL_FORT)
    play(state, "bid selber bid selber bid selber bid selber bid selber")
    assert state.record["level"] == 6
    state.play("bid")
    assert (state.record["level"], state.player, legal_names(state)) == (7, 0, "pass")
    state.play("pass")
    assert legal_names(state) == "pass"  # nobody goes higher than seven
    without = play(table({1: "3-trump 8-c 9-c 4-h k-h", 0: "1-trump 7-c 7-s 8-s 9-s"}), ALL_FORT)
    play(without, "bid selber bid selber bid selber bid selber bid selber")
    assert (without.record["level"], legal_names(without)) == (6, "pass")


# --- building the hand -----------------------------------------------------------------------------------------


def at_level(level, hands, **options):
    """Seat 1 plays a level against no challenge but Vorhand's."""
    bids = " ".join(["bid selber"] * (level - 2) + ["bid pass"]) if level > 1 else ""
    state = play(table(hands, **options), ALL_FORT)
    if level == 1:
        return play(state, "pass pass pass bid")
    return play(state, bids + " pass pass")


FITTING = {0: "1-h 2-h 1-d 2-d", 1: "1-trump 8-c 9-c 7-s k-h"}


def check_hand(state, single):
    record = state.record
    assert record["phase"] == PLAY
    assert popcount(int(record["hands"][single])) == 11
    assert popcount(int(record["legage"])) == 10
    assert record["blind"] == 0


def test_cego_keeps_two_and_lays_one_of_twelve_off():
    state = at_level(1, {0: "21-trump gstiess-trump k-h"})
    state.play("21-trump")
    assert "21-trump" not in state.legal_actions()
    state.play("gstiess-trump")
    assert len(state.legal_actions()) == 12
    assert "21-trump" in state.legal_actions()  # any of the twelve, also one that was kept
    blind = [card for card in state.legal_actions() if card not in ("21-trump", "gstiess-trump")]
    state.play(blind[0])
    check_hand(state, 0)
    assert state.player == 0


def test_halbe_exposes_one_keeps_one_lays_one_off_and_may_swap():
    state = at_level(2, {**FITTING, 0: "1-h", 1: "8-c 9-c 7-s k-h 21-trump"})
    play(state, "8-c 21-trump")
    assert "8-c" not in state.legal_actions()  # the exposed card stays
    state.play(state.legal_actions()[-1])
    clubs = [name for name in names_of(state.record["hands"][1]) if name.endswith("-c") and name != "8-c"]
    assert state.legal_actions() == [*clubs, "pass"]
    state.play("pass")
    check_hand(state, 1)
    assert legal_names(state) == "8-c"


def test_eine_keeps_one():
    state = at_level(3, FITTING)
    state.play("k-h")
    check_hand(state, 1)


def test_eine_leere_exposes_an_empty_card_which_may_be_replaced():
    state = at_level(4, FITTING, blind="7-c b-c")
    assert set(legal_names(state).split()) == {
        n for n in names_of(state.record["hands"][1]) if mask_of([n]) & EMPTY
    }
    state.play("8-c")
    assert legal_names(state) == "7-c b-c pass"
    state.play("b-c")
    check_hand(state, 1)
    assert legal_names(state) == "b-c"
    fixed = at_level(4, FITTING, replacement="off").play("8-c")
    check_hand(fixed, 1)
    assert legal_names(fixed) == "8-c"


def test_zwei_leere_are_of_one_suit_and_the_lowest_blind_trump_goes():
    state = at_level(5, FITTING, replacement="off")
    trumps = int(state.record["blind"]) & TRUMPS
    assert {"8-c", "9-c"} <= set(state.legal_actions())
    state.play("8-c")
    assert all(name.endswith("-c") for name in state.legal_actions())
    state.play("9-c")
    check_hand(state, 1)
    assert int(state.record["laid_open"]) == trumps & -trumps
    assert legal_names(state) == "8-c 9-c"


def test_zwei_verschiedene_are_of_two_suits_and_the_highest_blind_trump_goes():
    state = at_level(6, FITTING)
    trumps = int(state.record["blind"]) & TRUMPS
    state.play("8-c")
    assert not any(name.endswith("-c") for name in state.legal_actions())
    state.play("7-s")
    check_hand(state, 1)
    assert int(state.record["laid_open"]) == 1 << (trumps.bit_length() - 1)


@pytest.mark.parametrize(("level", "cards", "dropped"), [(5, "7-c 8-c", "9-c"), (6, "7-c 7-s", "d-c")])
def test_a_blind_without_trumps_gives_its_lowest_or_highest_rank(level, cards, dropped):
    """Among equal ranks the first suit: clubs before spades before hearts before diamonds."""
    trumps = [f"{n}-trump" for n in range(1, 22)]
    hands = {
        0: " ".join(trumps[:11]),
        1: "7-c 8-c 7-s 8-s 4-h 3-h 4-d 3-d k-c k-s k-h",
        2: " ".join(["gstiess-trump", *trumps[11:]]),
        3: "10-c 9-s 10-s b-c b-s b-h b-d r-c r-s k-d r-h",
    }
    state = play(table(hands), ALL_FORT)
    array = state.array.copy()
    array["holder"], array["single"], array["turn"], array["level"] = 1, 1, 1, level
    array["phase"], array["mode"], array["need"] = EXPOSE, STANDARD, 2
    state = play(State(state.game, array), cards)
    assert names_of(state.record["laid_open"]) == [dropped]


def test_pictures_are_exposed_only_where_empty_cards_are_lacking():
    """One empty suit only: one of two different cards must be empty, the other a picture of another suit."""
    hands = {0: "1-h 2-h 1-d 2-d 7-s 8-s", 1: "7-c 8-c b-c k-c b-h k-h b-s k-s 2-trump 3-trump 4-trump"}
    state = at_level(6, hands)
    assert legal_names(state) == "7-c 8-c b-s k-s b-h k-h"
    assert legal_names(state.copy().play("b-s")) == "7-c 8-c"
    assert legal_names(state.copy().play("7-c")) == "b-s k-s b-h k-h"
    assert legal_names(at_level(5, hands)) == "7-c 8-c"


def test_kleiner_mann_exposes_the_geiss():
    state = at_level(7, FITTING)
    check_hand(state, 1)
    assert (state.player, legal_names(state)) == (1, "1-trump")


def test_a_picture_may_stand_for_an_empty_card():
    pictures = "b-c r-c d-c k-c b-s r-s d-s k-s b-h r-h d-h"
    state = at_level(4, {0: "1-h 2-h 1-d 2-d", 1: pictures})
    assert set(state.legal_actions()) == set(pictures.split())


def test_an_exposed_card_cannot_win():
    hands = {0: "1-h 2-h 1-d 2-d", 1: "1-trump 10-c 9-c 7-s k-h", 2: "8-c", 3: "7-c"}
    state = at_level(4, hands, replacement="off").play("10-c")
    for name in ("10-c", "8-c", "7-c", "1-h"):
        state.force(CARDS.index(name))
    assert state.player == 2  # the eight is the best other card of the suit


def test_where_everybody_discards_the_first_defender_takes_the_exposed_card():
    hands = {0: "1-h 2-h 1-d 2-d", 1: "1-trump 10-c 9-c 7-s k-h"}
    state = at_level(4, hands, replacement="off").play("10-c")
    for name in ("10-c", "4-h", "4-d", "1-h"):
        state.force(CARDS.index(name))
    assert state.player == 2
    assert state.record["won"].tolist() == [0, 0, 1, 0]


def test_two_exposed_cards_lead_the_first_two_tricks():
    state = at_level(5, FITTING, replacement="off")
    play(state, "8-c 9-c")
    for trick in range(2):
        assert state.player == 1
        assert set(state.legal_actions()) <= {"8-c", "9-c"}
        for _ in range(4):
            state.play(state.action_ids()[0])
        assert state.record["won"][1] == 0, trick
    assert state.player != 1


def test_vorhand_leads_by_an_option():
    state = play(table({}, leader="vorhand"), "pass solo pass pass pass")
    assert (state.record["single"], state.player) == (1, 0)


# --- scoring ---------------------------------------------------------------------------------------------------


def pays(mode, points, level=0, won=3, gegen=0, single=0, **fields):
    """The game points of a deal whose single player has these card points."""
    array = np.zeros(1, stich.make("cego").family.state)
    array["mode"], array["level"], array["gegen"], array["single"] = mode, level, gegen, single
    array["points"][0, single], array["won"][0, single] = points, won
    for name, value in fields.items():
        array[name] = value
    return int(deal_points(Plain(array[0])))


@pytest.mark.parametrize(
    ("what", "amount"),
    [
        ({"mode": STANDARD, "level": 2, "points": 34}, -20),  # Halbe lost 34:45: 2 Fach x 5 x 2
        ({"mode": STANDARD, "level": 3, "points": 41}, 20),  # Eine won 41:38: 1 Fach x 5 x 3 = 15, rounded up
        ({"mode": STANDARD, "level": 1, "points": 35}, -10),  # exactly 35: one Fach
        ({"mode": STANDARD, "level": 1, "points": 40}, 10),
        ({"mode": STANDARD, "level": 1, "points": 39}, -10),
        ({"mode": STANDARD, "level": 1, "points": 44}, 10),  # the others have 35
        ({"mode": STANDARD, "level": 1, "points": 45}, 10),  # 34: two Fach
        ({"mode": STANDARD, "level": 7, "points": 79}, 280),  # eight Fach
        ({"mode": STANDARD, "level": 7, "points": 45, "gegen": 1}, 80),  # 2 x 5 x 8
        ({"mode": STANDARD, "level": 1, "points": 20, "won": 0}, -40),  # no trick: 40, the Legage does not help
        ({"mode": STANDARD, "level": 3, "points": 38, "won": 0}, -120),
        ({"mode": STANDARD, "level": 4, "points": 42, "won": 0}, -160),  # even a Legage of 42 does not win
        ({"mode": SOLO, "points": 50}, 30),  # three Fach x 5 x 2
        ({"mode": SOLO, "points": 29}, -20),  # 3 x 5 x 1 = 15
        ({"mode": ULTIMO, "points": 0, "made": 1}, 80),
        ({"mode": ULTIMO, "points": 60}, -80),
        ({"mode": BETTEL, "points": 0, "won": 0}, 30),
        ({"mode": BETTEL, "points": 0, "won": 1}, -30),
        ({"mode": PICCOLO, "points": 0, "won": 1}, 40),
        ({"mode": PICCOLO, "points": 0, "won": 0}, -40),
        ({"mode": RAEUBER, "points": 20}, 80),
        ({"mode": RAEUBER, "points": 0}, 80),  # all equal: the caller loses
    ],
)
def test_game_points(what, amount):
    assert pays(**what) == amount


def test_the_loser_of_raeuber():
    array = np.zeros(1, stich.make("cego").family.state)
    array["mode"], array["single"] = RAEUBER, 2
    for points, loser in (([20, 20, 20, 10], 2), ([20, 20, 10, 5], 0), ([10, 20, 5, 20], 3)):
        array["points"][0] = points
        assert robber(Plain(array[0])) == loser


def scored(mode, points, zero_sum, single=1, **fields):
    """The score sheet after one deal, made by finishing a prepared last trick."""
    state = stich.make("cego", zero_sum=zero_sum).new(1)
    array = state.array.copy()
    array["mode"], array["single"], array["phase"], array["tricks"], array["cards"] = mode, single, PLAY, 10, 3
    array["points"][0], array["won"][0] = points, [3, 3, 2, 2]
    array["hands"][0], array["turn"], array["lead"], array["power"], array["winner"] = [1, 0, 0, 0], 0, 4, 60, 3
    array["leads"][0, 10], array["plays"][0, 40:43], array["pot"] = 1, [33, 34, 35], 3
    array["legage"], array["blind"] = 0, 0
    for name, value in fields.items():
        array[name] = value
    return State(state.game, array).play("7-c").returns()


def test_winners_gain_and_losers_lose_or_one_pays_all():
    assert scored(BETTEL, [0] * 4, "off", won=[[5, 0, 5, 0]]) == [-30, 30, -30, -30]
    assert scored(BETTEL, [0] * 4, "on", won=[[5, 0, 5, 0]]) == [-30, 90, -30, -30]
    assert scored(RAEUBER, [10, 40, 5, 5], "off") == [40, -80, 40, 40]
    assert scored(RAEUBER, [40, 10, 5, 5], "off") == [-40, 40, 40, 40]
    assert sum(scored(RAEUBER, [40, 10, 5, 5], "on")) == 0


def test_a_match_rotates_the_dealer_and_adds_up():
    state = stich.make("cego", deals=6).new(2)
    rng, dealers, scores = np.random.default_rng(2), [int(state.record["dealer"])], []
    while not state.is_over:
        number = int(state.record["deal"])
        state.play(int(rng.choice(state.action_ids())))
        if state.record["deal"] > number:
            scores.append(state.record["score"].copy())
            if not state.is_over:
                dealers.append(int(state.record["dealer"]))
    assert dealers == [(dealers[0] + i) % 4 for i in range(6)]
    assert state.returns() == scores[-1].tolist()
    assert len(scores) == 6


# --- hand conditions -------------------------------------------------------------------------------------------


def condition(mode, hand):
    """The conditions of docs/rules.md 1.9, written from their words."""
    names = names_of(hand)
    trumps = [name for name in names if name.endswith("trump")]
    strong = [name for name in trumps if name.startswith("g") or int(name.partition("-")[0]) >= 17]
    suits = {name[-1] for name in names if not name.endswith("trump")}
    low = sum(1 for name in names if mask_of([name]) & LOW)
    value = sum(HALVES[CARDS.index(name)] for name in names) / 2
    return {
        "standard": value >= 15,
        "solo": len(trumps) >= 8 or (len(trumps) == 7 and len(strong) >= 2 and len(suits) <= 2),
        "ultimo": "1-trump" in names and len(trumps) >= 8 and len(strong) >= 2,
        "bettel": low == 11,
        "piccolo": low == 10,
        "raeuber": True,
    }[mode]


def dealt_hands(variant, count, **options):
    game = stich.make(variant, **options)
    states = np.repeat(game.template, count)
    kernels.deal_all(states, streams(count, 7, "deals"))
    return states


@pytest.mark.parametrize("variant", SUBGAMES)
def test_filtered_deals_satisfy_their_condition_and_use_all_cards(variant):
    states = dealt_hands(variant, 2000, heuristic="on")
    mode = variant.partition(".")[2]
    for record in states:
        hands = [int(hand) for hand in record["hands"]]
        rest = int(record["blind"]) | int(record["legage"])
        assert sum(hands) + rest == ALL
        assert [popcount(hand) for hand in hands] == [11] * 4
        if mode != "standard":  # there the hand is built from the blind
            assert condition(mode, hands[0])


def test_ultimo_without_a_condition_still_has_the_geiss():
    assert (dealt_hands("cego.ultimo", 500)["hands"][:, 0] >> 32 & 1).all()


@njit
def rejected(count, must, rngs, hands):
    """`count` uniform hands that contain `must`."""
    for i in range(count):
        hands[i] = must | some(ALL & ~must, 11 - popcount(must), rngs[0])


def features(hand):
    """Trumps, strong trumps, suits and empty cards of a hand."""
    suits = {name[-1] for name in names_of(hand & ~TRUMPS)}
    return popcount(hand & TRUMPS), popcount(hand >> 48), len(suits), popcount(hand & EMPTY)


@pytest.mark.parametrize("mode", ["solo", "ultimo", "bettel", "piccolo"])
def test_filtered_deals_have_the_distribution_of_rejection(mode):
    """Against uniform hands of which those without the condition are thrown away."""
    hands = np.zeros(400_000 if mode != "bettel" else 3_000_000, np.int64)
    rejected(len(hands), 1 << 32 if mode == "ultimo" else 0, stream(3, "reject"), hands)
    low = np.bitwise_count(hands & LOW)
    trumps = np.bitwise_count(hands & TRUMPS)
    quick = {"solo": trumps >= 7, "ultimo": trumps >= 8, "bettel": low == 11, "piccolo": low == 10}[mode]
    kept = [int(hand) for hand in hands[quick] if condition(mode, int(hand))]
    ours = dealt_hands(f"cego.{mode}", len(kept), heuristic="on")["hands"][:, 0]
    counts = [Counter(features(int(hand)) for hand in group) for group in (kept, ours)]
    cells = [cell for cell in sorted(counts[0] | counts[1]) if counts[0][cell] + counts[1][cell] >= 20]
    assert len(kept) > 400
    assert chi2_contingency([[group[cell] for cell in cells] for group in counts]).pvalue > 1e-3
    single = np.array([[h >> card & 1 for card in range(54)] for h in (int(x) for x in ours)]).mean(0)
    whole = np.array([[h >> card & 1 for card in range(54)] for h in kept]).mean(0)
    error = np.sqrt((single * (1 - single) + whole * (1 - whole)) / len(kept))
    assert (np.abs(single - whole) <= 4.5 * error + 1e-9).all()


def test_standard_deals_have_the_distribution_of_rejection():
    """The hand before it is built: the own cards are the Legage's nine and the two kept, so compare values."""
    open_deals = dealt_hands("cego.standard", 40_000)
    filtered = dealt_hands("cego.standard", 40_000, heuristic="on")
    # Value of all the single player and the Legage hold: own hand plus blind. Filtered deals hold more.
    worth = [
        np.array([halves(int(r["hands"][0]) | int(r["legage"])) for r in group])
        for group in (open_deals, filtered)
    ]
    assert worth[1].mean() > worth[0].mean() + 2
    # 20 points of trick cards left to the defenders at most in both; nothing is lost.
    for group in (open_deals, filtered):
        assert (np.bitwise_count(group["hands"][:, 0]) == 11).all()
        assert (np.bitwise_count(group["legage"]) == 10).all()
        assert not group["blind"].any()


def test_the_automatic_hand_keeps_the_two_best_and_drops_the_lowest():
    for record in dealt_hands("cego.standard", 300):
        hand, legage = int(record["hands"][0]), int(record["legage"])

        def rank(card):
            return card if card >= 32 else card % 8

        ranks = sorted((rank(card) for card in set_bits(hand)), reverse=True)
        laid = sorted((rank(card) for card in set_bits(legage)), reverse=True)
        # Nine of the Legage were own cards below the two kept; one came from the blind, below its nine others.
        assert ranks[1] >= laid[1]
        assert len(ranks) + len(laid) == 21


# --- a million deals -------------------------------------------------------------------------------------------


@njit
def play_and_check(states, count, rngs, faults, modes):
    """Random whole games; counts broken promises."""
    s = states[0]
    for _ in range(count):
        deal(s, rngs[0])
        seen = False
        while not is_over(s):
            if s.phase == PLAY and not seen:
                seen = True
                modes[s.mode] += 1
                for seat in range(4):
                    faults[0] += popcount(s.hands[seat]) != 11
                faults[1] += popcount(s.blind) + popcount(s.legage) != 10
                everything = s.blind | s.legage
                for seat in range(4):
                    everything |= s.hands[seat]
                faults[2] += everything != ALL
            apply(s, random_action(legal(s), rngs[0]))
        faults[3] += not seen
        faults[4] += s.said >= BIDS
        total = halves(s.blind | s.legage) // 2
        for seat in range(4):
            total += s.points[seat]
        faults[5] += (s.tricks == 11) and total != 79
        amount = s.score[0] + s.score[1] + s.score[2] + s.score[3]
        faults[6] += amount % 10 != 0


def test_a_million_deals_keep_the_promises():
    """79 points, an end of the bidding, hands of eleven and a Legage (or blind) of ten."""
    faults, modes = np.zeros(7, np.int64), np.zeros(7, np.int64)
    play_and_check(stich.make("cego").template.copy(), 1_000_000, stream(5, "million"), faults, modes)
    assert faults.tolist() == [0] * 7
    assert modes[0] == 0
    assert (modes[1:] > 10).all()


@njit
def leaks(states, raw, count, rngs):
    """Swaps two cards that a seat cannot see at a random moment of random games; counts views that change."""
    found = 0
    tested = 0
    s = states[0]
    for _ in range(count):
        deal(s, rngs[0])
        for _ in range(below(rngs[0], 60)):
            apply(s, random_action(legal(s), rngs[0]))
            if is_over(s):
                break
        if is_over(s):
            continue
        me = below(rngs[0], 4)
        hidden = ALL & ~s.played & ~s.hands[me] & ~s.laid_open & ~s.shown & ~s.kept
        if s.mode == STANDARD and s.single == me:
            hidden &= ~s.legage
        if popcount(hidden) < 2:
            continue
        one = random_action(hidden, rngs[0])
        other = random_action(hidden & ~(1 << one), rngs[0])
        both = 1 << one | 1 << other
        states[1] = states[0]
        w = states[1]
        for seat in range(4):
            if popcount(w.hands[seat] & both) == 1:
                w.hands[seat] ^= both
        if popcount(w.blind & both) == 1:
            w.blind ^= both
        if popcount(w.legage & both) == 1:
            w.legage ^= both
        hide(states[0], me)
        hide(states[1], me)
        tested += 1
        for i in range(raw.shape[1]):
            if raw[0, i] != raw[1, i]:
                found += 1
                break
    return found, tested


@pytest.mark.parametrize("variant", ["cego", "cego.standard", "cego.solo"])
def test_a_million_swapped_cards_change_no_view(variant):
    states = np.repeat(stich.make(variant).template, 2)
    found, tested = leaks(states, states.view(np.uint8).reshape(2, -1), 400_000, stream(6, "leaks"))
    assert found == 0
    assert tested > 250_000


def test_what_defenders_cannot_know_is_not_in_their_points():
    """The document's engine credits the blind at once; here trick points are public and the rest comes at the end."""
    state = stich.make("cego.solo").new(3)
    assert state.record["points"].tolist() == [0, 0, 0, 0]
    assert single_points(Plain(state.record)) == halves(int(state.record["blind"])) // 2


# --- encoder and recordings ------------------------------------------------------------------------------------


def test_the_observation_counts_seats_from_the_single_player():
    state = play(table({2: "1-trump"}), "pass pass ultimo")
    bits = state.observation(2, "bits336")
    assert bits[324:328].tolist() == [1, 0, 0, 0]
    assert bits[332:336].tolist() == [1, 0, 0, 0]
    state.play(state.action_ids()[-1])
    bits = state.observation(3, "bits336")
    assert bits[324:328].tolist() == [0, 1, 1, 1]
    assert bits[328:332].tolist() == [1, 0, 0, 0]
    assert bits.shape == (336,)


def test_the_longer_observation_tells_tricks_points_and_voids():
    state = stich.make("cego.solo").new(3)
    for _ in range(30):
        state.play(state.action_ids()[-1])
    record, bits = state.record, state.observation(1, "tricks364")
    assert (bits[:336] == state.observation(1, "bits336")).all()
    assert bits[336:340] * 11 == pytest.approx(record["won"])
    assert bits[340:344] * 79 == pytest.approx(record["points"])
    shown, tricks = np.zeros((4, 5)), played_tricks(record)
    for trick in tricks:
        led = SUIT_OF[trick[0][1]] if trick else 0
        for seat, card in trick:
            if SUIT_OF[card] != led:
                shown[seat, led] = 1
                shown[seat, TRUMP] = max(shown[seat, TRUMP], SUIT_OF[card] != TRUMP)
    assert bits[344:].reshape(4, 5).tolist() == shown.tolist()
    assert 0 < shown.sum() < 20


def test_bad_deals_are_refused():
    game = stich.make("cego.solo")
    start = game.new(1).start()
    for change in ({"hands": start["hands"][:3]}, {"blind": start["blind"][:9]}, {"dealer": 7}, {"hands": "x"}):
        with pytest.raises(StichError, match="Cego deal"):
            game.setup({**start, **change})


def test_a_sample_of_recordings_replays():
    report = replay_file(SAMPLE, stich.make)
    assert report.mismatches == 0, report.first
    assert report.games == 66
    assert report.vectors > 500


def test_all_recordings_replay(recordings):
    files = [path for path in recordings.glob("cego-*.jsonl.gz") if "rest" not in path.name]
    assert len(files) == 11
    for path in files:
        report = replay_file(path, stich.make)
        assert report.mismatches == 0, report.first
        assert report.vectors > 500


def test_a_wrong_recording_is_noticed(tmp_path):
    record = json.loads(gzip.decompress(SAMPLE.read_bytes()).splitlines()[0])
    record["points"][0] += 1
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps(record))
    assert "points" in str(replay_file(path, stich.make).first)


def test_a_terminal_does_not_show_what_others_keep_and_lay_off():
    done = run("play", "cego", "--bots", "random", "--seed", "3", "--seat", "0", stdin="1\n" * 40)
    assert done.stdout.count("a choice that you cannot see") == 2
    events = [
        json.loads(line)
        for line in run(
            "play", "cego", "--json", "--bots", "random", "--seed", "3", stdin="1\n" * 40
        ).stdout.splitlines()
    ]
    assert sum(event["event"] == "move" and event["action"] is None for event in events) == 2


def test_a_view_of_another_seat_has_no_legal_card_while_a_hand_is_built() -> None:
    """The hand to expose a card from is hidden there: nothing may be read beyond the tables of the cards."""
    game = stich.make("cego")
    state = game.new(0)
    record = state.record
    record["phase"], record["level"], record["mode"], record["turn"] = EXPOSE, EINE_LEERE, STANDARD, 0
    record["single"], record["need"] = 0, 1
    assert state.force(-1).mask
    assert [state.view(seat).mask for seat in range(1, 4)] == [0, 0, 0]
