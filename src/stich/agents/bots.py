"""The compiled players that a game brings beside its rule-based one (`Bots.others`), as agents."""

import inspect
from typing import Annotated

import numpy as np

from stich.agents.base import Agent
from stich.core.contract import Array, Bot, Int, Real, play_other
from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.jit import kernel


@kernel
def play_other_all(views: Array, rngs: Array, which: Int, argument: Real, out: Array) -> None:
    """The action of player number `which` in each view."""
    for i in range(len(views)):
        out[i] = play_other(views[i], which, argument, rngs[i])


class BotAgent(Agent):
    """One of a game's own players."""

    trusted = True
    which: int
    argument = 0.0

    def act_many(self, views: Array, rngs: Array) -> Array:
        """The player's action for each view."""
        actions = np.zeros(len(views), np.int64)
        play_other_all(views, rngs, self.which, float(self.argument), actions)
        return actions


def bot_agents(game: Game) -> dict[str, type[Agent]]:
    """A class for each of the game's further players, by name."""
    bots = game.spec.bots.others if game.spec.bots else ()
    return {bot.name: _agent_class(which, bot) for which, bot in enumerate(bots)}


def _agent_class(which: int, bot: Bot) -> type[Agent]:
    """A class whose `__init__` takes the player's argument under its own name."""

    def init(self: BotAgent, game: Game, **given: float) -> None:
        Agent.__init__(self, game)
        if bot.argument:
            low, high = bot.argument.low, bot.argument.high
            self.argument = given.get(bot.argument.name, bot.argument.default)
            if not low <= self.argument <= high:
                raise StichError(f"{bot.name}: {bot.argument.name} is {low:g} to {high:g}, not {self.argument:g}")

    places = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("self", "game")]
    if bot.argument:
        places.append(
            inspect.Parameter(
                bot.argument.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=bot.argument.default
            )
        )
        init.__annotations__ = {bot.argument.name: Annotated[type(bot.argument.default), bot.argument.doc]}
    init.__signature__ = inspect.Signature(places)  # type: ignore[attr-defined]
    return type("BotAgent", (BotAgent,), {"__doc__": bot.doc, "__init__": init, "which": which})
