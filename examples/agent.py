"""An agent in one file: plays the action that does best when rules of thumb play on in a few drawn worlds.

stich match jass "examples/agent.py:Lookahead(worlds=4)" rule --games 40
"""

from typing import Annotated

from stich.agents import default_agent
from stich.agents.base import Agent
from stich.core.contract import Array
from stich.core.game import Game, State


class Lookahead(Agent):
    """Plays the action with the best mean result when `rule` plays on in drawn worlds."""

    def __init__(self, game: Game, worlds: Annotated[int, "worlds that are drawn for each decision"] = 4) -> None:
        """Arguments after the game can be given in the spec; their notes are shown by `stich agents`."""
        super().__init__(game)
        self.worlds, self.player = worlds, default_agent(game)

    def act_many(self, views: Array, rngs: Array) -> list[int]:
        """An action for each view; each depends on its own view and generator alone."""
        return [self._best(views[i : i + 1], rngs[i : i + 1]) for i in range(len(views))]

    def _best(self, array: Array, rngs: Array) -> int:
        view = State(self.game, array)
        view.seat = view.player
        worlds = view.sampler().draw(rngs, self.worlds)
        values = dict.fromkeys(view.action_ids(), 0.0)
        for number in range(self.worlds):
            for action in values:
                world = State(self.game, worlds[number : number + 1].copy()).force(action)
                values[action] += self._play_out(world, rngs)[view.seat]
        return max(values, key=values.__getitem__)

    def _play_out(self, state: State, rngs: Array) -> list[float]:
        """The results when every seat plays by its own view to the end."""
        while not state.is_over:
            state.force(self.player.act(state.view(state.player), rngs))
        return state.returns()
