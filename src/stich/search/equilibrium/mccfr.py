"""Monte Carlo counterfactual regret minimisation: each iteration sees a sampled part of the tree.

M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, *Monte Carlo Sampling for Regret Minimization in Extensive Games*,
2009. External sampling draws the deal and the others' moves and tries every move of the seat that learns; the average
strategy is updated where others move. Outcome sampling plays one game, with a share of random moves by the seat that
learns, and weights what it learns by the inverse probability of the game. Both as in OpenSpiel.
"""

import numpy as np

from stich.core.contract import Array, Int, Real, Record
from stich.core.jit import compiled, kernel
from stich.core.rng import below, stream, uniform
from stich.search.equilibrium.cfr import Learned, match_regrets
from stich.search.equilibrium.exploitability import normalised
from stich.search.equilibrium.tree import END, Nodes, Tree

EXPLORATION = 0.6
"""The share of random moves in outcome sampling (Lanctot et al. found 0.6 to work best)."""


@compiled
def pick(start: Int, end: Int, probabilities: Array, explore: Real, rng: Record) -> Int:
    """A slot from `start` to `end`, drawn by its probability, or with probability `explore` uniformly."""
    if explore > 0.0 and uniform(rng) < explore:
        return start + below(rng, end - start)
    rest = uniform(rng)
    chosen = end - 1
    for slot in range(start, end):
        rest -= probabilities[slot]
        if rest < 0.0:
            chosen = slot
            break
    return chosen


@kernel
def sample_external(nodes: Nodes, rngs: Array, count: Int, learned: Learned, queue: Array, value: Array) -> None:
    """`count` iterations; `queue` holds the nodes visited, `value` the value of each, or its one child visited."""
    seat, first, info, result, slot_start = nodes.seat, nodes.first, nodes.info, nodes.result, nodes.slot_start
    regret, strategy, total = learned.regret, learned.strategy, learned.total
    seats = result.shape[1]
    for _ in range(count):
        for me in range(seats):
            queue[0] = 1 + below(rngs[0], nodes.deals)
            length = 1
            i = 0
            # Down: every move of `me`, one move of the others.
            while i < length:
                node = queue[i]
                i += 1
                if seat[node] == END:
                    value[node] = result[node, me]
                    continue
                start = slot_start[info[node]]
                end = slot_start[info[node] + 1]
                match_regrets(start, end, regret, strategy)
                if seat[node] == me:
                    for slot in range(start, end):
                        queue[length] = first[node] + slot - start
                        length += 1
                    continue
                chosen = pick(start, end, strategy, 0.0, rngs[0])
                queue[length] = first[node] + chosen - start
                length += 1
                value[node] = queue[length - 1]
                if seat[node] == (me + 1) % seats:
                    for slot in range(start, end):
                        total[slot] += strategy[slot]
            # Up: values, and the regrets of the moves of `me`.
            for i in range(length - 1, -1, -1):
                node = queue[i]
                if seat[node] == END:
                    continue
                if seat[node] != me:
                    value[node] = value[np.int64(value[node])]
                    continue
                start = slot_start[info[node]]
                end = slot_start[info[node] + 1]
                mean = 0.0
                for slot in range(start, end):
                    mean += strategy[slot] * value[first[node] + slot - start]
                for slot in range(start, end):
                    regret[slot] += value[first[node] + slot - start] - mean
                value[node] = mean


@kernel
def sample_outcome(nodes: Nodes, rngs: Array, count: Int, learned: Learned, queue: Array, value: Array) -> None:
    """`count` iterations; `queue` holds the slots chosen, `value` the weight of each node for the regrets of `me`."""
    seat, first, info, result, slot_start = nodes.seat, nodes.first, nodes.info, nodes.result, nodes.slot_start
    regret, strategy, total = learned.regret, learned.strategy, learned.total
    for _ in range(count):
        for me in range(result.shape[1]):
            node: Int = 1 + below(rngs[0], nodes.deals)
            own = 1.0
            others = 1.0
            sampled = 1.0
            length = 0
            # Down: one game; how likely own moves, others' moves and the sample were.
            while seat[node] != END:
                start: Int = slot_start[info[node]]
                end = slot_start[info[node] + 1]
                match_regrets(start, end, regret, strategy)
                mine = seat[node] == me
                chosen = pick(start, end, strategy, EXPLORATION if mine else 0.0, rngs[0])
                value[length] = others / sampled
                queue[length] = 2 * chosen + mine
                length += 1
                if mine:
                    for slot in range(start, end):
                        total[slot] += own / sampled * strategy[slot]
                    own *= strategy[chosen]
                    sampled *= EXPLORATION / (end - start) + (1.0 - EXPLORATION) * strategy[chosen]
                else:
                    others *= strategy[chosen]
                    sampled *= strategy[chosen]
                queue[length] = info[node]
                length += 1
                node = first[node] + chosen - start
            # Up: the moves not chosen count as 0, the chosen one as much more as it was unlikely.
            outcome = result[node, me]
            for i in range(length - 2, -1, -2):
                chosen = queue[i] >> 1
                if not queue[i] & 1:
                    continue
                start = slot_start[queue[i + 1]]
                end = slot_start[queue[i + 1] + 1]
                likely = EXPLORATION / (end - start) + (1.0 - EXPLORATION) * strategy[chosen]
                mean = outcome / likely * strategy[chosen]
                for slot in range(start, end):
                    regret[slot] += value[i] * ((outcome / likely if slot == chosen else 0.0) - mean)
                outcome = mean


SAMPLERS = {"external": sample_external, "outcome": sample_outcome}


class MccfrSolver:
    """Runs iterations of external or outcome sampling on a tree."""

    def __init__(self, tree: Tree, sampler: str, seed: int = 0) -> None:
        self.tree, self.iterate, self.rngs = tree, SAMPLERS[sampler], stream(seed, "solve", sampler)
        self.iterations = 0
        self.learned = Learned(np.zeros(tree.slots), np.zeros(tree.slots), np.zeros(tree.slots))
        self._queue, self._value = np.zeros(2 * tree.nodes, np.int64), np.zeros(2 * tree.nodes)

    def run(self, count: int) -> None:
        """Does `count` more iterations, each for every seat."""
        self.iterate(self.tree.walkable, self.rngs, count, self.learned, self._queue, self._value)
        self.iterations += count

    def average(self) -> Array:
        """The average strategy, which is what converges."""
        return normalised(self.tree, self.learned.total)
