"""Lockstep self-play: many environments side by side, one kernel call a step for all of them.

An environment (a lane) plays one game after the other. Between two steps every environment waits for a decision of a
learner: the moves of other players, and by a switch forced moves, are made inside the kernel. What a learner saw and
did is kept with the environment until its game has ended; then it moves, with its target, to the samples.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, starmap
from typing import Any, NamedTuple

import numpy as np

from stich.core.bits import ctz
from stich.core.contract import (
    Array,
    Int,
    Real,
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
from stich.nets.inputs import Inputs, best_action, drawn_action, log_share, write_input

STEP = layout(
    [
        ("mask", "i8"),  # the legal actions
        ("target", "f4"),  # the scaled result that is learned; set when the game has ended
        ("value", "f4"),  # the net's value of the best action
        ("logp", "f4"),  # the logarithm of the probability with which a policy drew the action
        ("baseline", "f4"),  # the mean result of playouts from the true state before it, scaled; 0 without them
        ("action", "u1"),
        ("seat", "u1"),
        ("mode", "u1"),  # 0: chosen by value, 1: drawn from an average policy
        ("last", "u1"),  # the seat's last decision in this game
    ]
)
"""A decision beside its observation."""

SWITCHES = np.dtype(
    [
        ("epsilon", "f8"),  # probability of a random action where actions are chosen by value
        ("by_value", "f8"),  # probability that a seat chooses by value for a whole game
        ("trace", "f8"),  # 1: targets are results; less: mixed with the values of later decisions
        ("discount", "f8"),  # for each decision of the same seat
        ("low", "f8"),  # a return r becomes (r - low) / span
        ("span", "f8"),
        ("baseline", "i8"),  # playouts whose mean is subtracted from the target
        ("nets", "i8"),  # how many nets choose by value; the others are average policies
        ("skip_forced", "i8"),
        ("states", "i8"),  # whether the true state of each decision is kept, for critics that see all cards
        ("once", "i8"),  # one game in each environment, and nothing is kept
    ],
    align=True,
)
"""How games are played and targets made."""

NO_GROUP = -1
SAMPLES, MOVES, GAMES = range(3)
"""What `totals` counts."""


class Lineup(NamedTuple):
    """Who plays in each environment."""

    learners: Array
    """The seats that learn, as a mask."""
    by_rule: Array
    """Whether the other seats play by rule, or at random."""
    deals: Array
    """The generators of deals."""
    choices: Array
    """The generators of what is drawn while playing."""


class Environments(NamedTuple):
    """The arrays of all environments, a row for each."""

    learners: Array
    by_rule: Array
    deals: Array
    choices: Array
    states: Array
    modes: Array
    """The seats that follow their average policy in this game, as a mask."""
    lengths: Array
    """Decisions of learners in this game so far."""
    seats: Array
    """The seat to act,"""
    masks: Array
    """its legal actions,"""
    groups: Array
    """the number of the net that chooses, NO_GROUP after the last game,"""
    rows: Array
    """the row of its input and output, -1 if it does not wait,"""
    baselines: Array
    """and the mean result of playouts, scaled."""
    results: Array
    """Each seat's result in the last finished game."""
    observations: Array
    """What the seat to act sees."""


class Decisions(NamedTuple):
    """Decisions (of dtype STEP) with their observations, and the true states if they are kept (else no columns)."""

    steps: Array
    observations: Array
    states: Array

    def part(self, part: slice) -> "Decisions":
        """Some of them."""
        return Decisions(self.steps[part], self.observations[part], self.states[part])


class Play(NamedTuple):
    """What holds for all environments."""

    switches: Array
    """One record of dtype SWITCHES."""
    net_of: Array
    """The number of each seat's net."""
    spare: Array
    """Work array: one state."""
    totals: Array


def no_decisions(like: Decisions, *shape: int) -> Decisions:
    """Room for decisions with observations and states like those of others."""
    observations = np.zeros((*shape, like.observations.shape[-1]), like.observations.dtype)
    return Decisions(
        np.zeros(shape, STEP), observations, np.zeros((*shape, like.states.shape[-1]), like.states.dtype)
    )


