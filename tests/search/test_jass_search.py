"""Jass: trump selection by rules, agents composed with one that cheats, and the experiments of document 002."""

import json

import numpy as np
import pytest

import stich
from conftest import run
from stich.agents import make_agent
from stich.agents.base import Agent
from stich.arena.stats import Estimate
from stich.core.errors import StichError
from stich.core.rng import streams
from stich.games.jass.cards import CARDS, OBE, UNE, mask_of
from stich.games.jass.trump_rules import likely_tricks, rating, sure_tricks
from stich.papers import experiments, find
from stich.papers.experiment import Effort, Statement, statement
from stich.papers.jass import experiments as jass
from stich.papers.jass import values as jass_values
from stich.papers.jass.experiments import ITERATIONS, STRONG, TABLE_13_1, TABLE_13_2
from stich.run.workers import InProcess
from stich.search.worlds.uct import NODE

D, H, S, C = range(4)
TRUMP_HAND = "DJ D9 DA D8 D7 HA S6 CK CQ"
TOP_HAND = "DA DK DQ D8 D7 HA HK SA CA"
LOW_HAND = "D6 D7 D8 DQ DK H6 H7 S6 C6"
WEAK_HAND = "DK D8 HQ H7 S10 S8 C10 C9 C7"


def hand(text):
    return mask_of(text.split())


def forehand(text, variant="jass"):
    """A deal in which North is forehand with these cards."""
    own = text.split()
    rest = [card for card in CARDS if card not in own]
    return stich.make(variant).setup({"dealer": 1, "hands": [own, rest[:9], rest[9:18], rest[18:]]})


def chosen(agent, state):
    act = make_agent(agent, state.game).act(state.view(state.player), streams(1, 0, "test"))
    return state.game.spec.text.action_name(state.record, act)


# --- trump selection: hands worked out by hand -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "tricks"),
    [
        # Diamonds: five trumps, two rounds draw the other four, both won by Buur and Nell: 5, and the heart ace.
        # Else no trump suit is long enough, and other suits' aces count. Une-ufe: the six of spades alone.
        (TRUMP_HAND, {D: 6, H: 1, S: 2, C: 2, OBE: 2, UNE: 1}),
        # Obe-abe: three top diamonds draw four others, so all five win; then A K, A, A. As trumps the five diamonds
        # lose two rounds to Buur and Nell.
        (TOP_HAND, {D: 6, H: 3, OBE: 9, UNE: 0}),
        (LOW_HAND, {UNE: 9, OBE: 0}),
        # Three clubs: two rounds draw the other six, one is left.
        (WEAK_HAND, {D: 0, H: 0, S: 0, C: 1, OBE: 0, UNE: 0}),
    ],
)
def test_sure_tricks(cards, tricks):
    assert {mode: sure_tricks(hand(cards), mode) for mode in tricks} == tricks


def test_one_suit_by_likely_tricks():
    king_and_eight = 1 << 1 | 1 << 6
    assert likely_tricks(king_and_eight, 0, 0.0) == pytest.approx(1 / 3 + 1 / 3 * 0.5**4)
    buur_and_six = 1 << 3 | 1 << 8
    assert likely_tricks(buur_and_six, 2, 0.5) == 1.5
    assert likely_tricks(1 << 8, 1, 0.0) == 1  # the six is the highest of une-ufe
    assert likely_tricks(0, 0, 0.5) == 0


def test_ratings():
    # J 9 A are three tricks, two small trumps one; beside them A is 1, K Q behind the ace a third each, S6 nothing.
    side = 1 + 2 / 3 + (1 / 3) ** 8
    assert rating(hand(TRUMP_HAND), D) == pytest.approx(20 * (4 + 0.2 * side))
    # A; J behind K Q; 9 8 7 behind the ten as well.
    assert rating(hand(TRUMP_HAND), OBE) == pytest.approx(20 * 0.6 * (1 + 0.25 + 3 * 0.125 + side))
    # A K Q and, behind J 10 9, two cards of an eighth; A K; A; A.
    assert rating(hand(TOP_HAND), OBE) == pytest.approx(12 * (3.25 + 2 + 1 + 1))
    assert rating(hand(TOP_HAND), D) == pytest.approx(20 * (5 * 0.5 + 0.2 * 4))


