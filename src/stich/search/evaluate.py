"""How good a strategy is, exactly: its value, best responses to it, and its exploitability.

A strategy is an array with the probability of each slot of a tree.
"""

import numpy as np

from stich.core.contract import Array, Int
from stich.core.jit import compiled, kernel
from stich.search.tree import Tree


@compiled
def follow(start: Int, end: Int, slot_start: Array, before: Array, strategy: Array, reach: Array) -> None:
    """How likely a seat's own moves lead to each slot of its information sets `start` to `end`."""
    for info in range(start, end):
        own = reach[before[info]]
        for slot in range(slot_start[info], slot_start[info + 1]):
            reach[slot] = own * strategy[slot]


@compiled
def gains(me: Int, payoff_slot: Array, payoff: Array, reach: Array, gain: Array) -> None:
    """What each slot of `me` brings at once, where the others play to their `reach` and `me` aims for the slot."""
    for i in range(payoff.shape[1]):
        value = payoff[me, i]
        for other in range(len(payoff)):
            if other != me:
                value *= reach[payoff_slot[other, i]]
        gain[payoff_slot[me, i]] += value


@kernel
def evaluate(
    seat_start: Array,
    slot_start: Array,
    before: Array,
    payoff_slot: Array,
    payoff: Array,
    strategy: Array,
    values: Array,
    best: Array,
) -> None:
    """Each seat's value when all play the strategy, and when it alone plays its best response."""
    slots = slot_start[-1]
    reach = np.ones(slots + 1)
    gain = np.empty(slots + 1)
    for me in range(len(payoff)):
        follow(seat_start[me], seat_start[me + 1], slot_start, before, strategy, reach)
    for me in range(len(payoff)):
        for aim in range(2):
            gain[:] = 0.0
            gains(me, payoff_slot, payoff, reach, gain)
            for info in range(seat_start[me + 1] - 1, seat_start[me] - 1, -1):
                mean = 0.0
                most = -np.inf
                for slot in range(slot_start[info], slot_start[info + 1]):
                    mean += strategy[slot] * gain[slot]
                    most = max(most, gain[slot])
                gain[before[info]] += most if aim else mean
            if aim:
                best[me] = gain[slots]
            else:
                values[me] = gain[slots]


def values(tree: Tree, strategy: Array) -> tuple[Array, Array]:
    """Each seat's value when all play the strategy, and its best-response value against the others."""
    plain, best = np.zeros(tree.game.seats), np.zeros(tree.game.seats)
    evaluate(
        tree.seat_start,
        tree.slot_start,
        tree.before,
        tree.payoff_slot,
        tree.payoff,
        strategy,
        plain,
        best,
    )
    return plain, best


def exploitability(tree: Tree, strategy: Array) -> float:
    """What a seat gains on average by turning to its best response: 0 in an equilibrium, as OpenSpiel has it."""
    plain, best = values(tree, strategy)
    return float((best - plain).mean())


def uniform_strategy(tree: Tree) -> Array:
    """Every legal action with the same probability."""
    counts = np.diff(tree.slot_start)
    return np.repeat(1.0 / counts, counts)


def normalised(tree: Tree, weights: Array) -> Array:
    """The strategy proportional to weights of slots; uniform where an information set has none."""
    counts = np.diff(tree.slot_start)
    sums = np.repeat(np.add.reduceat(weights, tree.slot_start[:-1]), counts)
    return np.where(sums > 0, weights / np.where(sums > 0, sums, 1.0), uniform_strategy(tree))
