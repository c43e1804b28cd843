"""Durak: each rule of docs/rules.md 5.1 by name, hidden cards, series, every pack; recordings of another engine."""

from itertools import pairwise

import numpy as np
import pytest

import stich
from conftest import HERE
from stich.core.check import walk
from stich.core.errors import StichError
from stich.core.facts import Fact
from stich.core.rng import stream
from stich.core.transcript import Recording, Report, read, recording_of, replay, replay_file
from stich.games.durak.attack import give_turn
from stich.games.durak.cards import CARDS, PACK, PREV, card_of, masks_of, names_of
from stich.games.durak.records import finds_too_early
from stich.games.durak.state import NOBODY

SAMPLE = HERE / "data" / "durak.jsonl.gz"


def position(*hands, talon="", trump="H", attacker=0, **options):
    """The start of an attack with these hands; all cards that are in no hand and not in the talon are out."""
    game = stich.make("durak", players=len(hands), **options)
    state = game.new(0)
    s = state.record
    s["shown"] = s["shown_twice"] = s["held"] = s["twice"] = s["size"] = 0
    seen = []
    for seat, hand in enumerate(hands):
        s["held"][seat], s["twice"][seat] = masks_of(hand.split())
        s["size"][seat] = len(hand.split())
        seen += hand.split()
    rest = talon.split()
    cards = int(s["deck"]) * int(s["decks"])
    s["stock"] = 63
    s["stock"][cards - len(rest) : cards] = [card_of(name) for name in rest]
    s["left"], s["told"], s["low"], s["fresh"] = len(rest), 0, 0, 0
    s["turned"] = card_of(rest[-1] if rest else f"A{trump}")
    s["suit"] = s["turned"] // 13
    pack = [CARDS[card] for card in range(52) if int(PACK[s["deck"] // 4]) >> card & 1] * int(s["decks"])
    for name in seen + rest:
        pack.remove(name)
    s["out"], s["out_twice"] = masks_of(pack)
    s["opener"] = s["turn"] = attacker
    s["defender"] = (attacker + 1) % len(hands)
    return state.force(-1)


def play(state, actions):
    for action in actions.split():
        state.play(action)
    return state


def legal(state):
    return " ".join(state.legal_actions())


def hand(state, seat):
    return " ".join(names_of(state.record["held"][seat], state.record["twice"][seat]))


# The pack, the deal, who begins


def test_a_pack_has_the_highest_ranks_of_four_suits():
    mini = stich.make("durak.mini").new(1)
    cards = sorted(card for pile in mini.piles().values() for card in pile)
    assert cards == sorted(rank + suit for rank in "QKA" for suit in "CSHD")
    assert [len(mini.piles()[f"hand {seat}"]) for seat in range(2)] == [3, 3]
    assert len(stich.make("durak.double").new(1).piles()["talon"]) == 104 - 24


def test_two_packs_have_every_card_twice():
    state = stich.make("durak.double").new(1)
    cards = sorted(card for pile in state.piles().values() for card in pile)
    assert cards == sorted(CARDS * 2)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"deck": 14}, "multiple of 4"),
        ({"deck": 12, "hand": 6}, "at most hand=5"),
        ({"deck": 36, "players": 6, "hand": 6}, "leave no talon"),
        ({"players": 7}, "2 to 6"),
    ],
)
def test_packs_and_hands_that_cannot_be_are_refused(options, words):
    with pytest.raises(StichError, match=words):
        stich.make("durak", **options)


def test_the_last_talon_card_fixes_trump_and_a_fixed_suit_is_kept():
    seen = set()
    for seed in range(60):
        state = stich.make("durak.mini", trump="H").new(seed)
        assert state.piles()["talon"][-1][1] == "H"
        seen.add(state.piles()["talon"][-1])
    assert seen == {"QH", "KH", "AH"}
    suits = {stich.make("durak.mini").new(seed).piles()["talon"][-1][1] for seed in range(60)}
    assert suits == set("CSHD")


def deal(hands, talon, **options):
    game = stich.make("durak", players=len(hands), deck=12, hand=3, **options)
    return game.setup({"hands": [text.split() for text in hands], "talon": talon.split()})


def test_the_holder_of_the_lowest_trump_begins_and_has_shown_it():
    state = deal(["QC KC AC", "KH QS AH"], "KS AS QD KD AD QH")
    assert state.player == 1
    assert state.view(0).piles()["hand 1"] == ["KH"]
    assert state.record["defender"] == 0


