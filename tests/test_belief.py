"""Taking deals back, and worlds weighed by what the others have done."""

import numpy as np
import pytest

import stich
from stich.agents import make_agent
from stich.core.contract import apply, rewind
from stich.core.rng import stream
from stich.core.sampler import Sampler
from stich.core.jit import kernel
from stich.core.contract import Array

GAMES = [
    ("jass", {}),
    ("jass", {"melds": "on", "stoeck": "on"}),
    ("jass.1000", {}),
    ("cego.standard", {}),
    ("cego.ultimo", {}),
    ("cego.piccolo", {"heuristic": "on"}),
    ("cego.raeuber", {}),
    ("cego", {"deals": 2}),
    ("schnapsen.deal", {}),
    ("schnapsen", {}),
    ("schnapsen.deal", {"claim": "chosen"}),
    ("wizard.round", {"round": 7}),
    ("wizard", {"wizard_turned": "dealer_chooses", "players": 5}),
]


@kernel
def again(state: Array, rngs: Array, past: Array, count: Array) -> None:
    """Takes a state back and plays it again."""
    count[0] = rewind(state[0], past, rngs[0])
    for i in range(count[0]):
        apply(state[0], past[i])


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_deal_taken_back_and_played_again_is_as_it_was(name, options):
    game = stich.make(name, **options)
    rng = np.random.default_rng(1)
    rule = make_agent("rule", game)
    taken_back = 0
    for seed in range(20):
        state = game.new(seed)
        while not state.is_over and state.record["over"] == 0:
            me = state.player
            positions = [state.array]
            if "melds" not in game.options or game.options["melds"] in (0, "off"):  # a drawn world may have more to announce than was announced
                positions.append(Sampler(state.view(me).array, me).draw(stream(seed, "w"), 1))
            for full in positions:
                copy, past, count = full.copy(), np.zeros(128, np.int64), np.zeros(1, np.int64)
                again(copy, stream(seed, "x"), past, count)
                if "memory" in copy.dtype.names:  # no state tells in which order cards were drawn
                    copy["memory"] = full["memory"]
                assert copy.tobytes() == full.tobytes()
                taken_back += int(count[0])
            view = state.view(me)
            state.play(int(rng.choice(state.action_ids())) if seed & 1 else rule.act(view, stream(seed, "y")))
            if taken_back > 20000:
                return
    assert taken_back > 500
