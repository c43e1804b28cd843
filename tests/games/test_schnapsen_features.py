"""The feature vectors of document 001 for Schnapsen: sizes, hand-written positions, and agreement of all forms."""

import numpy as np
import pytest
from test_schnapsen import play, table

import stich
from stich.core import kernels
from stich.core.errors import StichError
from stich.core.game import MoveInputs
from stich.core.plain import Plain
from stich.core.rng import stream
from stich.games.schnapsen.cards import CARDS
from stich.games.schnapsen.features import NAMES
from stich.games.schnapsen.state import CLOSE, EXCHANGE, FOLLOW

EVERY = "+".join(name if name != "last" else "last(3)" for name in NAMES)
LEADING = ("q1(n=2)", "q1-symmetric(n=3)", EVERY, f"symmetric+{EVERY}")
FOLLOWING = ("q2(n=2)", "q2-after(n=2)", EVERY, f"after+{EVERY}")
SHOWING = "played+hand+marriage+face+points+game+known+last(4)+led+unseen+match_suit+belief"


def row(state, encoder, action):
    """The numbers above zero of the row of a move, by index, as written."""
    inputs = MoveInputs(state.game, encoder)
    inputs.write(state.array)
    names = [state.action_name(int(a)) for a in inputs.actions]
    found = inputs.rows[names.index(action)]
    return {int(i): int(found[i]) for i in np.flatnonzero(found)}


def size(encoder, variant="schnapsen.deal"):
    return stich.make(variant).encoder(encoder)[1].size


@pytest.mark.parametrize("n", range(6))
def test_7_1_sizes_of_the_vectors(n):
    assert size(f"q1(n={n})") == 98 + 21 * n
    assert size(f"q2(n={n})") == 118 + 21 * n
    assert size(f"q2-after(n={n})") == 79 + 21 * n
    assert size(f"q1-symmetric({n})") == 84 + 21 * n


def test_6_7_sizes_of_the_small_vectors():
    assert size("mini-q1", "schnapsen.mini") == 39
    assert size("mini-q2", "schnapsen.mini") == 51
    assert size("mini-q1", "schnapsen.micro") == 3 * 8 + 3


def test_each_segment_has_its_size_of_7_1():
    expected = {
        **dict.fromkeys(("played", "hand", "action", "led", "unseen", "belief"), 20),
        **dict.fromkeys(("points", "game", "payoff"), 2),
        "face": 5,
        "known": 22,
        "last(1)": 21,
    }
    for name in NAMES:
        term = "last(1)" if name == "last" else name
        assert size(term) == expected.get(term, 1), name
    assert size("last(0)+hand") == 20


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("foo+hand", "segments: played, hand, action"),
        ("q1", "number of last tricks"),
        ("last(11)", "from 0 to 10"),
        ("hand(2)", "takes no number"),
        ("q1(n=2)+hand", "hand twice"),
    ],
)
def test_names_that_make_no_encoder_are_refused(name, message):
    with pytest.raises(StichError, match=message.replace("(", r"\(")):
        stich.make("schnapsen").encoder(name)


def test_small_versions_and_chosen_claims_are_refused():
    with pytest.raises(StichError, match="no closed, face"):
        stich.make("schnapsen.mini").encoder("q1(n=2)")
    with pytest.raises(StichError, match="claim=automatic"):
        stich.make("schnapsen", claim="chosen").encoder("q1(n=2)")
    assert stich.make("schnapsen", claim="chosen").encoder("hand+points")[1].size == 22


def test_encoders_of_moves_and_of_states_are_not_mixed_up():
    state = stich.make("schnapsen").new(1)
    with pytest.raises(StichError, match="rates moves"):
        state.observation(encoder="q1(n=2)")
    with pytest.raises(StichError, match="rates moves"):
        stich.VectorGame(state.game, 2, encoder="q1(n=2)")
    with pytest.raises(StichError, match="shows states"):
        state.move_inputs("flat")


def marriage_table():
    """Trumps D, so the order of cards is D S H C, each J Q K T A."""
    return table("AS TS KS QS JH", "AH TH KH QH JD", trump="AD")


def test_q1_by_index():
    hand = {26: 1, 27: 1, 28: 1, 29: 1, 30: 1}
    always = {65: 1, 68: 1, 74: 10, 75: 1}  # the open ace, no trick, ten cards left, led first
    assert row(marriage_table(), "q1(n=2)", "M:KS") == {**hand, 47: 1, 60: 1, **always}
    assert row(marriage_table(), "q1(n=2)", "KS") == {**hand, 47: 1, **always}
    assert row(marriage_table(), "q1(n=2)", "JH") == {**hand, 50: 1, **always}


