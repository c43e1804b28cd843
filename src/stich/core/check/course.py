"""What the checks look at: random games of the game, and views of some of their positions with a drawn world each."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from stich.core.bits import set_bits
from stich.core.check.finding import Finding
from stich.core.errors import StichError
from stich.core.families import fields_of
from stich.core.game import Game, State
from stich.core.rng import stream
from stich.core.sampler import Sampler

MOVES = 20_000
"""A random game that is longer than this has no end."""
GAMES, LOOKS = 10, 12
"""Random games, and the positions of a game that are looked at closely, for an effort of 1."""


def walk(game: Game, seed: int, until: int = MOVES) -> list[State]:
    """The positions of the random game that a finding names by its seed; the last one is over, or has no legal move."""
    state = game.new(seed)
    states, rng = [state.copy()], np.random.default_rng(seed)
    while not state.is_over and len(states) <= until and 0 < state.mask < 1 << game.spec.actions:
        state.force(int(rng.choice(set_bits(state.mask))))
        states.append(state.copy())
    return states


@dataclass(frozen=True)
class Walk:
    """A random game."""

    seed: int
    states: list[State]

    @cached_property
    def array(self) -> Any:
        """All positions as one array."""
        return np.concatenate([state.array for state in self.states])

    def some(self, count: int) -> list[int]:
        """The numbers of some positions before the end."""
        last = len(self.states) - 1
        chosen = np.random.default_rng(self.seed).choice(last, min(count, last), replace=False)
        return sorted(int(i) for i in chosen)

    def found(self, rule: str, says: str, move: int) -> Finding:
        """A finding at a position of this game."""
        return Finding(rule, says, self.seed, move)


@dataclass(frozen=True)
class Look:
    """What a seat knows of a position, and a drawn world that it cannot tell from the truth."""

    seed: int
    move: int
    me: int
    state: State
    view: State
    sampler: Sampler
    world: State

    def found(self, rule: str, says: str) -> Finding:
        """A finding here."""
        return Finding(rule, says, self.seed, self.move)


class Course:
    """All that the checks of a game share; made as they need it."""

    def __init__(self, game: Game, seed: int, effort: int) -> None:
        self.game, self.seed, self.effort = game, seed, effort
        self._refused: list[Finding] = []
        self.plain: list[Any] = []
        """Games of the uncompiled functions."""

    @cached_property
    def walks(self) -> list[Walk]:
        """Random games; one without an end is enough."""
        walks: list[Walk] = []
        for seed in range(self.seed, self.seed + GAMES * self.effort):
            walks.append(Walk(seed, walk(self.game, seed)))
            if len(walks[-1].states) > MOVES:
                break
        return walks

    @cached_property
    def few(self) -> list[Walk]:
        """Some of them, for checks that take long."""
        return self.walks[: 3 * self.effort]

    @cached_property
    def looks(self) -> list[Look]:
        """Views of all seats at some positions."""
        return [look for walk in self.few for move in walk.some(LOOKS) for look in self._looks(walk, move)]

    @cached_property
    def ends(self) -> list[Look]:
        """Views of all seats of finished games."""
        return [look for walk in self.few for look in self._looks(walk, len(walk.states) - 1)]

    def _looks(self, walk: Walk, move: int) -> Iterator[Look]:
        state = walk.states[move]
        for me in range(self.game.seats):
            view = state.view(me)
            try:
                sampler = view.sampler()
            except StichError:
                self._refused.append(walk.found("owners", _misfit(view), move))
                continue
            world = State(self.game, sampler.draw(stream(walk.seed, "world"), 1))
            yield Look(walk.seed, move, me, state, view, sampler, world)

    @property
    def refused(self) -> list[Finding]:
        """Views that nothing can be drawn for."""
        _ = self.looks, self.ends
        return self._refused

    def stacked(self, what: str) -> Any:
        """The states, views or worlds of all looks as one array."""
        arrays = [getattr(look, what).array for look in self.looks]
        return np.concatenate(arrays) if arrays else self.game.template[:0]

    @property
    def seats(self) -> Any:
        """The seat of each look."""
        return np.array([look.me for look in self.looks], np.int64)


def _misfit(view: State) -> str:
    """Why no world can be drawn for a view."""
    from stich.core import kernels
    from stich.core.sampler import PLAN

    plan = np.zeros(1, PLAN)
    kernels.plan_owners(view.array, np.int64(view.seat or 0), plan)
    cards, sizes = int(plan["cards"][0]), plan["size"][0, : plan["places"][0]].tolist()
    if sum(sizes) != cards:
        return f"the view of seat {view.seat} has {cards} hidden cards, but the places hold {sum(sizes)} ({sizes})"
    return f"no placement fits the view of seat {view.seat}: its weights of 0 leave too few cards for a place"


def differing(game: Game, one: Any, other: Any) -> list[str]:
    """The fields in which two records differ."""
    fields = fields_of(game.family.state)
    return [name for name in fields if one[name].tobytes() != other[name].tobytes()]


def quoted(names: list[str]) -> str:
    """Some names, as a sentence has them."""
    shown = [repr(name) for name in names[:4]]
    return ", ".join([*shown, "..."] if len(names) > 4 else shown)


def pack(state: State) -> list[str]:
    """Every card that the piles show."""
    return sorted(card for pile in state.piles().values() for card in pile)
