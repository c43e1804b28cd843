"""What players believe of the other hand: the formulas of document 001, 7.4.1, and exact beliefs by brute force."""

from itertools import combinations, permutations

import numpy as np
import pytest
from test_schnapsen import play, table

import stich
from stich.core import kernels
from stich.core.bits import ctz, popcount, set_bits
from stich.core.contract import legal
from stich.core.errors import StichError
from stich.core.game import MoveInputs
from stich.core.rng import RNG
from stich.games.schnapsen.belief import Beliefs, ExactBelief, Room, batched, likelihoods, list_hands
from stich.games.schnapsen.cards import CARDS, HAND, PACK
from stich.games.schnapsen.features import CARD_OF
from stich.games.schnapsen.state import CLOSE, EXCHANGE, MARRIAGE


def _tilted(view, a):
    """Some policy that depends on the hand: unequal chances for the legal actions."""
    hand, mask = view.hands[view.turn], legal(view)
    total, mine = 0.0, 0.0
    while mask:
        action = ctz(mask)
        mask &= mask - 1
        weight = 1.0 + (hand % 61 * 7 + action * 5 + view.said) % 11
        total += weight
        if action == a:
            mine = weight
    return mine / total


def _mostly_lowest(view, a):
    """The lowest legal card with 4 of 5 chances, where there are two."""
    mask = legal(view)
    if popcount(mask) == 1:
        return 1.0
    return 0.8 if a == ctz(mask) else 0.2 / (popcount(mask) - 1)


def _always_lowest(view, a):
    return 1.0 if a == ctz(legal(view)) else 0.0


TILTED, MOSTLY_LOWEST, ALWAYS_LOWEST = batched(_tilted), batched(_mostly_lowest), batched(_always_lowest)


def follow(state, action, *beliefs):
    """Plays an action under the eyes of some beliefs."""
    action = state.action_id(action)
    for belief in beliefs:
        belief.watch(state.array, np.array([action]) if isinstance(belief, Beliefs) else action)
    state.play(action)
    for belief in beliefs:
        if not state.is_over:
            belief.settle(state.array)


def by_name(values):
    return {CARDS[card]: pytest.approx(values[card]) for card in np.flatnonzero(values)}


def chosen_by(policy, state, rng):
    """An action drawn from the policy."""
    ids = np.array(state.action_ids())
    views = np.repeat(state.view(state.player).array, len(ids))
    chances = policy(views, ids)
    return int(rng.choice(ids, p=chances / chances.sum()))


def test_7_4_1_at_the_start_every_unseen_card_has_5_of_14():
    state = stich.make("schnapsen.deal").new(4)
    beliefs = Beliefs(state.array, TILTED)
    for me in range(2):
        seen = int(state.record["hands"][me]) | 1 << int(state.record["face"])
        expected = [0 if seen >> card & 1 else 5 / 14 for card in range(20)]
        assert beliefs.values[0, me] == pytest.approx(expected)
        assert ExactBelief(state.array, me, TILTED).marginals == pytest.approx(expected)


def test_7_4_1_a_first_lead_has_715_possible_hands():
    state = table("AS TS KS QS JH", "AH TH KH QH JD", trump="AD", forehand=1)
    starts, hands = np.zeros(2, np.int64), np.zeros(2002, np.int64)
    beliefs = Beliefs(state.array, TILTED).values[:, 0]
    plan = np.array([[CARDS.index("QH"), -1, -1]])
    count = list_hands(state.array, np.array([0]), plan, beliefs, starts, hands)
    assert count == starts[1] == 715
    assert len(set(hands[:count])) == 715
    assert all(int(hand).bit_count() == 5 and hand >> CARDS.index("QH") & 1 for hand in hands[:count])