def test_without_a_trump_in_any_hand_the_beginner_is_drawn():
    with pytest.raises(StichError, match="name the attacker"):
        deal(["QC KC AC", "QS KS AS"], "QD KD AD QH KH AH")
    game = stich.make("durak", deck=12, hand=1)
    begins = set()
    for seed in range(300):
        state = game.new(seed)
        if not any(
            card[1] == state.piles()["talon"][-1][1] for k in (0, 1) for card in state.piles()[f"hand {k}"]
        ):
            begins.add(state.player)
    assert begins == {0, 1}


def test_with_two_packs_a_lowest_trump_that_two_hold_is_passed_over():
    game = stich.make("durak", deck=12, decks=2, hand=3)
    talon = [
        "QC",
        "KC",
        "KS",
        "AS",
        "QD",
        "KD",
        "AD",
        "QC",
        "KC",
        "AC",
        "QS",
        "KS",
        "AS",
        "QD",
        "KD",
        "AD",
        "AH",
        "KH",
    ]
    state = game.setup({"hands": [["QH", "AC", "QS"], ["QH", "KH", "AH"]], "talon": talon})
    assert state.player == 1
    assert state.view(1).piles()["hand 0"] == ["QH"]
    assert state.view(0).piles()["hand 1"] == ["QH", "KH"]


def test_trumps_asked_for_and_not_shown_are_in_no_dealt_hand():
    """Seat 1 begins with the king: the queen lies in the talon, until seat 1 has drawn it may not hold it."""
    state = deal(["QC KC AC", "KH QS AS"], "KS AD QD KD QH AH")
    plan = state.view(0).sampler().plan[0]
    rows = [row for row in range(plan["cards"]) if CARDS[plan["card"][row]] == "QH"]
    assert [plan["weight"][row, 0] for row in rows] == [0.0]
    assert sum(plan["weight"][: plan["cards"], 0] == 0) == 1
    play(state, "QS check")  # seat 0 takes, seat 1 draws
    while state.record["turns"] == 0:
        state.play("check")
    plan = state.view(0).sampler().plan[0]
    assert (plan["weight"][: plan["cards"], 0] > 0).all()


# Attack and defence


def test_a_card_is_beaten_by_a_higher_one_of_its_suit_or_by_a_trump():
    state = position("9C 6D", "8C TC 9S TD 6H", talon="7S 7H")
    assert legal(play(state, "9C")) == "TC 6H check"
    state = position("9H 6D", "8H TH TC AC", talon="7S 7H")
    assert legal(play(state, "9H")) == "TH check"


def test_a_card_thrown_in_must_have_a_rank_on_the_table():
    state = position("9C 9D TH 7S", "TC 6H 8S", talon="7D 7H")
    play(state, "9C TC")
    assert state.player == 0
    assert legal(state) == "TH 9D check"


def test_attackers_are_the_neighbours_or_all():
    for throwers, asked in (("neighbours", [0, 2]), ("all", [0, 2, 3])):
        state = position("9C 7S", "TC JC QC", "6S 7D", "9S 9D", talon="8S 8H", throwers=throwers)
        play(state, "9C TC")
        seats = []
        while not state.record["turns"]:
            seats.append(state.player)
            state.play("check")
        assert seats == asked


def test_the_fixed_order_is_the_player_before_the_defender_first():
    state = position("9C 9S", "TC JC QC", "6S 9D", talon="8S 8H")
    play(state, "9C TC")
    assert state.player == 0
    give_turn(state.record, 2)
    assert state.force(-1).player == 2
    give_turn(state.record, 1)  # the defender has nothing to say
    assert state.force(-1).player == 2


def test_a_check_is_withdrawn_when_a_card_is_played():
    state = position("9C 9S 7D", "TC JS QC", "6S 9D", talon="8S 8H")
    play(state, "9C TC check")
    assert state.player == 2
    play(state, "9D check")  # the defender takes
    assert state.player == 0
    assert legal(state) == "9S check"
    assert state.record["checked"] == 0b010


@pytest.mark.parametrize(("rule", "expected"), [("common", "TS check"), ("c4", "check")])
def test_throw_in_limit(rule, expected):
    """One card beaten, two left to the defender: common rules ask for answers only to what is open."""
    state = position("9C TD TS AD", "TC 6D 6S", talon="8S 8H", throw_limit=rule)
    play(state, "9C TC")
    assert legal(state) == "TS TD check"
    play(state, "TD check")  # one beaten, one open, two cards left to the defender, who takes
    assert legal(state) == expected


