"""The rule-based player: a linear estimate chooses the mode, an expected-points estimate each card.

It sees only what its seat knows: its hand, the cards played and the voids they have shown.
"""

import numpy as np

from stich.core.bits import ctz, popcount
from stich.core.contract import Int, Real, Record, legal
from stich.core.jit import compiled
from stich.games.jass.cards import ABOVE, ALL, OBE, POWER, SUIT, UNE, VALUE
from stich.games.jass.state import ANNOUNCE, MODE_0, PLAY, PUSH, SILENT

# What a card in the declarer's hand adds to their side's points, A K Q J 10 9 8 7 6: a least-squares fit over
# 60,000 deals that this player played out in every mode.
TRUMP_WORTH = np.array([15, 11, 9.5, 25, 9.5, 20, 8, 8, 8], np.float64)
SIDE_WORTH = np.array([4, 4, 1, 0.5, 1, 0, 0, 0, 0], np.float64)
TOP_WORTH = np.array([15, 7, 2.5, 1, 0, 0, -1, 0, 0], np.float64)
BASE = np.array([42.0, 42.0, 42.0, 42.0, 53.0, 53.0])
PUSH_BELOW = 96.0
"""Below this estimate the partner's choice is worth more on average (same deals)."""


def rule(s: Record, rng: Record) -> Int:
    """A card, a mode or push; melds are always announced."""
    if s.phase == PLAY:
        return _card(s)
    choices = legal(s)
    if choices >> SILENT & 1:
        return ANNOUNCE if choices >> ANNOUNCE & 1 else SILENT
    return _mode(s.hands[s.turn], bool(choices >> PUSH & 1))


@compiled
def estimate(hand: Int, mode: Int) -> Real:
    """The points that the declarer's side may expect in a mode."""
    points = BASE[mode]
    for card in range(36):
        if hand >> card & 1:
            column = card % 9
            if mode == OBE:
                points += TOP_WORTH[column]
            elif mode == UNE:
                points += TOP_WORTH[8 - column]
            elif card // 9 == mode:
                points += TRUMP_WORTH[column]
            else:
                points += SIDE_WORTH[column]
    return points


@compiled
def _mode(hand: Int, may_push: Int) -> Int:
    best: Real = -1e9
    action = MODE_0
    for mode in range(6):
        points = estimate(hand, mode)
        if points > best:
            best, action = points, MODE_0 + mode
    return PUSH if may_push and best < PUSH_BELOW else action


@compiled
def _card(s: Record) -> Int:
    """The legal card of the greatest expected gain."""
    cards = legal(s)
    best: Real = -1e9
    chosen: Int = 0
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        gain = _lead_gain(s, card) if s.cards == 0 else _follow_gain(s, card)
        if gain > best:
            best, chosen = gain, card
    return chosen


@compiled
def _unseen(s: Record) -> Int:
    return ALL & ~s.played & ~s.hands[s.turn]


@compiled
def _could_hold(s: Record, seat: Int, cards: Int) -> Int:
    """Whether a seat may hold any of these unseen cards."""
    return bool(cards & ~s.voids[seat])


@compiled
def _worth_keeping(s: Record, card: Int) -> Real:
    """What a card is good for later: trumps, and cards that nothing of their suit beats any more."""
    mode = np.int64(s.mode)
    boss = _unseen(s) & ABOVE[mode, card] == 0
    if card // 9 == mode:
        return 14.0 if boss else 4.0 + 0.5 * (POWER[mode, mode, card] - 10)
    if boss:
        return 9.0
    above = popcount(_unseen(s) & ABOVE[mode, card])
    return 3.0 if above == 1 and popcount(s.hands[s.turn] & SUIT[card // 9]) > 1 else 0.0


@compiled
def _chance_to_hold(s: Record, card: Int, position: Int) -> Real:
    """How likely a card that is winning at this position of the trick stays so."""
    mode = np.int64(s.mode)
    lead = card // 9 if position == 0 else np.int64(s.lead)
    unseen = _unseen(s)
    chance = 1.0
    for k in range(1, 4 - position):
        seat = (s.turn + 4 - k) & 3
        partner = k == 2
        if partner:
            continue
        if _could_hold(s, seat, unseen & ABOVE[mode, card]):
            chance *= 0.55
        can_cut = card // 9 != mode and _could_hold(s, seat, unseen & SUIT[mode])
        if can_cut:
            chance *= 0.45 if not _could_hold(s, seat, unseen & SUIT[lead]) else 0.85
    return chance


@compiled
def _lead_gain(s: Record, card: Int) -> Real:
    """Leading: boss cards first, trumps while opponents hold some and its own side chose them."""
    mode = np.int64(s.mode)
    unseen = _unseen(s)
    me = np.int64(s.turn)
    boss = unseen & ABOVE[mode, card] == 0
    chance = _chance_to_hold(s, card, 0)
    gain = (2.0 * chance - 1.0) * (VALUE[mode, card] + 9.0)
    if card // 9 == mode:
        theirs = _could_hold(s, (me + 1) & 3, unseen & SUIT[mode]) or _could_hold(
            s, (me + 3) & 3, unseen & SUIT[mode]
        )
        ours = s.declarer & 1 == me & 1
        return gain + (2.0 if boss and theirs and ours else -12.0)
    return gain - (0.0 if boss else 0.5 * _worth_keeping(s, card))


@compiled
def _follow_gain(s: Record, card: Int) -> Real:
    """Following: the trick's points times who will get them, less what the card could do later."""
    mode = np.int64(s.mode)
    position = np.int64(s.cards)
    stake = np.float64(s.pot) + VALUE[mode, card]
    if POWER[mode, s.lead, card] > s.power:
        chance = _chance_to_hold(s, card, position)
    elif (s.winner ^ s.turn) & 1 == 0:
        chance = 1.0 if position == 3 else 0.7
    else:
        chance = 0.3 if position == 1 else 0.0  # the partner may still win it
    return (2.0 * chance - 1.0) * stake - _worth_keeping(s, card)
