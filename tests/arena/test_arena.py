"""The arena: agents by spec, matches on equal deals, statistics, faults, workers."""

import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np
import pytest
from scipy.stats import ttest_ind, ttest_rel

import stich
from conftest import HERE, python, run
from stich.agents import make_agent, watched
from stich.agents.composed import PhaseAgent, SeatAgent
from stich.agents.parse import parse
from stich.arena import stats
from stich.arena.blocks import blocks
from stich.arena.match import Stop, run_match
from stich.arena.plan import plan_match
from stich.arena.play import KEPT, play, prepared, release, win_shares
from stich.core.errors import StichError
from stich.core.game import State
from stich.core.rng import numbered, stream
from stich.run.workers import InProcess, Processes


@pytest.fixture(autouse=True)
def _bad_agents_are_found(monkeypatch):
    monkeypatch.chdir(HERE)
    monkeypatch.syspath_prepend(str(HERE))


# Spec strings.


def test_specs_are_taken_apart_at_their_outer_commas():
    call = parse("jass(trump=rule, cards=weaken(rule, p=0.5))")
    assert call.name == "jass"
    assert call.keywords == (("trump", "rule"), ("cards", "weaken(rule, p=0.5)"))
    assert parse("http(http://127.0.0.1:1/bot?a=b,2)").values == ("http://127.0.0.1:1/bot?a=b", "2")
    assert parse("random").values == ()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nobody", "jass has no agent 'nobody'; there are weaken, model"),
        ("weaken", "needs agent: it takes agent, p=0.2"),
        ("weaken(rule, p=often)", "p should be a number, not 'often'"),
        ("weaken(rule, p=2)", "a chance from 0 to 1"),
        ("weaken(rule, q=1)", "q is unknown; it takes agent, p=0.2"),
        ("weaken(rule, 0.1, p=0.1)", "p is given twice"),
        ("weaken(rule, 0.1, 0.2, 0.3)", "too many arguments"),
        ("weaken(rule,, 0.1)", "an argument is missing"),
        ("weaken(p=0.1, rule)", "after one with a name"),
        ("weaken(rule", "is not written like"),
        ("weaken(rule))", "brackets"),
        ("jass(bids=rule)", "composes agents by what is decided: trump, melds, cards"),
        ("seats(rule, rule)", "needs 4 agents"),
        ("json:loads", "is not a subclass"),
        ("json:nothing", "cannot be loaded"),
        ("http(ftp://x)", "is not a URL"),
        ("bad_agents:Unmade", "cannot be made: OSError: no such weights"),
        ("bad_agents:Picky(three)", "count should be a whole number"),
        ("bad_agents:Picky(3, loud=maybe)", "loud should be on or off"),
    ],
)
def test_bad_specs_say_what_is_wrong(spec, message):
    with pytest.raises(StichError) as error:
        make_agent(spec, stich.make("jass"))
    assert message in str(error.value)


def test_arguments_are_read_by_their_kinds():
    agent = make_agent("bad_agents:Picky(3, share=0.25, loud=on, other=weaken(rule))", stich.make("jass"))
    assert agent.given[:3] == (3, 0.25, True)
    assert agent.given[3].p == 0.2
    assert agent.spec.startswith("bad_agents:Picky(3")


def test_agents_are_composed_by_decision_and_by_seat():
    game = stich.make("jass", melds="on")
    by_phase = make_agent("jass(trump=bad_agents:Cheats, cards=random)", game)
    assert isinstance(by_phase, PhaseAgent)
    state = game.new(1)
    assert by_phase.act(state.view(state.player), stream(1, "x")) == 62
    state.play("D")
    assert by_phase.act(state.view(state.player), stream(1, "x")) in state.action_ids()
    by_seat = make_agent("seats(random, bad_agents:Cheats, random, random)", game)
    assert isinstance(by_seat, SeatAgent)
    state = game.new(1)
    while state.player != 1:
        assert by_seat.act(state.view(state.player), stream(1, "x")) != 62
        state.play(state.action_ids()[0])
    assert by_seat.act(state.view(1), stream(1, "x")) == 62


