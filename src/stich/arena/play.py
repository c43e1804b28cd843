"""Some deals of a match, played in lockstep: a pure function of the plan and the deals' numbers."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stich.agents.watched import Watched
from stich.arena.plan import LOSE, Plan
from stich.core import kernels
from stich.core.contract import Array, Int, apply, hide, is_over, legal, player
from stich.core.game import Game
from stich.core.jit import kernel
from stich.core.rng import numbered, stream

POINTS, WIN = range(2)
"""The first two figures of each seat; then come the game's own."""

Watch = Callable[[Array, Array, Array, Array], None]
"""Hears of a step before it is played: all states, the numbers of those that move, who acts in each, the actions."""


@dataclass
class Block:
    """The results of some deals."""

    first: int
    figures: Array
    """figures[deal, arrangement, seat, figure]."""
    faults: dict[str, dict[str, int]] = field(default_factory=dict)
    """By agent and kind."""
    examples: dict[str, str] = field(default_factory=dict)
    """By agent: what the first fault was."""
    thought: Array = field(default_factory=lambda: np.zeros((0, 2)))
    """By agent: the seconds it took, and its decisions with a choice."""
    notes: Any = None
    """What a study has noted while the deals were played."""

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return len(self.figures)


@kernel
def look(states: Array, lanes: Array, players: Array, masks: Array, over: Array) -> None:
    """Who acts and what is legal in some of the games, and which of them are over."""
    for i in range(len(lanes)):
        s = states[lanes[i]]
        over[lanes[i]] = is_over(s)
        if not over[lanes[i]]:
            players[lanes[i]] = player(s)
            masks[lanes[i]] = legal(s)


@kernel
def take_views(states: Array, lanes: Array, players: Array, out: Array, cheats: Int) -> None:
    """The views of the seats to act in some of the games; all cards for who cheats."""
    for i in range(len(lanes)):
        out[i] = states[lanes[i]]
        if not cheats:
            hide(out[i], np.int64(players[lanes[i]]))


@kernel
def play_actions(states: Array, lanes: Array, actions: Array) -> None:
    """Plays an action in some of the games."""
    for i in range(len(lanes)):
        apply(states[lanes[i]], np.int64(actions[i]))


KEPT = 8
"""For how many plans a process keeps agents ready."""
_ready: OrderedDict[Plan, tuple[Game, list[Watched]]] = OrderedDict()


def prepared(plan: Plan) -> tuple[Game, list[Watched]]:
    """The game and the agents of a plan, made and compiled once in a process until they are released."""
    if plan not in _ready:
        game = plan.make_game()
        _warm(game)
        _ready[plan] = game, [Watched(game, plan.game, spec, plan.limit) for spec in plan.agents]
    _ready.move_to_end(plan)
    while len(_ready) > KEPT:
        release(next(iter(_ready)))
    return _ready[plan]


def release(plan: Plan) -> None:
    """Closes the agents that this process keeps for a plan: their trees, threads and processes."""
    for agent in _ready.pop(plan)[1] if plan in _ready else ():
        agent.close()


def _warm(game: Game) -> None:
    """Compiles what every step of a match calls, so that it does not count as time to think."""
    states, lanes, rngs = game.new().array, np.arange(1), stream(0, "warm")
    players, masks, actions = np.zeros((3, 1), np.int64)
    views = states.copy()
    look(states, lanes, players, masks, np.zeros(1, np.bool_))
    take_views(states, lanes, players, views, False)
    kernels.random_all(views, rngs, actions)
    play_actions(states, lanes, actions)


def play(plan: Plan, first: int, count: int, watch: Watch | None = None) -> Block:
    """Plays the deals from number `first` on, each in every arrangement; state i is deal i // arrangements."""
    game, agents = prepared(plan)
    turns = len(plan.arrangements)
    seated = np.tile(np.array(plan.arrangements), (count, 1))
    states = np.repeat(game.template, count * turns)
    kernels.deal_all(states, np.repeat(numbered(first, count, plan.seed, "deals"), turns))
    rngs = np.stack(
        [numbered(first * turns, count * turns, plan.seed, "seat", seat) for seat in range(game.seats)], axis=1
    )
    lost = np.zeros(seated.shape, np.bool_)
    thought = np.zeros((len(agents), 2))
    _run(states, rngs, seated, agents, lost, thought, watch)
    block = Block(first, _figures(game, states, lost if plan.policy == LOSE else None, count), thought=thought)
    for spec, agent in zip(plan.agents, agents, strict=True):
        faults, example = agent.take_faults()
        if faults:
            block.faults[spec], block.examples[spec] = faults, example
    return block


