"""Things by name: those that come with Stich, those that installed packages offer, and any that is named outright.

A module of ours declares what it has in a table, as in `LEARNERS = {"dmc": Dmc}`; an installed package names a class in
an entry point group, as in `[project.entry-points."stich.learners"]`. Whoever adds one edits no list.
"""

import importlib
import importlib.util
import inspect
import logging
import pkgutil
import re
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from stich.core.errors import StichError
from stich.core.imports import import_named, load_file
from stich.core.operation import nearest

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Registry:
    """One kind of thing by name."""

    kind: str
    """What it is, for messages: `agent`, `learner`."""
    package: str
    """Our package whose modules declare them."""
    table: str
    """The name of a module's table."""
    group: str
    """The entry point group of installed packages."""

    @cached_property
    def own(self) -> dict[str, Any]:
        """Those that come with Stich."""
        return declared(self.package, self.table)

    @cached_property
    def offered(self) -> dict[str, EntryPoint]:
        """Those that installed packages offer, not loaded yet."""
        return {entry.name: entry for entry in entry_points(group=self.group) if entry.name not in self.own}

    def names(self) -> list[str]:
        """All names."""
        return [*self.own, *self.offered]

    def find(self, name: str) -> Any:
        """What a name, or `module:Name`, stands for."""
        if ":" in name:
            return load(name)
        if name in self.own:
            return self.own[name]
        if name not in self.offered:
            known = self.names()
            hint = f"{nearest(name, known)}; there are {', '.join(known)} and module:Class"
            raise StichError(f"there is no {self.kind} {name!r}{hint}")
        try:
            return self.offered[name].load()
        except Exception as error:
            raise StichError(
                f"the {self.kind} {name} cannot be loaded: {type(error).__name__}: {error}"
            ) from error

    def all(self) -> dict[str, Any]:
        """Everything by name; what an installed package offers but cannot load is left out and logged."""
        found = dict(self.own)
        for name in self.offered:
            try:
                found[name] = self.find(name)
            except StichError as error:
                log.warning("%s", error)
        return found


def declared(package: str, table: str) -> dict[str, Any]:
    """The tables of this name in the modules of a package, put together.

    Modules that have none are not imported: some need packages that are not installed everywhere.
    """
    found: dict[str, Any] = {}
    for info in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
        spec = importlib.util.find_spec(info.name)
        source = getattr(spec.loader, "get_source", lambda name: "")(info.name) if spec else ""
        if re.search(rf"^{table}\b.*=", source or "", re.M):
            found |= getattr(importlib.import_module(info.name), table)
    return found


def load(name: str) -> Any:
    """What `module:Name` or `path/to/file.py:Name` stands for; modules of the working directory are found too."""
    place, _, attribute = name.rpartition(":")
    if place.endswith(".py"):
        module = load_file(Path(place))
    else:
        try:
            module = import_named(place)
        except Exception as error:
            kind = "" if isinstance(error, ImportError | ValueError) else f"{type(error).__name__}: "
            raise StichError(f"{name!r} cannot be loaded: {kind}{error}") from None
    if not hasattr(module, attribute):
        raise StichError(f"{name!r} cannot be loaded: {place} has no {attribute}{nearest(attribute, dir(module))}")
    return getattr(module, attribute)


def summary(kind: Any) -> str:
    """The first line of what a class says about itself."""
    return inspect.cleandoc(kind.__doc__ or "").split("\n")[0]
