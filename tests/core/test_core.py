"""Bits, generators, options, the registry, lockstep errors and the Python face."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

import stich
from conftest import TOY, python
from stich.core import bits, contract, families, kernels
from stich.core.contract import Rules, Text
from stich.core.errors import StichError
from stich.core.rng import below, stream, streams, uniform
from stich.core.spec import Option, Spec, layout


@njit
def compiled_bits(mask, k):
    return bits.popcount(mask), bits.ctz(mask), bits.nth(mask, k), bits.nth_bit(mask, k), bits.top(mask)


@settings(deadline=None)
@given(st.integers(1, 2**62), st.data())
def test_bit_operations_are_the_same_compiled(mask, data):
    k = data.draw(st.integers(0, bits.popcount(mask) - 1))
    plain = bits.popcount(mask), bits.ctz(mask), bits.nth(mask, k), bits.nth_bit(mask, k), bits.top(mask)
    assert compiled_bits(mask, k) == plain
    assert bits.set_bits(mask)[k] == plain[3]


def test_portable_and_bmi2_paths_give_the_same_games():
    """The loop that stands in for BMI2 signs the same behaviour."""
    code = "import stich; print(stich.make('jass').signature(5))"
    assert python(code, STICH_NO_BMI2="1") == python(code)


def test_streams_are_named_and_stable():
    assert stream(1, "deals").tobytes() == streams(5, 1, "deals")[:1].tobytes()
    names = [stream(1, "deals"), stream(1, "seat", 0), stream(1, "seat", 1), stream(2, "deals")]
    assert len({rng.tobytes() for rng in names}) == len(names)
    # Known words: a changed derivation would change every seeded result ever written down.
    assert [int(word) for word in stream(1, "deals")[0]] == [14377887675356224629, 3008804907736353217]


@njit
def draws(rngs, n, counts, reals):
    for i in range(len(reals)):
        counts[below(rngs[0], n)] += 1
        reals[i] = uniform(rngs[0])


def test_random_numbers_are_uniform():
    from scipy.stats import chisquare, kstest

    counts, reals = np.zeros(13), np.zeros(100_000)
    draws(stream(3, "test"), 13, counts, reals)
    assert chisquare(counts).pvalue > 1e-3
    assert kstest(reals, "uniform").pvalue > 1e-3


def test_options_take_names_numbers_and_booleans():
    switch = Option("x", "", "off", ("off", "on"))
    assert [switch.code(value) for value in ("on", True, "off", False)] == [1, 1, 0, 0]
    assert Option("n", "", 1, low=1, high=9).code("7") == 7
    for option, value in ((switch, "maybe"), (switch, 1), (Option("n", "", 1, low=1, high=9), "x")):
        with pytest.raises(StichError, match="cannot be"):
            option.code(value)


def test_layout_leaves_no_gap():
    state = layout([("a", "u1"), ("b", "i8"), ("c", "u1", 3), ("d", "u2")])
    assert state.itemsize == sum(state[name].itemsize for name in state.names)


def test_a_declaration_that_does_not_fit_is_refused_with_what_is_wrong():
    toy = stich.make(str(TOY)).spec
    functions = toy.rules.functions()
    with pytest.raises(StichError, match=r"Rules.legal takes \(s, extra\) instead of \(s\)"):
        replace(toy.rules, legal=lambda s, extra: 0)
    with pytest.raises(StichError, match=r"Text has no 'descibe' \(did you mean 'describe'\?\)"):
        Text(toy.text.action_name, toy.text.piles, descibe=toy.text.action_name)
    with pytest.raises(StichError, match=r"Rules\.player is given the function 'legal': wrong order"):
        Rules(functions["deal"], functions["legal"], functions["player"], *list(functions.values())[3:])
    with pytest.raises(StichError, match="Spec has no 'exakt'"):
        Spec(exakt=None)
    with pytest.raises(StichError, match="64 actions; a mask holds 1 to 63"):
        families.register(replace(toy, name="broken", actions=64), stich.make(str(TOY)).family.state)
    with pytest.raises(StichError, match="both call their game 'jass'"):
        families.register(replace(toy, name="jass"), stich.make(str(TOY)).family.state)


def test_a_game_with_one_changed_rule_lives_beside_the_original(tmp_path):
    """Same layout, same functions but one: both are compiled and played in one process."""
    file = tmp_path / "misere.py"
    file.write_text(
        "from dataclasses import replace\n"
        "from stich.core.families import register\n"
        "from stich.games.kuhn import SPEC\n"
        "from stich.games.kuhn.rules import STATE, returns\n"
        "def misere(s, out):\n"
        "    returns(s, out)\n"
        "    out[0], out[1] = out[1], out[0]\n"
        "variants = tuple(replace(one, name='misere') for one in SPEC.variants)\n"
        "register(replace(SPEC, name='misere', variants=variants, rules=replace(SPEC.rules, returns=misere)), STATE)\n"
    )
    changed, original = stich.make(str(file)), stich.make("kuhn")
    assert changed.family.state != original.family.state
    for seed in range(6):
        states = [game.new(seed).play("bet").play("bet") for game in (changed, original)]
        assert states[0].returns() == states[1].returns()[::-1] != states[1].returns()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nothing", "there is no game 'nothing'; there are .*jass"),
        ("jass.7", "there is no game 'jass.7'"),
        ("no_such_file.py", "there is no file"),
        ("no_such_module:x", "cannot be imported"),
        ("json:x", "not a game"),
    ],
)
def test_an_unknown_game_says_what_there_is(name, words):
    with pytest.raises(StichError, match=words):
        stich.make(name)


def test_wrong_options_say_what_there_is():
    with pytest.raises(StichError, match="has no option 'x'; its options: undertrump"):
        stich.make("jass", x=1)
    with pytest.raises(StichError, match="undertrump cannot be 'no': it takes highest, jasskit"):
        stich.make("jass", undertrump="no")


@njit
def compiled_prepares(states, action):
    return contract.prepares(states[0], action)


def test_in_games_that_do_not_say_so_no_action_only_prepares():
    state = stich.make("kuhn").new(1)
    assert not contract.prepares(state.record, 0)
    assert not compiled_prepares(state.array, 0)
    with pytest.raises(StichError, match="shows states"):
        state.move_inputs(state.game.encoders[0].name)


def test_the_face_of_a_state():
    state = stich.make("jass").new(1)
    with pytest.raises(StichError, match=r"X9 is not legal for seat .; legal: D, H, S, C, O, U, P"):
        state.play("X9")
    with pytest.raises(StichError, match="no returns yet"):
        state.returns()
    with pytest.raises(StichError, match="no seat 4"):
        state.view(4)
    with pytest.raises(StichError, match="only a view"):
        state.sampler()
    with pytest.raises(StichError, match="no encoder 'x'; it has planes43"):
        state.observation(encoder="x")
    player = state.player
    assert state.play("o").player == player
    assert "obe-abe" in str(state)
    assert "[" not in str(state)
    assert repr(state) == f"<jass, seat {player} to act>"


def test_lockstep_refuses_an_illegal_action_and_plays_none():
    vector = stich.VectorGame(stich.make("jass"), 3, seed=1)
    before = vector.states.copy()
    for bad in (5, -1, 63):
        with pytest.raises(StichError, match=r"lane 1: action .* is not legal for seat"):
            vector.step(np.array([36, bad, 36]))
    assert vector.states.tobytes() == before.tobytes()
    with pytest.raises(StichError, match="at least one lane"):
        stich.VectorGame(stich.make("jass"), 0)


def test_lockstep_allocates_nothing_per_step():
    import tracemalloc

    vector = stich.VectorGame(stich.make("jass"), 64, seed=1)
    for _ in range(5):
        vector.step(vector.random_actions())
    tracemalloc.start()
    base = tracemalloc.get_traced_memory()[0]
    for _ in range(200):
        vector.step(vector.random_actions())
    grown = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grown[1] - base < 64 * 1548 // 2  # call frames and bundles: less than half of one array of observations


def test_a_reset_gives_the_same_games_again():
    vector = stich.VectorGame(stich.make("jass"), 4, seed=9)
    first = vector.states.copy()
    vector.step(vector.random_actions())
    vector.reset()
    assert vector.states.tobytes() == first.tobytes()
    vector.reset(10)
    assert vector.states.tobytes() != first.tobytes()


def test_bounds_are_kept_under_a_bounds_check():
    """Kernels run unchecked; here all games run once with every index checked."""
    code = f"""
