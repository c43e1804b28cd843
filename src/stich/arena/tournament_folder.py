"""The folder of a tournament: its file, a line for each unit of work that is done, and the result at the end.

A line is complete or it does not count: whatever kills the program, at most the units under way are played again.
"""

import contextlib
import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stich.arena.entries import Tournament, Unit, differences, load_tournament
from stich.core.errors import StichError
from stich.core.files import alone, complete_lines, is_json, write_whole

CONFIG, RESULTS, RESULT = "tournament.toml", "results.jsonl", "result.json"


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
        """Makes the folder or resumes it, as its only user; another tournament's is refused."""
        with contextlib.ExitStack() as stack:
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                stack.enter_context(alone(self.path))
                self._begin(tournament, text)
                self.results = stack.enter_context((self.path / RESULTS).open("ab", buffering=0))
            except OSError as error:
                raise StichError(f"{self.path} cannot be used: {error.strerror}") from None
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
            write_whole(self.path / CONFIG, text)
        if (self.path / RESULTS).exists():
            os.truncate(self.path / RESULTS, sum(map(len, complete_lines(self.path / RESULTS))))

    def read(self) -> dict[Unit, dict[str, Any]]:
        """The units that are done."""
        found = {}
        for number, line in enumerate(complete_lines(self.path / RESULTS), 1):
            if not is_json(line):
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
            write_whole(self.path / RESULT, json.dumps(result, indent=1, ensure_ascii=False) + "\n")
        except OSError as error:
            raise StichError(f"{self.path} cannot be written: {error.strerror}; what is complete stays") from None
