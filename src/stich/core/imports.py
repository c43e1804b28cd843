"""Modules that a user names: installed ones, and those of the working directory."""

import importlib
import sys
from pathlib import Path
from types import ModuleType


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
