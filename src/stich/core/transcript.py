"""Transcripts: games written down, read back and replayed against the engine.

A file holds one JSON object a line, plain or gzip. Our own records carry `stich`, the format's version; others
are read by the `recording` function of the game that they name, so that recordings of other engines replay too.
Every recorded step says who acted, what was legal and what was played; replay compares all of it.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from stich.core.contract import Records
from stich.core.errors import StichError
from stich.core.game import Game, State
from stich.core.types import Seat

FORMAT = 1
GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True)
class Step:
    """One recorded decision."""

    player: Seat
    legal: list[str]
    action: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Vectors that were recorded here, by the names that the game's `facts` function knows."""
    position: Mapping[str, Any] = field(default_factory=dict)
    """What else was recorded of the position, by names of the same function."""
    legal_under: Mapping[str, list[str]] = field(default_factory=dict)
    """What is legal here under other rules, by the labels of `Recording.others`."""
    deal: Mapping[str, Any] = field(default_factory=dict)
    """The cards of a later deal that begins here: the game's `redeal` puts them in place of its own."""


@dataclass(frozen=True)
class Recording:
    """A recorded game in the form that replay needs."""

    game: Game
    start: Mapping[str, Any]
    steps: list[Step]
    results: Mapping[str, Any]
    """Recorded results, by the names that the game's `trace` function gives."""
    others: Mapping[str, Game] = field(default_factory=dict)
    """The same game under other rules, to be compared beside it."""


@dataclass(frozen=True)
class Mismatch:
    """A difference between a recording and the engine."""

    where: str
    what: str
    recorded: Any
    ours: Any

    def __str__(self) -> str:
        return f"{self.where}, {self.what}: recorded {_brief(self.recorded)}, ours {_brief(self.ours)}"


@dataclass
class Report:
    """What came out of replaying a file."""

    file: str
    games: int = 0
    decisions: int = 0
    vectors: int = 0
    mismatches: int = 0
    first: Mismatch | None = None

    def add(self, mismatch: Mismatch) -> None:
        """Counts a mismatch and keeps the first."""
        self.mismatches += 1
        self.first = self.first or mismatch


class Transcript:
    """Writes a game down as it is played: play through it instead of on the state."""

    def __init__(self, state: State) -> None:
        """Begins at a full state (not a view)."""
        self.state = state
        self._start = state.start()
        self._steps: list[dict[str, Any]] = []

    def play(self, action: str | int) -> None:
        """Plays an action and writes the step down."""
        chosen = self.state.action_id(action)
        step = {
            "p": self.state.player,
            "legal": self.state.legal_actions(),
            "a": self.state.action_name(chosen),
        }
        self.state.play(chosen)
        self._steps.append(step)

    def record(self) -> dict[str, Any]:
        """The game so far as JSON."""
        game = self.state.game
        return {
            "stich": FORMAT,
            "game": game.name,
            "options": game.options,
            "rules": game.spec.rules_version,
            "start": self._start,
            "steps": self._steps,
            "returns": self.state.returns() if self.state.is_over else None,
        }


