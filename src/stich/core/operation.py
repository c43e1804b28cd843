"""How the operations of a game are declared and found.

A part of the contract is a dataclass whose fields are functions (`stich.core.contract`). `operation` makes of a field a
function that kernels call: in compiled code it resolves on the record type of its first argument when the kernel is
compiled, so there is no dispatch at run time; called from Python it looks the game up by the dtype.
"""

import dataclasses
import difflib
import inspect
from collections.abc import Callable
from typing import Any

from numba import from_dtype
from numba.extending import overload, register_jitable

from stich.core.errors import StichError

SPECS: dict[Any, Any] = {}
"""The `Spec` of each registered game by the Numba type of its states."""
INLINED = ("apply", "legal")
_CALLABLE: set[Any] = set()

Operation = Callable[..., Any]
"""A plain Python function that Numba compiles; it takes the state `s` first."""
Edge = Callable[..., Any]
"""A plain Python function for the edges (terminal, page, files), never compiled; `s` is the NumPy record."""


def op(parameters: str, default: Operation | None = None, *, absent: Operation | None = None) -> Any:
    """A field that holds an operation: the names of its parameters, and what it is in games that leave it out.

    Without a `default` a game that has the part must give it; `absent` is what it is in games without the part. Kernels
    that need an operation cannot be compiled for games that have neither.
    """
    metadata = {"parameters": _names(parameters), "default": default or absent}
    return dataclasses.field(metadata=metadata) if default is None else optional(metadata)


def optional(metadata: dict[str, Any]) -> Any:
    """A field that may be left out."""
    return dataclasses.field(default=None, metadata=metadata)


def edge(parameters: str, required: bool = False) -> Any:
    """A field that holds a function for the edges; None where a game has none."""
    metadata = {"parameters": _names(parameters)}
    return dataclasses.field(metadata=metadata) if required else optional(metadata)


def _names(parameters: str) -> tuple[str, ...]:
    return tuple(parameters.replace(" ", "").split(","))


class Part:
    """A part of the contract. Names that it does not have are refused, and so are functions of the wrong form."""

    def __new__(cls, *args: Any, **given: Any) -> "Part":
        """Refuses an unknown name with the nearest one that there is."""
        known = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
        for name in given:
            if name not in known:
                raise StichError(
                    f"{cls.__name__} has no {name!r}{nearest(name, known)}; it has {', '.join(known)}"
                )
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Refuses a function that takes something else than its place wants, or that belongs into another place."""
        fields = {field.name: field for field in dataclasses.fields(self)}  # type: ignore[arg-type]
        for name, field in fields.items():
            function = getattr(self, name)
            wanted = field.metadata.get("parameters")
            if function is None or wanted is None:
                continue
            if not callable(function):
                raise StichError(f"{type(self).__name__}.{name} is not a function: {function!r}")
            called = getattr(function, "__name__", name)
            if called != name and called in fields:
                raise StichError(f"{type(self).__name__}.{name} is given the function {called!r}: wrong order?")
            found = inspect.signature(function).parameters
            needed = [one for one in found.values() if one.default is one.empty]
            if not len(needed) <= len(wanted) <= len(found):
                raise StichError(
                    f"{type(self).__name__}.{name} takes ({', '.join(found)}) instead of ({', '.join(wanted)})"
                )

    def operations(self) -> list[Operation]:
        """The operations among the functions that were given."""
        names = [field.name for field in dataclasses.fields(self) if "default" in field.metadata]  # type: ignore[arg-type]
        return [function for name, function in self.functions().items() if name in names]

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The functions that were given, by name."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]
        return {name: value for name, value in values.items() if callable(value)}


def nearest(name: str, known: list[str]) -> str:
    """A hint at the known name that a misspelt one may mean."""
    found = difflib.get_close_matches(name, known, 1)
    return f" (did you mean {found[0]!r}?)" if found else ""


def make_callable(function: Operation) -> None:
    """Lets compiled code call an operation of a game by its own name, too, as a game does that borrows it."""
    if function not in _CALLABLE:
        _CALLABLE.add(function)
        register_jitable(forceinline=False, no_cfunc_wrapper=True)(function)


def operation(part: type[Part], name: str) -> Operation:
    """The function that kernels call for a field of a part."""
    place = part.__name__.lower()
    field = next(one for one in dataclasses.fields(part) if one.name == name)  # type: ignore[arg-type]
    default = field.metadata["default"]

    def implementation(spec: Any) -> Any:
        given = getattr(spec, place)
        return (getattr(given, name) if given is not None else None) or default

    def dispatch(s: Any, *rest: Any) -> Any:
        return implementation(SPECS[from_dtype(s.dtype)])(s, *rest)

    def resolve(s: Any, *rest: Any) -> Any:
        return implementation(SPECS[s]) if s in SPECS else None

    dispatch.__name__ = dispatch.__qualname__ = name
    dispatch.__module__ = part.__module__
    dispatch.__doc__ = f"{part.__name__}.{name}({', '.join(field.metadata['parameters'])})."
    overload(dispatch, strict=False, jit_options={"no_cfunc_wrapper": True, "forceinline": name in INLINED})(
        resolve
    )
    return dispatch
