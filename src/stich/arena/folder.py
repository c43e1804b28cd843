"""The folder of a tournament: its file, a line for each unit of work that is done, and the result at the end.

A line is complete or it does not count: whatever kills the program, at most the units under way are played again.
"""

import contextlib
import errno
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from stich.arena.entries import Tournament, Unit, differences, load_tournament
from stich.core.errors import StichError

CONFIG, RESULTS, RESULT, LOCK = "tournament.toml", "results.jsonl", "result.json", ".lock"


class Folder:
    """Where a tournament is stored."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> Tournament:
        """The tournament that is stored here."""
        if not (self.path / CONFIG).is_file():
            raise StichError(f"there is no tournament in {self.path}, since it has no {CONFIG}")
        return load_tournament(self.path / CONFIG)[0]

    @contextlib.contextmanager
    def open(self, tournament: Tournament, text: str) -> Iterator[None]:
        """Makes the folder or goes on with it, alone; another tournament's is refused."""
        with contextlib.ExitStack() as stack:
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                stack.enter_context(self._lock())
                self._begin(tournament, text)
                self.results = stack.enter_context((self.path / RESULTS).open("ab", buffering=0))
            except OSError as error:
                raise StichError(f"{self.path} cannot be used: {error.strerror}") from None
            yield

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        """The system gives the lock back when the process ends, however it ends."""
        with (self.path / LOCK).open("a+") as file:
            file.seek(0)
            if not _locked(file):
                with contextlib.suppress(OSError):
                    holder = file.read().strip()
                raise StichError(f"{self.path} is in use by process {holder or 'unknown'}")
            file.truncate(0)
            file.write(f"{os.getpid()}\n")
            file.flush()
            yield

    def _begin(self, tournament: Tournament, text: str) -> None:
        if (self.path / CONFIG).exists():
            found = differences(self.load().record(), tournament.record())
            if found:
                raise StichError(
                    f"{self.path} holds another tournament ({'; '.join(found)}); name another by --run"
                )
        elif (self.path / RESULTS).exists():
            raise StichError(f"{self.path} has a {RESULTS} without a {CONFIG}: it belongs to something else")
        else:
            self._write(CONFIG, text)
        if (self.path / RESULTS).exists():
            os.truncate(self.path / RESULTS, sum(map(len, self._lines())))

    def _lines(self) -> list[bytes]:
        """The lines of the results; the last is dropped where it was cut off."""
        path = self.path / RESULTS
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        if lines and not (lines[-1].endswith(b"\n") and _is_json(lines[-1])):
            lines.pop()
        return lines

    def read(self) -> dict[Unit, dict[str, Any]]:
        """The units that are done."""
        found = {}
        for number, line in enumerate(self._lines(), 1):
            if not _is_json(line):
                raise StichError(
                    f"{self.path / RESULTS}, line {number} is damaged; without it, it is played again"
                )
            record = json.loads(line)
            found[Unit(*record["unit"])] = record
        return found

    def add(self, record: dict[str, Any]) -> None:
        """Stores a unit; when this returns, it is on the disk."""
        line = json.dumps(record, ensure_ascii=False).encode() + b"\n"
        try:
            if self.results.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self.results.fileno())
        except OSError as error:
            raise StichError(f"{self.path} cannot be written: {error.strerror}; what is complete stays") from None

    def finish(self, result: dict[str, Any]) -> None:
        """Writes the result."""
        try:
            self._write(RESULT, json.dumps(result, indent=1, ensure_ascii=False) + "\n")
        except OSError as error:
            raise StichError(f"{self.path} cannot be written: {error.strerror}; what is complete stays") from None

    def _write(self, name: str, text: str) -> None:
        """A file that is there whole or not at all."""
        part = self.path / f"{name}.part"
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.path / name)
        if sys.platform != "win32":
            place = os.open(self.path, os.O_RDONLY)
            os.fsync(place)
            os.close(place)


def _is_json(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _locked(file: IO[str]) -> bool:
    """Whether the lock was free; it is ours then."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
