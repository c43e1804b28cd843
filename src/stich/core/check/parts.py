"""Checks of the optional parts: phases, stages, exact solving, belief, bots, rows that rate moves."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from stich.core import kernels
from stich.core.bits import set_bits
from stich.core.check import probes
from stich.core.check.course import Course, Look, Walk, quoted
from stich.core.check.finding import Finding
from stich.core.game import MoveInputs, State
from stich.core.rng import streams

PAST = 128
"""The most actions that a state is taken back by."""
SOME = 40
"""Positions of a game that are asked what exact solving needs."""


def phases(course: Course) -> Iterator[Finding]:
    """A phase is one of those named, and the same on views."""
    spec = course.game.spec
    if spec.phases is None:
        return
    for walk in course.walks:
        out = np.zeros(len(walk.states) - 1, np.int64)
        kernels.phase_all(walk.array[:-1], out)
        for move in np.flatnonzero((out < 0) | (out >= len(spec.phases.names)))[:1]:
            says = f"it returns {out[move]}; Phases.names has 0 to {len(spec.phases.names) - 1}"
            yield walk.found("phase", says, int(move))
    yield from _same_on_views(course, "phase", kernels.phase_all)


def _same_on_views(course: Course, rule: str, ask: Any) -> Iterator[Finding]:
    true, seen = np.zeros((2, len(course.looks)), np.int64)
    ask(course.stacked("state"), true)
    ask(course.stacked("view"), seen)
    for i in np.flatnonzero(true != seen):
        look = course.looks[i]
        says = f"{true[i]} in the full state, {seen[i]} in the view of seat {look.me}"
        yield look.found(rule, f"{says}: it must follow from what everybody knows")


def stages(course: Course) -> Iterator[Finding]:
    """The number of finished stages never falls, and is the same on views."""
    if course.game.spec.stages is None:
        return

    def ask(states: Any, out: Any) -> None:
        probes.stage_all(states, out, *np.zeros((2, len(states), max(2, course.game.seats))))

    for walk in course.walks:
        out = np.zeros(len(walk.states), np.int64)
        ask(walk.array, out)
        for move in np.flatnonzero(np.diff(out) < 0)[:1]:
            says = f"it falls from {out[move]} to {out[move + 1]}: it counts finished stages"
            yield walk.found("stage", says, int(move) + 1)
    yield from _same_on_views(course, "stage", ask)


def exact(course: Course) -> Iterator[Finding]:
    """Bounds hold in random playouts, `distinct` keeps legal moves, `cards_left` is public."""
    if course.game.spec.exact is None:
        return
    for walk in course.walks:
        chosen = walk.some(SOME * course.effort)
        states = walk.array[chosen]
        kept, out = np.zeros(len(states), np.int64), np.zeros((len(states), probes.OTHER + 1))
        work = np.repeat(course.game.template, 2), np.zeros(max(2, course.game.seats))
        probes.exact_all(states, streams(len(states), walk.seed, "playout"), *work, kept, out)
        for move, mask, numbers in zip(chosen, kept.tolist(), out.tolist(), strict=True):
            yield from _exact(walk, move, mask, numbers)
    yield from _same_on_views(course, "cards_left", probes.left_all)


def _exact(walk: Walk, move: int, kept: int, numbers: list[float]) -> Iterator[Finding]:
    more = kept & ~walk.states[move].mask
    if more or not kept:
        names = [walk.states[move].action_name(action) for action in set_bits(more)]
        yield walk.found("distinct", f"it keeps {quoted(names) or 'no move'}: keep some of the legal moves", move)
    least, most, low, high = numbers[: probes.OTHER]
    if low == high and not least <= low <= most:
        yield walk.found("reach", f"it gives the bounds {least:g} and {most:g}, but {low:g} was reached", move)
    elif least > high or most < low:
        says = f"it gives the bounds {least:g} and {most:g}, those of the moves from here {low:g} and {high:g}"
        yield walk.found("reach", f"{says}: a value cannot lie in both", move)


def belief(course: Course) -> Iterator[Finding]:
    """A state taken back and played on by the actions that `rewind` names is the same position again."""
    if course.game.spec.belief is None:
        return
    for walk in course.few:
        chosen = walk.some(SOME * course.effort)
        states = walk.array[chosen]
        out = np.zeros(len(states), np.int64)
        probes.rewind_all(states, streams(len(states), walk.seed, "rewind"), np.zeros(PAST, np.int64), out)
        for i, move in enumerate(chosen):
            if out[i] < 0:
                says = f"number {-int(out[i]) - 1} of the actions that it writes is not legal when played again"
                yield walk.found("rewind", says, move)
                continue
            again, true = State(course.game, states[i : i + 1].copy()), walk.states[move]
            if (again.player, again.mask, again.piles()) != (true.player, true.mask, true.piles()):
                says = f"taken back and played on by the same {out[i]} actions, the position is another one"
                yield walk.found("rewind", says, move)


def bots(course: Course) -> Iterator[Finding]:
    """The rule-based player and the other bots play legal moves."""
    given = course.game.spec.bots
    looks = [look for look in course.looks if look.state.player == look.me]
    if given is None or not looks:
        return
    views, out = np.concatenate([look.view.array for look in looks]), np.zeros(len(looks), np.int64)
    rngs = streams(len(looks), course.seed, "bots")
    if given.rule:
        kernels.rule_all(views.copy(), rngs, out)
        yield from _legal(looks, "rule", "it", out)
    for which, bot in enumerate(given.others):
        argument = float(bot.argument.default) if bot.argument else 0.0
        probes.other_all(views.copy(), np.int64(which), argument, rngs, out)
        yield from _legal(looks, "play_other", bot.name, out)


def _legal(looks: list[Look], rule: str, who: str, actions: Any) -> Iterator[Finding]:
    for look, action in zip(looks, actions.tolist(), strict=True):
        if not (0 <= action < 63 and look.state.mask >> action & 1):
            says = f"{who} plays action {action}; legal: {', '.join(look.state.legal_actions())}"
            yield look.found(rule, says)


def move_rows(course: Course) -> Iterator[Finding]:
    """Rows that rate a move are all written."""
    looks = [look for look in course.looks if look.state.player == look.me]
    for encoder in course.game.encoders:
        if not encoder.moves or not looks:
            continue
        rows = []
        for before in (0, 0x5A):
            inputs = MoveInputs(course.game, encoder.name)
            inputs.write(np.concatenate([look.view.array for look in looks]))
            inputs.rows[:] = before
            inputs.write(np.concatenate([look.view.array for look in looks]))
            rows.append(inputs.rows.copy())
        if not np.array_equal(rows[0], rows[1]):
            yield Finding("observe_move", f"encoder {encoder.name!r}: not all of `out` is written")
