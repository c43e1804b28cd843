"""The prediction API of document 000 (its 8.5 and 8.6; docs/rules.md 1.11): six GET endpoints, one per sub-game."""

from functools import lru_cache
from typing import Any

import numpy as np
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse

from stich.core.errors import StichError
from stich.core.game import Game, State
from stich.core.plain import Plain
from stich.core.rng import stream
from stich.games.cego.cards import CARDS, GEISS, HALVES, POWER, SUIT, SUIT_OF, TRUMP, TRUMPS
from stich.games.cego.rules import begin_deal
from stich.games.cego.state import NOBODY, RAEUBER, STANDARD, ULTIMO
from stich.nets.model import shipped_models
from stich.serve.lobby import level_spec
from stich.serve.thinking import Thinkers

ENDPOINTS = {name: f"cego.{name}" for name in ("solo", "ultimo", "bettel", "piccolo", "raeuber")}
ENDPOINTS = {"cego": "cego.standard", **ENDPOINTS}
SUITS, POWERS, VALUES = SUIT_OF.tolist(), POWER.tolist(), HALVES.tolist()
"""As plain lists, which are quicker to look up one by one."""
IDS = {card: number for number, card in enumerate(CARDS)}
LISTS = {
    "hand_cards": "the cards of the player to act, as 15-trump,k-h",
    "played_cards": "cards played before, in the order of play where it is known; with or without the current trick",
    "trick_cards": "the cards of the current trick in the order of play",
    "legage_cards": "the ten cards of the Legage, from the single player",
}
NUMBERS = {
    "current_player_id": ("who is to act", "please provide current_player_id"),
    "round_starter_id": ("who led the current trick", "please provide start_player_id"),
}
SINGLE = ("single_player_id", "who plays alone", "please provide single_player_id")
CALLER = (
    "raeuber_id",
    "who called Räuber",
    "please provide raeuber_id (The player who called raeuber)",
)


def router(thinkers: Thinkers) -> APIRouter:
    """The endpoints, with and without the prefix of the document's own service."""
    routes = APIRouter(tags=["Cego"])
    for prefix in ("/api/v1", ""):
        for endpoint, variant in ENDPOINTS.items():
            _add(routes, thinkers, f"{prefix}/{endpoint}/", endpoint, variant)

    @routes.get("/api/v1/", include_in_schema=False)
    def root() -> RedirectResponse:
        return RedirectResponse("/api/v1/docs", 307)

    return routes


def _add(routes: APIRouter, thinkers: Thinkers, path: str, endpoint: str, variant: str) -> None:
    # A stopped Ultimo has no legal action, and who asks has not stopped.
    game = thinkers.game(variant, {"ultimo_stop": "never"})
    default = learned(game)

    async def predict(request: Request) -> JSONResponse:
        given = dict(request.query_params)
        try:
            spec = _agent(thinkers, game, given.get("agent"), given.get("difficulty"), default)
            view = view_of(game, endpoint, given)
            action = await thinkers.act(game, spec, view, stream(0, "cego", view.key()))
        except StichError as error:
            return JSONResponse({"detail": str(error)}, 400)
        return JSONResponse({"action": CARDS[action]})

    routes.add_api_route(
        path,
        predict,
        name=f"{path.strip('/')} predict",
        summary=f"The card to play: {game.variant.doc}",
        openapi_extra={"parameters": _parameters(endpoint)},
        responses={
            200: {"content": {"application/json": {"example": {"action": "15-trump"}}}},
            400: {"description": "A rule of the request is violated; `detail` says which."},
        },
    )


def _parameters(endpoint: str) -> list[dict[str, Any]]:
    """The query parameters for the OpenAPI document; the endpoint itself reads them, for its own messages."""
    cards = {name: doc for name, doc in LISTS.items() if name != "legage_cards" or endpoint == "cego"}
    ids = {name: doc for name, (doc, _) in NUMBERS.items()} | {_role(endpoint)[0]: _role(endpoint)[1]}
    texts = {"agent": "an agent by its spec, as in rule", "difficulty": "an agent by its strength, as in beginner"}
    number = {"type": "integer", "minimum": 0, "maximum": 3}
    return [
        {"name": name, "in": "query", "description": doc, "required": name in ids or name == "hand_cards"}
        | {"schema": number if name in ids else {"type": "string"}}
        for name, doc in (cards | ids | texts).items()
    ]


def _role(endpoint: str) -> tuple[str, str, str]:
    return CALLER if endpoint == "raeuber" else SINGLE


def _agent(thinkers: Thinkers, game: Game, agent: str | None, difficulty: str | None, default: str | None) -> str:
    if agent and difficulty:
        raise StichError("please provide agent or difficulty, not both")
    return thinkers.spec(level_spec(difficulty, game) if difficulty else agent or default, game)


def learned(game: Game) -> str | None:
    """The shipped model of a sub-game."""
    name = f"{game.name}/dmc"
    return f"model({name},any_options=on)" if name in shipped_models() else None


