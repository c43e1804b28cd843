"""The rules of Cego."""

from collections.abc import Mapping

import numpy as np

from stich.core.bits import nth, popcount
from stich.core.contract import Array, Int, Record
from stich.core.jit import compiled
from stich.core.rng import below, mix, next64
from stich.core.sampler import add_card, add_place, begin
from stich.games.cego.bidding import begin_bidding, clear_bidding, legal_bids, say
from stich.games.cego.cards import ALL, GEISS, HALVES, HIGH, LOW, POWER, SUIT, SUIT_OF, TRUMP, TRUMPS
from stich.games.cego.deal import build_standard, single_hand, some
from stich.games.cego.scoring import add_score
from stich.games.cego.state import (
    BETTEL,
    CEGO,
    EXPOSE,
    KEEP,
    LAYOFF,
    NO_CARD,
    NOBODY,
    PICCOLO,
    PLAY,
    STANDARD,
    ULTIMO,
)

ENGINE, AT_ONCE, NEVER = range(3)


def deal(s: Record, rng: Record) -> None:
    """A fresh game: the sub-game's deal with its hand condition, or the first deal of the whole game."""
    for seat in range(4):
        s.score[seat] = 0
    s.deal = 0
    s.over = 0
    s.rng.a = 0
    s.rng.b = 0
    if s.subgame == 0:
        s.dealer = below(rng, 4)
        if s.deals > 1:
            s.rng.a = next64(rng)
            s.rng.b = next64(rng) | np.uint64(1)
    else:
        s.dealer = 3
    _deal_cards(s, rng)
    begin_deal(s)
    if s.subgame == STANDARD:
        build_standard(s, rng)


@compiled
def _deal_cards(s: Record, rng: Record) -> None:
    own = single_hand(np.int64(s.subgame), np.int64(s.heuristic), rng)
    left = ALL & ~own
    s.hands[0] = own
    for seat in range(1, 4):
        s.hands[seat] = some(left, 11, rng)
        left &= ~s.hands[seat]
    s.blind = left


@compiled
def begin_deal(s: Record) -> None:
    """Clears all that belongs to one deal; hands, blind and dealer stand."""
    _clear_play(s)
    s.legage = 0
    s.mode = s.subgame
    s.single = 0
    s.phase = PLAY
    s.turn = 0
    clear_bidding(s)
    if s.subgame == 0:
        begin_bidding(s)
    if s.mode == ULTIMO:
        s.geiss = 0
    _begin_trick(s)


@compiled
def _clear_play(s: Record) -> None:
    """As before the first card."""
    for seat in range(4):
        s.voids[seat] = 0
        s.points[seat] = 0
        s.won[seat] = 0
    for i in range(44):
        s.plays[i] = 0
    for i in range(12):
        s.leads[i] = 0
    s.played = 0
    s.tricks = 0
    s.made = 0


@compiled
def _begin_trick(s: Record) -> None:
    s.leads[s.tricks] = s.turn
    s.cards = 0
    s.lead = 0
    s.winner = s.turn
    s.best = NO_CARD
    s.power = 0
    s.pot = 0


def player(s: Record) -> Int:
    """The seat to act."""
    return np.int64(s.turn)


def legal(s: Record) -> Int:
    """Follow suit, else trump, else anything (docs/rules.md 1.3); before the play what the phase allows."""
    if s.phase != PLAY:
        return legal_bids(s)
    hand = s.hands[s.turn]
    if s.cards == 0:
        return s.exposed if s.exposed else hand
    follow = hand & SUIT[s.lead]
    if follow:
        return follow
    trumps = hand & TRUMPS
    return trumps if trumps else hand


def apply(s: Record, a: Int) -> None:
    """Plays a card, bids, or chooses a card for the hand."""
    if s.phase != PLAY:
        say(s, a)
        return
    seat = np.int64(s.turn)
    suit = SUIT_OF[a]
    s.plays[4 * s.tricks + s.cards] = a
    s.hands[seat] &= ~(1 << a)
    s.played |= 1 << a
    s.pot += HALVES[a]
    if s.cards == 0:
        s.lead = suit
        if s.exposed >> a & 1:  # it cannot win: unless somebody follows or trumps, the next seat takes the trick
            s.exposed &= ~(1 << a)
            s.winner = (seat + 1) & 3
        else:
            _leads_now(s, seat, a)
    else:
        if suit != s.lead:
            s.voids[seat] |= SUIT[s.lead] | (TRUMPS if suit != TRUMP else 0)
        if POWER[s.lead, a] > s.power:
            _leads_now(s, seat, a)
    s.cards += 1
    s.turn = (seat + 1) & 3
    too_early = s.mode == ULTIMO and a == GEISS and s.tricks < 10 and s.ultimo_stop != NEVER
    if s.cards == 4 or too_early:
        _end_trick(s, too_early)


