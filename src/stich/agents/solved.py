"""The agent that plays a strategy from a file, as `stich solve GAME --save FILE` writes it."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import numpy as np

from stich.agents.base import Agent
from stich.core.bits import ctz
from stich.core.contract import Array, key, legal, player
from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.jit import kernel
from stich.core.rng import stream
from stich.search.equilibrium.mccfr import pick
from stich.search.equilibrium.strategy import StrategyTable, load


@kernel
def play_all(views: Array, rngs: Array, table: StrategyTable, out: Array) -> None:
    """An action for each view, drawn by its probability; -1 for a choice that the strategy does not know."""
    seat_start, slot_start = table.seat_start, table.slot_start
    for i in range(len(views)):
        mask = legal(views[i])
        if mask & (mask - 1) == 0:
            out[i] = ctz(mask)
            continue
        me = np.int64(player(views[i]))
        wanted = key(views[i], me)
        own = table.keys[seat_start[me] : seat_start[me + 1]]
        row = np.searchsorted(own, wanted)
        if row < len(own) and own[row] == wanted:
            row += seat_start[me]
            out[i] = table.actions[pick(slot_start[row], slot_start[row + 1], table.probabilities, 0.0, rngs[i])]
        else:
            out[i] = -1


class SolvedAgent(Agent):
    """Plays a solved strategy."""

    def __init__(
        self, game: Game, file: Annotated[str, "a strategy that `stich solve --save` has written"]
    ) -> None:
        """Reads the strategy, which must be for this game."""
        super().__init__(game)
        self.file = file
        self.table = load(Path(file), game)

    def warm(self) -> None:
        """Looks up the first view, which the strategy need not know."""
        with suppress(StichError):
            self.act(self.sees(self.game.new()), stream(0, "warm"))

    def act_many(self, views: Array, rngs: Array) -> Array:
        """The strategy's action for each view."""
        out = np.zeros(len(views), np.int64)
        play_all(views, rngs, self.table, out)
        if (out < 0).any():
            raise StichError(f"the strategy {self.file} does not know a position that came up in {self.game!r}")
        return out


AGENTS = {"solved": SolvedAgent}
