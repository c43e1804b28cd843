"""The first checks: everything compiles, runs as plain Python too, and names its actions and cards.

Compiled code checks no index. So a game is run uncompiled first, where a wrong index is an error with a line.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import int64, typeof

from stich.core import kernels
from stich.core.bits import set_bits
from stich.core.check import probes
from stich.core.check.course import Course, Walk, differing, quoted
from stich.core.check.finding import Finding
from stich.core.diagnosis import faults, raised
from stich.core.game import NO_RESULTS, Game, State
from stich.core.plain import Plain
from stich.core.rng import RNG, stream
from stich.core.sampler import DRAW, PLAN

STEPS, EVERY = 90, 7
"""Moves of an uncompiled game, and after how many of them all that a seat knows is compared."""
TEXTS = 12
"""Positions of a game whose texts are read."""


def compiles(course: Course) -> Iterator[Finding]:
    """Numba compiles every operation; what it cannot compile is one line each."""
    try:
        compile_all(course.game)
    except Exception:
        lines = faults(course.game.family)
        if not lines:
            raise
        yield from (Finding("compile", line) for _, line in lines)


def compile_all(game: Game) -> None:
    """Compiles every operation of a game by calling kernels with no states."""
    none, rngs, ints, floats = (
        game.template[:0],
        np.zeros(0, RNG),
        np.zeros(0, np.int64),
        np.zeros((0, game.seats)),
    )
    kernels.deal_all(none, rngs)
    kernels.advance_all(none, ints, rngs, NO_RESULTS, kernels.new_turns(0))
    kernels.hide_all(none, ints)
    kernels.returns_all(none, floats)
    kernels.key_all(none, ints, ints)
    kernels.plan_owners.compile((typeof(none), int64, typeof(np.zeros(0, PLAN))))  # type: ignore[attr-defined]
    kernels.plan_draw(none, np.int64(0), np.zeros(0, PLAN), np.zeros(0), rngs, np.zeros(0, DRAW))
    for which, encoder in enumerate(game.encoders):
        if not encoder.moves:
            kernels.observe_all(none, ints, np.int64(which), np.zeros((0, encoder.size), encoder.dtype))
    spec = game.spec
    if spec.phases:
        kernels.phase_all(none, ints)
    if spec.measures:
        kernels.measure_all(none, np.zeros((0, game.seats, len(spec.measure_names))))
    if spec.stages:
        probes.stage_all(none, ints, floats, floats)
    if spec.exact:
        probes.exact_all(none, rngs, none, np.zeros(0), ints, floats)
        probes.left_all(none, ints)
        probes.curtail_all(none, np.int64(0), ints)
    if spec.belief:
        probes.rewind_all(none, rngs, ints, ints)
    if spec.has_rule:
        kernels.rule_all(none, rngs, ints)
    if spec.bots and spec.bots.others:
        probes.other_all(none, np.int64(0), 0.0, rngs, ints)


@dataclass
class PlainStep:
    """What the uncompiled functions say of a position."""

    bytes: bytes
    over: bool
    player: int
    mask: int = 0
    action: int = -1
    returns: list[float] = field(default_factory=list)
    seats: list[dict[str, Any]] = field(default_factory=list)


class PlainGame:
    """A random game of the uncompiled functions."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self.steps: list[PlainStep] = []
        self.doing = "deal"

    def play(self) -> None:
        """Plays, and keeps what the functions said; an error leaves the name of the operation in `doing`."""
        rules, array, choice = self.game.spec.rules, self.game.template.copy(), np.random.default_rng(self.seed)
        s = Plain(array[0])
        rules.deal(s, Plain(stream(self.seed, "deals")[0]))
        for number in range(STEPS):
            self.doing = "is_over"
            over = bool(rules.is_over(s))
            self.doing = "player"
            step = PlainStep(array.tobytes(), over, int(rules.player(s)))
            self.steps.append(step)
            if over:
                self.doing, out = "returns", np.zeros(self.game.seats)
                rules.returns(s, out)
                step.returns = out.tolist()
                return
            self.doing = "legal"
            step.mask = int(rules.legal(s))
            if not 0 < step.mask < 1 << self.game.spec.actions:
                return
            if number % EVERY == 0:
                step.seats = [self._seat(array, me) for me in range(self.game.seats)]
            self.doing = "apply"
            step.action = int(choice.choice(set_bits(step.mask)))
            rules.apply(s, step.action)

    def _seat(self, array: Any, me: int) -> dict[str, Any]:
        """What a seat knows."""
        rules, view, plan = self.game.spec.rules, array.copy(), np.zeros(1, PLAN)
        self.doing = "hide"
        rules.hide(Plain(view[0]), me)
        self.doing = "key"
        known: dict[str, Any] = {"hide": view.tobytes(), "key": int(rules.key(Plain(array[0]), me)), "observe": []}
        self.doing = "observe"
        for which, encoder in enumerate(self.game.encoders):
            out = np.zeros(encoder.size, encoder.dtype)
            if not encoder.moves:
                rules.observe(Plain(array[0]), me, which, out)
            known["observe"].append(out)
        self.doing = "owners"
        rules.owners(Plain(view.copy()[0]), me, Plain(plan[0]))
        return {**known, "owners": plan}