@compiled
def _leads_now(s: Record, seat: Int, a: Int) -> None:
    s.winner = seat
    s.best = a
    s.power = POWER[s.lead, a]


@compiled
def _end_trick(s: Record, too_early: Int) -> None:
    """Credits a full trick; the deal ends with the cards, or when the single player can no longer win.

    The document's engine stops an Ultimo in the middle of the trick to which the 1 of trumps was played too early,
    but plays on when it was the fourth card.
    """
    lost = too_early
    if s.cards == 4:
        seat = np.int64(s.winner)
        s.points[seat] += s.pot >> 1
        s.won[seat] += 1
        s.tricks += 1
        if s.mode == ULTIMO:
            lost = too_early and s.ultimo_stop == AT_ONCE
            s.made = s.tricks == 11 and s.best == GEISS
        elif s.mode == BETTEL:
            lost = s.won[s.single] > 0
        elif s.mode == PICCOLO:
            lost = s.won[s.single] > 1
        s.turn = s.single if s.exposed else seat
        _begin_trick(s)
    if lost or s.tricks == 11:
        _end_deal(s)


@compiled
def _end_deal(s: Record) -> None:
    """A sub-game is over; the whole game writes the deal down and begins the next."""
    if s.subgame > 0:
        s.over = 1
        return
    add_score(s)
    s.deal += 1
    if s.deal == s.deals:
        s.over = 1
    else:
        s.dealer = (s.dealer + 1) & 3
        _deal_cards(s, s.rng)
        begin_deal(s)


def is_over(s: Record) -> Int:
    """Whether the sub-game or the last deal has ended."""
    return s.over != 0


def secret(s: Record) -> Int:
    """Cards kept and laid off are not shown."""
    return s.phase == KEEP or s.phase == LAYOFF


def stage(s: Record) -> Int:
    """The deals that are finished."""
    return np.int64(s.deal)


def stakes(s: Record, out: Array) -> None:
    """What most deals of the whole game bring at most; a sub-game has bounds."""
    out[0] = 0.0
    out[1] = 0.0
    if s.subgame == 0:
        out[1] = 240.0 if s.zero_sum else 80.0
        out[0] = -out[1]


def phase(s: Record) -> Int:
    """Bidding, building the hand, or playing a card."""
    return 2 if s.phase == PLAY else 1 if s.phase >= EXPOSE else 0


def hide(s: Record, me: Int) -> None:
    """Erases the other hands, the blind, what others have laid off or kept, and the deals to come."""
    for seat in range(4):
        if seat != me:
            s.hands[seat] = 0
    if me != s.single or s.mode != STANDARD:
        s.legage = 0
        s.kept = 0
    s.blind = 0
    s.rng.a = 0
    s.rng.b = 0


@compiled
def hand_size(s: Record, seat: Int) -> Int:
    """How many cards a seat holds, from public knowledge alone."""
    if s.phase == LAYOFF and seat == s.single:
        return 12
    return 11 - s.tricks - (1 if (seat - s.leads[s.tricks]) & 3 < s.cards else 0)


@compiled
def _knows_legage(s: Record, me: Int) -> Int:
    return s.mode == STANDARD and me == s.single


@compiled
def _cards_of(s: Record, seat: Int) -> Int:
    """The cards that a seat has played in this deal."""
    cards = 0
    for i in range(4 * np.int64(s.tricks) + s.cards):
        if (s.leads[i >> 2] + i) & 3 == seat:
            cards |= 1 << s.plays[i]
    return cards


@compiled
def _dealt_by_kind(s: Record, me: Int) -> Int:
    """Whether the others know that the single player was dealt low cards, in Piccolo and one high card."""
    return s.heuristic and s.subgame in (BETTEL, PICCOLO) and me != s.single


