"""Back to the beginning of a deal of Schnapsen."""

import numpy as np

from stich.core.bits import nth, popcount
from stich.core.contract import Array, Int, Record
from stich.core.jit import compiled
from stich.core.rng import below
from stich.games.schnapsen.cards import FULL, PAIR, J, K, Q
from stich.games.schnapsen.deal import begin_deal
from stich.games.schnapsen.state import CLOSE, EXCHANGE, MARRIAGE, NOBODY

ACTION, SEAT, WINNER = 63, 6, 7
"""How `_who_did_what` packs a number: the action, the bit of the seat, and from where the seat that drew first."""


def rewind(s: Record, past: Array, rng: Record) -> Int:
    """Back to the first lead; which card of a hand was drawn when is drawn at random, all possible orders alike."""
    if s.pack != FULL:
        return 0
    exchanged = _who_did_what(s, past)
    at = 10 - np.int64(s.left)
    jack = 5 * np.int64(s.trump) + J
    bottom = jack if exchanged else np.int64(s.turned)
    for i in range(s.said - 1, -1, -1):
        action, seat = past[i] & ACTION, past[i] >> SEAT & 1
        if past[i] >> WINNER != NOBODY:
            for drawer in (1 - (past[i] >> WINNER), past[i] >> WINNER):  # the last to draw goes first
                at -= 1
                known = 1 << bottom | 1 << s.turned | _married_before(past, i)
                rest = s.hands[drawer] & ~known
                card = bottom if at == 9 else popcount(nth(rest, below(rng, popcount(rest))) - 1)
                s.stock[at] = card
                s.hands[drawer] &= ~(1 << card)
        if action < EXCHANGE:
            s.hands[seat] |= 1 << card_of(action)
        elif action == EXCHANGE:
            s.hands[seat] = (s.hands[seat] & ~(1 << s.turned)) | 1 << jack
            bottom = np.int64(s.turned)
    for i in range(s.said):
        past[i] &= ACTION
    count = np.int64(s.said)
    s.stock[9] = s.turned
    begin_deal(s)
    return count


@compiled
def card_of(action: Int) -> Int:
    """The card that is led by an action, a marriage or the card itself."""
    if action < MARRIAGE:
        return action
    return 5 * (action - MARRIAGE >> 1) + (K if action & 1 else Q)


@compiled
def _who_did_what(s: Record, past: Array) -> Int:
    """Writes each action with its seat and who drew first after it; returns whether the trump card was exchanged."""
    lead: Int = -1
    leader, left, exchanged = np.int64(s.forehand), 10, False
    for i in range(s.said):
        action = np.int64(s.log[i])
        if lead >= 0 and action < MARRIAGE:
            same = action // 5 == lead // 5
            wins = action > lead if same else action // 5 == s.trump
            winner = 1 - leader if wins else leader
            past[i] = action | (1 - leader) << SEAT | (winner if left > 0 else NOBODY) << WINNER
            left -= 2
            leader, lead = winner, -1
        else:
            past[i] = action | leader << SEAT | NOBODY << WINNER
            exchanged = exchanged or action == EXCHANGE
            left = 0 if action == CLOSE else left
            lead = card_of(action) if action < EXCHANGE else lead
    return exchanged


@compiled
def _married_before(past: Array, at: Int) -> Int:
    """The cards of marriages that were declared before: they cannot have been drawn since."""
    cards = 0
    for i in range(at):
        action = past[i] & ACTION
        if MARRIAGE <= action < EXCHANGE:
            cards |= PAIR[action - MARRIAGE >> 1]
    return cards
