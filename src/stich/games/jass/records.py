"""Recordings of jass-kit rounds, and what our engine gives beside them."""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from stich.core.contract import Array
from stich.core.game import Game, State
from stich.core.transcript import Recording, Step
from stich.games.jass.cards import CARDS, MODES
from stich.games.jass.text import played_tricks
from stich.games.jass.v02 import observation_v02


def recording(record: Mapping[str, Any], make: Callable[..., Game]) -> Recording:
    """A recorded round; where jass-kit's undertrump rule allows more, the common rule is checked beside it."""
    results = {
        "points": record["points"],
        "trump": record["trump"],
        "declared_by": record["declared_by"],
        "forehand": record["forehand"],
        "tricks": record["tricks"],
    }
    if "final_json" in record:
        results["final_json"] = record["final_json"]
    return Recording(
        make("jass", undertrump="jasskit"),
        {"dealer": record["dealer"], "hands": record["deal"]},
        [_step(step) for step in record["steps"]],
        results,
        {"highest": make("jass")},
    )


def _step(step: Mapping[str, Any]) -> Step:
    facts = {"json": step["json"]} if "json" in step else {}
    common = step.get("legal_highest", step["legal"])
    return Step(step["p"], step["legal"], step["a"], facts, legal_under={"highest": common})


def values(state: State, names: Iterable[str]) -> dict[str, Any]:
    """What recordings hold of a decision besides its legal actions: the V0.2 observation of the seat to act."""
    return {"json": observation_v02(state.view(state.player).record, state.player)}


def trace(states: Array) -> dict[str, Any]:
    """The results of a round from the states passed through."""
    last = states[-1]
    return {
        "points": last["points"].tolist(),
        "trump": MODES[last["mode"]],
        "declared_by": int(last["declarer"]),
        "forehand": 1 - int(last["pushed"]),
        "tricks": _tricks(states),
        "final_json": observation_v02(last, None),
    }


def _tricks(states: Array) -> list[dict[str, Any]]:
    """Each trick with what the engine made of it: read off where the trick count rises."""
    tricks = []
    for before, after in pairwise(states):
        if after["tricks"] > before["tricks"]:
            number = int(before["tricks"])
            gained = after["points"].astype(int) - before["points"]
            tricks.append(
                {
                    "first": int(after["leads"][number]),
                    "cards": [CARDS[card] for _, card in played_tricks(after)[number]],
                    "win": int(after["turn"]),
                    "points": int(gained.sum()),
                }
            )
    return tricks
