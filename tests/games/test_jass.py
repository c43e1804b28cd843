"""Jass: legal cards, tricks, scoring, melds, matches, encoders and recordings, each named after its rule."""

import json

import numpy as np
import pytest
from scipy.stats import binomtest

import stich
from conftest import HERE, run
from stich.core import kernels
from stich.core.errors import StichError
from stich.core.game import State
from stich.core.plain import Plain
from stich.core.rng import stream, streams
from stich.core.transcript import replay_file
from stich.games.jass.cards import CARDS, VALUE, mask_of, names_of
from stich.games.jass.melds import melds_of, winning_melds
from stich.games.jass.scoring import total

NORTH, EAST, SOUTH, WEST = range(4)
SAMPLE = HERE / "data" / "jass-schieber.jsonl.gz"


def table(lead, hands, variant="jass", **options):
    """A deal in which `lead` is forehand; seats not named share the other cards in the pack's order."""
    given = {seat: cards.split() for seat, cards in hands.items()}
    rest = [card for card in CARDS if not any(card in hand for hand in given.values())]
    full = []
    for seat in range(4):
        hand = list(given.get(seat, []))
        while len(hand) < 9:
            hand.append(rest.pop(0))
        full.append(hand)
    return stich.make(variant, **options).setup({"dealer": (lead + 1) % 4, "hands": full})


def play(state, actions):
    for action in actions.split():
        state.play(action)
    return state


def legal(state):
    return " ".join(state.legal_actions())


# --- choosing the mode ---------------------------------------------------------------------------------------


def test_forehand_chooses_or_pushes_once_and_leads_in_either_case():
    state = table(WEST, {})
    assert legal(state) == "D H S C O U P"
    state.play("P")
    assert (state.player, legal(state)) == (EAST, "D H S C O U")
    state.play("H")
    assert (state.player, int(state.record["declarer"])) == (WEST, EAST)


def test_play_runs_counterclockwise():
    state = play(table(NORTH, {}), "O")
    seats = [state.player]
    for _ in range(3):
        state.play(state.action_ids()[0])
        seats.append(state.player)
    assert seats == [NORTH, WEST, SOUTH, EAST]


# --- legal cards ---------------------------------------------------------------------------------------------

WEST_HAND = {NORTH: "HA H7 SA DA CA", WEST: "HK H10 DJ D9 S10 S9 CK CQ C10"}


def test_a_suit_must_be_followed_in_obe_and_une():
    for mode in "OU":
        assert legal(play(table(NORTH, WEST_HAND), f"{mode} HA")) == "HK H10"


def test_without_the_suit_anything_goes_in_obe():
    hands = {NORTH: "HA", WEST: "DJ D9 D8 S10 S9 S8 CK CQ C10"}
    assert legal(play(table(NORTH, hands), "O HA")) == "DJ D9 D8 S10 S9 S8 CK CQ C10"


def test_a_plain_lead_may_be_followed_or_cut():
    assert legal(play(table(NORTH, WEST_HAND), "D HA")) == "DJ D9 HK H10"


def test_trump_must_be_followed():
    assert legal(play(table(NORTH, WEST_HAND), "D DA")) == "DJ D9"


def test_a_lone_buur_need_not_be_played():
    hands = {NORTH: "DA", WEST: "DJ HK H10 S10 S9 CK CQ C10 C9"}
    assert legal(play(table(NORTH, hands), "D DA")) == "DJ HK H10 S10 S9 CK CQ C10 C9"


def test_a_buur_with_another_trump_must_follow():
    hands = {NORTH: "DA", WEST: "DJ D6 HK H10 S10 S9 CK CQ C10"}
    assert legal(play(table(NORTH, hands), "D DA")) == "DJ D6"


UNDER = {NORTH: "HA", WEST: "D9 S6 S7 S8 S9 S10 SJ SQ SK"}


def test_nobody_may_undertrump_while_he_has_another_card():
    hands = {**UNDER, SOUTH: "DA DJ D6 CK CQ C10 C9 C8 C7"}
    assert legal(play(table(NORTH, hands), "D HA D9")) == "DJ CK CQ C10 C9 C8 C7"


