"""Lockstep self-play: many games side by side, one kernel call a step for all of them.

A lane is a game that starts anew when it ends. Between two steps every lane stands at a decision of a learner: seats
of other players, and where it is so chosen forced moves, are played inside the kernel. What a learner saw and did is
kept with the lane until its game has ended; then it moves, with its target, to the samples.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, starmap
from typing import Any

import numpy as np

from stich.core.bits import ctz
from stich.core.contract import (
    Array,
    Int,
    Record,
    apply,
    deal,
    hide,
    is_over,
    legal,
    player,
    returns,
    rule,
)
from stich.core.game import Game
from stich.core.jit import compiled, kernel
from stich.core.kernels import deal_all, random_action
from stich.core.rng import streams, uniform
from stich.core.spec import Encoder, layout
from stich.learn.checkpoint import as_records
from stich.nets.inputs import Inputs, best_action, drawn_action, write_input

STEP = layout(
    [
        ("mask", "i8"),  # the legal actions
        ("target", "f4"),  # what came of it, scaled; set when the game has ended
        ("value", "f4"),  # what the net thought the best action worth
        ("baseline", "f4"),  # what playouts of the true position came to before it, scaled; 0 where there are none
        ("action", "u1"),
        ("seat", "u1"),
        ("mode", "u1"),  # 0: chosen by value, 1: drawn from an average policy
        ("last", "u1"),  # the seat's last decision in this game
    ]
)
"""A decision beside its observation."""

KNOBS = np.dtype(
    [
        ("epsilon", "f8"),  # chance of a random action where actions are chosen by value
        ("by_value", "f8"),  # chance that a seat chooses by value for a whole game
        ("trace", "f8"),  # 1: targets are results; less: mixed with the values of later decisions
        ("discount", "f8"),  # per own decision
        ("low", "f8"),  # a return r becomes (r - low) / span
        ("span", "f8"),
        ("baseline", "i8"),  # playouts whose mean is taken off the target
        ("nets", "i8"),  # how many nets choose by value; the others are average policies
        ("skip_forced", "i8"),
        ("once", "i8"),  # one game in each lane, and nothing is kept
    ],
    align=True,
)

NO_GROUP = -1
SAMPLES, MOVES, GAMES = range(3)
"""What `totals` counts."""


def aligned(shape: tuple[int, ...], dtype: Any) -> Array:
    """Zeros that begin at a cache line: how a sum of products rounds must not depend on where its numbers lie."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size].view(dtype).reshape(shape)


@kernel
def collect(
    groups: Array, seats: Array, current: Array, factors: Array, out: Array, where: Array, starts: Array
) -> None:
    """The inputs of all lanes that wait for a net, net by net: rows starts[g] to starts[g + 1] - 1 are for net g."""
    for g in range(len(starts)):
        starts[g] = 0
    for i in range(len(groups)):
        if groups[i] != NO_GROUP:
            starts[groups[i] + 1] += 1
    for g in range(1, len(starts)):
        starts[g] += starts[g - 1]
    for i in range(len(groups)):
        where[i] = -1
        if groups[i] != NO_GROUP:
            where[i] = starts[groups[i]]
            starts[groups[i]] += 1
            write_input(current[i], factors, seats[i], out[where[i]])
    for g in range(len(starts) - 1, 0, -1):
        starts[g] = starts[g - 1]
    starts[0] = 0


@compiled
def draw_modes(by_value: float, seats: Int, rng: Record) -> Int:
    """The seats that follow their average policy in this game, as a mask."""
    modes = 0
    if by_value < 1.0:
        for seat in range(seats):
            if uniform(rng) >= by_value:
                modes |= 1 << seat
    return modes


@compiled
def keep_samples(
    knob: Record,
    length: Int,
    result: Array,
    observations: Array,
    steps: Array,
    kept: Array,
    kept_steps: Array,
    at: Int,
) -> Int:
    """Gives the decisions of a finished game their targets and moves them, seat by seat; returns the next free row."""
    for seat in range(len(result)):
        target = (result[seat] - knob.low) / knob.span
        last = 1
        for k in range(length - 1, -1, -1):
            if steps[k].seat == seat:
                steps[k].target = target - steps[k].baseline
                steps[k].last = last
                last = 0
                later = steps[k].baseline + steps[k].value
                target = knob.discount * (knob.trace * target + (1.0 - knob.trace) * later)
        for k in range(length):
            if steps[k].seat == seat:
                kept_steps[at] = steps[k]
                for j in range(observations.shape[1]):
                    kept[at, j] = observations[k, j]
                at += 1
    return at