@pytest.mark.parametrize("p", [0.0, 0.3, 1.0])
def test_a_weakened_agent_slips_as_often_as_it_says(p):
    game = stich.make("jass")
    state = game.new(3).play("D")
    views = np.repeat(state.view(state.player).array, 4000)
    best = make_agent("rule", game).act_many(views, numbered(0, 4000, 1, "x"))
    played = make_agent(f"weaken(rule, p={p})", game).act_many(views, numbered(0, 4000, 1, "x"))
    expected = p * (1 - 1 / len(state.action_ids()))
    assert abs((played != best).mean() - expected) < 4 * np.sqrt(0.25 / 4000)


def test_generators_of_a_batch_move_on_as_they_do_one_by_one():
    """What an agent plays does not depend on the batch, also when agents are nested."""
    game = stich.make("jass")
    agent = make_agent("jass(trump=random, cards=weaken(rule, p=0.4))", game)
    states = [game.new(seed) for seed in range(6)]
    for state in states[3:]:
        state.play("D")
    views = np.concatenate([state.view(state.player).array for state in states])
    together, single = numbered(0, 6, 2, "x"), numbered(0, 6, 2, "x")
    actions = agent.act_many(views, together)
    alone = [int(agent.act_many(views[i : i + 1], single[i : i + 1])[0]) for i in range(6)]
    assert actions.tolist() == alone
    assert together.tobytes() == single.tobytes()


def test_agents_are_listed_with_their_arguments():
    done = run("agents", "jass", "--json")
    listed = {row["name"]: row for row in json.loads(done.stdout)["agents"]}
    assert {"random", "rule", "weaken", "http", "jass(trump=AGENT, melds=AGENT, cards=AGENT)"} <= set(listed)
    assert listed["weaken"]["arguments"][1]["default"] == 0.2
    assert "rule" not in run("agents", "kuhn").stdout.split()


# Who sits where.


@pytest.mark.parametrize(
    ("game", "count", "seats"),
    [
        ("schnapsen", 2, [(0, 1), (1, 0)]),
        ("jass", 2, [(0, 1, 0, 1), (1, 0, 1, 0)]),
        ("jass", 4, [(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)]),
        ("cego.solo", 2, [(0, 1, 1, 1), (1, 0, 0, 0)]),
        ("cego", 2, [(0, 1, 0, 1), (1, 0, 1, 0)]),
        ("durak.3", 2, [(0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 1, 1), (0, 0, 1), (1, 1, 0)]),
    ],
)
def test_agents_change_seats_on_every_deal(game, count, seats):
    agents = [f"weaken(random, p=0.{i})" for i in range(count)]
    assert list(plan_match(game, {}, agents).arrangements) == seats


def test_line_ups_that_do_not_fit_are_refused():
    with pytest.raises(StichError, match="needs 2 to 4 agents, not 5"):
        plan_match("jass", {}, ["random"] * 5)
    with pytest.raises(StichError, match="has 4 seats, but 2 agents"):
        plan_match("jass", {}, ["random"] * 2, fixed=True)
    with pytest.raises(StichError, match="random or lose"):
        plan_match("jass", {}, ["random"] * 2, policy="shrug")


def test_a_jass_double_round_gives_both_sides_the_same_cards():
    """docs/rules.md 3.5: with equal agents that use no chance, the sides just change places."""
    result = run_match(plan_match("jass", {}, ["rule", "weaken(rule, p=0)"]), 40, InProcess())
    assert result.figures.shape == (40, 2, 4, 3)
    assert np.array_equal(result.figures[:, 0], result.figures[:, 1])
    assert np.allclose(result.values(0), 78.5)


