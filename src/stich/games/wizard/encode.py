"""Observations: our own for all rounds and phases, and the two inputs of document 003 (docs/rules.md 4.3).

The document has four players; for other numbers its blocks of four become blocks of that many.
"""

from collections.abc import Mapping

import numpy as np

from stich.core.bits import popcount, top, write_bits
from stich.core.contract import Array, Int, Record
from stich.core.jit import compiled
from stich.core.spec import Encoder, Field
from stich.games.wizard.cards import NO_CARD, SUIT, WIZARD
from stich.games.wizard.state import BID, PLAY, ROUNDS, unseen, wrap

FLAT, BIDDING, PLAYING = range(3)
NEEDS = 7
"""How many tricks are missing: too many taken, 0, 1, 2, 3, 4, more."""
SURPLUS = 9
"""All bids less the tricks there are: from 4 too few to 4 too many."""


def encoders(codes: Mapping[str, int]) -> tuple[Encoder, ...]:
    """The encoders by the number of players; the document's fit the chosen round, else the largest."""
    players = codes["players"]
    rounds = 60 // players
    fixed = codes["round"]
    shorter = "" if fixed else "; in a smaller round the blocks are as long as it needs, and zeros follow"
    return (_flat_fields(players, rounds), *_document(players, fixed or rounds, shorter))


def _flat_fields(players: int, rounds: int) -> Encoder:
    seats = "self, next, and so on in playing order"
    return Encoder(
        "flat",
        "our own, the same for all rounds and phases; seats are counted from its own in playing order",
        (
            Field("hand", 60, "own cards"),
            Field("unseen", 60, "cards whose place is not known: other hands or the rest of the pack"),
            Field("masters", 60, "own suit cards that no unseen card of their suit beats"),
            Field("table", 60 * (players - 1), "cards of the running trick by next, second next, ..."),
            Field("best", 60, "the card that is winning the running trick"),
            Field("winner", players, f"who played it: {seats}"),
            Field("phase", 3, "choose trump, bid, play"),
            Field("trump", 5, "S H C D, none"),
            Field("follow", 5, "the suit to follow S H C D, none"),
            Field("round", rounds, "cards dealt to each: 1, 2, ..."),
            Field("cards", rounds, "tricks still to be taken, the running one included: 1, 2, ..."),
            Field("bidding position", players, "own place in bidding"),
            Field("trick position", players, "own place in the running trick"),
            Field("has bid", players, f"who has made a bid: {seats}"),
            Field("bids", players, f"bids / {rounds}: {seats}", rounds),
            Field("taken", players, f"tricks taken / {rounds}: {seats}", rounds),
            Field("needs", NEEDS * players, f"tricks missing: over, 0, 1, 2, 3, 4, more; zero before the bid: {seats}"),
            Field("surplus", SURPLUS, "bids so far less the tricks of the round, -4 or less to 4 or more"),
            Field("voids", 4 * (players - 1), "suits that next, second next, ... has shown to lack"),
            Field("trump count", 1, "unseen trumps / 13", 13),
            Field("wizards", 1, "unseen wizards / 4", 4),
        ),
    )  # fmt: skip


def _document(players: int, size: int, shorter: str) -> tuple[Encoder, Encoder]:
    bid = size + 1
    return (
        Encoder(
            "bidding",
            f"the input of document 003 for bidding{shorter}",
            (
                Field("hand", 60, "own cards"),
                Field("position", players, "own place in bidding"),
                Field("trump", 5, "S H C D, none"),
                Field("bids", (players - 1) * bid, "bids made before its own, in bidding order"),
            ),
        ),
        Encoder(
            "playing",
            f"the input of document 003 for playing{shorter}",
            (
                Field("hand", 60, "own cards"),
                Field("best", 60, "the card that is winning the running trick, zero when leading"),
                Field("trick position", players, "own place in the running trick"),
                Field("bidding position", players, "own place in bidding"),
                Field("trump", 5, "S H C D, none"),
                Field("follow", 5, "the suit to follow S H C D, none"),
                Field("bids", players * bid, "bids in bidding order"),
                Field("taken", players * bid, "tricks taken in bidding order"),
            ),
        ),
    )


