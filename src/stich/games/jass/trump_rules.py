"""Two ways to choose the mode by rule (document 002, 10.1 and 13.3): sure tricks, and rated modes.

The document says of the first that it estimates the number of certain tricks, of the second that it ranks the modes and
passes where none surpasses a threshold; how is left open. What stands here is our own reading, small enough to be
worked out by hand. Both know the nine cards only. `rule` chooses by a third way, fitted to played deals.
"""

import numpy as np

from stich.core.bits import popcount
from stich.core.contract import Argument, Bot, Int, Real, Record, legal, rule
from stich.core.jit import compiled
from stich.games.jass.cards import OBE, TRUMP_ORDER, UNE
from stich.games.jass.state import MODE_0, PARTNER, PUSH, TRUMP

ORDERS = np.zeros((3, 9), np.int64)
"""The columns of a suit from the strongest to the weakest: in a plain suit, in une-ufe, in trumps."""
ORDERS[0] = np.arange(9)
ORDERS[1] = np.arange(9)[::-1]
ORDERS[2] = sorted(range(9), key=lambda column: -TRUMP_ORDER[column])
PLAIN, LOW, TRUMPS = range(3)

TRICK = 20.0
"""What a likely trick counts in a rating: nine of them are 180, a little more than all points."""

# Chosen among a few hundred settings by 40,000 deals that `rule` played out in every mode (seed 99).
PARTNER_HAS = 1.0 / 3.0
"""The chance that a higher card lies with the partner."""
FALLS = 0.5
"""The chance that a card between two of its own does no harm: it falls, or the partner has it."""
SMALL_TRUMP = 0.5
"""What any trump is worth at least, in tricks: it cuts, or outlasts the others' trumps."""
SIDE = 0.2
"""What a side suit's likely trick is worth beside trumps: it may be cut, and the lead may be elsewhere."""
NO_TRUMP = 0.6
"""The same where there are no trumps: nothing stops a suit of the others."""


@compiled
def suit_cards(hand: Int, suit: Int) -> Int:
    """The nine bits of a suit, the ace's the lowest."""
    return hand >> 9 * suit & 0x1FF


@compiled
def top_run(cards: Int, order: Int) -> Int:
    """How many of the strongest cards of a suit are held without a gap."""
    run = 0
    while run < 9 and cards >> ORDERS[order, run] & 1:
        run += 1
    return run


@compiled
def rounds_to_draw(count: Int) -> Int:
    """In how many rounds the others' cards of a suit fall, if they lie evenly."""
    return (9 - count + 2) // 3


@compiled
def sure_in_suit(cards: Int, order: Int) -> Int:
    """The sure tricks of a suit that is not cut: its top run, or all of it where the run draws the others' cards."""
    count, run = popcount(cards), top_run(cards, order)
    return count if count > 0 and run >= rounds_to_draw(count) else run


@compiled
def sure_in_trumps(cards: Int) -> Int:
    """The sure tricks of the trumps: what is left when the others' are drawn, and the rounds that the top run wins."""
    count, run = popcount(cards), top_run(cards, TRUMPS)
    rounds = rounds_to_draw(count)
    return max(run, count - rounds + min(run, rounds))


@compiled
def sure_tricks(hand: Int, mode: Int) -> Int:
    """The tricks that a hand is sure of, roughly; in side suits of a trump game the aces alone."""
    tricks = 0
    for suit in range(4):
        cards = suit_cards(hand, suit)
        if suit == mode:
            tricks += sure_in_trumps(cards)
        elif mode < OBE:
            tricks += cards & 1
        else:
            tricks += sure_in_suit(cards, LOW if mode == UNE else PLAIN)
    return tricks


@compiled
def simple_choice(hand: Int, may_push: Int, least: Int) -> Int:
    """The mode of the most sure tricks, between equals the longest trump suit; with less than `least` a push."""
    best, action = -1, MODE_0
    for mode in range(6):
        length = popcount(suit_cards(hand, mode)) if mode < OBE else 0
        worth = 10 * sure_tricks(hand, mode) + length
        if worth > best:
            best, action = worth, MODE_0 + mode
    return PUSH if may_push and best < 10 * least else action


@compiled
def likely_tricks(cards: Int, order: Int, least: Real) -> Real:
    """The tricks of a suit, from the top: each card missing makes those below it less likely, down to `least`."""
    tricks: Real = 0.0
    chance, seen = 1.0, False
    for place in range(9):
        if cards >> ORDERS[order, place] & 1:
            tricks += max(chance, least)
            seen = True
        else:
            chance *= FALLS if seen else PARTNER_HAS
    return tricks


@compiled
def rating(hand: Int, mode: Int) -> Real:
    """What a mode is worth to a hand, in about the points of its own tricks."""
    tricks: Real = 0.0
    for suit in range(4):
        cards = suit_cards(hand, suit)
        if suit == mode:
            tricks += likely_tricks(cards, TRUMPS, SMALL_TRUMP)
        elif mode < OBE:
            tricks += SIDE * likely_tricks(cards, PLAIN, 0.0)
        else:
            tricks += NO_TRUMP * likely_tricks(cards, LOW if mode == UNE else PLAIN, 0.0)
    return TRICK * tricks


@compiled
def ranked_choice(hand: Int, may_push: Int, threshold: Real) -> Int:
    """The mode of the best rating; a push where none surpasses the threshold."""
    best: Real = -1.0
    action = MODE_0
    for mode in range(6):
        worth = rating(hand, mode)
        if worth > best:
            best, action = worth, MODE_0 + mode
    return PUSH if may_push and best <= threshold else action


SIMPLE, RANKED = range(2)
PLAYERS = (
    Bot(
        "jass-trump-simple",
        "Chooses the mode of the most sure tricks (document 002, 13.3); plays on like `rule`.",
        Argument("least", "pushes with fewer sure tricks than this; 0: never", 4, 0, 9),
    ),
    Bot(
        "jass-trump-ranked",
        "Rates the modes and pushes if none surpasses a threshold (document 002, 10.1); plays on like `rule`.",
        Argument("threshold", "pushes up to this rating, 20 for a likely trick; 0: never", 50.0, 0, np.inf),
    ),
)


def play_other(s: Record, which: Int, argument: Real, rng: Record) -> Int:
    """The mode by the player's own way, everything else by rule."""
    if s.phase != TRUMP and s.phase != PARTNER:
        return rule(s, rng)
    hand, may_push = s.hands[s.turn], legal(s) >> PUSH & 1
    if which == SIMPLE:
        return simple_choice(hand, may_push, np.int64(argument))
    return ranked_choice(hand, may_push, argument)
