"""The conformance suite: every registered game runs through it, without exceptions."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import stich
from conftest import HERE, TOY
from stich.core import kernels
from stich.core.game import NO_RESULTS, NO_RNGS, Game, State
from stich.core.plain import Plain
from stich.core.rng import stream, streams
from stich.core.sampler import DRAW
from stich.core.transcript import Report, Transcript, read, recording_of, replay
from stich.games import families
from stich.search.equilibrium.tree import all_deals, count_deals

GOLDEN = HERE / "golden"


def walk(game: Game, seed: int, until: int | None = None) -> list[State]:
    """The states of a random game, the last one over (or after `until` moves)."""
    state = game.new(seed)
    states, rngs, action = [state.copy()], stream(seed, "walk"), np.zeros(1, np.int64)
    while not state.is_over and (until is None or len(states) <= until):
        kernels.random_all(state.array, rngs, action)
        state.play(int(action[0]))
        states.append(state.copy())
    return states


def sampled(states: list[State], count: int, seed: int) -> list[State]:
    """Some of the states before the end."""
    chosen = np.random.default_rng(seed).choice(len(states) - 1, min(count, len(states) - 1), replace=False)
    return [states[i] for i in sorted(chosen)]


def every_card(state: State) -> list[str]:
    return sorted(card for pile in state.piles().values() for card in pile)


def test_cards_are_conserved_and_moves_exist(game: Game) -> None:
    for seed in range(5):
        states = walk(game, seed)
        pack = every_card(states[0])
        for state in states:
            assert every_card(state) == pack
        for state in states[:-1]:
            assert 0 < state.mask < 1 << game.spec.actions
            assert 0 <= state.player < game.seats
        assert states[-1].is_over
        assert states[-1].mask == 0


def test_options_stay_as_they_are(game: Game) -> None:
    for state in walk(game, 3):
        for name, code in game.codes.items():
            assert state.record[name] == code


def test_hidden_cards_leave_no_trace_in_a_view(game: Game) -> None:
    """Other hidden cards give the same view, key, observation and moves, now and as the game goes on."""
    for seed in range(3):
        for state in sampled(walk(game, seed), 12, seed):
            for me in range(game.seats):
                view = state.view(me)
                other = State(game, view.sampler().draw(stream(seed, "world"), 1))
                assert other.view(me).array.tobytes() == view.array.tobytes()
                same(state, view, me)
                same(state, other, me)


def same(one: State, other: State, me: int) -> None:
    """What a seat can tell of two states is the same."""
    assert one.player == other.player
    assert one.is_over == other.is_over
    assert one.key(me) == other.key(me)
    if one.player == me:
        assert one.mask == other.mask
    for encoder in one.game.encoders:
        assert np.array_equal(one.observation(me, encoder.name), other.observation(me, encoder.name))


def test_different_views_have_different_keys(game: Game) -> None:
    """A key tells apart all that a view tells apart, in many games that begin alike and soon differ a little."""
    states, rngs = np.repeat(game.template, 4000), streams(4000, 7, "walk")
    kernels.deal_all(states, streams(4000, 7, "deals"))
    players, masks, over = (np.zeros(4000, kind) for kind in (np.int64, np.int64, np.bool_))
    actions, keys = np.full(4000, -1), np.zeros(4000, np.int64)
    seen: dict[int, bytes] = {}
    for step in range(12):
        kernels.advance_all(states, actions, NO_RNGS, NO_RESULTS, kernels.Turns(players, masks, over))
        states, rngs, players, masks, over, actions, keys = (
            array[~over].copy() for array in (states, rngs, players, masks, over, actions, keys)
        )
        me = np.full(len(states), step % game.seats)
        views = states.copy()
        kernels.hide_all(views, me)
        kernels.key_all(views, me, keys)
        for code, view in zip(keys.tolist(), views, strict=True):
            assert seen.setdefault(code * 8 + step % game.seats, view.tobytes()) == view.tobytes()
        kernels.random_all(states, rngs, actions)
    assert len(seen) > 1


def test_views_of_two_worlds_stay_the_same_while_both_go_on(game: Game) -> None:
    """Playing the same moves in two worlds that a seat cannot tell apart keeps its views equal.

    Until the cards that it sees differ: then chance has told it something.
    """
    compared = 0
    for seed in range(6):
        states = walk(game, seed)
        me = seed % game.seats
        begin = int(np.random.default_rng(seed).integers(0, len(states) - 1))
        world = State(game, states[begin].view(me).sampler().draw(stream(seed, "world"), 1))
        one = states[begin].copy()
        while not one.is_over and one.mask & world.mask:
            shared = one.mask & world.mask
            action = (shared & -shared).bit_length() - 1
            one.play(action)
            world.play(action)
            if one.view(me).piles() != world.view(me).piles():
                break
            assert one.view(me).array.tobytes() == world.view(me).array.tobytes()
            compared += 1
    assert compared > 0


def test_secret_choices_tell_others_nothing(game: Game) -> None:
    """Whatever a seat chooses in secret, the others' views are the same; what is not secret may be shown to all."""
    for seed in range(8):
        for state in walk(game, seed)[:-1]:
            if state.is_secret:
                for me in set(range(game.seats)) - {state.player}:
                    after = {state.copy().play(a).view(me).array.tobytes() for a in state.action_ids()}
                    assert len(after) == 1