def view_of(game: Game, endpoint: str, given: dict[str, str]) -> State:
    """The view that a request describes; its violations in the order of the document's service, then our own."""
    if not given.get("hand_cards", "").strip():
        raise StichError("please provide information about the hand cards")
    me, starter, single = _ids(endpoint, given)
    cards = {name: _cards(given.get(name, "")) for name in LISTS if name != "legage_cards" or endpoint == "cego"}
    hand, trick = cards["hand_cards"], cards["trick_cards"]
    if endpoint == "ultimo" and me == single and GEISS not in hand:
        raise StichError("ultimo deck does not provide 1-trump card")
    if len(hand) > 11:
        raise StichError("hand card deck is to large (has more than 11 cards)")
    before = [card for card in cards["played_cards"] if card not in trick]
    legage = cards.get("legage_cards", [])
    _check(hand, cards["played_cards"], before, trick, legage)
    _check_seats(me, starter, len(trick))
    if endpoint == "cego" and me == single and len(legage) != 10:
        raise StichError("please provide legage_cards: the single player knows all ten")
    if endpoint == "cego" and legage and len(legage) != 10:
        raise StichError("the Legage has ten cards")
    return _build(game, me, starter, single, hand, before, trick, legage if me == single else [])


def _ids(endpoint: str, given: dict[str, str]) -> tuple[int, int, int]:
    name, _, missing = _role(endpoint)
    wanted = {**{key: text for key, (_, text) in NUMBERS.items()}, name: missing}
    for key, text in wanted.items():
        if key not in given:
            raise StichError(text)
    numbers = []
    for key in wanted:
        text = given[key].strip()
        if text not in ("0", "1", "2", "3"):
            raise StichError(f"{key} must be an integer from 0 to 3")
        numbers.append(int(text))
    return numbers[0], numbers[1], numbers[2]


def _cards(text: str) -> list[int]:
    """The cards of a list; blanks around codes are allowed."""
    codes = [code.strip() for code in text.split(",")] if text.strip() else []
    if any(code not in IDS for code in codes):
        raise StichError("Not all card codes provided are valid")
    return [IDS[code] for code in codes]


def _check(hand: list[int], played: list[int], before: list[int], trick: list[int], legage: list[int]) -> None:
    """The checks that the document's service lacked."""
    for name, cards in zip(LISTS, (hand, played, trick, legage), strict=True):
        if len(set(cards)) < len(cards):
            raise StichError(f"a card stands twice in {name}")
    lists = (hand, before, trick, legage)
    if len(set().union(*lists)) < sum(len(cards) for cards in lists):
        raise StichError("a card stands in two lists: it can only be in one place")
    if len(trick) > 3:
        raise StichError("there are at most 3 trick_cards: with the fourth the trick is over")
    if len(before) > 4 * (11 - len(hand)):
        raise StichError(
            f"impossible number of cards: with {len(hand)} hand cards at most {4 * (11 - len(hand))} were played "
            "before the current trick"
        )


def _check_seats(me: int, starter: int, count: int) -> None:
    if (starter + count) % 4 != me:
        raise StichError(
            f"seat order: player {starter} led and {count} trick_cards lie, so player {(starter + count) % 4} is to "
            f"act, not player {me}"
        )


def _build(
    game: Game,
    me: int,
    starter: int,
    single: int,
    hand: list[int],
    before: list[int],
    trick: list[int],
    legage: list[int],
) -> State:
    """The view, seats counted from the single player as in training."""
    array = np.frombuffer(bytearray(fresh(game)), game.template.dtype)  # much quicker than a copy field by field
    s = array[0]
    me, starter, tricks = (me - single) % 4, (starter - single) % 4, 11 - len(hand)
    s["hands"][me] = mask(hand)
    s["legage"] = mask(legage)
    s["tricks"] = tricks
    s["played"] = mask(before)
    s["plays"][: len(before)] = before
    past = history(before, starter) if len(before) == 4 * tricks else None
    if past is not None:
        s["points"], s["won"], s["voids"] = [half // 2 for half in past.halves], past.won, past.voids
        s["leads"][: len(past.leads)] = past.leads
    elif starter == 0 and tricks and s["mode"] not in (STANDARD, RAEUBER):
        s["won"][0] = 1  # who leads has taken the last trick
    if s["mode"] == ULTIMO and (GEISS in before or GEISS in hand):
        s["geiss"] = NOBODY
    s["leads"][tricks] = s["turn"] = s["winner"] = starter
    state = game.state(array, me)
    for card in trick:
        state.force(card)
    return state


@lru_cache(64)
def fresh(game: Game) -> bytes:
    """The record of a deal before the first card, with all hands empty."""
    array = game.template.copy()
    begin_deal(Plain(array[0]))
    return bytes(array.tobytes())


class Past:
    """What the played cards tell, if they stand in the order of play."""

    def __init__(self) -> None:
        self.leads = [0]
        self.voids, self.halves, self.won = [0] * 4, [0] * 4, [0] * 4


def history(cards: list[int], starter: int) -> Past | None:
    """The tricks of cards in the order of play, the single player leading first; None where it cannot be that order.

    It cannot be where somebody later plays what they had shown to lack, or where another led the present trick.
    """
    past = Past()
    for first in range(0, len(cards), 4):
        leader, trick = past.leads[-1], cards[first : first + 4]
        suit = SUITS[trick[0]]
        for place, card in enumerate(trick):
            seat = (leader + place) % 4
            if past.voids[seat] >> card & 1:
                return None
            if SUITS[card] != suit:
                past.voids[seat] |= int(SUIT[suit]) | (TRUMPS if SUITS[card] != TRUMP else 0)
        strengths = [POWERS[suit][card] for card in trick]
        winner = (leader + strengths.index(max(strengths))) % 4
        past.won[winner] += 1
        past.halves[winner] += sum(VALUES[card] for card in trick)
        past.leads.append(winner)
    return past if past.leads[-1] == starter else None


def mask(cards: list[int]) -> int:
    """The mask of some cards."""
    return sum(1 << card for card in cards)
