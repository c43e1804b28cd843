"""The V0.2 JSON of jass-kit: what it sends to bots, and what it writes to logs (docs/rules.md 3.7)."""

from typing import Any

from stich.core.contract import Record
from stich.games.jass.cards import CARDS, VALUE, names_of
from stich.games.jass.text import played_tricks


def observation_v02(s: Record, me: int | None) -> dict[str, Any]:
    """The view of a seat that is to act, or a round without a seat's view for a log."""
    return {
        "version": "V0.2",
        "trump": int(s["mode"]) if s["declarer"] < 4 else -1,
        "dealer": int(s["dealer"]),
        "currentPlayer": -1 if s["over"] else int(s["turn"]),
        **({} if me is None else {"playerView": me}),
        "forehand": 0 if s["pushed"] else 1 if s["declarer"] < 4 else -1,
        "tricks": _tricks(s) if s["declarer"] < 4 else [],
        "player": [{"hand": names_of(hand)} for hand in s["hands"]],
        "jassTyp": "SCHIEBER",
    }


def _tricks(s: Record) -> list[dict[str, Any]]:
    """Finished tricks with points and winner, the running one without."""
    tricks = []
    for number, trick in enumerate(played_tricks(s)[:9]):
        entry: dict[str, Any] = {"cards": [CARDS[card] for _, card in trick]} if trick else {}
        if number < s["tricks"]:
            points = sum(int(VALUE[s["mode"], card]) for _, card in trick)
            entry["points"] = points + (5 if number == 8 else 0)
            entry["win"] = int(s["leads"][number + 1])
        entry["first"] = int(s["leads"][number])
        tricks.append(entry)
    return tricks