@pytest.mark.parametrize("agent", ["jass-trump-simple", "jass-trump-ranked"])
def test_modes_and_pushes(agent):
    for cards, mode in ((TRUMP_HAND, "D"), (TOP_HAND, "O"), (LOW_HAND, "U"), (WEAK_HAND, "P")):
        assert chosen(agent, forehand(cards)) == mode
    pushed = stich.make("jass").setup(
        {"dealer": 3, "hands": forehand(WEAK_HAND).start()["hands"]}  # South is forehand, North his partner
    )
    pushed.play("P")
    assert (pushed.player, chosen(agent, pushed)) == (0, "C")


def test_thresholds():
    assert chosen("jass-trump-simple(least=0)", forehand(WEAK_HAND)) == "C"
    assert chosen("jass-trump-simple(least=7)", forehand(TRUMP_HAND)) == "P"
    worth = rating(hand(TRUMP_HAND), D)
    assert chosen(f"jass-trump-ranked(threshold={worth + 0.01})", forehand(TRUMP_HAND)) == "P"
    assert chosen(f"jass-trump-ranked(threshold={worth - 0.01})", forehand(TRUMP_HAND)) == "D"
    with pytest.raises(StichError, match="0 to 9"):
        chosen("jass-trump-simple(least=10)", forehand(WEAK_HAND))
    with pytest.raises(StichError, match="threshold is 0 to inf, not -1"):
        chosen("jass-trump-ranked(threshold=-1)", forehand(WEAK_HAND))


@pytest.mark.parametrize("agent", ["jass-trump-simple", "jass-trump-ranked"])
def test_other_decisions_are_those_of_rule(agent):
    state = stich.make("jass.tournament").new(3)
    state.play("D")
    moves = 0
    while state.record["round"] == 0:
        action = chosen("rule", state)
        assert chosen(agent, state) == action
        state.play(action)
        moves += 1
    assert moves == 36 + 4


# --- agents composed with one that cheats ----------------------------------------------------------------------


class Looking(Agent):
    """Plays the first legal action; remembers how many hands it saw."""

    seen: list[int] = []  # noqa: RUF012

    def act_many(self, views, rngs):
        self.seen.extend(int((view["hands"] != 0).sum()) for view in views)
        return [
            stich.core.game.State(self.game, views[i : i + 1]).mask.bit_length() - 1 for i in range(len(views))
        ]


class Cheating(Looking):
    cheats = True
    seen: list[int] = []  # noqa: RUF012


@pytest.mark.parametrize(
    "spec",
    ["jass(trump={0}:Looking,cards={0}:Cheating)", "seats({0}:Looking,{0}:Cheating,{0}:Looking,{0}:Looking)"],
)
def test_who_does_not_cheat_gets_a_view(spec):
    Looking.seen.clear()
    Cheating.seen.clear()
    game = stich.make("jass")
    agent = make_agent(spec.format(__name__), game)
    assert agent.cheats
    assert make_agent(f"weaken({__name__}:Cheating)", game).cheats
    states = np.concatenate([game.new(seed).array for seed in range(8)])
    states[4:] = [play_mode(state) for state in states[4:].copy()]
    agent.act_many(states, streams(8, 0, "test"))
    assert len(Looking.seen) + len(Cheating.seen) == 8
    assert set(Looking.seen) == {1}
    assert set(Cheating.seen) == {4}


def play_mode(record):
    state = stich.make("jass").state(np.array([record]))
    state.play("D")
    return state.array[0]


# --- values of positions (Figure 12.1) --------------------------------------------------------------------------


def effort(games=4, seed=3, **others):
    return Effort(seed, InProcess(), games=games, **others)


@pytest.fixture(scope="module")
def moves():
    return jass_values.recorded(effort(), STRONG, 3)


def plan_of(seed=3):
    return jass.plan_match("jass", {}, [STRONG] * 4, fixed=True, seed=seed)


def test_positions_are_those_of_the_games(moves):
    states, shares = jass_values.positions(plan_of(), 0, moves)
    assert states.shape == (3, 36)
    for game in range(3):
        for cards in range(36):
            state = states[game, cards]
            assert int(state["played"]).bit_count() == cards
            assert state["plays"][:cards].tolist() == [a for a in moves[game] if 0 <= a < 36][:cards]
    last = stich.make("jass").state(states[0, 35:36].copy())
    last.play(last.legal_actions()[0])
    assert last.is_over
    assert shares[0] == last.returns()[0] / 157


def test_a_decided_position_is_estimated_without_error(moves):
    errors = jass_values.squared_errors(moves, np.array([1, 10]), np.array([50]), 0.2, plan_of(), 0, 3).figures
    assert errors.shape == (3, 36, 3)
    assert (errors[:, 32:] < 1e-20).all()  # the last trick is forced
    assert (errors[:, 0].mean(axis=0) > 0).all()


