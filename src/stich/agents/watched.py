"""Agents under watch: an agent that raises, hangs, dies or plays nonsense does not take a match down.

An agent that is not trusted runs in a process of its own where there is a time limit: only a process can be stopped
whatever it does. Each view that it fails on is a fault, and the caller plays something else there.
"""

from collections import Counter
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from stich.agents import Agent, make_agent
from stich.core.contract import Array
from stich.core.game import Game
from stich.games import make
from stich.run.process import Companion, leave_with_parent

START_SECONDS = 120.0
"""How long the process of an agent may take to begin: it may have kernels to compile."""
PATIENCE = 5
"""After this many moves in a row that are late or meet a dead process an agent is no longer asked."""


class Overtime(Exception):  # noqa: N818 (the agent's, not the program's)
    """An answer did not come in time."""


class Gone(Exception):  # noqa: N818
    """The process of an agent has ended."""


class Host(Companion):
    """An agent in a process of its own."""

    def __init__(self, name: str, options: dict[str, Any], spec: str) -> None:
        """The game is given by its name and options, since the process makes its own."""
        self.where = (name, options, spec)

    def act_many(self, views: Array, rngs: Array, seconds: float) -> Array:
        """The agent's actions, unless they take longer; the generators move on as the agent has used them."""
        if self.process is None:
            self._start()
        try:
            self.line.send((views, rngs))
            if not self.line.poll(seconds):
                raise Overtime(f"no answer in {seconds:g} s")
            good, answer, after = self.line.recv()
        except (EOFError, OSError):
            self.stop()
            raise Gone("its process has ended") from None
        except Overtime:
            self.stop()
            raise
        if not good:
            raise RuntimeError(answer)
        rngs[:] = after
        return np.asarray(answer)

    def _start(self) -> None:
        self.spawn(host, *self.where)
        try:
            if not self.line.poll(START_SECONDS):
                raise Overtime(f"not ready in {START_SECONDS:g} s")
            good, answer, _ = self.line.recv()
        except (EOFError, OSError):
            self.stop()
            raise Gone("its process has ended at the start") from None
        except Overtime:
            self.stop()
            raise
        if not good:
            self.stop()
            raise RuntimeError(answer)

    def __del__(self) -> None:
        with suppress(Exception):  # at the very end of the program its modules are gone
            self.stop()


def host(line: Connection, name: str, options: dict[str, Any], spec: str) -> None:
    """What runs in the process: makes the agent, then answers until the line is closed."""
    leave_with_parent()
    try:
        agent = make_agent(spec, make(name, **options))
    except Exception as error:
        line.send((False, f"{type(error).__name__}: {error}", None))
        return
    line.send((True, None, None))
    while True:
        try:
            views, rngs = line.recv()
        except (EOFError, OSError):
            return
        try:
            line.send((True, np.asarray(agent.act_many(views, rngs)), rngs))
        except Exception as error:
            line.send((False, f"{type(error).__name__}: {error}", None))


class Watched:
    """An agent whose faults are counted instead of raised."""

    def __init__(self, game: Game, name: str, spec: str, limit: float) -> None:
        """Makes the agent here too, so that a spec that is wrong is an error at once; `name` finds the game."""
        self.agent: Agent = make_agent(spec, game)
        watch = limit > 0 and not self.agent.trusted
        self.host = Host(name, game.options, spec) if watch else None
        self.limit, self.stuck = limit, 0
        self.reason: type[Exception] = Overtime
        self.faults: Counter[str] = Counter()
        self.example = ""

    def act_many(self, views: Array, rngs: Array, masks: Array) -> Array:
        """An action for each view, -1 where the agent has failed."""
        try:
            actions = self._ask(views, rngs, masks)
        except Exception as error:
            if len(views) == 1:
                self._note(error)
                return np.full(1, -1)
            return np.concatenate(
                [self.act_many(views[i : i + 1], rngs[i : i + 1], masks[i : i + 1]) for i in range(len(views))]
            )
        known = (actions >= 0) & (actions < 63)
        wrong = ~known | ((masks >> np.where(known, actions, 0) & 1) == 0)
        if wrong.any():
            self.faults["illegal"] += int(wrong.sum())
            first = int(np.flatnonzero(wrong)[0])
            self.example = self.example or f"illegal action {int(actions[first])}"
        return np.where(wrong, -1, actions)

    def _ask(self, views: Array, rngs: Array, masks: Array) -> Array:
        """The agent's own answer; the generators stay as they were where it has none."""
        if self.stuck >= PATIENCE:
            raise self.reason(f"not asked any more after {PATIENCE} such faults in a row")
        own = rngs.copy()
        if self.host is None:
            actions = self.agent.act_legal(views, own, masks)
        else:
            actions = self.host.act_many(views, own, self.limit * len(views))
        actions = np.asarray(actions)
        if actions.shape != (len(views),) or actions.dtype.kind not in "iu":
            raise TypeError(f"{len(views)} views need as many whole numbers, not {actions.dtype} {actions.shape}")
        rngs[:] = own
        self.stuck = 0
        return actions.astype(np.int64)

    def _note(self, error: Exception) -> None:
        kind = {Overtime: "overtime", Gone: "gone"}.get(type(error), "error")
        if kind != "error":
            self.stuck, self.reason = self.stuck + 1, type(error)
        self.faults[kind] += 1
        self.example = self.example or (f"{error}" if kind != "error" else f"{type(error).__name__}: {error}")

    def take_faults(self) -> tuple[dict[str, int], str]:
        """The faults since the last time, and the first of them."""
        found, example = dict(self.faults), self.example
        self.faults, self.example = Counter(), ""
        return found, example

    def close(self) -> None:
        """Ends the agent's process, if it has one."""
        if self.host is not None:
            self.host.stop()