def test_replacing_an_agent_leaves_the_deals_as_they_are():
    """The deal number n of a seed is the same whoever plays: seen in the first view of the first seat."""
    seen = []

    class Spy(stich.agents.Agent):
        trusted = True

        def act_many(self, views, rngs):
            seen.append(views.copy())
            return [int(mask).bit_length() - 1 for mask in (State(self.game, v[None]).mask for v in views)]

    hands = []
    for other in ("random", "rule"):
        plan = plan_match("schnapsen.deal", {}, ["random", other], seed=5)
        game, agents = prepared(plan)
        agents[0].agent = Spy(game)
        seen.clear()
        play(plan, 0, 20)
        hands.append(seen[0]["hands"])
    assert hands[0].any()
    assert np.array_equal(*hands)


# Figures.


def test_level_sides_share_the_win():
    points = np.array([[3.0, 1, 3, 1], [2, 2, 2, 2], [0, 5, 0, 5]])
    assert win_shares(points, (0, 1, 0, 1)).tolist() == [[1, 0, 1, 0], [0.5] * 4, [0, 1, 0, 1]]
    assert win_shares(points, None)[0].tolist() == [0.5, 0, 0.5, 0]


def test_figures_are_those_of_the_games_themselves():
    """Each game of a match replayed by hand, from its deal and generators."""
    plan = plan_match("jass", {}, ["random", "rule"], seed=9)
    block = play(plan, 3, 4)
    game = plan.make_game()
    agents = [make_agent(spec, game) for spec in plan.agents]
    for deal in range(4):
        for turn, arrangement in enumerate(plan.arrangements):
            array = game.template.copy()
            stich.core.kernels.deal_all(array, numbered(3 + deal, 1, 9, "deals"))
            state = State(game, array)
            rngs = [numbered(2 * (3 + deal) + turn, 1, 9, "seat", seat) for seat in range(4)]
            while not state.is_over:
                seat = state.player
                state.play(agents[arrangement[seat]].act(state.view(seat), rngs[seat]))
            points = state.returns()
            assert block.figures[deal, turn, :, 0].tolist() == points
            assert block.figures[deal, turn, :, 2] == pytest.approx(np.array(points) / 157)


# Statistics.


def test_tests_are_students():
    rng = np.random.default_rng(1)
    one, other = rng.normal(0.2, 1, 50), rng.normal(0, 1, 50)
    assert stats.paired_p(one - other) == pytest.approx(ttest_rel(one, other).pvalue)
    assert stats.unpaired_p(one, other) == pytest.approx(ttest_ind(one, other).pvalue)
    assert stats.paired_p(np.zeros(5)) == 1.0
    assert stats.paired_p(np.ones(5)) == 0.0


def test_intervals_of_repeated_matches_cover_the_true_value():
    """95 % of the intervals of matches with known outcome: unequal, correlated games on a deal."""
    rng = np.random.default_rng(2)
    covered = 0
    for _ in range(2000):
        luck = rng.exponential(1.0, 40)[:, None]  # what the deal gives to whoever sits there, and a skewed one
        games = luck * np.array([1, -1]) + rng.normal(0.3, 1, (40, 2))
        interval = stats.estimate(games.mean(axis=1))
        covered += interval.low <= 0.3 <= interval.high
    assert abs(covered / 2000 - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 2000)


@pytest.mark.parametrize("skewed", [False, True])
def test_the_sequential_test_keeps_its_error_rate(skewed):
    """Between equals a difference is claimed at most at the stated rate, however long the match goes on."""
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(600):
        values = rng.exponential(1, 5000) - 1 if skewed else rng.choice([-1.0, 0, 1], 5000)
        wrong += any(stats.verdict(stats.any_time(values[:n], 0.1)) for n in range(100, 5001, 100))
    assert wrong / 600 < 0.1 + 3 * np.sqrt(0.1 * 0.9 / 600)


def test_the_sequential_test_finds_differences_and_equality():
    rng = np.random.default_rng(4)
    values = rng.normal(0.2, 1, 3000)
    assert stats.verdict(stats.any_time(values)) == "better"
    assert stats.verdict(stats.any_time(-values)) == "worse"
    assert stats.verdict(stats.any_time(rng.normal(0, 1, 3000))) == ""
    assert stats.verdict(stats.any_time(rng.normal(0, 1, 30000)), margin=0.1) == "equal"
    assert stats.verdict(stats.any_time(values[:49])) == ""


