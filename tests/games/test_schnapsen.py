"""Schnapsen: each rule of document 001, 2.1, by name; the small versions; recordings of another engine."""

import numpy as np
import pytest

import stich
from conftest import HERE
from stich.agents import make_agent
from stich.arena import stats
from stich.arena.match import run_match
from stich.arena.plan import plan_match
from stich.core import kernels
from stich.core.errors import StichError
from stich.core.rng import stream
from stich.core.transcript import replay_file
from stich.games.schnapsen.cards import CARDS, VALUE, names_of
from stich.games.schnapsen.state import NOBODY
from stich.run.workers import open_workers

SAMPLE = HERE / "data" / "schnapsen.jsonl.gz"


def table(first, second, stock="", variant="schnapsen.deal", forehand=0, trump=None, **options):
    """A deal with these hands; the rest is the stock in the pack's order, the trump card (if named) last."""
    hands = [first.split(), second.split()]
    rest = [card for card in CARDS if card not in hands[0] + hands[1] + stock.split() and card != trump]
    whole = stock.split() + rest + ([trump] if trump else [])
    return stich.make(variant, **options).setup({"hands": hands, "stock": whole, "forehand": forehand})


def play(state, actions):
    for action in actions.split(", "):
        state.play(action)
    return state


def legal(state):
    return " ".join(state.legal_actions())


def test_2_1_2_the_pack_has_120_points():
    assert VALUE.sum() == 120
    assert CARDS[0] == "JS"
    assert CARDS[19] == "AD"


def test_2_1_3_forehand_leads_and_the_stock_ends_with_the_trump_card():
    state = table("AS TS KS QS JS", "AH TH KH QH JH", trump="AD", forehand=1)
    assert state.player == 1
    assert CARDS[state.record["face"]] == "AD"
    assert state.record["left"] == 10


def test_2_1_5_a_marriage_counts_20_or_40_and_either_card_may_be_led():
    state = table("KH QH KD QD JS", "AH TH JH AS TS", trump="AD")
    assert "M:QH M:KH M:QD M:KD" in legal(state)
    plain = play(state.copy(), "M:QH")
    assert (plain.record["points"].tolist(), CARDS[plain.record["lead"]]) == ([20, 0], "QH")
    assert names_of(plain.record["shown"][0]) == ["KH"]
    assert play(state.copy(), "M:KD").record["points"].tolist() == [40, 0]
    king = table("KH QH KD QD JS", "AH TH JH AS TS", trump="AD", marriage_lead="king")
    assert "M:QH" not in legal(king)
    assert "M:KH" in legal(king)


def test_2_1_5_the_follower_cannot_declare():
    state = play(table("AH TH JH AS TS", "KH QH KD QD JS", trump="AD"), "JH")
    assert not any(name.startswith("M:") for name in state.legal_actions())


def test_2_1_8_with_an_open_stock_anything_answers():
    state = play(table("AH TH JH AS TS", "KH QH KD QD JS", trump="AD"), "AH")
    assert legal(state) == "JS QH KH QD KD"


CLOSED = ("AH QH JH AS TS", "KH TH KD QD JS")


def test_2_1_8_a_closed_stock_wants_a_higher_card_of_the_suit():
    assert legal(play(table(*CLOSED, trump="AD"), "close, QH")) == "KH TH"


def test_2_1_8_then_a_lower_one_then_a_trump_then_anything():
    assert legal(play(table(*CLOSED, trump="AD"), "close, AH")) == "KH TH"
    assert legal(play(table("AS TS QS AH JH", "KH TH KD QD JC", trump="AD"), "close, AS")) == "QD KD"
    assert legal(play(table("AS TS QS AH JH", "KH TH KC QC JC", trump="AD"), "close, AS")) == "KH TH JC QC KC"


