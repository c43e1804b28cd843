"""Durak as document 004 writes it: feature vectors, five-number actions, shaped rewards, the real-time form."""

import numpy as np
import pytest
from test_durak import play, position

import stich
from stich.core.check import walk
from stich.core.errors import StichError
from stich.games.durak.actions import from_output, legal_numbers, to_actions, to_numbers
from stich.games.durak.cards import CARDS, card_of
from stich.games.durak.realtime import CLASSIC, FULL, RealTime, Setting
from stich.games.durak.rewards import CODE, DOCUMENT, Hand, Rewards, hand_of

CHECK, WAIT = (3, -1, -1, -1, -1), (4, -1, -1, -1, -1)


def index(name, ranks=13):
    """Card index of docs/rules.md 5.3."""
    return "23456789TJQKA".index(name[0]) - 13 + ranks + "CSHD".index(name[1]) * ranks


# Features


def example():
    """The example of document 004, 5.2: the agent is seat 1 of four, with 52 cards."""
    state = position("TH 2C", "TS 2S", "2H 2D", "TD 3C", talon="KC AC", deck=52)
    s = state.record
    s["shown"][0], s["shown"][3] = 1 << card_of("TH"), 1 << card_of("TD")
    s["attack"][0], s["attacks"], s["ranks"] = card_of("JC"), 1, 1 << 9
    s["out"] = 1 << card_of("QC")
    return state.force(-1)


def test_feature_type_1_of_the_documents_example():
    seen = example().observation(1, "type1")
    assert len(seen) == 55
    values = [seen[index(name)] for name in ["TS", "TH", "TD", "JC", "QC", "KC", "AC"]]
    assert values == [0, 3, 2, -1, -2, -3, -4]
    assert seen[52:].tolist() == [-1, 0, 2]


def test_feature_type_2_of_the_documents_example():
    seen = example().observation(1, "type2")
    assert len(seen) == 316
    blocks = seen[:312].reshape(6, 52)
    names = ("TS", "TH", "TD", "JC", "QC", "KC", "AC")
    where = {name: np.flatnonzero(blocks[:, index(name)]).tolist() for name in names}
    assert where == {"TS": [0], "TH": [3], "TD": [2], "JC": [4], "QC": [5], "KC": [], "AC": []}
    assert seen[312:].tolist() == [-1, 12, 0, 2]


def test_feature_type_3_has_own_cards_and_both_neighbours():
    seen = example().observation(1, "type3")
    assert len(seen) == 264
    blocks = seen[:260].reshape(5, 52)
    where = {name: np.flatnonzero(blocks[:, index(name)]).tolist() for name in ["TS", "TH", "TD", "JC", "QC"]}
    assert where == {"TS": [0], "TH": [2], "TD": [], "JC": [3], "QC": [4]}


@pytest.mark.parametrize(
    ("options", "sizes"),
    [
        ({"deck": 12, "hand": 3}, [15, 52, 64, 55, 212, 264]),
        ({}, [39, 148, 184, 55, 212, 264]),
        ({"players": 4, "deck": 52}, [55, 316, 264, 55, 316, 264]),
        ({"players": 4, "deck": 52, "decks": 2}, [107, 316, 264, 107, 316, 264]),
    ],
)
def test_sizes_of_the_documents_features(options, sizes):
    assert [encoder.size for encoder in stich.make("durak", **options).encoders[1:]] == sizes


def test_buffered_features_mark_missing_cards_as_out():
    game = stich.make("durak.mini")
    state = game.new(1)
    small, large = state.observation(0, "type1"), state.observation(0, "type1_buffered")
    for name in (rank + suit for rank in "QKA" for suit in "CSHD"):
        assert small[index(name, 3)] == large[index(name)]
    assert large[index("2C")] == -2
    assert (large[:52] == -2).sum() == 40
    assert state.observation(0, "type2_buffered")[3 * 52 :][:52].sum() == 40


def test_two_packs_have_two_places_a_card():
    state = position("9C 9C 6S", "TC 7D", talon="8S 8H", decks=2)
    seen = state.observation(0, "type1")
    assert len(seen) == 75
    assert (seen[index("9C", 9)], seen[36 + index("9C", 9)]) == (0, 0)
    assert (seen[index("6S", 9)], seen[36 + index("6S", 9)]) == (0, -2)
    assert state.observation(0, "type2")[index("9C", 9)] == 2
    assert state.observation(0, "flat")[index("9C", 9)] == 1.0
    assert state.observation(0, "flat")[index("6S", 9)] == 0.5