def test_a_decided_match_ends_early_and_alike_on_any_workers():
    plan = plan_match("jass", {}, ["rule", "random"], seed=1)
    here = run_match(plan, 3000, InProcess(), Stop())
    assert here.verdict == "better"
    assert here.deals == 100
    pool = Processes(2)
    try:
        there = run_match(plan, 3000, pool, Stop())
    finally:
        pool.close()
    assert np.array_equal(here.figures, there.figures)
    equal = run_match(plan_match("kuhn", {}, ["random", "weaken(random)"]), 4000, InProcess(), Stop(margin=0.5))
    assert equal.verdict == "equal"
    with pytest.raises(StichError, match="two agents"):
        run_match(plan_match("jass", {}, ["rule"] * 4), 10, InProcess(), Stop())


# Workers.


def test_blocks_do_not_change_results():
    plan = plan_match("schnapsen.deal", {}, ["rule", "weaken(rule)"], seed=4)
    whole = play(plan, 0, 60).figures
    parts = np.concatenate([play(plan, first, count).figures for first, count in [(0, 7), (7, 1), (8, 52)]])
    assert np.array_equal(whole, parts)


def test_a_process_that_dies_costs_no_game(monkeypatch):
    plan = plan_match("jass", {}, ["rule", "random"], seed=2)
    expected = np.concatenate([block.figures for block in blocks(plan, 0, 400, InProcess())])
    pool = Processes(2)
    try:
        found = []
        for i, block in enumerate(blocks(plan, 0, 400, pool)):
            found.append(block.figures)
            if i in (0, 3):
                for process in list(pool.pool._processes.values()):
                    process.kill()
    finally:
        pool.close()
    assert pool.failures >= 1
    assert np.array_equal(np.concatenate(found), expected)


def match_json(*arguments):
    done = run("match", *arguments, "--json")
    assert done.stdout, done.stderr
    record = json.loads(done.stdout)
    assert record.pop("seconds") > 0
    assert min(record.pop("milliseconds")) > 0
    return done.returncode, record


