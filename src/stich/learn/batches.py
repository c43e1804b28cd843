"""Between samples and nets: shuffled rows, and batches as nets and losses take them."""

from typing import NamedTuple

import numpy as np

from stich.core.contract import Array
from stich.core.jit import kernel
from stich.core.rng import below
from stich.learn.lanes import Decisions, Lanes, aligned
from stich.nets.inputs import write_input


@kernel
def rows_of(steps: Array, net_of: Array, net: int, out: Array) -> int:
    """The rows whose seat a net plays; returns their number."""
    count = 0
    for i in range(len(steps)):
        if net_of[steps[i].seat] == net:
            out[count] = i
            count += 1
    return count


@kernel
def shuffle(rows: Array, rngs: Array) -> None:
    """Puts rows into random order."""
    for i in range(len(rows) - 1, 0, -1):
        j = below(rngs[0], i + 1)
        rows[i], rows[j] = rows[j], rows[i]


class Batch(NamedTuple):
    """What a step of learning takes: a row for each decision."""

    inputs: Array
    actions: Array
    """A column."""
    targets: Array


@kernel
def gather(rows: Array, samples: Decisions, factors: Array, out: Batch) -> None:
    """Writes the inputs, actions and targets of some samples."""
    for i in range(len(rows)):
        step = samples.steps[rows[i]]
        write_input(samples.observations[rows[i]], factors, step.seat, out.inputs[i])
        out.actions[i, 0] = step.action
        out.targets[i] = step.target


def batch(rows: Array, samples: Decisions, lanes: Lanes) -> Batch:
    """Some samples as a batch."""
    inputs = aligned((len(rows), lanes.inputs.width(lanes.game)), np.float32)
    out = Batch(inputs, np.empty((len(rows), 1), np.int64), np.empty(len(rows), np.float32))
    gather(rows, samples, lanes.factors, out)
    return out