@kernel
def random_outcomes(
    states: Array,
    seats: Array,
    where: Array,
    knobs: Array,
    choices: Array,
    spare: Array,
    results: Array,
    out: Array,
) -> None:
    """What the seat to act in a lane gets, on average, when all play the true position to its end at random; scaled."""
    knob = knobs[0]
    for i in range(len(states)):
        if where[i] < 0:
            continue
        total = 0.0
        for _ in range(knob.baseline):
            spare[0] = states[i]
            while not is_over(spare[0]):
                apply(spare[0], random_action(legal(spare[0]), choices[i]))
            returns(spare[0], results[i])
            total += results[i, seats[i]]
        out[i] = (total / knob.baseline - knob.low) / knob.span


@kernel
def advance(
    states: Array,
    learners: Array,
    by_rule: Array,
    modes: Array,
    lengths: Array,
    seats: Array,
    masks: Array,
    groups: Array,
    deals: Array,
    choices: Array,
    outputs: Array,
    where: Array,
    baselines: Array,
    net_of: Array,
    knobs: Array,
    current: Array,
    observations: Array,
    steps: Array,
    kept: Array,
    kept_steps: Array,
    results: Array,
    view: Array,
    totals: Array,
) -> None:
    """Takes every waiting lane's decision from its net's output and plays on to the next decision of a learner."""
    knob = knobs[0]
    for i in range(len(states)):
        s = states[i]
        a = -1
        if where[i] >= 0:
            row = outputs[where[i]]
            best = best_action(masks[i], row)
            a = best
            mode = 1 if groups[i] >= knob.nets else 0
            if mode == 1:
                a = drawn_action(masks[i], row, choices[i])
            elif knob.epsilon > 0.0 and uniform(choices[i]) < knob.epsilon:
                a = random_action(masks[i], choices[i])
            if knob.once == 0:
                step = steps[i, lengths[i]]
                step.mask = masks[i]
                step.value = row[best]
                step.action = a
                step.seat = seats[i]
                step.mode = mode
                step.baseline = baselines[i]
                for k in range(current.shape[1]):
                    observations[i, lengths[i], k] = current[i, k]
                lengths[i] += 1
        elif knob.once and lengths[i] > 0:  # it has played its game
            continue
        else:
            modes[i] = draw_modes(knob.by_value, len(net_of), choices[i])
        while True:
            if a >= 0:
                apply(s, a)
                totals[MOVES] += 1
            if is_over(s):
                totals[GAMES] += 1
                returns(s, results[i])
                if knob.once:
                    lengths[i] = 1
                    groups[i] = NO_GROUP
                    deal(s, deals[i])
                    break
                totals[SAMPLES] = keep_samples(
                    knob, lengths[i], results[i], observations[i], steps[i], kept, kept_steps, totals[SAMPLES]
                )
                lengths[i] = 0
                deal(s, deals[i])
                modes[i] = draw_modes(knob.by_value, len(net_of), choices[i])
            me = np.int64(player(s))
            mask = legal(s)
            if knob.skip_forced and mask & (mask - 1) == 0:
                a = ctz(mask)
            elif learners[i] >> me & 1:
                seats[i], masks[i] = me, mask
                groups[i] = net_of[me] + (knob.nets if modes[i] >> me & 1 else 0)
                break
            elif by_rule[i]:
                view[0] = s
                hide(view[0], me)
                a = rule(view[0], choices[i])
            else:
                a = random_action(mask, choices[i])


def no_samples(encoder: Encoder) -> tuple[Array, Array]:
    """Room for no samples and no observations yet."""
    return np.zeros(0, STEP), np.zeros((0, encoder.size), encoder.dtype)


Forward = Callable[[Array, Array, Array], None]
"""forward(inputs, starts, outputs): writes what net g says to rows starts[g] to starts[g + 1] - 1."""


