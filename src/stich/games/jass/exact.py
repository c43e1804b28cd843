"""What exact solving asks of Jass: sides, leads, cards of equal value, keys of positions."""

from typing import Any

import numpy as np

from stich.core.bits import ctz, packed, popcount, run_starts
from stich.core.contract import Int, Real, Record
from stich.core.jit import compiled
from stich.core.rng import mix
from stich.games.jass.cards import ABOVE, OBE, POWER, SUIT, VALUE
from stich.games.jass.scoring import factor, total
from stich.games.jass.state import MELD, PLAY

STARTS = 1 | 1 << 9 | 1 << 18 | 1 << 27
"""The first card of each suit."""
BLANK = np.array([sum(int(VALUE[mode, card] == 0) << card for card in range(36)) for mode in range(6)], np.int64)
"""The cards without points in each mode: next to each other they are alike."""
TAIL = np.zeros(6, np.int64)
"""Cards with nothing of value below: the nines to sixes, of trumps from the eight on, sevens in obe-abe."""
for mode in range(5):
    for suit in range(4):
        TAIL[mode] |= (0x180 if mode == OBE else 0x1C0 if mode == suit else 0x1E0) << 9 * suit


def side(s: Record) -> Int:
    """Partners are one side."""
    return np.int64(s.turn & 1)


def score(s: Record) -> Int:
    """The lead of seats 0 and 2; the last round's points stand in the score already."""
    if s.over and s.target == 0:
        return np.int64(s.score[0]) - s.score[1]
    return total(s, 0) - total(s, 1)


@compiled
def sure_points(s: Record) -> Int:
    """The least card points of cards that the leader can cash one after the other; all if they are the whole hand.

    First the highest trumps; then, where these leave the other side none (it may trump whatever is led), the highest
    cards of plain suits, as often as a partner with trumps can follow.
    """
    hand = s.hands[s.turn]
    partner = s.hands[(s.turn + 2) & 3]
    one, other = s.hands[(s.turn + 1) & 3], s.hands[(s.turn + 3) & 3]
    others = partner | one | other
    sure, count = np.int64(0), 0
    trumps = SUIT[s.mode]
    own = hand & trumps
    while own:
        card = ctz(own)
        own &= own - 1
        if ABOVE[s.mode, card] & others == 0:
            sure += VALUE[s.mode, card]
            count += 1
    if max(popcount(one & trumps), popcount(other & trumps)) > count:
        return sure
    follows = popcount(partner & trumps) > count
    for suit in range(4):
        own = hand & SUIT[suit] & ~trumps
        rounds = popcount(partner & SUIT[suit]) if follows else 9
        while own and rounds > 0:
            card = ctz(own)
            own &= own - 1
            if ABOVE[s.mode, card] & others == 0:
                sure += VALUE[s.mode, card]
                count += 1
                rounds -= 1
    return 157 if count + s.tricks == 9 else sure


def reach(s: Record) -> Any:
    """What is left of the 157 points less what the leader is sure of, and the bonuses that are still open."""
    if s.phase != PLAY and s.phase != MELD:
        return -5000, 5000
    left = 157 - np.int64(s.points[0]) - s.points[1]
    bonus = 20 if s.stoeck else 0
    if s.melds and s.tricks == 0:
        bonus += 1000
    match = 100 if s.match_bonus else 0
    least = -left - bonus - (match if s.won[0] == 0 else 0)
    most = left + bonus + (match if s.won[1] == 0 else 0)
    if s.cards == 0 and s.target == 0:
        sure = min(sure_points(s), left)
        if s.turn & 1:
            most -= 2 * sure
        else:
            least += 2 * sure
    return factor(s) * least, factor(s) * most


def order(s: Record, a: Int) -> Int:
    """Masters of their suit first, then leads to the partner's; winning, by low trumps; points to the partner."""
    if s.phase != PLAY:
        return 0
    value = VALUE[s.mode, a]
    if s.cards == 0:
        above = ABOVE[s.mode, a]
        if above & (s.hands[(s.turn + 1) & 3] | s.hands[(s.turn + 3) & 3]) == 0:
            return 100 + value
        return 50 - value + (20 if above & s.hands[(s.turn + 2) & 3] else 0)
    power = POWER[s.mode, s.lead, a]
    if (s.winner ^ s.turn) & 1 == 0:
        return 50 + value - (5 if power > s.power else 0)
    if power <= s.power:
        return 50 - value
    return 100 + value - (power if a // 9 == s.mode else 0)


def distinct(s: Record, mask: Int) -> Int:
    """One of the cards without points that have none of others between them, on the table or in a hand."""
    blank = mask & BLANK[s.mode]
    if s.phase != PLAY or blank & (blank - 1) == 0:
        return mask
    walls = STARTS
    for k in range(1, 4):
        walls |= s.hands[(s.turn + k) & 3]
    first = 4 * np.int64(s.tricks)
    for i in range(first, first + s.cards):
        walls |= 1 << s.plays[i]
    return (mask ^ blank) | run_starts(blank, walls)


def position(s: Record) -> Int:
    """Between tricks: who holds what, with alike cards counted only; and bonuses that are still open."""
    if s.cards > 0 or s.phase != PLAY or (s.melds and s.tricks == 0):
        return -1
    every = s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3]
    tail = every & TAIL[s.mode]
    counts = np.int64(0)
    for suit in range(4):
        counts = counts << 3 | popcount(tail & SUIT[suit])
    code = np.int64(s.turn) << 3 | s.mode
    if s.match_bonus:
        code = code << 2 | (s.won[0] == 0) << 1 | (s.won[1] == 0)
    if s.stoeck:
        code = code << 3 | s.pair
    code = mix(packed(s.hands[0], every) << 12 | counts, (every ^ tail) | code << 36)
    code = mix(mix(code, packed(s.hands[1], every)), packed(s.hands[2], every))
    if s.target > 0 and max(total(s, 0), total(s, 1)) + factor(s) * 277 >= s.target:
        code = mix(code, total(s, 0) << 32 | total(s, 1))
    return code


def worth(s: Record, final: Int) -> Real:
    """The own points of the round; bonuses count half for the one side and half against the other."""
    lead = final - (np.int64(s.score[0]) - s.score[1])
    return 0.5 * (157 * factor(s) + (lead if s.turn & 1 == 0 else -lead))


def cards_left(s: Record) -> Int:
    """All cards that are not played."""
    return 36 - 4 * np.int64(s.tricks) - s.cards


def solvable(s: Record) -> Int:
    """Five tricks once the mode is chosen: all moves of a world in about a millisecond."""
    return 20 if s.phase == PLAY else 0


def last_stage(s: Record) -> None:
    """No round after this one, unless a target is played for."""
    s.rounds = s.round + 1
