"""Why a game does not compile, in one line: file, line, operation, what is wrong and what was expected.

A kernel that cannot be compiled for a game ends in a long report of the compiler. Here the game's operations are
compiled one by one instead, and what the compiler says of each becomes a sentence. Nothing of this runs where all is
well.
"""

import ast
import functools
import re
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numba import float64, from_dtype, int64, njit, types, uint8
from numba.core import ir

from stich.core.errors import StichError
from stich.core.families import FAMILIES, Family, fields_of
from stich.core.operation import SPECS, nearest

NUMBERS = (
    "player legal is_over key secret phase stage side score order distinct position worth cards_left solvable "
    "curtail rewind prepares deal_count rule play_other"
)
WANTED: dict[str, tuple[Any, str]] = {
    **dict.fromkeys(NUMBERS.split(), ((types.Number, types.Boolean), "a number")),
    "reach": (types.BaseTuple, "a pair of whole numbers"),
}
"""What operations return, where that is something."""
Match = re.Match[str]


class CompileError(StichError):
    """A function of a game that Numba cannot compile."""


def explain(arguments: tuple[Any, ...]) -> CompileError | None:
    """Why a kernel could not be compiled for the game whose states are among its arguments; None if not its fault."""
    family = _family(arguments)
    lines = faults(family) if family else []
    return CompileError(lines[0][1]) if lines else None


def _family(arguments: tuple[Any, ...]) -> Family | None:
    """The game whose states are among a kernel's arguments, or in a bundle of them."""
    for value in arguments:
        if isinstance(value, tuple) and (found := _family(value)):
            return found
        dtype = getattr(value, "dtype", None)
        if dtype is not None and dtype.names and (spec := SPECS.get(from_dtype(dtype))):
            return FAMILIES[spec.name]
    return None


def faults(family: Family) -> list[tuple[str, str]]:
    """The operations of a game that cannot be compiled, each with one line that says why."""
    found = []
    for part in family.spec.parts.values():
        for name, function in part.functions().items():
            field = part.__dataclass_fields__[name]  # type: ignore[attr-defined]
            if "default" in field.metadata and (
                line := _fault(family, name, field.metadata["parameters"], function)
            ):
                found.append((name, line))
    return found


def _fault(family: Family, name: str, parameters: tuple[str, ...], function: Callable[..., Any]) -> str | None:
    """What is wrong with one operation, or None."""
    function = getattr(function, "py_func", function)
    try:
        dispatcher = njit(error_model="numpy")(function)
        dispatcher.compile(_types(family, name, parameters))
    except Exception as error:
        return f"{Report(family, name, function, error)}"
    result = dispatcher.nopython_signatures[0].return_type
    wanted = WANTED.get(name)
    if wanted is None or isinstance(result, wanted[0]):
        return None
    at = place(function.__code__.co_filename, function.__code__.co_firstlineno)
    return f"{at} {name}: it returns {_kind(str(result))} instead of {wanted[1]}; every path must return one"


def _types(family: Family, name: str, parameters: tuple[str, ...]) -> tuple[Any, ...]:
    """The types that kernels pass to an operation."""
    from stich.core.rng import RNG
    from stich.core.sampler import DRAW, PLAN

    number = uint8 if name in ("observe", "observe_move") else float64
    known = {
        "s": from_dtype(family.state),
        "rng": from_dtype(RNG),
        "plan": from_dtype(PLAN),
        "draw": from_dtype(DRAW),
        "out": types.Array(number, 2 if name == "measure" else 1, "C"),
        "past": types.Array(int64, 1, "C"),
        "argument": float64,
    }
    return tuple(known.get(parameter, int64) for parameter in parameters)


