"""Agents of Jass that choose the mode by the rules of document 002; everything else they do like `rule`."""

from typing import Annotated, Any

import numpy as np

from stich.agents.base import Agent
from stich.core.contract import Array, Int, Real, legal, phase, rule
from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.jit import kernel
from stich.games.jass.trump_rules import PUSH, ranked_choice, simple_choice


@kernel
def choose_simple(views: Array, rngs: Array, least: Int, out: Array) -> None:
    """The mode by sure tricks, and other moves by rule, in each view."""
    for i in range(len(views)):
        s = views[i]
        if phase(s) == 0:
            out[i] = simple_choice(s.hands[s.turn], legal(s) >> PUSH & 1, least)
        else:
            out[i] = rule(s, rngs[i])


@kernel
def choose_ranked(views: Array, rngs: Array, threshold: Real, out: Array) -> None:
    """The mode by rating, and other moves by rule, in each view."""
    for i in range(len(views)):
        s = views[i]
        if phase(s) == 0:
            out[i] = ranked_choice(s.hands[s.turn], legal(s) >> PUSH & 1, threshold)
        else:
            out[i] = rule(s, rngs[i])


class JassTrumpSimple(Agent):
    """Chooses the mode of the most sure tricks (document 002, 13.3); plays on like `rule`."""

    trusted = True
    games = ("jass",)

    def __init__(
        self, game: Game, least: Annotated[int, "pushes with less than so many sure tricks; 0: never"] = 4
    ) -> None:
        super().__init__(game)
        if not 0 <= least <= 9:
            raise StichError(f"jass-trump-simple: there are 0 to 9 sure tricks, not {least}")
        self.least = least

    def act_many(self, views: Array, rngs: Array) -> Any:
        """An action for each view; no chance is used."""
        actions = np.zeros(len(views), np.int64)
        choose_simple(views, rngs, self.least, actions)
        return actions


class JassTrumpRanked(Agent):
    """Rates the modes and pushes where none surpasses a threshold (document 002, 10.1); plays on like `rule`."""

    trusted = True
    games = ("jass",)

    def __init__(
        self,
        game: Game,
        threshold: Annotated[float, "pushes up to this rating, 20 for a likely trick; 0: never"] = 50.0,
    ) -> None:
        super().__init__(game)
        if threshold < 0:
            raise StichError(f"jass-trump-ranked: a threshold cannot be negative: {threshold:g}")
        self.threshold = threshold

    def act_many(self, views: Array, rngs: Array) -> Any:
        """An action for each view; no chance is used."""
        actions = np.zeros(len(views), np.int64)
        choose_ranked(views, rngs, self.threshold, actions)
        return actions


AGENTS = {"jass-trump-simple": JassTrumpSimple, "jass-trump-ranked": JassTrumpRanked}
