"""The feature vectors of document 001 (6.7, 7.1; docs/rules.md 2.7), put together from named segments.

A row rates a move: a card, or a marriage led with a card. The document decides about closing and exchanging with
after-states (end of 7.1): it compares all cards that can be led, once with and once without closing, once with and once
without exchanging. So `exchange` and `close` have no rows of their own; they prepare moves (`prepares`), and the
rows of the cards led after them stand for them. The document claims 66 whenever it can: rows that rate moves need
`claim=automatic`.

The document's list has no trump suit although it is to determine the state, and leaves the order of cards open. So
cards stand in an order that shows trumps: the trump suit first, then the other suits in the order S H C D, each
J Q K T A (less in the small versions). In the symmetric form the suit of the rated card follows the trump suit.

The number `which` of such an encoder: bits 4 to 22 the segments, 24 and 25 the two forms, from 28 on how many last
tricks.
"""

import re
from collections.abc import Mapping

import numpy as np

from stich.core.bits import ctz, popcount, write_bits
from stich.core.contract import Array, Bool, Int, Record
from stich.core.errors import StichError
from stich.core.jit import compiled
from stich.core.spec import Encoder, Field
from stich.games.schnapsen.cards import CARDS, FULL, HAND, NO_CARD, PACK, VALUE, K, Q
from stich.games.schnapsen.state import CLOSE, EXCHANGE, FOLLOW, MARRIAGE, NOBODY

HALF = (66.0, 28.5, 19.0)
"""What points are divided by: 66, and half of all points where most points win."""

RANKS_IN = np.array([5, 4, 4], np.int64)
"""How many ranks each pack has."""
CARD_OF = np.full(32, NO_CARD, np.int64)
"""The card that an action plays."""
CARD_OF[: len(CARDS)] = np.arange(len(CARDS))
for suit in range(4):
    CARD_OF[MARRIAGE + 2 * suit : MARRIAGE + 2 * suit + 2] = 5 * suit + Q, 5 * suit + K

SEGMENTS = {
    "played": "cards played, the card to answer included",
    "hand": "own cards",
    "action": "the card that is rated",
    "marriage": "whether a marriage is declared in this trick",
    "face": "the rank of the open trump card, J to A",
    "points": "own and other trick points",
    "no_tricks": "1 while the player has no trick",
    "game": "own and other game points / 7",
    "closed": "whether the stock is closed",
    "payoff": "game points of self and other for winning the closed deal / 3, zero before",
    "left": "cards in the stock, as a part of its first size",
    "led_first": "whether the player led the first trick",
    "known": "the other's cards that the player knows, own cards that the other knows: 5 trumps, Q K of each suit",
    "last": "the last n tricks, newest first: its two cards, and whether the player won it",
    "led": "the card to answer",
    "unseen": "cards that may be in the stock or, unknown, in the other hand",
    "match_suit": "whether suit must be followed",
    "leads_next": "whether the rated answer wins the trick",
    "belief": "the probability that the other holds a card (here without a policy; see belief.py)",
}
NAMES = tuple(SEGMENTS)
FULL_ONLY = {"marriage", "face", "game", "closed", "payoff", "known"}
FORMS = {
    "after": "segments tell of the position after the rated answer: the trick is decided, nothing drawn",
    "symmetric": "the action as 5 ranks and whether it is a trump; its suit stands after the trump suit",
}

COMPOSED = 16
"""The numbers of composed encoders start here."""
(PLAYED, HAND_CARDS, ACTION, MARRIED, FACE, POINTS, NO_TRICKS, GAME_POINTS, CLOSED, PAYOFF, LEFT) = range(11)
(LED_FIRST, KNOWN, LAST, LED, UNSEEN, MATCH_SUIT, LEADS_NEXT, BELIEF) = range(11, 19)
"""The segments in their order, which is that of `SEGMENTS`."""
AFTER, SYMMETRIC, TRICKS_AT = 1 << 24, 1 << 25, 28
BIT = {name: COMPOSED << i for i, name in enumerate(NAMES)} | {"after": AFTER, "symmetric": SYMMETRIC}

