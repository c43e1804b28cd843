"""The registered games: by name, and in compiled code by the type of their states."""

import inspect
import sys
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
from numba import from_dtype

from stich.core.errors import StichError
from stich.core.operation import SPECS, make_callable
from stich.core.spec import Spec, layout

MARK = "game "
"""Begins the name of the empty field by which the states of games with the same layout differ."""


@dataclass(frozen=True)
class Family:
    """A registered game with all its variants."""

    spec: Spec
    state: Any
    """The dtype of its states."""
    module: ModuleType
    """The module, or package, that registered it."""

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.spec.name

    @cached_property
    def sources(self) -> list[ModuleType]:
        """The packages (or plain modules) of all functions that the game declares; it may borrow another one's."""
        functions = [function for part in self.spec.parts.values() for function in part.functions().values()]
        modules = {str(getattr(function, "__module__", "")) for function in functions} & sys.modules.keys()
        packages = {sys.modules[name].__package__ or name for name in modules}
        return [self.module, *(sys.modules[name] for name in sorted(packages) if name != self.module.__name__)]


FAMILIES: dict[str, Family] = {}
"""The registered games by name."""


def register(spec: Spec, state: Any) -> Family:
    """Makes a game known under the name of its spec; the last line of its module.

    A game that borrows another one's functions and changes some lives beside it: its states get a type of their own.
    """
    module = sys.modules[inspect.stack()[1].frame.f_globals["__name__"]]
    _check(spec, state)
    other = FAMILIES.get(spec.name)
    if other and (other.module.__name__, other.module.__file__) != (module.__name__, module.__file__):
        raise StichError(f"{module.__name__} and {other.module.__name__} both call their game {spec.name!r}")
    marked = np.dtype([*((name, state[name]) for name in state.names), (MARK + spec.name, "u1", (0,))], align=True)
    FAMILIES[spec.name] = Family(spec, marked, module)
    for part in spec.parts.values():
        for function in part.operations():
            make_callable(function)
    SPECS[from_dtype(marked)] = spec
    return FAMILIES[spec.name]


def fields_of(state: Any) -> list[str]:
    """The fields of a state that hold something of the game."""
    return [name for name in state.names if not name.startswith((MARK, "gap_"))]


def _check(spec: Spec, state: Any) -> None:
    """Refuses a declaration that does not fit together, and says which part."""
    if state.names is None or layout([(name, state[name]) for name in state.names]) != state:
        raise StichError(f"the STATE of {spec.name} has gaps between fields; make it with layout([...])")
    unset = [option.name for option in spec.options if option.name not in state.names]
    if unset:
        raise StichError(f"the STATE of {spec.name} has no field for option {', '.join(unset)}")
    if not 0 < spec.actions <= 63:
        raise StichError(f"{spec.name} has {spec.actions} actions; a mask holds 1 to 63")
    if not spec.variants:
        raise StichError(f"{spec.name} has no variant; the first one may have the name of the game")


def family_of(types: tuple[Any, ...]) -> Family | None:
    """The game whose states are among the Numba types of a kernel's arguments."""
    for kind in types:
        spec = SPECS.get(getattr(kind, "dtype", kind))
        if spec is not None:
            return FAMILIES[spec.name]
    return None
