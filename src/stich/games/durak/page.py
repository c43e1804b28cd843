"""Durak as a page draws it: the faces of the cards, counts, the attack on the table, who has lost how often."""

from typing import Any

from stich.core.contract import Record
from stich.games.durak.cards import CARDS, NO_CARD
from stich.games.durak.text import SUIT_NAMES, card_text

FACES = {name: card_text(card) for card, name in enumerate(CARDS)}
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
        "trump": SUIT_NAMES[s["suit"]],
        "defender": int(s["defender"]),
        "scores": [{"label": f"Seat {seat}", "seats": [seat], "value": -int(s["lost"][seat])} for seat in players],
        "rows": [{"label": "Talon", "count": int(s["left"]), "cards": turned}] if s["left"] else [],
    }
