"""Shuffling, dealing, drawing, and who begins."""

import numpy as np

from stich.core.bits import ctz
from stich.core.contract import Int, Record
from stich.core.jit import compiled
from stich.core.rng import below, mix
from stich.games.durak.cards import NO_CARD, PACK, PREV, SUIT
from stich.games.durak.state import CARDS_AT_MOST, NO_LIMIT, NOBODY

RANDOM = 0
"""The code of the option `trump` that leaves the suit to chance; the others are 1 + suit."""


@compiled
def deal_game(s: Record, rng: Record) -> Int:
    """A fresh game of a series; returns who begins."""
    _shuffle(s, rng)
    _hand_out(s)
    clear_game(s)
    opener: Int = np.int64(NOBODY)
    if s.durak != NOBODY:
        opener = PREV[s.active, s.durak]
    else:
        opener = lowest_trump(s)
        if opener == NOBODY:
            opener = below(rng, np.int64(s.players))
    remember_deal(s, opener)
    return opener


@compiled
def _shuffle(s: Record, rng: Record) -> None:
    """All cards in a random order; with a trump suit given, the last is one of its cards."""
    ranks = np.int64(s.deck) >> 2
    count = 0
    for _ in range(s.decks):
        cards = PACK[ranks]
        while cards:
            s.stock[count] = ctz(cards)
            cards &= cards - 1
            count += 1
    last = count
    if s.trump != RANDOM:
        last -= 1
        chosen = below(rng, ranks * np.int64(s.decks))
        at = (s.trump - 1) * ranks + chosen % ranks + s.deck * (chosen // ranks)
        card = s.stock[at]
        s.stock[at] = s.stock[last]
        s.stock[last] = card
    for i in range(last - 1, 0, -1):
        j = below(rng, i + 1)
        card = s.stock[i]
        s.stock[i] = s.stock[j]
        s.stock[j] = card


@compiled
def _hand_out(s: Record) -> None:
    at = 0
    for seat in range(np.int64(s.players)):
        s.held[seat] = 0
        s.twice[seat] = 0
        s.size[seat] = 0
        for _ in range(s.hand):
            gain(s, seat, np.int64(s.stock[at]))
            s.stock[at] = NO_CARD
            at += 1
    for i in range(s.deck * s.decks, CARDS_AT_MOST):
        s.stock[i] = NO_CARD


@compiled
def clear_game(s: Record) -> None:
    """Clears all that belongs to one game; hands and talon stand."""
    for seat in range(s.players):
        s.shown[seat] = 0
        s.shown_twice[seat] = 0
        s.weak[seat] = 0
    for i in range(s.hand):
        s.attack[i] = 0
        s.answer[i] = 0
    cards = np.int64(s.deck) * s.decks
    s.left = cards - s.players * s.hand
    s.turned = s.stock[cards - 1]
    s.suit = s.turned // 13
    s.active = (1 << s.players) - 1
    s.fresh = s.active
    s.out = 0
    s.out_twice = 0
    s.told = 0
    s.low = 0
    s.turns = 0
    s.quiet = 0
    s.swaps = 0
    s.swap_limit = NO_LIMIT


@compiled
def lowest_trump(s: Record) -> Int:
    """Who holds the lowest trump that a single player has, or nobody.

    Rank by rank from below, who has the trump shows it, until one player alone does (with two packs two may have
    it): all have seen these cards, and know that the other cards asked for are in no hand.
    """
    some = np.int64(0)
    several = np.int64(0)
    for seat in range(s.players):
        several |= some & s.held[seat]
        some |= s.held[seat]
    alone = some & ~several & SUIT[s.suit]
    lowest = alone & -alone
    found = np.int64(NOBODY)
    s.low = ctz(alone) % 13 + 1 if alone else 13
    asked = SUIT[s.suit] & (2 * lowest - 1 if alone else -1)
    for seat in range(np.int64(s.players)):
        if s.held[seat] & lowest:
            found = np.int64(seat)
        s.shown[seat] = s.held[seat] & asked
        s.shown_twice[seat] = s.twice[seat] & asked
        s.told |= s.shown[seat]
    return found


@compiled
def remember_deal(s: Record, opener: Int) -> None:
    """Folds what all see of a deal, and what each sees of their own cards, into the keys."""
    s.history = mix(mix(s.history, s.told), opener << 16 | np.int64(s.turned) << 8 | s.low)
    for seat in range(s.players):
        s.history = mix(s.history, s.shown[seat])
        if s.shown_twice[seat]:  # with two packs alone, and seldom
            s.history = mix(s.history, s.shown_twice[seat])
        s.memory[seat] = mix(mix(s.memory[seat], s.held[seat]), s.twice[seat])


@compiled
def gain(s: Record, seat: Int, card: Int) -> None:
    """A card comes into a hand."""
    s.twice[seat] |= s.held[seat] & 1 << card
    s.held[seat] |= 1 << card
    s.size[seat] += 1


@compiled
def take_from_stock(s: Record, seat: Int) -> None:
    """Draws up to the hand size; all see who gets the turned card."""
    if s.active >> seat & 1 == 0:
        return
    cards = np.int64(s.deck) * s.decks
    while s.size[seat] < s.hand and s.left > 0:
        at = cards - s.left
        card = np.int64(s.stock[at])
        s.stock[at] = NO_CARD
        s.left -= 1
        s.fresh &= ~(1 << seat)
        gain(s, seat, card)
        s.memory[seat] = mix(s.memory[seat], card)
        if s.left == 0:
            s.shown_twice[seat] |= s.shown[seat] & 1 << card
            s.shown[seat] |= 1 << card
