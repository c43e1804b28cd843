"""Agents made of other agents."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from stich.agents.base import Agent
from stich.core import kernels
from stich.core.contract import Array, Int, Real, player
from stich.core.errors import StichError
from stich.core.face import Game
from stich.core.jit import kernel
from stich.core.rng import uniform


def shared_out(agents: Sequence[Agent], which: Array, views: Array, rngs: Array) -> Any:
    """Each view to the agent of its number, in one call for each agent."""
    actions = np.zeros(len(views), np.int64)
    for number, agent in enumerate(agents):
        rows = np.flatnonzero(which == number)
        if len(rows):
            own = rngs[rows]
            actions[rows] = agent.act_many(views[rows], own)
            rngs[rows] = own
    return actions


class PhaseAgent(Agent):
    """One agent for each kind of decision of a game."""

    def __init__(self, game: Game, agents: Sequence[Agent]) -> None:
        super().__init__(game)
        self.agents = agents
        self.trusted = all(agent.trusted for agent in agents)

    def act_many(self, views: Array, rngs: Array) -> Any:
        """The action of the agent for what is decided."""
        phases = np.zeros(len(views), np.int64)
        kernels.phase_all(views, phases)
        return shared_out(self.agents, phases, views, rngs)


@kernel
def player_all(states: Array, out: Array) -> None:
    """The seat to act in each state."""
    for i in range(len(states)):
        out[i] = player(states[i])


class SeatAgent(Agent):
    """One agent for each seat: `seats(rule, random, rule, random)`."""

    def __init__(self, game: Game, agents: Sequence[Agent]) -> None:
        super().__init__(game)
        if len(agents) != game.seats:
            raise StichError(f"seats(...) needs {game.seats} agents for {game.name}, not {len(agents)}")
        self.agents = agents
        self.trusted = all(agent.trusted for agent in agents)

    def act_many(self, views: Array, rngs: Array) -> Any:
        """The action of the agent of the seat."""
        seats = np.zeros(len(views), np.int64)
        player_all(views, seats)
        return shared_out(self.agents, seats, views, rngs)


@kernel
def toss_all(rngs: Array, count: Int, chance: Real, out: Array) -> None:
    """1 with the chance, from each generator."""
    for i in range(count):
        out[i] = 1 if uniform(rngs[i]) < chance else 0


class WeakenedAgent(Agent):
    """Plays like another agent, but now and then a random legal move."""

    def __init__(
        self,
        game: Game,
        agent: Annotated[Agent, "the agent that is weakened"],
        p: Annotated[float, "the chance of a random legal move"] = 0.2,
    ) -> None:
        super().__init__(game)
        if not 0 <= p <= 1:
            raise StichError(f"weaken: p is a chance from 0 to 1, not {p:g}")
        self.agent, self.p, self.trusted = agent, p, agent.trusted

    def act_many(self, views: Array, rngs: Array) -> Any:
        """A random action or the agent's, by the toss of each view's generator."""
        slips = np.zeros(len(views), np.int64)
        toss_all(rngs, len(views), self.p, slips)
        actions = np.zeros(len(views), np.int64)
        kernels.random_all(views, rngs, actions)
        rows = np.flatnonzero(slips == 0)
        if len(rows):
            own = rngs[rows]
            actions[rows] = self.agent.act_many(views[rows], own)
            rngs[rows] = own
        return actions