def test_2_1_9_the_trump_jack_may_be_exchanged_on_lead_only():
    state = table("JD AH TH KC JS", "KH QH AS TS QS", trump="AD")
    assert "exchange" in legal(state)
    state.play("exchange")
    assert "AD" in state.legal_actions()
    assert "exchange" not in legal(state)
    assert CARDS[state.record["face"]] == "JD"
    assert names_of(state.record["shown"][0]) == ["AD"]
    follower = play(table("KH QH AS TS QS", "JD AH TH KC JS", trump="AD"), "KH")
    assert "exchange" not in legal(follower)


def test_2_1_9_no_exchange_with_a_closed_stock_but_before_closing():
    state = table("JD AH TH KC JS", "KH QH AS TS QS", trump="AD")
    assert "exchange" not in legal(play(state.copy(), "close"))
    assert play(state.copy(), "exchange, close").record["closer"] == 0


def test_the_least_stock_for_exchange_and_closing_is_an_option():
    state = table("JD AH TH KC JS", "KH QH AS TS QS", trump="AD", exchange_from=0, close_from=0)
    assert legal(state) == "JS TH AH KC JD"


def test_2_1_7_closing_ends_drawing_and_freezes_the_stakes():
    state = play(table(*CLOSED, trump="AD"), "close, AH, KH")
    assert state.record["left"] == 10
    assert state.record["size"].tolist() == [4, 4]
    # The other had no trick when the stock was closed: 3 for the closer, and 3 for the other if it fails.
    assert state.record["stake"].tolist() == [3, 3]


def frozen(points, tricks):
    """The stakes when seat 0 closes against these points and tricks of the other."""
    state = table(*CLOSED, trump="AD")
    array = state.array.copy()
    array["points"][0, 1], array["won"][0, 1] = points, tricks
    return state.game.state(array).play("close").record["stake"].tolist()


def test_2_1_11_the_stakes_go_by_the_others_state_at_closing():
    assert frozen(0, 0) == [3, 3]
    assert frozen(20, 1) == [2, 2]
    assert frozen(32, 2) == [2, 2]
    assert frozen(33, 2) == [1, 2]


def closed_game(closer_points, other_points, tricks=(2, 1)):
    """A closed deal before its last trick; seat 0 closed and leads the ace."""
    state = table(*CLOSED, trump="AD").play("close")
    array = state.array.copy()
    array["hands"][0] = [1 << CARDS.index("AH"), 1 << CARDS.index("KH")]
    array["size"], array["points"][0], array["won"][0] = 1, [closer_points, other_points], tricks
    array["stake"][0] = [2, 3]
    return state.game.state(array)


def test_2_1_11_a_closer_who_reaches_66_wins_his_stake():
    state = play(closed_game(51, 10), "AH, KH")  # 51 + 11 + 4
    assert state.returns() == [2, -2]


def test_2_1_11_a_closer_who_does_not_reach_66_loses_although_he_takes_the_last_trick():
    state = play(closed_game(50, 10), "AH, KH")
    assert state.record["winner"] == 1
    assert state.returns() == [-3, 3]


def test_2_1_11_the_other_may_claim_first():
    state = closed_game(20, 55)
    array = state.array.copy()
    array["hands"][0] = [1 << CARDS.index("KH"), 1 << CARDS.index("AH")]
    state = play(state.game.state(array), "KH, AH")  # 55 + 15
    assert state.returns() == [-3, 3]


def won(points, other_points, tricks=(3, 3)):
    """What a claim pays: seat 0 takes a trick of 15 with an open stock."""
    state = table("AH QH JH AS TS", "KH TH KD QD JS", trump="AD")
    array = state.array.copy()
    array["points"][0], array["won"][0] = [points, other_points], tricks
    return play(state.game.state(array), "AH, KH")


def test_2_1_6_claiming_is_automatic_at_66():
    assert not won(50, 40).is_over
    assert won(51, 40).is_over


