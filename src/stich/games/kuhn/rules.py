"""The rules of Kuhn poker."""

from typing import Any

import numpy as np

from stich.core.bits import nth_bit
from stich.core.contract import Array, Int, Record
from stich.core.faces import Face
from stich.core.facts import Fact
from stich.core.jit import compiled
from stich.core.rng import below, mix
from stich.core.sampler import add_card, add_place, begin
from stich.core.spec import layout
from stich.core.words import Words

PASS, BET = range(2)
CARDS = ("J", "Q", "K")
FACES = {name: Face("", name) for name in CARDS}
NAMES = ("pass", "bet", *CARDS)
FIRST_CARD = 2
UNKNOWN = 3
START, PASSED, WAGER, PASS_PASS, PASS_BET, BET_PASS, BET_BET = range(1, 8)
PASS_BET_PASS, PASS_BET_BET = 10, 11
"""Histories: a 1, then a binary digit for each move, 1 for a bet."""

STATE = layout([("cards", "u1", 2), ("history", "u1")])


@compiled
def deal_count(s: Record) -> Int:
    """Three cards for the first seat, two for the second."""
    return 6


@compiled
def deal_nth(s: Record, k: Int) -> None:
    """Deal `k` gives the first seat card k // 2 and the second one of the other two."""
    s.cards[0] = k // 2
    s.cards[1] = nth_bit(7 & ~(1 << k // 2), k % 2)
    s.history = START


def deal(s: Record, rng: Record) -> None:
    """A card for each seat; the third stays out."""
    deal_nth(s, below(rng, deal_count(s)))


def player(s: Record) -> Int:
    """The seats take turns."""
    return np.int64(s.history == PASSED or s.history == WAGER)


def legal(s: Record) -> Int:
    """Both actions, always."""
    return 3


def apply(s: Record, a: Int) -> None:
    """Adds a move to the history."""
    s.history = s.history << 1 | a


def is_over(s: Record) -> Int:
    """After two moves, unless the second was the first bet; then after three."""
    return s.history == PASS_PASS or s.history >= BET_PASS


@compiled
def is_showdown(s: Record) -> Int:
    """Whether the cards decide, and so are turned up."""
    return s.history == PASS_PASS or s.history == BET_BET or s.history == PASS_BET_BET


def returns(s: Record, out: Array) -> None:
    """The chips won: one, or two where a bet was called."""
    chips = 1
    if is_showdown(s):
        chips = 1 if s.history == PASS_PASS else 2
        if s.cards[0] < s.cards[1]:
            chips = -chips
    elif s.history == PASS_BET_PASS:
        chips = -1
    out[0] = chips
    out[1] = -chips


def hide(s: Record, me: Int) -> None:
    """Erases the other seat's card until a showdown."""
    if not is_showdown(s):
        s.cards[1 - me] = UNKNOWN


def owners(s: Record, me: Int, plan: Record) -> None:
    """The other seat holds one of two cards, the other one is out."""
    begin(plan)
    if is_showdown(s):
        return
    add_place(plan, 1)
    add_place(plan, 1)
    for card in range(3):
        if card != s.cards[me]:
            add_card(plan, FIRST_CARD + card)


def fill(s: Record, me: Int, draw: Record) -> None:
    """Gives the other seat the card drawn for it."""
    for i in range(draw.cards):
        if draw.place[i] == 0:
            s.cards[1 - me] = draw.card[i] - FIRST_CARD


def observe(s: Record, me: Int, which: Int, out: Array) -> None:
    """The seat, its card and the moves, as OpenSpiel's information state tensor has them."""
    for i in range(11):
        out[i] = 0
    out[me] = 1
    out[2 + s.cards[me]] = 1
    length = 0
    while s.history >> length > 1:
        length += 1
    for i in range(length):
        out[5 + 2 * i + (s.history >> (length - 1 - i) & 1)] = 1


def key(s: Record, me: Int) -> Int:
    """Seat, cards and moves."""
    other = np.int64(s.cards[1 - me]) if is_showdown(s) else UNKNOWN
    return mix(mix(me, s.history), s.cards[me] << 2 | other)


def action_name(s: Record, a: int) -> str:
    """`pass` or `bet`, and the names of the cards."""
    return NAMES[a] if 0 <= a < len(NAMES) else f"action {a}"


def describe(s: Record, a: int) -> Fact:
    """What an action means here."""
    facing = int(s["history"]) in (WAGER, PASS_BET)
    return Fact(("fold" if a == PASS else "call") if facing else ("check" if a == PASS else "bet"))


def piles(s: Record) -> dict[str, list[str]]:
    """The two hands, and the third card where both are known."""
    known = [int(card) for card in s["cards"]]
    out = [CARDS[card] for card in range(3) if card not in known] if UNKNOWN not in known else []
    return {**{f"hand {seat}": _names([card]) for seat, card in enumerate(known)}, "out": out}


def _names(cards: list[int]) -> list[str]:
    return [CARDS[card] for card in cards if card != UNKNOWN]


def show(s: Record, me: int | None, mask: int, words: Words) -> str:
    """The cards that are seen, and the moves so far."""
    hands = [
        f"{words.seat(seat)}: {' '.join(words.card(card) for card in cards) or '?'}"
        for seat, cards in enumerate(_hands(s))
    ]
    moves = ", ".join(words.term(NAMES[int(digit)]) for digit in f"{int(s['history']):b}"[1:])
    return "   ".join([*hands, f"{words.line('moves')}: {moves or words.line('none')}"])


def _hands(s: Record) -> list[list[str]]:
    return [_names([int(card)]) for card in s["cards"]]


def bounds(codes: Any) -> tuple[float, float]:
    """One chip of ante and one of a bet."""
    return -2.0, 2.0
