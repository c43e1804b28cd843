"""The bidding of document 000, 2.5.9, and the building of the single player's hand, 2.5.7 (docs/rules.md 1.6, 1.7)."""

import numpy as np

from stich.core.bits import ctz, popcount, top
from stich.core.contract import Bool, Int, Record
from stich.core.jit import compiled
from stich.games.cego.cards import EMPTY, GEISS, RANK, SUIT, SUIT_OF, TRUMPS
from stich.games.cego.state import (
    ANSWER,
    BETTEL,
    BID,
    BIDS,
    CEGO,
    CHALLENGE,
    CHOICE,
    EINE,
    EINE_LEERE,
    EXPOSE,
    EXTRA,
    FORT,
    GEGEN,
    HALBE,
    KEEP,
    KLEINER_MANN,
    LAYOFF,
    NOBODY,
    PASS,
    PICCOLO,
    PLAY,
    RAEUBER,
    RAISE,
    SAY_BETTEL,
    SAY_GEGENSOLO,
    SAY_PICCOLO,
    SAY_RAEUBER,
    SAY_SOLO,
    SAY_ULTIMO,
    SELBER,
    SOLO,
    STANDARD,
    SWAP,
    ULTIMO,
    ZWEI_LEERE,
    ZWEI_VERSCHIEDENE,
)


@compiled
def begin_bidding(s: Record) -> None:
    """Vorhand speaks first."""
    s.phase = FORT
    s.turn = (s.dealer + 1) & 3
    s.asked = 0


@compiled
def legal_bids(s: Record) -> Int:
    """What may be said, or which card may be chosen, before the play."""
    hand = s.hands[s.turn]
    if s.phase == FORT:
        return 1 << PASS | 1 << SAY_SOLO | (1 << SAY_ULTIMO if hand >> GEISS & 1 else 0)
    if s.phase == GEGEN:
        return 1 << PASS | 1 << SAY_GEGENSOLO
    if s.phase == EXTRA:
        return 1 << PASS | 1 << SAY_PICCOLO | (1 << SAY_BETTEL if s.holder == NOBODY else 0)
    if s.phase == CHALLENGE or s.phase == RAISE:
        return 1 << PASS | (1 << BID if can_play(hand, s.level + 1) else 0)
    if s.phase == ANSWER:
        return 1 << PASS | (1 << SELBER if can_play(hand, np.int64(s.level)) else 0)
    if s.phase == CHOICE:
        return 1 << BID | 1 << SAY_RAEUBER
    return _legal_building(s, hand)


@compiled
def can_play(hand: Int, level: Int) -> Int | Bool:
    """Whether a hand has the cards that a level wants exposed; a picture may stand for an empty card."""
    suits = 0
    for suit in range(4):
        suits += 1 if hand & SUIT[suit] else 0
    if level == EINE_LEERE:
        return suits > 0
    if level == ZWEI_LEERE:
        return _paired(hand & ~TRUMPS) != 0
    if level == ZWEI_VERSCHIEDENE:
        return suits > 1
    return level < EINE_LEERE or (level == KLEINER_MANN and hand >> GEISS & 1)


@compiled
def _paired(cards: Int) -> Int:
    """The cards of suits of which there are at least two."""
    found = 0
    for suit in range(4):
        if popcount(cards & SUIT[suit]) > 1:
            found |= cards & SUIT[suit]
    return found


@compiled
def _legal_building(s: Record, hand: Int) -> Int:
    """The cards that may be exposed, kept, laid off or put in the place of an exposed one."""
    if hand == 0:  # hidden in the view of another seat
        return 0
    if s.phase == KEEP:
        return hand & ~s.exposed & ~s.kept
    if s.phase == LAYOFF:
        return hand & ~s.exposed
    if s.phase == SWAP:
        return 1 << PASS | hand & ~s.exposed & SUIT[SUIT_OF[ctz(s.swaps)]]
    if s.level == HALBE:
        return hand
    # Empty cards first; pictures only where there are not enough of them.
    plain = hand & ~TRUMPS
    empty = plain & EMPTY
    suit = SUIT[SUIT_OF[ctz(s.exposed if s.exposed else empty if empty else plain)]]
    if s.exposed:
        plain &= suit & ~s.exposed if s.level == ZWEI_LEERE else ~suit
        empty &= plain
    elif s.level == ZWEI_LEERE:
        empty = _paired(empty)
        plain = _paired(plain)
    elif s.level == ZWEI_VERSCHIEDENE and empty and not empty & ~suit:
        empty |= plain & ~suit
    return empty if empty else plain


