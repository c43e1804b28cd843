"""The record that describes a game: its options, variants and encoders, and the layout of its states."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from stich.core.contract import (
    Array,
    Belief,
    Bots,
    Deals,
    Exact,
    Measures,
    Moves,
    Page,
    Phases,
    Records,
    Rules,
    Stages,
    Text,
)
from stich.core.errors import StichError
from stich.core.operation import Part


def layout(fields: list[Any]) -> Any:
    """The dtype of a state: aligned for speed, and every gap a field, so that equal states are equal bytes."""
    aligned = np.dtype(fields, align=True)
    filled, end = [], 0
    for entry in fields:
        kind, start = dict(aligned.fields or {})[entry[0]][:2]
        if start > end:
            filled.append((f"gap_{end}", "u1", (start - end,)))
        filled.append(entry)
        end = start + kind.itemsize
    if aligned.itemsize > end:
        filled.append((f"gap_{end}", "u1", (aligned.itemsize - end,)))
    return np.dtype(filled, align=True)


@dataclass(frozen=True)
class Option:
    """A switch of the rules; its value stands in the state's field of the same name."""

    name: str
    doc: str
    default: str | int = 0
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0

    def code(self, value: object) -> int:
        """The integer that stands in the state for a value given by name or number."""
        if self.choices:
            text = {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value
            if str(text) in self.choices:
                return self.choices.index(str(text))
        else:
            try:
                number = int(str(value))
            except ValueError:
                number = self.low - 1
            if self.low <= number <= self.high:
                return number
        raise StichError(f"option {self.name} cannot be {value!r}: it takes {self.domain}")

    def value(self, code: int) -> str | int:
        """The readable value of an integer found in a state."""
        return self.choices[code] if self.choices else int(code)

    @property
    def domain(self) -> str:
        """What the option accepts, for messages and help."""
        return ", ".join(self.choices) if self.choices else f"{self.low} to {self.high}"


@dataclass(frozen=True)
class Variant:
    """A named set of options."""

    name: str
    doc: str
    options: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class Field:
    """A named stretch of an observation; `size` counts planes where the encoder has planes.

    `observe` writes whole numbers, which stay small and exact; the value meant is that number / `scale`.
    """

    name: str
    size: int
    doc: str
    scale: float = 1.0


@dataclass(frozen=True)
class Encoder:
    """One way to write an observation as numbers; its place among a game's encoders is its number in `observe`."""

    name: str
    doc: str
    fields: tuple[Field, ...]
    plane: tuple[int, ...] = ()
    version: int = 1
    dtype: str = "u1"
    low: float = 0.0
    high: float = 1.0
    """The least and greatest real value."""
    moves: bool = False
    """Whether a row rates a move (`observe_move`) instead of showing a state (`observe`)."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The planes' shape with the number of planes first, or the plain length."""
        return (sum(part.size for part in self.fields), *self.plane)

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return int(np.prod(self.shape))

    def scaled(self, raw: Array) -> Array:
        """The real values of written observations: float32, each number divided by its field's scale."""
        plane = int(np.prod(self.plane))
        scales = np.repeat([part.scale for part in self.fields], [part.size * plane for part in self.fields])
        scaled: Array = (raw / scales).astype(np.float32)
        return scaled


@dataclass(frozen=True)
class Budgets:
    """What `stich bench` measures of a game, and the most that it may take."""

    move: float = 80.0
    """Nanoseconds of a random move."""
    twin: float | None = None
    """Nanoseconds of a move of the C++ twin in a quiet hour: shows how fast the machine is now."""
    before_search: str | None = None
    """The action that is played before searches are measured, so that they begin with the first card; None: not."""
    exact: Mapping[str, tuple[int, float]] = field(default_factory=dict)
    """By variant: positions with this many cards left, and the milliseconds to solve one with open cards."""
    whole: Mapping[str, tuple[int, float]] = field(default_factory=dict)
    """By variant: whole deals of this many cards, and the seconds to solve one."""
    pimc: Mapping[str, float] = field(default_factory=dict)
    """By variant: milliseconds of a decision of `pimc` at its defaults."""
    equilibrium: bool = False
    """Whether its solving is measured beside OpenSpiel's solver in C++."""


@dataclass(frozen=True)
class Spec(Part):
    """The declaration of a game: what the outside needs to know of it, and its functions, part by part."""

    name: str
    """The name of the game, the first part of its variants' names; the registry knows a game by it."""
    title: str
    doc: str
    seats: int
    actions: int
    """One more than the highest action id, at most 63."""
    variants: tuple[Variant, ...]
    rules: Rules
    text: Text
    bounds: Callable[[Mapping[str, int]], tuple[float, float]]
    """The least and greatest return for given option codes: scales returns to [0, 1]."""
    options: tuple[Option, ...] = ()
    check_options: Callable[[Mapping[str, int]], None] | None = None
    """Refuses, by a StichError, option codes that do not go together."""
    encoders: tuple[Encoder, ...] | Callable[[Mapping[str, int]], tuple[Encoder, ...]] = ()
    """The encoders, or a function of the option codes if their sizes depend on options."""
    teams: tuple[int, ...] | Callable[[Mapping[str, int]], tuple[int, ...] | None] | None = None
    """The team of each seat (or a function of the option codes); None if each plays for themselves."""
    phases: Phases | None = None
    measures: Measures | None = None
    stages: Stages | None = None
    exact: Exact | None = None
    belief: Belief | None = None
    moves: Moves | None = None
    deals: Deals | None = None
    bots: Bots | None = None
    page: Page | None = None
    records: Records | None = None
    levels: Mapping[str, str] = field(default_factory=dict)
    """The agent of a level (`strong`, `expert`) if another than the general search is better in this game."""
    protocols: Mapping[str, Any] = field(default_factory=dict)
    """How bots of other engines are asked over HTTP, by the protocol's name (agent `http`)."""
    total: Callable[[Mapping[str, int]], float | None] = field(default=lambda codes: None)
    """What all seats' returns add up to for given option codes, or None if that varies."""
    actions_doc: tuple[tuple[str, str], ...] = ()
    """The ids of actions and what they mean."""
    returns_doc: str = ""
    rules_version: int = 1
    home_seat: int = 0
    """The seat of a person who does not choose one."""
    budgets: Budgets = field(default_factory=Budgets)
    deal_filter: Mapping[str, str | int] = field(default_factory=dict)
    """Options that deal only some hands: how fast such deals are drawn is measured on its own."""

    def option(self, name: str) -> Option:
        """The option of this name."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(option.name for option in self.options) or "none"
        raise StichError(f"{self.name} has no option {name!r}; its options: {known}")

    def teams_for(self, codes: Mapping[str, int]) -> tuple[int, ...] | None:
        """The team of each seat under given option codes."""
        return self.teams(codes) if callable(self.teams) else self.teams

    def encoders_for(self, codes: Mapping[str, int]) -> tuple[Encoder, ...]:
        """The encoders under given option codes."""
        return self.encoders(codes) if callable(self.encoders) else self.encoders

    @property
    def parts(self) -> dict[str, Part]:
        """The parts that the game has, by name."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, Part)}

    @property
    def capabilities(self) -> dict[str, list[str]]:
        """What the game can do: its optional parts, each with the functions that it gives."""
        return {name: list(part.functions()) for name, part in self.parts.items() if name not in ("rules", "text")}

    @property
    def has_rule(self) -> bool:
        """Whether the game has a rule-based player."""
        return self.bots is not None and self.bots.rule is not None

    @property
    def phase_names(self) -> tuple[str, ...]:
        """What a decision may be about; none if the game does not say."""
        return self.phases.names if self.phases else ()

    @property
    def measure_names(self) -> tuple[tuple[str, str], ...]:
        """Name and meaning of the figures of a finished game beside its returns."""
        return self.measures.names if self.measures else ()
