"""Wizard as a page draws it: the faces of the cards, counts, tricks, bids and scores of a view."""

from typing import Any

from stich.core.contract import Record
from stich.core.faces import Face
from stich.core.facts import Fact
from stich.core.plain import Plain
from stich.games.wizard.cards import CARDS, NO_CARD
from stich.games.wizard.state import CHOOSE, hand_size
from stich.games.wizard.text import has_bid, tricks_of, trump_fact

SUIT_IDS = {"S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds", "J": "jester", "W": "mage"}
FACES = {name: Face(SUIT_IDS[name[0]], name[1:]) for name in CARDS}
FACE_PACK = "wizard"
SEARCHES = {
    "strong": "mc(d=40,i=16,rule=1,belief=200,final=sure)",
    "expert": "mc(d=160,i=16,rule=1,belief=800,final=sure)",
}
"""By level: what is stronger here than the searches of other games (docs/search.md)."""


def table_view(s: Record, me: int | None) -> dict[str, Any]:
    """What is drawn beside its own hand; all of it public."""
    players, tricks = int(s["players"]), tricks_of(s)
    last = tricks[-2] if len(tricks) > 1 else []
    turned = [CARDS[s["turned"]]] if s["turned"] != NO_CARD else []
    return {
        "counts": [int(hand_size(Plain(s), seat)) for seat in range(players)],
        "trick": [{"seat": seat, "card": CARDS[card]} for seat, card in tricks[-1]],
        "last_trick": [{"seat": seat, "card": CARDS[card]} for seat, card in last],
        "taken_by": int(s["leads"][s["tricks"]]) if last else None,
        "trump": None if s["phase"] == CHOOSE else trump_fact(s).json(),
        "dealer": (int(s["starter"]) - 1) % players,
        "scores": [
            {"seats": [seat], "value": int(s["score"][seat]), "note": _note(s, seat)} for seat in range(players)
        ],
        "rows": [{"pile": "turned", "cards": turned}] if turned else [],
    }


def _note(s: Record, seat: int) -> dict[str, Any] | None:
    """Bid and tricks, where the seat has bid."""
    return Fact("tally", taken=s["taken"][seat], bid=s["bids"][seat]).json() if has_bid(s, seat) else None