def test_the_command_gives_the_same_on_one_and_two_workers(tmp_path):
    arguments = ["jass", "rule", "weaken(rule)", "--games", "3000", "--seed", "7"]
    one = match_json(*arguments, "--workers", "1")
    assert one == match_json(*arguments, "--workers", "2")
    code, record = one
    assert code == 0
    assert record["games"] == 3000
    assert record["deals"] == 1500
    assert {row["figure"] for row in record["differences"]} == {"points", "win", "share"}
    assert record["rows"][0]["points"]["low"] > record["rows"][1]["points"]["high"]
    picture = tmp_path / "match.png"
    done = run("match", "jass", "--seats", "rule,random,rule,random", "--games", "500", "--plot", str(picture))
    assert "seat" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["jass", "rule", "--seats", "rule,rule,rule,rule"], "not both"),
        (["jass", "rule"], "needs 2 to 4 agents"),
        (["jass", "rule", "random", "--until", "dawn"], "until `significant`"),
        (["jass", "rule", "random", "--until", "significant", "--error", "2"], "between 0 and 0.5"),
        (["jass", "rule", "nobody"], "has no agent"),
    ],
)
def test_bad_commands_say_what_is_wrong(arguments, message):
    done = run("match", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_single_deal_has_no_interval_and_its_json_is_json():
    """Infinity is no JSON: an interval that is not known is null, and a question mark on the screen."""
    done = run("match", "jass", "rule", "random", "--games", "1", "--workers", "1", "--json")
    record = json.loads(done.stdout, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert record["rows"][0]["points"]["low"] is None
    assert "± ?" in run("match", "jass", "rule", "random", "--games", "1", "--workers", "1").stdout


# Faults.


@pytest.mark.parametrize("policy", ["random", "lose"])
@pytest.mark.parametrize(("kind", "fault"), [("Raises", "error"), ("Cheats", "illegal"), ("Nonsense", "error")])
def test_a_faulty_agent_is_counted_and_the_match_goes_on(kind, fault, policy):
    spec = f"bad_agents:{kind}"
    result = run_match(plan_match("jass", {}, ["random", spec], policy=policy), 20, InProcess())
    assert result.deals == 20
    assert set(result.faults) == {spec}
    assert set(result.faults[spec]) == {fault}
    assert result.examples[spec]
    ahead = stats.estimate(result.values(0) - result.values(1))
    if policy == "lose":
        lost = result.values(1)
        assert (lost[lost < 1] == 0).all()
        assert ahead.low > 0
    else:
        assert ahead.low < 0 < ahead.high  # random moves instead: as strong as the other


def test_only_the_views_that_fail_are_faults():
    """A batch in which one view fails is asked again view by view: the rest keeps its answers and its randomness."""
    game = stich.make("jass")
    state = game.new(1)
    views = np.repeat(state.view(state.player).array, 50)
    masks = np.full(50, state.mask)
    asked = watched.Watched(game, "jass", "bad_agents:Raises", 0.0)
    rngs = numbered(0, 50, 1, "x")
    honest = make_agent("bad_agents:Honest", game).act_many(views, rngs.copy())
    bad = rngs["a"] % np.uint64(10) == 0
    actions = asked.act_many(views, rngs, masks)
    assert bad.any()
    assert (actions[bad] == -1).all()
    assert np.array_equal(actions[~bad], honest[~bad])
    assert asked.take_faults() == ({"error": int(bad.sum())}, "ValueError: out of ideas")


@pytest.mark.parametrize(("kind", "fault"), [("Hangs", "overtime"), ("Dies", "gone")])
def test_an_agent_that_hangs_or_dies_is_stopped(kind, fault, monkeypatch):
    monkeypatch.setattr(watched, "PATIENCE", 2)
    spec = f"bad_agents:{kind}"
    began = time.monotonic()
    result = run_match(plan_match("kuhn", {}, ["random", spec], limit=0.2), 4, InProcess())
    assert set(result.faults[spec]) == {fault}
    assert result.deals == 4
    assert time.monotonic() - began < 60


def test_a_watched_agent_plays_as_it_does_unwatched():
    plans = [plan_match("jass", {}, ["bad_agents:Honest", "rule"], limit=limit) for limit in (0.0, 30.0)]
    figures = []
    for plan in plans:
        result = run_match(plan, 10, InProcess())
        assert result.faults == {}
        figures.append(result.figures)
    assert np.array_equal(*figures)


def test_the_end_of_a_match_closes_its_agents(monkeypatch):
    hosts = []
    monkeypatch.setattr(
        watched.Watched, "close", lambda agent: hosts.append(agent.host.process) or agent.host.stop()
    )
    plan = plan_match("kuhn", {}, ["bad_agents:Honest", "bad_agents:Raises"], limit=30.0)
    run_match(plan, 10, InProcess())
    assert len(hosts) == 2
    assert [process.is_alive() for process in hosts if not process._closed] == [False, False]
    run_match(plan, 300, InProcess(), Stop(margin=100.0))  # ends at the first look
    assert len(hosts) == 4
    with pytest.raises(RuntimeError):
        _stop_in_the_middle(plan)
    assert len(hosts) == 6


def _stop_in_the_middle(plan):
    for _ in blocks(plan, 0, 100, InProcess()):
        raise RuntimeError


def test_few_plans_are_kept_ready_and_the_others_closed(monkeypatch):
    closed = []
    monkeypatch.setattr(watched.Watched, "close", lambda agent: closed.append(agent))
    plans = [
        plan_match("kuhn", {}, ["random", "weaken(random)"], seed=seed) for seed in range(1000, 1000 + KEPT + 1)
    ]
    first = prepared(plans[0])
    for plan in plans:
        prepared(plan)
    assert closed[-2:] == first[1]
    assert prepared(plans[1]) is prepared(plans[1])
    for plan in plans:
        release(plan)
    assert len(closed) >= 2 * len(plans)


COMPILED = """
import sys
import stich.arena.play as arena
from numba.core.dispatcher import Dispatcher
from stich.arena.plan import plan_match

def compiled():
    modules = [module for name, module in sys.modules.items() if name.startswith("stich.")]
    found = {id(one): one for module in modules for one in vars(module).values() if isinstance(one, Dispatcher)}
    return {one.__name__: len(one.overloads) for one in found.values() if one.overloads}

def watched(*given):
    before = compiled()
    real(*given)
    print({name: count for name, count in compiled().items() if count != before.get(name)})

real, arena._run = arena._run, watched
arena.play(plan_match(sys.argv[1], {}, sys.argv[2:]), 0, 4)
"""


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("kuhn", ["random", "weaken(random)"]),
        ("jass", ["rule", "jass(trump=jass-trump-simple, cards=mc(d=2, i=2))"]),
        ("cego.solo", ["model(cego.solo/dmc)", "rule"]),
        ("schnapsen.deal", ["pimc(d=2)", "seats(random, ismcts(i=5))"]),
    ],
)
def test_nothing_is_compiled_while_time_counts(game, agents):
    """Neither agents nor the arena compile or load kernels in the first decisions of a match."""
    assert (
        python(COMPILED.replace("sys.argv[1]", repr(game)).replace("sys.argv[2:]", repr(agents))).strip() == "{}"
    )