def test_with_nothing_but_trumps_any_of_them_may_be_played():
    hands = {NORTH: "HA", WEST: "D9 S6 S7 S8 S9 S10 SJ SQ SK", SOUTH: "DA DK DQ DJ D10 D8 D7 D6"}
    state = play(table(NORTH, hands), "D HA D9")
    # South's ninth card is plain: take it away to leave trumps alone.
    array = state.array.copy()
    array["hands"][0, SOUTH] = mask_of(["DA", "DK", "DQ", "DJ", "D10", "D8", "D7", "D6"])
    assert legal(State(state.game, array)) == "DA DK DQ DJ D10 D8 D7 D6"


def test_the_bar_is_the_highest_trump_or_that_of_jasskit():
    """West and South both cut: jass-kit lets East play between the two."""
    hands = {
        NORTH: "HA",
        WEST: "D10 S6 S7 S8 S9 S10 SJ SQ SK",
        SOUTH: "D9 CA CK CQ CJ C10 C9 C8 C7",
        EAST: "DA D6 C6 HK HQ HJ H10 H9 H8",
    }
    common = play(table(NORTH, hands), "D HA D10 D9")
    jasskit = play(table(NORTH, hands, undertrump="jasskit"), "D HA D10 D9")
    assert legal(common) == "HK HQ HJ H10 H9 H8"
    # The nine has the larger index of the two, so it is the bar in both; the other way round they differ.
    assert legal(jasskit) == "HK HQ HJ H10 H9 H8"
    hands[WEST], hands[SOUTH] = hands[WEST].replace("D10", "D8"), hands[SOUTH].replace("D9", "DJ")
    assert legal(play(table(NORTH, hands), "D HA D8 DJ")) == "HK HQ HJ H10 H9 H8"
    assert legal(play(table(NORTH, hands, undertrump="jasskit"), "D HA D8 DJ")) == "DA HK HQ HJ H10 H9 H8"


# --- tricks and points ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "cards", "winner", "points"),
    [
        ("O", "HA H6 S10 CA", NORTH, 32),  # 11 + 0 + 10 + 11: the discarded ace counts but cannot win
        ("U", "HA H6 S10 CA", WEST, 21),  # in une-ufe the six is high and counts 11, aces nothing
        ("S", "HA H6 S10 CA", SOUTH, 32),
        ("H", "HA H6 S10 CA", NORTH, 32),
        ("O", "H8 H7 H6 S8", NORTH, 16),  # eights count in obe-abe
        ("D", "DA D9 DJ D10", SOUTH, 55),  # Nell 14 beats the ace, Buur 20 beats all
    ],
)
def test_who_takes_a_trick_and_what_it_counts(mode, cards, winner, points):
    names = cards.split()
    hands = {NORTH: names[0], WEST: names[1], SOUTH: names[2], EAST: names[3]}
    state = play(table(NORTH, hands), mode)
    for card in names:
        state.force(CARDS.index(card))  # some would not be legal with these hands
    assert (state.player, state.record["points"].tolist()) == (
        winner,
        [points, 0] if winner in (NORTH, SOUTH) else [0, points],
    )


def test_every_mode_has_152_points_in_cards():
    assert VALUE.sum(1).tolist() == [152] * 6


def test_157_points_in_a_million_random_rounds():
    sums, squares = np.zeros(4), np.zeros(4)
    game = stich.make("jass")
    kernels.random_rounds(game.template.copy(), 1_000_000, stream(1, "x"), np.zeros(4), sums, squares)
    assert sums[0] + sums[1] == 157_000_000
    assert sums[0] == sums[2]


# --- melds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("DA DK HQ HJ S10 S9 C8 C7 C5", 0),
        ("DA DK DQ HJ S10 S9 C8 C7 H6", 20),
        ("DA DK DQ DJ S10 S9 C8 C7 H6", 50),
        ("DA DK DQ DJ D10 S9 C8 C7 H6", 100),
        ("DA DK DQ DJ D10 D9 C8 C7 H6", 150),
        ("DA DK DQ DJ D10 D9 D8 C7 H6", 200),
        ("DA DK DQ DJ D10 D9 D8 D7 H6", 250),
        ("DA DK DQ DJ D10 D9 D8 D7 D6", 300),
        ("DA DK DQ D10 D9 D8 C7 H6 SA", 40),
        ("DJ HJ SJ CJ D6 H6 S6 C6 DA", 200),
        ("D9 H9 S9 C9 D6 H6 S6 C6 DA", 150),
        ("D8 H8 S8 C8 D6 H6 S6 C6 DA", 0),
        ("DJ HJ SJ CJ D9 H9 S9 C9 DA", 350),
        # A card counts once: four kings and a run of four to the ace are the kings alone ...
        ("DK HK SK CK HA HQ HJ S6 C6", 100),
        # ... but what is left of a longer run still counts.
        ("DK HK SK CK HQ HJ H10 H9 C6", 150),
        # A run that is worth more than the four of a kind it would break is laid instead.
        ("DA HA SA CA DK DQ DJ D10 D9", 200),
    ],
)
def test_what_melds_count(hand, points):
    cards = [card for card in hand.split() if card in CARDS]
    assert melds_of(mask_of(cards), 0)[0] == points


