"""A tournament: which agents meet in which games, from a TOML file, and the units of work that it falls into.

Every pairing has deals of its own, so that all deals of a tournament are independent of each other.
"""

import hashlib
import itertools
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from stich.agents import make_agent
from stich.arena.plan import RANDOM, Plan, plan_match, rotations
from stich.core.errors import StichError
from stich.core.game import Game
from stich.games import make

REQUIRED = object()
KEYS: dict[str, tuple[type, Any]] = {
    "name": (str, REQUIRED),
    "agents": (list, REQUIRED),
    "games": (list, REQUIRED),
    "seed": (int, 0),
    "deals": (int, 1000),
    "table": (int, 2),
    "unit": (int, 200),
    "anchor": (str, ""),
    "faults": (str, RANDOM),
    "limit": (float, 60.0),
}
"""What a file may hold: kinds and defaults."""
AGENT_KEYS: dict[str, tuple[type, Any]] = {"spec": (str, REQUIRED), "name": (str, "")}
GAME_KEYS: dict[str, tuple[type, Any]] = {
    "game": (str, REQUIRED),
    "options": (dict, {}),
    "agents": (list, None),
    "deals": (int, None),
    "table": (int, None),
}
"""What a game's table may hold; what it leaves out is as in the whole tournament."""
WORDS = {str: "a text", int: "a whole number", float: "a number", list: "a list", dict: "a table"}


@dataclass(frozen=True)
class Entrant:
    """An agent under the name that tables show."""

    name: str
    spec: str


@dataclass(frozen=True)
class Event:
    """One game of a tournament."""

    game: str
    options: dict[str, str | int]
    agents: list[str]
    """Who takes part, by name."""
    deals: int
    """For each pairing."""
    table: int
    """How many different agents meet, at most as many as there are seats."""

    @property
    def label(self) -> str:
        """The game with the options that were given."""
        return " ".join([self.game, *(f"{name}={value}" for name, value in self.options.items())])

    def make_game(self) -> Game:
        """The game with its options."""
        return make(self.game, **self.options)


@dataclass(frozen=True)
class Tournament:
    """All that decides the results."""

    name: str
    agents: list[Entrant]
    games: list[Event]
    seed: int
    unit: int
    """Deals of a unit of work: what is played and stored at once."""
    anchor: str
    """Who has the rating 0; where it is empty, all have it in the mean."""
    faults: str
    limit: float

    def record(self) -> dict[str, Any]:
        """All of it as plain data."""
        return asdict(self)

    def number(self, agent: str) -> int:
        """An agent's place in the list."""
        return [entrant.name for entrant in self.agents].index(agent)


@dataclass(frozen=True)
class Pairing:
    """Agents that meet in a game, two or more."""

    event: int
    agents: tuple[int, ...]
    """By their places in the tournament's list, in the order of the plan."""
    plan: Plan
    teams: tuple[int, ...]
    """The side of each seat."""
    deals: int


class Unit(NamedTuple):
    """A range of deals of a pairing."""

    pairing: int
    first: int
    deals: int


