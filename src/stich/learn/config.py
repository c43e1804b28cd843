"""Configurations: frozen dataclasses, every field with a sentence, named presets, and values given as text."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self, get_type_hints

from stich.core.errors import StichError
from stich.learn.spaces import Space

Sizes = tuple[int, ...]


def setting(default: Any, doc: str) -> Any:
    """A field with its default and what it means."""
    return dataclasses.field(default=default, metadata={"doc": doc})


@dataclass(frozen=True)
class Config:
    """What all algorithms take."""

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"shipped": {}}
    """Named settings; `shipped` is the default of `stich train`."""
    spaces: ClassVar[Mapping[str, Space]] = {}
    """What `stich tune` may choose from, by name; `document` is that of a published search."""
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "activation": ("relu", "tanh"),
        "nets": ("one", "side", "seat"),
        "opponent": ("random", "rule", "both"),
    }

    seed: int = setting(0, "all randomness of the run derives from it")
    threads: int = setting(1, "processor threads of the nets; another number rounds differently")
    frames: int = setting(40_000_000, "moves to play in all, by learners and others, forced ones too")
    lanes: int = setting(1024, "environments: games that are played side by side")
    encoder: str = setting("", "the game's encoder that nets see; default: the first")
    layers: Sizes = setting((256, 256, 256), "units of the hidden layers")
    activation: str = setting("relu", "relu or tanh")
    nets: str = setting("side", "one net for all, one for each side of the game, or one for each seat")
    learners: Sizes = setting((), "the seats that learn; default: all")
    opponent: str = setting(
        "random",
        "who plays the other seats: random, rule, or both (in half of the environments each, if the game has rule)",
    )
    opponent_share: float = setting(
        0.0,
        "share of the environments in which one seat learns among them, sides in turn; none with learners given",
    )
    skip_forced: bool = setting(True, "forced moves are made without asking the net, and not learned from")
    evaluate_every: int = setting(10_000_000, "frames between two evaluations")
    evaluate_games: int = setting(4_000, "games of each evaluation")
    nash_conv: bool = setting(
        False, "each evaluation computes the policy's NashConv, exactly: for games whose deals are listed"
    )
    snapshots: bool = setting(False, "the model of each evaluation is kept, in the folder snapshots")
    log_every: int = setting(1_000_000, "frames between two lines of metrics")
    checkpoint_minutes: float = setting(5.0, "minutes between two checkpoints")

    @classmethod
    def of(cls, preset: str, given: Mapping[str, str], known: Mapping[str, Any] | None = None) -> Self:
        """A preset's values, a file's, or those that are `known` instead, with some changed, given as text."""
        if preset.endswith(".json"):
            preset, settings = _read_preset(Path(preset))
            given = {**settings, **given}
        if preset not in cls.presets:
            raise StichError(f"there is no preset {preset!r}; there are {', '.join(cls.presets)}")
        values = _plain(known or cls.presets[preset])
        hints = get_type_hints(cls)
        for name, text in given.items():
            if name not in {field.name for field in dataclasses.fields(cls)}:
                raise StichError(f"there is no setting {name!r}; there are {', '.join(names(cls))}")
            values[name] = _value(name, hints[name], text)
        return cls(**values)

    @classmethod
    def restore(cls, record: Mapping[str, Any]) -> Self:
        """A configuration as `record` has written it."""
        known = names(cls)
        wrong = sorted(set(known) ^ set(record))
        if wrong:
            raise StichError(f"the configuration is of another version of Stich; it differs in {', '.join(wrong)}")
        return cls(**_plain(record))

    @classmethod
    def space(cls, name: str) -> Space:
        """The space of this name."""
        if name not in cls.spaces:
            known = " or ".join(cls.spaces) or "none: declare one in the learner's configuration"
            raise StichError(f"there is no space {name!r} for {cls.__name__}; there is {known}")
        return cls.spaces[name]

    def record(self) -> dict[str, Any]:
        """All fields as plain values."""
        return dataclasses.asdict(self)

    def __post_init__(self) -> None:
        """Refuses values that mean nothing."""
        for name, allowed in self.choices.items():
            if getattr(self, name) not in allowed:
                raise StichError(f"{name} cannot be {getattr(self, name)!r}: it takes {', '.join(allowed)}")
        for name in ("threads", "frames", "lanes", "evaluate_every", "evaluate_games", "log_every"):
            if getattr(self, name) < 1:
                raise StichError(f"{name} must be at least 1")
        if not self.layers or min(self.layers) < 1:
            raise StichError("layers need at least one unit each, as in layers=256,256")
        if not 0 <= self.opponent_share <= 1:
            raise StichError("opponent_share must lie between 0 and 1")


def _plain(record: Mapping[str, Any]) -> dict[str, Any]:
    """Values as fields hold them, from JSON."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in record.items()}


def write_preset(preset: str, settings: Mapping[str, str], **facts: Any) -> str:
    """A file that stands for a preset with some settings changed; the facts are for people."""
    return json.dumps({"preset": preset, "settings": dict(settings), **facts}, indent=1, ensure_ascii=False) + "\n"


def _read_preset(path: Path) -> tuple[str, dict[str, str]]:
    """The preset that a file begins with, and its settings."""
    try:
        found = json.loads(path.read_text("utf-8"))
        return str(found["preset"]), {name: str(value) for name, value in found["settings"].items()}
    except FileNotFoundError:
        raise StichError(f"there is no file {path} with settings") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise StichError(f"{path} does not hold settings: it needs `preset` and `settings`") from None


def names(config: type[Config]) -> list[str]:
    """The names of the fields."""
    return [field.name for field in dataclasses.fields(config)]


def explain(config: type[Config]) -> Iterable[tuple[str, str, str]]:
    """Each field with its default and its meaning."""
    for field in dataclasses.fields(config):
        yield field.name, text(field.default), field.metadata["doc"]


def text(value: Any) -> str:
    """A value as it is given on the command line."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _value(name: str, kind: Any, given: str) -> Any:
    """A setting's value, read from text."""
    words = {int: "a whole number", float: "a number", bool: "on or off", Sizes: "whole numbers, as 512,512"}
    try:
        if kind is bool:
            return {"on": True, "true": True, "off": False, "false": False}[given.lower()]
        if kind == Sizes:
            return tuple(_whole(part) for part in given.strip("[]").split(",") if part.strip())
        return _whole(given) if kind is int else kind(given)
    except (ValueError, KeyError, OverflowError):
        raise StichError(f"{name} should be {words[kind]}, not {given!r}") from None


def _whole(given: str) -> int:
    """A whole number, also written like 2.5e9."""
    try:
        return int(given)
    except ValueError:
        number = float(given)
        if number != int(number):
            raise
        return int(number)
