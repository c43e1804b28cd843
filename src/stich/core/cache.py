"""The on-disk cache of compiled kernels.

A kernel's machine code is valid as long as no source it was compiled from has changed, so each file is named
by a hash over those sources, the argument types, the processor and the versions of all that compiled it. One
file holds one compilation and is written in one step: processes that compile at the same time cannot mix up
each other's results. Numba's own cache sees only the file of the kernel itself and keeps an index that two
writers can corrupt.
"""

import functools
import hashlib
import importlib
import os
import pickle
import platform
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import compiler, config
from numba.core.caching import NullCache
from numba.core.serialize import dumps
from numba.core.types import Dispatcher
from numba.core.types.containers import BaseTuple

from stich.core.families import family_of

FOREIGN = sys.stdlib_module_names | {"numpy", "numba", "llvmlite"}
KEPT = 8
"""How many compilations of one kernel for one game stay on disk when sources change."""


def candidates() -> Iterator[Path]:
    """Where compiled kernels may be kept, best first."""
    if chosen := os.environ.get("STICH_CACHE_DIR"):
        yield Path(chosen)
        return
    yield Path(__file__).parent.parent / "__pycache__" / "kernels"
    if sys.platform == "win32":
        yield Path(os.environ.get("LOCALAPPDATA", "~/AppData/Local")).expanduser() / "stich" / "kernels"
    else:
        yield Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "stich" / "kernels"


@functools.lru_cache(1)
def folder() -> Path | None:
    """The first of the candidates that can be written to, or None: then nothing is cached."""
    for path in candidates():
        try:
            path.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=path):
                return path
        except (OSError, RuntimeError):
            continue
    return None


def sources(*roots: ModuleType) -> list[Path]:
    """The files of some modules (a package whole) and of all that they use outside the libraries."""
    files: set[Path] = set()
    own = {"stich", *(module.__name__.partition(".")[0] for module in roots)}
    todo, seen = list(roots), set()
    while todo:
        module = todo.pop()
        file = getattr(module, "__file__", None)
        name = module.__name__.partition(".")[0]
        if module in seen or not file or name in FOREIGN:
            continue
        seen.add(module)
        path = Path(file)
        if name not in own and "site-packages" in path.parts:
            continue
        whole = module in roots and path.name == "__init__.py"
        files.update(path.parent.rglob("*.py") if whole else [path])
        for value in list(vars(module).values()):
            where = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            if isinstance(where, str) and where in sys.modules:
                todo.append(sys.modules[where])
    return sorted(files)


@functools.lru_cache(None)
def stamp(*roots: ModuleType) -> str:
    """A hash over the sources of these modules and the versions of what compiles them."""
    versions = (platform.python_version(), numba.__version__, llvmlite.__version__, np.__version__)
    switches = (config.BOUNDSCHECK, config.OPT, os.environ.get("STICH_NO_BMI2"))
    digest = hashlib.sha256(repr((versions, switches)).encode())
    for path in sources(*roots):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class KernelCache(NullCache):  # type: ignore[misc]
    """Loads and saves the compilations of one kernel."""

    def __init__(self, function: Any) -> None:
        self._module = function.__module__
        self._name = function.__qualname__

    def _path(self, arguments: tuple[Any, ...], codegen: Any) -> Path | None:
        """The file of a compilation: readable kernel and game first, then the hash of all it depends on."""
        base = folder()
        kinds = tuple(_unbundled(arguments))
        if base is None or any(isinstance(kind, Dispatcher) for kind in kinds):  # it has no lasting name
            return None
        family = family_of(kinds)
        roots = [importlib.import_module(self._module), *(family.sources if family else [])]
        names = [module.__name__ for module in roots]
        parts = (self._module, self._name, names, str(arguments), codegen.magic_tuple(), stamp(*roots))
        digest = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
        owner = family.name if family else "core"
        return base / f"{self._name}.{owner}.{digest}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The cached compilation, or None where there is none that can be read."""
        target_context.refresh()
        path = self._path(_arguments(sig), target_context.codegen())
        if path is None:
            return None
        try:
            content = path.read_bytes()
            if hashlib.sha256(content[32:]).digest() != content[:32]:
                return None
            return compiler.CompileResult._rebuild(target_context, *pickle.loads(content[32:]))
        except Exception:  # whatever is wrong with a cached file, compiling again mends it
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Writes a compilation under its final name in one step; a full or gone disk is no error."""
        path = self._path(_arguments(sig), data.codegen)
        if path is None or data.library.has_dynamic_globals:
            return
        payload = dumps(data._reduce())
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            part.write_bytes(hashlib.sha256(payload).digest() + payload)
            part.replace(path)
            _prune(path)
        except OSError:
            part.unlink(missing_ok=True)


def _arguments(signature: Any) -> tuple[Any, ...]:
    """The argument types, whether Numba passes a signature or the bare tuple."""
    return tuple(getattr(signature, "args", signature))


def _unbundled(arguments: tuple[Any, ...]) -> Iterator[Any]:
    """The argument types, with those inside tuples in place of the tuples."""
    for kind in arguments:
        if isinstance(kind, BaseTuple):
            yield from _unbundled(kind.types)
        else:
            yield kind


def _prune(newest: Path) -> None:
    """Removes the oldest compilations of the same kernel and game beyond the number kept."""
    kernel_and_game = newest.name.rpartition(".")[0]
    files = [path for path in newest.parent.glob(f"{kernel_and_game}.*") if path.suffix != ".part"]
    for path in sorted(files, key=lambda path: path.stat().st_mtime)[:-KEPT]:
        path.unlink(missing_ok=True)
