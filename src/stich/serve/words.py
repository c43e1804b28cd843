"""The words of the page in one language: its frame, what all games share, and the words of each game."""

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, cast

from fastapi import APIRouter, Header, Query
from fastapi.responses import Response

from stich.core.game import Game
from stich.core.words import ENGLISH, over, read, readable, shared
from stich.serve.lobby import family_name
from stich.serve.thinking import Thinkers
from stich.serve.wire.words import GameWords, PageWords, SharedWords

FRAME = Path(__file__).with_name("words")
TERMINAL = ("table",)
"""Tables of words that the page does not need."""


def languages() -> dict[str, str]:
    """The languages of the page by code, with their own names."""
    return {path.stem: str(read(path)["language_name"]) for path in sorted(FRAME.glob("*.toml"))}


def game_words(game: Game, language: str) -> GameWords:
    """The words of all variants of a game; where a language lacks them, the English of its SPEC."""
    spec, tables = game.spec, game.words(language).tables
    options = {one.name: {"name": readable(one.name), "doc": one.doc} for one in spec.options}
    variants = {variant.name: variant.doc for variant in spec.variants}
    english = {"title": spec.title, "about": spec.doc, "variants": variants, "options": options}
    own = {name: table for name, table in tables.items() if name not in TERMINAL}
    return cast(GameWords, over(own, english))


def offered(thinkers: Thinkers) -> dict[str, Game]:
    """A variant of each game; one that fails has no words, as it is not offered."""
    found: dict[str, Game] = {}
    for name in thinkers.offer.places:
        with suppress(Exception):  # whatever a foreign game does: the others stay
            game = thinkers.game(name, {})
            found.setdefault(family_name(name, game), game)
    return found


def all_words(games: Mapping[str, Game], language: str) -> PageWords:
    """Everything that the page says; an unknown language is English."""
    known = languages()
    language = language if language in known else ENGLISH
    frame = over(read(FRAME / f"{language}.toml"), read(FRAME / f"{ENGLISH}.toml"))
    common = {name: table for name, table in shared(language).items() if name not in TERMINAL}
    return {
        "language": language,
        "languages": known,
        "page": frame["page"],
        "levels": frame["levels"],
        "errors": frame["errors"],
        "shared": cast(SharedWords, common),
        "games": {name: game_words(game, language) for name, game in games.items()},
    }


def router(thinkers: Thinkers) -> APIRouter:
    """The words, which a browser keeps and asks for again only if they have changed."""
    routes = APIRouter(prefix="/api", tags=["lobby"])
    known: dict[str, tuple[str, bytes]] = {}

    def packed(language: str) -> tuple[str, bytes]:
        body = json.dumps(all_words(offered(thinkers), language), ensure_ascii=False).encode()
        return f'"{hashlib.sha256(body).hexdigest()[:32]}"', body

    @routes.get("/words", responses={304: {"description": "unchanged"}})
    def words(
        language: Annotated[str, Query(pattern="^[a-z]{2,3}$")] = ENGLISH,
        if_none_match: Annotated[str | None, Header()] = None,
    ) -> Response:
        """All words of the page in a language; an unknown one is answered in English."""
        language = language if language in languages() else ENGLISH
        if language not in known:
            known[language] = packed(language)
        tag, body = known[language]
        headers = {"etag": tag, "cache-control": "no-cache"}
        if if_none_match == tag:
            return Response(status_code=304, headers=headers)
        return Response(body, media_type="application/json", headers=headers)

    return routes
