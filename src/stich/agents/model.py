"""The agent that plays a trained model; it needs no torch."""

import time
from typing import Annotated

import numpy as np

from stich.agents.base import Agent
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game, State
from stich.core.types import Action
from stich.nets.model import load_model
from stich.search.worlds.analysis import Analysis


class ModelAgent(Agent):
    """Plays what its net thinks best."""

    trusted = True

    def __init__(
        self,
        game: Game,
        name: Annotated[
            str, "one that comes with Stich, as cego.solo/dmc, a model's file, or the folder of a run"
        ],
        any_options: Annotated[bool, "play under other options than those it was trained with"] = False,
        seat: Annotated[int, "play every seat by the net of this one; -1: each by its own"] = -1,
    ) -> None:
        """Reads the model, which must fit this game."""
        super().__init__(game)
        self.model = load_model(name, game, any_options)
        if not -1 <= seat < game.seats:
            raise StichError(f"there is no seat {seat}; {game.name} has seats 0 to {game.seats - 1}")
        self.seat = seat

    def act_many(self, views: Array, rngs: Array) -> Array:
        """The model's action for each view."""
        return self.model.choose(views, rngs, self.seat)

    def analyse(self, view: State, rngs: Array) -> Analysis | None:
        """What the net thinks each action worth; it does not say how sure it is."""
        began = time.perf_counter()
        values = self.model.values(view.array, self.seat)
        if values is None:
            return None
        actions = np.array(view.action_ids())
        value, nothing = values[actions], np.zeros(len(actions), np.int64)
        wide = np.full(len(actions), np.inf)
        chosen = Action(int(actions[value.argmax()]))
        return Analysis(actions, nothing, value, -wide, wide, chosen, 0, 0, time.perf_counter() - began)


AGENTS = {"model": ModelAgent}
