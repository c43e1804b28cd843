"""Behaviour studies: counts add up, blocks and workers do not matter, shares are what they must be."""

import json

import numpy as np
import pytest

import stich
from conftest import TOY, run
from stich.agents import make_agent
from stich.arena import stats, study
from stich.arena.play import prepared
from stich.arena.study import plan_study, reach, study_cards, study_position, study_positions
from stich.core import kernels
from stich.core.errors import StichError
from stich.core.rng import numbered, stream
from stich.run.workers import open_workers

HERE = open_workers(1)


def near(count: int, trials: int, chance: float) -> bool:
    """Whether a count lies within 4 standard deviations."""
    return abs(count - trials * chance) < 4 * np.sqrt(trials * chance * (1 - chance))


def test_wilson_interval():
    # 8 of 10: the textbook example, 0.4902 to 0.9433; none of 10 begins at 0 and ends at z^2 / (10 + z^2).
    assert np.allclose(stats.wilson(8, 10), (0.4902, 0.9433), atol=1e-4)
    assert np.allclose(stats.wilson(np.array([0, 10]), 10), ([0, 0.7225], [0.2775, 1]), atol=1e-4)


def test_every_card_of_a_round_is_played_once():
    plan = plan_study("jass", {}, seats=["rule"], seed=1)
    seats = [study_cards(plan, seat, None, 60, HERE).counts for seat in range(4)]
    for counts in seats:
        assert counts.shape[0] == 9
        assert (counts.sum(axis=1) == 60).all()
    total = sum(counts.sum(axis=0) for counts in seats)
    assert (total[:36] == 60).all()
    assert not total[36:].any()


def test_phases_add_up_to_all_decisions():
    plan = plan_study("jass", {"melds": "on"}, seats=["random"], seed=2)
    parts = [study_cards(plan, 2, phase, 80, HERE) for phase in ("trump", "melds", "cards")]
    everything = study_cards(plan, 2, "all", 80, HERE)
    assert sum(part.counts.sum(axis=0) for part in parts).tolist() == everything.counts.sum(axis=0).tolist()
    assert study_cards(plan, 2, "melds, cards, trump", 80, HERE).counts.tolist() == everything.counts.tolist()
    assert all(action >= 36 for action in parts[0].actions)
    assert parts[2].phases == study_cards(plan, 2, None, 5, HERE).phases == ("cards",)


def test_random_play_of_a_game_without_phases():
    # Kuhn: pass or bet, and after pass and bet (a quarter of the games) once more.
    found = study_cards(plan_study("kuhn", {}), 0, None, 4000, HERE)
    assert found.counts.shape == (2, 2)
    for decision, chance in ((0, 1 / 2), (1, 1 / 8)):
        for action in range(2):
            assert near(found.counts[decision, action], 4000, chance)
    rows = found.record()["rows"]
    assert [row["name"] for row in rows] == ["pass", "pass", "bet", "bet"]
    assert sum(row["share"] for row in rows if row["decision"] == 1) == pytest.approx(1)
    assert all(row["low"] < row["share"] < row["high"] for row in rows)


def test_blocks_and_workers_do_not_matter():
    plan = plan_study("jass", {}, seats=["rule", "random", "weaken(rule, p=0.5)", "random"], seed=3)
    whole = study._play_cards(2, (2,), plan, 0, 30).notes
    parts = [study._play_cards(2, (2,), plan, first, count).notes for first, count in ((0, 7), (7, 1), (8, 22))]
    assert (sum(parts) == whole).all()
    two = open_workers(2)
    try:
        for one, many in (
            (study_cards(plan, 2, None, 30, HERE), study_cards(plan, 2, None, 30, two)),
            (study_positions(plan, 30, HERE), study_positions(plan, 30, two)),
        ):
            assert {**one.record(), "seconds": 0} == {**many.record(), "seconds": 0}
    finally:
        two.close()


def test_tables_of_different_length_are_added():
    long, short = np.ones((3, 2), np.int64), np.full((1, 2), 5)
    for total in (study._added(long, short), study._added(short, long)):
        assert total.tolist() == [[6, 6], [1, 1], [1, 1]]