def test_2_1_10_game_points_by_the_losers_tricks_and_points():
    assert won(51, 0, (3, 0)).returns() == [3, -3]
    assert won(51, 20, (3, 1)).returns() == [2, -2]
    assert won(51, 32, (3, 1)).returns() == [2, -2]
    assert won(51, 33, (3, 1)).returns() == [1, -1]


def test_2_1_10_a_marriage_before_any_trick_does_not_save_from_three():
    assert won(51, 20, (3, 0)).returns() == [3, -3]


def test_2_1_6_a_marriage_that_reaches_66_ends_the_deal_before_it_is_answered():
    state = table("KD QD AH TH JS", "AS TS KS QS JC", trump="AD")
    array = state.array.copy()
    array["points"][0], array["won"][0] = [30, 10], [2, 1]
    state = state.game.state(array).play("M:KD")
    assert state.is_over
    assert state.returns() == [2, -2]


def test_claiming_by_choice():
    state = table("KD QD AH TH JS", "AS TS KS QS JC", trump="AD", claim="chosen")
    array = state.array.copy()
    array["points"][0], array["won"][0] = [30, 10], [2, 1]
    state = state.game.state(array).play("M:KD")
    assert (state.player, legal(state)) == (0, "claim go on")
    on = state.copy().play("go on")
    assert on.player == 1
    assert state.play("claim").returns() == [2, -2]


def test_2_1_10_the_last_trick_wins_one_point():
    """Nobody has 66 when the cards are gone."""
    state = table("AH QH JH AS TS", "KH TH KD QD JS", trump="AD")
    array = state.array.copy()
    array["hands"][0] = [1 << CARDS.index("JH"), 1 << CARDS.index("QH")]
    array["size"], array["left"], array["stock"], array["face"] = 1, 0, 20, 20
    array["points"][0], array["won"][0] = [60, 55], [5, 4]
    state = play(state.game.state(array), "JH, QH")
    assert state.returns() == [-1, 1]


def test_the_winner_draws_first_and_the_loser_gets_the_open_card_last():
    state = table("AH QH JH AS TS", "KH TH KD QD JS", trump="AD")
    first, second = (CARDS[card] for card in state.record["stock"][:2])
    state = play(state, "AH, KH")
    assert first in names_of(state.record["hands"][0])
    assert second in names_of(state.record["hands"][1])


def test_pending_marriages_count_with_the_next_trick():
    state = table("KH QH AS TS JS", "JH TC KC QC JC", trump="AD", marriage_points="pending")
    state.play("M:KH")
    assert state.record["points"].tolist() == [0, 0]
    state.play("JH")
    assert state.record["points"].tolist() == [26, 0]


def test_2_1_1_a_match_goes_to_seven_and_the_dealer_alternates():
    rng = np.random.default_rng(1)
    for seed in range(20):
        state = stich.make("schnapsen").new(seed)
        forehands = [int(state.record["forehand"])]
        while not state.is_over:
            deals = int(state.record["deal"])
            state.play(int(rng.choice(state.action_ids())))
            if state.record["deal"] > deals and not state.is_over:
                forehands.append(int(state.record["forehand"]))
        assert forehands == [(forehands[0] + i) % 2 for i in range(len(forehands))]
        assert max(state.record["game"]) >= 7
        assert min(state.record["game"]) < 7
        assert sorted(state.returns()) == [-1, 1]


@pytest.mark.parametrize(("variant", "points"), [("schnapsen.mini", 57), ("schnapsen.micro", 38)])
def test_small_versions_play_all_tricks_for_most_points(variant, points):
    rng = np.random.default_rng(1)
    for seed in range(50):
        state = stich.make(variant).new(seed)
        while not state.is_over:
            state.play(int(rng.choice(state.action_ids())))
        assert state.record["points"].sum() == points
        assert state.record["size"].tolist() == [0, 0]
        own, other = state.record["points"].tolist()
        last = state.record["turn"]  # who won the last trick
        assert state.returns()[last if own == other else int(other > own)] == 1


