"""Checks of the rules as they play: cards, options, deals, results, transcripts, lockstep."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from stich.core import kernels
from stich.core.check.course import Course, differing, pack, quoted
from stich.core.check.finding import Finding
from stich.core.game import Game, State
from stich.core.plain import Plain
from stich.core.rng import numbered, stream, streams
from stich.core.transcript import Report, Transcript, recording_of, replay
from stich.core.vector import VectorGame

LOCKSTEPS = 300
"""Moves that lockstep games and the same games played alone are compared for."""
LISTED = 100_000
"""The most listed deals that are drawn again and counted."""
DRAWS = 200_000
"""How many deals are drawn to count them; at least 5 and at most 40 of each."""


def cards(course: Course) -> Iterator[Finding]:
    """No card is lost or doubled."""
    for walk in course.walks[: 5 * course.effort]:
        dealt = Counter(pack(walk.states[0]))
        for move, state in enumerate(walk.states):
            now = Counter(pack(state))
            if now != dealt:
                lost, more = sorted((dealt - now).elements()), sorted((now - dealt).elements())
                what = [f"lacks {quoted(lost)}"] * bool(lost) + [f"has {quoted(more)} too often"] * bool(more)
                says = f"the pack {' and '.join(what)} since the deal: list every card once, wherever it lies"
                yield walk.found("piles", says, move)
                break


def options(course: Course) -> Iterator[Finding]:
    """The fields of the options keep their values."""
    for walk in course.walks:
        for move, state in enumerate(walk.states):
            for name, code in course.game.codes.items():
                if state.record[name] != code:
                    says = f"the option {name!r} was {code} and is {state.record[name]}: options must stay as they are"
                    yield walk.found("apply" if move else "deal", says, move)
                    return


def deals(course: Course) -> Iterator[Finding]:
    """A deal into a record that held something else is the same deal."""
    game, garbage = course.game, _garbage(course)
    for walk in course.few:
        fresh = game.new(walk.seed)
        with np.errstate(all="ignore"):
            for before in (walk.states[-1].array, garbage):
                # Uncompiled, since an index that comes from garbage is an error there and no crash.
                used = before.copy()
                game.spec.rules.deal(Plain(used[0]), Plain(stream(walk.seed, "deals")[0]))
                if fields := differing(game, fresh.record, used[0]):
                    says = (
                        f"{quoted(fields)} depends on the game before: deal must write every field but the options"
                    )
                    yield walk.found("deal", says, 0)


def _garbage(course: Course) -> Any:
    """A record with nonsense in every byte that any game has changed; the rest stays as it is."""
    array, options = course.game.template.copy(), course.game.codes
    seen = np.concatenate([walk.array for walk in course.walks])
    changed = (seen.view(np.uint8).reshape(len(seen), -1) != array.view(np.uint8)).any(0)
    array.view(np.uint8)[changed] = 0xA5
    for name in options:
        array[name] = course.game.template[name]
    return array


def results(course: Course) -> Iterator[Finding]:
    """Returns are all written, within the bounds, add up, and are the same within a team."""
    game = course.game
    low, high = game.bounds
    total, teams = game.spec.total(game.codes), game.teams or ()
    for walk in course.walks:
        out, move = np.full((1, game.seats), np.nan), len(walk.states) - 1
        kernels.returns_all(walk.states[-1].array, out)
        result = [float(value) for value in out[0]]
        for seat, value in enumerate(result):
            if not low <= value <= high:
                says = f"seat {seat} gets {value:g}; Spec.bounds says {low:g} to {high:g}"
                yield walk.found("returns", says.replace("gets nan", "gets nothing: write all of out"), move)
        if total is not None and abs(sum(result) - total) > 1e-6:
            yield walk.found("returns", f"they add up to {sum(result):g}; Spec.total says {total:g}", move)
        for team in set(teams):
            seats = [seat for seat, one in enumerate(teams) if one == team]
            if len({result[seat] for seat in seats}) > 1:
                got = ", ".join(f"{result[seat]:g}" for seat in seats)
                says = f"seats {', '.join(map(str, seats))} are one team (Spec.teams) and get different returns: {got}"
                yield walk.found("returns", says, move)


def transcripts(course: Course) -> Iterator[Finding]:
    """A game written down as JSON replays to the same bytes."""
    walk, game = course.walks[-1], course.game
    transcript, choice = Transcript(game.new(walk.seed)), np.random.default_rng(walk.seed)
    while not transcript.state.is_over:
        transcript.play(int(choice.choice(transcript.state.action_ids())))
    record, report = json.loads(json.dumps(transcript.record())), Report("memory")
    recording = recording_of(record, lambda name, **options: Game(game.family, game.variant, options))
    end = replay(recording, "move", report)
    if report.first:
        yield Finding("transcript", f"it does not replay: {report.first}", walk.seed)
    elif fields := differing(game, end.record, transcript.state.record):
        says = f"replayed, {quoted(fields)} ends otherwise: Records.start and setup must keep all of a deal"
        yield Finding("transcript", says, walk.seed)


def lockstep(course: Course) -> Iterator[Finding]:
    """A lane's games do not depend on the number of lanes, and equal those played one by one."""
    game, seed = course.game, course.seed
    observe = bool(game.encoders) and not game.encoders[0].moves
    few, many = (VectorGame(game, count, seed, observe=observe) for count in (2, 7))
    deals, single = streams(1, seed, "deals"), State(game, game.template.copy())
    for move in range(LOCKSTEPS):
        if move == 0 or single.is_over:
            kernels.deal_all(single.array, deals)
            single.force(-1)
        fields = differing(game, single.record, few.states[0]) or differing(game, single.record, many.states[0])
        if fields or not np.array_equal(few.observations, many.observations[:2]):
            says = f"games side by side differ from the same played alone in {quoted(fields or ['observations'])}"
            yield Finding("lockstep", f"{says}: does a function keep something outside of the state?", seed, move)
            return
        actions = many.random_actions().copy()
        single.play(int(actions[0]))
        few.step(actions[:2])
        many.step(actions)


def listed_deals(course: Course) -> Iterator[Finding]:
    """Where a game lists its deals, the list is what `deal` draws from."""
    game = course.game
    count = int(kernels.count_deals(game.template)) if game.spec.deals else 0
    if not 0 < count <= LISTED:
        return
    listed = np.repeat(game.template, count)
    kernels.set_deals(listed)
    number = {state.tobytes(): k for k, state in enumerate(listed)}
    if len(number) < count:
        yield Finding("deal_nth", f"deal_count says {count} deals, only {len(number)} of them are different")
        return
    drawn = np.repeat(game.template, count * min(40, max(5, DRAWS // count)))
    kernels.deal_all(drawn, numbered(0, len(drawn), course.seed, "deals"))
    try:
        counts = np.bincount([number[state.tobytes()] for state in drawn], minlength=count)
    except KeyError:
        yield Finding("deal_nth", "`deal` has dealt one that is not among the listed deals")
        return
    if not _even(counts):
        yield Finding("deal_nth", "`deal` does not draw the listed deals equally often")


def _even(counts: Any) -> bool:
    """Whether counts may come from equally likely cases: chi-square, by Wilson and Hilferty's approximation."""
    free = len(counts) - 1
    if free < 1:
        return True
    chi = float(((counts - counts.mean()) ** 2).sum() / counts.mean())
    spread = 2 / (9 * free)
    return bool(((chi / free) ** (1 / 3) - (1 - spread)) / spread**0.5 < 4.5)