def read_tournament(text: str, where: str) -> Tournament:
    """The tournament that a TOML text describes."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StichError(f"{where} is not TOML: {error}") from None
    table = _take(found, KEYS, where)
    if not re.fullmatch(r"[\w.-]*\w[\w.-]*", table["name"]):
        raise StichError(f"{where}: the name {table['name']!r} should be one word, since a folder is named so")
    if table["limit"] < 0 or table["unit"] < 2:
        raise StichError(f"{where}: a limit cannot be negative, and a unit has at least 2 deals")
    agents = [_entrant(agent, where) for agent in table["agents"]]
    _no_twins([entrant.name for entrant in agents], "agent", where)
    _no_twins([entrant.spec for entrant in agents], "agent", where)
    names = [entrant.name for entrant in agents]
    if table["anchor"]:
        _known([table["anchor"]], names, where)
    games = [_event(game, table, names, where) for game in table["games"]]
    _no_twins([event.label for event in games], "game", where)
    rest = {key: table[key] for key in ("name", "seed", "unit", "anchor", "faults", "limit")}
    return Tournament(agents=agents, games=games, **rest)


def _take(found: Any, keys: Mapping[str, tuple[type, Any]], where: str) -> dict[str, Any]:
    """The values of a table, or a complaint about it."""
    for key in found:
        if key not in keys:
            raise StichError(f"{where}: unknown key {key!r}; there are {', '.join(keys)}")
    taken = {}
    for key, (kind, default) in keys.items():
        value = found.get(key, default)
        if value is REQUIRED:
            raise StichError(f"{where}: the key {key!r} is missing")
        if kind is float and type(value) is int:
            value = float(value)
        if key in found and type(value) is not kind:
            raise StichError(f"{where}: {key} should be {WORDS[kind]}, not {value!r}")
        if kind is list and key in found and not value:
            raise StichError(f"{where}: {key} is an empty list")
        taken[key] = value
    return taken


def _entrant(found: Any, where: str) -> Entrant:
    if isinstance(found, str):
        found = {"spec": found}
    if not isinstance(found, dict):
        raise StichError(f"{where}: an agent is a spec, or a table with spec and name, not {found!r}")
    taken = _take(found, AGENT_KEYS, f"{where}, agents")
    return Entrant(taken["name"] or taken["spec"], taken["spec"])


def _event(found: Any, whole: Mapping[str, Any], names: Sequence[str], where: str) -> Event:
    if isinstance(found, str):
        found = {"game": found}
    if not isinstance(found, dict):
        raise StichError(f"{where}: a game is a name, or a table with game and options, not {found!r}")
    taken = _take(found, GAME_KEYS, f"{where}, games")
    game = make(taken["game"], **taken["options"])
    where = f"{where}, {taken['game']}"
    deals, table = (whole[key] if taken[key] is None else taken[key] for key in ("deals", "table"))
    if deals < 2:
        raise StichError(f"{where}: {deals} deals tell nothing; at least 2 are needed")
    table = min(table, game.seats)
    agents = list(names) if taken["agents"] is None else taken["agents"]
    _known(agents, names, where)
    _no_twins(agents, "agent", where)
    if len(agents) < max(2, table):
        raise StichError(f"{where}: at least {max(2, table)} agents are needed, not {len(agents)}")
    try:
        rotations(game, table)
    except StichError as error:
        raise StichError(f"{where}: {error} (the key `table`)") from None
    options = {name: game.options[name] for name in sorted(taken["options"])}
    return Event(taken["game"], options, agents, deals, table)


def _known(agents: Sequence[Any], names: Sequence[str], where: str) -> None:
    for agent in agents:
        if agent not in names:
            raise StichError(f"{where}: there is no agent {agent!r} in the list; there are {', '.join(names)}")


def _no_twins(names: Sequence[str], kind: str, where: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise StichError(f"{where}: the {kind} {name!r} is entered twice")


def check_agents(tournament: Tournament) -> None:
    """Refuses agents that cannot play a game, before the work begins."""
    for event in tournament.games:
        game = event.make_game()
        for name in event.agents:
            make_agent(tournament.agents[tournament.number(name)].spec, game)


def load_tournament(path: Path) -> tuple[Tournament, str]:
    """The tournament of a file, and its text."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StichError(f"{path} cannot be read: {error}") from None
    return read_tournament(text, str(path)), text


def differences(old: Any, new: Any, path: str = "") -> list[str]:
    """What differs between two tournaments as plain data, in words."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = {**old, **new}
        return [line for key in keys for line in differences(old.get(key), new.get(key), f"{path}.{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            line for i, two in enumerate(zip(old, new, strict=True)) for line in differences(*two, f"{path}[{i}]")
        ]
    return [] if old == new else [f"{path.lstrip('.')} was {json.dumps(old)}, now {json.dumps(new)}"]


def pairings(tournament: Tournament) -> list[Pairing]:
    """Every set of agents that fits a table, and in team games every way to be partners in it."""
    found = []
    for number, event in enumerate(tournament.games):
        game = event.make_game()
        teams = game.teams or tuple(range(game.seats))
        orders = partnerships(game, event.table)
        for table in itertools.combinations(event.agents, event.table):
            for order in orders:
                agents = tuple(tournament.number(table[place]) for place in order)
                specs = [tournament.agents[agent].spec for agent in agents]
                plan = plan_match(
                    event.game,
                    event.options,
                    specs,
                    seed=_seed(tournament.seed, event.label, *specs),
                    policy=tournament.faults,
                    limit=tournament.limit,
                )
                found.append(Pairing(number, agents, plan, teams, event.deals))
    return found


def partnerships(game: Game, count: int) -> list[tuple[int, ...]]:
    """The orders in which N agents can sit down, as far as they differ in who is with whom."""
    found: dict[frozenset[Any], tuple[int, ...]] = {}
    for order in itertools.permutations(range(count)):
        turns = [tuple(order[place] for place in turn) for turn in rotations(game, count)]
        found.setdefault(frozenset(_sides(turn, game.teams) for turn in turns), order)
    return list(found.values())


def _sides(seats: Sequence[int], teams: tuple[int, ...] | None) -> frozenset[tuple[int, ...]]:
    """Who is with whom at a table."""
    sides = teams or range(len(seats))
    together = [[agent for agent, side in zip(seats, sides, strict=True) if side == team] for team in set(sides)]
    return frozenset(tuple(sorted(side)) for side in together)


def _seed(*what: str | int) -> int:
    """A seed of its own for each pairing, whoever else takes part."""
    return int.from_bytes(hashlib.blake2b(repr(what).encode(), digest_size=6).digest(), "little")


def units(found: Sequence[Pairing], size: int) -> Iterator[Unit]:
    """The units of all pairings, in order; their bounds depend on the tournament alone."""
    for number, pairing in enumerate(found):
        for first in range(0, pairing.deals, size):
            yield Unit(number, first, min(size, pairing.deals - first))