def test_no_more_attack_cards_than_the_hand_size():
    state = position("6C 6D 7S 8S", "7C 7D TD JD QD KD", talon="8C 8H", hand=2)
    play(state, "6C 7C")
    play(state, "6D")
    play(state, "7D")
    assert state.record["turns"] == 1  # two beaten: the attack is over though a 7 could be thrown in
    assert state.player == 1


def test_the_defender_who_takes_may_be_thrown_more_and_is_skipped():
    state = position("9C 9S 7D", "TD JD QD", "9D 6D 8C", talon="6S 6C 8S 8H")
    play(state, "9C check 9S check 9D")
    while not state.record["turns"]:
        state.play("check")
    assert hand(state, 1) == "9C 9S 9D TD JD QD"
    assert state.player == 2
    assert state.record["defender"] == 0


def test_all_beaten_cards_leave_the_game_and_the_defender_attacks():
    state = position("9C 7D", "TC JD", talon="6S 6C 8S 8H", hand=2)
    play(state, "9C TC check")
    assert state.player == 1
    assert {"9C", "TC"} <= set(state.piles()["out"])
    assert state.piles()["table"] == []


def test_hands_are_filled_from_the_opener_on_the_defender_last():
    state = position("9C 9S", "TC TS", "9D 7D", talon="6S 6C 8S 8C 8D 8H", hand=2)
    play(state, "9C TC check 9D check")  # seat 1 takes and draws nothing
    while not state.record["turns"]:
        state.play("check")
    assert hand(state, 0) == "6S 9S"
    assert hand(state, 2) == "6C 7D"
    assert hand(state, 1) == "9C TC TS 9D"
    state = position("9C 7S", "TC JS", talon="6S 6C 8S 8H", hand=2)
    play(state, "9C TC check")
    assert hand(state, 0) == "6S 7S"
    assert hand(state, 1) == "6C JS"


def test_who_draws_the_turned_card_is_seen():
    state = position("9C 7S", "TC JS", talon="6S 8H", hand=2)
    play(state, "9C TC check")
    assert hand(state, 1) == "JS 8H"
    assert state.view(0).piles()["hand 1"] == ["8H"]
    assert state.view(1).piles()["hand 0"] == []


# Pushing


def test_a_push_needs_the_rank_and_nothing_beaten():
    state = position("9C 9S AD", "9D 9H TS TC", "AC KC QC", talon="6S 8H")
    assert legal(play(state, "9C")) == "TC 9H check P:9H P:9D"
    play(state, "P:9D")
    assert state.record["defender"] == 2
    assert state.player == 2
    state = position("9C TD AD", "TC TS 9H", "AC KC QC", talon="6S 8H")
    play(state, "9C TC TD")
    assert "P:" not in legal(state)


def test_a_push_needs_a_next_player_with_enough_cards():
    state = position("9C AD KD", "9D 9H TS", "AC", talon="6S 8H")
    assert "P:" not in legal(play(state, "9C"))
    state = position("9C AD KD", "9D 9H TS", "AC KC", talon="6S 8H")
    assert "P:9D" in legal(play(state, "9C"))


def test_a_push_can_be_switched_off():
    state = position("9C AD KD", "9D 9H TS", talon="6S 8H", push="off")
    assert legal(play(state, "9C")) == "9H check"


def test_with_two_players_a_push_bounces_and_the_pusher_attacks():
    state = position("9C 9S KD AD", "9D TD TS JS", talon="6S 8H", hand=4)
    play(state, "9C P:9D P:9S")
    assert state.player == 1
    assert state.record["defender"] == 1
    state = position("9C KS KD AD", "9D TD TS", talon="6S 8H", hand=4)
    play(state, "9C P:9D check")
    assert state.player == 1  # the pusher may throw in
    assert legal(state) == "check"


def test_after_a_push_the_first_attacker_still_draws_first():
    state = position("9C 7S", "9D 7D", "TC TD", "AC AS", talon="6S 6C 8S 8C 8D 8H", hand=2)
    play(state, "9C P:9D TC TD")
    while not state.record["turns"]:
        state.play("check")
    assert hand(state, 0) == "6S 7S"
    assert hand(state, 1) == "6C 7D"
    assert hand(state, 2) == "8C 8S"