@compiled
def say(s: Record, a: Int) -> None:
    """A bid, or a card chosen while the hand is built."""
    if a >= PASS and s.phase < EXPOSE:
        s.bids[s.said] = a
        s.said += 1
        _bid(s, a)
    else:
        _build(s, a)


@compiled
def _bid(s: Record, a: Int) -> None:
    if a == SAY_ULTIMO:
        s.geiss = s.turn
        _begin_play(s, ULTIMO, s.turn)
    elif a == SAY_SOLO:
        s.soloist = s.turn
        s.phase = GEGEN
        s.asked = 0
        s.turn = (s.turn + 1) & 3
    elif s.phase <= EXTRA:
        _bid_for_own_hand(s, a)
    elif s.phase == CHOICE:
        if a == SAY_RAEUBER:
            _begin_play(s, RAEUBER, s.holder)
        else:
            _begin_building(s)
    else:
        _bid_for_blind(s, a)


@compiled
def _bid_for_own_hand(s: Record, a: Int) -> None:
    """Phase 1 after the first word, Gegensolo, and Bettel or Piccolo when nobody wanted to play their hand."""
    if a == SAY_GEGENSOLO:
        s.gegen = 1
        _open_blind(s, s.turn)
        return
    if a in (SAY_BETTEL, SAY_PICCOLO):
        if a == SAY_BETTEL and s.overcall and s.asked < 3:
            s.holder = s.turn
        else:
            _begin_play(s, PICCOLO if a == SAY_PICCOLO else BETTEL, s.turn)
            return
    s.asked += 1
    s.turn = (s.turn + 1) & 3
    if s.phase == GEGEN and s.asked == 3:
        _begin_play(s, SOLO, s.soloist)
    elif s.phase == FORT and s.asked == 4:
        s.phase = EXTRA
        s.asked = 0
    elif s.phase == EXTRA and s.asked == 4:
        if s.holder < NOBODY:
            _begin_play(s, BETTEL, s.holder)
        else:
            _open_blind(s, s.turn)


@compiled
def _open_blind(s: Record, seat: Int) -> None:
    """The second phase: this seat holds the first level, the others may challenge it in turn."""
    s.first = seat
    s.holder = seat
    s.challenger = seat
    s.level = CEGO
    _next_challenger(s)


@compiled
def _next_challenger(s: Record) -> None:
    s.challenger = (s.challenger + 1) & 3
    if s.gegen and s.challenger == s.soloist:
        s.challenger = (s.challenger + 1) & 3
    if s.challenger != s.first:
        s.phase = CHALLENGE
        s.turn = s.challenger
    elif s.level == CEGO and not s.gegen:
        s.phase = CHOICE
        s.turn = s.holder
    else:
        _begin_building(s)


@compiled
def _bid_for_blind(s: Record, a: Int) -> None:
    """Challenger and holder in turn: one level higher, the same oneself, or pass."""
    if a == BID:
        s.level += 1
        s.phase = ANSWER
        s.turn = s.holder
    elif a == SELBER:
        s.phase = RAISE
        s.turn = s.challenger
    else:
        if s.phase == ANSWER:
            s.holder = s.challenger
        _next_challenger(s)
    if s.level == KLEINER_MANN and a != PASS:
        s.geiss = s.challenger if a == BID else s.holder


