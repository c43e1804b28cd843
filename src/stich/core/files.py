"""Files of long runs: written whole or not at all, lines that count only when complete, folders with one user."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from stich.core.errors import StichError

LOCK = ".lock"


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes a file that is there whole or not at all, whatever happens; when this returns, it is on the disk."""
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    if sys.platform != "win32":
        place = os.open(path.parent, os.O_RDONLY)
        os.fsync(place)
        os.close(place)


def complete_lines(path: Path) -> list[bytes]:
    """The lines of a file of JSON lines; the last is dropped where it was cut off."""
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    if lines and not (lines[-1].endswith(b"\n") and is_json(lines[-1])):
        lines.pop()
    return lines


def is_json(line: bytes) -> bool:
    """Whether a line is a JSON object."""
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keeps others out of a folder; the system gives the lock back when the process ends, however it ends."""
    with (folder / LOCK).open("a+") as file:
        file.seek(0)
        if not _locked(file):
            with contextlib.suppress(OSError):
                holder = file.read().strip()
            raise StichError(f"{folder} is in use by process {holder or 'unknown'}")
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


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
