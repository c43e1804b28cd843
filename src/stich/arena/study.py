"""Behaviour studies: what a seat plays and when, how it fares by position, what an agent does in one position.

Counts are whole numbers that blocks of deals add up to, and figures are kept deal by deal: results depend neither on
the blocks nor on who plays them.
"""

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stich.agents import default_spec
from stich.agents.watched import Watched
from stich.arena import stats
from stich.arena.blocks import blocks
from stich.arena.match import Faults
from stich.arena.plan import Plan, plan_match
from stich.arena.play import Block, play, prepared
from stich.core import kernels
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game, State
from stich.core.rng import numbered
from stich.core.types import Action
from stich.games import make
from stich.run.workers import Workers

ALL = "all"
"""Stands for every phase."""
SLICE = 0.5
"""Seconds of one call of an agent that is sampled: how often progress is shown."""

Tell = Callable[[int], None]
"""Hears how many deals or samples are done."""


def silent(done: int) -> None:
    """Shows no progress."""


def plan_study(
    name: str,
    options: Mapping[str, object],
    *,
    seats: Sequence[str] = (),
    agents: Sequence[str] = (),
    seed: int = 0,
    limit: float = 0.0,
) -> Plan:
    """A line-up, or agents who take turns; one agent takes every seat, and the game's own where none is named."""
    if seats and agents:
        raise StichError("name agents who take turns at the seats, or a line-up by --seats, not both")
    game = make(name, **options)
    given = tuple(seats or agents or (default_spec(game),))
    if len(given) == 1:
        return plan_match(name, options, given * game.seats, fixed=True, seed=seed, limit=limit)
    return plan_match(name, options, given, fixed=bool(seats), seed=seed, limit=limit)


def head(plan: Plan) -> dict[str, Any]:
    """What every record of a study begins with."""
    game = plan.make_game()
    line_ups = [[plan.agents[agent] for agent in arrangement] for arrangement in plan.arrangements]
    return {"game": game.name, "options": game.options, "seed": plan.seed, "line_ups": line_ups}


# Cards by the number of the decision


def chosen_phases(game: Game, text: str | None) -> tuple[str, ...]:
    """The phases that a text names: `all`, or some of them; None stands for the last, which is card play."""
    known = game.spec.phase_names
    if text == ALL or (text is None and not known):
        return known
    wanted = known[-1:] if text is None else tuple(part.strip() for part in text.split(","))
    if not set(wanted) <= set(known):
        raise StichError(f"{game.spec.name} has no phase {text!r}; it has {', '.join((*known, ALL))}")
    return tuple(phase for phase in known if phase in wanted)


@dataclass
class Cards:
    """How often a seat plays each action as its k-th decision in the chosen phases."""

    plan: Plan
    seat: int
    phases: tuple[str, ...]
    games: int
    counts: Array
    """counts[decision, action], in games."""
    seconds: float
    faults: Faults

    @property
    def agent(self) -> str:
        """Who sits there."""
        return self.plan.agents[self.plan.arrangements[0][self.seat]]

    @property
    def actions(self) -> list[int]:
        """The actions from the first to the last that was played, in the game's order."""
        played = np.flatnonzero(self.counts.any(axis=0))
        return list(range(int(played[0]), int(played[-1]) + 1))

    @property
    def names(self) -> list[str]:
        """The names of those actions."""
        state = self.plan.make_game().new()
        return [state.action_name(action) for action in self.actions]

    @property
    def shares(self) -> Array:
        """shares[decision, action] of all games, for those actions."""
        return self.counts[:, self.actions] / self.games

    def record(self) -> dict[str, Any]:
        """All of it as plain data; a row for each action at each decision."""
        rows = []
        for action, name in zip(self.actions, self.names, strict=True):
            hits = self.counts[:, action]
            low, high = stats.wilson(hits, self.games)
            rows += [
                {"action": action, "name": name, "decision": i + 1, "count": int(hits[i])}
                | {"share": float(hits[i] / self.games), "low": float(low[i]), "high": float(high[i])}
                for i in range(len(hits))
            ]
        return head(self.plan) | {
            "seat": self.seat,
            "agent": self.agent,
            "phases": list(self.phases),
            "games": self.games,
            "decided": self.counts.sum(axis=1).tolist(),
            "rows": rows,
            "faults": self.faults.kinds,
            "examples": self.faults.examples,
            "seconds": self.seconds,
        }


