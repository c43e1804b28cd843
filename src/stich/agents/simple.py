"""The agents that need no search: random legal moves, and the game's own rules of thumb."""

import numpy as np

from stich.agents.base import Agent
from stich.core import kernels
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game


class RandomAgent(Agent):
    """Plays every legal action with the same probability."""

    trusted = True

    def act_many(self, views: Array, rngs: Array) -> Array:
        """A random legal action for each view."""
        actions = np.zeros(len(views), np.int64)
        kernels.random_all(views, rngs, actions)
        return actions


class RuleAgent(Agent):
    """Plays by the rule-based player that comes with the game."""

    trusted = True

    def __init__(self, game: Game) -> None:
        """Refuses a game that has none."""
        super().__init__(game)
        if not game.spec.has_rule:
            raise StichError(f"{game.spec.name} has no rule-based player; use the agent random")

    def act_many(self, views: Array, rngs: Array) -> Array:
        """The rules' action for each view."""
        actions = np.zeros(len(views), np.int64)
        kernels.rule_all(views, rngs, actions)
        return actions


AGENTS = {"random": RandomAgent, "rule": RuleAgent}
