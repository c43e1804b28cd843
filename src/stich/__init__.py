"""Stich: card games with hidden cards to play, serve, search, learn and measure."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from stich.core.check import check as check
    from stich.core.errors import StichError as StichError
    from stich.core.game import Game as Game
    from stich.core.game import State as State
    from stich.core.rng import stream as stream
    from stich.core.vector import VectorGame as VectorGame
    from stich.games import make as make
    from stich.games import names as names

# Loaded at first use: the compiler behind the games takes half a second to import.
_LAZY = {
    "Game": "stich.core.game",
    "State": "stich.core.game",
    "StichError": "stich.core.errors",
    "VectorGame": "stich.core.vector",
    "check": "stich.core.check",
    "make": "stich.games",
    "names": "stich.games",
    "stream": "stich.core.rng",
}
__all__ = sorted([*_LAZY, "__version__"])


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'stich' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return __all__