def observe(s: Record, me: Int, which: Int, out: Array) -> None:
    """The observation of a seat by one of the encoders."""
    for i in range(len(out)):
        out[i] = 0
    players = np.int64(s.players)
    position = wrap(me - s.starter + players, players)
    if which == FLAT:
        _flat(s, me, position, out)
    elif which == BIDDING:
        _bidding(s, me, position, out)
    else:
        _playing(s, me, position, out)


@compiled
def _bidding(s: Record, me: Int, position: Int, out: Array) -> None:
    players = np.int64(s.players)
    write_bits(out, 0, s.hands[me])
    out[60 + position] = 1
    out[60 + players + s.trump] = 1
    at = 65 + players
    for place in range(min(position, np.int64(s.said))):
        out[at + place * (s.size + 1) + s.bids[wrap(s.starter + place, players)]] = 1


@compiled
def _playing(s: Record, me: Int, position: Int, out: Array) -> None:
    players = np.int64(s.players)
    write_bits(out, 0, s.hands[me])
    if s.best != NO_CARD:
        out[60 + s.best] = 1
    out[120 + wrap(me - s.leads[s.tricks] + players, players)] = 1
    out[120 + players + position] = 1
    at = 120 + 2 * players
    out[at + s.trump] = 1
    out[at + 5 + s.follow] = 1
    at += 10
    block = np.int64(s.size) + 1
    for place in range(players):
        seat = wrap(s.starter + place, players)
        if place < s.said:
            out[at + place * block + s.bids[seat]] = 1
        out[at + (players + place) * block + s.taken[seat]] = 1


@compiled
def _flat(s: Record, me: Int, position: Int, out: Array) -> None:
    players = np.int64(s.players)
    rounds = ROUNDS[players]
    hand = s.hands[me]
    hidden = unseen(s, me)
    write_bits(out, 0, hand)
    for card in range(60):  # most are unseen: quicker than one by one
        out[60 + card] = hidden >> card & 1
    for suit in range(4):
        rivals = hidden & SUIT[suit]
        own = hand & SUIT[suit]
        write_bits(out, 120, own >> top(rivals) << top(rivals) if rivals else own)
    leader = np.int64(s.leads[s.tricks])
    first = np.int64(s.tricks) * players
    for i in range(s.in_trick):
        away = wrap(wrap(leader + i, players) - me + players, players)
        if away > 0:
            out[120 + 60 * away + s.plays[first + i]] = 1
    at: Int = 120 + 60 * players
    if s.best != NO_CARD:
        out[at + s.best] = 1
        out[at + 60 + wrap(s.winner - me + players, players)] = 1
    at += 60 + players
    out[at + s.phase] = 1
    out[at + 3 + s.trump] = 1
    out[at + 8 + s.follow] = 1
    at += 13
    left = np.int64(s.size) - np.int64(s.tricks)
    out[at + s.size - 1] = 1
    if left > 0:
        out[at + rounds + left - 1] = 1
    at += 2 * rounds
    out[at + position] = 1
    out[at + players + wrap(me - leader + players, players)] = 1
    at = _flat_bids(s, me, at + 2 * players, out)
    for away in range(1, players):
        seat = wrap(me + away, players)
        write_bits(out, at + 4 * (away - 1), np.int64(s.voids[seat]))
    at += 4 * (players - 1)
    out[at] = popcount(hidden & SUIT[s.trump])
    out[at + 1] = popcount(hidden >> WIZARD)


@compiled
def _within(number: Int, low: int, high: int) -> Int:
    """A number cut to a range."""
    if number < low:
        return low
    return high if number > high else number


@compiled
def _flat_bids(s: Record, me: Int, at: Int, out: Array) -> Int:
    """Bids and tricks of all seats; returns where they end."""
    players = np.int64(s.players)
    surplus = -np.int64(s.size)
    for away in range(players):
        seat = wrap(me + away, players)
        if s.phase == PLAY or (s.phase == BID and wrap(seat - s.starter + players, players) < s.said):
            bid, taken = np.int64(s.bids[seat]), np.int64(s.taken[seat])
            surplus += bid
            out[at + away] = 1
            out[at + players + away] = bid
            out[at + 2 * players + away] = taken
            out[at + 3 * players + NEEDS * away + _within(bid - taken, -1, 5) + 1] = 1
    at += (3 + NEEDS) * players
    out[at + _within(surplus, -4, 4) + 4] = 1
    return at + SURPLUS
