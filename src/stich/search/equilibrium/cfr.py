"""Counterfactual regret minimisation over the whole tree, with updates of one seat after the other.

One algorithm with three discounts, as N. Brown and T. Sandholm (*Solving Imperfect-Information Games via Discounted
Regret Minimization*, 2019) put it: after iteration t the positive regrets are multiplied by t^alpha / (t^alpha + 1),
the negative ones by t^beta / (t^beta + 1), and iteration t counts t^gamma times in the average.

| name | alpha | beta | gamma | |
| --- | --- | --- | --- | --- |
| cfr | infinite | infinite | 0 | M. Zinkevich et al., 2007: nothing is forgotten |
| cfr+ | infinite | -infinite | 1 | O. Tammelin, 2014: no regret falls below 0 |
| linear | 1 | 1 | 1 | |
| dcfr | 1.5 | 0 | 2 | |

`cfr`, `cfr+`, `linear` and `dcfr` do the same, iteration for iteration, as OpenSpiel's solvers.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stich.core.contract import Array, Int
from stich.core.jit import compiled, kernel
from stich.search.equilibrium.exploitability import follow, gains, normalised, uniform_strategy
from stich.search.equilibrium.tree import SequenceForm, Tree


@dataclass(frozen=True)
class Discount:
    """How fast positive regrets, negative regrets and early strategies are forgotten."""

    alpha: float
    beta: float
    gamma: float

    def factors(self, start: int, count: int) -> Array:
        """For `count` iterations from number `start`: what regrets are multiplied by after and averages before."""
        rows = [
            (_share(t, self.alpha), _share(t, self.beta), ((t - 1) / t) ** self.gamma if self.gamma else 1.0)
            for t in range(start, start + count)
        ]
        return np.array(rows)


def _share(t: int, power: float) -> float:
    """t^power / (t^power + 1), and its limits at infinite powers."""
    if math.isinf(power):
        return 1.0 if power > 0 else 0.0
    return float(t**power / (t**power + 1))


DISCOUNTS = {
    "cfr": Discount(math.inf, math.inf, 0),
    "cfr+": Discount(math.inf, -math.inf, 1),
    "linear": Discount(1, 1, 1),
    "dcfr": Discount(1.5, 0, 2),
}


class Learned(NamedTuple):
    """What a solver learns of each slot: its regret, its current probability, and the weighted sum of all of them."""

    regret: Array
    strategy: Array
    total: Array


@compiled
def match_regrets(start: Int, end: Int, regret: Array, strategy: Array) -> None:
    """The strategy proportional to positive regrets in the slots `start` to `end`, uniform where there are none."""
    total = 0.0
    for slot in range(start, end):
        total += max(regret[slot], 0.0)
    for slot in range(start, end):
        strategy[slot] = max(regret[slot], 0.0) / total if total > 0.0 else 1.0 / (end - start)


@kernel
def iterate(form: SequenceForm, factors: Array, learned: Learned, reach: Array, gain: Array) -> None:
    """An iteration for each row of `factors`; the last place of `reach` and `gain` is the empty sequence."""
    slot_start, before = form.slot_start, form.before
    regret, strategy, total = learned.regret, learned.strategy, learned.total
    seats, slots = len(form.payoff), slot_start[-1]
    reach[slots] = 1.0
    for me in range(seats):
        follow(form, me, strategy, reach)
    for t in range(len(factors)):
        for me in range(seats):
            start = form.seat_start[me]
            end = form.seat_start[me + 1]
            for slot in range(slot_start[start], slot_start[end]):
                total[slot] = total[slot] * factors[t, 2] + reach[slot]
                gain[slot] = 0.0
            gains(form, me, reach, gain)
            # From the last decision to the first: the regret of each action, then the value into the one before.
            for info in range(end - 1, start - 1, -1):
                value = 0.0
                for slot in range(slot_start[info], slot_start[info + 1]):
                    value += strategy[slot] * gain[slot]
                gain[before[info]] += value
                for slot in range(slot_start[info], slot_start[info + 1]):
                    regret[slot] += gain[slot] - value
                    regret[slot] *= factors[t, 0] if regret[slot] > 0.0 else factors[t, 1]
                match_regrets(slot_start[info], slot_start[info + 1], regret, strategy)
            follow(form, me, strategy, reach)


class CfrSolver:
    """Runs iterations of CFR or one of its discounted forms on a tree."""

    def __init__(self, tree: Tree, discount: Discount) -> None:
        self.tree, self.discount = tree, discount
        self.iterations = 0
        self.learned = Learned(np.zeros(tree.slots), uniform_strategy(tree), np.zeros(tree.slots))
        self._reach, self._gain = np.zeros(tree.slots + 1), np.zeros(tree.slots + 1)

    def run(self, count: int) -> None:
        """Does `count` more iterations."""
        factors = self.discount.factors(self.iterations + 1, count)
        iterate(self.tree.sequence_form, factors, self.learned, self._reach, self._gain)
        self.iterations += count

    def average(self) -> Array:
        """The average strategy, which is what converges."""
        return normalised(self.tree, self.learned.total)
