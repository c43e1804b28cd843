"""The rules of Durak."""

from collections.abc import Mapping

import numpy as np

from stich.core.bits import ctz, popcount
from stich.core.contract import Array, Int, Record
from stich.core.errors import StichError
from stich.core.jit import compiled
from stich.core.rng import mix, next64
from stich.core.sampler import add_card, add_place, begin
from stich.games.durak.attack import (
    ATTACK_OVER,
    GAME_OVER,
    act,
    begin_attack,
    clear_series,
    count_game,
    end_attack,
    options,
    pass_turn,
)
from stich.games.durak.cards import NO_CARD
from stich.games.durak.deal import deal_game
from stich.games.durak.knowledge import unseen
from stich.games.durak.state import NOBODY


def deal(s: Record, rng: Record) -> None:
    """The first game; the holder of the lowest trump begins."""
    clear_series(s, NOBODY)
    if s.games > 1:
        s.rng.a = next64(rng)
        s.rng.b = next64(rng) | np.uint64(1)
    begin_attack(s, deal_game(s, rng))


def player(s: Record) -> Int:
    """The seat to act."""
    return np.int64(s.turn)


def legal(s: Record) -> Int:
    """What the seat to act may do."""
    return options(s, np.int64(s.turn))


def apply(s: Record, a: Int) -> None:
    """Plays a card, pushes or says check; a series continues with a new deal."""
    act(s, np.int64(s.turn), a)
    follows = pass_turn(s)
    if follows == ATTACK_OVER:
        follows = end_attack(s)
    if follows == GAME_OVER:
        count_game(s)
        if not s.over:
            begin_attack(s, deal_game(s, s.rng))


def is_over(s: Record) -> Int:
    """Whether the last game of the series has ended."""
    return s.over != 0


def returns(s: Record, out: Array) -> None:
    """For each game -1 to its loser, shared out among the others; nothing for a game without a loser."""
    decided = np.float64(s.played) - s.drawn
    for seat in range(s.players):
        lost = np.float64(s.lost[seat])
        out[seat] = (decided - lost) / (np.float64(s.players) - 1.0) - lost


def stage(s: Record) -> Int:
    """The games of a series that are finished."""
    return np.int64(s.played)


def stakes(s: Record, out: Array) -> None:
    """What one game brings."""
    out[0] = -1.0
    out[1] = 1.0 / (np.float64(s.players) - 1.0)


def phase(s: Record) -> Int:
    """Attacking or defending."""
    return 1 if s.turn == s.defender else 0


def hide(s: Record, me: Int) -> None:
    """Erases what others hold, apart from cards that all have seen, the closed talon and the deals to come."""
    for seat in range(s.players):
        if seat != me:
            s.held[seat] = s.shown[seat]
            s.twice[seat] = s.shown_twice[seat]
            s.memory[seat] = 0
    cards = np.int64(s.deck) * s.decks
    for i in range(cards - s.left, cards - 1):
        s.stock[i] = NO_CARD
    s.rng.a = 0
    s.rng.b = 0


def owners(s: Record, me: Int, plan: Record) -> None:
    """Unseen cards lie in the other hands, beside those known there, or in the closed talon.

    A trump asked for when the beginner was found, and not shown, can only come from the talon: never in the hand of
    a player who has drawn nothing. (Later it is counted as any other card, though its chance is a little smaller.)
    """
    begin(plan)
    for seat in range(s.players):
        if seat != me:
            add_place(plan, s.size[seat] - popcount(s.shown[seat]) - popcount(s.shown_twice[seat]))
    add_place(plan, np.int64(s.left) - 1 if s.left > 0 else 0)
    once, twice = unseen(s, me)
    while once:
        card = ctz(once)
        bit = once & -once
        row = add_card(plan, card)
        if card // 13 == s.suit and card % 13 < s.low:
            _keep_from_fresh(s, me, plan, row)
        # The second copy of a card is the next row.
        once ^= bit ^ (twice & bit)
        twice &= ~bit


@compiled
def _keep_from_fresh(s: Record, me: Int, plan: Record, row: Int) -> None:
    """A card that cannot lie in the hand of a player who has drawn nothing."""
    for seat in range(np.int64(s.players)):
        if seat != me and s.fresh >> seat & 1:
            plan.weight[row, seat if seat < me else seat - 1] = 0.0


def fill(s: Record, me: Int, draw: Record) -> None:
    """Gives the drawn cards to the other hands and, in a random order, to the talon."""
    top = np.int64(s.deck) * s.decks - s.left
    at = top
    for i in range(draw.cards):
        place = draw.place[i]
        card = draw.card[i]
        if place == s.players - 1:
            s.stock[at] = card
            at += 1
        else:
            seat = place if place < me else place + 1
            s.twice[seat] |= s.held[seat] & 1 << card
            s.held[seat] |= 1 << card
    code: Int = np.int64(draw.seed >> np.uint64(1))
    for i in range(at - 1, top, -1):
        code = mix(code, i)
        j = top + (code >> 3 & 0xFFFFFFFF) % (i - top + 1)
        card = np.int64(s.stock[i])
        s.stock[i] = s.stock[j]
        s.stock[j] = card
    if s.games > 1:
        s.rng.a = draw.seed
        s.rng.b = ~draw.seed


def key(s: Record, me: Int) -> Int:
    """Mixes all that was done in the open with what the seat was dealt and drew."""
    return mix(mix(s.history, s.memory[me]), me)


def check_options(codes: Mapping[str, int]) -> None:
    """Refuses packs that are not four suits, and hands that leave no card to turn."""
    cards = codes["deck"] * codes["decks"]
    if codes["deck"] % 4:
        raise StichError(f"deck={codes['deck']} is not four equal suits: it must be a multiple of 4")
    if codes["players"] * codes["hand"] >= cards:
        most = (cards - 1) // codes["players"]
        raise StichError(
            f"{codes['players']} hands of {codes['hand']} leave no talon of {cards} cards; at most hand={most}"
        )


def bounds(codes: Mapping[str, int]) -> tuple[float, float]:
    """Losing all games, or none."""
    return (-float(codes["games"]), codes["games"] / (codes["players"] - 1))
