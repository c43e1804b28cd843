"""`check`: a game for each way to break the contract, and sources that do not compile."""

import re
import sys
from pathlib import Path

import pytest

import stich
from broken_duel import BREAKS, SAYS
from conftest import TOY, run
from stich.core.check import Finding, check, walk
from stich.core.errors import StichError

BROKEN = str(Path(__file__).parents[1] / "broken_duel.py")


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])


@pytest.mark.parametrize("broken", BREAKS)
def test_each_breach_has_its_sentence(broken):
    found = [str(one) for one in check(stich.make(BROKEN, broken=broken)) if not one.note]
    if broken == "nothing":
        assert found == []
    assert not SAYS[broken] or any(SAYS[broken] in one for one in found), found


def test_the_same_seed_gives_the_same_findings():
    game = stich.make(BROKEN, broken="sizes")
    assert check(game, seed=3) == check(game, seed=3)
    assert check(game, effort=2) != []
    with pytest.raises(StichError, match="effort of a check is 1 or more"):
        check(game, effort=0)


def test_a_finding_says_where():
    finding = Finding("owners", "seat 0 holds 2 cards, drawn worlds give it 3", 5, 1)
    assert str(finding) == "owners: seat 0 holds 2 cards, drawn worlds give it 3 (seed 5, move 1)"
    assert str(Finding("deal", "no")) == "deal: no"
    states = walk(stich.make(str(TOY)), 5)
    assert len(states) == 7
    assert states[-1].is_over


def test_an_encoder_that_is_demanded_must_tell_all_apart():
    game = stich.make(str(TOY))
    assert [one.note for one in check(game)] == [True]
    assert "pairs of" in str(check(game, encoder="bits")[-1])
    assert [one.note for one in check(game, encoder="bits")] == [True, False]
    assert [one.note for one in check(stich.make("kuhn"), encoder="information")] == [True]
    with pytest.raises(StichError, match="has no encoder 'no'"):
        check(game, encoder="no")


FIELDS = "fields: duel, played, lacks, past, won, led, turn"
SOURCES = {
    "read": (
        "return s.won[0] + s.won[1] == 3",
        "return s.wonn[0] + s.won[1] == 3",
        f"40 is_over: the state has no field 'wonn' (did you mean 'won'?); {FIELDS}",
    ),
    "written": (
        "s.won[s.turn], s.led =",
        "s.won[s.turn], s.ledd =",
        f"37 apply: the state has no field 'ledd' (did you mean 'led'?); {FIELDS}",
    ),
    "plan": (
        "plan.weight[add_card",
        "plan.wheight[add_card",
        "55 owners: this record has no field 'wheight' (did you mean 'weight'?); fields: cards, places, size, stride, "
        "free, cells, start, end, even, card, weight",
    ),
    "name": (
        "s.lacks[s.turn] | 511",
        "s.lacks[s.turn] | full",
        "36 apply: the name 'full' is not defined (did you mean 'fill'?)",
    ),
    "module": (
        "return np.int64(s.turn)",
        "return np.int46(s.turn)",
        "23 player: module 'numpy' has no attribute 'int46'",
    ),
    "types": (
        "return higher if higher else s.duel[s.turn]",
        "return higher if higher else 'none'",
        "27 legal: the value is text here and a whole number (int64) there: it needs one type",
    ),
    "stored": (
        "s.won[s.turn] + 1, 9",
        "s.won[s.turn] + 1, 'nine'",
        "37 apply: text cannot be stored where a whole number (uint8) is expected",
    ),
    "missing": (
        "return np.int64(s.turn)",
        "pass",
        "22 player: it returns nothing instead of a number; every path must return one",
    ),
    "argument": (
        "mix(s.past, a)",
        "mix(s.past)",
        "31 apply: the call of mix: missing a required argument: 'value'",
    ),
    "python": (
        "return np.int64(s.turn)",
        "with open('x') as f: return 1",
        "22 player: compiled code cannot use 'with (context manager) as (variable):'",
    ),
    "method": (
        "return np.int64(s.turn)",
        "return s.duel.summ()",
        "23 player: an array has no 'summ' in compiled code",
    ),
    "helper": (
        "def player(s):\n    return np.int64(s.turn)",
        "def mover(s):\n    return np.int64(s.turn)\n\ndef player(s):\n    return mover(s)",
        "26 player: 'mover' is a plain function: decorate it with @compiled (stich.core.jit)",
    ),
    "inside": (
        "def player(s):\n    return np.int64(s.turn)",
        "@compiled\ndef mover(s):\n    return np.int64(s.tun)\n\ndef player(s):\n    return mover(s)",
        f"24 player, in mover: the state has no field 'tun' (did you mean 'turn'?); {FIELDS}",
    ),
}


@pytest.fixture
def source(request, tmp_path, monkeypatch):
    """The stranger's game with a mistake in it, and what is said of it."""
    old, new, says = SOURCES[request.param]
    text = TOY.read_text()
    assert old in text
    name = f"bad_{request.param}"
    text = re.sub(r'(Spec|Variant)\("duel"', rf'\1("{name}"', text.replace(old, new))
    if "@compiled" in new:
        text = text.replace("from stich.core.rng", "from stich.core.jit import compiled\nfrom stich.core.rng")
        says = re.sub(r"^\d+", lambda found: str(int(found[0]) + 1), says)
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    yield f"{name}.py", f"{name}.py:{says}"
    sys.modules.pop(name, None)


@pytest.mark.parametrize("source", SOURCES, indirect=True)
def test_a_source_that_does_not_compile_is_one_line(source):
    file, says = source
    assert [str(one) for one in check(stich.make(file))] == [f"compile: {says}"]


@pytest.mark.parametrize("source", ["written"], indirect=True)
def test_every_command_says_that_line(source):
    """`sim` and `match` end with it and code 2; `check` finds it and ends with 1."""
    file, says = source
    for arguments in (("sim", file), ("match", file, "random", "random", "--games", "2")):
        done = run(*arguments)
        assert (done.returncode, done.stderr.strip()) == (2, f"stich: {says}"), done.stderr
    done = run("check", file)
    assert done.returncode == 1
    assert f"compile: {says}" in done.stdout
    assert "Traceback" not in done.stderr


def test_the_command():
    assert run("check", "kuhn").returncode == 0
    assert '"findings"' in run("check", "kuhn", "--json").stdout
    done = run("check", str(TOY), "--encoder", "bits")
    assert done.returncode == 1
    assert "look the same" in done.stdout
    done = run("check", "nowhere.py")
    assert (done.returncode, done.stderr.strip()) == (2, "stich: there is no file nowhere.py")
