"""The rule-based player of document 003, as its authors' code has it (docs/rules.md 4.3).

A card's strength is the chance to beat one other card, averaged over being played before and after it, to the
power of the number of opponents, and scaled so that a trick's worth of cards adds up to one trick.
"""

import numpy as np

from stich.core.bits import ctz
from stich.core.contract import Array, Bool, Bot, Int, Real, Record, legal
from stich.core.jit import compiled
from stich.games.wizard.cards import JESTER, POWER, WIZARD
from stich.games.wizard.state import BID, CHOOSE


def _beats(trump: int) -> Array:
    """Whether the second of two cards beats the first, by first and second card."""
    found = np.zeros((60, 60), np.bool_)
    for first in range(JESTER):
        power = POWER[trump, first // 13]
        found[first] = power > power[first]
    found[JESTER:WIZARD, :JESTER] = True
    found[JESTER:WIZARD, WIZARD:] = True
    return found


def _strengths() -> Array:
    """The strength of every card by number of players and trump; the mean of a pack is 1 / players."""
    found = np.zeros((7, 5, 60))
    for trump in range(5):
        beats = _beats(trump)
        alone = (1 - beats.sum(1) / 60 + beats.sum(0) / 60) / 2
        for players in range(3, 7):
            raw = alone ** (players - 1)
            found[players, trump] = raw / raw.mean() / players
    return found


STRENGTH = _strengths()


@compiled
def hand_strength(s: Record, trump: Int) -> float:
    """The tricks that the hand of the seat to act is worth."""
    cards = s.hands[s.turn]
    total = 0.0
    while cards:
        total += STRENGTH[s.players, trump, ctz(cards)]
        cards &= cards - 1
    return total


@compiled
def nearest_bid(s: Record, wanted: Int) -> Int:
    """The legal bid nearest to the one wanted, the lower of two."""
    bids = legal(s)
    bid = min(max(wanted, 0), np.int64(s.size))
    if bids >> bid & 1:
        return bid
    return bid - 1 if bid > 0 else bid + 1


@compiled
def document_rule(s: Record) -> Int:
    """A bid, a card, or (our addition) the suit that makes the hand strongest."""
    if s.phase == BID:
        return nearest_bid(s, np.int64(np.rint(hand_strength(s, np.int64(s.trump)))))
    if s.phase == CHOOSE:
        best = 0
        for suit in range(1, 4):
            if hand_strength(s, suit) > hand_strength(s, best):
                best = suit
        return best
    return _card(s)


@compiled
def _card(s: Record) -> Int:
    """With tricks missing the strongest card where it can win, else the weakest; else the strongest that loses."""
    cards = legal(s)
    weakest = strongest = ctz(cards)
    losing: Int = -1
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        worth = STRENGTH[s.players, s.trump, card]
        if worth < STRENGTH[s.players, s.trump, weakest]:
            weakest = card
        if worth >= STRENGTH[s.players, s.trump, strongest]:
            strongest = card
        loses = s.in_trick > 0 and not _wins(s, card)
        if loses and (losing < 0 or worth >= STRENGTH[s.players, s.trump, losing]):
            losing = card
    if s.bids[s.turn] > s.taken[s.turn]:
        return strongest if s.in_trick == 0 or _wins(s, strongest) else weakest
    return losing if losing >= 0 else weakest


@compiled
def _wins(s: Record, card: Int) -> Bool:
    """Whether a card would lead the running trick; after jesters alone every card but a jester does."""
    if s.best >= JESTER:
        return s.best < WIZARD and (card < JESTER or card >= WIZARD)
    return POWER[s.trump, s.follow, card] > s.power


PLAYERS = (Bot("wizard-document", "Plays by the rules of document 003."),)


def play_other(s: Record, which: Int, argument: Real, rng: Record) -> Int:
    """The document's action; it is deterministic."""
    return document_rule(s)
