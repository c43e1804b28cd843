"""Everything that chooses an action, behind one interface and named by spec strings.

`AGENTS` names the agents that come with Stich, `module:Class` names one of one's own, and the name of a game composes
agents by what is decided: `jass(trump=rule, cards=random)`.
"""

from stich.agents.base import Agent, load
from stich.agents.bots import bot_agents
from stich.agents.composed import PhaseAgent, SeatAgent, WeakenedAgent
from stich.agents.model import ModelAgent
from stich.agents.parse import Call, arguments, parse, split
from stich.agents.remote import HttpAgent
from stich.agents.search import (
    CheatingAgent,
    CheatingSolver,
    DmctsAgent,
    FlatAgent,
    IsmctsAgent,
    PimcAgent,
    TimedAgent,
)
from stich.agents.simple import RandomAgent, RuleAgent
from stich.agents.solved import SolvedAgent
from stich.core.errors import StichError
from stich.core.game import Game

AGENTS: dict[str, type[Agent]] = {
    "random": RandomAgent,
    "rule": RuleAgent,
    "solved": SolvedAgent,
    "model": ModelAgent,
    "weaken": WeakenedAgent,
    "http": HttpAgent,
    "mc": FlatAgent,
    "dmcts": DmctsAgent,
    "tdmcts": TimedAgent,
    "ismcts": IsmctsAgent,
    "pimc": PimcAgent,
    "cheat-mcts": CheatingAgent,
    "cheat-solve": CheatingSolver,
}


def agents_for(game: Game) -> dict[str, type[Agent]]:
    """The agents by name that may play a game."""
    return AGENTS | bot_agents(game)


def make_agent(spec: str, game: Game) -> Agent:
    """The agent that a spec string names, compiled and ready to play a game."""
    try:
        agent = _make(parse(spec), game)
        agent.warm()
    except StichError:
        raise
    except Exception as error:
        raise StichError(f"the agent {spec} cannot be made: {type(error).__name__}: {error}") from error
    agent.spec = spec
    return agent


def _make(call: Call, game: Game) -> Agent:
    if call.name == "seats":
        return SeatAgent(game, [make_agent(text, game) for text in call.values])
    if call.name == game.spec.name:
        return _by_phase(call, game)
    known = {} if ":" in call.name else agents_for(game)
    kind = known.get(call.name) if known else _load(call.name)
    if kind is None:
        names = ", ".join(known)
        raise StichError(f"{game.spec.name} has no agent {call.name!r}; there are {names} and module:Class")
    return kind(game, **arguments(call, kind, lambda text: make_agent(text, game)))


def default_agent(game: Game) -> Agent:
    """The rule-based player where the game has one, else the random one."""
    return make_agent(default_spec(game), game)


def default_spec(game: Game) -> str:
    """What stands for an agent that nobody chose."""
    return "rule" if game.spec.has_rule else "random"


def _by_phase(call: Call, game: Game) -> Agent:
    """The agents of a composition; decisions left out are the default agent's."""
    phases = game.spec.phase_names
    given = dict(call.keywords)
    unknown = [name for name in given if name not in phases]
    if unknown or call.values or not phases:
        names = ", ".join(phases) or "nothing (use an agent's name)"
        raise StichError(f"{game.spec.name}(...) composes agents by what is decided: {names}")
    return PhaseAgent(game, [make_agent(given.get(name, default_spec(game)), game) for name in phases])


def _load(name: str) -> type[Agent]:
    found = load(name)
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise StichError(f"{name!r} is not a subclass of stich.agents.base.Agent")
    return found


__all__ = ["Agent", "agents_for", "default_agent", "default_spec", "make_agent", "split"]