_COMMON = (
    "marriage",
    "face",
    "points",
    "no_tricks",
    "game",
    "closed",
    "payoff",
    "left",
    "led_first",
    "known",
    "last",
)
PRESETS = {
    "q1": ("played", "hand", "action", *_COMMON),
    "q2": ("played", "hand", "action", *_COMMON, "led"),
    "q2-after": ("after", "played", "hand", *_COMMON, "leads_next"),
    "q1-symmetric": ("symmetric", "played", "hand", "action", *_COMMON),
    "mini-q1": ("played", "hand", "action", "points", "left"),
    "mini-q2": ("played", "hand", "action", "points", "left", "led"),
}
"""The vectors of 7.1 for the leading and the following player, their reduced forms, and those of 6.7."""


def compose(codes: Mapping[str, int], name: str) -> tuple[int, Encoder]:
    """The encoder of a name like `q1(n=2)`, `played+hand+last(3)` or `q2(n=0)+belief`, with its number."""
    pack = codes["pack"]
    chosen, tricks = _parse(name)
    which = sum(BIT[segment] for segment in chosen) | tricks << TRICKS_AT
    moves = not chosen.isdisjoint({"action", "leads_next", "after", "symmetric"})
    if pack != FULL and (odd := FULL_ONLY & chosen):
        raise StichError(f"{name}: the small versions have no {', '.join(sorted(odd))}; use mini-q1 or mini-q2")
    if moves and codes["claim"]:
        raise StichError(f"{name} rates moves, and rates no claims: play with claim=automatic")
    fields = tuple(
        Field(segment, _size(segment, chosen, tricks, pack), SEGMENTS[segment], _scale(segment, pack))
        for segment in NAMES
        if segment in chosen
    )
    dtype = "f4" if "belief" in chosen else "u1"
    return which, Encoder(
        name, "composed of segments of document 001", fields, dtype=dtype, high=15.0, moves=moves
    )


def _parse(name: str) -> tuple[set[str], int]:
    """The segments and forms that a name asks for, and how many last tricks."""
    chosen: list[str] = []
    tricks = 0
    for term in name.split("+"):
        found = re.fullmatch(r"\s*([a-z0-9_-]+)\s*(?:\(\s*(?:n\s*=\s*)?(\d+)\s*\))?\s*", term)
        word, count = found.groups() if found else (term, None)
        parts = PRESETS.get(word, (word,))
        if not BIT.keys() >= set(parts):
            raise StichError(
                f"{term.strip()!r} is no segment or vector of Schnapsen; segments: {', '.join(NAMES)}; "
                f"forms: {', '.join(FORMS)}; vectors: {', '.join(PRESETS)} (joined by +)"
            )
        if ("last" in parts) != (count is not None) or int(count or 0) > 10:
            wants = "a number of last tricks from 0 to 10, like" if "last" in parts else "no number:"
            raise StichError(f"{term.strip()!r}: {word} takes {wants} {word}{'(2)' if 'last' in parts else ''}")
        chosen += parts
        tricks += int(count or 0)
    if twice := {segment for segment in chosen if chosen.count(segment) > 1}:
        raise StichError(f"{name} has {', '.join(sorted(twice))} twice")
    return set(chosen), tricks


def _size(segment: str, chosen: set[str], tricks: int, pack: int) -> int:
    """How many numbers a segment has."""
    ranks, cards = int(RANKS_IN[pack]), int(PACK[pack]).bit_count()
    if segment == "action" and "symmetric" in chosen:
        return ranks + 1
    if segment in ("played", "hand", "action", "led", "unseen", "belief"):
        return cards
    return {"face": 5, "points": 2, "game": 2, "payoff": 2, "known": 22, "last": (cards + 1) * tricks}.get(
        segment, 1
    )


