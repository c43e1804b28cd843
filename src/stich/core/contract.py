"""The contract of a game: the operations that every game offers.

A game is a module with a record dtype `STATE`, plain functions named like the operations below, and a `SPEC`.
Called from Python an operation looks the game up by the dtype of its first argument; in compiled code it
resolves on the record type at compile time, so a kernel written once is compiled per game without any
dispatch at run time.
"""

import functools
import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

from numba import from_dtype
from numba.extending import overload

from stich.core.errors import StichError
from stich.core.spec import layout

Record = Any
"""One state: a record of the game's `STATE` dtype."""
Array = Any
"""A NumPy array; kernels are compiled for whatever dtype it has."""
Int = Any
"""An integer of compiled code, of any width."""
Real = Any
"""A floating-point number of compiled code."""

F = TypeVar("F", bound=Callable[..., Any])


GAMES: dict[Any, ModuleType] = {}
"""The registered games by the Numba type of their state."""


OPERATIONS: dict[str, list[str]] = {}
"""The parameters of each operation that a game must have."""
INLINED = ("apply", "legal")


def operation(stub: F, default: Callable[..., Any] | None = None) -> F:
    """Makes a stub into an operation that every game implements by a function of the same name."""
    name = stub.__name__
    parameters = list(inspect.signature(stub).parameters)
    OPERATIONS[name] = parameters

    @functools.wraps(stub)
    def dispatch(s: Any, *rest: Any) -> Any:
        function: Any = getattr(GAMES[from_dtype(s.dtype)], name, default)
        return function(s, *rest)

    def resolve(s: Any, *rest: Any) -> Any:
        return getattr(GAMES[s], name, default) if s in GAMES else None

    options = {"no_cfunc_wrapper": True, "forceinline": name in INLINED}
    overload(dispatch, strict=False, jit_options=options)(resolve)
    return dispatch  # type: ignore[return-value]


@operation
def deal(s: Record, rng: Record) -> None:
    """Sets up a fresh game; the fields of the options already stand in `s` and stay as they are."""


@operation
def player(s: Record) -> Int:
    """The seat to act."""


@operation
def legal(s: Record) -> Int:
    """The mask of legal actions; never empty before the end."""


@operation
def apply(s: Record, a: Int) -> None:
    """Plays the legal action `a` in place."""


@operation
def is_over(s: Record) -> Int:
    """Whether the game has ended."""


@operation
def returns(s: Record, out: Array) -> None:
    """Writes each seat's result, in the game's own units, of a finished game."""


@operation
def hide(s: Record, me: Int) -> None:
    """Erases in place all that seat `me` cannot know."""


@operation
def owners(s: Record, me: Int, plan: Record) -> None:
    """Tells the sampler which hidden card may lie where, as `me` knows it."""


@operation
def fill(s: Record, me: Int, draw: Record) -> None:
    """Writes a drawn placement of the hidden cards into the view of `me`."""


@operation
def observe(s: Record, me: Int, which: Int, out: Array) -> None:
    """Writes the observation of seat `me` by encoder number `which`, all of `out`."""


@operation
def key(s: Record, me: Int) -> Int:
    """A 64-bit key of all that `me` knows and has known."""


REQUIRED = tuple(OPERATIONS)


@operation
def observe_move(s: Record, me: Int, a: Int, which: Int, out: Array) -> None:
    """Writes the input of a net that rates action `a` of seat `me`, all of `out` (optional).

    It also writes composed encoders that rate nothing, with -1 for the action.
    """


@operation
def deal_count(s: Record) -> Int:
    """How many equally likely deals there are (optional, for exact work); 0 where they are not listed."""


@operation
def deal_nth(s: Record, k: Int) -> None:
    """Sets up deal number `k` of them, counted from 0 (optional, with `deal_count`)."""


@operation
def phase(s: Record) -> Int:
    """The number in `Spec.phases` of what is decided now (optional)."""


@operation
def measure(s: Record, out: Array) -> None:
    """Writes out[seat, i] for each seat and figure of `Spec.measures` of a finished game (optional)."""


def unless(default: Callable[..., Any]) -> Callable[[F], F]:
    """An operation that does something sensible in games that do not have it."""
    return functools.partial(operation, default=default)


def _zero(s: Record) -> Int:
    return 0


def _no(s: Record, a: Int) -> Int:
    return False


def _no_move(s: Record, rng: Record) -> Int:
    return -1


def _no_past(s: Record, past: Array, rng: Record) -> Int:
    return 0


def _returns(s: Record, out: Array) -> None:
    returns(s, out)


def _unknown(s: Record, out: Array) -> None:
    out[0] = 0.0
    out[1] = 0.0


def _none(s: Record) -> Int:
    return -1


def _level(s: Record, a: Int) -> Int:
    return 0


def _all(s: Record, mask: Int) -> Int:
    return mask


def _endless(s: Record) -> Any:
    return -30000, 30000


def _own_score(s: Record, final: Int) -> Real:
    return 1.0 * final if side(s) == 0 else -1.0 * final


