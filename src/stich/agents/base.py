"""The interface of an agent."""

from abc import ABC, abstractmethod
from typing import Any

from stich.core.contract import Array
from stich.core.face import Game, State


class Agent(ABC):
    """Chooses actions from views, many at once where it can."""

    def __init__(self, game: Game) -> None:
        """Prepares the agent for one game."""
        self.game = game

    @abstractmethod
    def act_many(self, views: Array, rngs: Array) -> Any:
        """An action for each view, hidden for the seat that is to act in it; each has its own generator."""

    def act(self, view: State, rngs: Array) -> int:
        """An action for one view; `rngs` holds one generator."""
        return int(self.act_many(view.array, rngs)[0])