def test_the_suit_that_the_next_player_could_not_beat():
    state = position("9C 7S", "TD JD", talon="6S 6C 8S 8H", hand=2)
    assert state.observation(0, "type1")[36] == -1
    play(state, "9C check check")
    assert state.observation(0, "type1")[36] == 0  # clubs
    assert state.observation(1, "type1")[36] == -1


def test_the_lowest_trump_shown_at_the_start_is_no_part_of_the_documents_features():
    game = stich.make("durak.mini")
    hands = [["QC", "KC", "AC"], ["KH", "QS", "AS"]]
    state = game.setup({"hands": hands, "talon": ["KS", "AD", "QD", "KD", "QH", "AH"]})
    assert state.observation(0, "type1")[index("KH", 3)] == -3
    assert state.observation(0, "flat")[game_field(game, "known") + index("KH", 3)] == 1


def game_field(game, name):
    """Where a field of the flat observation begins."""
    at = 0
    for part in game.encoders[0].fields:
        if part.name == name:
            return at
        at += part.size
    raise AssertionError(name)


def test_the_flat_observation_says_what_is_on_the_table():
    state = position("9C 7S 9D 6D", "TC JS 8D 8C", "6C 7C", talon="6S 8H", hand=4)
    game = state.game
    play(state, "9C TC")
    seen = state.observation(0)
    assert seen[game_field(game, "beaten") + index("TC", 9)] == 1
    play(state, "9D check")
    seen = state.observation(0)
    at = {name: game_field(game, name) for name in ("open", "defender", "checked", "turn", "room", "sizes")}
    assert seen[at["open"] + index("9D", 9)] == 1
    assert seen[at["defender"] : at["defender"] + 3].tolist() == [0, 1, 0]
    assert seen[at["checked"] : at["checked"] + 3].tolist() == [0, 1, 0]
    assert seen[at["turn"] : at["turn"] + 3].tolist() == [1, 0, 0]
    assert seen[at["room"]] == 2 / 4  # four attack cards are allowed, two are there
    assert seen[at["sizes"] : at["sizes"] + 3].tolist() == [2 / 4, 3 / 4, 2 / 4]


def test_observations_stay_within_their_bounds():
    for name, options in (("durak.4", {}), ("durak.double", {}), ("durak.series", {"hand": 2})):
        game = stich.make(name, **options)
        for state in walk(game, 2)[::7]:
            for encoder in game.encoders:
                seen = state.observation(0, encoder.name)
                assert encoder.low <= seen.min()
                assert seen.max() <= encoder.high


# Actions


def test_five_numbers_and_our_actions_are_the_same_over_random_games():
    for name in ("durak", "durak.4", "durak.double", "durak.mini"):
        for state in walk(stich.make(name), 5)[:-1]:
            numbers = legal_numbers(state)
            assert len(numbers) == len(set(numbers))
            firsts = set()
            for row in numbers:
                actions = to_actions(state, row)
                assert to_numbers(state, actions) == row
                firsts.add(actions[0])
                after = state.copy()
                for action in actions:
                    after.play(action)
                assert after.record["card"] == 63  # a whole action
            assert firsts == set(state.action_ids())


def test_five_numbers_of_each_type():
    state = position("9C KS KD AD", "9S TD TS 6H", "TC 7H 8S KC", talon="6S 8H", hand=4)
    assert legal_numbers(state)[0] == (0, 7, 0, -1, -1)
    play(state, "9C")
    assert set(legal_numbers(state)) == {(2, 7, 1, -1, -1), (1, 4, 2, 7, 0), CHECK}
    play(state, "P:9S")
    assert to_actions(state, (1, 5, 2, 7, 1)) == [card_of("7H"), card_of("9S")]
    assert to_actions(state, (1, 8, 0, 7, 0)) == [card_of("TC")]
    for wrong in ((1, 8, 0, 7, 1), (0, 8, 0, -1, -1), (2, 8, 0, -1, -1), (7, 1, 1, 1, 1), (1, 99, -4, 7, 0), WAIT):
        with pytest.raises(StichError, match="not legal"):
            to_actions(state, wrong)
    assert legal_numbers(state, 1)[-1] == CHECK  # an attacker who would not be asked yet


