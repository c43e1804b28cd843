"""Figure 12.1 of document 002: games of strong play, and how well the result of each position is estimated.

Everything works on shares of the 157 points for the team of seats 0 and 2; the other team's errors are the same. A
position is estimated from its own generator, so results depend neither on blocks nor on workers.
"""

import functools
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from stich.arena.blocks import blocks
from stich.arena.plan import Plan, plan_match
from stich.arena.play import Block, play
from stich.core import kernels
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.rng import RNG, numbered
from stich.papers.experiment import Effort
from stich.papers.jass.kernels import roll_out, step
from stich.search.worlds.uct import Tree, grow_tree, new_tree

CARDS = 36
MOVES = 38
"""The most moves of a round: a push, a mode, the cards."""
POINTS = 157.0
NODES = 1 << 20
"""Enough for 100,000 iterations from the first card."""


def recorded(effort: Effort, agent: str, count: int) -> Any:
    """The moves of games that an agent played with itself: read from the file that is named, else played now."""
    plan = plan_match("jass", {}, [agent] * 4, fixed=True, seed=effort.seed)
    if effort.recorded and effort.recorded.exists():
        return read_moves(effort.recorded, plan, count)
    found = []
    done = 0
    for block in blocks(plan, 0, count, effort.workers, play=record):
        found.append(block.notes)
        done += block.deals
        effort.tell(f"games of {agent}", done, count)
    moves = np.concatenate(found)
    if effort.recorded:
        with effort.recorded.open("wb") as file:
            np.savez_compressed(file, moves=moves, seed=effort.seed, agent=agent)
    return moves


def read_moves(path: Path, plan: Plan, count: int) -> Any:
    """The first games of a file that `recorded` has written for the same plan."""
    try:
        with np.load(path, allow_pickle=False) as data:
            moves, seed, agent = data["moves"], int(data["seed"]), str(data["agent"])
    except (OSError, ValueError, KeyError) as error:
        raise StichError(f"{path} does not hold recorded games: {error}") from None
    if (seed, agent) != (plan.seed, plan.agents[0]) or len(moves) < count:
        raise StichError(
            f"{path} holds {len(moves)} games of {agent} from seed {seed}; wanted are {count} of {plan.agents[0]} "
            f"from seed {plan.seed}: name another file"
        )
    return moves[:count]


def record(plan: Plan, first: int, count: int) -> Block:
    """Plays some deals and notes the moves of each, -1 after the last."""
    moves, made = np.full((count, MOVES), -1, np.int8), np.zeros(count, np.int64)

    def watch(states: Array, lanes: Array, players: Array, actions: Array) -> None:
        moves[lanes, made[lanes]] = actions
        made[lanes] += 1

    block = play(plan, first, count, watch)
    block.notes = moves
    return block


def positions(plan: Plan, first: int, moves: Array) -> tuple[Any, Any]:
    """The states of each game after 0 to 35 cards, and the share of seat 0's team in the end."""
    game, count = plan.make_game(), len(moves)
    states = np.repeat(game.template, count)
    kernels.deal_all(states, numbered(first, count, plan.seed, "deals"))
    found = np.empty((count, CARDS), states.dtype)
    for game_number in range(count):
        at = states[game_number : game_number + 1]
        chosen = moves[game_number][moves[game_number] >= 0].astype(np.int64)
        for number, action in enumerate(chosen, CARDS - len(chosen)):
            if number >= 0:
                found[game_number, number] = at[0]
            step(at, action)
    results = np.zeros((count, game.seats))
    kernels.returns_all(states, results)
    return found, results[:, 0] / POINTS


@functools.cache
def memory() -> Tree:
    """The tree of a process."""
    return new_tree(NODES, 0.0, (0.0, POINTS), np.zeros(1, RNG))


def grow_values(state: Array, rng: Array, counts: Array, c: float, out: Array) -> None:
    """out[m] is the value of a position after counts[m] iterations of tree search on open cards; counts ascend.

    Each action's value times its share of the visits, summed up: that is the root's own mean.
    """
    tree = memory()._replace(rngs=rng)
    tree.settings["c"] = c
    done = 0
    for m, count in enumerate(counts):
        grow_tree(state, tree, int(count) - done, int(done == 0))
        done = int(count)
        out[m] = tree.nodes[0]["value"] / tree.nodes[0]["visits"]


def squared_errors(
    moves: Array, rollouts: Array, iterations: Array, c: float, plan: Plan, first: int, count: int
) -> Block:
    """The squared errors of some games: [game, cards played, method], first the rollouts, then the searches."""
    states, shares = positions(plan, first, moves[first : first + count])
    flat = states.reshape(-1)
    values = np.zeros((len(flat), len(rollouts) + len(iterations)))
    roll_out(flat, numbered(first * CARDS, len(flat), plan.seed, "rollouts"), rollouts, values)
    values[:, : len(rollouts)] /= POINTS
    rngs = numbered(first * CARDS, len(flat), plan.seed, "iterations")
    for i in range(len(flat)):
        grow_values(flat[i : i + 1], rngs[i : i + 1], iterations, c, values[i, len(rollouts) :])
    errors = (values.reshape(count, CARDS, -1) - shares[:, None, None]) ** 2
    return Block(first, errors)


def measure_errors(
    effort: Effort, agent: str, moves: Array, rollouts: tuple[int, ...], iterations: tuple[int, ...], c: float
) -> Any:
    """The squared errors of all recorded games."""
    plan = plan_match("jass", {}, [agent] * 4, fixed=True, seed=effort.seed)
    task = partial(squared_errors, moves, np.array(rollouts), np.array(iterations), c)
    found, done = [], 0
    for block in blocks(plan, 0, len(moves), effort.workers, play=task):
        found.append(block.figures)
        done += block.deals
        effort.tell("values of positions", done, len(moves))
    return np.concatenate(found)