def test_q2_by_index():
    state = play(marriage_table(), "M:KS")
    assert row(state, "q2(n=1)", "JD") == {
        7: 1,  # played: the king of spades
        20: 1, 31: 1, 32: 1, 33: 1, 34: 1,  # hand: JD, then hearts
        40: 1,  # action JD
        60: 1,  # a marriage in this trick
        65: 1,  # the open ace
        67: 20,  # the other's points
        68: 1,  # no trick
        74: 10,
        81: 1,  # known of the other: the queen of spades, after five trumps
        119 + 7: 1,  # the led card, after one trick of 21
    }  # fmt: skip


def test_q2_after_by_index():
    state = play(marriage_table(), "M:KS")
    # Without the action segment all later ones stand 20 lower.
    assert row(state, "q2-after(n=1)", "JD") == {
        0: 1, 7: 1,  # both cards of the trick
        31: 1, 32: 1, 33: 1, 34: 1,  # hearts in hand
        40: 1, 45: 1,  # marriage, open ace
        46: 6, 47: 20,  # 2 + 4 points for the trick
        54: 10,
        61: 1,
        78: 1, 85: 1, 98: 1,  # the trick just decided is the newest, won
        99: 1,  # leads next
    }  # fmt: skip
    lost = row(state, "q2-after(n=1)", "QH")
    assert (lost.get(46), lost[47], lost.get(48)) == (None, 27, 1)  # still no trick
    assert 98 not in lost
    assert 99 not in lost


def test_symmetric_by_index():
    # Six numbers for the action; then the order is D (trumps), S (the action), H, C.
    assert row(marriage_table(), "q1-symmetric(n=0)", "M:KS") == {
        26: 1, 27: 1, 28: 1, 29: 1, 30: 1, 42: 1, 46: 1, 51: 1, 54: 1, 60: 10, 61: 1,
    }  # fmt: skip
    # The jack of hearts: now hearts stand second, spades third.
    assert row(marriage_table(), "q1-symmetric(n=0)", "JH") == {
        25: 1, 31: 1, 32: 1, 33: 1, 34: 1, 40: 1, 51: 1, 54: 1, 60: 10, 61: 1,
    }  # fmt: skip
    trump = table("AD TS KS QS JH", "AH TH KH QH JD", trump="TD")
    assert {40 + 4, 40 + 5} <= row(trump, "q1-symmetric(n=0)", "AD").keys()


def test_7_1_suits_alike_give_the_same_symmetric_vector():
    """Trumps and the suit of the action may be any; the two other suits keep their order here."""
    cards = "AS TS KS QS JH / AC TC KH QH JD / KC TH TD AH JS JC QC KD QD AD"
    swap = str.maketrans("DCSH", "SHCD")
    one, other = (
        table(*deal.split(" / ")[:2], stock=deal.split(" / ")[2]) for deal in (cards, cards.translate(swap))
    )
    play(one, "TS, JD, AC, JH")
    play(other, "TS, JD, AC, JH".translate(swap))
    assert one.player == other.player == 1
    assert row(one, "q1-symmetric(n=2)", "TC") == row(other, "q1-symmetric(n=2)", "TH")
    assert row(one, "q1(n=2)", "TC") != row(other, "q1(n=2)", "TH")


def test_exchange_and_close_are_rated_by_the_cards_led_after_them():
    state = table("JD AS TS KH JH", "AH TH KC QH JC", trump="AD")
    actions, rows = state.move_inputs("q1(n=0)")
    names = [state.action_name(a) for a in actions]
    # Five cards; again after the exchange, after closing, and after both.
    assert (names.count("exchange"), names.count("close"), len(names)) == (10, 5, 20)
    inputs = MoveInputs(state.game, "q1(n=0)")
    inputs.write(state.array)
    for action, move, values, raw in zip(names, inputs.moves, rows, inputs.rows, strict=True):
        exchanged, closed = bool(raw[20 + 4]), bool(raw[71])  # the ace of trumps in hand; the stock closed
        assert raw[20] == 1 - exchanged  # else the jack
        assert raw[40:60].sum() == 1
        assert raw[61 + (0 if exchanged else 4)] == 1  # the open card
        assert raw[76 + 11 + 4] == exchanged  # the other knows the ace
        assert values[72:74].tolist() == [float(closed)] * 2  # 3 of 3 game points each
        assert action == ("exchange" if exchanged else "close" if closed else CARDS[move])
    # What the rows foresee is what the next decision sees.
    after, later = play(state, "exchange").move_inputs("q1(n=0)")
    assert np.array_equal(later, rows[[name == "exchange" for name in names]])
    assert len(after) == 10


