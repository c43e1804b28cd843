"""The record of a game of Wizard, its phases, and what a round counts."""

import numpy as np

from stich.core.contract import Array, Int, Record
from stich.core.jit import compiled
from stich.core.rng import RNG
from stich.core.spec import layout
from stich.games.wizard.cards import ALL, NO_CARD

MOST = 6
"""The most players."""
ROUNDS = np.array([0, 0, 0, 20, 15, 12, 10], np.int64)
"""How many rounds a game has, by the number of players."""
CHOOSE, BID, PLAY = range(3)
"""The phases: the dealer chooses trump, bids, cards."""
GAME, ROUND = range(2)
"""The option `length`."""
RANDOM_SEAT = 0
"""The option `start_seat`: drawn, else one more than the seat."""

STATE = layout(
    [
        ("hands", "i8", MOST),
        ("played", "i8"),  # all cards played this round
        ("rng", RNG),  # deals the later rounds of a game
        ("score", "i2", MOST),  # of the finished rounds
        ("plays", "u1", 60),  # the cards of this round in the order they were played
        ("leads", "u1", 21),  # who led each trick
        ("voids", "u1", MOST),  # suits that a seat's play has shown it lacks, a bit each
        ("bids", "u1", MOST),
        ("taken", "u1", MOST),  # tricks
        ("met", "u1", MOST),  # finished rounds whose bid was met
        ("last_bids", "u1", MOST),  # of the round before this one
        ("last_taken", "u1", MOST),
        ("phase", "u1"),
        ("turn", "u1"),
        ("said", "u1"),  # bids made
        ("tricks", "u1"),
        ("in_trick", "u1"),  # cards of the running trick
        ("follow", "u1"),  # the suit to follow, or NO_SUIT
        ("best", "u1"),  # the card that is winning the running trick, or NO_CARD
        ("winner", "u1"),  # who played it
        ("power", "u1"),  # what it is worth
        ("trump", "u1"),  # or NO_SUIT
        ("turned", "u1"),  # the card turned up, or NO_CARD
        ("starter", "u1"),  # who bids and leads first
        ("size", "u1"),  # the round: how many cards each was dealt
        ("over", "u1"),
        ("players", "u1"),
        ("length", "u1"),
        ("round", "u1"),
        ("start_seat", "u1"),
        ("wizard_turned", "u1"),
        ("hook", "u1"),
    ]
)


@compiled
def points(bid: Int, taken: Int) -> Int:
    """What a round counts (document 003): 20 + 10 a trick for a bid that is met, else -10 for each trick off."""
    return 20 + 10 * bid if bid == taken else -10 * abs(bid - taken)


def unit_reward(score: Array, size: Array) -> Array:
    """Points of a round of `size` cards scaled to [0, 1], as the text of document 003 says (docs/rules.md 4.1)."""
    return (score + 10 * size) / (20 + 20 * size)


def signed_reward(score: Array, size: Array) -> Array:
    """The same scaled to [-1, 1], as the code of document 003 has it."""
    return 2 * unit_reward(score, size) - 1


@compiled
def wrap(seat: Int, players: Int) -> Int:
    """A seat counted past the last one, at most once around."""
    return seat - players if seat >= players else seat


@compiled
def unseen(s: Record, me: Int) -> Int:
    """The cards whose place a seat does not know: other hands or the rest of the pack."""
    hidden = ALL & ~(s.played | s.hands[me])
    return hidden & ~(1 << s.turned) if s.turned != NO_CARD else hidden


@compiled
def hand_size(s: Record, seat: Int) -> Int:
    """How many cards a seat holds, from public knowledge alone."""
    players = np.int64(s.players)
    away = wrap(seat - s.leads[s.tricks] + players, players)
    return np.int64(s.size) - np.int64(s.tricks) - (1 if away < s.in_trick else 0)