def test_errors_do_not_depend_on_blocks(moves):
    arguments = (moves, np.array([1, 10]), np.array([50]), 0.2, plan_of())
    together = jass_values.squared_errors(*arguments, 0, 3).figures
    alone = jass_values.squared_errors(*arguments, 2, 1).figures
    assert (together[2] == alone[0]).all()


def test_a_search_is_worth_its_actions_by_their_visits(moves):
    states, _ = jass_values.positions(plan_of(), 0, moves)
    for cards in (0, 5, 18):
        state = states[0, cards : cards + 1]
        out = np.zeros(1)
        jass_values.grow_values(state, streams(1, 0, "test"), np.array([300]), 0.2, out)
        tree = jass_values.memory().nodes
        root = tree[0]
        assert tree.dtype == NODE
        children = tree[root["first"] : root["first"] + root["count"]]
        value = children["value"].sum() / children["visits"].sum()
        assert out[0] == pytest.approx(value if int(state["turn"][0]) % 2 == 0 else 1 - value)


def test_recorded_games_are_kept_in_a_file(moves, tmp_path):
    file = tmp_path / "games.npz"
    written = jass_values.recorded(effort(recorded=file), STRONG, 3)
    assert (written == moves).all()
    assert (jass_values.recorded(effort(recorded=file), STRONG, 2) == moves[:2]).all()
    with pytest.raises(StichError, match="holds 3 games"):
        jass_values.recorded(effort(recorded=file), STRONG, 4)
    with pytest.raises(StichError, match="from seed 3"):
        jass_values.recorded(effort(seed=4, recorded=file), STRONG, 3)
    file.write_text("nothing")
    with pytest.raises(StichError, match="does not hold recorded games"):
        jass_values.recorded(effort(recorded=file), STRONG, 3)


def test_figure_12_1(monkeypatch):
    monkeypatch.setattr(jass, "ITERATIONS", (*ITERATIONS[:2], 1500, 2000))
    monkeypatch.setattr(jass, "STRONG", "rule")
    outcome = jass.figure_12_1(effort(3))
    assert len(outcome.rows) == 36 * 8
    assert [row.ours.mean for row in jass.figure_12_1(effort(3)).rows] == [row.ours.mean for row in outcome.rows]
    assert {row.count for row in outcome.rows} == {3}
    assert len(outcome.statements) == 7


# --- tables and figures of chapter 13 ---------------------------------------------------------------------------


def test_the_document_was_copied_whole():
    sizes = (25, 100, 1000, 10_000)
    assert set(TABLE_13_1) == {(i, d) for i in sizes for d in sizes} - {(10_000, 10_000)}
    assert TABLE_13_1[1000, 1000] == (50.65, 0.66)  # iterations and determinizations are not exchanged:
    assert TABLE_13_1[100, 25] == (49.53, 1.10)
    assert TABLE_13_1[25, 100] == (48.76, 1.58)
    assert list(TABLE_13_2) == ["Random", "Simple Rule", "Ranked Based Rule", "MCTS"]


@pytest.fixture
def duels(monkeypatch):
    """Matches that are not played: the first agent's length is his strength."""
    played = {}

    def duel(effort, agent, opponent, deals):
        played[agent] = (opponent, deals)
        return 40 + 0.1 * len(agent) + 0.01 * np.arange(deals)

    monkeypatch.setattr(jass, "duel", duel)
    return played


def test_table_13_1_in_both_sizes(duels):
    small = jass.table_13_1(Effort(0, InProcess()))
    assert len(small.rows) == len(duels) == 9
    assert duels["jass(trump=rule,cards=dmcts(d=25,i=25,c=1.5))"] == ("rule", 500)
    assert duels["jass(trump=rule,cards=dmcts(d=1000,i=1000,c=1.5))"] == ("rule", 50)
    assert small.rows[1].machine()["document"] == 48.76
    assert (small.rows[1].labels["iterations"], small.rows[1].labels["determinizations"]) == (25, 100)
    assert [claim.verdict for claim in small.statements] == ["yes", "yes"]
    duels.clear()
    full = jass.table_13_1(Effort(0, InProcess(), full=True, opponent="random"))
    assert len(full.rows) == 15
    assert set(duels.values()) == {("random", 500)}
    assert len(full.statements) == 4