def test_mini_shows_the_suit_of_the_trump_card_but_not_its_rank():
    state = stich.make("schnapsen.mini").new(2)
    assert state.record["face"] == 20
    view = state.view(0)
    worlds = view.sampler().draw(stream(1, "x"), 300)
    bottoms = worlds["stock"][:, 5]
    assert set(bottoms // 5) == {int(state.record["trump"])}
    assert len(set(bottoms.tolist())) > 1


def test_strict_play_shows_what_a_hand_lacks():
    state = play(table("AH QH JH AS TS", "KD TD KC QD JS", trump="AD"), "close, AH")
    state.play("KD")  # no hearts
    assert names_of(state.record["lacks"][1]) == ["JH", "QH", "KH", "TH", "AH"]
    worlds = state.view(0).sampler().draw(stream(1, "x"), 100)
    assert not (worlds["hands"][:, 1] & int(state.record["lacks"][1])).any()


def test_the_stock_of_a_world_is_in_random_order():
    worlds = stich.make("schnapsen.deal").new(1).view(0).sampler().draw(stream(1, "x"), 3000)
    top = worlds["stock"][:, 0]
    counts = np.array([(top == card).sum() for card in set(top.tolist())])
    assert len(counts) == 14
    assert (np.abs(counts - 3000 / 14) < 5 * np.sqrt(3000 / 14)).all()
    assert len(set(worlds["stock"][:, 9].tolist())) == 1  # the open card


def test_120_points_in_many_random_deals():
    game = stich.make("schnapsen.deal")
    for seed in range(300):
        state = game.new(seed)
        rng = np.random.default_rng(seed)
        while not state.is_over:
            state.play(int(rng.choice(state.action_ids())))
        record = state.record
        assert record["winner"] != NOBODY
        assert 1 <= record["paid"] <= 3


def test_bad_deals_are_refused():
    with pytest.raises(StichError, match="every card of the pack once and 5"):
        stich.make("schnapsen.deal").setup({"hands": [["AH"], ["KH"]], "stock": []})
    with pytest.raises(StichError, match="cards like 'KH'"):
        stich.make("schnapsen.deal").setup({"hands": [["1H"], ["KH"]], "stock": []})


def test_a_sample_of_recordings_replays():
    report = replay_file(SAMPLE, stich.make)
    assert report.mismatches == 0, report.first
    assert report.games == 80


def test_all_recordings_replay(recordings):
    for name in ("schnapsen-open", "schnapsen-mini"):
        report = replay_file(recordings / f"{name}.jsonl.gz", stich.make)
        assert report.mismatches == 0, report.first
        assert report.games >= 1500


def test_random_play_sums_to_nothing():
    sums, squares = np.zeros(2), np.zeros(2)
    for variant in ("schnapsen", "schnapsen.deal", "schnapsen.mini", "schnapsen.micro"):
        game = stich.make(variant)
        kernels.random_rounds(game.template.copy(), 2000, stream(1, "x"), np.zeros(2), sums, squares)
    assert sums[0] == -sums[1]


@pytest.mark.parametrize(
    ("variant", "least"),
    [("schnapsen", 0.98), ("schnapsen.deal", 1.7), ("schnapsen.mini", 0.38), ("schnapsen.micro", 0.15)],
)
def test_the_rule_based_player_beats_random_play(variant, least):
    result = run_match(plan_match(variant, {}, ["rule", "random"]), 1500, open_workers(1))
    assert result.faults == {}
    assert stats.estimate(result.values(0)).low > least


def rules_move(state):
    agent = make_agent("rule", state.game)
    return state.action_name(agent.act(state.view(state.player), stream(1, "rule")))


def test_the_rule_based_player_exchanges_marries_and_closes():
    state = table("AS TS KS QS AH", "QH KC QD JD KH", trump="JS")
    assert rules_move(state) == "close"
    assert rules_move(state.play("close")) == "M:QS"
    assert rules_move(table("JS TH KC QD JD", "QS QH KH JH JC", trump="AS")) == "exchange"
