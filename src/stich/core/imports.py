"""Modules that a user names: installed ones, those of the working directory, and files."""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from stich.core.errors import StichError


def import_named(name: str) -> ModuleType:
    """The module of this name; if there is none, the working directory is searched too, after everything else."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        here = str(Path.cwd())
        if here in sys.path or not f"{name}.".startswith(f"{error.name}."):
            raise
    sys.path.append(here)
    try:
        return importlib.import_module(name)
    except BaseException:
        sys.path.remove(here)
        raise


def load_file(path: Path) -> ModuleType:
    """A module from a file, under the file's own name; loaded once."""
    if not path.is_file():
        raise StichError(f"there is no file {path}")
    name, place = path.stem, path.resolve()
    before = sys.modules.get(name)
    if before is not None and getattr(before, "__file__", None) == str(place):
        return before
    spec = importlib.util.spec_from_file_location(name, place)
    if spec is None or spec.loader is None:
        raise StichError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses and pickle look for it
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        if before is not None:
            sys.modules[name] = before
        if isinstance(error, StichError):
            raise StichError(f"{path}: {error}") from None
        raise StichError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    return module
