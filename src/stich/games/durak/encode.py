"""What a seat sees as numbers: our own observation, and the three feature types of document 004 (docs/rules.md 5.3).

The document's features are written without two faults of the recorded engine: the talon's size is right from the start,
and the turned card is marked where it is. A seat that is not in play counts as no neighbour.
"""

from collections.abc import Mapping

import numpy as np

from stich.core.bits import ctz, write_bits
from stich.core.contract import Array, Int, Record
from stich.core.jit import compiled
from stich.core.spec import Encoder, Field
from stich.games.durak.cards import NEXT, NO_CARD, PACK, PREV, packed
from stich.games.durak.knowledge import table_cards
from stich.games.durak.state import C4

UNKNOWN, TURNED, OUT, TABLE = -3, -4, -2, -1


def encoders(codes: Mapping[str, int]) -> tuple[Encoder, ...]:
    """All encoders for a pack and a number of players."""
    cards, players = codes["deck"], codes["players"]
    return (
        _flat(codes),
        *(_feature_type(kind, cards, players, codes["decks"]) for kind in (1, 2, 3)),
        *(_feature_type(kind, 52, players, codes["decks"], "_buffered") for kind in (1, 2, 3)),
    )


def _flat(codes: Mapping[str, int]) -> Encoder:
    cards, players, packs, hand = codes["deck"], codes["players"], codes["decks"], codes["hand"]
    return Encoder(
        "flat",
        "all that a seat knows; seats are counted from its own, cards as suit * ranks + rank",
        (
            Field("hand", cards, "own cards / packs", packs),
            Field("open", cards, "open attack cards / packs", packs),
            Field("beaten", cards, "beaten cards on the table and what beat them / packs", packs),
            Field("out", cards, "cards out of the game / packs", packs),
            Field("turned", cards, "the turned card while it is in the talon"),
            Field("chosen", cards, "the defender's card that could beat several"),
            Field("known", (players - 1) * cards, "cards known in each other hand / packs", packs),
            Field("ranks", cards // 4, "ranks on the table"),
            Field("trump", 4, "the trump suit"),
            Field("sizes", players, "cards in each hand / hand size", hand),
            Field("in play", players, "seats in play"),
            Field("defender", players, "the defender"),
            Field("opener", players, "who opened the attack and draws first"),
            Field("checked", players, "seats that have said check"),
            Field("turn", players, "the seat to act"),
            Field("room", 1, "attack cards that may still come / hand size", hand),
            Field("attacks", 1, "attack cards on the table / hand size", hand),
            Field("talon", 1, "cards in the talon / cards in all", cards * packs),
            Field("quiet", 1, "attacks that left all cards in the hands / the limit", 100),
            Field("games", 1, "games ended / games", codes["games"]),
            Field("lost", players, "games that each seat has lost / games", codes["games"]),
        ),
        high=max(1.0, cards * packs / hand),
    )


def _feature_type(kind: int, cards: int, players: int, packs: int, suffix: str = "") -> Encoder:
    name, doc = f"type{kind}{suffix}", f"feature type {kind} of document 004"
    if suffix:
        doc += " for 52 cards, those that the pack lacks marked as out"
    last = (
        Field("suit", 1, "the suit that the next player could not beat, or -1"),
        Field("checked", 1, "whether the defender has said check"),
        Field("talon", 1, "cards in the talon"),
    )
    if kind == 1:
        where = "-4 turned card, -3 unknown, -2 out, -1 on the table, k held k seats on; with two packs two a card"
        fields: tuple[Field, ...] = (Field("cards", cards * packs, where), *last)
    else:
        seats = (
            [f"seat {k}" for k in range(players)] if kind == 2 else ["own", "next player's", "previous player's"]
        )
        blocks = [Field(f"{seat} cards", cards, "how many of each are known to be there") for seat in seats]
        blocks += [Field("table", cards, "cards on the table"), Field("out", cards, "cards out of the game")]
        fields = (*blocks, last[0], Field("turned", 1, "the rank of the turned card, 0 to 12"), *last[1:])
    return Encoder(name, doc, fields, dtype="i1", low=-4.0, high=float(52 * packs))


def observe(s: Record, me: Int, which: Int, out: Array) -> None:
    """Encoder 0 is our own; then the three feature types, and the same for 52 cards."""
    if which == 0:
        _write_flat(s, me, out)
        return
    ranks = 13 if which > 3 else np.int64(s.deck) // 4
    if which == 1 or which == 4:
        _write_places(s, me, ranks, out)
    else:
        _write_blocks(s, me, ranks, which == 2 or which == 5, out)


@compiled
def _write_cards(out: Array, start: Int, once: Int, twice: Int, ranks: Int) -> None:
    """Writes how many there are of each card into a block of all cards that is 0."""
    write_bits(out, start, packed(once, ranks))
    rest = packed(twice, ranks) if twice else 0
    while rest:
        out[start + ctz(rest)] = 2
        rest &= rest - 1


@compiled
def room(s: Record) -> Int:
    """How many attack cards may still come if none is beaten."""
    to_answer = np.int64(s.attacks) if s.throw_limit == C4 else np.int64(s.attacks) - s.beaten
    return max(0, min(np.int64(s.hand) - s.attacks, s.size[s.defender] - to_answer))


@compiled
def _place(card: Int, ranks: Int) -> Int:
    """Where a card stands in a block of all cards."""
    return card // 13 * ranks + card % 13 - 13 + ranks


@compiled
def _seat(s: Record, me: Int, k: Int) -> Int:
    """The k-th seat after its own."""
    return me + k if me + k < s.players else me + k - s.players


@compiled
def _write_flat(s: Record, me: Int, out: Array) -> None:
    for i in range(len(out)):
        out[i] = 0
    ranks = np.int64(s.deck) >> 2
    players = np.int64(s.players)
    cards = 4 * ranks
    for k in range(players + 1):
        once, twice, start = s.held[me], s.twice[me], np.int64(0)
        if k == players:
            once, twice, start = s.out, s.out_twice, 3 * cards
        elif k > 0:
            seat = _seat(s, me, k)
            once, twice, start = s.shown[seat], s.shown_twice[seat], (5 + k) * cards
        _write_cards(out, start, once, twice, ranks)
    for i in range(s.beaten):
        out[2 * cards + _place(np.int64(s.attack[i]), ranks)] += 1
        out[2 * cards + _place(np.int64(s.answer[i]), ranks)] += 1
    for i in range(s.beaten, s.attacks):
        out[cards + _place(np.int64(s.attack[i]), ranks)] += 1
    if s.left > 0:
        out[4 * cards + _place(np.int64(s.turned), ranks)] = 1
    if s.card != NO_CARD:
        out[5 * cards + _place(np.int64(s.card), ranks)] = 1
    at = cards * (5 + players)
    write_bits(out, at, np.int64(s.ranks) >> 13 - ranks)
    at += ranks
    out[at + s.suit] = 1
    at += 4
    for k in range(players):
        seat = _seat(s, me, k)
        out[at + k] = s.size[seat]
        out[at + players + k] = s.active >> seat & 1
        out[at + 2 * players + k] = seat == s.defender
        out[at + 3 * players + k] = seat == s.opener
        out[at + 4 * players + k] = s.checked >> seat & 1
        out[at + 5 * players + k] = seat == s.turn
        out[at + 6 * players + 5 + k] = s.lost[seat]
    at += 6 * players
    out[at] = room(s)
    out[at + 1] = s.attacks
    out[at + 2] = s.left
    if s.quiet:
        out[at + 3] = np.int64(s.quiet) * 100 // s.quiet_limit
    out[at + 4] = s.played


@compiled
def _known(s: Record, me: Int, seat: Int) -> tuple[Int, Int]:
    """Cards that the document's features place in a hand: own ones, taken ones, the turned card once drawn.

    A trump shown only to find who begins is not among them.
    """
    if seat == me:
        return s.held[me], s.twice[me]
    return s.shown[seat] & ~(s.told & ~s.shown_twice[seat]), s.shown_twice[seat] & ~s.told


@compiled
def _mark(out: Array, once: Int, twice: Int, ranks: Int, value: Int) -> None:
    """Writes a place for each copy of a card: into the second block where the first is taken."""
    rest = packed(once, ranks)
    again = packed(twice, ranks)
    while rest:
        i = ctz(rest)
        rest &= rest - 1
        if out[i] == UNKNOWN:
            out[i] = value
        else:
            out[4 * ranks + i] = value
        if again >> i & 1:
            out[4 * ranks + i] = value


@compiled
def _write_places(s: Record, me: Int, ranks: Int, out: Array) -> None:
    """Type 1: where each card is."""
    count = 4 * ranks * np.int64(s.decks)
    for i in range(count):
        out[i] = UNKNOWN
    _mark(out, s.held[me], s.twice[me], ranks, 0)
    distance = 0
    for k in range(1, np.int64(s.players)):
        seat = _seat(s, me, k)
        if s.active >> seat & 1:
            distance += 1
            once, twice = _known(s, me, seat)
            _mark(out, once, twice, ranks, distance)
    once, twice = table_cards(s, 0, np.int64(s.attacks))
    _mark(out, once, twice, ranks, TABLE)
    lacking = PACK[13] & ~PACK[s.deck // 4]
    _mark(out, s.out | lacking, s.out_twice | (lacking if s.decks > 1 else 0), ranks, OUT)
    if s.left > 0:
        _mark(out, np.int64(1 << s.turned), np.int64(0), ranks, TURNED)
    out[count] = np.int64(s.weak[me]) - 1
    out[count + 1] = s.checked >> s.defender & 1
    out[count + 2] = s.left


@compiled
def _write_blocks(s: Record, me: Int, ranks: Int, all_seats: Int, out: Array) -> None:
    """Types 2 and 3: which cards each seat, or the two neighbours, are known to hold."""
    for i in range(len(out)):
        out[i] = 0
    hands = np.int64(s.players) if all_seats else 3
    for k in range(hands + 2):
        once, twice = _hand_block(s, me, k, hands, all_seats)
        _write_cards(out, 4 * ranks * k, once, twice, ranks)
    at = 4 * ranks * (hands + 2)
    out[at] = np.int64(s.weak[me]) - 1
    out[at + 1] = s.turned % 13
    out[at + 2] = s.checked >> s.defender & 1
    out[at + 3] = s.left


@compiled
def _hand_block(s: Record, me: Int, k: Int, hands: Int, all_seats: Int) -> tuple[Int, Int]:
    """The cards of a block of types 2 and 3: the hands, the table, what is out."""
    if k < hands:
        seat = (
            _seat(s, me, k)
            if all_seats
            else me
            if k == 0
            else NEXT[s.active, me]
            if k == 1
            else PREV[s.active, me]
        )
        return _known(s, me, seat)
    if k == hands:
        return table_cards(s, 0, np.int64(s.attacks))
    lacking = PACK[13] & ~PACK[s.deck >> 2]
    return s.out | lacking, s.out_twice | (lacking if s.decks > 1 else 0)
