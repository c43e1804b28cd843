"""The parameterised actions of document 004 (5.3): five numbers for what we play in one step or two.

The numbers: type (0 attack, 1 defend, 2 push, 3 check, 4 wait), rank and suit of the card played, rank and suit of the
card to beat. Ranks are 0 to 12 for 2 to A, suits 0 to 3 for C S H D; what a type does not need is -1. A defence is one
action of ours where its card beats a single open card, else two.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from stich.core.bits import ctz
from stich.core.contract import Array, Int, Record
from stich.core.errors import StichError
from stich.core.game import State
from stich.core.jit import compiled, kernel
from stich.games.durak.attack import may_act, options, targets
from stich.games.durak.cards import NO_CARD
from stich.games.durak.state import CHECK, PUSH

ATTACK, DEFEND, TRANSFER, SAY_CHECK, WAIT = range(5)
UNUSED = -1
ILLEGAL = -1
CHECK_NUMBERS = (SAY_CHECK, UNUSED, UNUSED, UNUSED, UNUSED)
WAIT_NUMBERS = (WAIT, UNUSED, UNUSED, UNUSED, UNUSED)
MOST = 2704
"""Each card on each other one, at the very most."""


@compiled
def _write(out: Array, kind: Int, card: Int, target: Int) -> None:
    out[0] = kind
    out[1] = card % 13 if card >= 0 else UNUSED
    out[2] = card // 13 if card >= 0 else UNUSED
    out[3] = target % 13 if target >= 0 else UNUSED
    out[4] = target // 13 if target >= 0 else UNUSED


@compiled
def write_legal(s: Record, seat: Int, out: Array) -> Int:
    """Writes every legal action of a seat but waiting, one a row, check last; returns how many."""
    if not may_act(s, seat):
        return 0
    count = 0
    mask = options(s, seat)
    if s.card != NO_CARD:
        while mask:
            _write(out[count], DEFEND, np.int64(s.card), ctz(mask))
            count += 1
            mask &= mask - 1
        return count
    while mask:
        a = ctz(mask)
        mask &= mask - 1
        if a > CHECK:
            _write(out[count], TRANSFER, 13 * (a - PUSH) + s.attack[0] % 13, UNUSED)
            count += 1
        elif a < CHECK and seat != s.defender:
            _write(out[count], ATTACK, a, UNUSED)
            count += 1
        elif a < CHECK:
            open_cards = targets(s, a)
            while open_cards:
                _write(out[count], DEFEND, a, ctz(open_cards))
                count += 1
                open_cards &= open_cards - 1
    if options(s, seat) >> CHECK & 1:
        _write(out[count], SAY_CHECK, UNUSED, UNUSED)
        count += 1
    return count


@compiled
def decode(s: Record, seat: Int, numbers: Array) -> Int:
    """Our action for five numbers, plus 64 * (1 + card to beat) where that is a second step; or ILLEGAL.

    Waiting is no action of the rules and counts as illegal here.
    """
    kind, rank, suit = numbers[0], numbers[1], numbers[2]
    if kind < ATTACK or kind > SAY_CHECK or not may_act(s, seat):
        return ILLEGAL
    mask = options(s, seat)
    if kind == SAY_CHECK:
        return CHECK if mask >> CHECK & 1 else ILLEGAL
    if rank < 0 or rank > 12 or suit < 0 or suit > 3:
        return ILLEGAL
    card = 13 * suit + rank
    if kind == TRANSFER:
        fits = s.attacks > 0 and s.card == NO_CARD and rank == s.attack[0] % 13
        return PUSH + suit if fits and mask >> (PUSH + suit) & 1 else ILLEGAL
    if kind == ATTACK:
        return card if seat != s.defender and mask >> card & 1 else ILLEGAL
    return _decode_defence(s, seat, card, 13 * numbers[4] + numbers[3], mask, numbers)


@compiled
def _decode_defence(s: Record, seat: Int, card: Int, target: Int, mask: Int, numbers: Array) -> Int:
    if seat != s.defender or numbers[3] < 0 or numbers[3] > 12 or numbers[4] < 0 or numbers[4] > 3:
        return ILLEGAL
    if s.card != NO_CARD:
        return target if card == s.card and mask >> target & 1 else ILLEGAL
    open_cards = targets(s, card)
    if not mask >> card & 1 or not open_cards >> target & 1:
        return ILLEGAL
    return card if open_cards & (open_cards - 1) == 0 else card + 64 * (1 + target)


@kernel
def write_legal_of(states: Array, seat: Int, out: Array) -> Int:
    """The legal numbers of a seat in states[0]."""
    return write_legal(states[0], seat, out)


@kernel
def decode_of(states: Array, seat: Int, numbers: Array) -> Int:
    """Our actions for five numbers in states[0]."""
    return decode(states[0], seat, numbers)


def legal_numbers(state: State, seat: int | None = None) -> list[tuple[int, ...]]:
    """Every legal action of a seat (by default the one to act) as five numbers, without waiting."""
    out = np.zeros((MOST, 5), np.int64)
    count = write_legal_of(state.array, np.int64(state.player if seat is None else seat), out)
    return [tuple(row) for row in out[:count].tolist()]


def to_actions(state: State, numbers: Sequence[int], seat: int | None = None) -> list[int]:
    """Our one or two actions for five numbers; an error where they are not legal."""
    seat = state.player if seat is None else seat
    code = int(decode_of(state.array, np.int64(seat), np.array(numbers, np.int64)))
    if code == ILLEGAL:
        raise StichError(f"{tuple(numbers)} is not legal for seat {seat}; legal: {legal_numbers(state, seat)}")
    return [code] if code < 64 else [code % 64, code // 64 - 1]


def to_numbers(state: State, actions: Sequence[int], seat: int | None = None) -> tuple[int, ...]:
    """The five numbers of our one or two actions."""
    for numbers in legal_numbers(state, seat):
        if to_actions(state, numbers, seat) == list(actions):
            return numbers
    raise StichError(f"{list(actions)} is no whole action here")


def from_output(values: Iterable[float]) -> tuple[int, ...]:
    """Five numbers from a net's output: cut off after the point, and -1 where the type needs no number."""
    numbers = [int(value) for value in values]
    if numbers[0] != DEFEND:
        numbers[3:] = [UNUSED, UNUSED]
    if numbers[0] in (SAY_CHECK, WAIT):
        numbers[1:3] = [UNUSED, UNUSED]
    return tuple(numbers)
