"""Between samples and nets: shuffled rows, and batches as nets and losses take them."""

import numpy as np

from stich.core.contract import Array
from stich.core.jit import kernel
from stich.core.rng import below
from stich.learn.lanes import Lanes, aligned
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


@kernel
def gather(
    rows: Array, steps: Array, observations: Array, factors: Array, inputs: Array, actions: Array, targets: Array
) -> None:
    """The inputs, actions and targets of some samples."""
    for i in range(len(rows)):
        step = steps[rows[i]]
        write_input(observations[rows[i]], factors, step.seat, inputs[i])
        actions[i] = step.action
        targets[i] = step.target


def batch(rows: Array, steps: Array, observations: Array, lanes: Lanes) -> tuple[Array, Array, Array]:
    """The inputs, actions (a column) and targets of some samples."""
    inputs = aligned((len(rows), lanes.inputs.width(lanes.game)), np.float32)
    actions, targets = np.empty((len(rows), 1), np.int64), np.empty(len(rows), np.float32)
    gather(rows, steps, observations, lanes.factors, inputs, actions[:, 0], targets)
    return inputs, actions, targets