def test_a_card_that_beats_several_names_the_one_it_shall_beat():
    state = position("9C KS KD AD", "9S TD TS 6H", "TC 7H 8S KC", talon="6S 8H", hand=4)
    play(state, "9C P:9S")
    assert legal(state) == "TC KC 7H check"
    play(state, "7H")
    assert state.player == 2
    assert legal(state) == "9C 9S"
    assert "7H" in hand(state, 2)  # not played before its target is named
    play(state, "9S")
    assert legal(state) == "TC KC check"


# Leaving the game


def test_with_two_players_the_first_without_cards_has_not_lost():
    state = position("9C", "TC")
    play(state, "9C")
    assert state.is_over
    assert state.returns() == [1.0, -1.0]


def test_an_attacker_who_leaves_makes_room_for_the_player_before_him():
    state = position("9C", "TC JC 6S", "AD KD", "9S 9D")
    play(state, "9C")
    assert state.record["active"] == 0b1110
    play(state, "TC")
    assert state.player == 3
    assert legal(state) == "9S 9D check"


def test_who_pushes_his_last_card_is_out_and_the_attack_goes_on():
    state = position("9C 7S", "9D", "TC TD KS")
    play(state, "9C P:9D")
    assert state.record["active"] == 0b101
    assert state.player == 2
    play(state, "TC TD")
    assert state.player == 0  # the only attacker left
    assert legal(state) == "check"


@pytest.mark.parametrize(("rule", "defender", "turns"), [("ends", 3, 1), ("goes_on", 2, 0)])
def test_a_defender_who_leaves(rule, defender, turns):
    state = position("9C 7C 6C", "TC", "JC 6S", "TD KD", defender_out=rule)
    play(state, "9C TC")
    assert state.record["active"] == 0b1101
    assert state.record["defender"] == defender
    assert state.record["turns"] == turns
    assert state.player == (2 if rule == "ends" else 0)
    if rule == "goes_on":
        play(state, "check TD")  # thrown in against the next player by a rank of the attack that went on
        assert state.player == 2


@pytest.mark.parametrize(("reopen", "seat"), [("off", 0), ("on", 1)])
def test_who_leaves_withdraws_the_check_of_the_defender_or_not(reopen, seat):
    state = position("9C 6S", "TC JC 6C", "9S", reopen=reopen)
    play(state, "9C check check 9S")
    assert state.record["active"] == 0b011
    assert state.player == seat


def test_the_defender_may_have_to_confirm():
    state = position("9C 7S", "TC JS", talon="6S 8H", hand=2, confirm="on")
    play(state, "9C TC check")
    assert state.player == 1
    assert legal(state) == "check"
    assert state.record["turns"] == 0
    assert play(state, "check").record["turns"] == 1


def test_players_without_cards_after_the_last_draw_are_out():
    state = position("9C 9S", "TC TS", "7C 7D", talon="8H", hand=2)
    play(state, "9C TC 9S TS")
    assert state.record["active"] == 0b101
    assert hand(state, 0) == "8H"
    assert state.player == 2


def test_the_last_player_with_cards_loses():
    game = stich.make("durak.4")
    for seed in range(20):
        end = walk(game, seed)[-1]
        loser = end.returns().index(-1.0)
        assert end.record["size"][loser] > 0
        assert sum(end.record["size"] > 0) == 1
        assert sum(end.returns()) == pytest.approx(0)
        assert max(end.returns()) == pytest.approx(1 / 3)


# Series and the bound


def test_in_a_series_the_loser_is_attacked_first():
    game = stich.make("durak.series")
    for seed in range(5):
        states = walk(game, seed)
        new = [b for a, b in pairwise(states) if b.record["played"] > a.record["played"]]
        assert len(new) == 5
        for state in new[:-1]:
            loser = int(state.record["durak"])
            assert state.record["defender"] == loser
            assert state.player == (loser - 1) % 3
            assert state.record["shown"].tolist() == [0] * 6
        assert sum(states[-1].record["lost"]) == 5
        lost = states[-1].record["lost"][:3].astype(float)
        assert states[-1].returns() == pytest.approx(((5 - lost) / 2 - lost).tolist())


def go_round(state):
    """Everybody takes, and nobody throws in: with three players cards go round for ever."""
    while not state.is_over:
        attacks = state.record["attacks"] == 0
        names = state.legal_actions()
        state.play(names[0] if attacks else "check")
    return state


@pytest.mark.parametrize("limit", [7, 200])
def test_a_game_that_goes_round_is_drawn_at_the_limit(limit):
    state = go_round(position("9C 7S", "TC JS", "6C 6D", quiet_limit=limit))
    assert state.record["turns"] == limit
    assert state.record["durak"] == NOBODY
    assert state.returns() == [0.0, 0.0, 0.0]