def study_cards(
    plan: Plan, seat: int, phase: str | None, games: int, workers: Workers, tell: Tell = silent
) -> Cards:
    """Counts what a seat of a fixed line-up plays as its first, second, ... decision in the phases named."""
    game, _ = prepared(plan)
    if not 0 <= seat < game.seats:
        raise StichError(f"there is no seat {seat}; {game.name} has seats 0 to {game.seats - 1}")
    phases = chosen_phases(game, phase)
    numbers = tuple(game.spec.phase_names.index(name) for name in phases)
    wanted = () if phases == game.spec.phase_names else numbers
    counts, faults, done = np.zeros((0, game.spec.actions), np.int64), Faults(), 0
    began = time.perf_counter()
    for block in blocks(plan, 0, games, workers, play=functools.partial(_play_cards, seat, wanted)):
        counts = _added(counts, block.notes)
        faults.add(block)
        done += block.deals
        tell(done)
    if not len(counts):
        raise StichError(
            f"seat {seat} had nothing to decide ({', '.join(phases) or ALL}) in any of {games:,} games"
        )
    return Cards(plan, seat, phases, games, counts, time.perf_counter() - began, faults)


def _play_cards(seat: int, phases: tuple[int, ...], plan: Plan, first: int, count: int) -> Block:
    """A block with the counts of a seat's actions by decision; no phases stand for all decisions."""
    game, _ = prepared(plan)
    made = np.zeros(count, np.int64)  # decisions so far in each game
    log = [np.zeros((2, 0), np.int64)]

    def watch(states: Array, lanes: Array, players: Array, actions: Array) -> None:
        own = np.flatnonzero(players[lanes] == seat)
        if phases:
            now = np.zeros(len(own), np.int64)
            kernels.phase_all(states[lanes[own]], now)
            own = own[np.isin(now, phases)]
        log.append(np.stack([made[lanes[own]], actions[own]]))
        made[lanes[own]] += 1

    block = play(plan, first, count, watch)
    block.notes = np.zeros((made.max(), game.spec.actions), np.int64)
    np.add.at(block.notes, tuple(np.concatenate(log, axis=1)), 1)
    return block


def _added(one: Array, other: Array) -> Array:
    """The sum of two tables that may differ in length."""
    long, short = (one, other) if len(one) >= len(other) else (other, one)
    total = long.copy()
    total[: len(short)] += short
    return total


# Results by position