class Report:
    """A report of the compiler, taken apart: where the error lies in the game's files, and what it is."""

    def __init__(self, family: Family, name: str, function: Callable[..., Any], error: Exception) -> None:
        self.family, self.name, self.function, self.error = family, name, function, error
        self.text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
        self.files = files_of(family)

    def __str__(self) -> str:
        says, known = self._says()
        file, line = known or self._location() or (self.function.__code__.co_filename, self._first_line())
        inside = _function_at(file, line)
        where = self.name if inside in (None, self.name, self.function.__name__) else f"{self.name}, in {inside}"
        return f"{place(file, line)} {where}: {says}"

    def _says(self) -> tuple[str, tuple[str, int] | None]:
        """What is wrong, and where if that is known from the name alone."""
        if isinstance(self.error, KeyError):
            return self._no_field(str(self.error.args[0])), None
        for pattern, sentence in SENTENCES:
            if match := re.search(pattern, self.text):
                says = sentence(match)
                if pattern == UNDEFINED:
                    return says + nearest(match[1], self._globals()), self._use_of(match[1])
                return (self._no_field(match[1]) if pattern == NO_FIELD else says), None
        return self._first_words(), None

    def _no_field(self, name: str) -> str:
        kind = next((self_ for self_ in self._locals("self") if isinstance(self_, types.Record)), None)
        what, fields = "the state", fields_of(self.family.state)
        if kind is not None and kind != from_dtype(self.family.state):
            what, fields = "this record", [field for field in kind.fields if not field.startswith("gap_")]
        return f"{what} has no field {name!r}{nearest(name, fields)}; fields: {', '.join(fields)}"

    def _locals(self, name: str) -> Iterator[Any]:
        """The values of a local variable in the compiler's frames, innermost first."""
        for frame, _ in reversed(list(traceback.walk_tb(self.error.__traceback__))):
            if name in frame.f_locals:
                yield frame.f_locals[name]

    def _location(self) -> tuple[str, int] | None:
        """The innermost place in the game's own files that the report names."""
        for file, line in re.findall(r'(?:\bat |File ")(\S[^\n"]*?\.py)(?:", line | \()(\d+)', self.text):
            if (path := Path(file).resolve()) in self.files:
                return str(path), int(line)
        for name in ("loc", "self", "inst"):
            for value in self._locals(name):
                at = value if isinstance(value, ir.Loc) else getattr(value, "loc", None)
                if isinstance(at, ir.Loc) and Path(at.filename).resolve() in self.files:
                    return at.filename, at.line
        at = getattr(self.error, "loc", None)
        return (at.filename, at.line) if at and Path(at.filename).resolve() in self.files else None

    def _first_line(self) -> int:
        return int(self.function.__code__.co_firstlineno)

    def _globals(self) -> list[str]:
        return [*self.function.__globals__, *self.function.__code__.co_varnames]

    def _use_of(self, name: str) -> tuple[str, int] | None:
        """Where a name is read: in the operation first, then anywhere in the game's files."""
        own = Path(self.function.__code__.co_filename).resolve()
        for file in [own, *sorted(self.files - {own})]:
            lines = [
                node.lineno for node in ast.walk(_parsed(file)) if isinstance(node, ast.Name) and node.id == name
            ]
            if lines:
                return str(file), next((line for line in sorted(lines) if line >= self._first_line()), lines[0])
        return None

    def _first_words(self) -> str:
        """The report's own first line that says something, where no sentence fits."""
        call = re.search(r">>> ([^\n]*)", self.text)
        if call and "No implementation of function" in self.text:
            return f"compiled code has no {_shorter(call[1])}"
        lines = [line.strip() for line in self.text.splitlines()]
        told = [line for line in lines if line and not line.startswith("Failed in nopython mode")]
        return _shorter(told[0] if told else type(self.error).__name__)