@compiled
def _begin_building(s: Record) -> None:
    """The highest bidder builds the hand as the level wants it."""
    s.single = s.holder
    s.turn = s.holder
    s.mode = STANDARD
    if s.level == KLEINER_MANN:
        s.exposed = 1 << GEISS
        s.shown = s.exposed
        _take_blind(s)
    elif s.level == CEGO or s.level == EINE:
        s.phase = KEEP
        s.need = 2 if s.level == CEGO else 1
    else:
        s.phase = EXPOSE
        s.need = 2 if s.level == ZWEI_LEERE or s.level == ZWEI_VERSCHIEDENE else 1


@compiled
def _build(s: Record, a: Int) -> None:
    """A card is exposed, kept, laid off or replaced."""
    if s.phase == SWAP:
        _swap(s, a)
    elif s.phase == LAYOFF:
        s.hands[s.single] &= ~(1 << a)
        s.legage |= 1 << a
        _offer_swaps(s)
    else:
        if s.phase == EXPOSE:
            s.exposed |= 1 << a
            s.shown = s.exposed
        else:
            s.kept |= 1 << a
        s.need -= 1
        if s.need == 0:
            if s.phase == EXPOSE and s.level == HALBE:
                s.phase = KEEP
                s.need = 1
            else:
                _take_blind(s)


@compiled
def _take_blind(s: Record) -> None:
    """All but the exposed and kept cards become the Legage, the blind becomes the hand."""
    stays = s.exposed | s.kept
    s.legage = s.hands[s.single] & ~stays
    s.hands[s.single] = stays | s.blind
    s.kept = 0
    if s.level == ZWEI_LEERE or s.level == ZWEI_VERSCHIEDENE:
        s.laid_open = _forced_off(s.blind, s.level == ZWEI_VERSCHIEDENE)
        s.legage |= s.laid_open
        s.hands[s.single] &= ~s.laid_open
    s.blind = 0
    if s.level == CEGO or s.level == HALBE:
        s.phase = LAYOFF
    else:
        _offer_swaps(s)


@compiled
def _forced_off(blind: Int, highest: Int) -> Int:
    """The lowest or highest trump of the blind; without one the lowest or highest rank, the first suit of equals."""
    pool = blind & TRUMPS
    rank = 7 if highest else 0
    while pool == 0:
        pool = blind & RANK[rank]
        rank += -1 if highest else 1
    return 1 << top(pool) if highest and pool & TRUMPS else pool & -pool


@compiled
def _offer_swaps(s: Record) -> None:
    """An exposed card may be replaced by another of its suit: in Halbe always, in the Leere by an option."""
    if s.level == HALBE or (s.replacement and (s.level == EINE_LEERE or s.level == ZWEI_LEERE)):
        s.swaps = s.exposed
    if s.swaps:
        s.phase = SWAP
    else:
        _begin_play(s, STANDARD, s.single)


@compiled
def _swap(s: Record, a: Int) -> None:
    if a != PASS:
        s.exposed = (s.exposed & ~(s.swaps & -s.swaps)) | 1 << a
        s.shown |= 1 << a
    s.swaps &= s.swaps - 1
    if s.swaps == 0:
        _begin_play(s, STANDARD, s.single)


@compiled
def _begin_play(s: Record, mode: Int, single: Int) -> None:
    """The single player leads, or Vorhand by an option where no card is exposed."""
    s.mode = mode
    s.single = single
    s.phase = PLAY
    s.turn = (s.dealer + 1) & 3 if s.leader and s.exposed == 0 else single
    s.leads[0] = s.turn


@compiled
def clear_bidding(s: Record) -> None:
    """As before the first word."""
    for i in range(BIDS):
        s.bids[i] = 0
    s.laid_open = 0
    s.kept = 0
    s.exposed = 0
    s.shown = 0
    s.swaps = 0
    s.said = 0
    s.asked = 0
    s.soloist = NOBODY
    s.gegen = 0
    s.first = NOBODY
    s.holder = NOBODY
    s.challenger = NOBODY
    s.level = 0
    s.need = 0
    s.geiss = NOBODY