def owners(s: Record, me: Int, plan: Record) -> None:
    """Each unseen card may be in another hand or in the cards out of play: the blind, or another's Legage.

    The one high card of a Piccolo by the hand condition is a place of its own.
    """
    begin(plan)
    hidden = ALL & ~s.played & ~s.hands[me] & ~s.laid_open
    if _knows_legage(s, me):
        hidden &= ~s.legage
    by_kind = _dealt_by_kind(s, me)
    high = 1 if by_kind and s.subgame == PICCOLO and not _cards_of(s, np.int64(s.single)) & HIGH else 0
    rest = popcount(hidden)
    for k in range(1, 4):
        seat = (me + k) & 3
        size = hand_size(s, seat)
        rest -= size
        add_place(plan, size - (high if seat == s.single else 0))
    add_place(plan, rest)
    add_place(plan, high)
    for card in range(54):
        if hidden >> card & 1:
            row = add_card(plan, card)
            holder: Int = NOBODY  # who is known to have it
            if s.shown >> card & 1:
                holder = np.int64(s.single)
            elif card == GEISS:
                holder = np.int64(s.geiss)
            for k in range(3):
                seat = (me + 1 + k) & 3
                not_dealt = by_kind and seat == s.single and HIGH >> card & 1
                if (holder != NOBODY and seat != holder) or s.voids[seat] >> card & 1 or not_dealt:
                    plan.weight[row, k] = 0.0
            if holder != NOBODY:
                plan.weight[row, 3] = 0.0
            if LOW >> card & 1 or s.voids[s.single] >> card & 1:
                plan.weight[row, 4] = 0.0


def fill(s: Record, me: Int, draw: Record) -> None:
    """Gives the drawn cards to the other hands and to what is out of play."""
    taken = s.mode == STANDARD and s.phase >= LAYOFF
    if taken and not _knows_legage(s, me):
        s.legage = s.laid_open
    for i in range(draw.cards):
        bit = 1 << draw.card[i]
        if draw.place[i] < 3:
            s.hands[(me + 1 + draw.place[i]) & 3] |= bit
        elif draw.place[i] == 4:
            s.hands[s.single] |= bit
        elif taken:
            s.legage |= bit
        else:
            s.blind |= bit
    if s.phase == KEEP and s.level == CEGO and s.need == 1 and me != s.single:
        s.kept = nth(s.hands[s.single], np.int64(draw.seed >> np.uint64(8)) % 11)
    if s.subgame == 0 and s.deals > 1:
        s.rng.a = draw.seed
        s.rng.b = ~draw.seed


def rewind(s: Record, past: Array, rng: Record) -> Int:
    """Back to the first card of the deal; nowhere where cards were laid open before it."""
    count = 4 * np.int64(s.tricks) + s.cards
    if s.shown or count == 0:
        return 0
    for seat in range(4):
        s.hands[seat] |= _cards_of(s, seat)
    for i in range(count):
        past[i] = s.plays[i]
    s.turn = s.leads[0]
    _clear_play(s)
    _begin_trick(s)
    return count


def key(s: Record, me: Int) -> Int:
    """Mixes its own cards, the standing of the match and all that has been said, shown and played in this deal."""
    code = mix(s.hands[me], np.int64(s.deal) << 16 | np.int64(s.dealer) << 8 | me)
    code = mix(code, np.int64(s.score[0]) << 32 | np.int64(s.score[1]) & 0xFFFFFFFF)
    code = mix(code, np.int64(s.score[2]) << 32 | np.int64(s.score[3]) & 0xFFFFFFFF)
    if _knows_legage(s, me):
        code = mix(mix(code, s.legage), s.kept)
    if s.subgame == 0:
        for i in range(s.said):
            code = mix(code, np.int64(s.bids[i]))
        code = mix(mix(code, s.shown), s.laid_open)
        code = mix(code, np.int64(s.phase) << 8 | s.need)
    for i in range(4 * s.tricks + s.cards):
        code = mix(code, np.int64(s.plays[i]))
    return code


def bounds(codes: Mapping[str, int]) -> tuple[float, float]:
    """A sub-game is won or lost, or counted to 79; a deal of the whole game brings at most 8 x 40."""
    if codes["subgame"] == 0:
        most = 320.0 * codes["deals"] * (3 if codes["zero_sum"] else 1)
        return -most, most
    return 0.0, 79.0 if codes["reward"] == 0 and codes["subgame"] <= 2 else 1.0


def sum_of_returns(codes: Mapping[str, int]) -> float | None:
    """Räuber always has three winners; the whole game sums to nothing where it is played so."""
    if codes["subgame"] == 6:
        return 3.0
    return 0.0 if codes["subgame"] == 0 and codes["zero_sum"] else None