def test_known_cards_follow_marriage_exchange_and_the_last_card():
    state = play(table("JD KS QS AS JH", "AH TH KC QH JC", stock="TS", trump="AD"), "exchange, M:QS, JC")
    known = state.observation(1, "known").astype(int)
    assert np.flatnonzero(known).tolist() == [4, 6]  # the ace of trumps, the king of spades
    assert np.flatnonzero(state.observation(0, "known")).tolist() == [11 + 4, 11 + 6]
    assert CARDS[state.record["face"]] == "JD"
    while state.record["left"]:
        state.play(state.action_ids()[0])
    holder = int(np.flatnonzero([cards & 1 << CARDS.index("JD") for cards in state.record["hands"]])[0])
    assert state.observation(1 - holder, "known")[0] == 1


def test_unseen_match_suit_and_belief():
    state = play(table("JD KS QS AS JH", "AH TH KC QH JC", trump="AD"), "M:QS")
    assert state.observation(1, "match_suit") == 0
    unseen = state.observation(1, "unseen")
    assert unseen.sum() == 20 - 5 - 1 - 1 - 1  # own cards, the led queen, the known king, the open ace
    belief = state.observation(1, "belief")
    assert belief.sum() == pytest.approx(4)
    assert belief[7] == 1
    assert belief[9] == pytest.approx(3 / 12)
    assert state.game.new(1).observation(0, "belief").max() == pytest.approx(5 / 14)
    closed = play(table("JD KS QS AS JH", "AH TH KC QH JC", trump="AD"), "close, AS")
    assert closed.observation(1, "match_suit") == 1


def test_mini_vectors_by_index():
    deal = {"hands": [["TS", "KS", "JH"], ["QS", "TH", "KH"]], "stock": ["JS", "QH", "JC", "QC", "KC", "TC"]}
    state = stich.make("schnapsen.mini").setup(deal)
    # Order C S H, each J Q K T.
    assert row(state, "mini-q1", "TS") == {12 + 6: 1, 12 + 7: 1, 12 + 8: 1, 24 + 7: 1, 38: 6}
    play(state, "TS, QS")
    assert row(state, "mini-q1", "KS")[36] == 13
    assert state.move_inputs("mini-q1")[1][0, 36:].tolist() == pytest.approx([13 / 28.5, 0, 4 / 6])
    play(state, "KS")
    assert row(state, "mini-q2", "TH")[39 + 6] == 1


def test_micro_vectors_by_index():
    deal = {"hands": [["KH", "TH"], ["KS", "TS"]], "stock": ["QH", "JH", "JS", "QS"]}
    state = stich.make("schnapsen.micro").setup(deal)
    # Order S H, each J Q K T.
    assert row(state, "mini-q1", "KH") == {8 + 6: 1, 8 + 7: 1, 16 + 6: 1, 26: 4}
    assert row(state, "symmetric+hand+action", "TH") == {6: 1, 7: 1, 8 + 3: 1}
    play(state, "KH")
    # A trump: rank ten, then whether it is a trump; the trick just decided is won.
    rated = row(state, "after+symmetric+hand+action+last(1)", "TS")
    assert rated == {2: 1, 8 + 3: 1, 8 + 4: 1, 13 + 3: 1, 13 + 6: 1, 13 + 8: 1}


SMALL = ("mini-q1", "mini-q2", "symmetric+after+played+hand+action+last(3)+led+unseen+leads_next+belief")


@pytest.mark.parametrize("variant", ["schnapsen.mini", "schnapsen.micro"])
def test_small_versions_agree_in_states_views_and_plain_functions(variant):
    for seed in range(4):
        for state in walk(variant, seed):
            agree(state, SMALL)


def walk(variant, seed, **options):
    """The states of a random game before its end."""
    state = stich.make(variant, **options).new(seed)
    rngs, action = stream(seed, "walk"), np.zeros(1, np.int64)
    while not state.is_over:
        yield state
        kernels.random_all(state.array, rngs, action)
        state.play(int(action[0]))


def blocks(trump):
    order = [trump, *(suit for suit in range(4) if suit != trump)]
    return [5 * suit + rank for suit in order for rank in range(5)]


