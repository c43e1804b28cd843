"""Where hidden cards tend to be, by what the choice of the mode tells: counted in rounds of the rule-based player.

Who chooses a suit tends to hold it, and who pushes tends to hold nothing. The frequencies are those at the start of
play; they weigh the placements that the sampler draws, for searches with guided sampling.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from stich.core.contract import Array, Int, apply, deal, phase, rule
from stich.core.jit import kernel
from stich.core.rng import stream

CLUES = 48
"""Mode, who declared as seen from its own seat, and whether it was pushed to them."""
ROUNDS = 200_000


@kernel
def count_hands(states: Array, rounds: Int, rngs: Array, counts: Array) -> None:
    """Deals, lets the rule-based player choose the mode, and counts for each seat in which other hand cards are."""
    s = states[0]
    for _ in range(rounds):
        deal(s, rngs[0])
        while phase(s) == 0:
            apply(s, rule(s, rngs[0]))
        for me in range(4):
            clue = (np.int64(s.mode) * 4 + ((np.int64(s.declarer) - me) & 3)) * 2 + s.pushed
            for k in range(3):
                hand = s.hands[(me + 1 + k) & 3]
                for card in range(36):
                    counts[clue, card, k] += hand >> card & 1


def card_weights(template: Array, rounds: int = ROUNDS) -> Callable[[Any, int], Any]:
    """What gives the weights of (card, other hand) for a view: how often a card was there, beside an even share."""
    counts = np.ones((CLUES, 36, 3))
    count_hands(template.copy(), rounds, stream(0, "clues"), counts)
    weights = counts / counts.mean(axis=2, keepdims=True)

    def of(view: Array, me: int) -> Any:
        s = view[0]
        if s["phase"] < 2:  # nothing is chosen yet
            return np.ones((36, 3))
        return weights[(int(s["mode"]) * 4 + (int(s["declarer"]) - me & 3)) * 2 + int(s["pushed"])]

    return of
