"""Checks of what nets see."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from stich.core import kernels
from stich.core.check.course import Course
from stich.core.check.finding import Finding
from stich.core.game import Game
from stich.core.rng import streams
from stich.core.spec import Encoder

DECISIONS = 4000
"""Random decisions whose observations are compared."""


def observations(course: Course) -> Iterator[Finding]:
    """All of `out` is written, within the encoder's limits, from what the seat knows alone."""
    for which, encoder in enumerate(course.game.encoders):
        if not encoder.moves:
            yield from _observations(course, which, encoder)


def _observations(course: Course, which: int, encoder: Encoder) -> Iterator[Finding]:
    game, seats = course.game, course.seats
    true = observed(game, course.stacked("state"), seats, which, encoder)
    again = observed(game, course.stacked("state"), seats, which, encoder, 0x5A)
    view = observed(game, course.stacked("view"), seats, which, encoder)
    world = observed(game, course.stacked("world"), seats, which, encoder)
    real = encoder.scaled(true) if len(true) else np.zeros((0, encoder.size))
    for wrong, says in (
        (true != again, "{where} is not written: observe must write all of `out`"),
        (
            true != view,
            "{where} differs between the full state and the view of seat {me}: it shows what is hidden",
        ),
        (true != world, "{where} differs in a drawn world that seat {me} cannot tell from the truth"),
        (
            (real < encoder.low - 1e-6) | (real > encoder.high + 1e-6),
            "{where} is {value:g}; the encoder's limits are {low:g} to {high:g}",
        ),
    ):
        for row, column in np.argwhere(wrong)[:1]:
            look = course.looks[row]
            limits = {"low": encoder.low, "high": encoder.high, "value": real[row, column]}
            told = says.format(where=_where(encoder, int(column)), me=look.me, **limits)
            yield look.found("observe", f"encoder {encoder.name!r}: {told}")


def observed(game: Game, states: Any, seats: Any, which: int, encoder: Encoder, before: int = 0) -> Any:
    """The observations of many states, written over what stood there before."""
    out = np.full((len(states), encoder.size), before, encoder.dtype)
    kernels.observe_all(states, seats, np.int64(which), out)
    return out


def _where(encoder: Encoder, column: int) -> str:
    """A number of an observation by its field."""
    start, plane = 0, int(np.prod(encoder.plane))
    for field in encoder.fields:
        size = field.size * plane
        if column < start + size:
            return f"number {column - start} of field {field.name!r}"
        start += size
    return f"number {column}"


def encoders(course: Course, demanded: str | None = None) -> Iterator[Finding]:
    """How many pairs of different information states look the same to each encoder: a note, unless it is demanded."""
    game = course.game
    states, seats = _decisions(game, course.seed, DECISIONS * course.effort)
    codes = np.zeros(len(states), np.int64)
    kernels.key_all(states, seats, codes)
    _, first = np.unique(np.stack([codes, seats]), axis=1, return_index=True)
    for which, encoder in enumerate(game.encoders):
        if encoder.moves or (demanded and encoder.name != demanded):
            continue
        rows = observed(game, states[first], seats[first], which, encoder)
        groups: dict[tuple[int, bytes], int] = defaultdict(int)
        for seat, row in zip(seats[first].tolist(), rows, strict=True):
            groups[seat, row.tobytes()] += 1
        alike = sum(count * (count - 1) // 2 for count in groups.values())
        if alike or demanded is None:
            says = f"{alike:,} pairs of {len(first):,} different information states look the same"
            yield Finding("observe", f"encoder {encoder.name!r}: {says}", note=demanded is None)


def _decisions(game: Game, seed: int, count: int) -> tuple[Any, Any]:
    """States of random games with the seat to act."""
    lanes = 64
    states, deals, random = (
        np.repeat(game.template, lanes),
        streams(lanes, seed, "deals"),
        streams(lanes, seed, "walk"),
    )
    kernels.deal_all(states, deals)
    kept, seats, actions, results = [], [], np.full(lanes, -1), np.zeros((lanes, game.seats))
    for _ in range(count // lanes):
        turns = kernels.new_turns(lanes)
        kernels.advance_all(states, actions, deals, results, turns)
        kept.append(states.copy())
        seats.append(turns.players)
        kernels.random_all(states, random, actions)
    return np.concatenate(kept), np.concatenate(seats)