@pytest.mark.parametrize("seed", range(8))
def test_last_tricks_are_those_that_were_played(seed):
    tricks, before = [], None
    for state in walk("schnapsen", seed):
        now = state.record.copy()
        if before is not None and now["deal"] > before["deal"]:
            tricks = []
        elif before is not None and now["won"].sum() > before["won"].sum():
            card = int(now["log"][before["said"]])
            tricks.insert(0, ({int(before["lead"]), card}, int(np.argmax(now["won"] - before["won"]))))
        order = blocks(int(now["trump"]))
        for me in range(2):
            seen = state.observation(me, "last(10)").reshape(10, 21)
            found = [({order[i] for i in np.flatnonzero(line[:20])}, bool(line[20])) for line in seen]
            assert found == [(cards, winner == me) for cards, winner in tricks] + [(set(), False)] * (
                10 - len(tricks)
            )
        before = now


def agree(state, names):
    """The rows of a state, of the view of the seat to act, and of uncompiled functions are the same."""
    me = state.player
    for name in names:
        whole, hidden = MoveInputs(state.game, name), MoveInputs(state.game, name)
        whole.write(state.array)
        hidden.write(state.view(me).array)
        assert np.array_equal(whole.rows, hidden.rows)
        assert np.array_equal(whole.actions, hidden.actions)
        out = np.zeros_like(whole.rows[0])
        for r in np.flatnonzero(whole.actions == whole.moves):
            move = int(whole.moves[r])
            state.game.spec.moves.observe_move(Plain(state.record), me, move, int(whole.which), out)
            assert np.array_equal(out, whole.rows[r])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("options", [{}, {"marriage_points": "pending", "marriage_lead": "king"}])
def test_states_views_and_plain_functions_agree(seed, options):
    for state in walk("schnapsen", seed, **options):
        agree(state, FOLLOWING if state.record["phase"] == FOLLOW else LEADING)
        for seat in range(2):
            seen = state.observation(seat, SHOWING)
            assert np.array_equal(seen, state.view(seat).observation(seat, SHOWING))


def after_the_answer(state, action, me):
    """What the after-form foresees, from playing the answer and looking at the result."""
    after = state.copy().play(action).record
    before = state.record
    own = int(before["hands"][me]) & ~(1 << action)
    return after, own


@pytest.mark.parametrize("seed", range(5))
def test_after_states_are_what_comes(seed):
    compared = 0
    for state in walk("schnapsen.deal", seed):
        if state.record["phase"] != FOLLOW:
            continue
        me, order = state.player, blocks(int(state.record["trump"]))
        inputs = MoveInputs(state.game, "after+played+hand+points+no_tricks+last(2)+leads_next")
        inputs.write(state.array)
        for action, raw in zip(inputs.actions, inputs.rows, strict=True):
            after, own = after_the_answer(state, int(action), me)
            assert {order[i] for i in np.flatnonzero(raw[:20])} == {
                c for c in range(20) if after["played"] >> c & 1
            }
            assert {order[i] for i in np.flatnonzero(raw[20:40])} == {c for c in range(20) if own >> c & 1}
            assert raw[40:42].tolist() == [after["points"][me], after["points"][1 - me]]
            assert raw[42] == (after["won"][me] == 0)
            assert raw[-1] == (after["won"][me] > state.record["won"][me])
            compared += 1
    assert compared


def test_rows_belong_to_their_states_and_finished_games_have_none():
    game = stich.make("schnapsen.deal")
    states = np.concatenate([state.array.copy() for state in walk("schnapsen.deal", 3)])
    over = game.state(states[-1:].copy())
    while not over.is_over:
        over.play(over.action_ids()[0])
    states = np.concatenate([states, over.array, states[:1]])
    inputs = MoveInputs(game, EVERY)
    inputs.write(states)
    assert inputs.starts[-1] == len(inputs.rows) == len(inputs.moves)
    assert inputs.starts[-3] == inputs.starts[-2]
    for i in range(len(states)):
        rows = slice(inputs.starts[i], inputs.starts[i + 1])
        alone = MoveInputs(game, EVERY)
        alone.write(states[i : i + 1])
        assert np.array_equal(inputs.rows[rows], alone.rows)
        state = game.state(states[i : i + 1].copy())
        assert set(inputs.actions[rows]) == set(state.action_ids())
        assert not np.isin(inputs.moves[rows], (EXCHANGE, CLOSE)).any()
