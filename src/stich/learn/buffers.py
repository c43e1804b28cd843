"""Memories of decisions as flat arrays: the newest ones (replay), or a fair sample of all so far (reservoir)."""

from collections.abc import Mapping

import numpy as np

from stich.core.contract import Array, Int
from stich.core.jit import kernel
from stich.core.rng import below
from stich.learn.checkpoint import as_records
from stich.learn.lanes import STEP, Lanes, aligned
from stich.nets.inputs import write_input

SEEN, HEAD = range(2)
"""What a memory counts: rows ever offered, and the row that is written next."""


@kernel
def remember(
    steps: Array, observations: Array, net_of: Array, net: Int, memory: Array, shown: Array, counts: Array
) -> Int:
    """Writes the decisions of one net over the oldest ones; returns their number."""
    added = 0
    for i in range(len(steps)):
        if net_of[steps[i].seat] == net:
            row = counts[HEAD]
            memory[row] = steps[i]
            for k in range(shown.shape[1]):
                shown[row, k] = observations[i, k]
            counts[HEAD] = (row + 1) % len(memory)
            counts[SEEN] += 1
            added += 1
    return added


@kernel
def sift(
    steps: Array,
    observations: Array,
    net_of: Array,
    net: Int,
    memory: Array,
    shown: Array,
    counts: Array,
    rngs: Array,
) -> None:
    """Keeps the decisions of one net that were chosen by value, each with the same chance whenever it came."""
    for i in range(len(steps)):
        if net_of[steps[i].seat] == net and steps[i].mode == 0:
            row = counts[SEEN]
            counts[SEEN] += 1
            if row >= len(memory):
                row = below(rngs[0], row + 1)
            if row < len(memory):
                memory[row] = steps[i]
                for k in range(shown.shape[1]):
                    shown[row, k] = observations[i, k]


@kernel
def pick_rows(count: Int, rngs: Array, out: Array) -> None:
    """Rows below `count`, each equally likely at each place."""
    for i in range(len(out)):
        out[i] = below(rngs[0], count)


@kernel
def gather_next(
    rows: Array, memory: Array, shown: Array, factors: Array, inputs: Array, masks: Array, rewards: Array
) -> None:
    """What followed each decision: the seat's next one, or, where it was the last (mask 0), the result."""
    for i in range(len(rows)):
        step = memory[rows[i]]
        row = (rows[i] + 1) % len(memory)
        masks[i] = 0 if step.last else memory[row].mask
        rewards[i] = step.target if step.last else 0.0
        write_input(shown[row], factors, step.seat, inputs[i])


class Memory:
    """Decisions of one net, with their observations.

    A seat's decisions in one game stand one behind the other (in a replay memory), so what followed is the next row.
    """

    def __init__(self, lanes: Lanes, net: int, size: int) -> None:
        self.lanes, self.net = lanes, net
        self.steps = np.zeros(size, STEP)
        self.observations = np.zeros((size, lanes.observations.shape[1]), lanes.observations.dtype)
        self.counts = np.zeros(2, np.int64)

    def __len__(self) -> int:
        return int(min(self.counts[SEEN], len(self.steps)))

    def remember(self) -> int:
        """Adds the lanes' samples, over the oldest; returns how many were for this net."""
        return int(remember(*self._samples(), self.steps, self.observations, self.counts))

    def sift(self, rng: Array) -> None:
        """Adds a fair share of the lanes' samples that were chosen by value."""
        sift(*self._samples(), self.steps, self.observations, self.counts, rng)

    def _samples(self) -> tuple[Array, Array, Array, int]:
        lanes = self.lanes
        return lanes.samples[: lanes.count], lanes.observations[: lanes.count], lanes.net_of, self.net

    def rows(self, count: int, rng: Array) -> Array:
        """Some rows, drawn at random."""
        rows = np.empty(count, np.int64)
        pick_rows(len(self), rng, rows)
        return rows

    def arrays(self) -> dict[str, Array]:
        """What is remembered; rows never written are left out."""
        size = len(self)
        return {"steps": self.steps[:size], "observations": self.observations[:size], "counts": self.counts}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Goes on where `arrays` were taken."""
        steps = as_records(arrays["steps"], self.steps)
        self.steps[: len(steps)] = steps
        self.observations[: len(steps)] = arrays["observations"]
        self.counts[:] = arrays["counts"]


def input_rows(count: int, lanes: Lanes) -> Array:
    """Room for the inputs of some decisions."""
    return aligned((count, lanes.inputs.width(lanes.game)), np.float32)
