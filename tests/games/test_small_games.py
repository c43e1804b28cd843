"""Kuhn poker, Leduc poker and the coin toss: rules, and OpenSpiel's games side by side."""

from typing import Any

import numpy as np
import pytest

import stich
from stich.core.facts import Fact
from stich.core.game import State
from stich.search.equilibrium.tree import all_deals

CHANCE = {
    "kuhn": lambda s: [int(card) for card in s["cards"]],
    "leduc": lambda s: [int(s["hands"][0]), int(s["hands"][1]), int(s["board"])],
}
"""The outcomes of OpenSpiel's chance nodes in the order they come."""


def deal(name: str, number: int, **options: object) -> State:
    """The deal of this number."""
    game = stich.make(name, **options)
    return State(game, all_deals(game)[number : number + 1].copy())


def played(name: str, number: int, moves: str, **options: object) -> State:
    """A deal after some moves."""
    state = deal(name, number, **options)
    for move in moves.split():
        state.play(move)
    return state


class Twin:
    """Walks OpenSpiel's game and ours side by side and pairs their information states."""

    def __init__(self, name: str, theirs: Any) -> None:
        self.game, self.theirs = stich.make(name), theirs
        self.ours_of: dict[str, tuple[int, int]] = {}
        self.theirs_of: dict[tuple[int, int], str] = {}
        for number in range(len(all_deals(self.game))):
            state = deal(name, number)
            self.walk(theirs.new_initial_state(), state, CHANCE[name](state.record))

    def walk(self, theirs: Any, ours: State, chance: list[int]) -> None:
        """Compares two positions and all that follow."""
        while theirs.is_chance_node():
            theirs.apply_action(chance[0])
            chance = chance[1:]
        assert theirs.is_terminal() == ours.is_over
        if ours.is_over:
            assert theirs.returns() == ours.returns()
            return
        me = ours.player
        assert theirs.current_player() == me
        assert theirs.legal_actions() == ours.action_ids()
        text, key = theirs.information_state_string(me), (me, ours.key(me))
        if text not in self.ours_of:
            assert theirs.information_state_tensor(me) == ours.observation(me).tolist()
        assert self.ours_of.setdefault(text, key) == key
        assert self.theirs_of.setdefault(key, text) == text
        for action in ours.action_ids():
            self.walk(theirs.child(action), ours.copy().force(action), chance)


@pytest.mark.parametrize(("name", "theirs", "count"), [("kuhn", "kuhn_poker", 12), ("leduc", "leduc_poker", 936)])
def test_trees_and_information_states_are_those_of_openspiel(name, theirs, count):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    twin = Twin(name, pyspiel.load_game(theirs))
    assert len(twin.ours_of) == len(twin.theirs_of) == count


@pytest.mark.parametrize(
    ("moves", "won"),
    [("pass pass", -1), ("pass bet pass", -1), ("pass bet bet", -2), ("bet pass", 1), ("bet bet", -2)],
)
def test_kuhn_pays_by_its_table(moves, won):
    assert played("kuhn", 0, moves).returns() == [won, -won]  # jack against queen


def test_kuhn_shows_cards_only_at_a_showdown():
    assert played("kuhn", 0, "bet bet").view(0).piles() == {"hand 0": ["J"], "hand 1": ["Q"], "out": ["K"]}
    assert played("kuhn", 0, "bet pass").view(0).piles() == {"hand 0": ["J"], "hand 1": [], "out": []}


def test_kuhn_reads_like_poker():
    assert str(played("kuhn", 0, "pass bet").view(0)) == "First: J   Second: ?   moves: pass, bet"
    state = played("kuhn", 0, "pass")
    assert [state.label(a) for a in state.action_ids()] == ["check", "bet"]
    state.play("bet")
    assert [state.label(a) for a in state.action_ids()] == ["fold", "call"]


@pytest.mark.parametrize(
    ("moves", "legal"),
    [
        ("", "call raise"),
        ("call", "call raise"),
        ("raise", "fold call raise"),
        ("raise raise", "fold call"),
        ("call raise raise", "fold call"),
        ("call call", "call raise"),
        ("raise raise call call raise", "fold call raise"),
    ],
)
def test_leduc_allows_two_raises_a_round_and_folds_to_raises(moves, legal):
    assert played("leduc", 0, moves).legal_actions() == legal.split()


def leduc(first: str, second: str, board: str, moves: str) -> State:
    """A game of Leduc with given cards."""
    for number in range(120):
        state = deal("leduc", number)
        piles = state.piles()
        if (piles["hand 0"], piles["hand 1"], piles["board"]) == ([first], [second], [board]):
            return played("leduc", number, moves)
    raise AssertionError("no such deal")


@pytest.mark.parametrize(
    ("first", "second", "board", "moves", "won"),
    [
        ("KH", "QH", "JH", "call call call call", 1),
        ("KH", "QH", "QS", "call call call call", -1),
        ("KH", "KS", "QS", "raise call raise call", 0),
        ("JH", "QH", "JS", "raise raise call raise raise call", 13),
        ("KH", "JH", "QS", "call raise fold", -1),
        ("JH", "KH", "QS", "raise call raise fold", 3),
        ("JH", "KH", "QS", "raise call call raise raise fold", 7),
    ],
)
def test_leduc_pays_what_the_loser_has_put_in(first, second, board, moves, won):
    assert leduc(first, second, board, moves).returns() == [won, -won]


def test_leduc_turns_the_board_up_after_the_first_round():
    before, after = leduc("KH", "QH", "JH", "call"), leduc("KH", "QH", "JH", "call call")
    assert before.view(0).piles()["board"] == []
    assert after.view(0).piles()["board"] == ["JH"]
    assert after.view(0).news(before.view(0).array) == [Fact("board", card="JH")]
    assert str(after.view(0)) == "First: ♥K, 1 paid   Second: ?, 1 paid   Board: ♥J   moves: call, call"
    assert [after.label(a) for a in after.action_ids()] == ["check", "raise to 5"]


@pytest.mark.parametrize(
    ("side", "moves", "won"),
    [(0, "sell", 0.5), (1, "sell", -0.5), (0, "play heads", -1), (0, "play tails", 1), (1, "play heads", 1)],
)
def test_coin_toss_pays_as_document_001_says(side, moves, won):
    assert played("coin-toss", side, moves).returns() == [won, -won]


def test_coin_toss_payoffs_are_options():
    assert played("coin-toss", 0, "sell", sell_heads=7).returns() == [3.5, -3.5]
    assert played("coin-toss.swapped", 0, "sell").returns() == [-0.5, 0.5]
    assert stich.make("coin-toss", wrong=9).bounds == (-4.5, 4.5)
    assert played("coin-toss", 1, "play heads", wrong=9).returns() == [4.5, -4.5]


def test_the_guesser_sees_the_coin_at_the_end_only():
    assert str(played("coin-toss", 1, "play").view(1)) == "coin: ?   so far: played"
    assert str(played("coin-toss", 1, "play heads").view(1)) == "coin: tails   so far: played, guessed heads"
    heads, tails = (played("coin-toss", side, "play").view(1) for side in range(2))
    assert np.array_equal(heads.array, tails.array)
