"""One prediction API for all games: a view in, an action with the values of all legal ones out.

A view comes from outside, and compiled code trusts its records. So views are answered in a process of its own that
checks every index; what is no view of the game is refused there, and what hangs or breaks it costs only that process.
"""

import asyncio
import importlib
import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, replace
from multiprocessing.connection import Connection
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter
from numba.core import config
from pydantic import BaseModel, ConfigDict, Field

from stich.core.errors import StichError
from stich.core.families import MARK
from stich.core.game import Game, State
from stich.core.rng import stream
from stich.run.process import Companion, leave_with_parent
from stich.serve.config import Settings
from stich.serve.lobby import level_spec
from stich.serve.thinking import FullError, Thinkers

START_SECONDS = 120.0
"""How long an answer may take beyond the agent's time: at the first question about a game its code is compiled."""
WAITING = 8
"""The most questions that wait for others."""
MEMORY = 8 << 30
"""The address space of the process: a false view cannot make it take all memory."""


WRONG = {"description": "`detail` says what is wrong"}
BUSY = {"description": "too many questions at once"}


class Question(BaseModel):
    """A view and who shall judge it."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str, Field(max_length=200)]
    options: dict[str, str | int | bool] = Field(default_factory=dict, max_length=40)
    seat: Annotated[int, Field(ge=0, le=15)] = Field(description="whose view it is; this seat must be to act")
    view: dict[str, Any] = Field(description="the fields of the view, as State.fields() gives them")
    agent: Annotated[str, Field(max_length=200)] | None = Field(None, description="an agent by its spec")
    level: Annotated[str, Field(max_length=40)] | None = Field(None, description="or by its strength")
    seconds: Annotated[float, Field(gt=0, le=3600)] | None = Field(None, description="time for the move")
    seed: Annotated[int, Field(ge=0, lt=2**63)] = Field(0, description="of the agent's randomness")


class Rated(BaseModel):
    """What an agent thinks of one legal action; the interval is null where there is none."""

    action: int
    name: str
    value: float
    low: float | None
    high: float | None
    visits: int


class Answer(BaseModel):
    """The action, and the values of all legal ones where the agent rates them (searches and nets do)."""

    action: int
    name: str
    legal: list[str]
    values: list[Rated] | None
    seconds: float
    agent: str


def router(thinkers: Thinkers, judge: "Judge") -> APIRouter:
    """The one route."""
    routes = APIRouter(prefix="/api", tags=["predictions"])

    @routes.post("/predict", responses={400: WRONG, 503: BUSY})
    async def predict(question: Question) -> Answer:
        """What an agent does in a view, and what it thinks of each legal action."""
        game = thinkers.game(question.game, question.options)
        if question.agent and question.level:
            raise StichError("name an agent or a level, not both")
        text = level_spec(question.level, game) if question.level else question.agent
        if question.seconds is not None and question.seconds > thinkers.settings.seconds:
            raise StichError(f"an agent may think for {thinkers.settings.seconds:g} s at most")
        spec = thinkers.spec(text, game, question.seconds)
        view = read_view(game, question.view, question.seat)
        told = await judge.ask((question.game, question.options, spec, view, question.seat, question.seed))
        return Answer(**told, agent=spec)

    return routes


def read_view(game: Game, fields: dict[str, Any], seat: int) -> Any:
    """The record of the fields, which must be all there, of the right shape and range."""
    if seat >= game.seats:
        raise StichError(f"there is no seat {seat}; seats are 0 to {game.seats - 1}")
    names = [name for name in game.template.dtype.names or () if not name.startswith(MARK)]
    wrong = [name for name in names if name not in fields] + [name for name in fields if name not in names]
    if wrong:
        raise StichError(
            f"a view of {game.spec.name} has the fields {', '.join(names)}; look at {wrong[0][:40]!r}"
        )
    array = game.template.copy()
    for name in names:
        kind = game.template.dtype[name]
        if name in game.codes and fields[name] != game.codes[name]:
            raise StichError(f"the field {name} says {str(fields[name])[:20]}, the options {game.codes[name]}")
        try:
            if kind.names:
                array[0][name] = tuple(int(np.array(part, kind[i])) for i, part in enumerate(fields[name]))
            else:
                array[0][name] = _numbers(fields[name], kind)
        except (TypeError, ValueError, OverflowError):
            raise StichError(f"the field {name} does not hold {kind.base} of the shape {kind.shape}") from None
    return array


def _numbers(value: Any, kind: Any) -> Any:
    """Whole numbers in range and in the field's own shape: nothing is stretched or cut."""
    given = np.array(value, object)
    if given.shape != kind.shape or any(type(one) is not int for one in given.reshape(-1)):
        raise ValueError
    return np.array(value, kind.base)


