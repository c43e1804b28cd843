"""What a server offers beside what comes with Stich: games and agents that its settings name.

Modules are only imported from where Python finds them by itself: a server never searches its working directory.
"""

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from stich.agents.parse import parse
from stich.core.errors import StichError
from stich.games import make, names


@dataclass
class Offer:
    """The games of a server."""

    places: dict[str, str] = field(default_factory=dict)
    """By the name that players see: what `make` finds the variant by."""
    aliases: dict[str, str] = field(default_factory=dict)
    """By the name in the settings: the same, for its first variant."""
    unavailable: dict[str, str] = field(default_factory=dict)
    """By the name in the settings: why a game cannot be offered."""

    def place(self, name: str) -> str:
        """What `make` finds a game by that a client has named."""
        if name in self.unavailable:
            raise StichError(f"the game {name} is not available: {self.unavailable[name]}")
        if name not in self.places and name not in self.aliases:
            raise StichError(f"there is no game {name!r}; there are {', '.join(self.places)}")
        return self.places.get(name) or self.aliases[name]


def offer(games: Sequence[str]) -> Offer:
    """The installed games, and every variant of those that are named by file or module."""
    found = Offer({name: name for name in names()})
    for entry in games:
        try:
            variants = list(_variants(entry))
        except Exception as error:  # whatever a foreign file does: the other games stay
            found.unavailable[entry] = (
                f"{error}" if isinstance(error, StichError) else f"{type(error).__name__}: {error}"
            )
            continue
        found.aliases[entry] = variants[0][1]
        for name, place in variants:
            taken = name in found.places
            found.places[f"{Path(place.partition(':')[0]).stem}:{name}" if taken else name] = place
    return found


def _variants(entry: str) -> Iterator[tuple[str, str]]:
    """The name of each variant that a setting names, and what `make` finds it by."""
    file, _, wanted = (entry, "", "") if Path(entry).exists() else entry.partition(":")
    if not file.endswith(".py"):
        importlib.import_module(file)
    game = make(entry if wanted or file.endswith(".py") else f"{file}:")
    for variant in [game.variant] if wanted else game.spec.variants:
        yield variant.name, f"{file}:{variant.name}"


def import_agents(specs: Sequence[str]) -> None:
    """Imports the modules of agents that are allowed by name, so that nothing is searched for when they are made."""
    for spec in specs:
        module, colon, _ = parse(spec).name.partition(":")
        if colon:
            try:
                importlib.import_module(module)
            except ImportError as error:
                raise StichError(
                    f"the setting agents names {spec}: {error}; the working directory is not searched, set PYTHONPATH"
                ) from None