def test_7_4_1_worked_by_hand():
    """Micro: six cards unseen, the other holds two of them, plays 4 of 5 times its lowest card."""
    deal = {"hands": [["KH", "TH"], ["KS", "TS"]], "stock": ["QH", "JH", "JS", "QS"], "forehand": 1}
    state = stich.make("schnapsen.micro").setup(deal)
    beliefs = Beliefs(state.array, MOSTLY_LOWEST)
    assert by_name(beliefs.values[0, 0]) == pytest.approx(
        dict.fromkeys(["JS", "QS", "KS", "TS", "JH", "QH"], 1 / 3)
    )
    # The king is led: beside JS or QS with 1/5, beside TS, JH or QH with 4/5 (cards are ordered S before H).
    follow(state, "KS", beliefs)
    after = {"JS": 1 / 14, "QS": 1 / 14, "TS": 4 / 14, "JH": 4 / 14, "QH": 4 / 14}
    assert by_name(beliefs.values[0, 0]) == pytest.approx(after)
    # Hearts against spades as trumps: the king wins, so the other draws QH and we draw JH. JH becomes 0; of the others
    # 2 - 10/14 are missing and 13/14 twice and 10/14 twice to be had: each gets 18/46 of what it lacks.
    follow(state, "KH", beliefs)
    drawn = {"JS": 10 / 23, "QS": 10 / 23, "TS": 13 / 23, "QH": 13 / 23}
    assert by_name(beliefs.values[0, 0]) == pytest.approx(drawn)


def test_7_4_1_the_formula_after_drawing():
    state = table("AS TS KS QS JH", "AH TH KH QH JD", stock="JS JC QC", trump="AD", forehand=1)
    beliefs = Beliefs(state.array, MOSTLY_LOWEST)
    follow(state, "QH", beliefs)
    old = beliefs.values[0, 0].copy()
    assert old.sum() == pytest.approx(4)
    follow(state, "JH", beliefs)  # the other wins and draws first; we draw JC
    old[CARDS.index("JC")] = 0
    hidden = [c for c in range(20) if old[c] > 0]
    expected = old.copy()
    for card in hidden:
        expected[card] = old[card] + (1 - old[card]) * (5 - old.sum()) / sum(1 - old[c] for c in hidden)
    assert beliefs.values[0, 0] == pytest.approx(expected)
    assert beliefs.values[0, 0].sum() == pytest.approx(5)


