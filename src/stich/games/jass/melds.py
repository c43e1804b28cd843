"""Weisen: runs of three and more in a suit, and four of a kind (docs/rules.md 3.4).

A card counts in one meld only, so a hand is cut into the melds of the greatest total. The trump order does not
change runs: they follow A K Q J 10 9 8 7 6 in every mode.
"""

import numpy as np

from stich.core.bits import ctz
from stich.core.contract import Int, Record
from stich.core.jit import compiled
from stich.games.jass.cards import NINE, TEN, UNE, A, J, K, Q

RUN_VALUE = np.array([0, 0, 0, 20, 50, 100, 150, 200, 250, 300], np.int64)
FOUR_VALUE = np.zeros(9, np.int64)
for column, value in {A: 100, K: 100, Q: 100, TEN: 100, NINE: 150, J: 200}.items():
    FOUR_VALUE[column] = value

FOUR = np.array([0x8040201 << column for column in range(9)], np.int64)
"""The four cards of each column."""
WORTHY = 1 << A | 1 << K | 1 << Q | 1 << J | 1 << TEN | 1 << NINE
"""The columns of which four count."""

RUN_POINTS = np.zeros(512, np.int64)
"""What the runs of a suit count, by the nine bits of the suit's cards."""
RUN_LENGTH = np.zeros(512, np.int64)
"""The length of the suit's longest run, 0 where it is shorter than three."""
RUN_TOP = np.zeros((2, 512), np.int64)
"""The rank of the best card in the longest run (the better of two): ace high, and six high in une-ufe."""
RUN_CARDS = np.zeros(512, np.int64)
"""The cards that stand in runs."""

for bits in range(512):
    first = 0
    while first < 9:
        length = 0
        while first + length < 9 and bits >> (first + length) & 1:
            length += 1
        if length >= 3:
            last = first + length - 1
            RUN_POINTS[bits] += RUN_VALUE[length]
            RUN_CARDS[bits] |= ((1 << length) - 1) << first
            tops = (8 - first, last)
            for reverse in range(2):
                better = length > RUN_LENGTH[bits] or (
                    length == RUN_LENGTH[bits] and tops[reverse] > RUN_TOP[reverse, bits]
                )
                if better:
                    RUN_TOP[reverse, bits] = tops[reverse]
            RUN_LENGTH[bits] = max(RUN_LENGTH[bits], length)
        first += max(length, 1)


@compiled
def _rank(points: Int, cards: Int, top: Int, trump: Int) -> Int:
    """How a meld compares: by points, then cards, then its top card, then trump."""
    return ((points * 16 + cards) * 16 + top) * 2 + trump


@compiled
def melds_of(hand: Int, mode: Int) -> tuple[Int, Int, Int]:
    """The points of a hand's melds, the rank of its best one, and the cards in them."""
    fours = hand & hand >> 9 & hand >> 18 & hand >> 27 & WORTHY
    best_points, best_rank, best_cards = _with_fours(hand, mode, 0)
    laid = fours
    while laid:  # every choice of fours of a kind, since each may break a run
        points, rank, cards = _with_fours(hand, mode, laid)
        if points > best_points or (points == best_points and rank > best_rank):
            best_points, best_rank, best_cards = points, rank, cards
        laid = (laid - 1) & fours
    return best_points, best_rank, best_cards


@compiled
def _with_fours(hand: Int, mode: Int, columns: Int) -> tuple[Int, Int, Int]:
    """The melds of a hand when these columns are laid as four of a kind."""
    points: Int = 0
    rank: Int = 0
    rest = hand
    while columns:
        column = ctz(columns)
        columns &= columns - 1
        rest &= ~FOUR[column]
        points += FOUR_VALUE[column]
        top = column if mode == UNE else 8 - column
        rank = max(rank, _rank(FOUR_VALUE[column], 4, top, 0))
    cards = hand & ~rest
    reverse = 1 if mode == UNE else 0
    for suit in range(4):
        bits = rest >> 9 * suit & 0x1FF
        length = RUN_LENGTH[bits]
        if length > 0:
            points += RUN_POINTS[bits]
            trump = 1 if suit == mode else 0
            rank = max(rank, _rank(RUN_VALUE[length], length, RUN_TOP[reverse, bits], trump))
            cards |= RUN_CARDS[bits] << 9 * suit
    return points, rank, cards


@compiled
def winning_melds(s: Record) -> tuple[Int, Int]:
    """The team whose melds count, and what all its announced melds are worth; ties go to the earlier seat."""
    best: Int = 0
    team, ours, theirs = 0, 0, 0
    for k in range(4):
        seat = (s.leads[0] + 4 - k) & 3
        worth, rank, _ = melds_of(s.shown[seat], np.int64(s.mode))
        if seat & 1:
            theirs += worth
        else:
            ours += worth
        if rank > best:
            best, team = rank, seat & 1
    return team, theirs if team else ours