UNDEFINED = r"name '(\w+)' is not defined"
NO_FIELD = r"Field '([^']*)' was not found in record"
SENTENCES: list[tuple[str, Callable[[Match], str]]] = [
    (NO_FIELD, lambda found: ""),
    (UNDEFINED, lambda found: f"the name {found[1]!r} is not defined"),
    (
        r"Untyped global name '(\w+)':.*?<class 'function'>",
        lambda found: f"{found[1]!r} is a plain function: decorate it with @compiled (stich.core.jit)",
    ),
    (
        r"Untyped global name '(\w+)':.*?<class '([\w.]+)'>",
        lambda found: f"compiled code cannot read the {found[2]} {found[1]!r}: make it a tuple or a NumPy array",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '(\S+?)'",
        lambda found: (
            f"{_variable(found[3])} is {_kind(found[1])} here and {_kind(found[2])} there: it needs one type"
        ),
    ),
    (
        r"Can't unify return type from the following types: ([^\n]+)",
        lambda found: f"it returns {' or '.join(map(_kind, _listed(found[1])))}: every path must return one type",
    ),
    (
        r"Unknown attribute '(\w+)' of type ([^\n]+)",
        lambda found: f"{_kind(found[2])} has no {found[1]!r} in compiled code",
    ),
    (
        r">>> (\w+)\([^\n]*\)\s(?:(?!>>>)[\s\S])*?Cannot bind .*? due to \"TypeError: ([^\"]*)\"",
        lambda found: f"the call of {found[1]}: {found[2].rstrip('.')}",
    ),
    (
        r"Cannot cast (.+?) to ([^:\n]+)",
        lambda found: f"{_kind(found[1])} cannot be stored where {_kind(found[2])} is expected",
    ),
    (r"(?:The )?(.*?)(?: construct)? is not supported", lambda found: f"compiled code cannot use {found[1]}"),
    (r"Unsupported (?:opcode|use of) ?[^\n]*", lambda found: f"compiled code cannot use this: {found[0]}"),
]
"""What the compiler says, and the same as a sentence; the first that fits counts."""
KINDS = {"none": "nothing", "unicode_type": "text", "pyobject": "a Python object", "reflected list": "a list"}


def _kind(text: str) -> str:
    """A type of the compiler as a person calls it."""
    text = text.strip().rstrip(".")
    if "generator(" in text:
        return "a generator"
    if literal := re.match(r"Literal\[(\w+)\]", text):
        return {"str": "text", "int": "a whole number", "bool": "a bool"}.get(literal[1], literal[1])
    if re.match(r"u?int\d+$", text):
        return f"a whole number ({text})"
    if re.match(r"(nested)?array\(", text):
        return "an array"
    if text.startswith("Record("):
        return "a record"
    return KINDS.get(text, _shorter(text))


def _listed(text: str) -> list[str]:
    return re.split(r", (?![^(]*\))", text)


def _variable(name: str) -> str:
    """A variable of the source; what the compiler made up itself is a value."""
    return "the value" if name.startswith("$") else f"{name.partition('.')[0]!r}"


def _shorter(text: str, width: int = 160) -> str:
    text = re.sub(r"Record\(.*\)", "record", text)
    return text if len(text) <= width else text[: width - 3] + "..."


def place(file: str, line: int) -> str:
    """A line of a source file, as a person finds it from here."""
    path = Path(file).resolve()
    return f"{path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}:{line}"


def files_of(family: Family) -> set[Path]:
    """The game's own source files."""
    files: set[Path] = set()
    for module in family.sources:
        path = Path(str(module.__file__)).resolve()
        files.update(path.parent.rglob("*.py") if path.name == "__init__.py" else [path])
    return files


def raised(family: Family, error: Exception) -> str:
    """An error of plain Python in one line, with the innermost line of the game's own files."""
    files = files_of(family)
    says = f"{type(error).__name__}: {error}".rstrip(": ")
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if Path(frame.f_code.co_filename).resolve() in files:
            return f"{says} ({place(frame.f_code.co_filename, line)})"
    return says


@functools.lru_cache(32)
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _function_at(file: str, line: int) -> str | None:
    """The function that a line belongs to."""
    if not file.endswith(".py"):
        return None
    for node in ast.walk(_parsed(Path(file))):
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or node.lineno):
            return node.name
    return None