def write(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Writes records to a file, compressed where its name ends in .gz."""
    lines = "".join(json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n" for record in records)
    data = lines.encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def read(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a file with their line numbers; a file that is none gives one clear error."""
    try:
        with path.open("rb") as file:
            packed = file.read(2) == GZIP_MAGIC
        number = 0
        with gzip.open(path) if packed else path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, _parse(path, number, line)
        if number == 0:
            raise StichError(f"{path} is empty")
    except (gzip.BadGzipFile, zlib.error) as error:
        raise StichError(f"{path} is damaged: {error}") from None
    except EOFError:
        raise StichError(f"{path} is cut off: the compressed data ends too early") from None
    except OSError as error:
        raise StichError(f"{path} cannot be read: {error.strerror or error}") from None


def _parse(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError:
        raise StichError(f"{path} line {number} is not JSON (cut off, or no recording)") from None
    if not isinstance(record, dict) or not isinstance(record.get("game"), str):
        raise StichError(f"{path} line {number} is not a recorded game: it names no game")
    return record


def recording_of(record: Mapping[str, Any], make: Callable[..., Game]) -> Recording:
    """A record in the form that replay needs; `make` finds games by name."""
    if "stich" in record:
        return _own_recording(record, make)
    game = make(record["game"])
    reader = game.spec.records.recording if game.spec.records else None
    if reader is None:
        raise StichError(f"{game.spec.name} knows no recordings of other engines")
    found: Recording = reader(record, make)
    return found


def _own_recording(record: Mapping[str, Any], make: Callable[..., Game]) -> Recording:
    if record["stich"] != FORMAT:
        raise StichError(f"transcript format {record['stich']} is not format {FORMAT} that this version reads")
    game = make(record["game"], **record["options"])
    if record["rules"] != game.spec.rules_version:
        raise StichError(
            f"played under version {record['rules']} of the rules of {game.spec.name}; "
            f"this is version {game.spec.rules_version}"
        )
    steps = [Step(step["p"], step["legal"], step["a"]) for step in record["steps"]]
    results = {} if record.get("returns") is None else {"returns": record["returns"]}
    return Recording(game, record["start"], steps, results)


def replay_file(path: Path, make: Callable[..., Game], progress: Callable[[], None] | None = None) -> Report:
    """Replays every game of a file."""
    report = Report(str(path))
    for number, record in read(path):
        try:
            recording = recording_of(record, make)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise StichError(
                f"{path} line {number} is not a recording that {record['game']!r} can read: "
                f"{type(error).__name__} {error}"
            ) from None
        except StichError as error:
            raise StichError(f"{path} line {number}: {error}") from None
        replay(recording, f"{path.name} line {number}", report)
        if progress:
            progress()
    return report


def replay(recording: Recording, name: str, report: Report) -> State:
    """Replays one game into a report and returns where it ends; it stops at an action that is not legal."""
    state = recording.game.setup(recording.start)
    others = {label: game.setup(recording.start) for label, game in recording.others.items()}
    path = np.repeat(state.array, len(recording.steps) + 1)
    report.games += 1
    for i, step in enumerate(recording.steps):
        where = f"{name}, decision {i + 1}"
        report.decisions += 1
        if step.deal:
            for other in (state, *others.values()):
                _records(state).redeal(other.record, step.deal)
                other.force(-1)
            path[i] = state.record
        if not _compare_step(state, others, step, where, report):
            return state
        action = state.action_id(step.action)
        for other in (state, *others.values()):
            other.force(action)
        path[i + 1] = state.record
    _compare(_results(recording, state, path), recording.results, f"{name}, at the end", report)
    return state


def _records(state: State) -> Any:
    """The game's functions for recordings, none of them given in games that have no such part."""
    return state.game.spec.records or Records()


def _compare_step(state: State, others: Mapping[str, State], step: Step, where: str, report: Report) -> bool:
    """Compares one decision; False if the game cannot continue as recorded.

    A game may let a recording choose among seats that could act by a function `give_turn(s, seat)`.
    """
    give_turn = _records(state).give_turn
    if give_turn and step.player != state.player:
        give_turn(state.record, step.player)
        state.force(-1)
    legal = state.legal_actions()
    ours = {"player": state.player, "legal": sorted(legal)}
    recorded = {"player": step.player, "legal": sorted(step.legal)}
    for label, names in step.legal_under.items():
        ours[f"legal under {label}"] = sorted(others[label].legal_actions())
        recorded[f"legal under {label}"] = sorted(names)
    _compare(ours, recorded, where, report)
    report.vectors += len(step.facts)
    recorded_here = {**step.facts, **step.position}
    if recorded_here:
        _compare(_records(state).values(state, recorded_here.keys()), recorded_here, where, report)
    if step.action not in legal:
        report.add(Mismatch(where, "action", step.action, f"not legal: {', '.join(legal)}"))
        return False
    return True


def _results(recording: Recording, state: State, path: Any) -> dict[str, Any]:
    """Our results: the returns, and what the game's `trace` makes of the states passed through."""
    results: dict[str, Any] = {"returns": state.returns()} if state.is_over else {}
    trace = _records(state).trace
    return {**results, **(trace(path) if trace else {})}


def _compare(ours: Mapping[str, Any], recorded: Mapping[str, Any], where: str, report: Report) -> None:
    """Adds a mismatch for each recorded value that ours does not equal."""
    for what, value in recorded.items():
        if ours.get(what) != value:
            report.add(Mismatch(where, what, value, ours.get(what)))


def _brief(value: Any, width: int = 300) -> str:
    """A value as JSON, cut where it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= width else text[: width - 3] + "..."