@dataclass
class Positions:
    """How agents fare by the order in which the seats first act."""

    plan: Plan
    figures: Array
    """figures[deal, arrangement, seat, figure]."""
    starters: Array
    """starters[deal, arrangement]: the seat that acts first."""
    names: tuple[str, ...]
    seconds: float
    faults: Faults

    @property
    def games(self) -> int:
        """How many games were played."""
        return int(self.starters.size)

    @functools.cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Each agent at each position where it was; position 1 acts first."""
        seats = self.figures.shape[2]
        seated = np.array(self.plan.arrangements)
        positions = (np.arange(seats) - self.starters[:, :, None]) % seats
        rows = []
        for agent, spec in enumerate(self.plan.agents):
            for position in range(seats):
                here = (seated == agent) & (positions == position)
                if here.any():
                    figures = {name: self._figure(here, i) for i, name in enumerate(self.names)}
                    rows.append({"agent": spec, "position": position + 1, "games": int(here.sum())} | figures)
        return rows

    def _figure(self, here: Array, figure: int) -> dict[str, float | None]:
        """The mean of a figure over the marked seats with its interval; the unit is a deal, as in a match."""
        times = here.sum(axis=(1, 2))
        values = (self.figures[:, :, :, figure] * here).sum(axis=(1, 2))[times > 0] / times[times > 0]
        found = stats.estimate(values)
        return {
            "mean": found.mean,
            "low": found.low if len(values) > 1 else None,
            "high": found.high if len(values) > 1 else None,
        }

    def record(self) -> dict[str, Any]:
        """All of it as plain data."""
        return head(self.plan) | {
            "deals": len(self.figures),
            "games": self.games,
            "rows": self.rows,
            "faults": self.faults.kinds,
            "examples": self.faults.examples,
            "seconds": self.seconds,
        }


def study_positions(plan: Plan, games: int, workers: Workers, tell: Tell = silent) -> Positions:
    """Plays deals and keeps each seat's figures and who acted first."""
    game, _ = prepared(plan)
    deals = -(-games // len(plan.arrangements))
    faults, found, done = Faults(), [], 0
    began = time.perf_counter()
    for block in blocks(plan, 0, deals, workers, play=_play_positions):
        found.append(block)
        faults.add(block)
        done += block.deals
        tell(done)
    return Positions(
        plan,
        np.concatenate([block.figures for block in found]),
        np.concatenate([block.notes for block in found]),
        ("points", "win", *(name for name, _ in game.spec.measure_names)),
        time.perf_counter() - began,
        faults,
    )


def _play_positions(plan: Plan, first: int, count: int) -> Block:
    """A block with the seat that acts first in each game."""
    starters = np.full(count * len(plan.arrangements), -1)

    def watch(states: Array, lanes: Array, players: Array, actions: Array) -> None:
        new = lanes[starters[lanes] < 0]
        starters[new] = players[new]

    block = play(plan, first, count, watch)
    block.notes = starters.reshape(count, -1)
    return block


# One position


def reach(game: Game, start: Mapping[str, Any] | None, moves: str, seed: int) -> State:
    """The position after some moves (names divided by blanks or commas) from a given start or a dealt one."""
    state = game.new(seed) if start is None else _set_up(game, start)
    words = moves.replace(",", " ").split()
    number = 0
    while words:
        number += 1
        names = {name.lower() for name in state.legal_actions()}
        # A name may have blanks itself: the longest that fits is meant.
        fits = [size for size in range(len(words), 0, -1) if " ".join(words[:size]).lower() in names]
        size = fits[0] if fits else 1
        try:
            state.play(" ".join(words[:size]))
        except StichError as error:
            raise StichError(f"move {number}: {error}") from None
        words = words[size:]
    if state.is_over:
        raise StichError("the game is over there: an agent has nothing to decide")
    return state


def _set_up(game: Game, start: Mapping[str, Any]) -> State:
    try:
        return game.setup(start)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise StichError(f"this is no start of {game.name}: {type(error).__name__} {error}") from None


@dataclass
class Decision:
    """How often an agent plays each legal action in one position."""

    view: State
    spec: str
    seed: int
    samples: int
    counts: dict[Action, int]
    """By legal action."""
    seconds: float
    faults: Faults = field(default_factory=Faults)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Each legal action with its share and Wilson's interval."""
        rows = []
        for action, count in self.counts.items():
            low, high = stats.wilson(count, self.samples)
            row = {"action": action, "name": self.view.action_name(action), "count": count}
            rows.append(row | {"share": count / self.samples, "low": float(low), "high": float(high)})
        return rows

    def record(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "game": self.view.game.name,
            "options": self.view.game.options,
            "seed": self.seed,
            "agent": self.spec,
            "seat": self.view.player,
            "table": str(self.view),
            "samples": self.samples,
            "rows": self.rows,
            "faults": self.faults.kinds,
            "examples": self.faults.examples,
            "seconds": self.seconds,
        }


def study_position(
    name: str, state: State, spec: str, samples: int, seed: int, limit: float, tell: Tell = silent
) -> Decision:
    """Asks an agent for its move again and again, each time with a generator of its own."""
    view = state.view(state.player)
    agent = Watched(state.game, name, spec, limit)
    seen = agent.agent.sees(state)
    counts = dict.fromkeys(view.action_ids(), 0)
    done, size, began = 0, 1, time.perf_counter()
    try:
        while done < samples:
            size = min(size, samples - done)
            asked = time.perf_counter()
            rngs = numbered(done, size, seed, "samples")
            actions = agent.act_many(np.repeat(seen.array, size), rngs, np.full(size, view.mask))
            for action in counts:
                counts[action] += int((actions == action).sum())
            done += size
            tell(done)
            size = int(max(1, size * min(8.0, SLICE / max(time.perf_counter() - asked, 1e-3))))
    finally:
        agent.close()
    kinds, example = agent.take_faults()
    faults = Faults({spec: kinds}, {spec: example}) if kinds else Faults()
    return Decision(view, spec, seed, samples, counts, time.perf_counter() - began, faults)