def joined(first: Decisions, second: Decisions, axis: int) -> Decisions:
    """Decisions one after the other."""
    return Decisions(*(np.concatenate(pair, axis) for pair in zip(first, second, strict=True)))


def aligned(shape: tuple[int, ...], dtype: Any) -> Array:
    """Zeros that begin at a cache line: the rounding of a dot product must not depend on where its numbers lie."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    found: Array = raw[start : start + size].view(dtype).reshape(shape)
    return found


@kernel
def collect(envs: Environments, factors: Array, inputs: Array, starts: Array) -> None:
    """The inputs of all environments that wait for a net: rows starts[g] to starts[g + 1] - 1 are for net g."""
    groups, rows = envs.groups, envs.rows
    for g in range(len(starts)):
        starts[g] = 0
    for i in range(len(groups)):
        if groups[i] != NO_GROUP:
            starts[groups[i] + 1] += 1
    for g in range(1, len(starts)):
        starts[g] += starts[g - 1]
    for i in range(len(groups)):
        rows[i] = -1
        if groups[i] != NO_GROUP:
            rows[i] = starts[groups[i]]
            starts[groups[i]] += 1
            write_input(envs.observations[i], factors, envs.seats[i], inputs[rows[i]])
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
def keep_samples(switches: Record, game: Decisions, length: Int, result: Array, out: Decisions, at: Int) -> Int:
    """Gives the decisions of a finished game their targets and moves them, seat by seat; returns the next free row."""
    steps = game.steps
    for seat in range(len(result)):
        target = (result[seat] - switches.low) / switches.span
        last = 1
        for k in range(length - 1, -1, -1):
            if steps[k].seat == seat:
                steps[k].target = target - steps[k].baseline
                steps[k].last = last
                last = 0
                later = steps[k].baseline + steps[k].value
                target = switches.discount * (switches.trace * target + (1.0 - switches.trace) * later)
        for k in range(length):
            if steps[k].seat == seat:
                out.steps[at] = steps[k]
                for j in range(game.observations.shape[1]):
                    out.observations[at, j] = game.observations[k, j]
                for j in range(game.states.shape[1]):
                    out.states[at, j] = game.states[k, j]
                at += 1
    return at


@kernel
def random_outcomes(envs: Environments, switches: Array, spare: Array) -> None:
    """The baselines of waiting environments: the seat's mean result, scaled, if all play the true state at random."""
    switch = switches[0]
    for i in range(len(envs.states)):
        if envs.rows[i] < 0:
            continue
        total = 0.0
        for _ in range(switch.baseline):
            spare[0] = envs.states[i]
            while not is_over(spare[0]):
                apply(spare[0], random_action(legal(spare[0]), envs.choices[i]))
            returns(spare[0], envs.results[i])
            total += envs.results[i, envs.seats[i]]
        envs.baselines[i] = (total / switch.baseline - switch.low) / switch.span


@compiled
def choose_action(envs: Environments, i: Int, row: Array, best: Int, switches: Record) -> Int:
    """The action of a waiting environment: drawn by an average policy, random, or the best one."""
    mask, rng = envs.masks[i], envs.choices[i]
    if envs.groups[i] >= switches.nets:
        return drawn_action(mask, row, rng)
    if switches.epsilon > 0.0 and uniform(rng) < switches.epsilon:
        return random_action(mask, rng)
    return best


@compiled
def keep_decision(envs: Environments, i: Int, a: Int, value: Real, nets: Int, out: Decisions) -> None:
    """Adds a decision to those of the environment's unfinished game."""
    k = envs.lengths[i]
    step = out.steps[i, k]
    step.mask = envs.masks[i]
    step.value = value
    step.action = a
    step.seat = envs.seats[i]
    step.mode = 1 if envs.groups[i] >= nets else 0
    step.baseline = envs.baselines[i]
    for j in range(envs.observations.shape[1]):
        out.observations[i, k, j] = envs.observations[i, j]
    for j in range(out.states.shape[2]):
        out.states[i, k, j] = envs.states[i]
    envs.lengths[i] += 1


