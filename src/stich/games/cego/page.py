"""Cego as a page draws it: the faces of the cards, counts, tricks and scores of a view."""

from typing import Any

from stich.core.contract import Record
from stich.core.faces import Face
from stich.games.cego.cards import CARDS, names_of
from stich.games.cego.state import LAYOFF
from stich.games.cego.text import ASKS, contract, played_tricks

SUIT_IDS = {"c": "clubs", "s": "spades", "h": "hearts", "d": "diamonds", "trump": "trump"}
PICTURES = {"b": "J", "r": "C", "d": "Q", "k": "K"}


def _face(code: str) -> Face:
    rank, _, suit = code.partition("-")
    return Face("fool", "") if rank == "gstiess" else Face(SUIT_IDS[suit], PICTURES.get(rank, rank))


FACES = {code: _face(code) for code in CARDS}
FACE_PACK = "tarock"
SEARCHES = {
    "strong": "mc(d=60,i=11,rule=1,belief=200,final=sure)",
    "expert": "mc(d=300,i=11,rule=1,belief=800,final=sure)",
}
"""By level: what is stronger here than the searches of other games (docs/search.md)."""


def table_view(s: Record, me: int | None) -> dict[str, Any]:
    """What is drawn beside its own hand: all of it public, but the Legage of who laid it off."""
    tricks = played_tricks(s)
    last = tricks[-2] if len(tricks) > 1 else []
    counts = [11 - sum(seat == player for trick in tricks for seat, _ in trick) for player in range(4)]
    if s["phase"] == LAYOFF:
        counts[s["single"]] += 1
    rows = {"exposed": int(s["exposed"]), "legage": int(s["legage"])}
    score = s["score"] if s["subgame"] == 0 else s["points"]
    return {
        "counts": counts,
        "trick": [{"seat": seat, "card": CARDS[card]} for seat, card in tricks[-1]],
        "last_trick": [{"seat": seat, "card": CARDS[card]} for seat, card in last],
        "taken_by": int(s["leads"][s["tricks"]]) if last else None,
        "trump": contract(s).json() if s["mode"] else None,
        "ask": ASKS[s["phase"]],
        "dealer": int(s["dealer"]),
        "scores": [{"seats": [seat], "value": int(score[seat])} for seat in range(4)],
        "rows": [{"pile": pile, "cards": names_of(cards)} for pile, cards in rows.items() if cards],
    }
