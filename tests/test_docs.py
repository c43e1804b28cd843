"""The Python code in the documentation runs, and the commands in it exist with their options."""

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer

from conftest import HERE
from serve.serving import serving
from stich.cli import app

ROOT = HERE.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^(?:\S*/)?stich (.*)$", re.MULTILINE)
INLINE = re.compile(r"`stich ([a-z][^`]*)`")
STICH = typer.main.get_command(app)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(path: Path, *languages: str) -> list[str]:
    """The fenced blocks of a page in these languages; a plain block has the language ''."""
    return [code for language, code in FENCE.findall(path.read_text("utf-8")) if language in languages]


@contextmanager
def served(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server for docs/serving.md, whose examples send requests to the default address."""
    if path.name != "serving.md":
        yield
        return
    with serving(folder) as server:
        monkeypatch.setattr(httpx, "post", lambda url, **more: server.client.post(httpx.URL(url).path, **more))
        yield


@pytest.mark.parametrize("path", [path for path in PAGES if blocks(path, "python")], ids=name_of)
def test_python_blocks_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page share their names, as if typed one after the other."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "docs"}
    with served(path, tmp_path, monkeypatch):
        for number, code in enumerate(blocks(path, "python"), 1):
            exec(compile(code, f"{name_of(path)}, block {number}", "exec"), names)


def commands(path: Path) -> list[str]:
    """The lines of a page that call `stich`, without their comments."""
    return [line for code in blocks(path, "", "console", "bash", "sh") for line in COMMAND.findall(code)]


def find(words: list[str]) -> tuple[Any, list[str]]:
    """The command that the first words name, and the words after them."""
    command: Any = STICH
    rest = list(words)
    while hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        assert rest[0] in command.commands, f"there is no command {rest[0]!r}"
        command = command.commands[rest.pop(0)]
    return command, rest


def check_options(words: list[str]) -> None:
    """Every option exists; values are not looked at, so that N and FILE may stand for them."""
    command, rest = find(words)
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    known |= {"-h", "--help"}
    for word in rest:
        if word == "--":
            break
        option = word.split("=")[0]
        assert option in known or not re.fullmatch(r"--?[a-z][a-z-]*", option), f"no option {option!r}: {words}"


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_commands_exist(path: Path) -> None:
    """Commands in blocks are parsed in full; in running text only the names of options are checked."""
    for line in commands(path):
        words = shlex.split(line, comments=True)
        check_options(words)
        command, rest = find(words)
        if "$" not in line and not hasattr(command, "commands"):
            command.make_context("stich", rest)
    for text in INLINE.findall(path.read_text("utf-8").replace("\\|", "|")):
        check_options(shlex.split(text.replace("\n", " ")))


@pytest.mark.parametrize("words", [["simulate", "jass"], ["sim", "jass", "--games", "5"], ["study", "card"]])
def test_wrong_commands_are_found(words: list[str]) -> None:
    with pytest.raises(AssertionError, match=r"no (command|option)"):
        check_options(words)