def _scale(segment: str, pack: int) -> float:
    """What a segment's numbers are divided by."""
    stock = int(PACK[pack]).bit_count() - 2 * int(HAND[pack])
    return {"points": HALF[pack], "game": 7.0, "payoff": 3.0, "left": float(stock)}.get(segment, 1.0)


def prepares(s: Record, a: Int) -> Bool:
    """Exchanging and closing are rated by the cards led after them."""
    return a in (EXCHANGE, CLOSE)


def observe_move(s: Record, me: Int, a: Int, which: Int, out: Array) -> None:
    """The row of a composed encoder that rates action `a`; without a rated action (-1) the state alone."""
    write_features(s, me, CARD_OF[a] if a >= 0 else np.int64(NO_CARD), MARRIAGE <= a < EXCHANGE, which, out)


@compiled
def beats(card: Int, lead: Int, trump: Int) -> Bool:
    """Whether an answer takes the trick."""
    if card // 5 == lead // 5:
        return card > lead
    return card // 5 == trump


@compiled
def _to_front(cards: Int, start: Int, width: Int, front: Int) -> Int:
    """Moves `width` bits at `start` down to `front`; what stood between moves up."""
    between = cards & ((1 << start) - (1 << front))
    block = cards & ((1 << (start + width)) - (1 << start))
    return cards ^ between ^ block ^ (between << width) ^ (block >> (start - front))


@compiled
def in_order(s: Record, which: Int, card: Int, cards: Int) -> Int:
    """A mask of cards as bits of a segment: trumps first, in the symmetric form then the suit of the rated card."""
    width = RANKS_IN[s.pack]
    if s.pack != FULL:
        cards = cards & 0xF | cards >> 1 & 0xF0 | cards >> 2 & 0xF00
    trump, suit = np.int64(s.trump), card // 5
    cards = _to_front(cards, trump * width, width, 0)
    if which & SYMMETRIC and card != NO_CARD and suit != trump:
        cards = _to_front(cards, (suit + (suit < trump)) * width, width, width)
    return cards


@compiled
def unseen(s: Record, me: Int) -> Int:
    """The cards of which a seat does not know where they are."""
    face = 1 << s.face if s.face != NO_CARD else 0
    return PACK[s.pack] & ~(s.hands[me] | s.played | s.shown[1 - me] | face)


@compiled
def write_features(s: Record, me: Int, card: Int, marries: Bool, which: Int, out: Array) -> None:
    """The segments of `which` one after the other, for a rated card (or NO_CARD)."""
    for i in range(len(out)):
        out[i] = 0
    other = 1 - me
    ranks = RANKS_IN[s.pack]
    size = popcount(PACK[s.pack])
    lead = np.int64(s.lead)
    rated = 1 << card if card != NO_CARD else 0
    wins = s.phase == FOLLOW and rated != 0 and beats(card, lead, np.int64(s.trump))
    after = s.phase == FOLLOW and which & AFTER != 0
    gone = rated if after else 0
    at: Int = 0
    for segment in range(19):
        if not which & COMPOSED << segment:
            continue
        # A segment is a mask of cards, one number or two, or writes itself and says where it ends.
        cards: Int = -1
        number: Int | Bool = 0
        second: Int = -1
        end: Int = -1
        if segment == PLAYED:
            cards = s.played | gone
        elif segment == HAND_CARDS:
            cards = s.hands[me] & ~gone
        elif segment == ACTION and which & SYMMETRIC:
            # Its rank, and whether it is a trump.
            end = at + ranks + 1
            if card != NO_CARD:
                out[at + card % 5] = 1
                out[end - 1] = card // 5 == s.trump
        elif segment == ACTION:
            cards = rated
        elif segment == MARRIED:
            number = marries or _declared(s)
        elif segment == FACE:
            end = at + 5
            if s.face != NO_CARD:
                out[at + s.face % 5] = 1
        elif segment == POINTS:
            number, second = s.points[me], s.points[other]
            if after and wins:
                number += VALUE[card] + VALUE[lead] + s.pending[me]
            elif after:
                second += VALUE[card] + VALUE[lead] + s.pending[other]
        elif segment == NO_TRICKS:
            number = s.won[me] == 0 and not (after and wins)
        elif segment == GAME_POINTS:
            number, second = s.game[me], s.game[other]
        elif segment == CLOSED:
            number = s.closer != NOBODY
        elif segment == PAYOFF:
            number, second = s.stake[me], s.stake[other]
        elif segment == LEFT:
            number = s.left
        elif segment == LED_FIRST:
            number = s.forehand == me
        elif segment == KNOWN:
            theirs = _eleven(in_order(s, which, card, s.shown[other]))
            write_bits(out, at, theirs | _eleven(in_order(s, which, card, s.shown[me] & ~gone)) << 11)
            end = at + 22
        elif segment == LAST:
            end = _write_last(s, me, card, which, at, size, out)
        elif segment == LED:
            cards = 1 << lead if s.phase == FOLLOW else 0
        elif segment == UNSEEN:
            cards = unseen(s, me)
        elif segment == MATCH_SUIT:
            number = s.left == 0 or s.closer != NOBODY
        elif segment == LEADS_NEXT:
            number = wins
        else:
            _write_even_belief(s, me, card, which, at, out)
            cards = s.shown[other]
        if end >= 0:
            at = end
        elif cards >= 0:
            write_bits(out, at, in_order(s, which, card, cards))
            at += size
        else:
            out[at] = number
            at += 1
            if second >= 0:
                out[at] = second
                at += 1