def runs_as_python(course: Course) -> Iterator[Finding]:
    """The functions run uncompiled; an index out of bounds is found here, before compiled code meets it."""
    for seed in range(course.seed, course.seed + 2 * course.effort):
        plain = PlainGame(course.game, seed)
        try:
            with np.errstate(all="ignore"):
                plain.play()
        except Exception as error:
            yield Finding(plain.doing, raised(course.game.family, error), seed, max(0, len(plain.steps) - 1))
        course.plain.append(plain)


def agrees_with_python(course: Course) -> Iterator[Finding]:
    """Compiled functions do what the same functions do as plain Python."""
    with np.errstate(all="ignore"):
        for plain in course.plain:
            yield from _game_differences(course.game, plain)


def _game_differences(game: Game, plain: PlainGame) -> Iterator[Finding]:
    state = game.new(plain.seed)
    for move, step in enumerate(plain.steps):
        for rule, says in _differences(game, plain.seed, state, step, "apply" if move else "deal"):
            yield Finding(rule, says, plain.seed, move)
        if state.array.tobytes() != step.bytes or step.action < 0:
            break
        state.force(step.action)


OTHERWISE = "an overflow, a negative shift or a division may differ: use np.int64(...) and whole numbers"


def _differences(
    game: Game, seed: int, state: State, step: PlainStep, written_by: str
) -> Iterator[tuple[str, str]]:
    """The operations that say something else compiled than uncompiled."""
    if state.array.tobytes() != step.bytes:
        fields = differing(game, state.record, np.frombuffer(step.bytes, game.family.state)[0])
        yield written_by, f"compiled it writes another {quoted(fields)}; {OTHERWISE}"
        return
    ours = {"is_over": state.is_over, "player": state.player, "legal": state.mask}
    theirs = {"is_over": step.over, "player": step.player, "legal": step.mask}
    if state.is_over:
        ours["returns"], theirs["returns"] = state.returns(), step.returns  # type: ignore[assignment]
    for rule, value in ours.items():
        if value != theirs[rule]:
            yield rule, f"compiled it gives {value}, as plain Python {theirs[rule]}; {OTHERWISE}"
    for me, known in enumerate(step.seats):
        yield from _seat_differences(game, seed, state, me, known)
    yield from _rule_differences(game, seed, state)


def _seat_differences(
    game: Game, seed: int, state: State, me: int, known: dict[str, Any]
) -> Iterator[tuple[str, str]]:
    view = state.view(me)
    other = f"compiled it differs from plain Python for seat {me}; {OTHERWISE}"
    if view.array.tobytes() != known["hide"]:
        yield "hide", other
        return
    if state.key(me) != known["key"]:
        yield "key", other
    for which, encoder in enumerate(game.encoders):
        out = np.zeros((1, encoder.size), encoder.dtype)
        if not encoder.moves:
            kernels.observe_all(state.array, np.array([me]), np.int64(which), out)
        if not np.array_equal(out[0], known["observe"][which]):
            yield "observe", f"encoder {encoder.name!r}: {other}"
    yield from _plan_differences(seed, view, me, known["owners"], other)


