"""The history of a round for sequence models, and where every card lies (docs/rules.md 4.3; document 003, III.C and D).

Plain NumPy over one state, running or finished. Players stand by their place in bidding, as in the document's code,
so that a round looks the same wherever it starts. With four players an input has 69 numbers, a target 260.
"""

import numpy as np

from stich.core.bits import set_bits
from stich.core.contract import Array, Record
from stich.games.wizard.cards import JESTER, NO_CARD, NO_SUIT, POWER, WIZARD_POWER, mask_of
from stich.games.wizard.text import piles, tricks_of


def sequence(s: Record) -> tuple[Array, Array]:
    """For each card played so far the input and the target of the document's history model.

    Input: the card, who played it, the trump suit (or none). Target: who has played which card, card by card; who has
    shown to lack which suit, suit by suit; who is winning the running trick.
    """
    players, trump = int(s["players"]), int(s["trump"])
    inputs, targets = [], []
    played_by, lacks = np.zeros((60, players), np.uint8), np.zeros((4, players), np.uint8)
    for trick in tricks_of(s):
        follow, power, best = NO_SUIT, 0, -1
        for seat, card in trick:
            place = (seat - int(s["starter"])) % players
            if card < JESTER and follow != NO_SUIT and card // 13 != follow:
                lacks[follow, place] = 1
            if card < JESTER and follow == NO_SUIT and power != WIZARD_POWER:
                follow = card // 13
            if best < 0 or POWER[trump, follow, card] > power:
                best, power = place, int(POWER[trump, follow, card])
            played_by[card, place] = 1
            inputs.append(_ones(60 + players + 5, card, 60 + place, 60 + players + trump))
            targets.append(np.concatenate([played_by.ravel(), lacks.ravel(), _ones(players, best)]))
    return _stack(inputs, 65 + players), _stack(targets, 65 * players)


def locations(s: Record) -> Array:
    """Table I: a row a card, a one in the column of its place.

    Columns: the rest of the pack, the hands, the turned card, played by. The rows of cards that a view does not know
    are zero.
    """
    players = int(s["players"])
    found = np.zeros((60, 2 * players + 2), np.uint8)
    found[set_bits(mask_of(piles(s).get("pack", []))), 0] = 1
    for seat in range(players):
        found[set_bits(int(s["hands"][seat])), 1 + (seat - int(s["starter"])) % players] = 1
    if s["turned"] != NO_CARD:
        found[s["turned"], players + 1] = 1
    for trick in tricks_of(s):
        for seat, card in trick:
            found[card, players + 2 + (seat - int(s["starter"])) % players] = 1
    return found


def _ones(size: int, *places: int) -> Array:
    """A vector with ones at some places."""
    vector = np.zeros(size, np.uint8)
    vector[list(places)] = 1
    return vector


def _stack(rows: list[Array], width: int) -> Array:
    return np.array(rows, np.uint8).reshape(-1, width)
