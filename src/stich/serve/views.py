"""A view as JSON that a page can draw: hands, table, scores, what may be done.

Everything comes from the view itself, never from the full state. What every game has (`piles`, `action_name`) is
enough to draw it; a game may give more by `Page.view`. There are no words in it but ids and facts (docs/serving.md):
the page has the words.
"""

import re
from typing import cast

import numpy as np

from stich.core import types
from stich.core.game import Game, State
from stich.core.kernels import phase_all
from stich.core.plain import Plain
from stich.serve.wire.games import Face
from stich.serve.wire.position import Action, Event, Hand, Row, Told, View

HAND = re.compile(r"hand (\d+)")


def faces(game: Game) -> dict[str, Face]:
    """Every card by its code: suit and rank; where the game does not say them, no suit and the code."""
    known = game.spec.text.faces
    return {
        code: {"suit": known[code].suit, "rank": known[code].rank}
        if code in known
        else {"suit": None, "rank": code}
        for code in game.cards
    }


def phase_name(view: State) -> str:
    """What is decided now, by id."""
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
        {"pile": name, "cards": cards} for name, cards in piles.items() if not HAND.fullmatch(name) and cards
    ]
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
        "trick": [],
        "last_trick": [],
        "scores": [],
    }
    return cast(View, {**found, **told})


def _counts(view: State) -> dict[int, int]:
    """How many cards each hand has, in games that do not say it themselves."""
    sizes = {HAND.fullmatch(name): size for name, size in view.pile_sizes().items()}
    return {int(found[1]): size for found, size in sizes.items() if found}


def _action(view: State, action: types.Action) -> Action:
    """A legal action; `card` is the card that is clicked for it, where it is one."""
    name = view.action_name(action)
    card = name.rpartition(":")[2]  # a marriage `M:KH` and a push `P:6C` are played with a card, too
    return {
        "action": action,
        "name": name,
        "says": view.describe(action).json(),
        "card": card if card in view.game.cards else None,
    }


def event_json(before: State, action: types.Action, after: State, number: int) -> Event:
    """A move as a seat sees it: from its views before and after; what is secret to others is null."""
    seat, own = before.player, before.seat in (None, before.player)
    known = own or not before.is_secret
    return {
        "number": number,
        "seat": seat,
        "action": action if known else None,
        "name": before.action_name(action) if known else None,
        "says": before.describe(action).json() if known else None,
        "news": [fact.json() for fact in after.news(before.array)],
    }
