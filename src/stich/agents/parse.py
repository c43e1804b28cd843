"""Spec strings: `rule`, `weaken(rule, p=0.2)`, `jass(trump=rule, cards=random)`, `my_module:MyAgent(3)`."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from stich.agents.base import Agent
from stich.core.errors import StichError

KEYWORD = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)", re.S)


@dataclass(frozen=True)
class Call:
    """A spec taken apart: a name, and the texts of its arguments."""

    name: str
    values: tuple[str, ...] = ()
    keywords: tuple[tuple[str, str], ...] = ()


def parse(text: str) -> Call:
    """Takes a spec apart at its outer brackets and commas."""
    name, opened, rest = text.strip().partition("(")
    if not opened:
        return Call(name)
    if not rest.endswith(")") or not name:
        raise StichError(f"the agent {text!r} is not written like name(argument, key=value)")
    values, keywords = [], []
    for part in split(rest[:-1]):
        found = KEYWORD.fullmatch(part)
        if found:
            keywords.append((found[1], found[2].strip()))
        elif keywords:
            raise StichError(f"the agent {text!r} has the plain argument {part!r} after one with a name")
        else:
            values.append(part)
    return Call(name.strip(), tuple(values), tuple(keywords))


def split(text: str) -> list[str]:
    """The parts of a list at its commas outside brackets."""
    parts, depth, start = [], 0, 0
    for i, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            break
        if sign == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    if depth != 0:
        raise StichError(f"the brackets in {text!r} do not match")
    last = text[start:].strip()
    if not last and not parts:
        return []
    if not (last and all(parts)):
        raise StichError(f"an argument is missing in {text!r}")
    return [*parts, last]


@dataclass(frozen=True)
class Parameter:
    """An argument that an agent takes."""

    name: str
    kind: Any
    doc: str
    default: Any = inspect.Parameter.empty

    @property
    def required(self) -> bool:
        """Whether there is no default."""
        return self.default is inspect.Parameter.empty

    def __str__(self) -> str:
        return self.name if self.required else f"{self.name}={self.default}"


def parameters(agent: type[Agent]) -> list[Parameter]:
    """What an agent's class takes beside the game, from the signature of its `__init__`."""
    hints = get_type_hints(agent.__init__, include_extras=True)
    found = []
    for name, parameter in list(inspect.signature(agent.__init__).parameters.items())[2:]:
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        hint = hints.get(name, str)
        kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        if isinstance(kind, UnionType):  # `int | None`: what can be written is an int
            kind = next(part for part in get_args(kind) if part is not type(None))
        found.append(Parameter(name, kind, str(notes[0]) if notes else "", parameter.default))
    return found


def arguments(call: Call, agent: type[Agent], make: Callable[[str], Agent]) -> dict[str, Any]:
    """The arguments of a call as an agent's class takes them; `make` makes agents that are arguments."""
    known = {parameter.name: parameter for parameter in parameters(agent)}
    takes = f"it takes {', '.join(map(str, known.values())) or 'no arguments'}"
    if len(call.values) > len(known):
        raise StichError(f"the agent {call.name} has too many arguments: {takes}")
    texts = dict(zip(known, call.values, strict=False))
    for name, text in call.keywords:
        if name not in known or name in texts:
            problem = "is given twice" if name in texts else "is unknown"
            raise StichError(f"the agent {call.name}: {name} {problem}; {takes}")
        texts[name] = text
    missing = [name for name, parameter in known.items() if parameter.required and name not in texts]
    if missing:
        raise StichError(f"the agent {call.name} needs {', '.join(missing)}: {takes}")
    return {name: _value(call.name, known[name], text, make) for name, text in texts.items()}


def _value(agent: str, parameter: Parameter, text: str, make: Callable[[str], Agent]) -> Any:
    """The value that a text stands for."""
    kind = parameter.kind
    if inspect.isclass(kind) and issubclass(kind, Agent):
        return make(text)
    if kind is bool:
        if text.lower() in ("on", "off", "true", "false"):
            return text.lower() in ("on", "true")
    elif kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    else:
        return text
    words = {int: "a whole number", float: "a number", bool: "on or off"}[kind]
    raise StichError(f"the agent {agent}: {parameter.name} should be {words}, not {text!r}")