def brute_force_melds(hand):
    """The greatest total of disjoint melds, by trying all."""
    runs = [
        (
            sum(1 << (9 * suit + i) for i in range(first, first + length)),
            {3: 20, 4: 50}.get(length, 50 * length - 150),
        )
        for suit in range(4)
        for length in range(3, 10)
        for first in range(10 - length)
    ]
    worth = {0: 100, 1: 100, 2: 100, 3: 200, 4: 100, 5: 150}
    fours = [(sum(1 << (9 * suit + column) for suit in range(4)), points) for column, points in worth.items()]
    melds = [(cards, points) for cards, points in runs + fours if cards & hand == cards]

    def best(left, options):
        if not options:
            return 0
        (cards, points), rest = options[0], options[1:]
        without = best(left, rest)
        return max(without, points + best(left & ~cards, rest)) if cards & left == cards else without

    return best(hand, melds)


def test_melds_equal_brute_force_over_dense_hands():
    rng = np.random.default_rng(3)
    for _ in range(300):
        start, width = rng.integers(0, 5), 5
        near = [9 * suit + column for suit in range(4) for column in range(start, start + width)]
        hand = sum(1 << int(card) for card in rng.choice(near, 9, replace=False))
        assert melds_of(hand, 0)[0] == brute_force_melds(hand)


def better(one, other, mode=0):
    """Whether the best meld of one hand ranks above that of another."""
    return melds_of(mask_of(one.split()), mode)[1] > melds_of(mask_of(other.split()), mode)[1]


def test_melds_compare_by_points_cards_top_card_and_trump():
    assert better("D9 D8 D7 D6", "HA HK HQ")
    assert better("D10 D9 D8 D7 D6", "DA HA SA CA")  # 100 each: five cards beat four
    assert better("HA HK HQ", "SK SQ SJ")
    assert better("DK DQ DJ", "HK HQ HJ")  # diamonds are trump
    assert not better("HK HQ HJ", "SK SQ SJ")
    assert better("HK SK CK DK", "HQ SQ CQ DQ")


def test_in_une_ufe_the_order_of_melds_is_reversed():
    assert better("H8 H7 H6", "HA HK HQ", mode=5)
    assert better("HQ SQ CQ DQ", "HK SK CK DK", mode=5)
    assert better("HA HK HQ", "H8 H7 H6", mode=4)


def test_only_the_side_with_the_best_meld_scores_but_all_its_melds():
    hands = {
        NORTH: "HA HK HQ D6 D8 S7 S9 C6 C10",  # 20
        WEST: "C9 C8 C7 DJ DA H7 H9 S8 S10",  # 20
        SOUTH: "SA SK SQ SJ D7 D10 H6 H8 CA",  # 50
        EAST: "D9 DQ DK HJ H10 S6 CJ CQ CK",  # 20, but he stays silent
    }
    state = play(table(NORTH, hands, melds="on"), "D announce S7 announce S8 announce SA silent S6")
    assert state.record["bonus"].tolist() == [70, 0]
    assert [names_of(mask) for mask in state.record["shown"]] == [
        ["HA", "HK", "HQ"],
        [],
        ["SA", "SK", "SQ", "SJ"],
        ["C9", "C8", "C7"],
    ]


def test_equal_melds_go_to_the_earlier_seat():
    game = stich.make("jass", melds="on")
    array = game.new(1).array
    array["leads"][0, 0], array["mode"][0] = WEST, 0
    array["shown"][0] = [mask_of(["HA", "HK", "HQ"]), 0, 0, mask_of(["SA", "SK", "SQ"])]
    assert winning_melds(Plain(array[0])) == (WEST & 1, 20)
    array["leads"][0, 0] = NORTH
    assert winning_melds(Plain(array[0])) == (NORTH & 1, 20)


