"""Agents made of other agents."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from stich.agents.base import Agent
from stich.core import kernels
from stich.core.contract import Array, Int, Real, player
from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.jit import kernel
from stich.core.rng import uniform


@kernel
def player_all(states: Array, out: Array) -> None:
    """The seat to act in each state."""
    for i in range(len(states)):
        out[i] = player(states[i])


def hidden(views: Array) -> Any:
    """The views of the seats to act, where all cards were given for the sake of another agent."""
    seats = np.zeros(len(views), np.int64)
    player_all(views, seats)
    own = views.copy()
    kernels.hide_all(own, seats)
    return own


class ComposedAgent(Agent):
    """Agents that share out the decisions; it cheats where one of them does, but then the others get views."""

    def __init__(self, game: Game, agents: Sequence[Agent]) -> None:
        super().__init__(game)
        self.agents = agents
        self.trusted = all(agent.trusted for agent in agents)
        self.cheats = any(agent.cheats for agent in agents)

    def share_out(self, which: Array, views: Array, rngs: Array) -> Any:
        """Each view to the agent of its number, in one call for each agent."""
        actions = np.zeros(len(views), np.int64)
        for number, agent in enumerate(self.agents):
            rows = np.flatnonzero(which == number)
            if len(rows):
                own, seen = rngs[rows], views[rows]
                actions[rows] = agent.act_many(hidden(seen) if self.cheats and not agent.cheats else seen, own)
                rngs[rows] = own
        return actions


class PhaseAgent(ComposedAgent):
    """One agent for each kind of decision of a game."""

    def act_many(self, views: Array, rngs: Array) -> Any:
        """The action of the agent for what is decided."""
        phases = np.zeros(len(views), np.int64)
        kernels.phase_all(views, phases)
        return self.share_out(phases, views, rngs)


class SeatAgent(ComposedAgent):
    """One agent for each seat: `seats(rule, random, rule, random)`."""

    def __init__(self, game: Game, agents: Sequence[Agent]) -> None:
        super().__init__(game, agents)
        if len(agents) != game.seats:
            raise StichError(f"seats(...) needs {game.seats} agents for {game.name}, not {len(agents)}")

    def act_many(self, views: Array, rngs: Array) -> Any:
        """The action of the agent of the seat."""
        seats = np.zeros(len(views), np.int64)
        player_all(views, seats)
        return self.share_out(seats, views, rngs)


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
        self.agent, self.p, self.trusted, self.cheats = agent, p, agent.trusted, agent.cheats

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


AGENTS = {"weaken": WeakenedAgent}
