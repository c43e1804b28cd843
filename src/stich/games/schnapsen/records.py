"""Recordings of open-stock Schnapsen and Mini-Schnapsen by another engine (docs/rules.md 2.8)."""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from stich.core.contract import Array
from stich.core.game import Game, State
from stich.core.transcript import Recording, Step
from stich.games.schnapsen.cards import CARDS, NO_CARD, names_of
from stich.games.schnapsen.state import EXCHANGE, MARRIAGE


def recording(record: Mapping[str, Any], make: Callable[..., Game]) -> Recording:
    """A recorded deal; in the whole game without closing, with pending marriages led by the king."""
    start = {"hands": record["deal"]["hands"], "stock": record["deal"]["talon"], "forehand": 0}
    if record["variant"] == "mini":
        results = {name: record[name] for name in ("score", "winner", "tricks")}
        return Recording(make("schnapsen.mini"), start, [_step(step) for step in record["steps"]], results)
    game = make("schnapsen.deal", close_from=0, marriage_points="pending", marriage_lead="king")
    names = ("winner", "game_points", "all_cards_played", "score", "tricks")
    return Recording(
        game, start, [_step(step) for step in record["steps"]], {name: record[name] for name in names}
    )


def _step(step: Mapping[str, Any]) -> Step:
    names = ("lead", "hand", "talon", "my", "opp", "score")
    position = {name: step[name] for name in names if name in step}
    return Step(step["p"], [_name(action) for action in step["legal"]], _name(step["a"]), position=position)


def _name(action: str) -> str:
    """The recorded name of an action in ours."""
    return "exchange" if action.startswith("X:") else action


def values(state: State, names: Iterable[str]) -> dict[str, Any]:
    """The position as the recording engine describes it to the seat to act."""
    s, me = state.record, state.player
    pairs = [[int(s["points"][seat]), int(s["pending"][seat])] for seat in range(2)]
    if s["said"] and MARRIAGE <= s["log"][s["said"] - 1] < EXCHANGE:
        # The engine tells of a marriage only after the trick that it leads.
        suit = (int(s["log"][s["said"] - 1]) - MARRIAGE) // 2
        pairs[1 - me][1] -= 40 if suit == s["trump"] else 20
    return {
        "lead": bool(s["lead"] == NO_CARD),
        "hand": sorted(names_of(s["hands"][me])),
        "talon": int(s["left"]),
        "my": pairs[me],
        "opp": pairs[1 - me],
        "score": s["points"].tolist(),
    }


def trace(states: Array) -> dict[str, Any]:
    """The results of a deal from the states passed through, in the recording engine's words."""
    last = states[-1]
    full = last["pack"] == 0
    pairs = [[int(last["points"][seat]), int(last["pending"][seat])] for seat in range(2)]
    return {
        "winner": int(last["winner"]),
        "game_points": int(last["paid"]),
        "all_cards_played": bool(last["size"].sum() == 0),
        "score": pairs if full else last["points"].tolist(),
        "tricks": _tricks(states, full),
    }


def _tricks(states: Array, full: bool) -> list[dict[str, Any]]:
    """Each trick, and in the whole game each exchange, as recorded."""
    tricks: list[dict[str, Any]] = []
    for before, after in pairwise(states):
        action = int(after["log"][before["said"]])
        if action == EXCHANGE:
            tricks.append({"x": True, "p": int(before["turn"]), "got": CARDS[before["face"]]})
        if after["won"].sum() > before["won"].sum():
            winner = next(seat for seat in range(2) if after["won"][seat] > before["won"][seat])
            entry = {
                "lead": 1 - int(before["turn"]),
                "cards": [CARDS[before["lead"]], CARDS[action]],
                "win": winner,
            }
            if full:
                entry["score"] = [[int(after["points"][s]), int(after["pending"][s])] for s in range(2)]
                entry["talon"] = int(after["left"])
            tricks.append(entry)
    return tricks
