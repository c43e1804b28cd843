"""The games, one module each, found by name: nothing elsewhere lists them.

A name like `jass.1000` is a variant of the module `jass`. Games from elsewhere are found too: those that an
installed package offers under the entry point group `stich.games`, and any module or file named outright, as in
`my_package.my_game` with `:variant` behind it where it is not the first, or `path/to/my_game.py`.
"""

import importlib
import pkgutil
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from stich.core.errors import StichError
from stich.core.families import FAMILIES, Family
from stich.core.game import Game
from stich.core.imports import import_named, load_file
from stich.core.operation import nearest
from stich.core.spec import Variant


def make(name: str, **options: object) -> Game:
    """The game of this name with these options, as in `make("jass", undertrump="jasskit")`."""
    family, variant = find(name)
    return Game(family, variant, options)


def names() -> list[str]:
    """The names of all variants of all installed games."""
    return [variant.name for family in families() for variant in family.spec.variants]


def families() -> list[Family]:
    """All installed games."""
    return [_load(name) for name in sorted({*_own(), *_offered()})]


def find(name: str) -> tuple[Family, Variant]:
    """The game and the variant that a name stands for."""
    if name.endswith(".py") or ":" in name or "/" in name:
        place, _, wanted = name.partition(":") if not Path(name).exists() else (name, "", "")
        family = _registered(load_file(Path(place))) if place.endswith(".py") else _import(place)
    else:
        first = name.partition(".")[0].replace("-", "_")
        if first not in _own() and first not in _offered():
            raise StichError(f"there is no game {name!r}{nearest(name, names())}; there are {', '.join(names())}")
        family, wanted = _load(first), name
    variants = family.spec.variants
    if not wanted:
        return family, variants[0]
    for variant in variants:
        if variant.name == wanted:
            return family, variant
    known = [variant.name for variant in variants]
    raise StichError(f"there is no game {name!r}{nearest(wanted, known)}; there are {', '.join(known)}")


@lru_cache(1)
def _own() -> dict[str, str]:
    return {info.name: f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__)}


@lru_cache(1)
def _offered() -> dict[str, str]:
    return {entry.name: entry.value for entry in entry_points(group="stich.games")}


def _load(name: str) -> Family:
    return _registered(importlib.import_module(_own().get(name) or _offered()[name]))


def _import(name: str) -> Family:
    """A module named outright, searched in the working directory too."""
    try:
        module = import_named(name)
    except ImportError as error:
        raise StichError(f"the module {name!r} cannot be imported: {error}") from None
    return _registered(module)


def _registered(module: ModuleType) -> Family:
    """The game that a module registers."""
    for family in FAMILIES.values():
        if family.module is module:
            return family
    raise StichError(f"{module.__name__} is not a game: it does not end in register(SPEC, STATE)")
