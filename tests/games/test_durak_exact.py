"""Endings of Durak for two players: against plain recursions on the game's own results, with all switches."""

import numpy as np
import pytest

import stich
from stich.games.durak.cards import card_of
from stich.search.exact.pimc import OpenCardSolver, Speedups, outlook_of

OFF = {"steps": False, "cutting": False, "ordered": False, "reduced": False, "bounded": False}
RULES = (
    {},
    {"push": "off"},
    {"throw_limit": "c4"},
    {"defender_out": "goes_on", "reopen": "on", "confirm": "on"},
    {"hand": 5},
    {"games": 3},
    {"decks": 2, "hand": 8, "push": "off"},
)


def positions(options, cards, count, seed=0):
    """Positions of random games with at most so many cards in the game, and a choice to make."""
    game, found = stich.make("durak.mini", **options), []
    rng = np.random.default_rng(seed)
    while len(found) < count:
        state = game.new(int(rng.integers(1 << 30)))
        while not state.is_over and (outlook_of(state.array)[1] > cards or len(state.action_ids()) < 2):
            state.play(int(rng.choice(state.action_ids())))
        if not state.is_over:
            found.append(state)
    return game, found


def lost(state):
    """How many games more seat 1 has lost than seat 0."""
    return int(state.record["lost"][1]) - int(state.record["lost"][0])


def brute_force(state, played):
    """The value of a game by plain recursion; only for games that must end soon."""
    if state.is_over or state.record["played"] != played:
        return lost(state)
    found = [brute_force(state.copy().force(action), played) for action in state.action_ids()]
    return max(found) if state.player == 0 else min(found)


def signs(state):
    """All that the rules depend on but the count of quiet attacks."""
    record = state.record
    names = ("held", "twice", "out", "out_twice", "attacks", "beaten", "left", "checked", "opener", "defender")
    table = record["attack"][: record["attacks"]].tolist(), record["answer"][: record["beaten"]].tolist()
    return str([record[name].tolist() for name in (*names, "turn", "card", "played")] + [table])


def graph(root):
    """The positions that can come from a root, by what they look like: moves, seat, or the result."""
    found, todo, played = {}, [root], root.record["played"]
    while todo:
        state = todo.pop()
        if signs(state) in found:
            continue
        state.record["quiet"] = state.record["swaps"] = 0
        if state.is_over or state.record["played"] != played:
            found[signs(state)] = lost(state)
            continue
        after = [state.copy().force(action) for action in state.action_ids()]
        found[signs(state)] = state.player, [signs(other) for other in after]
        todo += after
    return found


def winners(nodes):
    """Who can force a win whatever the other does, from the ends backwards: positions that never are decided are
    those in which both can go on for ever."""
    value = {name: node for name, node in nodes.items() if isinstance(node, int)}
    grown = True
    while grown:
        grown = False
        for name, node in nodes.items():
            if name in value:
                continue
            seat, after = node
            own = 1 if seat == 0 else -1
            found = [value.get(other) for other in after]
            if own in found or all(each == -own for each in found):
                value[name] = own if own in found else -own
                grown = True
    return value


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_values_are_those_of_brute_force(rules):
    """A real limit of two or three quiet attacks, so that plain recursion comes to an end."""
    for limit in (2, 3):
        game, states = positions({**rules, "quiet_limit": limit}, 6, 25, seed=limit)
        solver, plain = OpenCardSolver(game, 1 << 12), OpenCardSolver(game, 0, Speedups(**OFF))
        for state in states:
            played, own = state.record["played"], 1 if state.player == 0 else -1
            expected = {a: brute_force(state.copy().force(a), played) for a in state.action_ids()}
            worth = {a: float(own * (value - lost(state))) for a, value in expected.items()}
            assert solver.values(state) == worth
            assert plain.values(state) == worth
            best = solver.solve(state)
            assert own * best.score == max(own * value for value in expected.values())
            assert expected[best.action] == best.score


