"""How a position becomes the input of a net, and how the net's outputs become an action."""

from dataclasses import dataclass

import numpy as np

from stich.core.bits import ctz
from stich.core.contract import Array, Int, Real, Record
from stich.core.game import Game
from stich.core.jit import compiled
from stich.core.rng import uniform


@compiled
def write_input(raw: Array, factors: Array, seat: Int, out: Array) -> None:
    """The input of a net: the real values of an observation, then, where there is room for it, the seat."""
    for k in range(len(raw)):
        out[k] = raw[k] * factors[k]
    for k in range(len(raw), len(out)):
        out[k] = 1.0 if k == len(raw) + seat else 0.0


@compiled
def best_action(mask: Int, values: Array) -> Int:
    """The legal action of the greatest value."""
    best = ctz(mask)
    mask &= mask - 1
    while mask:
        a = ctz(mask)
        mask &= mask - 1
        if values[a] > values[best]:
            best = a
    return best


@compiled
def drawn_action(mask: Int, logits: Array, rng: Record) -> Int:
    """A legal action, drawn by its share of the softmax."""
    top = logits[best_action(mask, logits)]
    total, rest = 0.0, mask
    while rest:
        total += np.exp(logits[ctz(rest)] - top)
        rest &= rest - 1
    left, a = uniform(rng) * total, ctz(mask)
    while mask:
        a = ctz(mask)
        mask &= mask - 1
        left -= np.exp(logits[a] - top)
        if left < 0.0:
            break
    return a


@compiled
def log_share(mask: Int, logits: Array, a: Int) -> Real:
    """The logarithm of a legal action's share of the softmax."""
    top = logits[best_action(mask, logits)]
    total = 0.0
    while mask:
        total += np.exp(logits[ctz(mask)] - top)
        mask &= mask - 1
    share: Real = logits[a] - top - np.log(total)
    return share


@dataclass(frozen=True)
class Inputs:
    """How a position becomes the input of a net."""

    encoder: str
    """The name of the game's encoder."""
    seat: bool
    """Whether the seat to act follows the observation, one place a seat."""

    def width(self, game: Game) -> int:
        """How many numbers a net takes."""
        return game.encoder(self.encoder, moves=False)[1].size + (game.seats if self.seat else 0)

    def factors(self, game: Game) -> Array:
        """What each written number of an observation is multiplied by."""
        encoder = game.encoder(self.encoder, moves=False)[1]
        return encoder.scaled(np.ones(encoder.size))
