"""Agents for the server: which may be used, kept ready, and asked in threads so that nothing else waits.

Whoever may call the server may name agents, so only those are made that can do no harm: no files, no other servers, no
modules, nobody who sees all cards, and every search with a limit on its time and memory.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np

from stich.agents import agents_for, default_spec
from stich.agents.base import Agent
from stich.agents.composed import WeakenedAgent
from stich.agents.model import ModelAgent
from stich.agents.parse import Call, parameters, parse
from stich.agents.simple import RandomAgent, RuleAgent
from stich.agents.watched import Watched
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game, State
from stich.core.rng import stream
from stich.core.types import Action
from stich.games import make
from stich.nets.model import shipped_models
from stich.serve.config import Settings
from stich.serve.offer import import_agents, offer
from stich.serve.wire.position import Value

T = TypeVar("T")

UNSAFE = frozenset({"solved", "http"})
"""They read files or call other servers: only where the settings allow it."""
MOST = {"threads": 1, "table": 20, "trees": 4, "d": 20_000, "i": 1_000_000, "factor": 1000, "belief": 20_000}
"""The greatest values of arguments that cost time or memory."""
GRACE = 0.05
"""Seconds of grace beyond the time that an agent was given, for kernels run in slices."""


class FullError(StichError):
    """The server has too much to do for this now."""


@dataclass(frozen=True)
class Thought:
    """An agent's answer: the action, what it thinks of each legal one where it rates them, and the time used."""

    action: Action
    values: list[Value] | None
    seconds: float


class Thinkers:
    """The games and agents that a server knows, and the threads in which agents think."""

    def __init__(self, settings: Settings, watch: bool = True) -> None:
        """Foreign agents are watched in processes of their own, unless this is one already."""
        self.settings = settings
        self.limit = settings.seconds + GRACE if watch else 0.0
        self.pool = ThreadPoolExecutor(settings.threads, "thinking")
        self.offer = offer(settings.games)
        import_agents(settings.agents)
        self._places: WeakKeyDictionary[Game, str] = WeakKeyDictionary()
        self._games: OrderedDict[tuple[Any, ...], Game] = OrderedDict()
        self._specs: OrderedDict[tuple[Any, ...], str] = OrderedDict()
        self._idle: OrderedDict[tuple[Any, ...], list[Watched]] = OrderedDict()
        self._prepared: set[str] = set()
        self._lock = Lock()
        self._waiting = 0

    def game(self, name: str, options: Mapping[str, Any]) -> Game:
        """The game of this name; only names that the settings know are looked up."""
        place = self.offer.place(name)
        key = (place, *sorted((option, str(value)) for option, value in options.items()))
        game = _remember(self._games, key, lambda: make(place, **options), 500)
        self._places[game] = place
        return game

    def spec(self, text: str | None, game: Game, seconds: float | None = None) -> str:
        """A spec that may be used, with its time limit written in; None is the game's default agent."""
        limit = min(seconds or self.settings.seconds, self.settings.seconds)
        key = (self._key(game), text, limit)
        return _remember(self._specs, key, lambda: self._checked(text or default_spec(game), game, limit), 1000)

    def _checked(self, text: str, game: Game, limit: float) -> str:
        if len(text) > 200:
            raise StichError("an agent is named in at most 200 letters")
        call = parse(text)
        if text in self.settings.agents or call.name in self.settings.agents:
            return text
        if call.name == game.spec.name or call.name == "seats":
            return _written(call, lambda name, value: self._checked(value, game, limit))
        known = agents_for(game, installed=False)
        allowed = [name for name in known if name not in UNSAFE and not known[name].cheats]
        if call.name in known and known[call.name].cheats:
            raise StichError(f"the agent {call.name} sees all cards: it cannot be used here")
        if call.name not in allowed:
            raise StichError(f"the agent {call.name!r} cannot be used here; there are {', '.join(allowed)}")
        takes = {parameter.name: parameter for parameter in parameters(known[call.name])}
        given = dict(zip(takes, call.values, strict=False)) | dict(call.keywords)
        if call.name == "model" and given.get("name") not in shipped_models():
            raise StichError(f"only models that come with Stich can be used here: {', '.join(shipped_models())}")
        if given.get("policy"):
            raise StichError("custom policies cannot be used here: they are code")
        if "time" in takes and float_of(given.get("time", "0")) <= 0:
            given["time"] = f"{limit:g}"
        written = Call(call.name, (), tuple(given.items()))

        def value(name: str, text: str) -> str:
            kind = takes[name].kind if name in takes else str
            if isinstance(kind, type) and issubclass(kind, Agent):
                return self._checked(text, game, limit)
            most = limit if name == "time" else MOST.get(name)
            if most is not None and not float_of(text) <= most:
                raise StichError(f"the agent {call.name}: {name} may be at most {most:g} here, not {text}")
            return text

        return _written(written, value)

    async def act(self, game: Game, spec: str, view: State, rngs: Array) -> Action:
        """A legal action for a view; where the agent fails, the default one's."""
        return (await self.think(game, spec, view, rngs, rate=False)).action

    async def think(self, game: Game, spec: str, view: State, rngs: Array, rate: bool = True) -> Thought:
        """What a checked agent thinks of a view."""
        agent = self._take(game, spec)
        if agent is not None and _is_quick(agent.agent):
            try:
                return _ask(agent, view, rngs, rate)
            finally:
                self._give_back(game, spec, agent)
        loop = asyncio.get_running_loop()
        self._waiting += 1
        try:
            return await loop.run_in_executor(self.pool, self._think, game, spec, agent, view, rngs, rate)
        finally:
            self._waiting -= 1

    def _think(
        self, game: Game, spec: str, agent: Watched | None, view: State, rngs: Array, rate: bool
    ) -> Thought:
        agent = agent or self._make(game, spec)
        try:
            return _ask(agent, view, rngs, rate)
        finally:
            self._give_back(game, spec, agent)

    def _make(self, game: Game, spec: str) -> Watched:
        """A new agent; a custom one that is not watched compiles at its first answer, so it gives one now."""
        agent = Watched(game, self._place(game), spec, self.limit)
        if agent.agent.cheats:
            raise StichError(f"the agent {spec} sees all cards: it cannot be used here")
        if agent.host is None and not agent.agent.trusted:
            state = game.new()
            agent.agent.act(state.view(state.player), stream(0, "warm"))
        return agent

    def make_ready(self, game: Game, spec: str) -> None:
        """Makes an agent ahead of its first question."""
        self._give_back(game, spec, self._take(game, spec) or self._make(game, spec))

    def think_here(self, game: Game, spec: str, view: State, rngs: Array) -> Thought:
        """Thinks in the calling thread."""
        return self._think(game, spec, self._take(game, spec), view, rngs, True)

    async def prepare(self, game: Game) -> None:
        """Compiles what playing a game needs, once, where nothing else waits for it."""
        family = game.spec.name
        if family not in self._prepared:
            spec = self.spec(None, game)
            rngs = stream(0, "warm")
            await self.think(game, spec, await asyncio.to_thread(_first_view, game), rngs, rate=False)
            self._prepared.add(family)

    def _take(self, game: Game, spec: str) -> Watched | None:
        """An agent that nobody is asking; one that was asked to stop thinking is not there any more."""
        key = (self._key(game), spec)
        with self._lock:
            ready = self._idle.get(key)
            if not ready:
                return None
            self._idle.move_to_end(key)
            return ready.pop()

    def _give_back(self, game: Game, spec: str, agent: Watched) -> None:
        key = (self._key(game), spec)
        with self._lock:
            self._idle.setdefault(key, []).append(agent)
            dropped = [self._idle.popitem(last=False) for _ in range(len(self._idle) - self.settings.memory)]
        for _, agents in dropped:
            for old in agents:
                old.close()

    def _key(self, game: Game) -> tuple[Any, ...]:
        return (self._place(game), *game.codes.values())

    def _place(self, game: Game) -> str:
        """What `make` finds a game by, here and in other processes."""
        return self._places.get(game, game.name)

    @property
    def waiting(self) -> int:
        """Questions that are being thought about or wait for a thread."""
        return self._waiting

    def close(self) -> None:
        """Ends the threads after their present questions."""
        self.pool.shutdown(wait=True, cancel_futures=True)
        for agents in self._idle.values():
            for agent in agents:
                agent.close()


