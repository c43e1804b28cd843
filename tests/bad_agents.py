"""Agents that misbehave, each in its own way."""

import os
import time

import numpy as np

from stich.agents.base import Agent
from stich.core import kernels


class Honest(Agent):
    """Plays at random, as a foreign agent."""

    def act_many(self, views, rngs):
        actions = np.zeros(len(views), np.int64)
        kernels.random_all(views, rngs, actions)
        return actions


class Unmade(Honest):
    """Cannot even be made."""

    def __init__(self, game):
        raise OSError("no such weights")


class Raises(Honest):
    """Fails on one view in ten."""

    def act_many(self, views, rngs):
        if any(int(rng["a"]) % 10 == 0 for rng in rngs):
            raise ValueError("out of ideas")
        return super().act_many(views, rngs)


class Cheats(Honest):
    """Plays action 62, which is never legal."""

    def act_many(self, views, rngs):
        return np.full(len(views), 62)


class Nonsense(Honest):
    """Answers with words."""

    def act_many(self, views, rngs):
        return ["no"] * len(views)


class Hangs(Honest):
    """Never answers."""

    def act_many(self, views, rngs):
        time.sleep(1000)


class Dies(Honest):
    """Takes its process down."""

    def act_many(self, views, rngs):
        os._exit(3)


class Picky(Honest):
    """Takes arguments of all kinds."""

    def __init__(self, game, count: int, share: float = 0.5, loud: bool = False, other: Agent | None = None):
        super().__init__(game)
        self.given = (count, share, loud, other)
