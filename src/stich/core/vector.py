"""Lockstep games: many games of one kind advance together, one kernel call a step."""

import numpy as np

from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.kernels import advance_all, deal_all, first_illegal, new_turns, random_all
from stich.core.rng import streams
from stich.core.spec import Encoder

NOTHING = Encoder("nothing", "no observation", ())


class VectorGame:
    """`count` games in lockstep.

    After `reset` and after every `step` the arrays hold, for each environment: `players` the seat to act, `masks` its
    legal actions, `observations` what it sees (`encoder.scaled` gives the real values); after a step also `done` and,
    where done, `results` of the game just finished, while the environment is already at the start of its next game.
    All arrays are reused: a step allocates nothing, so copy what must last. Environment i deals from its own stream,
    so its games do not depend on the number of environments.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        seed: int = 0,
        encoder: str | None = None,
        observe: bool = True,
    ) -> None:
        """`encoder` names one of the game's encoders (the first by default); `observe=False` writes none."""
        if count < 1:
            raise StichError(f"a vector game needs at least one lane, not {count}")
        self.game, self.count, self.seed = game, count, seed
        which, self.encoder = game.encoder(encoder, moves=False) if observe else (-1, NOTHING)
        self._which = np.int64(which)
        self.states = np.repeat(game.template, count)
        self.observations = np.zeros((count, self.encoder.size), self.encoder.dtype)
        self._turns = self.players, self.masks, self.done = new_turns(count)
        self.results = np.zeros((count, game.seats))
        self._actions = np.zeros(count, np.int64)
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        """Restarts every environment; the same seed gives the same games."""
        self.seed = self.seed if seed is None else seed
        self._deals = streams(self.count, self.seed, "deals")
        self._random = streams(self.count, self.seed, "random")
        self.states[:] = self.game.template[0]
        deal_all(self.states, self._deals)
        self._actions[:] = -1
        self._advance()

    def step(self, actions: Array) -> None:
        """Plays one action in every environment, or none at all if any of them is illegal."""
        self._actions[:] = actions
        lane = first_illegal(self._actions, self.masks)
        if lane >= 0:
            state = self.game.state(self.states[lane : lane + 1].copy())
            raise StichError(f"lane {lane}: {state.refusal(int(self._actions[lane]))}")
        self._advance()

    def _advance(self) -> None:
        advance_all(self.states, self._actions, self._deals, self.results, self._turns)
        if self._which >= 0:
            self.game.observe_all(self.states, self.players, self._which, self.observations)

    def random_actions(self) -> Array:
        """A legal action for every environment, drawn from its own stream; the array is reused."""
        random_all(self.states, self._random, self._actions)
        return self._actions