def _ask(agent: Watched, view: State, rngs: Array, rate: bool) -> Thought:
    """Asks one agent about one view."""
    began = time.perf_counter()
    mask = view.mask
    watched = agent.host is not None
    found = None if watched or not rate or not mask & (mask - 1) else agent.agent.analyse(view, rngs)
    if found:
        action, values = int(found.chosen), cast(list[Value], found.rows(view))
    else:
        action, values = int(agent.act_many(view.array, rngs, np.array([mask]))[0]), None
        if action < 0:  # the agent has failed: what nobody chose plays
            fallback = RuleAgent if view.game.spec.has_rule else RandomAgent
            action = fallback(view.game).act(view, rngs)
    return Thought(view.action_id(action), values, time.perf_counter() - began)


def _first_view(game: Game) -> State:
    """A view of a fresh game, after a move has been played and shown."""
    state = game.new()
    before = state.copy()
    view = state.play(state.action_ids()[0]).view(0)
    view.news(before.view(0).array)
    return before.view(before.player)


def _is_quick(agent: Agent) -> bool:
    """Whether a question takes microseconds, less than handing it to a thread."""
    inner = agent.agent if isinstance(agent, WeakenedAgent) else agent
    return isinstance(inner, (RandomAgent, RuleAgent, ModelAgent))


def _remember(kept: OrderedDict[Any, T], key: Any, make_one: Callable[[], T], most: int) -> T:
    """The value of a key, made at its first use; the oldest is forgotten beyond `most`."""
    if key not in kept:
        kept[key] = make_one()
        if len(kept) > most:
            kept.popitem(last=False)
    return kept[key]


def float_of(text: str) -> float:
    """A number; what is none is infinite, and so above every limit."""
    try:
        return float(text)
    except ValueError:
        return float("inf")


def _written(call: Call, value: Any) -> str:
    """A call as text, each argument as `value(name, text)` gives it."""
    parts = [value("", text) for text in call.values]
    parts += [f"{name}={value(name, text)}" for name, text in call.keywords]
    return f"{call.name}({','.join(parts)})" if parts else call.name