def test_the_truth_is_always_possible(game: Game) -> None:
    """The plan that a seat's knowledge allows includes where the hidden cards really are."""
    for seed in range(3):
        for state in sampled(walk(game, seed), 12, seed):
            for me in range(game.seats):
                view = state.view(me)
                sampler = view.sampler()
                truth = place_of(state)
                plan = sampler.plan[0]
                piles = pile_of_place(game, view, sampler)
                for row in range(plan["cards"]):
                    name = card_name(state, int(plan["card"][row]))
                    places = [k for k in range(plan["places"]) if plan["weight"][row, k] > 0]
                    allowed = set().union(*(piles.get(k, set()) for k in places))
                    assert truth.get(name, NOWHERE) & allowed, (name, truth.get(name), allowed)


NOWHERE = {"nowhere"}
"""Where cards are that no pile shows."""


def card_name(state: State, card: int) -> str:
    """The name of a card; the same as that of the action that plays it, unless a game says otherwise."""
    named = state.game.spec.text.card_name
    return str(named(card)) if named else state.action_name(card)


def place_of(state: State) -> dict[str, set[str]]:
    """The piles that hold a card of each name; a game of two packs may have several."""
    places: dict[str, set[str]] = {}
    for pile, cards in state.piles().items():
        for card in cards:
            places.setdefault(card, set()).add(pile)
    return places


def pile_of_place(game: Game, view: State, sampler: Any) -> dict[int, set[str]]:
    """Which pile each place of a plan stands for, found by filling a view with draws."""
    piles: dict[int, set[str]] = {}
    rngs, draws = stream(1, "piles"), np.zeros(1, DRAW)
    for _ in range(40):
        array = view.array.copy()
        kernels.plan_draw(array, sampler.me, sampler.plan, sampler.table, rngs, draws)
        world = State(game, array)
        where = place_of(world)
        for card, place in zip(draws["card"][0], draws["place"][0][: draws["cards"][0]], strict=False):
            found = where.get(card_name(world, int(card)), NOWHERE)
            piles[int(place)] = piles.get(int(place), found) & found
    return piles


def test_transcripts_replay_to_the_same_bytes(game: Game) -> None:
    transcript = Transcript(game.new(11))
    rngs, action = stream(11, "walk"), np.zeros(1, np.int64)
    while not transcript.state.is_over:
        kernels.random_all(transcript.state.array, rngs, action)
        transcript.play(int(action[0]))
    record = json.loads(json.dumps(transcript.record()))
    report = Report("memory")
    end = replay(
        recording_of(record, lambda name, **options: Game(game.family, game.variant, options)), "1", report
    )
    assert (report.mismatches, report.decisions) == (0, len(record["steps"])), report.first
    assert end.array.tobytes() == transcript.state.array.tobytes()


def test_returns_add_up_and_stay_in_bounds(game: Game) -> None:
    low, high = game.bounds
    total = game.spec.total(game.codes)
    for seed in range(10):
        result = walk(game, seed)[-1].returns()
        assert all(low <= value <= high for value in result)
        if total is not None:
            assert sum(result) == pytest.approx(total)
        for team in set(game.teams or ()):
            members = [value for value, of in zip(result, game.teams or (), strict=True) if of == team]
            assert len(set(members)) == 1


def test_compiled_and_uncompiled_functions_agree(game: Game) -> None:
    rules = game.spec.rules
    with np.errstate(over="ignore"):
        for seed in range(2):
            array, plain = game.template.copy(), game.template.copy()
            rngs, plain_rngs = stream(seed, "deals"), stream(seed, "deals")
            kernels.deal_all(array, rngs)
            rules.deal(Plain(plain[0]), Plain(plain_rngs[0]))
            assert array.tobytes() == plain.tobytes()
            assert rngs.tobytes() == plain_rngs.tobytes()
            state, s = State(game, array), Plain(plain[0])
            walk_rngs, action = stream(seed, "walk"), np.zeros(1, np.int64)
            for step in range(90):
                agree(game, state, plain, s, step)
                if state.is_over:
                    break
                kernels.random_all(state.array, walk_rngs, action)
                state.play(int(action[0]))
                rules.apply(s, int(action[0]))
                assert state.array.tobytes() == plain.tobytes()


