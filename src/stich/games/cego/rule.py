"""The rule-based player of Cego: bids by appendix G of document 000, plays cards by a weighted sum of what they do.

A card is judged by the chance that the trick goes to the hero (the single player, in Räuber oneself), what is at
stake, what the card is worth and could still do, and how many cards of its suit are above and below it. The weights
differ by sub-game, side and whether one leads; they were fitted by an evolution strategy on games against random
players and against itself. Only the player's own hand and public knowledge are used.
"""

import numpy as np

from stich.core.bits import ctz, popcount
from stich.core.contract import Int, Real, Record, legal
from stich.core.jit import compiled
from stich.games.cego.bid_rule import choose
from stich.games.cego.cards import ALL, GEISS, HALVES, POWER, SUIT, SUIT_OF, TRUMP, TRUMPS
from stich.games.cego.state import BETTEL, NO_CARD, PLAY, RAEUBER, SOLO, ULTIMO

# fmt: off
WEIGHTS = np.array(
    [
        [0.32, 0.46, -0.25, -0.26, -0.54, -0.47, -0.41, 0.37, -0.44, -0.31, -0.43, 0.29, -0.14, 0.16, 0.02, -0.62, 0.33, 0.09, 1, 0.73],  # points single, lead
        [0.03, 0.71, -0.41, -0.5, -0.46, -0.36, -0.65, -0.04, -0.18, -0.1, -0.07, 0.22, 0.19, -0.14, 0.44, -0.04, -0.27, -0.09, 1, 0.54],  # points single, follow
        [0.45, -0.52, 0.71, 0.58, -0.43, 0.37, -0.74, -0.27, 0.57, -0.62, -0.88, -0.03, -0.05, 0.22, -0.29, 0.31, 0.38, 0.16, 0, 1],  # points defender, lead
        [-0.14, -1.62, -0.14, 0.06, -0.07, 0.16, 0.26, -0.38, 0.02, 0.16, 0.23, -0.22, 0.07, 1.01, -1.05, 0.68, -0.34, 0.2, 0.84, 0.7],  # points defender, follow
        [-3.38, 0.3, 0.08, 0.72, 1.44, 0.28, 1.01, -0.1, 0.16, -0.88, 1.26, 0.45, 0.71, -0.98, 0.73, -0.34, 0.77, -0.46, 0.43, 0.23],  # bettel single, lead
        [-3.12, -0.18, 0.08, 0.39, -0.06, -0.35, 1.69, -1.2, -0.12, -0.1, -0.13, -0.01, 0.5, -0.73, -0.49, 0.1, 1.14, 0, 0, 0],  # bettel single, follow
        [2.32, -0.21, -1.23, -0.11, -1.88, -0.05, -0.73, 0.57, 1.27, 0.77, -1.13, -0.8, -1.56, -0.01, -1.56, -0.2, -0.52, -1.2, 0, 0],  # bettel defender, lead
        [3.82, 0.95, 0.23, 0.02, 0.3, -0.11, -0.37, -1.1, 0.93, 0.27, 0.62, -0.09, -0.91, -0.6, 0.21, -1, 0.94, -1.09, 0, 0],  # bettel defender, follow
        [0.36, 0.19, -0.29, -0.34, -0.01, -0.33, -0.09, -0.75, -0.35, -0.04, -0.72, 0.37, -0.07, 0.18, 0.06, 0.17, -0.34, 0.09, 0.93, 0.43],  # piccolo single, lead
        [0.86, 0.05, -0.07, -0.8, 0.46, -0.5, -0.62, 0.09, -0.64, -0.54, -0.83, 0.19, 0.3, 0.2, -0.19, 0.63, 0.28, 0.01, 0.5, 0.51],  # piccolo single, follow
        [-0.38, -0.63, 0.02, -0.14, 1, 0.61, 1.61, 0.31, -0.28, -0.45, 1.11, -0.97, 1.13, 0.41, -0.26, -0.1, -0.26, 0.94, 1, 0.67],  # piccolo defender, lead
        [-2.87, -0.87, -0.48, 0.98, -0.36, 1.17, -0.47, -0.25, 0.4, -0.51, 0.88, 0.68, 0.36, -0.92, 0.59, -1, 0.96, 0.62, 1, 0.21],  # piccolo defender, follow
        [-0.7, -0.74, 0.14, 0.87, 0.72, 0.6, 0.07, 0.43, -0.12, -0.21, 0.53, -0.21, 0.89, 0.24, -0.3, 0.17, -0.03, -0.35, 0.71, 0],  # räuber, lead
        [-1.11, -0.83, -0.06, 0.74, 0.2, 0.04, -0.15, -0.08, 0.28, -0.21, 0.47, -0.05, -0.72, 0.9, 0.1, -0.42, 0.31, 0.32, 0, 0.26],  # räuber, follow
        [0.46, 0.32, 0.18, -0.02, -0.4, 0.24, -0.45, 0.55, -0.63, -9.5, 0.55, -0.26, -1.04, 0.2, 0.5, 0.48, -0.22, -0.49, 1, 0.87],  # ultimo single, lead
        [0.9, 0.02, -0.1, -0.13, -0.12, 0.16, -0.1, 0.64, 1.09, -10.18, -0.52, 0.55, 0.46, -0.35, 0.04, 0.6, 0.53, -0.32, 0.99, 0.2],  # ultimo single, follow
        [0.26, 0.5, 0.72, 0.32, -0.95, 0.25, 0.15, 1.02, 0.6, -0.16, 0.19, -0.6, -0.56, 0.72, -0.48, -0.25, 0.28, -0.75, 0.36, 0.99],  # ultimo defender, lead
        [-1.56, -0.32, -0.14, 0.28, -0.27, -0.17, -0.36, -0.08, 0.45, -0.23, 0.1, -0.08, 0.05, -0.2, -0.6, 0.07, 0.08, -0.05, 1, 0.68],  # ultimo defender, follow
    ]
)
# fmt: on
"""By role (lead, then follow), for: chance q of the hero, q x stake, value, strength as a lead, trump, cards above,
below, length of the suit, chance that the hero is void, the 1 of trumps, trump x unseen trumps, late x strength,
late x trump, value x strength, late x q, trump x above, trump x own trumps, value x (1 - q); then how eagerly the
hero and the others are taken to beat a card that they can also duck."""


