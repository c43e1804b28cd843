"""The agents that search.

The fields of an agent are its arguments in a spec string, in their order.
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from stich.agents.base import Agent
from stich.agents.composed import legal_masks, player_all
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game, State
from stich.core.registry import load
from stich.core.rng import stream
from stich.search.exact.pimc import Pimc
from stich.search.worlds.analysis import Analysis
from stich.search.worlds.belief import Belief
from stich.search.worlds.determinized import Dmcts, TimedDmcts
from stich.search.worlds.ismcts import Ismcts
from stich.search.worlds.search import OPEN, Drawing, Limits, Search, TreeOptions, Weights

Worlds = Annotated[int, "how many worlds are drawn"]
Iterations = Annotated[int, "iterations in each world"]
Seconds = Annotated[float, "seconds for a move, 0 for no limit"]
Exploration = Annotated[float, "the constant of exploration"]
Final = Annotated[
    str,
    "what is played: robust (most visits), max (best mean), vote, or sure (rules of thumb unless beaten)",
]
Ruled = Annotated[float, "the share of playout moves by the game's rules of thumb"]
Policy = Annotated[str, "module:function of a state and a generator, in place of those rules of thumb"]
Cards = Annotated[str, "how hidden cards are drawn: even, or counted (where they tend to be)"]
Believed = Annotated[int, "worlds weighed by how the others' moves agree with the rules of thumb; 0: none"]
Slip = Annotated[float, "how often the others are taken to play otherwise"]
Left = Annotated[int, "positions with at most this many cards left are solved; -1: the game's number"]
Table = Annotated[int, "the transposition table has 2 to this many places of 16 bytes"]
Threads = Annotated[int, "threads; the result does not depend on them"]


def provider(game: Game, cards: str) -> Weights | None:
    """The card probabilities that a search is guided by."""
    if cards == "even":
        return None
    if cards != "counted":
        raise StichError(f"hidden cards are drawn even or counted, not {cards!r}")
    make = game.spec.belief.card_weights if game.spec.belief else None
    if make is None:
        raise StichError(f"{game.spec.name} does not count where cards tend to be")
    found: Weights = make(game.template)
    return found


def policy_of(name: str) -> Any:
    """The function that a name stands for, None for no name."""
    return load(name) if name else None


@dataclass(eq=False, repr=False)
class SearchAgent(Agent):
    """Arguments that several searching agents take; what one does not offer keeps the value given here."""

    game: Game

    trusted = True
    d = 1
    i = 1
    c = 1.0
    time = 0.0
    final = "robust"
    rule = 0.0
    policy = ""
    belief = 0
    slip = 0.3
    threads = 1

    def __post_init__(self) -> None:
        super().__init__(self.game)
        self.search = self.make_search()

    def warm(self) -> None:
        """Searches once a little."""
        state, search = self.game.new(), self.search
        limits, search.limits = search.limits, Limits(1, 1, 1e-6, search.limits.threads)
        search.analyse(self.sees(state).array, state.player, stream(0, "warm"))
        search.limits = limits
        player_all(state.array, np.zeros(1, np.int64))
        legal_masks(state.array)

    @abstractmethod
    def make_search(self) -> Search:
        """The search that the arguments ask for."""

    def limits(self) -> Limits:
        """How long to search."""
        return Limits(self.d, self.i, self.time, self.threads)

    def options(self) -> TreeOptions:
        """How trees are grown."""
        return TreeOptions(self.c, self.final, self.rule, policy_of(self.policy))

    def drawing(self, cards: str = "even") -> Drawing:
        """How worlds are drawn."""
        return Drawing(provider(self.game, cards), Belief(self.belief, self.slip))

    def analyse(self, view: State, rngs: Array) -> Analysis:
        """What the search finds for a view."""
        return self.search.analyse(view.array, view.player, rngs)

    def act_many(self, views: Array, rngs: Array) -> Array:
        """Searches each view; where there is no choice nothing is searched."""
        return self.act_legal(views, rngs, legal_masks(views))

    def act_legal(self, views: Array, rngs: Array, masks: Array) -> Array:
        """The same with the masks known."""
        seats = np.zeros(len(views), np.int64)
        player_all(views, seats)
        actions = np.zeros(len(views), np.int64)
        for i in range(len(views)):
            mask = int(masks[i])
            if mask & (mask - 1) == 0:
                actions[i] = mask.bit_length() - 1
            else:
                actions[i] = self.search.analyse(views[i : i + 1], int(seats[i]), rngs[i : i + 1]).chosen
        return actions


@dataclass(eq=False, repr=False)
class FlatAgent(SearchAgent):
    """Flat Monte Carlo: every action tried equally often in every world, no tree."""

    d: Worlds = 100
    i: Iterations = 30
    time: Seconds = 0.0
    final: Final = "max"
    rule: Ruled = 0.0
    policy: Policy = ""
    belief: Believed = 0
    slip: Slip = 0.3
    threads: Threads = 1

    def make_search(self) -> Search:
        """A tree of the root alone, in which exploration outweighs everything."""
        return Dmcts(self.game, self.limits(), replace(self.options(), c=1e6, nodes=64), self.drawing())


@dataclass(eq=False, repr=False)
class DmctsAgent(SearchAgent):
    """Determinized Monte Carlo tree search (document 002): d worlds with i iterations each."""

    d: Worlds = 100
    i: Iterations = 400
    c: Exploration = 1.5
    time: Seconds = 0.0
    final: Final = "robust"
    rule: Ruled = 0.0
    policy: Policy = ""
    cards: Cards = "even"
    belief: Believed = 0
    slip: Slip = 0.3
    threads: Threads = 1

    def make_search(self) -> Search:
        """DMCTS."""
        return Dmcts(self.game, self.limits(), self.options(), self.drawing(self.cards))


@dataclass(eq=False, repr=False)
class TimedAgent(SearchAgent):
    """DMCTS by time (document 002, 10.1): worlds by the tricks that remain, each with its share of the time."""

    time: Seconds = 1.0
    factor: Annotated[int, "worlds for each trick that remains"] = 15
    c: Exploration = 2**0.5
    final: Final = "vote"
    rule: Ruled = 0.0
    policy: Policy = ""
    threads: Threads = 1

    i = 1 << 14

    def make_search(self) -> Search:
        """T-DMCTS, for games that count tricks."""
        stages = self.game.spec.stages
        tricks = stages.tricks_left if stages else None
        if tricks is None:
            raise StichError(f"{self.game.spec.name} does not say how many tricks remain; use dmcts(time=...)")
        if self.time <= 0 or self.factor < 1:
            raise StichError("tdmcts needs a positive time and at least one world for a trick")
        return TimedDmcts(self.game, self.limits(), self.options(), self.factor, tricks)


@dataclass(eq=False, repr=False)
class IsmctsAgent(SearchAgent):
    """Information-set Monte Carlo tree search: one tree for all worlds."""

    i: Annotated[int, "iterations, each in a world of its own"] = 20_000
    c: Exploration = 0.7
    time: Seconds = 0.0
    observers: Annotated[bool, "a tree for every seat, where choices may be secret"] = False
    final: Final = "robust"
    rule: Ruled = 0.0
    policy: Policy = ""
    cards: Cards = "even"
    trees: Annotated[int, "independent trees that share the iterations"] = 1
    belief: Believed = 0
    slip: Slip = 0.3
    threads: Threads = 1

    def make_search(self) -> Search:
        """ISMCTS."""
        return Ismcts(
            self.game, self.limits(), self.options(), self.drawing(self.cards), self.observers, self.trees
        )


@dataclass(eq=False, repr=False)
class CheatingAgent(SearchAgent):
    """CHEATS: sees all cards. Monte Carlo tree search on the true position, as an upper bound."""

    i: Iterations = 2000
    c: Exploration = 1.0
    time: Seconds = 0.0
    rule: Ruled = 0.0
    policy: Policy = ""

    cheats = True

    def make_search(self) -> Search:
        """UCT on the position itself."""
        return Dmcts(self.game, self.limits(), self.options(), OPEN)


@dataclass(eq=False, repr=False)
class PimcAgent(SearchAgent):
    """Perfect-information Monte Carlo: d worlds solved exactly; with too many cards left, another search."""

    d: Worlds = 100
    time: Seconds = 0.0
    cards: Left = -1
    early: Annotated[SearchAgent | None, "the search with more cards left; default: ismcts"] = None
    belief: Believed = -1
    slip: Slip = 0.3
    table: Table = 20
    threads: Threads = 1

    i = 4000

    def make_search(self) -> Search:
        """PIMC, with its belief and its other search chosen by what the game has."""
        game = self.game
        if self.early and not isinstance(self.early, SearchAgent):
            raise StichError(f"pimc needs a searching agent for positions with many cards, not {self.early.spec}")
        if self.belief == -1:
            self.belief = 300 if game.spec.belief and game.spec.has_rule else 0
        drawing = self.drawing()
        if self.early:
            other = self.early.search
        else:
            ruled = 0.5 if game.spec.has_rule else 0.0
            other = Ismcts(game, self.limits(), TreeOptions(0.7, ruled=ruled), drawing, trees=1)
        return Pimc(game, self.limits(), drawing, other, self.cards, 1 << self.table)


@dataclass(eq=False, repr=False)
class CheatingSolver(SearchAgent):
    """CHEATS: sees all cards. Solves the true position; with too many cards left, Monte Carlo tree search on it."""

    cards: Left = -1
    i: Annotated[int, "iterations of the tree search"] = 2000
    c: Exploration = 1.0
    time: Seconds = 0.0
    table: Table = 20

    cheats = True

    def make_search(self) -> Search:
        """Exact solving late, UCT before."""
        early = Dmcts(self.game, self.limits(), self.options(), OPEN)
        return Pimc(self.game, Limits(1, 1, self.time), OPEN, early, self.cards, 1 << self.table)


AGENTS = {
    "mc": FlatAgent,
    "dmcts": DmctsAgent,
    "tdmcts": TimedAgent,
    "ismcts": IsmctsAgent,
    "pimc": PimcAgent,
    "cheat-mcts": CheatingAgent,
    "cheat-solve": CheatingSolver,
}
