"""Jass as a page draws it: the faces of the cards, counts, tricks and scores of a view."""

from typing import Any

from stich.core.contract import Record
from stich.core.faces import Face
from stich.core.facts import Fact
from stich.games.jass.cards import CARDS
from stich.games.jass.text import MODE_IDS, TEAMS, played_tricks, total_points

SUIT_IDS = {"D": "diamonds", "H": "hearts", "S": "spades", "C": "clubs"}
FACES = {name: Face(SUIT_IDS[name[0]], name[1:]) for name in CARDS}
FACE_PACK = "french"


def table_view(s: Record, me: int | None) -> dict[str, Any]:
    """What is drawn beside its own hand; all of it public."""
    tricks = played_tricks(s)
    last = tricks[-2] if len(tricks) > 1 else []
    played = [len([1 for trick in tricks for seat, _ in trick if seat == player]) for player in range(4)]
    return {
        "counts": [9 - count for count in played],
        "trick": [{"seat": seat, "card": CARDS[card]} for seat, card in tricks[-1]],
        "last_trick": [{"seat": seat, "card": CARDS[card]} for seat, card in last],
        "taken_by": int(s["leads"][s["tricks"]]) if last else None,
        "trump": Fact("trump", mode=MODE_IDS[s["mode"]]).json() if s["declarer"] < 4 else None,
        "dealer": int(s["dealer"]),
        "scores": [{"seats": list(seats), "value": total_points(s, n)} for n, seats in enumerate(TEAMS)],
        "rows": [],
    }