def rule(s: Record, rng: Record) -> Int:
    """A card, or what to say and which card to choose before the play."""
    return _best_card(s) if s.phase == PLAY else choose(s)


@compiled
def _best_card(s: Record) -> Int:
    """The legal card of the greatest worth."""
    cards = legal(s)
    row = 2 * _role(s) + (1 if s.cards else 0)
    best: Real = -1e9
    chosen = ctz(cards)
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        worth = _worth(s, card, row)
        if worth > best:
            best, chosen = worth, card
    return chosen


@compiled
def _role(s: Record) -> Int:
    """The row pair of the weights; a Piccolo whose trick is made continues like a Bettel."""
    single = s.turn == s.single
    if s.mode == RAEUBER:
        return 6
    if s.mode <= SOLO:
        return 0 if single else 1
    if s.mode == ULTIMO:
        return 7 if single else 8
    if s.mode == BETTEL or s.won[s.single] == 1:
        return 2 if single else 3
    return 4 if single else 5


@compiled
def _unseen(s: Record) -> Int:
    """Cards that others may hold; in a view the Legage is only its own."""
    return ALL & ~s.played & ~s.hands[s.turn] & ~s.laid_open & ~s.legage


@compiled
def _has_none(s: Record, seat: Int, cards: Int) -> Real:
    """The chance that a seat holds none of some cards."""
    if s.geiss == seat and cards >> GEISS & 1 and not s.played >> GEISS & 1:
        return 0.0
    possible = _unseen(s) & ~s.voids[seat]
    left = popcount(possible) - (11 - s.tricks)
    chance = 1.0
    for i in range(popcount(cards & possible)):
        if left - i <= 0:
            return 0.0
        chance *= (left - i) / (popcount(possible) - i)
    return chance


@compiled
def _beats(s: Record, seat: Int, card: Int, lead: Int, eager: Real) -> Real:
    """The chance that a seat still to play beats the card that is winning."""
    suit = np.int64(SUIT_OF[card])
    no_higher = _has_none(s, seat, SUIT[suit] & ~((2 << card) - 1))
    no_lower = _has_none(s, seat, SUIT[suit] & ((1 << card) - 1))
    chance = (1.0 - no_higher) * (no_lower + eager * (1.0 - no_lower))
    if suit != lead:
        return _has_none(s, seat, SUIT[lead]) * chance
    if lead != TRUMP:
        chance += no_higher * no_lower * (1.0 - _has_none(s, seat, TRUMPS))
    return chance


@compiled
def _takes(s: Record, card: Int, lead: Int, position: Int, hero: Int, row: Int) -> Real:
    """The chance that the hero takes the trick if the card is played at this position of it."""
    me = np.int64(s.turn)
    winner: Int = np.int64(s.winner)
    best: Int = np.int64(s.best)
    if position == 0 or best == NO_CARD or POWER[lead, card] > POWER[lead, best]:
        winner, best = me, card
    chance: Real = 1.0 if winner == hero else 0.0
    for k in range(1, 4 - position):
        seat = (me + k) & 3
        if seat == hero:
            chance = _beats(s, seat, best, lead, WEIGHTS[row, 18])
        else:
            chance *= 1.0 - _beats(s, seat, best, lead, WEIGHTS[row, 19])
    return chance


@compiled
def _worth(s: Record, card: Int, row: Int) -> Real:
    """The weighted sum of what a card does."""
    me = np.int64(s.turn)
    hero = me if s.mode == RAEUBER else np.int64(s.single)
    suit = np.int64(SUIT_OF[card])
    position = np.int64(s.cards)
    q = _takes(s, card, suit if position == 0 else np.int64(s.lead), position, hero, row)
    strength = q if position == 0 else _takes(s, card, suit, 0, hero, row)
    if s.exposed >> card & 1:
        q = 0.0
    rest = _unseen(s) & SUIT[suit]
    above = 0.1 * popcount(rest & ~((2 << card) - 1))
    below = 0.1 * popcount(rest & ((1 << card) - 1))
    stake = (np.float64(s.pot) + HALVES[card]) / 9.0
    value = HALVES[card] / 9.0
    late = s.tricks / 10.0
    w = WEIGHTS[row]
    worth = w[0] * q + w[1] * q * stake + w[2] * value + w[3] * strength + w[5] * above + w[6] * below
    worth += w[7] * 0.1 * popcount(s.hands[me] & SUIT[suit])
    worth += w[11] * late * strength + w[13] * value * strength + w[14] * late * q + w[17] * value * (1.0 - q)
    if hero != me:
        worth += w[8] * _has_none(s, hero, SUIT[suit])
    if suit == TRUMP:
        worth += w[4] + w[10] * 0.1 * popcount(rest) + w[12] * late + w[15] * above
        worth += w[16] * 0.1 * popcount(s.hands[me] & TRUMPS) + (w[9] if card == GEISS else 0.0)
    return worth