def test_a_nets_output_is_cut_off_after_the_point():
    assert from_output([0.9, 7.2, 1.99, 3.3, 2.2]) == (0, 7, 1, -1, -1)
    assert from_output([1.5, 7.2, 1.99, 3.3, 2.2]) == (1, 7, 1, 3, 2)
    assert from_output([3.0, 7.2, 1.99, 3.3, 2.2]) == CHECK
    assert from_output([4.8, 7.2, 1.99, 3.3, 2.2]) == WAIT


# Rewards


def test_a_hand_in_the_eyes_of_the_reward():
    state = position("6C 8S AH 6H", "TC", talon="7H")
    assert hand_of(state.record, 0) == Hand((4 + 6) / 2, (12 + 4) / 2, 2)
    assert hand_of(state.record, 1) == Hand(8, 0, 0)


def test_the_end_of_turn_reward_of_the_document():
    """Weights 1, 2, 2 make 0.2, 0.4, 0.4; ranks are divided by 12, trumps by the hand size."""
    before, after = Hand(4, 6, 1), Hand(7, 9, 3)
    assert DOCUMENT.end_of_turn(before, after, 6) == pytest.approx(0.2 * 3 / 12 + 0.4 * 3 / 12 + 0.4 * 2 / 6)
    assert DOCUMENT.end_of_turn(before, before, 6) == 0
    assert DOCUMENT.end_of_turn(Hand(0, 0, 0), Hand(12, 12, 9), 3) == pytest.approx(1)
    assert DOCUMENT.end_of_turn(Hand(12, 12, 9), Hand(0, 0, 0), 3) == pytest.approx(-1)


def test_the_end_of_turn_reward_of_the_documents_program():
    """It divides by the weights: 5 / (1 * 12), 5 / (2 * 12), 5 / (2 * 6)."""
    before, after = Hand(4, 6, 1), Hand(7, 9, 3)
    assert CODE.end_of_turn(before, after, 6) == pytest.approx(3 * 5 / 12 + 3 * 5 / 24 + 2 * 5 / 12)
    assert (CODE.win, CODE.loss, DOCUMENT.win, DOCUMENT.loss) == (36, -36, 12, -12)


def test_weights_that_cannot_be_normalised_are_refused():
    for arguments in ({"weights": (0, 0, 0)}, {"weights": (0, 1, 1), "form": "code"}, {"form": "other"}):
        with pytest.raises(StichError):
            Rewards(**arguments)


# The real-time form


def run(play_, count, seed, choose=None):
    """Plays games by a policy (by default a random one) and keeps all that the agent sees and gets."""
    rng, log = np.random.default_rng(seed), []
    for _ in range(count):
        observation, info = play_.reset()
        log.append(("reset", observation.tolist(), info["psi"], info["chi"]))
        done = False
        while not done:
            legal = play_.actions()
            action = choose(legal) if choose else legal[rng.integers(len(legal))]
            observation, reward, done, cut, info = play_.step(action)
            assert not cut
            log.append((action, observation.tolist(), round(reward, 9), done, info.get("lost")))
    return log


def test_the_real_time_form_is_deterministic():
    one, two = run(RealTime(seed=7), 5, 1), run(RealTime(seed=7), 5, 1)
    assert one == two
    assert run(RealTime(seed=8), 5, 1) != one


def test_a_new_seed_starts_the_series_again():
    play_ = RealTime(seed=1)
    first = play_.reset(seed=5)[0].tolist()
    run(play_, 3, 1)
    assert play_.reset(seed=5)[0].tolist() == first


def test_bots_wait_and_check_with_probabilities_drawn_for_each_game():
    play_ = RealTime(seed=2)
    drawn = [play_.reset()[1] for _ in range(400)]
    psi, chi = np.array([info["psi"] for info in drawn]), np.array([info["chi"] for info in drawn])
    assert 0 <= min(psi.min(), chi.min()) <= max(psi.max(), chi.max()) <= 0.99
    assert (psi == 0.99).mean() == pytest.approx(0.345, abs=0.08)  # N(0.95, 0.1) above 0.99
    assert (chi == 0).mean() == pytest.approx(0.212, abs=0.07)  # N(0.08, 0.1) below 0


