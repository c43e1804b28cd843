"""Memories of decisions as flat arrays: the newest ones (replay buffer), or a fair sample of all so far (reservoir)."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from stich.core.contract import Array, Int
from stich.core.jit import compiled, kernel
from stich.core.rng import below
from stich.learn.checkpoint import as_records
from stich.learn.lanes import Decisions, Lanes, aligned, no_decisions
from stich.nets.inputs import write_input

SEEN, HEAD = range(2)
"""What a memory counts: rows ever offered, and the row that is written next."""


class Following(NamedTuple):
    """What followed some decisions: the input and the mask of the seat's next one (0: none), and the reward."""

    inputs: Array
    masks: Array
    rewards: Array


@compiled
def copy_decision(source: Decisions, i: Int, target: Decisions, row: Int) -> None:
    """Copies a decision with its observation."""
    target.steps[row] = source.steps[i]
    for k in range(target.observations.shape[1]):
        target.observations[row, k] = source.observations[i, k]


@kernel
def remember(samples: Decisions, net_of: Array, net: Int, memory: Decisions, counts: Array) -> Int:
    """Writes the decisions of one net over the oldest ones; returns their number."""
    added = 0
    for i in range(len(samples.steps)):
        if net_of[samples.steps[i].seat] == net:
            row = counts[HEAD]
            copy_decision(samples, i, memory, row)
            counts[HEAD] = (row + 1) % len(memory.steps)
            counts[SEEN] += 1
            added += 1
    return added


@kernel
def sift(samples: Decisions, net_of: Array, net: Int, memory: Decisions, counts: Array, rngs: Array) -> None:
    """Reservoir sampling: keeps decisions of one net that were chosen by value, early and late ones alike."""
    for i in range(len(samples.steps)):
        if net_of[samples.steps[i].seat] == net and samples.steps[i].mode == 0:
            row = counts[SEEN]
            counts[SEEN] += 1
            if row >= len(memory.steps):
                row = below(rngs[0], row + 1)
            if row < len(memory.steps):
                copy_decision(samples, i, memory, row)


@kernel
def pick_rows(count: Int, rngs: Array, out: Array) -> None:
    """Rows below `count`, each equally likely at each place."""
    for i in range(len(out)):
        out[i] = below(rngs[0], count)


@kernel
def gather_next(rows: Array, memory: Decisions, factors: Array, out: Following) -> None:
    """What followed each decision: the seat's next one, or, if it was the last, the result."""
    for i in range(len(rows)):
        step = memory.steps[rows[i]]
        row = (rows[i] + 1) % len(memory.steps)
        out.masks[i] = 0 if step.last else memory.steps[row].mask
        out.rewards[i] = step.target if step.last else 0.0
        write_input(memory.observations[row], factors, step.seat, out.inputs[i])


class Memory:
    """Decisions of one net, with their observations.

    A seat's decisions in one game are consecutive rows of a replay buffer, so what followed is the next row.
    """

    def __init__(self, lanes: Lanes, net: int, size: int) -> None:
        self.lanes, self.net = lanes, net
        self.decisions = no_decisions(lanes.samples, size)
        self.counts = np.zeros(2, np.int64)

    def __len__(self) -> int:
        return int(min(self.counts[SEEN], len(self.decisions.steps)))

    def remember(self) -> int:
        """Adds the samples, over the oldest; returns how many were for this net."""
        return int(remember(self.lanes.samples, self.lanes.net_of, self.net, self.decisions, self.counts))

    def sift(self, rng: Array) -> None:
        """Adds a fair share of the samples that were chosen by value."""
        sift(self.lanes.samples, self.lanes.net_of, self.net, self.decisions, self.counts, rng)

    def rows(self, count: int, rng: Array) -> Array:
        """Some rows, drawn at random."""
        rows = np.empty(count, np.int64)
        pick_rows(len(self), rng, rows)
        return rows

    def arrays(self) -> dict[str, Array]:
        """What is remembered; rows never written are left out."""
        return self.decisions.part(slice(len(self)))._asdict() | {"counts": self.counts}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Continues where `arrays` were taken."""
        steps = as_records(arrays["steps"], self.decisions.steps)
        self.decisions.steps[: len(steps)] = steps
        self.decisions.observations[: len(steps)] = arrays["observations"]
        self.counts[:] = arrays["counts"]


def input_rows(count: int, lanes: Lanes) -> Array:
    """Room for the inputs of some decisions."""
    return aligned((count, lanes.inputs.width(lanes.game)), np.float32)
