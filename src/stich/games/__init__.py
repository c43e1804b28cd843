"""The games, one module each, found by name: nothing elsewhere lists them.

A name like `jass.1000` is a variant of the module `jass`. Games from elsewhere are found too: those that an
installed package offers under the entry point group `stich.games`, and any module or file named outright, as in
`my_package.my_game` with `:variant` behind it where it is not the first, or `path/to/my_game.py`.
"""

import importlib
import importlib.util
import pkgutil
import sys
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.imports import import_named
from stich.core.spec import Variant


def make(name: str, **options: object) -> Game:
    """The game of this name with these options, as in `make("jass", undertrump="jasskit")`."""
    module, variant = find(name)
    return Game(module, variant, options)


def names() -> list[str]:
    """The names of all variants of all installed games."""
    return [variant.name for module in modules() for variant in module.SPEC.variants]


def modules() -> list[ModuleType]:
    """All installed games."""
    return [_load(name) for name in sorted({*_own(), *_offered()})]


def find(name: str) -> tuple[ModuleType, Variant]:
    """The module and the variant that a name stands for."""
    if name.endswith(".py") or ":" in name or "/" in name:
        place, _, wanted = name.partition(":") if not Path(name).exists() else (name, "", "")
        module = _load_file(Path(place)) if place.endswith(".py") else _import(place)
    else:
        family = name.partition(".")[0].replace("-", "_")
        if family not in _own() and family not in _offered():
            raise StichError(f"there is no game {name!r}; there are {', '.join(names())}")
        module, wanted = _load(family), name
    variants: tuple[Variant, ...] = module.SPEC.variants
    if not wanted:
        return module, variants[0]
    for variant in variants:
        if variant.name == wanted:
            return module, variant
    raise StichError(f"there is no game {name!r}; there are {', '.join(variant.name for variant in variants)}")


@lru_cache(1)
def _own() -> dict[str, str]:
    return {info.name: f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__)}


@lru_cache(1)
def _offered() -> dict[str, str]:
    return {entry.name: entry.value for entry in entry_points(group="stich.games")}


def _load(family: str) -> ModuleType:
    return importlib.import_module(_own().get(family) or _offered()[family])


def _import(name: str) -> ModuleType:
    """A module named outright, searched in the working directory too."""
    try:
        module = import_named(name)
    except ImportError as error:
        raise StichError(f"the module {name!r} cannot be imported: {error}") from None
    return _checked(module, name)


def _load_file(path: Path) -> ModuleType:
    """A module from a file; loaded once, under the file's own name."""
    if not path.is_file():
        raise StichError(f"there is no file {path}")
    name = path.stem
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__file__", None) == str(path.resolve()):
        return loaded
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise StichError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise StichError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    return _checked(module, str(path))


def _checked(module: ModuleType, name: str) -> ModuleType:
    if not hasattr(module, "SPEC"):
        raise StichError(f"{name} is not a game: it has no SPEC")
    return module