@compiled
def _card_before(s: Record, i: Int) -> Int:
    """Where in the log the last card before place `i` stands; -1 where there is none."""
    i -= 1
    while i >= 0 and CARD_OF[s.log[i]] == NO_CARD:
        i -= 1
    return i


@compiled
def _declared(s: Record) -> Int:
    """Whether the card to answer was led as a marriage."""
    return s.lead != NO_CARD and s.log[_card_before(s, np.int64(s.said))] >= MARRIAGE


@compiled
def _eleven(ordered: Int) -> Int:
    """Of cards in order the five trumps, then queen and king of the three other suits."""
    return ordered & 31 | (ordered >> 6 & 3) << 5 | (ordered >> 11 & 3) << 7 | (ordered >> 16 & 3) << 9


@compiled
def _write_last(s: Record, me: Int, card: Int, which: Int, at: Int, size: Int, out: Array) -> Int:
    """The last tricks, newest first; in the after-form the trick that the rated answer ends is the newest.

    Read back from the log: who leads now won the last trick, who led that one won the trick before.
    """
    end = at + (which >> TRICKS_AT) * (size + 1)
    trump = np.int64(s.trump)
    i: Int = np.int64(s.said)
    winner = np.int64(s.turn if s.phase != FOLLOW else 1 - s.turn)
    answer: Int = card if s.phase == FOLLOW and which & AFTER else NO_CARD
    if s.lead != NO_CARD and answer == NO_CARD:
        i = _card_before(s, i)
    while at < end:
        fresh = answer != NO_CARD
        if not fresh:
            i = _card_before(s, i)
            if i < 1:
                break
            answer = CARD_OF[s.log[i]]
        i = _card_before(s, i)
        lead = CARD_OF[s.log[i]]
        takes = beats(answer, lead, trump)
        write_bits(out, at, in_order(s, which, card, 1 << lead | 1 << answer))
        out[at + size] = takes if fresh else winner == me
        if takes and not fresh:
            winner = 1 - winner
        answer = NO_CARD
        at += size + 1
    return end


@compiled
def _write_even_belief(s: Record, me: Int, card: Int, which: Int, at: Int, out: Array) -> None:
    """What can be believed without a policy: all cards that the other may hold, beside the known ones, alike."""
    rest = in_order(s, which, card, unseen(s, me) & ~s.lacks[1 - me])
    missing = s.size[1 - me] - popcount(s.shown[1 - me])
    count = popcount(rest)
    while rest:
        out[at + ctz(rest)] = missing / count
        rest &= rest - 1
