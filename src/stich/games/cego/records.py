"""Recordings of the document's own engine, and what ours gives beside them (docs/rules.md 1.5 to 1.10)."""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from stich.core.contract import Array
from stich.core.game import Game, State
from stich.core.plain import Plain
from stich.core.transcript import Recording, Step
from stich.games.cego.cards import CARDS, names_of
from stich.games.cego.deal import halves
from stich.games.cego.scoring import robber, single_points, single_wins
from stich.games.cego.state import BETTEL, PICCOLO, RAEUBER, SOLO, STANDARD, ULTIMO
from stich.games.cego.text import played_tricks


def recording(record: Mapping[str, Any], make: Callable[..., Game]) -> Recording:
    """A recorded sub-game, with the engine's way to end Ultimo."""
    heuristic = "on" if record["heuristic"] else "off"
    game = make(f"cego.{record['variant']}", heuristic=heuristic, ultimo_stop="engine")
    hands, blind = [list(hand) for hand in record["deal"]["hands"]], list(record["deal"]["blinds"])
    start: dict[str, Any] = {"hands": hands, "blind": blind, "legage": []}
    names = ["tricks", "partial_trick", "tricks_played", "early_end", "points_start", "points", "win01", "win11"]
    if record["variant"] == "standard":
        hands[0], start["legage"] = standard_hand(hands[0], blind)
        start["blind"] = []
        names += ["play_hand0", "legage"]
    results = {name: record[name] for name in names}
    for name in ("play_hand0", "legage"):
        if name in results:
            results[name] = sorted(results[name], key=CARDS.index)
    steps = [
        Step(step["p"], step["legal"], step["a"], {"obs": step["obs"]} if "obs" in step else {})
        for step in record["steps"]
    ]
    return Recording(game, start, steps, results)


def standard_hand(own: list[str], blind: list[str]) -> tuple[list[str], list[str]]:
    """The training rule on cards in the order they were dealt: earlier own and later blind cards win ties."""

    def rank(card: str) -> int:
        index = CARDS.index(card)
        return index if index >= 32 else index % 8

    ranked = sorted(own, key=rank, reverse=True)
    bottom = sorted(blind, key=rank, reverse=True)
    return ranked[:2] + bottom[:-1], ranked[2:] + bottom[-1:]


def values(state: State, names: Iterable[str]) -> dict[str, Any]:
    """The ones of the 336-bit observation of the seat to act."""
    return {"obs": np.flatnonzero(state.observation(encoder="bits336")).tolist()}


def trace(states: Array) -> dict[str, Any]:
    """The results of a sub-game from the states passed through, in the recording engine's words."""
    first, last = states[0], states[-1]
    tricks = played_tricks(last)
    points = _points(last)
    wins = _wins(last)
    return {
        "tricks": _tricks(states),
        "partial_trick": [CARDS[card] for _, card in tricks[-1]],
        "tricks_played": int(last["tricks"]),
        "early_end": bool(last["tricks"] < 11),
        "points_start": _start_points(first),
        "points": points,
        "win01": wins,
        "win11": [1 if win else -1 for win in wins],
        "play_hand0": names_of(first["hands"][0]),
        "legage": names_of(first["legage"]),
    }


def _start_points(s: Any) -> list[float]:
    """What the engine credits before the first trick: Legage or blind, where they count."""
    extra = int(s["legage"]) if s["mode"] == STANDARD else int(s["blind"]) if s["mode"] == SOLO else 0
    return [int(halves(extra)) / 2, 0, 0, 0]


def _points(s: Any) -> list[float]:
    """The engine's score: card points, tricks or the flag of Ultimo, mirrored among defenders."""
    if s["mode"] == RAEUBER:
        return [float(value) for value in s["points"]]
    if s["mode"] == ULTIMO:
        return [float(s["made"])] + [0.0] * 3
    counts = s["won"] if s["mode"] in (BETTEL, PICCOLO) else s["points"]
    single = float(counts[0]) if s["mode"] in (BETTEL, PICCOLO) else float(single_points(Plain(s)))
    return [single, *[float(counts[1:].astype(int).sum())] * 3]


def _wins(s: Any) -> list[int]:
    plain = Plain(s)
    if s["mode"] == RAEUBER:
        return [0 if seat == robber(plain) else 1 for seat in range(4)]
    won = bool(single_wins(plain))
    return [int(won), *[int(not won)] * 3]


def _tricks(states: Array) -> list[dict[str, Any]]:
    """Each trick with the engine's score after it."""
    tricks = []
    for before, after in pairwise(states):
        if after["tricks"] > before["tricks"]:
            number = int(before["tricks"])
            trick = played_tricks(after)[number]
            winner = next(seat for seat in range(4) if after["won"][seat] > before["won"][seat])
            tricks.append(
                {
                    "first": trick[0][0],
                    "cards": [CARDS[card] for _, card in trick],
                    "win": winner,
                    "points_after": _points(after),
                }
            )
    return tricks