def test_the_masks_of_the_arena_serve_the_search(monkeypatch):
    """A search asks no second time what is legal."""
    game = stich.make("jass")
    agents = [watched.Watched(game, "jass", spec, 0.0) for spec in ("mc(d=2, i=2)", "jass(cards=mc(d=2, i=2))")]
    state = game.new(1)
    view, mask = state.view(state.player), np.array([state.mask])
    monkeypatch.setattr("stich.agents.search.legal_masks", None)
    monkeypatch.setattr("stich.agents.composed.legal_masks", None)
    for agent in agents:
        assert mask[0] >> agent.act_many(view.array, stream(1, "x"), mask)[0] & 1
    assert [agent.take_faults()[0] for agent in agents] == [{}, {}]


def test_the_exit_code_tells_of_faults():
    code, record = match_json("jass", "random", "bad_agents:Cheats", "--games", "20", "--workers", "1")
    assert code == 1
    assert record["faults"]["bad_agents:Cheats"]["illegal"] > 0


class Bot(BaseHTTPRequestHandler):
    """A remote bot: the first legal action, nonsense, a failure or a long silence, by its path."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/slow":
            time.sleep(1.0)
        answers = {"/good": {"action": body["legal"][0]}, "/nonsense": {"action": "castle"}, "/empty": []}
        text = json.dumps(answers.get(self.path, {})).encode()
        self.send_response(500 if self.path == "/broken" else 200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def bot():
    server = HTTPServer(("127.0.0.1", 0), Bot)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_remote_bot_plays(bot):
    result = run_match(plan_match("kuhn", {}, ["random", f"http({bot}/good)"]), 5, InProcess())
    assert result.faults == {}


@pytest.mark.parametrize("path", ["nonsense", "broken", "empty", "slow"])
def test_a_remote_bot_that_fails_is_a_fault(bot, path):
    spec = f"http({bot}/{path}, timeout=0.2)"
    result = run_match(plan_match("kuhn", {}, ["random", spec]), 2, InProcess())
    assert sum(result.faults[spec].values()) > 0
    assert result.deals == 2


def test_a_remote_bot_that_is_gone_is_a_fault():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    spec = f"http(http://127.0.0.1:{port}/bot)"
    result = run_match(plan_match("kuhn", {}, ["random", spec]), 2, InProcess())
    assert "Connect" in result.examples[spec]