import stich
for name in [*stich.names(), {str(TOY)!r}]:
    stich.make(name).signature(3)
print("done")
"""
    assert python(code, NUMBA_BOUNDSCHECK="1", NUMBA_OPT="0") == "done\n"


def test_exported_names():
    names = ["Game", "State", "StichError", "VectorGame", "__version__", "check", "make", "names", "stream"]
    assert stich.__all__ == names
    assert all(getattr(stich, name) is not None for name in stich.__all__)
    assert dir(stich) == stich.__all__
    with pytest.raises(AttributeError):
        stich.nothing  # noqa: B018


IMPORTED = """
import sys, stich
from stich.agents import make_agent
before = list(sys.path)
make_agent("random", stich.make("jass"))
assert sys.path == before
{name}
print(sys.path == [*before, {here!r}])
"""


@pytest.mark.parametrize(
    "name",
    ['make_agent("own:Own", stich.make("kuhn"))', 'stich.make("toy:duel")', 'make_agent("json:tool", None)'],
)
def test_only_named_modules_are_searched_in_the_working_directory_and_there_last(tmp_path, name):
    """A file of the working directory never stands in for an installed module."""
    shutil.copy(TOY, tmp_path / "toy.py")
    (tmp_path / "json").mkdir()
    (tmp_path / "numpy.py").write_text("raise SystemError")
    (tmp_path / "own.py").write_text("from stich.agents.simple import RandomAgent as Own")
    installed = "json" in name
    name = f"try: {name}\nexcept stich.StichError: pass" if installed else name
    code = IMPORTED.format(name=name, here=str(tmp_path))
    assert python(code, cwd=tmp_path, PYTHONSAFEPATH="1") == f"{not installed}\n"  # as for the command `stich`


def test_a_state_runs_no_kernel_before_it_is_asked(monkeypatch):
    """Who acts, what is legal and whether it is over are one call, made at the first use."""
    state = stich.make("kuhn").new(1)
    calls = []
    real = kernels.advance_all
    monkeypatch.setattr(kernels, "advance_all", lambda *given: (calls.append(given), real(*given)))
    view = state.copy().view(0)
    assert calls == []
    assert (view.player, view.mask, view.is_over) == (0, 3, False)
    assert len(calls) == 1
    view.play("bet")
    assert view.player == 1
    assert len(calls) == 2
