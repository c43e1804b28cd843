"""The HTTP protocols of other engines that our agents answer: one module each, found by its `router`.

A module here speaks for one game and is the only place of the server that names it.
"""

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from fastapi import APIRouter

from stich.serve.thinking import Thinkers


def routers(thinkers: Thinkers) -> Iterator[APIRouter]:
    """The routes of every protocol."""
    for info in pkgutil.iter_modules(__path__):
        yield import_module(f"{__name__}.{info.name}").router(thinkers)
