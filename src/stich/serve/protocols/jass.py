"""Our agents as Jass bots over HTTP: the protocols V0.1 and V0.2 under one base URL a bot (docs/rules.md 3.7)."""

import json
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from stich.core.errors import StichError
from stich.core.rng import stream
from stich.games.jass.protocols import PATHS, V01, V02, check_question, view_of, write_answer
from stich.serve.lobby import levels
from stich.serve.thinking import Thinkers

GAMES = {V01: {}, V02: {"undertrump": "jasskit"}}
"""The rules of those who ask: V0.2 is jass-kit's."""
BODY = {"content": {"application/json": {"schema": {"type": "object"}}}, "required": True}
ERROR = {"description": "`error` says what is wrong"}


class Asked(Exception):  # noqa: N818 (an answer, not a fault)
    """A question that is refused, with its status."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def router(thinkers: Thinkers) -> APIRouter:
    """The bots: the strengths of the lobby, and what the settings add."""
    routes = APIRouter(prefix="/jass", tags=["Jass bots"])
    game = thinkers.game("jass", {})
    bots = {level["level"]: level["agent"] for level in levels(game)} | {"rule": "rule"}
    bots |= dict(thinkers.settings.bots)

    @routes.get("/")
    def names() -> list[str]:
        """The bots that there are."""
        return list(bots)

    @routes.get("/{player}", response_class=PlainTextResponse, responses={404: {"description": "no such bot"}})
    def here(player: str) -> PlainTextResponse:
        """Whether a bot is there."""
        known = player in bots
        return PlainTextResponse(
            f"Player {player} here" if known else f"No such player {player}", 200 if known else 404
        )

    @routes.post("/{player}/game_info", openapi_extra={"requestBody": BODY}, responses={400: ERROR, 415: ERROR})
    async def game_info(player: str, request: Request) -> Response:
        """Is told how a game continues; the expected answer is empty."""
        try:
            data = await _data(request, player, bots)
            check_question(data, V02 if "playerView" in data or data.get("version") != V01 else V01)
        except (Asked, StichError) as error:
            return _refusal(error)
        return JSONResponse("")

    async def answer(version: str, player: str, request: Request) -> Response:
        try:
            data = await _data(request, player, bots)
            given = data.get("version", V01 if version == V01 else None)
            if given != version:
                raise StichError(f"version {version} is expected, not {str(given)[:20]!r}")
            rules = thinkers.game("jass", GAMES[version])
            view = view_of(rules, data, version)
            spec = thinkers.spec(bots[player], rules)
            action = await thinkers.act(rules, spec, view, stream(0, "jass", view.key()))
        except (Asked, StichError) as error:
            return _refusal(error)
        return JSONResponse(write_answer(action))

    for version, paths in PATHS.items():
        for path in paths:
            _add(routes, path, version, answer)
    return routes


def _add(routes: APIRouter, path: str, version: str, answer: Any) -> None:
    async def endpoint(player: str, request: Request) -> Response:
        found: Response = await answer(version, player, request)
        return found

    routes.add_api_route(
        f"/{{player}}/{path}",
        endpoint,
        methods=["POST"],
        name=f"{path} {version}",
        summary=f"What the bot does, asked in {version}",
        openapi_extra={"requestBody": BODY},
        responses={400: ERROR, 415: ERROR},
    )


async def _data(request: Request, player: str, bots: dict[str, Any]) -> dict[str, Any]:
    """The body of a question to a known bot."""
    if player not in bots:
        raise Asked(400, "player not found")
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise Asked(415, "json data expected")
    try:
        data = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise Asked(400, "the body is not JSON") from None
    if not isinstance(data, dict):
        raise Asked(400, "a JSON object is expected")
    return data


def _refusal(error: Exception) -> JSONResponse:
    return JSONResponse({"error": str(error)}, error.status if isinstance(error, Asked) else 400)