def test_a_game_with_a_full_talon_can_go_round_too():
    """Hands above the hand size draw nothing."""
    state = go_round(position("9C 7S 8S", "TC JS QS", "6C 6D 7D", talon="8C 8H", hand=1, quiet_limit=50))
    assert state.record["durak"] == NOBODY
    assert state.record["left"] == 2


def test_pushing_to_and_fro_ends_too():
    state = position("6C 7C 8C", "6S 7S 8S", quiet_limit=30)
    while not state.is_over:
        names = state.legal_actions()
        pushes = [name for name in names if name.startswith("P:")]
        state.play((pushes or (["check"] if "check" in names else names))[0])
    assert state.record["turns"] <= 30


def test_a_beaten_attack_or_a_drawn_card_starts_the_count_again():
    state = position("9C 7S 6D", "TC JS QS", "6C 6S 7D", quiet_limit=5)
    play(state, "6D check check check")
    assert state.record["quiet"] == 1
    while state.record["turns"] < 2:
        state.play("check" if state.record["attacks"] else state.legal_actions()[0])
    assert state.record["quiet"] == 2


# Two packs


def test_equal_cards_are_played_one_by_one():
    state = position("9C 9C 6S", "TC TC 7D", talon="8S 8H", decks=2)
    assert legal(state) == "9C 6S"
    play(state, "9C TC")
    assert legal(state) == "9C check"
    assert hand(state, 0) == "9C 6S"
    play(state, "9C TC")
    assert state.piles()["table"].count("9C") == 2
    assert state.piles()["table"].count("TC") == 2


def test_two_equal_open_cards_are_one_choice():
    state = position("9C 7S 7D", "9C 6S 6D", "TC 7H 8S", talon="8S 8H", decks=2, hand=3)
    play(state, "9C P:9C")
    assert legal(state) == "TC 7H check"
    play(state, "7H")
    assert state.record["beaten"] == 1  # no choice between equal cards
    assert legal(state) == "TC check"


def test_known_equal_cards_are_counted():
    """Seat 1 takes one 9C and has drawn another unseen one: all know of one of them."""
    state = position("9C 7S 7D", "9C 6S 6D", talon="6C 6D 7C 8H", decks=2, hand=3, push="off")
    play(state, "9C check check")
    assert hand(state, 1) == "9C 9C 6S 6D"
    assert state.view(0).piles()["hand 1"] == ["9C"]
    state.record["turn"] = state.record["opener"] = 1
    state.record["defender"] = 0
    play(state.force(-1), "9C")
    assert state.view(0).piles()["hand 1"] == []


# Knowledge


def test_cards_taken_in_the_open_stay_known_until_they_are_played():
    state = position("9C 7S", "TD JD", talon="6S 6C 8S 8H", hand=2)
    play(state, "9C check check")
    view = state.view(0)
    assert view.piles()["hand 1"] == ["9C"]
    for world in view.sampler().draw(stream(1, "x"), 50):
        assert world["held"][1] >> card_of("9C") & 1
        assert world["size"][1] == 3 == bin(world["held"][1]).count("1")
    assert "9C" not in [CARDS[card] for card in view.sampler().plan["card"][0][: view.sampler().plan["cards"][0]]]


def test_unseen_cards_are_spread_evenly():
    """Each of ten unseen cards lies in the hand of three with probability 3 / 10."""
    state = position("9C 7S 6S", "TD JD QD", talon="6D 7D 8D 9D AD KD KC 8H", hand=3)
    view = state.view(0)
    worlds = view.sampler().draw(stream(2, "x"), 20000)
    counts = [np.mean(worlds["held"][:, 1] >> card_of(name) & 1) for name in ["TD", "JD", "QD", "6D", "KC"]]
    assert counts == pytest.approx([0.3] * 5, abs=0.015)
    tops = worlds["stock"][:, 36 - 8]
    assert [np.mean(tops == card_of(name)) for name in ["TD", "KC"]] == pytest.approx([0.1] * 2, abs=0.01)
    assert (worlds["stock"][:, 35] == card_of("8H")).all()


# Every pack and number of players, through the conformance suite

