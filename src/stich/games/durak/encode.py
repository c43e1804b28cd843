"""What a seat sees as numbers: our own observation, and the three feature types of document 004 (RULES.md 5.3).

The document's features are written without two faults of the recorded engine: the talon's size is right from the start,
and the turned card is marked where it is. A seat that is not in play counts as no neighbour.
"""

from collections.abc import Mapping

import numpy as np

from stich.core.bits import ctz
from stich.core.contract import Array, Encoder, Field, Int, Record
from stich.core.jit import compiled
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
        "all that a seat knows; seats are counted from the own one, cards as suit * ranks + rank",
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
def _add(out: Array, start: Int, mask: Int, ranks: Int) -> Int:
    """Adds one for each card of a mask to a block of all cards; returns where the next block starts."""
    rest = packed(mask, ranks)
    while rest:
        out[start + ctz(rest)] += 1
        rest &= rest - 1
    return start + 4 * ranks


@compiled
def _add_pair(out: Array, start: Int, once: Int, twice: Int, ranks: Int) -> Int:
    if twice:
        _add(out, start, twice, ranks)
    return _add(out, start, once, ranks)


@compiled
def room(s: Record) -> Int:
    """How many attack cards may still come if none is beaten."""
    to_answer = np.int64(s.attacks) if s.throw_limit == C4 else np.int64(s.attacks) - s.beaten
    return max(0, min(np.int64(s.hand) - s.attacks, s.size[s.defender] - to_answer))


@compiled
def _write_flat(s: Record, me: Int, out: Array) -> None:
    for i in range(len(out)):
        out[i] = 0
    ranks = np.int64(s.deck) // 4
    players = np.int64(s.players)
    at = _add_pair(out, 0, s.held[me], s.twice[me], ranks)
    once, twice = table_cards(s, np.int64(s.beaten), np.int64(s.attacks))
    at = _add_pair(out, at, once, twice, ranks)
    once, twice = table_cards(s, 0, np.int64(s.beaten))
    at = _add_pair(out, at, once, twice, ranks)
    at = _add_pair(out, at, s.out, s.out_twice, ranks)
    at = _add(out, at, np.int64(1 << s.turned if s.left > 0 else 0), ranks)
    at = _add(out, at, np.int64(1 << s.card if s.card != NO_CARD else 0), ranks)
    for k in range(1, players):
        seat = (me + k) % players
        at = _add_pair(out, at, s.shown[seat], s.shown_twice[seat], ranks)
    for rank in range(ranks):
        out[at + rank] = s.ranks >> (13 - ranks + rank) & 1
    at += ranks
    out[at + s.suit] = 1
    at += 4
    for k in range(players):
        seat = (me + k) % players
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
    out[at + 3] = np.int64(s.quiet) * 100 // s.quiet_limit
    out[at + 4] = s.played


@compiled
def known_hand(s: Record, me: Int, seat: Int) -> Int:
    """Cards that the document's features place in a hand: own ones, taken ones, the turned card once drawn."""
    return s.held[me] if seat == me else s.shown[seat] & ~s.told


@compiled
def _known_twice(s: Record, me: Int, seat: Int) -> Int:
    return s.twice[me] if seat == me else s.shown_twice[seat]


@compiled
def _mark(out: Array, once: Int, twice: Int, ranks: Int, value: Int) -> None:
    """Writes a place for each copy of a card: into the second block where the first is taken."""
    for copies in (packed(once, ranks), packed(twice, ranks)):
        rest = copies
        while rest:
            i = ctz(rest)
            rest &= rest - 1
            if out[i] == UNKNOWN:
                out[i] = value
            else:
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
        seat = (me + k) % np.int64(s.players)
        if s.active >> seat & 1:
            distance += 1
            _mark(out, known_hand(s, me, seat), _known_twice(s, me, seat), ranks, distance)
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
    at = np.int64(0)
    if all_seats:
        for k in range(s.players):
            seat = (me + k) % s.players
            at = _add_pair(out, at, known_hand(s, me, seat), _known_twice(s, me, seat), ranks)
    else:
        for seat in (me, NEXT[s.active, me], PREV[s.active, me]):
            at = _add_pair(out, at, known_hand(s, me, seat), _known_twice(s, me, seat), ranks)
    once, twice = table_cards(s, 0, np.int64(s.attacks))
    at = _add_pair(out, at, once, twice, ranks)
    lacking = PACK[13] & ~PACK[s.deck // 4]
    at = _add_pair(out, at, s.out | lacking, s.out_twice | (lacking if s.decks > 1 else 0), ranks)
    out[at] = np.int64(s.weak[me]) - 1
    out[at + 1] = s.turned % 13
    out[at + 2] = s.checked >> s.defender & 1
    out[at + 3] = s.left