def test_positions_begin_with_the_seat_that_acts_first():
    plan = plan_study("jass", {}, agents=["rule", "random"], seed=4)
    found = study_positions(plan, 100, HERE)
    states = np.repeat(prepared(plan)[0].template, 50)
    kernels.deal_all(states, numbered(0, 50, 4, "deals"))
    first = [stich.make("jass").state(states[i : i + 1]).player for i in range(50)]
    assert found.starters.tolist() == [[seat, seat] for seat in first]
    assert len(set(first)) == 4
    # Two sides that change: each agent is once at each position of a deal, and partners have the same points.
    assert [(row["agent"], row["position"], row["games"]) for row in found.rows] == [
        (agent, position, 50) for agent in ("rule", "random") for position in (1, 2, 3, 4)
    ]
    rule, random = found.rows[:4], found.rows[4:]
    assert rule[0]["points"] == rule[2]["points"]
    assert rule[0]["points"]["mean"] + random[1]["points"]["mean"] == pytest.approx(157)
    own = [found.figures[deal, arrangement, first[deal], 0] for deal in range(50) for arrangement in range(2)]
    assert rule[0]["points"]["mean"] + random[0]["points"]["mean"] == pytest.approx(2 * np.mean(own))


def test_the_first_position_of_random_kuhn_poker():
    # Pass and bet at random: +1 for bet and pass (1/4), -1 for pass, bet and pass (1/8), else an even showdown.
    found = study_positions(plan_study("kuhn", {}), 20_000, HERE)
    first, second = found.rows
    assert first["position"] == 1
    half = first["points"]["high"] - first["points"]["mean"]
    assert abs(first["points"]["mean"] - 1 / 8) < 2 * half
    assert second["points"]["mean"] == pytest.approx(-first["points"]["mean"])
    assert first["win"]["mean"] + second["win"]["mean"] == pytest.approx(1)


def test_a_position_met_once_has_no_interval():
    found = study_positions(plan_study("kuhn", {}), 1, HERE)
    assert found.rows[0]["points"]["low"] is None
    json.dumps(found.record(), allow_nan=False)


@pytest.mark.parametrize(
    ("name", "options"), [("jass", {}), ("schnapsen.deal", {"claim": "chosen"}), ("cego", {}), (str(TOY), {})]
)
def test_moves_lead_to_the_position(name, options):
    game = stich.make(name, **options)
    rngs = stream(5, "moves")
    for seed in range(20):
        state, names = game.new(seed), []
        while not state.is_over and len(names) < 30:
            before, action = state.copy(), np.zeros(1, np.int64)
            kernels.random_all(state.array, rngs, action)
            names.append(state.action_name(int(action[0])))
            state.force(int(action[0]))
        again = reach(game, None, " ".join(names[:-1]), seed)
        assert again.array.tobytes() == before.array.tobytes()
        start = json.loads(json.dumps(game.new(seed).start()))
        assert reach(game, start, ", ".join(names[:-1]).lower(), 99).key() == before.key()


def test_a_move_may_have_a_name_of_two_words():
    # Schnapsen: with 66 points after a marriage the player claims or says `go on`; a random game may come there.
    game, rngs = stich.make("schnapsen.deal", claim="chosen"), stream(5, "moves")
    for seed in range(3000):
        state, names = game.new(seed), []
        while not state.is_over and "go on" not in state.legal_actions():
            action = np.zeros(1, np.int64)
            kernels.random_all(state.array, rngs, action)
            names.append(state.action_name(int(action[0])))
            state.force(int(action[0]))
        if not state.is_over:
            after = reach(game, None, " ".join([*names, "go", "on"]), seed)
            assert after.array.tobytes() == state.play("go on").array.tobytes()
            return
    pytest.fail("no game came there")


def test_a_random_agent_plays_evenly_in_a_position():
    game = stich.make("jass")
    found = study_position("jass", reach(game, None, "H", 3), "random", 9000, 1, 0)
    assert len(found.counts) == 9
    assert sum(found.counts.values()) == 9000
    for row in found.rows:
        assert near(row["count"], 9000, 1 / 9)
        assert row["low"] < row["share"] < row["high"]


def test_samples_do_not_depend_on_their_slices(monkeypatch):
    state = stich.make("jass").new(3)
    spec = "weaken(rule, p=0.5)"
    whole = study_position("jass", state, spec, 300, 1, 0).counts
    monkeypatch.setattr(study, "SLICE", 1e-9)
    told: list[int] = []
    assert study_position("jass", state, spec, 300, 1, 0, told.append).counts == whole
    assert told == list(range(1, 301))


def test_a_rule_plays_its_move():
    state = stich.make("jass").new(3)
    move = make_agent("rule", state.game).act(state.view(state.player), stream(0, "x"))
    found = study_position("jass", state, "rule", 50, 1, 0)
    assert {action: count for action, count in found.counts.items() if count} == {move: 50}


