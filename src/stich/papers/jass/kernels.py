"""The kernels behind Figure 12.1 of document 002.

They stand alone because a compiled kernel is cached by the sources of its module and of all that module uses.
"""

import numpy as np

from stich.core.contract import Array, Int, apply, is_over, legal, returns
from stich.core.jit import kernel
from stich.core.kernels import random_action


@kernel
def step(state: Array, action: Int) -> None:
    """Plays an action."""
    apply(state[0], action)


@kernel
def roll_out(states: Array, rngs: Array, counts: Array, out: Array) -> None:
    """out[i, m] is the mean result of seat 0 over the first counts[m] random playouts of state i; counts ascend."""
    work = np.empty_like(states[:1])
    result = np.zeros(4)
    for i in range(len(states)):
        total, m = 0.0, 0
        for n in range(counts[-1]):
            work[0] = states[i]
            while not is_over(work[0]):
                apply(work[0], random_action(legal(work[0]), rngs[i]))
            returns(work[0], result)
            total += result[0]
            if n + 1 == counts[m]:
                out[i, m] = total / (n + 1)
                m += 1