def _plan_differences(seed: int, view: State, me: int, plan: Any, other: str) -> Iterator[tuple[str, str]]:
    ours = np.zeros(1, PLAN)
    table = np.empty(kernels.plan_owners(view.array, np.int64(me), ours))
    same = all((ours[name] == plan[name]).all() for name in ("cards", "places", "size", "card"))
    if not same or ((ours["weight"] > 0) != (plan["weight"] > 0)).any():
        yield "owners", other
    elif kernels.plan_prepare(ours, table):
        world, draws, plain = view.array.copy(), np.zeros(1, DRAW), view.array.copy()
        kernels.plan_draw(world, np.int64(me), ours, table, stream(seed, "fill"), draws)
        view.game.spec.rules.fill(Plain(plain[0]), me, Plain(draws[0]))
        if world.tobytes() != plain.tobytes():
            yield "fill", other


def _rule_differences(game: Game, seed: int, state: State) -> Iterator[tuple[str, str]]:
    rule = game.spec.bots.rule if game.spec.bots else None
    if rule is None or state.is_over:
        return
    view, actions = state.view(state.player), np.zeros(1, np.int64)
    kernels.rule_all(view.array, stream(seed, "rule"), actions)
    plain = int(rule(Plain(view.array[0]), Plain(stream(seed, "rule")[0])))
    if plain != actions[0]:
        yield "rule", f"compiled it plays action {actions[0]}, as plain Python {plain}; {OTHERWISE}"


def names(course: Course) -> Iterator[Finding]:
    """`piles`, `action_name` and `card_name` answer everywhere, and legal actions have different names."""
    for walk in course.few:
        for move in walk.some(TEXTS):
            for rule, says in _texts(course.game, walk.states[move]):
                yield walk.found(rule, says, move)


def _texts(game: Game, state: State) -> Iterator[tuple[str, str]]:
    rule = "piles"
    try:
        piles = state.piles()
        rule = "action_name"
        named = {action: state.action_name(action) for action in range(game.spec.actions)}
    except Exception as error:
        yield rule, raised(game.family, error)
        return
    for name, cards in piles.items():
        if not all(isinstance(card, str) for card in cards):
            yield "piles", f"pile {name!r} must be a list of names of cards, not {cards!r}"
    legal = [named[a] for a in state.action_ids()]
    double = sorted({name for name in legal if legal.count(name) > 1 or not name})
    if double:
        yield "action_name", f"two legal actions are called {double[0]!r}: legal actions need different names"


def moves(course: Course) -> Iterator[Finding]:
    """Every position before the end has a seat to act and legal actions, and every game has an end."""
    for walk in course.walks:
        for move, state in enumerate(walk.states):
            yield from _mover(course.game, walk, move, state)
        if not walk.states[-1].is_over and 0 < walk.states[-1].mask < 1 << course.game.spec.actions:
            says = f"a random game is not over after {len(walk.states) - 1:,} moves"
            yield walk.found("is_over", says, len(walk.states) - 1)


def _mover(game: Game, walk: Walk, move: int, state: State) -> Iterator[Finding]:
    if state.is_over:
        return
    if not 0 <= state.player < game.seats:
        yield walk.found("player", f"it returns {state.player}; seats are 0 to {game.seats - 1}", move)
    if state.mask == 0:
        yield walk.found("legal", "no action is legal though the game is not over", move)
    elif not 0 < state.mask < 1 << game.spec.actions:
        highest = max(set_bits(state.mask & (1 << 64) - 1))
        says = f"the mask has action {highest}; Spec.actions = {game.spec.actions} allows 0 to {game.spec.actions - 1}"
        yield walk.found("legal", says, move)