def test_everybody_is_asked_and_silence_scores_nothing():
    state = table(NORTH, {NORTH: "HA HK HQ"}, melds="on")
    play(state, "D")
    for _ in range(4):
        assert state.legal_actions()[0] == "silent"
        state.play("silent")
        state.play(state.action_ids()[0])
    assert state.record["bonus"].tolist() == [0, 0]
    assert not state.record["shown"].any()


# --- Stöck, match, multipliers -------------------------------------------------------------------------------


def stoeck_table(**options):
    return table(NORTH, {NORTH: "DK DQ HA", WEST: "D6 D7", SOUTH: "D8 D9", EAST: "D10 DJ"}, **options)


def test_stoeck_score_with_the_second_card_from_the_same_hand():
    state = play(stoeck_table(stoeck="on"), "D DK D6 D8 DJ")
    assert state.record["bonus"].tolist() == [0, 0]
    while state.player != NORTH:
        state.play(state.action_ids()[-1])
    state.force(CARDS.index("DQ"))
    assert state.record["bonus"].tolist() == [20, 0]


def test_king_and_queen_from_two_hands_are_no_stoeck():
    state = play(table(NORTH, {NORTH: "DK", WEST: "DQ"}, stoeck="on"), "D DK DQ")
    assert state.record["bonus"].tolist() == [0, 0]


ALL_DIAMONDS = {NORTH: "DA DK DQ DJ D10 D9 D8 D7 D6"}


def finish(state):
    while not state.is_over:
        state.play(state.action_ids()[0])
    return state


def test_a_match_counts_100_more():
    assert finish(play(table(NORTH, ALL_DIAMONDS), "D")).returns() == [157, 0, 157, 0]
    assert finish(play(table(NORTH, ALL_DIAMONDS, match_bonus="on"), "D")).returns() == [257, 0, 257, 0]


def test_tricks_without_points_are_still_no_match():
    """The bonus asks for all nine tricks, not for all points."""
    state = play(table(NORTH, ALL_DIAMONDS, match_bonus="on"), "D")
    array = state.array.copy()
    array["won"][0] = [7, 1]
    array["tricks"], array["hands"][0] = 8, [1, 1 << 35, 1 << 20, 1 << 10]
    assert finish(State(state.game, array)).record["bonus"].tolist() == [0, 0]


@pytest.mark.parametrize(("mode", "factor"), [("D", 1), ("H", 1), ("S", 2), ("C", 2), ("O", 3), ("U", 3)])
def test_multipliers(mode, factor):
    state = finish(play(table(NORTH, {}, multipliers="on", stoeck="on", match_bonus="on"), mode))
    round_points = state.record["points"].astype(int) + state.record["bonus"]
    assert state.record["score"].tolist() == (factor * round_points).tolist()
    assert state.record["points"].sum() == 157


# --- matches -------------------------------------------------------------------------------------------------


def test_a_fixed_number_of_rounds_adds_up_and_the_dealer_moves_on():
    game = stich.make("jass", rounds=4)
    state = game.new(5)
    dealers = [int(state.record["dealer"])]
    while not state.is_over:
        rounds = int(state.record["round"])
        state.play(state.action_ids()[0])
        if state.record["round"] > rounds and not state.is_over:
            dealers.append(int(state.record["dealer"]))
    assert dealers == [(dealers[0] - i) % 4 for i in range(4)]
    assert sum(state.returns()) == 4 * 314


def near_the_target(score, **options):
    """A first trick of which the second player's side needs the given points to reach 1000."""
    hands = {
        NORTH: "HA H9 SA SK SQ CJ C10 C9 C8",
        WEST: "HK HQ HJ H10 DA D10 S10 S9 CA",
        SOUTH: "H8 H7 H6 D9 S8 S7 S6 CK CQ",
        EAST: "DK DQ DJ D8 D7 D6 SJ C7 C6",
    }
    state = table(NORTH, hands, "jass.1000", **options)
    array = state.array.copy()
    array["score"][0] = score
    return State(state.game, array)


def first_trick(state):
    """Diamonds; North announces spades A K Q, West hearts K Q J 10; East cuts."""
    for action in ("D", "announce", "HA", "announce", "HK", "silent", "H8", "silent"):
        state.play(action)
    return state