def agree(game: Game, state: State, plain: Any, s: Plain, step: int) -> None:
    """All that a state answers is the same compiled and as plain Python."""
    rules = game.spec.rules
    assert bool(rules.is_over(s)) == state.is_over
    assert int(rules.player(s)) == state.player
    if state.is_over:
        out = np.zeros(game.seats)
        rules.returns(s, out)
        assert out.tolist() == state.returns()
        return
    assert int(rules.legal(s)) == state.mask
    if step % 7:
        return
    for me in range(game.seats):
        hidden = plain.copy()
        rules.hide(Plain(hidden[0]), me)
        assert hidden.tobytes() == state.view(me).array.tobytes()
        assert int(rules.key(s, me)) == state.key(me)
        for which, encoder in enumerate(game.encoders):
            out = np.zeros(encoder.size, encoder.dtype)
            rules.observe(s, me, which, out)
            assert np.array_equal(encoder.scaled(out).reshape(encoder.shape), state.observation(me, encoder.name))
        view = state.view(me)
        worlds, draws = view.array.copy(), np.zeros(1, DRAW)
        sampler = view.sampler()
        kernels.plan_draw(worlds, sampler.me, sampler.plan, sampler.table, stream(step, "fill"), draws)
        rules.fill(Plain(hidden[0]), me, Plain(draws[0]))
        assert hidden.tobytes() == worlds.tobytes()
        plan = sampler.plan.copy()
        rules.owners(Plain(view.array.copy()[0]), me, Plain(plan[0]))
        assert (plan["cards"] == sampler.plan["cards"]).all()
        assert (plan["size"] == sampler.plan["size"]).all()
        assert ((plan["weight"] > 0) == (sampler.plan["weight"] > 0)).all()
    if game.spec.has_rule:
        view_of_player = state.view(state.player)
        actions = np.zeros(1, np.int64)
        kernels.rule_all(view_of_player.array, stream(step, "rule"), actions)
        assert state.mask >> int(actions[0]) & 1
        rng = stream(step, "rule")
        assert int(game.spec.bots.rule(Plain(view_of_player.array[0]), Plain(rng[0]))) == actions[0]


def test_lockstep_games_are_the_same_games(game: Game) -> None:
    """A lane's games do not depend on the number of lanes, and equal those played one by one."""
    encoder = game.encoders[0].name
    few, many = stich.VectorGame(game, 2, 5, encoder), stich.VectorGame(game, 7, 5, encoder)
    single = State(game, game.template.copy())
    deals = streams(1, 5, "deals")
    kernels.deal_all(single.array, deals)
    single.force(-1)
    for _ in range(300):
        assert single.mask == few.masks[0] == many.masks[0]
        assert np.array_equal(few.observations, many.observations[:2])
        seen = game.encoders[0].scaled(few.observations[0]).reshape(game.encoders[0].shape)
        assert np.array_equal(seen, single.observation(encoder=encoder))
        actions = many.random_actions().copy()
        single.play(int(actions[0]))
        few.step(actions[:2])
        many.step(actions)
        assert few.done[0] == single.is_over
        if single.is_over:
            assert few.results[0].tolist() == single.returns()
            kernels.deal_all(single.array, deals)
            single.force(-1)


def test_listed_deals_are_distinct_and_equally_likely(game: Game) -> None:
    """Where a game lists its deals, the list is what `deal` draws from."""
    if game.spec.deals is None:
        pytest.skip("the game does not list its deals")
    if not 0 < count_deals(game.template) <= 100_000:
        pytest.skip("no deals are listed with these options, or too many to draw them all")
    listed = all_deals(game)
    number = {state.tobytes(): i for i, state in enumerate(listed)}
    assert len(number) == len(listed)
    for k in range(min(len(listed), 50)):
        plain = game.template.copy()
        game.spec.deals.deal_nth(Plain(plain[0]), k)
        assert number[plain[0].tobytes()] == k
    drawn = np.repeat(game.template, 40 * len(listed))
    kernels.deal_all(drawn, streams(len(drawn), 5, "deals"))
    counts = np.bincount([number[state.tobytes()] for state in drawn], minlength=len(listed))
    assert chisquare(counts).pvalue > 1e-4


def test_every_game_has_a_golden_playthrough_that_replays() -> None:
    for family in families():
        path = GOLDEN / f"{family.name}.jsonl"
        assert path.exists(), f"write it: python tests/golden/write.py {family.name}"
        variants, report = set(), Report(path.name)
        for number, record in read(path):
            variants.add(record["game"])
            replay(recording_of(record, stich.make), f"line {number}", report)
        assert report.mismatches == 0, report.first
        assert variants == {variant.name for variant in family.spec.variants}


def test_behaviour_signatures_are_the_known_ones() -> None:
    """A change of behaviour must be meant: then write the signatures again and say so in the changelog."""
    known = json.loads((GOLDEN / "signatures.json").read_text())
    assert {name: stich.make(name).signature() for name in stich.names()} == known


def test_the_stranger_needs_under_80_lines() -> None:
    assert len(Path(TOY).read_text().splitlines()) < 80