SETS = [
    {"deck": 12, "players": 2, "hand": 5},
    {"deck": 16, "players": 3, "hand": 4, "throw_limit": "c4", "defender_out": "goes_on"},
    {"deck": 20, "players": 4, "hand": 4, "throwers": "all"},
    {"deck": 24, "players": 5, "hand": 4, "push": "off", "confirm": "on"},
    {"deck": 28, "players": 6, "hand": 4, "defender_out": "goes_on", "reopen": "on"},
    {"deck": 32, "players": 2, "hand": 1, "trump": "S"},
    {"deck": 36, "players": 5, "games": 2},
    {"deck": 40, "players": 2, "hand": 12, "throw_limit": "c4"},
    {"deck": 44, "players": 4, "hand": 3, "quiet_limit": 2},
    {"deck": 48, "players": 3, "decks": 2, "throwers": "all", "defender_out": "goes_on"},
    {"deck": 52, "players": 6, "hand": 5},
    {"deck": 12, "players": 6, "decks": 2, "hand": 3},
    {"deck": 52, "players": 2, "decks": 2, "hand": 51},
]


@pytest.mark.parametrize("options", SETS, ids=lambda options: "-".join(str(value) for value in options.values()))
def test_every_pack_and_table(options):
    found = stich.check(stich.make("durak", **options))
    assert [str(finding) for finding in found if not finding.note] == []


# Recordings


def test_a_sample_of_recordings_replays():
    report = replay_file(SAMPLE, stich.make)
    assert report.mismatches == 0, report.first
    assert report.games == 31
    assert report.vectors > 100


def test_the_recorded_engine_overlooks_a_lower_trump_only_where_its_search_stops():
    faults = 0
    for _, record in read(SAMPLE):
        if record["start"]["mode"] == "lowest_trump" and not record["start"]["random"]:
            game = stich.make(
                "durak", players=record["players"], deck=record["deck_size"], hand=record["hand_size"]
            )
            state = game.setup({"hands": record["deal"]["hands"], "talon": record["deal"]["talon"]})
            differs = state.player != record["start"]["attacker"]
            assert not differs or finds_too_early(record)
            faults += differs
    assert faults == 1


@pytest.mark.parametrize("name", ["2p-12-3", "2p-36-6", "2p-52-6", "3p-36-6", "4p-36-6"])
def test_full_recordings_replay(recordings, name):
    """Every fifth game (`stich replay` does them all in about a minute)."""
    path = recordings / f"durak-{name}.jsonl.gz"
    report = Report(path.name)
    for number, record in read(path):
        if number % 5 == 1:
            replay(recording_of(record, stich.make), f"line {number}", report)
    assert report.mismatches == 0, report.first
    assert report.games >= 60


def test_the_common_limit_differs_from_the_recorded_one():
    """Replayed under common rules the recordings do not fit: the switches are real."""
    report = Report("common")
    for _, record in read(SAMPLE):
        found = recording_of(record, stich.make)
        other = stich.make("durak", **{**found.game.options, "throw_limit": "common"})
        replay(Recording(other, found.start, found.steps, found.results), "x", report)
    assert report.mismatches > 0


# Text


def test_names_are_unique_and_positions_can_be_shown():
    game = stich.make("durak.double")
    states = walk(game, 4)
    for before, state in pairwise(states):
        names = state.legal_actions()
        assert len(names) == len(set(names))
        view = state.view(0)
        assert "Durak" in str(view)
        assert "None" not in str(view)
        view.news(before.view(0).array)
        for action in state.action_ids():
            assert state.label(action)


def test_news_tell_of_takes_and_leaving():
    state = position("9C 7S", "TD JD", talon="6S 6C 8S 8H", hand=2)
    before = play(state, "9C check").array.copy()
    assert Fact("takes", seat=1) in play(state, "check").news(before)
    state = position("9C", "TC", "7S 7D")
    before = state.array.copy()
    assert Fact("out", seat=0) in play(state, "9C").news(before)


def test_a_start_that_is_no_deal_is_refused():
    game = stich.make("durak.mini")
    for start in (
        {},
        {"hands": [["QC"], ["KC"]], "talon": []},
        {"hands": [["QC", "QC", "AC"], ["KC", "QS", "AS"]], "talon": ["QD", "KD", "AD", "QH", "KH", "AH"]},
        {"hands": [["2C", "QC", "AC"], ["KC", "QS", "AS"]], "talon": ["QD", "KD", "AD", "QH", "KH", "AH"]},
    ):
        with pytest.raises(StichError):
            game.setup(start)


def test_seats_move_up_clockwise():
    assert PREV[0b1101, 2] == 0
    assert PREV[0b1101, 0] == 3
