"""Everything that chooses an action, behind one interface and named by spec strings.

`random` and `rule` are built in, `wizard-document` is the rule-based player of document 003, `solved(FILE)` plays a
strategy from a file; `my_module:MyAgent` names a class of one's own.
"""

import importlib
import sys
from pathlib import Path

from stich.agents.base import Agent
from stich.agents.simple import RandomAgent, RuleAgent
from stich.agents.solved import SolvedAgent
from stich.core.errors import StichError
from stich.core.face import Game

AGENTS: dict[str, type[Agent]] = {"random": RandomAgent, "rule": RuleAgent}
OF_ONE_GAME = {"wizard-document": "stich.agents.wizard:WizardDocument"}
"""Agents of a single game, loaded when they are asked for."""
WITH_ARGUMENT = {"solved": SolvedAgent}
"""Agents named like `solved(FILE)`: they take a text beside the game."""


def make_agent(spec: str, game: Game) -> Agent:
    """The agent that a spec string names, ready to play a game."""
    if spec in AGENTS:
        return AGENTS[spec](game)
    if spec in OF_ONE_GAME:
        return _load(OF_ONE_GAME[spec])(game)
    name, opened, argument = spec.partition("(")
    if opened and name in WITH_ARGUMENT and argument.endswith(")"):
        return WITH_ARGUMENT[name](game, argument[:-1])
    if ":" in spec:
        return _load(spec)(game)
    known = ", ".join([*AGENTS, *OF_ONE_GAME, *(f"{name}(...)" for name in WITH_ARGUMENT)])
    raise StichError(f"there is no agent {spec!r}; there are {known} and module:Class")


def default_agent(game: Game) -> Agent:
    """The rule-based player where the game has one, else the random one."""
    return make_agent("rule" if hasattr(game.module, "rule") else "random", game)


def _load(spec: str) -> type[Agent]:
    module, _, name = spec.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise StichError(f"the agent {spec!r} cannot be loaded: {error}") from None
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise StichError(f"{spec!r} is not a subclass of stich.agents.base.Agent")
    return found
