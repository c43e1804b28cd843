"""Checks of what seats know: views, keys, drawn worlds, secrets."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from stich.core import kernels
from stich.core.check.course import Course, Look, differing, pack, quoted
from stich.core.check.finding import Finding
from stich.core.game import NO_RESULTS, NO_RNGS, Game, State
from stich.core.rng import stream, streams
from stich.core.sampler import DRAW

LANES, DEPTH = 4000, 12
"""Games whose first moves are searched for views with equal keys."""
PAIRS = 6
"""Pairs of worlds that are played on side by side."""
DRAWS = 40
"""Placements drawn at most to learn which pile a place stands for."""
NOWHERE = {"nowhere"}
"""Where cards are that no pile shows."""


def worlds_exist(course: Course) -> Iterator[Finding]:
    """A world can be drawn for every view, at the end too: the terminal and the page ask for the sizes of piles."""
    yield from course.refused


def views(course: Course) -> Iterator[Finding]:
    """Other hidden cards give the same view, and a view shows nothing that is not so."""
    for look in course.looks:
        yield from _same_view(course.game, look)
        yield from _public(look)
        true, seen = look.state.piles(), look.view.piles()
        for pile, cards in seen.items():
            if wrong := sorted((Counter(cards) - Counter(true.get(pile, []))).elements()):
                says = (
                    f"the view of seat {look.me} shows {quoted(wrong)} in pile {pile!r}, which does not lie there"
                )
                yield look.found("hide", says)


def _same_view(game: Game, look: Look) -> Iterator[Finding]:
    again = look.view.view(look.me)
    if fields := differing(game, again.record, look.view.record):
        yield look.found("hide", f"hiding the view of seat {look.me} once more changes {quoted(fields)}")
        return
    other = look.world.view(look.me)
    if fields := differing(game, other.record, look.view.record):
        says = f"seat {look.me} sees another {quoted(fields)} in a drawn world that it cannot tell from the truth"
        yield look.found("hide", f"{says}: hide must erase it, or fill must leave it")


def _public(look: Look) -> Iterator[Finding]:
    """`player` and `is_over` follow from what everybody knows, `legal` from what the seat to act knows."""
    true = {"player": look.state.player, "is_over": look.state.is_over, "legal": look.state.mask}
    for seen, what in ((look.view, "the view"), (look.world, "a drawn world")):
        shown = {"player": seen.player, "is_over": seen.is_over, "legal": seen.mask}
        for rule in ("player", "is_over", *["legal"] * (look.state.player == look.me)):
            if true[rule] != shown[rule]:
                known = "the seat to act knows" if rule == "legal" else "everybody knows"
                says = f"{true[rule]} in the full state, {shown[rule]} in {what} of seat {look.me}"
                yield look.found(rule, f"{says}: it must follow from what {known}")
                return


def keys(course: Course) -> Iterator[Finding]:
    """A key is the same for all states that a seat cannot tell apart."""
    out = np.zeros((3, len(course.looks)), np.int64)
    for row, what in enumerate(("state", "view", "world")):
        kernels.key_all(course.stacked(what), course.seats, out[row])
    for i in np.flatnonzero((out[0] != out[1]) | (out[0] != out[2])):
        look = course.looks[i]
        what = "its own view" if out[0, i] != out[1, i] else "a drawn world that it cannot tell from the truth"
        says = f"seat {look.me} has another key in {what}: mix only what hide leaves, and hide only what it cannot know"
        yield look.found("key", says)


def different_keys(course: Course) -> Iterator[Finding]:
    """A key tells apart all that a view tells apart, in many games that begin alike and soon differ a little."""
    game, count = course.game, LANES * course.effort
    states, rngs = np.repeat(game.template, count), streams(count, course.seed, "walk")
    kernels.deal_all(states, streams(count, course.seed, "deals"))
    seen: dict[int, Any] = {}
    for step in range(DEPTH):
        states, rngs = _going_on(states, rngs, -1 if step == 0 else None)
        me = np.full(len(states), step % game.seats)
        views, codes = states.copy(), np.zeros(len(states), np.int64)
        kernels.hide_all(views, me)
        kernels.key_all(views, me, codes)
        for code, view in zip(codes.tolist(), views, strict=True):
            first = seen.setdefault(code * 8 + step % game.seats, view)
            if first.tobytes() != view.tobytes():
                fields = quoted(differing(game, first, view))
                says = f"two views of seat {step % game.seats} that differ in {fields} have the same key"
                yield Finding("key", f"{says}: mix in all that the seat knows", None, step)
                return


def _going_on(states: Any, rngs: Any, action: int | None) -> tuple[Any, Any]:
    """The games that are not over after a random move each (or none)."""
    actions, turns = np.full(len(states), -1), kernels.new_turns(len(states))
    if action is None:
        kernels.random_all(states, rngs, actions)
    kernels.advance_all(states, actions, NO_RNGS, NO_RESULTS, turns)
    return states[~turns.over].copy(), rngs[~turns.over].copy()


def equal_views_stay_equal(course: Course) -> Iterator[Finding]:
    """The same moves in two worlds that a seat cannot tell apart keep its views equal.

    Until the cards that it sees differ: then chance has told it something.
    """
    game = course.game
    for number, walk in enumerate(course.walks[: PAIRS * course.effort]):
        me, begin = number % game.seats, walk.some(1)[0]
        one = walk.states[begin].copy()
        world = State(game, one.view(me).sampler().draw(stream(walk.seed, "world"), 1))
        for move in range(begin + 1, len(walk.states) + 1000):
            shared = one.mask & world.mask
            if one.is_over or not shared:
                break
            action = (shared & -shared).bit_length() - 1
            one.force(action)
            world.force(action)
            seen, other = one.view(me), world.view(me)
            if seen.piles() != other.piles():
                break
            if fields := differing(game, seen.record, other.record):
                says = f"played on alike, two worlds that seat {me} cannot tell apart show it another {quoted(fields)}"
                yield walk.found("hide", f"{says}, though it sees the same cards", move)
                break


def secrets(course: Course) -> Iterator[Finding]:
    """Whatever a seat chooses in secret, the others' views are the same."""
    if course.game.spec.rules.secret is None:
        return
    for walk in course.walks[: 8 * course.effort]:
        for move, state in enumerate(walk.states[:-1]):
            if not state.is_secret:
                continue
            for me in set(range(course.game.seats)) - {state.player}:
                after = [state.copy().force(action).view(me).record for action in state.action_ids()]
                if fields := [name for one in after[1:] for name in differing(course.game, after[0], one)]:
                    says = (
                        f"seat {me} sees by {quoted(sorted(set(fields)))} what seat {state.player} does in secret"
                    )
                    yield walk.found("secret", f"{says}: hide must erase it, or the choice is not secret", move)


