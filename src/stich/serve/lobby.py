"""What can be played, as a page needs it: games, variants, options, cards, agents by strength."""

import functools
import inspect
from dataclasses import dataclass

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from stich.agents import agents_for
from stich.agents.base import Agent
from stich.agents.parse import parameters, parse
from stich.core.errors import StichError
from stich.core.game import Game
from stich.serve.limits import LOG
from stich.serve.thinking import UNSAFE, Thinkers
from stich.serve.views import faces
from stich.serve.wire.games import AgentKind, Family, GameList, Unavailable, Variant
from stich.serve.wire.games import Level as LevelInfo


@dataclass(frozen=True)
class Level:
    """A strength by name; the order of `LEVELS` is from weak to strong. `SEARCHES` of a game names better ones."""

    name: str
    spec: str
    without_rule: str = ""
    """What stands for it in games that have no rule-based player; nothing where it is left out."""


LEVELS = (
    Level("random", "random", "random"),
    Level("beginner", "weaken(rule,p=0.3)"),
    Level("regular", "rule", "mc(d=20,i=20)"),
    Level("strong", "dmcts(d=40,i=250,rule=0.5)", "ismcts(i=5000)"),
    Level("expert", "dmcts(d=250,i=400,rule=0.5)", "ismcts(i=50000)"),
)


def levels(game: Game) -> list[LevelInfo]:
    """The strengths that a game offers, from weak to strong; those that rate moves can be a coach."""
    ruled, own = game.spec.has_rule, game.spec.levels
    found = [(level, own.get(level.name, level.spec) if ruled else level.without_rule) for level in LEVELS]
    known = agents_for(game, installed=False)
    return [
        {
            "level": level.name,
            "strength": number,
            "agent": spec,
            "rates": known[parse(spec).name].analyse is not Agent.analyse,
        }
        for number, (level, spec) in enumerate(found)
        if spec
    ]


def level_spec(name: str, game: Game) -> str:
    """The agent of a strength."""
    offered = {level["level"]: level["agent"] for level in levels(game)}
    if name not in offered:
        raise StichError(f"there is no difficulty {name!r}; there are {', '.join(offered)}")
    return offered[name]


def agents_of(game: Game) -> list[AgentKind]:
    """The agents by name that may be used here, with their arguments."""
    return [
        {
            "name": name,
            "doc": inspect.cleandoc(kind.__doc__ or "").split("\n")[0],
            "arguments": [
                {"name": p.name, "doc": p.doc, "default": None if p.required else str(p.default)}
                for p in parameters(kind)
            ],
        }
        for name, kind in agents_for(game, installed=False).items()
        if not kind.cheats and name not in UNSAFE and (name != "rule" or game.spec.has_rule)
    ]


def family_name(name: str, game: Game) -> str:
    """The name of a game, by which its words are found, too: that of its SPEC, with its file's if it needs one."""
    return f"{name.rpartition(':')[0]}:{game.spec.name}".lstrip(":")


def family_of(game: Game, name: str) -> Family:
    """What all variants of a game have in common, under a name of its own."""
    spec = game.spec
    return {
        "family": name,
        "title": spec.title,
        "about": spec.doc,
        "options": [
            {
                "name": option.name,
                "doc": option.doc,
                "choices": list(option.choices) or None,
                "low": None if option.choices else option.low,
                "high": None if option.choices else option.high,
            }
            for option in spec.options
        ],
        "levels": levels(game),
        "agents": agents_of(game),
        "cards": {},
        "pack": game.spec.page.pack if game.spec.page else None,
        "variants": [],
    }


def variant_of(game: Game, name: str) -> Variant:
    """What a variant has of its own; tables of it are made by `name`."""
    return {
        "name": name,
        "variant": game.name,
        "doc": game.variant.doc,
        "seats": game.seats,
        "home_seat": min(game.spec.home_seat, game.seats - 1),
        "teams": list(game.teams) if game.teams else None,
        "bounds": list(game.bounds),
        "options": game.options,
    }


def listed(thinkers: Thinkers) -> GameList:
    """All games with their variants; one that fails is left out, logged, and listed with the reason."""
    families: dict[str, Family] = {}
    unavailable = dict(thinkers.offer.unavailable)
    for name in thinkers.offer.places:
        try:
            game = thinkers.game(name, {})
            cards, variant = faces(game), variant_of(game, name)
            named = family_name(name, game)
            family = families.setdefault(named, family_of(game, named))
        except Exception as error:  # whatever a foreign game does: the others stay
            unavailable[name] = f"{type(error).__name__}: {error}"
            continue
        family["cards"] |= cards
        family["variants"].append(variant)
    for name, reason in unavailable.items():
        LOG.warning("game unavailable", extra={"facts": {"game": name, "reason": reason}})
    missing: list[Unavailable] = [{"name": name, "reason": reason} for name, reason in unavailable.items()]
    return {"families": list(families.values()), "unavailable": missing}


def router(thinkers: Thinkers) -> APIRouter:
    """The list of games."""
    routes = APIRouter(prefix="/api", tags=["lobby"])
    found = functools.lru_cache(1)(lambda: JSONResponse(listed(thinkers)).body)

    @routes.get("/games", response_model=GameList)
    def list_games() -> Response:
        """Every game with options, agents from weak to strong, cards and variants; and what is not available."""
        return Response(found(), media_type="application/json")

    return routes
