"""The rules of Schnapsen."""

from collections.abc import Mapping

import numpy as np

from stich.core.bits import nth, popcount
from stich.core.contract import Array, Int, Record
from stich.core.jit import compiled
from stich.core.rng import mix
from stich.core.sampler import add_card, add_place, begin
from stich.games.schnapsen.cards import FULL, HAND, HIGHER, NO_CARD, PACK, PAIR, SUIT, VALUE, J, K, Q
from stich.games.schnapsen.deal import begin_deal, deal_cards
from stich.games.schnapsen.state import (
    CLAIM,
    CLOSE,
    DECLARED,
    EXCHANGE,
    FOLLOW,
    GO_ON,
    LEAD,
    MARRIAGE,
    NOBODY,
)

AT_ONCE, PENDING = range(2)
AUTOMATIC, CHOSEN = range(2)


@compiled
def drawn(s: Record) -> Int:
    """How many cards have left the stock."""
    return popcount(PACK[s.pack]) - 2 * HAND[s.pack] - s.left


def player(s: Record) -> Int:
    """The seat to act."""
    return np.int64(s.turn)


@compiled
def _strict(s: Record) -> Int:
    """Whether suit must be followed: the stock is closed or gone."""
    return s.left == 0 or s.closer != NOBODY


def legal(s: Record) -> Int:
    """The leader's options of docs/rules.md 2.2, or the answers of 2.3."""
    hand = s.hands[s.turn]
    if s.phase == LEAD:
        return hand | _options(s, hand)
    if s.phase == DECLARED:
        return 1 << CLAIM | 1 << GO_ON
    if not _strict(s):
        return hand
    follow = hand & SUIT[s.lead // 5]
    if follow & HIGHER[s.lead]:
        return follow & HIGHER[s.lead]
    if follow:
        return follow
    trumps = hand & SUIT[s.trump]
    return trumps if trumps else hand


@compiled
def _options(s: Record, hand: Int) -> Int:
    """Marriages, exchange, closing and claiming."""
    found = 0
    if s.marriages:
        for suit in range(4):
            if hand & PAIR[suit] == PAIR[suit]:
                found |= (2 if s.marriage_lead else 3) << (MARRIAGE + 2 * suit)
    open_stock = s.closer == NOBODY and s.face != NO_CARD
    if open_stock and s.exchange_from > 0 and s.left >= s.exchange_from and hand >> (5 * s.trump + J) & 1:
        found |= 1 << EXCHANGE
    if open_stock and s.close_from > 0 and s.left >= s.close_from:
        found |= 1 << CLOSE
    if s.claim == CHOSEN and s.points[s.turn] >= 66 and s.pack == FULL:
        found |= 1 << CLAIM
    return found


def apply(s: Record, a: Int) -> None:
    """Plays a card, or takes one of the leader's options."""
    s.log[s.said] = a
    s.said += 1
    seat = np.int64(s.turn)
    if s.phase == FOLLOW:
        _answer(s, seat, a)
    elif a < MARRIAGE:
        _lead_card(s, seat, a)
    elif a < EXCHANGE:
        _marry(s, seat, a - MARRIAGE)
    elif a == EXCHANGE:
        _exchange(s, seat)
    elif a == CLOSE:
        _close(s, seat)
    elif a == CLAIM:
        _end_deal(s, seat, 1)
    else:
        s.phase = FOLLOW
        s.turn = 1 - seat


@compiled
def _lead_card(s: Record, seat: Int, card: Int) -> None:
    _play_card(s, seat, card)
    s.lead = card
    s.phase = FOLLOW
    s.turn = 1 - seat


@compiled
def _play_card(s: Record, seat: Int, card: Int) -> None:
    s.hands[seat] &= ~(1 << card)
    s.shown[seat] &= ~(1 << card)
    s.played |= 1 << card
    s.size[seat] -= 1


@compiled
def _marry(s: Record, seat: Int, which: Int) -> None:
    """Shows king and queen, leads one of them; 66 by the marriage itself ends the deal before it is answered."""
    suit = which >> 1
    gain = 40 if suit == s.trump else 20
    s.shown[seat] |= PAIR[suit]
    if s.marriage_points == PENDING:
        s.pending[seat] += gain
    else:
        s.points[seat] += gain
    _lead_card(s, seat, 5 * suit + (K if which & 1 else Q))
    if s.points[seat] >= 66 and s.marriage_points == AT_ONCE:
        if s.claim == AUTOMATIC:
            _end_deal(s, seat, 1)
        else:
            s.phase = DECLARED
            s.turn = seat


@compiled
def _exchange(s: Record, seat: Int) -> None:
    """The trump jack for the open trump card, which the other player then knows."""
    jack = 5 * np.int64(s.trump) + J
    s.hands[seat] = (s.hands[seat] & ~(1 << jack)) | 1 << s.face
    s.shown[seat] |= 1 << s.face
    s.face = jack
    s.stock[drawn(s) + s.left - 1] = jack


@compiled
def _close(s: Record, seat: Int) -> None:
    """Freezes what each would win: by the other's tricks and points for the closer, 3 or 2 for the other."""
    other = 1 - seat
    s.closer = seat
    s.stake[seat] = _reward(s, other)
    s.stake[other] = 3 if s.won[other] == 0 else 2


@compiled
def _reward(s: Record, loser: Int) -> Int:
    """Game points by the loser's state: no trick 3, under 33 points 2, else 1."""
    return 3 if s.won[loser] == 0 else 2 if s.points[loser] < 33 else 1


@compiled
def _answer(s: Record, seat: Int, card: Int) -> None:
    """Ends a trick: who takes it scores, may have won, and draws first."""
    lead = np.int64(s.lead)
    suit = card // 5
    if _strict(s):
        _note_lacks(s, seat, card)
    wins = (suit == lead // 5 and card > lead) or (suit != lead // 5 and suit == s.trump)
    winner = seat if wins else 1 - seat
    _play_card(s, seat, card)
    s.won[winner] += 1
    s.points[winner] += VALUE[card] + VALUE[lead] + s.pending[winner]
    s.pending[winner] = 0
    s.lead = NO_CARD
    s.phase = LEAD
    s.turn = winner
    if not _strict(s):
        _draw(s, winner)
        _draw(s, 1 - winner)
    if s.pack == FULL and s.points[winner] >= 66 and (s.claim == AUTOMATIC or s.size[0] == 0):
        _end_deal(s, winner, 1)
    elif s.size[0] == 0:
        # The last trick decides; who closed and has not claimed has lost.
        _end_deal(s, winner if s.closer == NOBODY else 1 - s.closer, 0)


@compiled
def _note_lacks(s: Record, seat: Int, card: Int) -> None:
    """What a forced answer shows: no higher card of the suit, no card of it, no trump."""
    suit = s.lead // 5
    if card // 5 == suit:
        if not HIGHER[s.lead] >> card & 1:
            s.lacks[seat] |= HIGHER[s.lead]
    else:
        s.lacks[seat] |= SUIT[suit]
        if card // 5 != s.trump:
            s.lacks[seat] |= SUIT[s.trump]


@compiled
def _draw(s: Record, seat: Int) -> None:
    card = np.int64(s.stock[drawn(s)])
    s.stock[drawn(s)] = NO_CARD
    s.left -= 1
    s.hands[seat] |= 1 << card
    s.memory[seat] = mix(s.memory[seat], card)
    s.size[seat] += 1
    if card == s.face:
        s.shown[seat] |= 1 << card
        s.face = NO_CARD


@compiled
def _end_deal(s: Record, winner: Int, claimed: Int) -> None:
    """Pays a deal; a match continues until somebody has enough game points."""
    if s.pack != FULL:
        if s.points[0] != s.points[1]:
            winner = 0 if s.points[0] > s.points[1] else 1
        s.paid = 1
    elif s.closer != NOBODY:
        s.paid = s.stake[winner]
    else:
        s.paid = _reward(s, 1 - winner) if claimed else 1
    s.winner = winner
    s.claimed = claimed
    s.game[winner] += s.paid
    s.deal += 1
    if s.target == 0 or s.game[winner] >= s.target:
        s.over = 1
    else:
        s.forehand = 1 - s.forehand
        deal_cards(s, s.rng)
        begin_deal(s)


def is_over(s: Record) -> Int:
    """Whether the deal or the match has ended."""
    return s.over != 0


def returns(s: Record, out: Array) -> None:
    """Game points of a deal; 1 for a match or a small version won."""
    gain = s.paid if s.target == 0 else 1
    for seat in range(2):
        out[seat] = gain if seat == s.winner else -np.int64(gain)


def stage(s: Record) -> Int:
    """The deals that are finished."""
    return np.int64(s.deal)


def standing(s: Record, out: Array) -> None:
    """How many game points each is ahead."""
    for seat in range(2):
        out[seat] = np.int64(s.game[seat]) - np.int64(s.game[1 - seat])


def stakes(s: Record, out: Array) -> None:
    """A deal brings at most three game points, a small version one."""
    out[1] = 3.0 if s.pack == FULL else 1.0
    out[0] = -out[1]


def phase(s: Record) -> Int:
    """Leading (with all that may come before it) or following."""
    return 1 if s.phase == FOLLOW else 0


def hide(s: Record, me: Int) -> None:
    """Erases the other hand, the closed part of the stock and the deals to come."""
    s.hands[1 - me] = 0
    s.memory[1 - me] = 0
    for i in range(10):
        if s.stock[i] != s.face:
            s.stock[i] = NO_CARD
    s.rng.a = 0
    s.rng.b = 0


def owners(s: Record, me: Int, plan: Record) -> None:
    """Unseen cards are the other hand and the stock; a face-down trump card has at least its suit."""
    begin(plan)
    hidden = PACK[s.pack] & ~s.played & ~s.hands[me]
    if s.face != NO_CARD:
        hidden &= ~(1 << s.face)
    size = np.int64(s.size[1 - me])
    rest = popcount(hidden) - size
    bottom = 1 if s.pack != FULL and s.left > 0 else 0
    add_place(plan, size)
    add_place(plan, rest - bottom)
    add_place(plan, bottom)
    for card in range(20):
        if hidden >> card & 1:
            row = add_card(plan, card)
            if s.lacks[1 - me] >> card & 1:
                plan.weight[row, 0] = 0.0
            if s.shown[1 - me] >> card & 1:
                plan.weight[row, 1] = 0.0
                plan.weight[row, 2] = 0.0
            if card // 5 != s.trump:
                plan.weight[row, 2] = 0.0


def fill(s: Record, me: Int, draw: Record) -> None:
    """Gives the drawn cards to the other hand and, in a random order, to the stock."""
    pool: Int = 0
    at = drawn(s)
    last = at + s.left - 1
    for i in range(draw.cards):
        if draw.place[i] == 0:
            s.hands[1 - me] |= 1 << draw.card[i]
        elif draw.place[i] == 1:
            pool |= 1 << draw.card[i]
        else:
            s.stock[last] = draw.card[i]
    code: Int = np.int64(draw.seed >> np.uint64(1))
    count = popcount(pool)
    while count > 0:
        code = mix(code, count)
        card = nth(pool, (code >> 3 & 0xFFFFFFFF) % count)
        pool ^= card
        s.stock[at] = popcount(card - 1)
        at += 1
        count -= 1
    if s.target > 0:
        s.rng.a = draw.seed
        s.rng.b = ~draw.seed


def key(s: Record, me: Int) -> Int:
    """Mixes what the seat was dealt and drew, the standing of the match and all that was done in this deal."""
    code = mix(
        s.memory[me], np.int64(s.game[0]) << 24 | np.int64(s.game[1]) << 16 | np.int64(s.forehand) << 8 | me
    )
    code = mix(code, np.int64(s.trump) << 8 | s.face)
    for i in range(s.said):
        code = mix(code, np.int64(s.log[i]))
    return code


def bounds(codes: Mapping[str, int]) -> tuple[float, float]:
    """A deal brings at most three game points, all else is won or lost."""
    return (-3.0, 3.0) if codes["pack"] == FULL and codes["target"] == 0 else (-1.0, 1.0)