class Judge(Companion):
    """The process that answers, started at the first question and again after each accident."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pool = ThreadPoolExecutor(1, "judge")
        self.waiting = 0

    async def ask(self, question: tuple[Any, ...]) -> dict[str, Any]:
        """The answer to one question; others wait for it."""
        if self.waiting >= WAITING:
            raise FullError("too many predictions are asked for: try again in a moment")
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self.pool, self._ask, question)
        finally:
            self.waiting -= 1

    def _ask(self, question: tuple[Any, ...]) -> dict[str, Any]:
        if self.process is None:
            self.spawn(judging, asdict(self.settings))
        try:
            self.line.send(question)
            if not self.line.poll(START_SECONDS):
                raise StichError("compiling this game takes too long")
            good, told = self.line.recv()  # all is compiled: from here on time counts
            if good and not self.line.poll(self.settings.seconds + 1.0):
                raise StichError("no answer in time: this is no view that can be played on")
            if good:
                good, told = self.line.recv()
        except (EOFError, OSError):
            self.stop()
            raise StichError("this is no view that can be played on") from None
        except StichError:
            self.stop()
            raise
        if not good:
            raise StichError(told)
        return dict(told)

    def close(self) -> None:
        """Ends process and thread."""
        self.stop()
        self.pool.shutdown(wait=True, cancel_futures=True)


def judging(line: Connection, settings: dict[str, Any]) -> None:
    """What runs in the process: says when it is ready for a question, then answers it, until the line is closed."""
    leave_with_parent()
    os.environ["NUMBA_BOUNDSCHECK"] = "1"  # in this process alone, and before anything is compiled
    config.reload_config()
    with suppress(ImportError, ValueError, OSError):  # where the system has no such limit
        resource = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    thinkers, compiled = Thinkers(replace(Settings(), **settings), watch=False), set[str]()
    while True:
        try:
            name, options, spec, view, seat, seed = line.recv()
        except (EOFError, OSError):
            return
        try:
            game = thinkers.game(name, options)
            thinkers.make_ready(game, spec)
            if game.spec.name not in compiled:
                first = game.new()
                _judge(thinkers, game, thinkers.spec(None, game), first.array, first.player, 0)
                compiled.add(game.spec.name)
            line.send((True, None))
            line.send((True, _judge(thinkers, game, spec, view, seat, seed)))
        except StichError as error:
            line.send((False, str(error)))
        except Exception as error:
            line.send((False, f"this is no view that can be played on: {type(error).__name__}"))


def _judge(thinkers: Thinkers, game: Game, spec: str, array: Any, seat: int, seed: int) -> dict[str, Any]:
    state = State(game, array).view(seat)
    if state.is_over or state.player != seat:
        raise StichError(f"seat {seat} is not to act in this view")
    legal = state.action_ids()
    if not legal or max(legal) >= game.spec.actions:
        raise StichError("there is no legal action in this view")
    state.sampler().draw(stream(seed, "check"))
    began = time.perf_counter()
    thought = thinkers.think_here(game, spec, state, stream(seed, "predict"))
    return {
        "action": thought.action,
        "name": state.action_name(thought.action),
        "legal": state.legal_actions(),
        "values": thought.values,
        "seconds": time.perf_counter() - began,
    }
