"""Durak as a page draws it: the faces of the cards, counts, the attack on the table, who has lost how often."""

from typing import Any

from stich.core.contract import Record
from stich.core.faces import Face
from stich.core.facts import Fact
from stich.games.durak.cards import CARDS, NO_CARD, SUITS
from stich.games.durak.text import SUIT_IDS

FACES = {name: Face(SUIT_IDS[SUITS.index(name[1])], "10" if name[0] == "T" else name[0]) for name in CARDS}
FACE_PACK = "french"


def table_view(s: Record, me: int | None) -> dict[str, Any]:
    """What is drawn beside the hands; `pairs` are the attack cards with what beat them, `chosen` looks for one."""
    players = range(int(s["players"]))
    turned = [CARDS[s["turned"]]] if s["left"] else []
    return {
        "counts": [int(s["size"][seat]) for seat in players],
        "pairs": [
            {
                "attack": CARDS[s["attack"][i]],
                "answer": CARDS[s["answer"][i]] if i < s["beaten"] else None,
            }
            for i in range(s["attacks"])
        ],
        "chosen": CARDS[s["card"]] if s["card"] != NO_CARD else None,
        "trump": Fact("trump", suit=SUIT_IDS[s["suit"]]).json(),
        "defender": int(s["defender"]),
        "scores": [{"seats": [seat], "value": -int(s["lost"][seat])} for seat in players],
        "rows": [{"pile": "talon", "count": int(s["left"]), "cards": turned}] if s["left"] else [],
    }
