"""Schnapsen as a page draws it: the faces of the cards, counts, tricks and scores of a view."""

from typing import Any

from stich.core.contract import Record
from stich.core.faces import Face
from stich.core.facts import Fact
from stich.games.schnapsen.cards import CARDS, NO_CARD, RANKS, SUITS
from stich.games.schnapsen.state import EXCHANGE
from stich.games.schnapsen.text import SUIT_IDS, action_name

FACES = {name: Face(SUIT_IDS[SUITS.index(name[1])], "10" if name[0] == "T" else name[0]) for name in CARDS}
FACE_PACK = "french"
SEARCHES = {"strong": "ismcts(i=4000,rule=0.5,belief=300)", "expert": "pimc(d=200)"}
"""By level: what is stronger here than the searches of other games (docs/search.md)."""


def table_view(s: Record, me: int | None) -> dict[str, Any]:
    """What is drawn beside its own hand; all of it public."""
    match = bool(s["target"])
    tricks = _tricks(s)
    whole = [trick for trick in tricks if len(trick) == 2]
    running = tricks[-1] if tricks and len(tricks[-1]) == 1 and s["lead"] != NO_CARD else []
    face = [CARDS[s["face"]]] if s["face"] != NO_CARD else []
    return {
        "counts": s["size"].tolist(),
        "trick": running,
        "last_trick": whole[-1] if whole else [],
        "taken_by": _winner(whole[-1], s) if whole else None,
        "trump": Fact("trump", suit=SUIT_IDS[s["trump"]]).json(),
        "dealer": 1 - int(s["forehand"]),
        "scores": [
            {
                "seats": [seat],
                "value": int(s["game" if match else "points"][seat]),
                "note": Fact("points", count=s["points"][seat]).json() if match else None,
            }
            for seat in range(2)
        ],
        "rows": [{"pile": "stock", "count": int(s["left"]), "cards": face}] if s["left"] else [],
    }


def _tricks(s: Record) -> list[list[dict[str, Any]]]:
    """The tricks of this deal from its log; the last one may lack its second card."""
    cards = [action_name(s, int(a))[-2:] for a in s["log"][: s["said"]] if a < EXCHANGE]
    tricks, leader = [], int(s["forehand"])
    for i in range(0, len(cards), 2):
        seats = (leader, 1 - leader)
        trick = [{"seat": seat, "card": card} for seat, card in zip(seats, cards[i : i + 2], strict=False)]
        tricks.append(trick)
        leader = _winner(trick, s) if len(trick) == 2 else leader
    return tricks


def _winner(trick: list[dict[str, Any]], s: Record) -> int:
    """The higher card of the led suit, unless the second trumps."""
    first, second = (entry["card"] for entry in trick)
    trump = SUITS[s["trump"]]
    follows = RANKS.index(second[0]) > RANKS.index(first[0]) if first[1] == second[1] else second[1] == trump
    return int(trick[1 if follows else 0]["seat"])