def test_melds_are_written_before_the_trick():
    """West's 50 for the run bring East and West home before anything else counts."""
    state = first_trick(near_the_target([989, 950]))
    assert not state.is_over
    state.play("DJ")
    assert state.is_over
    assert state.returns() == [0, 1, 0, 1]


def test_the_trick_decides_where_melds_do_not():
    state = first_trick(near_the_target([900, 915])).play("DJ")
    assert state.is_over  # 915 + 50 + 11 + 4 + 20 = 1000
    assert state.returns() == [0, 1, 0, 1]


def test_stoeck_in_hand_go_before_melds_and_tricks():
    """The same, but now North holds king and queen of trumps: 985 + 20 come first."""
    state = near_the_target([985, 950])
    array = state.array.copy()
    hands = array["hands"][0]
    swap = mask_of(["DK", "DQ"])
    hands[EAST] = hands[EAST] & ~swap | mask_of(["C9", "C8"])
    hands[NORTH] = hands[NORTH] & ~mask_of(["C9", "C8"]) | swap
    state = first_trick(State(state.game, array)).play("DJ")
    assert state.is_over
    assert state.returns() == [1, 0, 1, 0]


def test_stoeck_end_a_match_in_the_middle_of_a_trick():
    state = play(stoeck_table(variant="jass.1000", melds="off"), "D DK D6 D8 DJ")
    array = state.array.copy()
    array["score"][0] = [985, 0]
    state = State(state.game, array)
    while state.player != NORTH:
        state.play(state.action_ids()[-1])
    state.force(CARDS.index("DQ"))
    assert state.is_over
    assert state.returns() == [1, 0, 1, 0]


def test_matches_to_a_target_end_there():
    for variant, target in (("jass.1000", 1000), ("jass.2500", 2500)):
        for seed in range(20):
            state = stich.make(variant).new(seed)
            rng = np.random.default_rng(seed)
            while not state.is_over:
                state.play(int(rng.choice(state.action_ids())))
            totals = [total(Plain(state.record), team) for team in range(2)]
            winner = int(state.returns()[1])
            assert totals[winner] >= target or totals[winner] + 60 >= target  # Stöck shown at the end
            assert max(totals) >= target


def test_target_and_rounds_have_their_limits():
    with pytest.raises(StichError, match="1 to 250"):
        stich.make("jass", rounds=0)


# --- knowledge -----------------------------------------------------------------------------------------------


def test_drawn_worlds_could_have_been_played_that_way():
    """Every drawn deal, played from its start with the same actions, makes each of them legal."""
    for seed in range(40):
        game = stich.make("jass", undertrump=["highest", "jasskit"][seed % 2])
        state, rng = game.new(seed), np.random.default_rng(seed)
        actions = []
        for _ in range(int(rng.integers(2, 36))):
            actions.append(int(rng.choice(state.action_ids())))
            state.play(actions[-1])
        for me in range(4):
            for world in state.view(me).sampler().draw(stream(seed, "x"), 8):
                hands = [int(hand) for hand in world["hands"]]
                for trick in range(10):
                    for position in range(4):
                        i = 4 * trick + position
                        if i < 4 * world["tricks"] + world["cards"]:
                            hands[(int(world["leads"][trick]) - position) % 4] |= 1 << int(world["plays"][i])
                again = game.setup({"dealer": int(world["dealer"]), "hands": [names_of(hand) for hand in hands]})
                for action in actions:
                    again.play(action)
                assert again.view(me).array.tobytes() == state.view(me).array.tobytes()


def test_announced_cards_are_known():
    state = play(table(NORTH, {NORTH: "HA HK HQ H8"}, melds="on"), "D announce H8")
    worlds = state.view(SOUTH).sampler().draw(stream(1, "x"), 200)
    shown = mask_of(["HA", "HK", "HQ"])
    assert (worlds["hands"][:, NORTH] & shown == shown).all()


def test_future_deals_are_hidden():
    state = stich.make("jass.1000").new(1)
    assert int(state.record["rng"]["a"]) != 0
    assert state.view(0).record["rng"].tolist() == (0, 0)


# --- encoders ------------------------------------------------------------------------------------------------


