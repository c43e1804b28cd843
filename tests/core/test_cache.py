"""The cache of compiled kernels: notices edits, survives parallel writers, damage and missing folders."""

import hashlib
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import HERE, TOY, python
from stich.core import cache

RESULT = """
import sys, numpy as np, stich
from stich.core import kernels
from stich.core.rng import stream
game = stich.make(sys.argv[1] if len(sys.argv) > 1 else {game!r})
results = np.zeros((3, game.seats))
kernels.random_rounds(game.template.copy(), 500, stream(1, "x"), *results)
print(results[1].tolist(), dict(kernels.random_rounds.stats.cache_hits) != {{}})
"""


def play(game: Path | str, folder: Path, **environment: str) -> tuple[str, bool]:
    """The summed results of random play in a fresh process, and whether its kernel came from the cache."""
    printed = python(RESULT.format(game=str(game)), STICH_CACHE_DIR=str(folder), **environment).strip()
    result, _, hit = printed.rpartition(" ")
    return result, hit == "True"


def test_an_edited_rule_changes_the_next_run(tmp_path):
    game = tmp_path / "toy_duel.py"
    shutil.copy(TOY, game)
    before = play(game, tmp_path / "kernels")
    assert play(game, tmp_path / "kernels") == (before[0], True)
    text = game.read_text()
    game.write_text(text.replace("if a < s.led:", "if a > s.led:"))
    after = play(game, tmp_path / "kernels")
    assert after[0] != before[0]
    assert not after[1]
    game.write_text(text)
    assert play(game, tmp_path / "kernels") == (before[0], True)


def test_an_edited_rule_in_a_module_of_a_game_changes_the_next_run(tmp_path):
    """In a copy of the package: a table that the rules import from another file."""
    shutil.copytree(
        HERE.parent / "src" / "stich", tmp_path / "stich", ignore=shutil.ignore_patterns("__pycache__")
    )
    here = {"PYTHONPATH": str(tmp_path)}
    before = play("jass", tmp_path / "kernels", **here)
    cards = tmp_path / "stich" / "games" / "jass" / "cards.py"
    cards.write_text(cards.read_text().replace("TRUMP_VALUE = (11,", "TRUMP_VALUE = (12,"))
    after = play("jass", tmp_path / "kernels", **here)
    assert after[0] != before[0]
    assert not after[1]


def test_processes_that_compile_at_once_all_work(tmp_path):
    command = [sys.executable, "-c", RESULT.format(game=str(TOY))]
    environment = {**__import__("os").environ, "STICH_CACHE_DIR": str(tmp_path)}
    running = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = {process.communicate(timeout=120)[0] for process in running}
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len({output.rpartition(" ")[0] for output in outputs}) == 1
    assert not list(tmp_path.glob("*.part"))
    assert play(TOY, tmp_path)[1]


def test_a_damaged_file_is_compiled_again(tmp_path):
    before = play(TOY, tmp_path)[0]
    for file in tmp_path.iterdir():
        file.write_bytes(file.read_bytes()[:-100])
    assert play(TOY, tmp_path) == (before, False)
    assert play(TOY, tmp_path) == (before, True)


def test_no_folder_means_no_cache(tmp_path):
    (tmp_path / "file").write_text("in the way")
    blocked = tmp_path / "file" / "kernels"
    assert play(TOY, blocked) == (play(TOY, tmp_path / "kernels")[0], False)


def test_the_first_writable_folder_is_taken(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    places = [tmp_path / "file" / "a", tmp_path / "b", tmp_path / "c"]
    monkeypatch.setattr(cache, "candidates", lambda: iter(places))
    cache.folder.cache_clear()
    try:
        assert cache.folder() == tmp_path / "b"
    finally:
        cache.folder.cache_clear()


def test_candidates_are_the_install_then_the_user_folder(monkeypatch):
    monkeypatch.delenv("STICH_CACHE_DIR", raising=False)
    install, user = cache.candidates()
    assert install.parts[-3:] == ("stich", "__pycache__", "kernels")
    assert user.parts[-2:] == ("stich", "kernels")
    assert not user.is_relative_to(install.parent.parent)


def test_versions_and_switches_are_part_of_the_stamp(monkeypatch):
    cache.stamp.cache_clear()
    before = cache.stamp(cache)
    for target, name, value in ((np, "__version__", "0"), (cache.config, "BOUNDSCHECK", 1)):
        with monkeypatch.context() as patch:
            patch.setattr(target, name, value)
            cache.stamp.cache_clear()
            assert cache.stamp(cache) != before
    cache.stamp.cache_clear()


@pytest.mark.parametrize("count", [cache.KEPT + 3])
def test_old_compilations_are_removed(tmp_path, count):
    for i in range(count):
        (tmp_path / f"kernel.game.{i:032d}").write_bytes(b"x")
    (tmp_path / "kernel.other.0").write_bytes(b"x")
    cache._prune(tmp_path / f"kernel.game.{count - 1:032d}")
    assert len(list(tmp_path.glob("kernel.game.*"))) == cache.KEPT
    assert (tmp_path / "kernel.other.0").exists()


MOVED = """
import sys
sys.path.insert(0, {folder!r})
import numpy as np, stich
from stich.core import kernels
from stich.core.rng import stream
game = stich.make({name!r})
results = np.zeros((3, game.seats))
kernels.random_rounds(game.template.copy(), 500, stream(1, "x"), *results)
print(results[1].tolist())
"""


@pytest.mark.parametrize("outside", ["a", "z"])
def test_a_game_may_move(tmp_path, outside):
    """From a file into a package with the same kernels cached, whichever of the two paths sorts first."""
    inside = tmp_path / "m" / "own_games"
    for folder in (tmp_path / outside, inside):
        folder.mkdir(parents=True)
        shutil.copy(TOY, folder / "my_game.py")
    (inside / "__init__.py").write_text("")
    places = {str(tmp_path / outside / "my_game.py"): "", "own_games.my_game:": str(tmp_path / "m")}
    told = [
        python(MOVED.format(folder=folder, name=name), STICH_CACHE_DIR=str(tmp_path / "kernels"))
        for name, folder in places.items()
    ]
    assert told[0] == told[1]


def test_a_file_that_cannot_be_loaded_is_compiled_again(tmp_path):
    """Whatever is raised: here a module that the code refers to is gone."""
    before = play(TOY, tmp_path)[0]
    for file in tmp_path.iterdir():
        payload = pickle.dumps(Gone())
        file.write_bytes(hashlib.sha256(payload).digest() + payload)
    assert play(TOY, tmp_path) == (before, False)


class Gone:
    """Its pickle imports a module that is not there."""

    def __reduce__(self):
        return __import__, ("no_such_module",)
