"""Everything that chooses an action, behind one interface and named by spec strings.

A module here declares its agents in a table `AGENTS`, a game its own players in its SPEC, an installed package in the
entry point group `stich.agents`; `module:Class` and `path/to/file.py:Class` name any other. The name of a game composes
agents by what is decided: `jass(trump=rule, cards=random)`.
"""

from stich.agents.base import Agent
from stich.agents.bots import bot_agents
from stich.agents.composed import PhaseAgent, SeatAgent
from stich.agents.parse import Call, arguments, parse, split
from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.operation import nearest
from stich.core.registry import Registry

REGISTRY = Registry("agent", "stich.agents", "AGENTS", "stich.agents")


def agents_for(game: Game, installed: bool = True) -> dict[str, type[Agent]]:
    """The agents by name that may play a game; without those of installed packages if these are not wanted."""
    known = REGISTRY.all() if installed else REGISTRY.own
    fits = {name: kind for name, kind in known.items() if not kind.games or game.spec.name in kind.games}
    return fits | bot_agents(game)


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
    kind = _find(call.name, game)
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


def _find(name: str, game: Game) -> type[Agent]:
    """The class of an agent that may play a game."""
    registered = ":" in name or name in REGISTRY.names()
    found = REGISTRY.find(name) if registered else bot_agents(game).get(name)
    if found is not None and not (isinstance(found, type) and issubclass(found, Agent)):
        raise StichError(f"{name!r} is not a subclass of stich.agents.base.Agent")
    if found is None or (found.games and game.spec.name not in found.games):
        names = list(agents_for(game))
        hint = f"{nearest(name, names)}; there are {', '.join(names)} and module:Class"
        raise StichError(f"{game.spec.name} has no agent {name!r}{hint}")
    return found


__all__ = ["Agent", "agents_for", "default_agent", "default_spec", "make_agent", "split"]
