"""A view as JSON that a page can draw: hands, table, scores, what may be done.

Everything comes from the view itself, never from the full state. What every game has (`piles`, `show`, `action_name`)
is enough to draw it; a game may tell more by its `Page`: what else lies on the table, how people
read its cards, and of what pack they are.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import cast

import numpy as np

from stich.core.game import Game, State
from stich.core.kernels import phase_all
from stich.core.plain import Plain
from stich.serve.wire.games import Face
from stich.serve.wire.position import Action, Event, Hand, Row, Told, View

MARK = re.compile(r"\[(/?[a-z ]*)\]")
HAND = re.compile(r"hand (\d+)")


def plain(text: str) -> str:
    """Text without its [colour] marks."""
    return MARK.sub("", text)


@lru_cache(256)
def faces(game: Game) -> dict[str, Face]:
    """Every card by its code: how a person reads it, and its colour."""
    known: Mapping[str, str] = (
        game.spec.page.faces
        if game.spec.page
        else {card: card for pile in game.new().piles().values() for card in pile}
    )
    found: dict[str, Face] = {}
    for code, text in known.items():
        mark = MARK.search(text)
        found[code] = {"text": plain(text), "colour": mark[1].split()[-1] if mark else ""}
    return found


def seat_names(game: Game) -> list[str]:
    """The seats as people call them."""
    names = game.spec.text.seats
    return [names[seat] if names else f"Seat {seat}" for seat in range(game.seats)]


def phase_name(view: State) -> str:
    """What is decided now, by the game's own word."""
    phases = view.game.spec.phase_names
    if not phases or view.is_over:
        return ""
    out = np.zeros(1, np.int64)
    phase_all(view.array, out)
    return phases[int(out[0])]


def stage_of(view: State) -> int:
    """How many deals have ended, in games of several."""
    stages = view.game.spec.stages
    return int(stages.stage(Plain(view.record))) if stages else 0


def view_json(view: State) -> View:
    """A seat's view, or with all cards open where it belongs to no seat."""
    own = not view.is_over and view.seat in (None, view.player)
    piles = view.piles()
    page = view.game.spec.page
    told = cast(Told, page.view(view.record, view.seat) if page else {})
    counts = told.pop("counts", None) or _counts(view)
    hands: list[Hand] = [
        {"seat": int(found[1]), "cards": cards, "count": counts[int(found[1])]}
        for found, cards in ((HAND.fullmatch(name), cards) for name, cards in piles.items())
        if found
    ]
    rows: list[Row] = [
        {"label": name, "cards": cards} for name, cards in piles.items() if not HAND.fullmatch(name) and cards
    ]
    shown = view.show()
    found: View = {
        "game": view.game.name,
        "seat": view.seat,
        "player": None if view.is_over else view.player,
        "over": view.is_over,
        "returns": view.returns() if view.is_over else None,
        "phase": phase_name(view),
        "stage": stage_of(view),
        "legal": [_action(view, action) for action in view.action_ids()] if own else [],
        "hands": hands,
        "rows": rows,
        "head": plain(shown.split("\n")[0]),
        "trick": [],
        "last_trick": [],
        "scores": [],
        "text": plain(shown),
    }
    return cast(View, {**found, **told})


def _counts(view: State) -> dict[int, int]:
    """How many cards each hand has, in games that do not say it themselves."""
    sizes = {HAND.fullmatch(name): size for name, size in view.pile_sizes().items()}
    return {int(found[1]): size for found, size in sizes.items() if found}


def _action(view: State, action: int) -> Action:
    """A legal action; `card` is the card that is clicked for it, where it is one."""
    name = view.action_name(action)
    card = name.rpartition(":")[2]  # a marriage `M:KH` and a push `P:6C` are played with a card, too
    known = faces(view.game)
    return {
        "action": action,
        "name": name,
        "label": plain(view.label(action)),
        "card": card if card in known else None,
    }


def event_json(before: State, action: int, after: State, number: int) -> Event:
    """A move as a seat sees it: from its views before and after; what is secret to others is null."""
    seat, own = before.player, before.seat in (None, before.player)
    known = own or not before.is_secret
    return {
        "number": number,
        "seat": seat,
        "action": action if known else None,
        "name": before.action_name(action) if known else None,
        "label": plain(before.label(action)) if known else None,
        "news": [plain(line) for line in after.news(before.array)],
    }
