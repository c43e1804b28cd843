"""What all tests share: the games under test, and the recordings where they are at hand."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import stich

HERE = Path(__file__).parent
TOY = HERE / "toy_duel.py"
SHARED = HERE.parents[1] / "shared" / "transcripts"

# Tests run in the background may inherit that Ctrl-C is ignored; those of Ctrl-C would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)


def all_games() -> list[str]:
    """Every variant of every installed game, and the stranger's."""
    return [*stich.names(), str(TOY)]


@pytest.fixture(params=all_games(), ids=lambda name: Path(name).stem if name.endswith(".py") else name)
def game(request: pytest.FixtureRequest) -> stich.Game:
    """Each game in turn; whatever is registered is tested."""
    return stich.make(request.param)


@pytest.fixture
def recordings() -> Path:
    """The folder of full recordings of other engines."""
    if not SHARED.is_dir():
        pytest.skip("the recordings of other engines are not at hand")
    return SHARED


def run(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the command `stich` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "stich.cli", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        timeout=300,
    )


def python(code: str, *, check: bool = True, cwd: Any = None, **environment: str) -> str:
    """What a Python process of its own prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **environment},
        timeout=300,
    )
    assert not check or done.returncode == 0, done.stderr
    return done.stdout
