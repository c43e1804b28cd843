"""The outcome of a search: a value with an interval for each action, and the action chosen."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from stich.core.contract import Array
from stich.core.game import State
from stich.core.types import Action
from stich.search.worlds.uct import TALLY

FINAL = ("robust", "max", "vote", "sure")
"""What is played: the most visited action, the one of the best mean, the best sum over the worlds that chose it, or
the rule-based player's action unless another one is surely better."""
SURE = 2.0
"""An action counts as surely better when its mean gain over worlds exceeds this many standard errors."""


@dataclass(frozen=True)
class Analysis:
    """The findings of a search about each legal action."""

    actions: Array
    visits: Array
    value: Array
    """The mean result of the seat to act, in the units of the game (of its present stage in a long one)."""
    low: Array
    high: Array
    """95 % intervals of the value, from the spread over worlds; unbounded with fewer than two worlds."""
    chosen: Action
    iterations: int
    worlds: int
    seconds: float

    def rows(self, view: State) -> list[dict[str, Any]]:
        """A row for each action, with its name; an interval is None if there is none."""
        columns = (self.actions, self.value, self.low, self.high, self.visits)
        return [
            {
                "action": int(action),
                "name": view.action_name(int(action)),
                "value": float(value),
                "low": float(low) if abs(low) < 1e300 else None,
                "high": float(high) if abs(high) < 1e300 else None,
                "visits": int(visits),
            }
            for action, value, low, high, visits in zip(*columns, strict=True)
        ]


def tally_of(visits: Array, values: Array, base: int = -1) -> Array:
    """The tallies of rows of visits and summed values, a row for each world; gains are over the base."""
    rows, mean = np.zeros(visits.shape, TALLY), values / np.maximum(visits, 1)
    rows["visits"], rows["value"], rows["worlds"] = visits, values, visits > 0
    rows["means"], rows["squares"] = mean, mean**2
    gain = np.where(visits > 0, mean - (mean[:, [base]] if base >= 0 else 0.0), 0.0)
    rows["gains"], rows["gain_squares"] = gain, gain**2
    best = np.arange(len(rows)), np.argmax(visits, axis=1)
    rows["votes"][best] = mean[best]
    return rows


def summary(
    rows: Array, final: str, units: tuple[float, float], worlds: int, seconds: float, base: int = -1
) -> Analysis:
    """Combines rows of tallies into an analysis; `base` is the action that gains are measured against."""
    total = {name: rows[name].sum(axis=0) for name in TALLY.names or ()}
    actions = np.flatnonzero(total["visits"])
    total = {name: values[actions] for name, values in total.items()}
    mean, seen = total["value"] / total["visits"], total["worlds"]
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (total["squares"] - total["means"] ** 2 / seen) / (seen - 1)
        half = np.where(seen > 1, 1.96 * np.sqrt(np.maximum(variance, 0.0) / seen), np.inf)
    if final == "sure" and base in actions:
        gain = total["gains"] / seen
        error = np.sqrt(np.maximum(total["gain_squares"] - seen * gain**2, 0.0)) / seen
        worth = np.where(actions == base, 0.0, np.where(gain > SURE * error, gain, -1.0))
    else:
        worth = {"vote": total["votes"], "max": mean}.get(final, total["visits"] + 0.5 * mean)
    low, span = units
    scaled = low + span * mean
    return Analysis(
        actions=actions,
        visits=total["visits"],
        value=scaled,
        low=scaled - span * half,
        high=scaled + span * half,
        chosen=Action(int(actions[np.argmax(worth)])),
        iterations=int(total["visits"].sum()),
        worlds=worlds,
        seconds=seconds,
    )