class Lanes:
    """Games in lockstep, with the samples that have come of them.

    `samples` (dtype `STEP`) and `observations` hold `count` rows; a game's decisions lie seat by seat, in order.
    """

    def __init__(
        self,
        game: Game,
        inputs: Inputs,
        net_of: Array,
        learners: Array,
        by_rule: Array,
        knobs: Array,
        deals: Array,
        choices: Array,
        groups: int,
        threads: int = 1,
    ) -> None:
        """For each lane: which seats learn (a mask), whether the others play by rule, and its two generators.

        Playouts for baselines are shared among `threads`; their number changes nothing.
        """
        count = len(learners)
        self.game, self.inputs, self.net_of, self.knobs = game, inputs, net_of, knobs
        which, encoder = game.encoder(inputs.encoder, moves=False)
        self._which, self.factors = np.int64(which), inputs.factors(game)
        self.learners, self.by_rule, self.deals, self.choices = learners, by_rule, deals, choices
        self.states = np.repeat(game.template, count)
        deal_all(self.states, deals)
        self.modes, self.lengths, self.seats, self.masks = np.zeros((4, count), np.int64)
        self.groups = np.full(count, NO_GROUP)
        self.results = np.zeros((count, game.seats))
        self.totals = np.zeros(3, np.int64)
        self._current = np.zeros((count, encoder.size), encoder.dtype)
        self._view = game.template.copy()
        self._where = np.full(count, -1)
        self._baselines = np.zeros(count)
        edges = [count * part // threads for part in range(threads + 1)]
        self._parts = list(starmap(slice, pairwise(edges)))
        self._spares = [game.template.copy() for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._starts = np.zeros(groups + 1, np.int64)
        self._input = aligned((count, inputs.width(game)), np.float32)
        self._output = aligned((count, game.spec.actions), np.float32)
        self.trail = np.zeros((count, 16, encoder.size), encoder.dtype)
        self.steps = np.zeros((count, 16), STEP)
        self.samples, self.observations = self._other = no_samples(encoder)
        self._advance()

    @property
    def count(self) -> int:
        """How many samples there are."""
        return int(self.totals[SAMPLES])

    def clear(self) -> None:
        """Forgets the samples."""
        self.totals[SAMPLES] = 0

    def take(self) -> tuple[Array, Array]:
        """The samples and their observations, which stay until the next time; the lanes go on without them."""
        taken = self.samples[: self.count], self.observations[: self.count]
        self._other, (self.samples, self.observations) = (self.samples, self.observations), self._other
        self.clear()
        return taken

    def step(self, forward: Forward) -> None:
        """One decision in every lane."""
        collect(self.groups, self.seats, self._current, self.factors, self._input, self._where, self._starts)
        if self.knobs["baseline"][0] and not self.knobs["once"][0]:
            self._play_outs()
        forward(self._input, self._starts, self._output)
        self._advance()

    def _play_outs(self) -> None:
        """The baselines of the decisions that wait, some lanes to each thread."""

        def some(part: slice, spare: Array) -> None:
            random_outcomes(
                self.states[part],
                self.seats[part],
                self._where[part],
                self.knobs,
                self.choices[part],
                spare,
                self.results[part],
                self._baselines[part],
            )

        run = self._pool.map if self._pool else map
        list(run(some, self._parts, self._spares))

    def play_out(self, forward: Forward) -> None:
        """Plays until every lane has finished its one game (knob `once`)."""
        while (self.groups != NO_GROUP).any():
            self.step(forward)

    def _advance(self) -> None:
        self._make_room()
        advance(
            self.states, self.learners, self.by_rule, self.modes, self.lengths, self.seats, self.masks, self.groups,
            self.deals, self.choices, self._output, self._where, self._baselines, self.net_of, self.knobs,
            self._current, self.trail, self.steps, self.observations, self.samples, self.results, self._view,
            self.totals,
        )  # fmt: skip
        self._observe()

    def _observe(self) -> None:
        self.game.observe_all(self.states, self.seats, self._which, self._current)

    def _make_room(self) -> None:
        """Room for one more step in the longest game, and for the samples of all games should they end now."""
        if self.knobs["once"][0]:
            return
        if self.lengths.max() == self.steps.shape[1]:
            self.trail = np.concatenate([self.trail, np.zeros_like(self.trail)], 1)
            self.steps = np.concatenate([self.steps, np.zeros_like(self.steps)], 1)
        need = self.count + int(self.lengths.sum()) + len(self.lengths)
        if need > len(self.samples):
            need += need // 4
            self.observations = np.concatenate(
                [self.observations, np.zeros((need - len(self.samples), self.trail.shape[2]), self.trail.dtype)]
            )
            self.samples = np.concatenate([self.samples, np.zeros(need - len(self.samples), STEP)])

    STORED = (
        "states",
        "modes",
        "lengths",
        "seats",
        "masks",
        "groups",
        "deals",
        "choices",
        "totals",
        "trail",
        "steps",
    )
    SAMPLED = ("samples", "observations")

    def arrays(self) -> dict[str, Array]:
        """All that the games depend on, and samples that nobody has taken yet."""
        samples = {name: getattr(self, name)[: self.count] for name in self.SAMPLED}
        return {name: getattr(self, name) for name in self.STORED} | samples

    def restore(self, arrays: dict[str, Array]) -> None:
        """Goes on where `arrays` were taken."""
        for name in (*self.STORED, *self.SAMPLED):
            setattr(self, name, as_records(arrays[name], getattr(self, name)))
        self._observe()


def training_lanes(count: int, seed: int) -> tuple[Array, Array]:
    """The generators of lanes: deals, and what is drawn while playing."""
    return streams(count, seed, "deals"), streams(count, seed, "choices")