def test_an_illegal_action_costs_and_changes_nothing_of_the_agents():
    play_ = RealTime(seed=3)
    play_.reset()
    for _ in range(20):
        before = play_.observation().tolist()
        hand = int(play_.state.record["held"][play_.agent])
        _, reward, done, _, info = play_.step((2, 0, 0, -1, -1))
        assert info["illegal"]
        assert reward <= -99
        assert info["unchanged"].tolist() == before
        if done or play_.turns:
            break
        assert int(play_.state.record["held"][play_.agent]) == hand


def test_waiting_costs_a_little_and_an_opener_cannot():
    for seed in range(40):
        play_ = RealTime(seed=seed)
        play_.reset()
        if play_.state.record["attacks"]:
            assert WAIT in play_.actions()
            turns = play_.turns
            _, reward, done, _, _ = play_.step(WAIT)
            if not done and play_.turns == turns:
                assert reward == -0.05
        else:
            assert WAIT not in play_.actions()
            assert CHECK not in play_.actions()
            assert play_.step(WAIT)[4]["illegal"]


def test_winning_and_losing_end_the_game_for_the_agent():
    rewards = Rewards(weights=(1, 0, 0), wait=0.0)
    results = [entry for entry in run(RealTime(Setting(rewards=rewards), seed=4), 60, 1) if entry[0] != "reset"]
    ends = [entry for entry in results if entry[3]]
    assert len(ends) == 60
    lost = [entry for entry in ends if entry[4]]
    won = [entry for entry in ends if not entry[4]]
    assert lost
    assert won
    assert all(entry[2] == pytest.approx(-12, abs=1.001) for entry in lost)
    assert all(entry[2] == pytest.approx(12, abs=1.001) for entry in won)
    assert all(abs(entry[2]) <= 1.001 for entry in results if not entry[3])


def test_the_loser_is_attacked_first_in_the_next_game():
    play_ = RealTime(seed=5)
    run(play_, 1, 1)
    for _ in range(20):
        loser = play_.durak
        play_.reset()
        assert play_.state.record["turns"] > 0 or play_.state.record["opener"] == (loser - 1) % 2
        done = False
        while not done:
            done = play_.step(play_.actions()[0])[2]


def test_an_attacker_may_throw_in_before_the_answer_if_the_agent_does_not_wait():
    """With `wait_until_defended` the agent never attacks while a card is open and the defender has not checked."""
    seen = {True: 0, False: 0}
    for patient in seen:
        play_ = RealTime(Setting(options={"deck": 36}, wait_until_defended=patient), seed=6)
        for _ in range(5):
            play_.reset()
            done = False
            while not done:
                s = play_.state.record
                open_cards = s["beaten"] < s["attacks"] and not s["checked"] >> s["defender"] & 1
                seen[patient] += bool(open_cards and s["defender"] != play_.agent)
                done = play_.step(play_.actions()[0])[2]
    assert seen[True] == 0
    assert seen[False] > 0


def test_the_agent_always_has_an_action_and_the_rules_hold():
    play_ = RealTime(Setting(options={"deck": 36, "players": 4}, encoder="type2"), seed=9)
    assert play_.agent == 3
    rng = np.random.default_rng(1)
    for _ in range(15):
        play_.reset()
        done = False
        while not done:
            legal = play_.actions()
            assert legal
            cards = sorted(card for pile in play_.state.piles().values() for card in pile)
            assert cards == sorted(CARDS[card] for card in range(52) if card % 13 > 3)
            done = play_.step(legal[rng.integers(len(legal))])[2]


def test_a_random_agent_does_worse_than_the_bots():
    """Document 004, 6: an agent that checks as often as it plays any other action wins far less than half."""
    log = run(RealTime(seed=11), 300, 2)
    ends = [entry for entry in log if entry[0] != "reset" and entry[3]]
    assert 0.08 < np.mean([not entry[4] for entry in ends]) < 0.35


def test_the_documents_settings_have_its_sizes():
    for setting, size, win in ((Setting(), 15, 12), (CLASSIC, 39, 36), (FULL, 55, 50)):
        play_ = RealTime(setting, seed=1)
        assert len(play_.reset()[0]) == size
        assert setting.rewards.win == -setting.rewards.loss == win
        assert play_.state.record["suit"] == 2  # hearts


def test_wrong_uses_are_refused():
    play_ = RealTime(seed=1)
    with pytest.raises(StichError, match="reset"):
        play_.step(CHECK)
    play_.reset()
    with pytest.raises(StichError, match="five numbers"):
        play_.step((1, 2))
    with pytest.raises(StichError, match="single games"):
        RealTime(Setting(options={"games": 3}))