def test_an_agent_at_fault_is_named(tmp_path, monkeypatch):
    (tmp_path / "faulty_study.py").write_text(
        "import numpy as np\n"
        "from stich.agents import Agent\n"
        "class Wrong(Agent):\n"
        "    def act_many(self, views, rngs):\n"
        "        return np.full(len(views), 62)\n"
    )
    monkeypatch.chdir(tmp_path)
    found = study_position("jass", stich.make("jass").new(3), "faulty_study:Wrong", 20, 1, 0)
    assert sum(found.counts.values()) == 0
    assert found.faults.kinds == {"faulty_study:Wrong": {"illegal": 20}}
    plan = plan_study("kuhn", {}, seats=["faulty_study:Wrong", "random"])
    assert study_cards(plan, 0, None, 10, HERE).faults.kinds["faulty_study:Wrong"]["illegal"] >= 10


def test_what_cannot_be_studied_is_refused():
    game = stich.make("schnapsen.deal")
    with pytest.raises(StichError, match="move 1: XX is not legal"):
        reach(game, None, "XX", 0)
    for start in ({}, {"hands": 3}, {"nonsense": [1]}):
        with pytest.raises(StichError):
            reach(game, start, "", 0)
    with pytest.raises(StichError, match="over"):
        reach(stich.make("kuhn"), None, "bet pass", 0)
    with pytest.raises(StichError, match="nothing to decide"):
        study_cards(plan_study("jass", {}), 0, "melds", 3, HERE)


@pytest.mark.parametrize(
    "arguments",
    [
        ["cards", "bridge"],
        ["cards", "jass", "--seat", "4"],
        ["cards", "jass", "--phase", "bidding"],
        ["cards", "kuhn", "--phase", "cards"],
        ["cards", "jass", "--seats", "rule,random"],
        ["cards", "jass", "--plot", "heat.pdf"],
        ["positions", "jass", "--agents", "rule,random", "--seats", "rule"],
        ["positions", "jass", "--agents", "rule,random,rule,rule,rule"],
        ["position", "jass", "--moves", "H H"],
        ["position", "jass", "--agent", "wizard"],
        ["position", "jass", "no-such-file.json"],
        ["position", "jass", str(TOY)],
    ],
    ids=" ".join,
)
def test_bad_input_is_a_clear_message_and_exit_2(arguments):
    done = run(*([] if arguments[0] == "position" else ["study"]), *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("stich: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["cards", "cego.ultimo", "--games", "40", "--workers", "1"], "1-trump"),
        (
            ["positions", "schnapsen.deal", "--agents", "rule,random", "--games", "40", "--workers", "1"],
            "position",
        ),
        (["position", "schnapsen.deal", "--agent", "random", "--samples", "40"], "95 % interval"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_studies_print_tables_json_and_pictures(arguments, text, tmp_path):
    image = pytest.importorskip("matplotlib.image")
    picture = tmp_path / "study.png"
    command = [*([] if arguments[0] == "position" else ["study"]), *arguments]
    done = run(*command, "--plot", str(picture))
    assert done.returncode == 0, done.stderr
    assert text in done.stdout
    assert f"written: {picture}" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    height, width = image.imread(picture).shape[:2]
    assert min(height, width) > 300
    record = json.loads(run(*command, "--json").stdout)
    assert record["rows"]
    assert record["faults"] == {}


def test_a_start_from_a_file(tmp_path):
    file = tmp_path / "start.json"
    file.write_text(json.dumps(stich.make("jass").new(8).start()))
    command = ["position", "jass", "--moves", "h", "--agent", "rule"]
    by_file = json.loads(run(*command, str(file), "--json").stdout)
    by_seed = json.loads(run(*command, "--seed", "8", "--json").stdout)
    assert by_file["table"] == by_seed["table"]
    assert sum(row["count"] for row in by_file["rows"]) == by_file["samples"] == 1000
    file.write_text("[1]")
    done = run("position", "jass", str(file))
    assert done.returncode == 2
    assert "JSON object" in done.stderr


def test_several_agents_stand_side_by_side():
    command = ["position", "jass", "--moves", "h", "--agent", "rule", "--agent", "random", "--samples", "90"]
    found = json.loads(run(*command, "--json").stdout)["agents"]
    assert [one["agent"] for one in found] == ["rule", "random"]
    assert all(sum(row["count"] for row in one["rows"]) == 90 for one in found)
    assert "rule" in (text := run(*command).stdout)
    assert "90 samples each" in text