@kernel
def advance(envs: Environments, outputs: Array, unfinished: Decisions, finished: Decisions, play: Play) -> None:
    """Takes the decision of every waiting environment from its net's output and plays to the next one of a learner."""
    states, modes, lengths, choices = envs.states, envs.modes, envs.lengths, envs.choices
    switches, net_of, spare, totals = play.switches[0], play.net_of, play.spare, play.totals
    for i in range(len(states)):
        s = states[i]
        a: Int = -1
        if envs.rows[i] >= 0:
            row = outputs[envs.rows[i]]
            best = best_action(envs.masks[i], row)
            a = choose_action(envs, i, row, best, switches)
            if switches.once == 0:
                keep_decision(envs, i, a, row[best], switches.nets, unfinished)
                if envs.groups[i] >= switches.nets:
                    unfinished.steps[i, lengths[i] - 1].logp = log_share(envs.masks[i], row, a)
        elif switches.once and lengths[i] > 0:  # it has played its game
            continue
        else:
            modes[i] = draw_modes(switches.by_value, len(net_of), choices[i])
        while True:
            if a >= 0:
                apply(s, a)
                totals[MOVES] += 1
            if is_over(s):
                totals[GAMES] += 1
                returns(s, envs.results[i])
                if switches.once:
                    lengths[i] = 1
                    envs.groups[i] = NO_GROUP
                    deal(s, envs.deals[i])
                    break
                game = Decisions(unfinished.steps[i], unfinished.observations[i], unfinished.states[i])
                totals[SAMPLES] = keep_samples(
                    switches, game, lengths[i], envs.results[i], finished, totals[SAMPLES]
                )
                lengths[i] = 0
                deal(s, envs.deals[i])
                modes[i] = draw_modes(switches.by_value, len(net_of), choices[i])
            me = np.int64(player(s))
            mask = legal(s)
            if switches.skip_forced and mask & (mask - 1) == 0:
                a = ctz(mask)
            elif envs.learners[i] >> me & 1:
                envs.seats[i], envs.masks[i] = me, mask
                envs.groups[i] = net_of[me] + (switches.nets if modes[i] >> me & 1 else 0)
                break
            elif envs.by_rule[i]:
                spare[0] = s
                hide(spare[0], me)
                a = rule(spare[0], choices[i])
            else:
                a = random_action(mask, choices[i])


Forward = Callable[[Array, Array, Array], None]
"""forward(inputs, starts, outputs): writes the outputs of net g to rows starts[g] to starts[g + 1] - 1."""


