"""A match: plays the deals of a plan and says what came out."""

import itertools
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stich.arena import stats
from stich.arena.blocks import blocks
from stich.arena.plan import Plan
from stich.arena.play import POINTS, Block, prepared
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.run.workers import Workers

LOOK_EVERY = 100
"""Deals between two looks of a match that ends when it is decided: fixed, so that workers do not matter."""


@dataclass(frozen=True)
class Stop:
    """When a match may end before all deals are played."""

    error: float = 0.05
    """The chance to claim a difference (or, with a margin, equality) that is not there."""
    margin: float = 0.0
    """Differences up to this count as none; with 0 equality is never claimed."""

    @classmethod
    def of(cls, until: str | None, error: float, margin: float) -> "Stop | None":
        """The rule that a command names."""
        if until is None:
            return None
        if until != "significant":
            raise StichError(f"a match can be played until `significant`, not until {until!r}")
        if not 0 < error < 0.5:
            raise StichError(f"the error rate lies between 0 and 0.5, not at {error:g}")
        return cls(error, margin)


@dataclass
class Faults:
    """The faults of all agents in some blocks."""

    kinds: dict[str, dict[str, int]] = field(default_factory=dict)
    """By agent and kind: how many."""
    examples: dict[str, str] = field(default_factory=dict)
    """By agent: the first of them."""

    def add(self, block: Block) -> None:
        """Adds those of another block."""
        for spec, kinds in block.faults.items():
            self.kinds[spec] = dict(Counter(self.kinds.get(spec, {})) + Counter(kinds))
            self.examples.setdefault(spec, block.examples[spec])


@dataclass
class Result:
    """What was played and what it says."""

    plan: Plan
    figures: Array
    """figures[deal, arrangement, seat, figure]."""
    names: tuple[str, ...]
    """The figures: points, win, and the game's own."""
    seconds: float
    thought: Array
    """By agent: the seconds it took, and its decisions with a choice."""
    faults: dict[str, dict[str, int]] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)
    verdict: str = ""
    """With a sequential test: whether the first agent is `better`, `worse`, `equal`, or nothing."""

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return len(self.figures)

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.deals * len(self.plan.arrangements)

    def values(self, agent: int, figure: int = POINTS) -> Array:
        """An agent's mean of a figure in each deal, over the seats and games in which it played."""
        return agent_values(self.plan, self.figures, agent, figure)

    def seat_rows(self) -> list[dict[str, Any]]:
        """Each seat of a fixed line-up."""
        return [
            {"seat": seat, "agent": self.plan.agents[agent]}
            | {name: stats.estimate(self.figures[:, 0, seat, i]).record() for i, name in enumerate(self.names)}
            for seat, agent in enumerate(self.plan.arrangements[0])
        ]

    def agent_rows(self) -> list[dict[str, Any]]:
        """Each agent over all its seats."""
        return [
            {"agent": spec}
            | {name: stats.estimate(self.values(agent, i)).record() for i, name in enumerate(self.names)}
            for agent, spec in enumerate(self.plan.agents)
        ]

    def differences(self) -> list[dict[str, Any]]:
        """Every two agents: the mean difference in the same deals, and both tests."""
        rows = []
        for a, b in itertools.combinations(range(len(self.plan.agents)), 2):
            for i, name in enumerate(self.names):
                one, other = self.values(a, i), self.values(b, i)
                row: dict[str, Any] = {"a": self.plan.agents[a], "b": self.plan.agents[b], "figure": name}
                row |= stats.estimate(one - other).record()
                if self.deals > 1:
                    row |= {"p_paired": stats.paired_p(one - other), "p_unpaired": stats.unpaired_p(one, other)}
                rows.append(row)
        return rows

    def milliseconds(self) -> list[float]:
        """What each agent took for a decision with a choice, on average."""
        return [1e3 * float(seconds) / max(1.0, float(count)) for seconds, count in self.thought]

    def record(self) -> dict[str, Any]:
        """All of it as plain data; the times are the only part that another run does not repeat."""
        game = self.plan.make_game()
        fixed = len(self.plan.arrangements) == 1
        return {
            "game": game.name,
            "options": game.options,
            "agents": list(self.plan.agents),
            "seed": self.plan.seed,
            "deals": self.deals,
            "games": self.games,
            "arrangements": [list(arrangement) for arrangement in self.plan.arrangements],
            "rows": self.seat_rows() if fixed else self.agent_rows(),
            "differences": self.differences(),
            "verdict": self.verdict,
            "faults": self.faults,
            "examples": self.examples,
            "seconds": self.seconds,
            "milliseconds": self.milliseconds(),
        }


def agent_values(plan: Plan, figures: Array, agent: int, figure: int) -> Array:
    """An agent's mean of a figure in each deal."""
    seats = np.array(plan.arrangements) == agent
    values: Array = figures[:, seats, figure].mean(axis=1)
    return values


def run_match(
    plan: Plan,
    deals: int,
    workers: Workers,
    stop: Stop | None = None,
    tell: Callable[[int], None] = lambda deals: None,
) -> Result:
    """Plays at most this many deals; `tell` is called with the number done."""
    if stop and len(plan.agents) != 2:
        raise StichError("only a match of two agents can end when it is decided")
    game, _ = prepared(plan)
    names = ("points", "win", *(name for name, _ in game.spec.measure_names))
    figures = np.zeros((deals, len(plan.arrangements), game.seats, len(names)))
    result = Result(plan, figures[:0], names, 0.0, np.zeros((len(plan.agents), 2)))
    began = time.perf_counter()
    done, looked = 0, 0
    faults = Faults()
    for block in blocks(plan, 0, deals, workers):
        figures[done : done + block.deals] = block.figures
        done += block.deals
        faults.add(block)
        result.thought += block.thought
        tell(done)
        while stop and not result.verdict and looked + LOOK_EVERY <= done:
            looked += LOOK_EVERY
            interval = stats.any_time(_lead(plan, figures[:looked]), stop.error)
            result.verdict = stats.verdict(interval, stop.margin)
        if result.verdict:
            done = looked
            break
    result.figures = figures[:done]
    result.faults, result.examples = faults.kinds, faults.examples
    result.seconds = time.perf_counter() - began
    return result


def _lead(plan: Plan, figures: Array) -> Array:
    """How far the first agent is ahead of the second in each deal."""
    return agent_values(plan, figures, 0, POINTS) - agent_values(plan, figures, 1, POINTS)