@pytest.mark.parametrize("rules", RULES[:5], ids=str)
def test_values_are_those_of_play_without_end(rules):
    """The real limit of 200 beside a solution that knows no limit: a game that never ends has no loser."""
    game, states = positions(rules, 6, 12, seed=5)
    solver = OpenCardSolver(game, 1 << 14)
    for state in states:
        value = winners(graph(state.copy()))
        own = 1 if state.player == 0 else -1
        expected = {a: own * value.get(signs(state.copy().force(a)), 0) for a in state.action_ids()}
        assert solver.values(state) == expected


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_nothing_that_makes_it_fast_changes_an_answer(rules):
    game, states = positions(rules, 6, 40, seed=7)
    fast = [OpenCardSolver(game, 1 << 10).solve(state).score for state in states]
    for switches in ({name: False} for name in OFF):
        assert [OpenCardSolver(game, 1 << 12, Speedups(**switches)).solve(state).score for state in states] == fast
    shared = OpenCardSolver(game, 1 << 6)  # a small table that keeps what other positions have left in it
    assert [shared.solve(state).score for state in states] == fast


def ending(game, first, second, suit="H"):
    """Seat 0 leads, the talon is gone."""
    state = game.new(1)
    record = state.record
    for seat, names in enumerate((first, second)):
        record["held"][seat] = sum(1 << card_of(name) for name in names)
        record["size"][seat] = len(names)
    every = sum(1 << card_of(rank + s) for s in "CSHD" for rank in "6789TJQKA")
    record["out"] = every & ~int(record["held"][0]) & ~int(record["held"][1])
    record["left"], record["suit"], record["shown"] = 0, "CSHD".index(suit), record["held"]
    record["opener"], record["turn"], record["defender"] = 0, 0, 1
    return state.force(-1)


def test_positions_recur_with_pushing():
    """Two pushes, two takes, and every card is back where it was: the round of the module's first lines."""
    state = ending(stich.make("durak"), ["6C", "8C", "7S"], ["6S", "9D", "7D", "7C"])
    before = signs(state)
    for action in ("7S", "P:7C", "check", "check", "7D", "P:7C", "check", "check"):
        state.play(action)
    assert signs(state) == before
    assert (state.record["quiet"], state.record["swaps"]) == (2, 2)


def test_the_limit_of_solving_is_none_of_the_game():
    """Going round as above ends after `quiet_limit` attacks, with no loser, and the table holds nothing of it."""
    game = stich.make("durak", quiet_limit=7)
    state = ending(game, ["6C", "8C", "7S"], ["6S", "9D", "7D", "7C"])
    actions = ["7S", "P:7C", "check", "check", "7D", "P:7C", "check", "check"] * 3 + ["7S", "P:7C", "check"]
    for action in actions:
        state.play(action)
    assert not state.is_over
    assert OpenCardSolver(game).values(state)[state.action_id("check")] == 0.0
    assert state.play("check").returns() == [0.0, 0.0]


def test_known_endings():
    """Hearts are trumps. Aces that cannot be beaten go first, and who plays his last card is out."""
    game = stich.make("durak", push="off")
    # The 6 of clubs can be beaten, the aces cannot: aces first wins, the 6 first is beaten by the 7.
    state = ending(game, ["6C", "AS", "AD"], ["7C", "8C", "9C", "TC"])
    values = OpenCardSolver(game).values(state)
    assert values[card_of("AS")] == values[card_of("AD")] == 1.0
    # One card against one that beats it: playing the last card first is enough.
    assert OpenCardSolver(game).solve(ending(game, ["6C"], ["7C"])).score == 1
    # Two cards that the other beats in turn: with his second one he is out.
    assert (
        OpenCardSolver(game).solve(ending(game, ["6C", "6S"], ["7C", "7S"])).score == 1
    )  # 6S is thrown in: the last card
    assert OpenCardSolver(game).solve(ending(game, ["6C", "8S"], ["7C", "9S"])).score == -1  # beaten in turn


def test_long_lines_find_room():
    """A path that is longer than the frames at hand."""
    game, states = positions({}, 8, 10, seed=9)
    small, large = OpenCardSolver(game), OpenCardSolver(game)
    small.frames, small.path = small.frames[:4].copy(), small.path[:4].copy()
    assert [small.solve(state).score for state in states] == [large.solve(state).score for state in states]
    assert len(small.frames) > 4


def test_more_players_are_not_solved_quickly():
    for name in ("durak.3", "durak.4"):
        assert outlook_of(stich.make(name).new(1).array)[2] == 0
