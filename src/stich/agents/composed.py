"""Agents made of other agents."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated

import numpy as np

from stich.agents.base import Agent
from stich.core import kernels
from stich.core.contract import Array, Int, Real, legal, player
from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.jit import kernel
from stich.core.rng import stream, uniform


@kernel
def player_all(states: Array, out: Array) -> None:
    """The seat to act in each state."""
    for i in range(len(states)):
        out[i] = player(states[i])


@kernel
def legal_all(states: Array, out: Array) -> None:
    """The mask of legal actions in each state."""
    for i in range(len(states)):
        out[i] = legal(states[i])


def legal_masks(states: Array) -> Array:
    """The masks of legal actions."""
    masks = np.zeros(len(states), np.int64)
    legal_all(states, masks)
    return masks


def hidden(views: Array) -> Array:
    """The views of the seats to act, where all cards were given for the sake of another agent."""
    seats = np.zeros(len(views), np.int64)
    player_all(views, seats)
    own = views.copy()
    kernels.hide_all(own, seats)
    return own


class ComposedAgent(Agent):
    """Agents that share out the decisions; it cheats if one of them does, but then the others get views."""

    def __init__(self, game: Game, agents: Sequence[Agent]) -> None:
        super().__init__(game)
        self.agents = agents
        self.trusted = all(agent.trusted for agent in agents)
        self.cheats = any(agent.cheats for agent in agents)

    def warm(self) -> None:
        """Compiles what it needs itself: the agents are warm, and asking them could take long."""
        views = self.game.new().array
        legal_masks(views)
        self.numbers(hidden(views))

    @abstractmethod
    def numbers(self, views: Array) -> Array:
        """Which agent decides in each view."""

    def act_many(self, views: Array, rngs: Array) -> Array:
        """The action of the agent that decides."""
        return self.act_legal(views, rngs, legal_masks(views))

    def act_legal(self, views: Array, rngs: Array, masks: Array) -> Array:
        """Each view to the agent of its number, in one call for each agent."""
        which = self.numbers(views)
        actions = np.zeros(len(views), np.int64)
        for number, agent in enumerate(self.agents):
            rows = np.flatnonzero(which == number)
            if len(rows):
                own, seen = rngs[rows], views[rows]
                seen = hidden(seen) if self.cheats and not agent.cheats else seen
                actions[rows] = agent.act_legal(seen, own, masks[rows])
                rngs[rows] = own
        return actions


class PhaseAgent(ComposedAgent):
    """One agent for each kind of decision of a game."""

    def numbers(self, views: Array) -> Array:
        """The phase of each view."""
        phases = np.zeros(len(views), np.int64)
        kernels.phase_all(views, phases)
        return phases


class SeatAgent(ComposedAgent):
    """One agent for each seat: `seats(rule, random, rule, random)`."""

    def __init__(self, game: Game, agents: Sequence[Agent]) -> None:
        super().__init__(game, agents)
        if len(agents) != game.seats:
            raise StichError(f"seats(...) needs {game.seats} agents for {game.name}, not {len(agents)}")

    def numbers(self, views: Array) -> Array:
        """The seat to act in each view."""
        seats = np.zeros(len(views), np.int64)
        player_all(views, seats)
        return seats


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

    def warm(self) -> None:
        """Compiles what it needs itself: the agent is warm, and asking it could take long."""
        views = self.game.new().array
        legal_masks(views)
        self._tossed(views, stream(0, "warm"))

    def act_many(self, views: Array, rngs: Array) -> Array:
        """A random action or the agent's, by the toss of each view's generator."""
        return self.act_legal(views, rngs, legal_masks(views))

    def act_legal(self, views: Array, rngs: Array, masks: Array) -> Array:
        """The same with the masks known."""
        actions, rows = self._tossed(views, rngs)
        if len(rows):
            own = rngs[rows]
            actions[rows] = self.agent.act_legal(views[rows], own, masks[rows])
            rngs[rows] = own
        return actions

    def _tossed(self, views: Array, rngs: Array) -> tuple[Array, Array]:
        """Random actions, and the numbers of the views in which the agent decides instead."""
        slips, actions = np.zeros((2, len(views)), np.int64)
        toss_all(rngs, len(views), self.p, slips)
        kernels.random_all(views, rngs, actions)
        return actions, np.flatnonzero(slips == 0)


AGENTS = {"weaken": WeakenedAgent}