def _many(s: Record) -> Int:
    return 1000


def _nothing(s: Record) -> None:
    pass


@unless(_no)
def prepares(s: Record, a: Int) -> Int:
    """Whether `a` only prepares a move of the same seat, and is rated by the moves after it (unless given: no)."""


@unless(_no_move)
def rule(s: Record, rng: Record) -> Int:
    """The move of the game's rule-based player on the view of the seat to act (unless given: none, -1)."""


@unless(_zero)
def secret(s: Record) -> Int:
    """Whether only the seat to act will know what it does now (unless given: no)."""


@unless(_no_past)
def rewind(s: Record, past: Array, rng: Record) -> Int:
    """Takes a full state back to an earlier point of its stage and writes the actions since; returns their number.

    Where the others' cards of earlier times do not follow from those of now, they are drawn (unless given: 0).
    """


@unless(_zero)
def stage(s: Record) -> Int:
    """How many parts of a long game, deals or rounds, are finished: a search looks no further than the present one."""


@unless(_returns)
def standing(s: Record, out: Array) -> None:
    """Writes what each seat has so far; unless given, the returns, where they can be told at any time."""


@unless(_unknown)
def stakes(s: Record, out: Array) -> None:
    """Writes the least and the greatest change of a seat's standing in this stage; level where the bounds hold."""


# What exact solving asks of a game (docs/search.md).


@unless(_none)
def side(s: Record) -> Int:
    """0 where the seat to act wants the score high, 1 where low, -1 where each plays for himself (unless given)."""


@unless(_zero)
def score(s: Record) -> Int:
    """What side 0 has so far, a whole number; at the end of a stage it is the result (unless given: 0)."""


@unless(_endless)
def reach(s: Record) -> Any:
    """The least and the most that may still be added to the score.

    Where each plays for himself: between which standings the seat to act will end.
    """


@unless(_level)
def order(s: Record, a: Int) -> Int:
    """How promising a move is: the greatest is tried first (unless given: all alike)."""


@unless(_all)
def distinct(s: Record, mask: Int) -> Int:
    """Legal moves without those that must come to the same as another one of them (unless given: all)."""


@unless(_none)
def position(s: Record) -> Int:
    """A 64-bit key of all that the rest of the stage depends on, alike for alike positions; -1: not worth storing."""


@unless(_own_score)
def worth(s: Record, final: Int) -> Real:
    """What a final score of this stage is worth to the seat to act, in the units of its returns; never against it."""


@unless(_many)
def cards_left(s: Record) -> Int:
    """How many cards are still to be played in this stage, from public knowledge alone."""


@unless(_zero)
def solvable(s: Record) -> Int:
    """With how many cards left a position is solved in some milliseconds (unless given: never)."""


@unless(_nothing)
def last_stage(s: Record) -> None:
    """Makes the present stage the last one, so that nothing is dealt after it, where that changes no result of it."""


@unless(_no)
def curtail(s: Record, step: Int) -> Int:
    """Lets a stage that may go on without progress end earlier, nothing added to the score; less so with each step.

    Returns whether it did: then a value of nothing is looked for again one step on, and any other is final.
    """


def register(name: str) -> None:
    """Makes the module of this name a game; its last line is `register(__name__)`."""
    module = sys.modules[name]
    _check(module)
    state = from_dtype(module.STATE)
    other = GAMES.setdefault(state, module)
    if other.__name__ != name:
        raise StichError(f"{name} and {other.__name__} have the same STATE dtype; rename a field of one")
    GAMES[state] = module


def _check(module: ModuleType) -> None:
    """Refuses a module that lacks part of the contract, and says which part."""
    missing = [name for name in ("STATE", "SPEC", "action_name", "piles", *REQUIRED) if not hasattr(module, name)]
    if missing:
        raise StichError(f"the game {module.__name__} lacks {', '.join(missing)}")
    for name in OPERATIONS.keys() & vars(module).keys():
        wanted, found = OPERATIONS[name], list(inspect.signature(getattr(module, name)).parameters)
        if len(wanted) != len(found):
            raise StichError(
                f"{module.__name__}.{name} takes ({', '.join(found)}) instead of ({', '.join(wanted)})"
            )
    if layout([(name, module.STATE[name]) for name in module.STATE.names]) != module.STATE:
        raise StichError(f"the STATE of {module.__name__} has gaps between fields; make it with layout([...])")
    unset = [option.name for option in module.SPEC.options if option.name not in module.STATE.names]
    if unset:
        raise StichError(f"the STATE of {module.__name__} has no field for option {', '.join(unset)}")
    if module.SPEC.actions > 63:
        raise StichError(f"{module.__name__} has {module.SPEC.actions} actions; a mask holds 63")


def game_of(signature_args: tuple[Any, ...]) -> ModuleType | None:
    """The game whose states are among the Numba types of a kernel's arguments."""
    for argument in signature_args:
        found = GAMES.get(getattr(argument, "dtype", argument))
        if found is not None:
            return found
    return None