def literal(begin, steps, me, old, policy):
    """The update after a turn as the document writes it, hand by hand; `begin` is the state before the turn."""
    record, other = begin.record, 1 - me
    face, jack = int(record["face"]), 5 * int(record["trump"])
    seen = set(set_bits(int(record["hands"][me] | record["played"]))) | {face}
    possible = set(range(20)) - seen
    likelihood = np.zeros(20)
    for hand in combinations(sorted(possible), int(record["size"][other])):
        weight, cards = float(np.prod(old[list(hand)])), set(hand)
        world = begin.copy()
        world.record["hands"][other] = sum(1 << card for card in hand)
        for step in steps:
            view = world.view(other)
            weight *= policy(view.array, np.array([step]))[0] if view.mask >> step & 1 else 0
            if weight == 0:
                break
            cards = cards - {jack} | {face} if step == EXCHANGE else cards - {int(CARD_OF[step])}
            world.play(step)
        likelihood[list(cards)] += weight
    played = int(CARD_OF[steps[-1]])
    # Queen and king of a suit are ranks 1 and 2.
    partner = {played // 5 * 5 + 3 - played % 5} if steps[-1] >= MARRIAGE else set()
    exchanged = EXCHANGE in steps
    known = (set(set_bits(int(record["shown"][other]))) | partner | ({face} if exchanged else set())) - {played}
    pot = sorted(possible - known - {played} - ({jack} if exchanged else set()))
    new = np.zeros(20)
    new[list(known)] = 1
    if pot and likelihood[pot].sum():
        new[pot] = (int(record["size"][other]) - 1 - len(known)) * likelihood[pot] / likelihood[pot].sum()
    return new


@pytest.mark.parametrize(("seed", "turn"), [(1, ""), (5, ""), (6, "exchange, close")])
def test_7_4_1_the_updates_are_the_documents(seed, turn):
    """Play with exchanges, closing and marriages; after each turn the literal formulas give the same."""
    state = (
        table("JD KS QS AS JH", "AH TH KC QH JC", trump="AD") if turn else stich.make("schnapsen.deal").new(seed)
    )
    beliefs, rng = Beliefs(state.array, TILTED), np.random.default_rng(seed)
    wanted = [name for name in turn.split(", ") if name]
    begin, steps, turns, old = state.copy(), [], 0, beliefs.values[0].copy()
    while not state.is_over:
        action = state.action_id(wanted.pop(0)) if wanted else chosen_by(TILTED, state, rng)
        steps.append(action)
        beliefs.watch(state.array, np.array([action]))
        if action < EXCHANGE:
            me = 1 - begin.player
            expected = literal(begin, steps, me, old[me], TILTED)
            assert beliefs.values[0, me] == pytest.approx(expected, abs=1e-12)
            turns += 1
        state.play(action)
        beliefs.settle(state.array)
        if action < EXCHANGE:
            begin, steps, old = state.copy(), [], beliefs.values[0].copy()
    assert turns > 4


def all_deals(state, me, actions):
    """Every deal that agrees with what a seat knows at the start."""
    record, pack = state.record, int(state.record["pack"])
    rest = set_bits(int(PACK[pack] & ~record["hands"][me]))
    size = int(HAND[pack])
    deals = [
        (sum(1 << card for card in hand), stock)
        for hand in combinations(rest, size)
        for stock in permutations(sorted(set(rest) - set(hand)))
        if stock[-1] // 5 == record["trump"]
    ]
    worlds = np.repeat(state.array, len(deals))
    worlds["hands"][:, 1 - me] = worlds["memory"][:, 1 - me] = [hand for hand, _ in deals]
    worlds["stock"][:, : len(deals[0][1])] = [stock for _, stock in deals]
    return worlds


def advance(worlds, action):
    turns = kernels.new_turns(len(worlds))
    kernels.advance_all(worlds, np.full(len(worlds), action), np.zeros(0, RNG), np.zeros((0, 0)), turns)
    return turns.masks


def deals_of_two_draws(state, me, actions):
    """The deals of the whole game that differ in what the other holds and draws in two tricks of these actions."""
    mine, one = [], state.copy()
    for action in actions:
        before = int(one.record["hands"][me])
        one.play(action)
        mine += set_bits(int(one.record["hands"][me]) & ~before) if action < EXCHANGE else []
    stock, own = state.record["stock"].tolist(), set_bits(int(state.record["hands"][me]))
    rest = set(range(20)) - set(own) - set(mine) - {stock[9]}
    deals = []
    for hand in combinations(sorted(rest), 5):
        for drawn in permutations(sorted(rest - set(hand)), 2):
            theirs = iter(drawn)
            top = [card if card in mine else next(theirs) for card in stock[:4]]
            deals.append(
                (sum(1 << card for card in hand), top + sorted(rest - set(hand) - set(drawn)) + stock[9:])
            )
    worlds = np.repeat(state.array, len(deals))
    worlds["hands"][:, 1 - me] = [hand for hand, _ in deals]
    worlds["stock"] = [order for _, order in deals]
    return worlds


def actions_by(policy, state, seed, plays, first=()):
    """The actions of a game that follows a policy, until so many cards are played."""
    one, rng, actions = state.copy(), np.random.default_rng(seed), []
    while sum(action < EXCHANGE for action in actions) < plays and not one.is_over:
        wanted = first[len(actions)] if len(actions) < len(first) else chosen_by(policy, one, rng)
        actions.append(one.action_id(wanted))
        one.play(actions[-1])
    return actions


def added_up(hands, weights):
    """The probability of each hand."""
    found = {}
    for hand, weight in zip(hands.tolist(), weights, strict=True):
        found[hand] = found.get(hand, 0) + weight
    return found


def brute_force(state, actions, policy, deals, begin=1):
    """Compares the exact belief of each seat, from play `begin` on, to all deals weighed by the policy's chances."""
    for me in range(2):
        one = state.copy()
        exact = ExactBelief(one.array, me, policy)
        worlds = deals(one, me, actions)
        weights = np.ones(len(worlds))
        for i, action in enumerate(actions):
            if one.player != me:
                masks = advance(worlds, -1)
                worlds, weights = worlds[masks >> action & 1 == 1], weights[masks >> action & 1 == 1]
                views = worlds.copy()
                kernels.hide_all(views, np.full(len(views), 1 - me))
                weights = weights * policy(views, np.full(len(views), action))
            follow(one, action, exact)
            if one.is_over:
                break
            advance(worlds, action)
            views = worlds.copy()
            kernels.hide_all(views, np.full(len(views), me))
            same = views == one.view(me).array
            worlds, weights = worlds[same], weights[same]
            if action >= EXCHANGE or sum(a < EXCHANGE for a in actions[: i + 1]) < begin:
                continue
            expected = added_up(worlds["hands"][:, 1 - me], weights / weights.sum())
            found = added_up(exact.hands, exact.weights)
            assert found == pytest.approx(expected)
            assert int(one.record["hands"][1 - me]) in found


@pytest.mark.parametrize(("variant", "seed"), [("micro", seed) for seed in range(12)] + [("mini", 0), ("mini", 1)])
def test_exact_beliefs_of_small_versions_by_brute_force(variant, seed):
    state = stich.make(f"schnapsen.{variant}").new(seed)
    brute_force(state, actions_by(TILTED, state, seed, 12), TILTED, all_deals)


@pytest.mark.parametrize(("seed", "first"), [(0, []), (1, []), (2, ["exchange", "KC", "KH"])])
def test_exact_beliefs_of_the_whole_game_by_brute_force(seed, first):
    """Two tricks with the draws after them, and the lead of the third."""
    if first:
        state = table("JD AS TS KC JH", "KH QH TH KS QS", trump="AD", close_from=0)
    else:
        state = stich.make("schnapsen.deal", close_from=0).new(seed)
    brute_force(state, actions_by(TILTED, state, seed, 5, first), TILTED, deals_of_two_draws, 4)


@pytest.mark.parametrize("seed", range(3))
def test_exact_beliefs_of_the_whole_game_are_possible_and_add_up(seed):
    state, rng = stich.make("schnapsen.deal").new(seed), np.random.default_rng(seed)
    exact = [ExactBelief(state.array, me, TILTED) for me in range(2)]
    while not state.is_over:
        me = state.player
        assert exact[me].marginals.sum() == pytest.approx(int(state.record["size"][1 - me]))
        assert int(state.record["hands"][1 - me]) in exact[me].hands
        follow(state, chosen_by(TILTED, state, rng), *exact)


def test_lockstep_beliefs_are_those_of_each_game():
    """Matches of several deals in many lanes: sums are right, and no held card is excluded."""
    vector = stich.VectorGame(stich.make("schnapsen"), 40, 2, observe=False)
    beliefs = Beliefs(vector.states, TILTED)
    single = Beliefs(vector.states[7:8].copy(), TILTED)
    for _ in range(60):
        actions = vector.random_actions().copy()
        beliefs.watch(vector.states, actions)
        single.watch(vector.states[7:8].copy(), actions[7:8])
        vector.step(actions)
        beliefs.settle(vector.states)
        single.settle(vector.states[7:8].copy())
        assert np.allclose(beliefs.values[7], single.values[0])
        played = actions < EXCHANGE
        for me in range(2):
            values, held = beliefs.values[played, me], vector.states["hands"][played, 1 - me]
            assert np.allclose(values.sum(1), vector.states["size"][played, 1 - me])
            assert (values[held[:, None] >> np.arange(20) & 1 == 1] > 0).all()


def test_turns_of_one_two_and_three_steps_are_judged_together():
    state = table("JD KS QS AS JH", "AH TH KC QH JC", trump="AD")
    ace = CARDS.index("AS")
    turns = [[ace, -1, -1], [EXCHANGE, CLOSE, ace], [CLOSE, ace, -1], [EXCHANGE, ace, -1], [ace, -1, -1]]
    ones = np.ones((len(turns), 20))

    def judge(plans):
        begins, seats = np.repeat(state.array, len(plans)), np.ones(len(plans), np.int64)
        room, starts = Room(5000, state.array.dtype), np.zeros(len(plans) + 1, np.int64)
        list_hands(begins, seats, plans, ones, starts, room.hands)
        return likelihoods(TILTED, begins, seats, plans, starts, room), room.hands[: starts[-1]].copy()

    together, _ = judge(np.array(turns))
    alone = [judge(np.array([turn])) for turn in turns]
    assert together == pytest.approx(np.concatenate([likely for likely, _ in alone]))
    # The true hand in the turn of three steps, step by step.
    one, expected = state.copy(), 1.0
    for step in turns[1]:
        expected *= TILTED(one.view(0).array, np.array([step]))[0]
        one.play(step)
    likely, listed = alone[1]
    assert likely[listed == state.record["hands"][0]] == pytest.approx([expected])
    assert len(listed) == 220  # the jack of trumps, the ace of spades and three of the 12 other unseen cards


@pytest.mark.parametrize("me", range(2))
def test_a_belief_needs_nothing_but_the_own_views(me):
    state, rng = stich.make("schnapsen").new(9), np.random.default_rng(9)
    whole, own = Beliefs(state.array, TILTED), Beliefs(state.view(me).array, TILTED)
    for _ in range(40):
        action = np.array([chosen_by(TILTED, state, rng)])
        whole.watch(state.array, action)
        own.watch(state.view(me).array, action)
        state.play(int(action[0]))
        whole.settle(state.array)
        own.settle(state.view(me).array)
        assert np.allclose(whole.values[0, me], own.values[0, me])


def test_cards_that_the_policy_would_have_played_are_excluded():
    state = table("AS TS KS QS JH", "AH TH KH QH JD", trump="AD", forehand=1)
    beliefs = Beliefs(state.array, ALWAYS_LOWEST)
    follow(state, "QH", beliefs)
    assert beliefs.values[0, 0, CARDS.index("JS")] == 0  # it is lower
    assert beliefs.values[0, 0, CARDS.index("TH")] > 0


def test_what_the_policy_never_does_makes_all_cards_alike():
    state = table("AS TS KS QS JH", "AH TH KH QH TD", trump="AD", forehand=1)
    beliefs, exact = Beliefs(state.array, ALWAYS_LOWEST), ExactBelief(state.array, 0, ALWAYS_LOWEST)
    with pytest.raises(StichError, match="no chance with any hand"):
        exact.watch(state.array, CARDS.index("TD"))  # the highest unseen card: never the lowest of five
    follow(state, "TD", beliefs)
    values = beliefs.values[0, 0]
    assert values[values > 0] == pytest.approx([4 / 13] * 13)


def test_beliefs_stand_in_the_rows_of_moves():
    state = play(table("AS TS KS QS JH", "AH TH KH QH JD", trump="AD", forehand=1), "QH, JH, KH")
    fresh = table("AS TS KS QS JH", "AH TH KH QH JD", trump="AD", forehand=1)
    beliefs = Beliefs(fresh.array, TILTED)
    for action in ("QH", "JH", "KH"):
        follow(fresh, action, beliefs)
    order = [5 * suit + rank for suit in (3, 0, 1, 2) for rank in range(5)]
    inputs = MoveInputs(state.game, "q2(n=0)+belief")
    inputs.write(state.array)
    assert inputs.rows.dtype == np.float32
    beliefs.write(inputs, state.array)
    for row in inputs.rows:
        assert row[-20:] == pytest.approx(beliefs.values[0, 0][order])
    follow(fresh, "AS", beliefs)
    symmetric = MoveInputs(state.game, "q1-symmetric(n=0)+belief")
    symmetric.write(fresh.array)
    beliefs.write(symmetric, fresh.array)
    me = fresh.player
    for move, row in zip(symmetric.moves, symmetric.rows, strict=True):
        suit = int(CARD_OF[move]) // 5
        suits = sorted(range(4), key=lambda s: (s != 3, s != suit, s))
        order = [5 * s + rank for s in suits for rank in range(5)]
        assert row[-20:] == pytest.approx(beliefs.values[0, me][order])