def sizes(course: Course) -> Iterator[Finding]:
    """Drawn worlds have each card once, and as many cards in each pile as there really are; at the end too."""
    for look in [*course.looks, *course.ends]:
        true, drawn = look.state.piles(), look.world.piles()
        for pile in true:
            real, given = len(true[pile]), len(drawn.get(pile, []))
            if real != given:
                yield look.found("owners", f"{_holds(pile, real)}, drawn worlds give it {given}")
                break
        else:
            dealt, cards = Counter(pack(look.state)), Counter(pack(look.world))
            if double := sorted(card for card, count in cards.items() if count > max(1, dealt[card])):
                yield look.found("fill", f"worlds drawn for seat {look.me} have {quoted(double)} more than once")


def _holds(pile: str, count: int) -> str:
    cards = f"{count} card{'s' * (count != 1)}"
    return f"seat {pile[5:]} holds {cards}" if pile.startswith("hand ") else f"pile {pile!r} has {cards}"


def truth(course: Course) -> Iterator[Finding]:
    """The plan that a seat's knowledge allows includes where the hidden cards really are."""
    for look in course.looks:
        where, piles, plan = _place_of(look.state), _pile_of_place(look), look.sampler.plan[0]
        for row in range(plan["cards"]):
            name = _card_name(look.state, int(plan["card"][row]))
            places = [k for k in range(plan["places"]) if plan["weight"][row, k] > 0]
            allowed = set().union(*(piles.get(k, set()) for k in places))
            real = where.get(name, NOWHERE)
            if not real & allowed:
                says = f"{name} lies in {quoted(sorted(real))}, but worlds of seat {look.me} allow it in "
                says += f"{quoted(sorted(allowed)) or 'no place'} alone"
                yield look.found("owners", f"{says}: its weight must not be 0 where it may lie")
                break


def _card_name(state: State, card: int) -> str:
    """The name of a card; the same as that of the action that plays it, unless a game says otherwise."""
    named = state.game.spec.text.card_name
    return str(named(card)) if named else state.action_name(card)


def _place_of(state: State) -> dict[str, set[str]]:
    """The piles that hold a card of each name; a game of two packs may have several."""
    places: dict[str, set[str]] = {}
    for pile, cards in state.piles().items():
        for card in cards:
            places.setdefault(card, set()).add(pile)
    return places


def _pile_of_place(look: Look) -> dict[int, set[str]]:
    """Which pile each place of a plan stands for, found by filling a view with draws until all are known."""
    piles: dict[int, set[str]] = {}
    sampler, rngs, draws = look.sampler, stream(1, "piles"), np.zeros(1, DRAW)
    places = set(np.flatnonzero(sampler.plan["size"][0, : sampler.plan["places"][0]]).tolist())
    for _ in range(DRAWS):
        array = look.view.array.copy()
        kernels.plan_draw(array, sampler.me, sampler.plan, sampler.table, rngs, draws)
        world = State(look.state.game, array)
        where = _place_of(world)
        for card, place in zip(draws["card"][0], draws["place"][0][: draws["cards"][0]], strict=False):
            found = where.get(_card_name(world, int(card)), NOWHERE)
            piles[int(place)] = piles.get(int(place), found) & found
        if places == piles.keys() and all(len(found) <= 1 for found in piles.values()):
            break
    return piles
