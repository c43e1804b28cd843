"""The spaces that both adapters share."""

from typing import Any

import numpy as np
from gymnasium import spaces

from stich.core.bits import set_bits
from stich.core.game import Game, State
from stich.core.spec import Encoder


def observation_space(game: Game, encoder: Encoder) -> spaces.Dict:
    """An observation with the mask of legal actions beside it."""
    return spaces.Dict(
        {
            "observation": spaces.Box(encoder.low, encoder.high, encoder.shape, np.float32),
            "action_mask": spaces.Box(0, 1, (game.spec.actions,), np.int8),
        }
    )


def observation(state: State, seat: int, encoder: Encoder) -> dict[str, Any]:
    """What a seat sees, with its legal actions: none while another is to act."""
    mask = np.zeros(state.game.spec.actions, np.int8)
    if state.player == seat:
        mask[set_bits(state.mask)] = 1
    return {"observation": state.observation(seat, encoder.name), "action_mask": mask}