def test_figure_13_1_in_both_sizes(duels):
    small = jass.figure_13_1(Effort(0, InProcess()))
    assert len(small.rows) == 8
    assert len(duels) == 7  # 200 x 200 with c = 1.5 is played once
    duels.clear()
    full = jass.figure_13_1(Effort(0, InProcess(), full=True))
    assert [row.labels["setting"] for row in full.rows[:4]] == [
        "500 x 1,600",
        "1,000 x 800",
        "4,000 x 200",
        "20,000 x 40",
    ]
    assert all(row.document is None for row in full.rows)
    assert {deals for _, deals in duels.values()} == {500}


def test_figure_13_3_gives_all_bots_the_same_trumps(duels):
    outcome = jass.figure_13_3(Effort(0, InProcess()))
    assert len(outcome.rows) == len(duels) == 7
    opponents = {opponent for opponent, _ in duels.values()}
    assert all(agent.startswith("jass(trump=jass-trump-ranked,cards=") for agent in {*duels, *opponents})
    assert len(opponents) == 1


def test_a_match_counts_shares_of_points():
    values = jass.duel(effort(), "jass(trump=random)", "rule", 3)
    assert (values == jass.duel(effort(), "jass(trump=random)", "rule", 3)).all()
    back = jass.duel(effort(), "rule", "jass(trump=random)", 3)
    assert values.shape == (3,)
    assert ((values > 0) & (values < 100)).all()
    assert not (values == back).all()


def test_pushes():
    assert jass.pushes("jass-trump-simple(least=0)", 0, 50) == 0
    assert jass.pushes("jass-trump-ranked(threshold=1000)", 0, 50) == 100
    assert 5 < jass.pushes("random", 0, 1000) < 25  # one choice of seven


def test_ranked_and_simple_rules_beat_random_choices():
    """Table 13.2 orders them so: a random mode is neither good nor bad for who chooses it."""
    for agent in ("jass-trump-simple", "jass-trump-ranked"):
        values = jass.duel(effort(), f"jass(trump={agent})", "jass(trump=random)", 300)
        assert values.mean() > 54


def test_verdicts():
    def claim(low, high, none=False):
        return Statement("", Estimate((low + high) / 2, low, high), 0.5, none=none).verdict

    assert [claim(1, 2), claim(-2, -1), claim(-1, 1)] == ["yes", "no", "undecided"]
    assert [claim(1, 2, True), claim(-2, -1, True), claim(-1, 1, True)] == ["no", "yes", "not refuted"]
    paired = statement("", np.array([3.0, 5.0, 4.0, 9.0]), np.array([1.0, 2.0, 3.0]))
    assert paired.difference.mean == 2  # on the three deals that both have
    assert paired.verdict == "undecided"


def test_sizes():
    assert Effort(0, InProcess()).deals(300, 500) == 300
    assert Effort(0, InProcess(), full=True).deals(300, 500) == 500
    assert Effort(0, InProcess(), full=True).deals(5000, 500) == 5000
    assert Effort(0, InProcess(), games=7).deals(300, 500) == 4
    assert Effort(0, InProcess(), games=7).deals(300, 500, 1) == 7


# --- the command ------------------------------------------------------------------------------------------------


def test_the_command_lists_and_refuses():
    listed = run("paper", "--json")
    assert [row["name"] for row in json.loads(listed.stdout)] == list(experiments())
    assert "jass-table-13-2" in run("paper").stdout
    assert "recorded" in find("jass-figure-12-1").takes
    for arguments, message in (
        (["nothing"], "there is no experiment"),
        (["jass-figure-12-1", "--opponent", "rule"], "no opponent"),
        (["jass-table-13-1", "--recorded", "x.npz"], "no recorded games"),
    ):
        refused = run("paper", *arguments)
        assert refused.returncode == 2
        assert message in refused.stderr


def test_table_13_2_by_the_command(tmp_path):
    figure = tmp_path / "table.png"
    arguments = ["paper", "jass-table-13-2", "--games", "6", "--workers", "1", "--json"]
    first = json.loads(run(*arguments, "--plot", str(figure)).stdout)
    again = json.loads(run(*arguments).stdout)
    assert figure.stat().st_size > 1000
    assert first["rows"] == again["rows"]
    assert [row["method"] for row in first["rows"]] == list(TABLE_13_2)
    for row in first["rows"]:
        assert row["low"] <= row["ours"] <= row["high"]
        assert (row["document"], row["document_deviation"]) == TABLE_13_2[row["method"]]
        assert row["count"] == 3
    text = run(*arguments[:-1]).stdout
    assert "34.19 ± 2.02" in text
    assert "the simple rule is better than random" in text