def reference_planes(state, me):
    """The 45 planes of document 002, written from their description in another way."""
    record, planes = state.record, np.zeros((45, 36), np.float32)
    for i in range(4 * int(record["tricks"]) + int(record["cards"])):
        card, trick, position = int(record["plays"][i]), i // 4, i % 4
        planes[(int(record["leads"][trick]) - position) % 4, card] = 1
        planes[4 + trick, card] = 1
        planes[13 + position, card] = 1
        if trick == record["tricks"]:
            planes[17 + position, card] = 1
    planes[20] = [int(record["hands"][me]) >> card & 1 for card in range(36)]
    if state.player == me:
        planes[21] = [state.mask >> card & 1 for card in range(36)]
    planes[22 + int(record["dealer"])] = 1
    planes[30 + me] = 1
    if record["declarer"] < 4:
        planes[26 + int(record["declarer"])] = 1
        planes[34 + int(record["mode"])] = 1
        planes[40] = 1 - int(record["pushed"])
    planes[41] = record["tricks"] / 9
    planes[42] = (4 * int(record["tricks"]) + int(record["cards"])) / 36
    planes[43] = record["points"][me & 1] / 157
    planes[44] = record["points"][1 - (me & 1)] / 157
    return planes.reshape(45, 4, 9)


def test_planes_of_the_document():
    rng = np.random.default_rng(1)
    for seed in range(6):
        state = stich.make("jass").new(seed)
        while not state.is_over:
            for me in range(4):
                full = reference_planes(state, me)
                assert np.allclose(state.observation(me, "planes45"), full, atol=1e-7)
                assert np.allclose(state.observation(me, "planes43"), np.delete(full, (41, 42), 0), atol=1e-7)
            state.play(int(rng.choice(state.action_ids())))


def test_the_trump_input_is_hand_and_forehand():
    state = stich.make("jass").new(1)
    me = state.player
    seen = state.observation(me, "trump")
    assert seen.shape == (37,)
    assert seen[36] == 1
    assert [CARDS[i] for i in np.flatnonzero(seen[:36])] == names_of(state.record["hands"][me])
    state.play("P")
    assert state.observation(state.player, "trump")[36] == 0


def test_the_flat_input_counts_seats_from_the_own_one():
    state = play(table(NORTH, WEST_HAND), "D HA HK")
    flat = state.observation(SOUTH, "flat")
    assert flat[72 + 36 * 2 + CARDS.index("HA")] == 1  # North is South's partner
    assert flat[72 + 36 * 3 + CARDS.index("HK")] == 1  # West plays before South
    assert flat[216 + 36 * 1 + CARDS.index("HA")] == 1
    assert flat[432:438].tolist() == [1, 0, 0, 0, 0, 0]  # diamonds
    assert flat[442:446].tolist() == [0, 0, 1, 0]  # chosen by the partner
    assert flat[454:458].tolist() == [0, 0, 1, 0]  # who is winning the trick


# --- players and recordings ----------------------------------------------------------------------------------


def test_the_rule_based_player_beats_the_random_one():
    game, count = stich.make("jass"), 2000
    states = np.repeat(game.template, count)
    kernels.deal_all(states, streams(count, 1, "deals"))
    rngs = streams(count, 1, "play")
    players, _, over = turns = kernels.new_turns(count)
    actions, rules, results = np.full(count, -1), np.zeros(count, int), np.zeros((0, 4))
    none = rngs[:0]
    kernels.advance_all(states, actions, none, results, turns)
    while not over.all():
        views = states.copy()
        kernels.hide_all(views, players)
        kernels.rule_all(views, rngs, rules)
        kernels.random_all(states, rngs, actions)
        chosen = np.where(players % 2 == 0, rules, actions)
        kernels.advance_all(states, chosen, none, results, turns)
    out = np.zeros((count, 4))
    kernels.returns_all(states, out)
    wins = int((out[:, 0] > out[:, 1]).sum())
    assert binomtest(wins, count).proportion_ci(0.999).low > 0.8
    assert out[:, 0].mean() > 105


def test_a_sample_of_recordings_replays():
    report = replay_file(SAMPLE, stich.make)
    assert (report.games, report.mismatches) == (60, 0), report.first
    assert report.vectors > 300


def test_all_recordings_replay(recordings):
    report = replay_file(recordings / "jass-schieber.jsonl.gz", stich.make)
    assert report.mismatches == 0, report.first
    assert report.games >= 2500


def test_the_command_replays_and_says_so():
    done = run("replay", str(SAMPLE), "--json")
    assert done.returncode == 0
    (file,) = json.loads(done.stdout)["files"]
    assert file["games"] == 60
    assert file["mismatches"] == 0