class Lanes:
    """Environments in lockstep, with the samples that their finished games have given."""

    def __init__(
        self, game: Game, inputs: Inputs, net_of: Array, lineup: Lineup, switches: Array, threads: int = 1
    ) -> None:
        """`net_of` is the number of each seat's net; the average policies are numbered after the nets.

        Playouts for baselines are divided among `threads`; their number changes nothing.
        """
        count, which = len(lineup.learners), game.encoder(inputs.encoder, moves=False)
        self.game, self.inputs, self.net_of, self.switches = game, inputs, net_of, switches
        self._which, self.factors = np.int64(which[0]), inputs.factors(game)
        self.totals = np.zeros(3, np.int64)
        self.envs = new_environments(game, lineup, which[1])
        deal_all(self.envs.states, lineup.deals)
        edges = [count * part // threads for part in range(threads + 1)]
        self._parts = list(starmap(slice, pairwise(edges)))
        self._spares = [game.template.copy() for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._starts = np.zeros(2 * int(net_of.max()) + 3, np.int64)
        self._input = aligned((count, inputs.width(game)), np.float32)
        self._output = aligned((count, game.spec.actions), np.float32)
        self._play = Play(switches, net_of, game.template.copy(), self.totals)
        states = np.zeros((0, int(switches["states"][0])), self.envs.states.dtype)
        self._finished = self._other = Decisions(np.zeros(0, STEP), self.envs.observations[:0], states)
        self._unfinished = no_decisions(self._finished, count, 16)
        self._advance()

    @property
    def count(self) -> int:
        """How many samples there are."""
        return int(self.totals[SAMPLES])

    @property
    def samples(self) -> Decisions:
        """The decisions of finished games: those of a game seat by seat, in order."""
        return self._finished.part(slice(self.count))

    @property
    def results(self) -> Array:
        """Each seat's result in the last finished game of each environment."""
        return self.envs.results

    def clear(self) -> None:
        """Removes the samples."""
        self.totals[SAMPLES] = 0

    def take(self) -> Decisions:
        """The samples, which are valid until the next call; the environments continue without them."""
        taken = self.samples
        self._other, self._finished = self._finished, self._other
        self.clear()
        return taken

    def step(self, forward: Forward) -> None:
        """One decision in every environment."""
        collect(self.envs, self.factors, self._input, self._starts)
        if self.switches["baseline"][0] and not self.switches["once"][0]:
            self._play_outs()
        forward(self._input, self._starts, self._output)
        self._advance()

    def _play_outs(self) -> None:
        """The baselines of the decisions that wait, some environments to each thread."""

        def some(part: slice, spare: Array) -> None:
            random_outcomes(Environments(*(array[part] for array in self.envs)), self.switches, spare)

        run = self._pool.map if self._pool else map
        list(run(some, self._parts, self._spares))

    def play_out(self, forward: Forward) -> None:
        """Plays until every environment has finished its one game (switch `once`)."""
        while (self.envs.groups != NO_GROUP).any():
            self.step(forward)

    def _advance(self) -> None:
        self._make_room()
        advance(self.envs, self._output, self._unfinished, self._finished, self._play)
        self._observe()

    def _observe(self) -> None:
        self.game.observe_all(self.envs.states, self.envs.seats, self._which, self.envs.observations)

    def _make_room(self) -> None:
        """Room for one more step in the longest game, and for the samples of all games should they end now."""
        if self.switches["once"][0]:
            return
        lengths, longest = self.envs.lengths, self._unfinished.steps.shape[1]
        if lengths.max() == longest:
            more = no_decisions(self._unfinished, len(lengths), longest)
            self._unfinished = joined(self._unfinished, more, axis=1)
        need, room = self.count + int(lengths.sum()) + len(lengths), len(self._finished.steps)
        if need > room:
            more = no_decisions(self._finished, need + need // 4 - room)
            self._finished = joined(self._finished, more, axis=0)

    STORED = ("states", "modes", "lengths", "seats", "masks", "groups", "deals", "choices")

    def arrays(self) -> dict[str, Array]:
        """All that the games depend on, and samples that nobody has taken yet."""
        envs = {name: getattr(self.envs, name) for name in self.STORED}
        return envs | {
            "totals": self.totals,
            "trail": self._unfinished.observations,
            "steps": self._unfinished.steps,
            "samples": self.samples.steps,
            "observations": self.samples.observations,
            "trail_states": self._unfinished.states,
            "sample_states": self.samples.states,
        }

    def restore(self, arrays: dict[str, Array]) -> None:
        """Continues where `arrays` were taken."""
        for name in self.STORED:
            own = getattr(self.envs, name)
            own[:] = as_records(arrays[name], own)
        self.totals[:] = arrays["totals"]
        steps, states = self._finished.steps, self._finished.states
        self._unfinished = Decisions(
            as_records(arrays["steps"], steps), arrays["trail"], as_records(arrays["trail_states"], states)
        )
        self._finished = Decisions(
            as_records(arrays["samples"], steps),
            arrays["observations"],
            as_records(arrays["sample_states"], states),
        )
        self._observe()


def new_environments(game: Game, lineup: Lineup, encoder: Encoder) -> Environments:
    """Environments whose games are still to be dealt."""
    count = len(lineup.learners)
    modes, lengths, seats, masks = np.zeros((4, count), np.int64)
    return Environments(
        **lineup._asdict(),
        states=np.repeat(game.template, count),
        modes=modes,
        lengths=lengths,
        seats=seats,
        masks=masks,
        groups=np.full(count, NO_GROUP),
        rows=np.full(count, -1),
        baselines=np.zeros(count),
        results=np.zeros((count, game.seats)),
        observations=np.zeros((count, encoder.size), encoder.dtype),
    )


def training_generators(count: int, seed: int) -> tuple[Array, Array]:
    """The generators of each environment: deals, and what is drawn while playing."""
    return streams(count, seed, "deals"), streams(count, seed, "choices")