def _run(
    states: Array,
    rngs: Array,
    seated: Array,
    agents: list[Watched],
    lost: Array,
    thought: Array,
    watch: Watch | None,
) -> None:
    """Plays all games to their ends, one call of each agent a step."""
    players, masks = np.zeros(len(states), np.int64), np.zeros(len(states), np.int64)
    over = np.zeros(len(states), np.bool_)
    lanes = np.arange(len(states))
    while True:
        look(states, lanes, players, masks, over)
        lanes = lanes[~over[lanes]]
        if not len(lanes):
            return
        turns = seated[lanes, players[lanes]]
        for number, agent in enumerate(agents):
            own = lanes[turns == number]
            if len(own):
                began = time.perf_counter()
                actions = _choose(agent, states, own, players, masks, rngs, lost)
                choices = np.count_nonzero(masks[own] & (masks[own] - 1))
                thought[number] += time.perf_counter() - began, choices
                if watch:
                    watch(states, own, players, actions)
                play_actions(states, own, actions)


def _choose(
    agent: Watched, states: Array, lanes: Array, players: Array, masks: Array, rngs: Array, lost: Array
) -> Any:
    """An agent's actions in some games; where it fails a random legal one, and the game is marked."""
    views = np.empty(len(lanes), states.dtype)
    take_views(states, lanes, players, views, agent.agent.cheats)
    seats = players[lanes]
    generators = rngs[lanes, seats]
    actions = agent.act_many(views, generators, masks[lanes])
    failed = np.flatnonzero(actions < 0)
    if len(failed):
        own, instead = generators[failed], np.zeros(len(failed), np.int64)
        kernels.random_all(views[failed], own, instead)
        actions[failed], generators[failed] = instead, own
        lost[lanes[failed], seats[failed]] = True
    rngs[lanes, seats] = generators
    return actions


def _figures(game: Game, states: Array, lost: Array | None, count: int) -> Array:
    """Points, win share and the game's own figures of each seat."""
    names = game.spec.measure_names
    figures = np.zeros((len(states), game.seats, 2 + len(names)))
    points = np.zeros((len(states), game.seats))
    kernels.returns_all(states, points)
    if lost is not None and lost.any():
        _count_as_lost(game, points, lost)
    figures[:, :, POINTS] = points
    figures[:, :, WIN] = win_shares(points, game.teams)
    if names:
        own = np.zeros((len(states), game.seats, len(names)))
        kernels.measure_all(states, own)
        figures[:, :, 2:] = own
    return figures.reshape(count, -1, game.seats, figures.shape[-1])


def _count_as_lost(game: Game, points: Array, lost: Array) -> None:
    """The least result for a faulty side; in a game of two sides the greatest for the other."""
    low, high = game.bounds
    sides = np.array(game.teams or range(game.seats))
    for side in set(sides):
        guilty = lost[:, sides == side].any(axis=1)
        points[np.ix_(guilty, sides == side)] = low
        if len(set(sides)) == 2:
            innocent = guilty & ~lost[:, sides != side].any(axis=1)
            points[np.ix_(innocent, sides != side)] = high


def win_shares(points: Array, teams: tuple[int, ...] | None) -> Array:
    """1 for the side with the most points of its seats; sides that are level share it."""
    sides = np.array(teams or range(points.shape[1]))
    numbers = sorted(set(sides.tolist()))
    best = np.stack([points[:, sides == side].max(axis=1) for side in numbers], axis=1)
    first = best >= best.max(axis=1, keepdims=True)
    shares: Array = first / first.sum(axis=1, keepdims=True)
    return shares[:, [numbers.index(side) for side in sides.tolist()]]
