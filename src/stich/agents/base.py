"""The interface of an agent."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from stich.core.contract import Array
from stich.core.game import Game, State
from stich.core.rng import stream
from stich.core.types import Action, Actions

if TYPE_CHECKING:
    from stich.search.worlds.analysis import Analysis


class Agent(ABC):
    """Chooses actions from views, many at once where it can.

    Arguments of `__init__` after the game can be given in a spec string; `Annotated[int, "what it does"]` explains
    them in `stich agents`.
    """

    spec = ""
    """The spec string that the agent was made from."""
    trusted = False
    """Whether it cannot hang or fail: then it needs no watching."""
    cheats = False
    """Whether it is given the true position instead of a view."""
    games: ClassVar[tuple[str, ...]] = ()
    """The only games that it plays, by the name of their SPEC; empty: any."""

    def __init__(self, game: Game) -> None:
        """Prepares the agent for one game."""
        self.game = game

    @abstractmethod
    def act_many(self, views: Array, rngs: Array) -> Actions:
        """An action for each view, hidden for the seat that is to act in it; each has its own generator.

        What is chosen for a view depends on the view and its generator alone, not on what else is in the batch.
        """

    def warm(self) -> None:
        """Compiles what the first decision needs; called once when the agent is made, before time counts.

        A trusted agent acts once on the first view of a game. Others are left alone, since acting may fail or never
        end: override this if the agent has kernels of its own.
        """
        if self.trusted:
            self.act(self.sees(self.game.new()), stream(0, "warm"))

    def act_legal(self, views: Array, rngs: Array, masks: Array) -> Actions:
        """`act_many` for a caller that knows the masks of legal actions; override it if the agent needs them."""
        return self.act_many(views, rngs)

    def analyse(self, view: State, rngs: Array) -> "Analysis | None":
        """What the agent finds about each legal action of one view; None where it only chooses."""
        return None

    def sees(self, state: State) -> State:
        """What the agent is given of a position: the view of the seat to act, or all of it where it cheats."""
        return state if self.cheats else state.view(state.player)

    def act(self, view: State, rngs: Array) -> Action:
        """An action for one view; `rngs` holds one generator."""
        return Action(int(self.act_many(view.array, rngs)[0]))
