"""Document 000's evaluation of trained models: its line-ups, and models whose play is known."""

import json

import numpy as np
import pytest

from conftest import run
from stich.agents import make_agent
from stich.core import kernels
from stich.core.errors import StichError
from stich.core.rng import numbered
from stich.games import make
from stich.nets.inputs import Inputs
from stich.nets.model import describe, save_model
from stich.papers import experiments, find
from stich.papers.cego import models as cego_models
from stich.papers.cego.models import ALGORITHMS, TABLE_12, TABLE_13, TABLE_14, TABLE_15, more_often
from stich.papers.cego.training import EARLY_FRAMES, find_curve
from stich.papers.experiment import Effort
from stich.run.figures import save
from stich.run.workers import InProcess

NAMES = [f"cego-table-{number}" for number in (12, 13, 14, 15)]
FIGURES = [f"cego-figure-{number}" for number in (9, 10, 11, "e1", "f1")]
SUBGAMES = ("standard", "solo", "ultimo", "bettel", "piccolo", "raeuber")


def write_model(path, subgame, algorithm="dmc", frames=1, likes=(1, -1, -1, -1), **options):
    """A net for each seat without hidden units that likes high actions best (1) or low ones (-1)."""
    game = make(f"cego.{subgame}", **options)
    encoder = game.encoder(None, moves=False)[1]
    tensors = {}
    for seat, sign in enumerate(likes):
        tensors[f"net{seat}.0.weight"] = np.zeros((game.spec.actions, encoder.size), np.float32)
        tensors[f"net{seat}.0.bias"] = np.float32(sign) * np.arange(game.spec.actions, dtype=np.float32)
    facts = {
        "nets": 4,
        "net_of_seats": [0, 1, 2, 3],
        "layers": [encoder.size, game.spec.actions],
        "activation": "relu",
        "chooses": "value",
        "training": {"algorithm": algorithm, "game": game.name, "frames": frames},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    save_model(path, describe(game, Inputs(encoder.name, seat=False), facts), tensors)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A folder with every model, and one without that of nfsp and Piccolo."""
    folder = tmp_path_factory.mktemp("models")
    for subgame in SUBGAMES:
        write_model(folder / f"cego.{subgame}" / "dmc", subgame)
    for algorithm in ("dqn", "nfsp"):
        write_model(folder / "cego.standard" / algorithm, "standard", algorithm)
    return folder


def reproduce(name, **effort):
    return find(name).run(Effort(0, InProcess(), games=50, **effort))


def test_table_14_of_the_document_follows_from_table_13_by_our_reading_of_the_line_ups():
    """A is player 1 in Table 13; the side of B has what is left of 79 points or of all games."""
    for algorithm in ALGORITHMS:
        for figure, total in (("APPG", 79), ("WP", 100)):
            own = [values[figure] for (a, _), values in TABLE_13.items() if a == algorithm]
            own += [total - values[figure] for (_, b), values in TABLE_13.items() if b == algorithm]
            assert len(own) == 4
            assert np.mean(own) == pytest.approx(TABLE_14[algorithm][figure], abs=0.002)


def test_table_15_of_the_document_adds_up():
    for subgame, setups in TABLE_15.items():
        for values in setups:
            total = 300 if subgame == "raeuber" else 79 if subgame in ("standard", "solo") else 100
            assert sum(values) == pytest.approx(total, abs=0.035)


def test_the_time_steps_of_the_document_count_its_evaluations():
    assert 35_244_044 == 44 * (400_001 + 401 * 1000)
    assert 17_644_044 == 44 * (200_001 + 201 * 1000)
    assert EARLY_FRAMES == 500_000 // 2


def line_ups(monkeypatch, name, models):
    """Who is asked to sit where, by the names of the models' files."""
    asked = []

    def watch(effort, subgame, seats, seeds, what):
        short = [seat.removeprefix("model(").removesuffix(")").rsplit("/")[-1] for seat in seats]
        asked.append((subgame, short, tuple(seeds)))
        return np.zeros((4, 4, 2))

    monkeypatch.setattr(cego_models, "play_seats", watch)
    reproduce(name, models=models)
    return asked


def test_the_line_ups_of_phase_1_and_2_are_the_documents(monkeypatch, models):
    seeds = (12, 17, 20, 30, 33)
    assert line_ups(monkeypatch, "cego-table-12", models) == [
        ("standard", [f"{name},seat=0", "random", "random", "random"], seeds) for name in ("dmc", "dqn", "nfsp")
    ]
    both = [(a, b) for a in ALGORITHMS for b in ALGORITHMS if a != b]
    for name in ("cego-table-13", "cego-table-14"):
        found = line_ups(monkeypatch, name, models)
        expected = [("standard", [f"{a},seat=0", f"{b},seat=0", "random", "random"], seeds) for a, b in both]
        assert sorted(found) == sorted(expected)


def test_the_line_ups_of_table_15_are_the_documents(monkeypatch, models):
    m, r = "dmc", "random"
    normal = [[m, r, r, r], [r, m, r, r], [m, m, r, r], [m, m, m, m]]
    expected = [(subgame, seats) for subgame in SUBGAMES[:5] for seats in normal]
    expected += [("raeuber", seats) for seats in ([m, r, r, r], [m, m, r, r], [m, m, m, m])]
    found = line_ups(monkeypatch, "cego-table-15", models)
    assert [(subgame, seats) for subgame, seats, _ in found] == expected
    assert {seeds for *_, seeds in found} == {(31, 43, 67, 78, 112)}


def test_tables_carry_the_documents_values_and_ours_add_up(models):
    rows = [row.machine() for row in reproduce("cego-table-15", models=models).rows]
    keys = {"table", "setup", "subgame", "seat", "document", "ours", "low", "high"}
    assert all(keys <= set(row) and row["low"] <= row["ours"] <= row["high"] for row in rows)
    assert len(rows) == 5 * 4 * 4 + 3 * 4
    assert {row["count"] for row in rows} == {50}
    by_setup = {}
    for row in rows:
        by_setup.setdefault((row["subgame"], row["setup"]), []).append(row)
    for (subgame, setup), four in by_setup.items():
        assert [row["seat"] for row in four] == [0, 1, 2, 3]
        total = sum(row["ours"] for row in (four if subgame == "raeuber" else four[:2]))
        assert total == pytest.approx(
            300 if subgame == "raeuber" else 79 if subgame in ("standard", "solo") else 100
        )
        published = TABLE_15[subgame][setup - 1]
        assert [row["document"] for row in four][:2] == list(published[:2])
    assert [row["document"] for row in by_setup["raeuber", 2]] == [82.94, 83.85, 66.97, 66.25]


def test_a_model_is_measured_as_it_plays(models):
    """The same games by a plain loop, where player 1 plays his highest card."""
    effort = Effort(0, InProcess(), games=50, models=models)
    seats = [cego_models.find_model(effort, "bettel", "dmc").agent(), "random", "random", "random"]
    figures = cego_models.play_seats(effort, "bettel", seats, cego_models.SETUP_SEEDS, "")
    won = 100 * figures[:, 0, 0].mean()
    assert won == pytest.approx(play("bettel", ["high", "random", "random", "random"]))
    assert 0 < won < 100


def play(subgame, seats):
    """The single player's percentage of wins in the ten first deals of each seed, by a plain loop."""
    game, won = make(f"cego.{subgame}", heuristic="on"), []
    others = make_agent("random", game)
    for seed in (31, 43, 67, 78, 112):
        for number in range(10):
            array = game.template.copy()
            kernels.deal_all(array, numbered(number, 1, seed, "deals"))
            state = game.state(array)
            rngs = [numbered(number, 1, seed, "seat", seat) for seat in range(4)]
            while not state.is_over:
                me = state.player
                if seats[me] == "high":
                    state.play(max(state.action_ids()))
                else:
                    state.play(int(others.act_many(state.view(me).array, rngs[me])[0]))
            won.append(state.returns()[0])
    return 100 * np.mean(won)


def test_where_models_are_missing_the_rows_say_so_and_nothing_else(tmp_path, models):
    write_model(tmp_path / "cego.standard" / "dmc", "standard")
    rows = reproduce("cego-table-12", models=tmp_path).rows
    assert [row.missing for row in rows] == [""] * 2 + ["model(cego.standard/dqn)"] * 2 + [
        "model(cego.standard/nfsp)"
    ] * 2
    assert rows[2].machine() | {"document": 43.843} == rows[2].machine()
    assert [rows[2].machine()[name] for name in ("ours", "low", "high")] == [None] * 3
    empty = tmp_path / "empty"
    empty.mkdir()
    for name in [*NAMES, "cego-figure-f1"]:
        outcome = reproduce(name, models=empty)
        assert outcome.rows
        assert all(row.missing for row in outcome.rows)
        assert not outcome.statements
        save(outcome.draw, tmp_path / "nothing.png")


def test_of_several_runs_the_one_with_the_most_frames_plays(tmp_path):
    for name, frames in (("a", 10), ("b", 30), ("c", 20)):
        write_model(tmp_path / name / "model", "standard", "dqn", frames)
    write_model(tmp_path / "d" / "model", "solo", "dqn", 99)
    write_model(tmp_path / "e" / "model", "standard", "dqn", 99, reward="win")
    write_model(tmp_path / "f" / "model", "standard", "dmc", 99)
    found = cego_models.find_model(Effort(0, InProcess(), models=tmp_path), "standard", "dqn")
    assert found.path == tmp_path / "b" / "model"
    assert cego_models.find_model(Effort(0, InProcess(), models=tmp_path / "c"), "standard", "dqn").frames == 20
    (tmp_path / "b" / "model.json").write_text("{")
    with pytest.raises(StichError, match=r"card .* cannot be read"):
        cego_models.find_model(Effort(0, InProcess(), models=tmp_path), "standard", "dqn")


def test_a_model_can_play_every_seat_by_the_net_of_one(models):
    game = make("cego.solo")
    state = game.new(0)
    while state.player == 0 or len(state.action_ids()) == 1:
        state.play(state.action_ids()[0])
    views, legal = state.view(state.player).array, state.action_ids()
    for spec, wanted in (("", min(legal)), (",seat=0", max(legal)), (",seat=2", min(legal))):
        agent = make_agent(f"model({models / 'cego.solo' / 'dmc'}{spec})", game)
        assert agent.act_many(views, numbered(0, 1, 0)).tolist() == [wanted]
    with pytest.raises(StichError, match="there is no seat 4"):
        make_agent(f"model({models / 'cego.solo' / 'dmc'},seat=4)", game)


def test_the_cards_of_ultimo_by_round(models, tmp_path):
    outcome = reproduce("cego-figure-f1", models=models)
    shares = {(row.labels["card"], row.labels["round"]): row.ours.mean for row in outcome.rows}
    assert len(shares) == 22
    # The model plays its highest card: the Gstieß is never kept back, and the 1 of trumps goes before no other trump.
    assert sum(shares["gstiess-trump", number] for number in range(2, 12)) == 0
    assert shares["gstiess-trump", 1] > 0
    assert sum(shares["1-trump", number] for number in range(1, 12)) == pytest.approx(100)
    assert [statement.verdict for statement in outcome.statements][1] == "yes"
    save(outcome.draw, tmp_path / "f1.png")


def test_what_happens_more_often():
    found = more_often("", 3, 1, 10)  # +100 three times, -100 once, 0 six times
    assert found.difference.mean == pytest.approx(20)
    # Deviations from 20: 80 three times, -120 once, -20 six times: squares 36,000 over 9; Student's t is 2.262.
    assert found.difference.half == pytest.approx(2.262 * (36_000 / 9 / 10) ** 0.5, rel=1e-3)


def write_run(folder, name, algorithm, subgame, values, frames=50_000, options=None):
    path = folder / name
    path.mkdir(parents=True)
    setup = {"algorithm": algorithm, "game": f"cego.{subgame}", "options": options or {"heuristic": "on"}}
    (path / "manifest.json").write_text("{}")
    (path / "config.json").write_text(json.dumps(setup | {"config": {"frames": 9, "evaluate_games": 1000}}))
    lines = [{"kind": "training", "frames": 5, "loss": 1.0}]
    for number, value in enumerate(values):
        measured = {"side0 vs random": {"mean": value, "error": 0.1}, "side0 vs rule": {"mean": 0.0, "error": 0.1}}
        lines.append({"kind": "evaluation", "frames": number * frames, **measured})
    (path / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture
def runs(tmp_path):
    write_run(tmp_path, "dqn", "dqn", "standard", [40.0, 41, 42, 42, 42, 43.2, *[43.5] * 12, 43.0, 44.0])
    write_run(tmp_path, "short", "dqn", "standard", [10.0, 11.0])
    write_run(tmp_path, "other", "dqn", "standard", [0.1] * 30, options={"heuristic": "on", "reward": "win"})
    write_run(tmp_path, "nfsp", "nfsp", "standard", [40.0, 42.4])
    write_run(tmp_path, "dmc", "dmc", "bettel", [0.7, 0.8, 0.9])
    return tmp_path


def test_training_progress_stands_beside_what_the_document_says(runs, tmp_path):
    outcome = reproduce("cego-figure-9", runs=runs)
    rows = [(row.labels["part"], row.labels["frames"], row.document, row.ours.mean) for row in outcome.rows]
    assert rows == [
        ("beginning", 0, 40.5, 40.0),
        ("early", 250_000, 43.0, 43.2),
        ("end", 950_000, 43.5, pytest.approx((43.0 + 44.0) / 2)),  # the last two of twenty
    ]
    assert outcome.rows[0].ours.low == pytest.approx(40 - 1.96 * 0.1, abs=1e-4)
    assert [row.machine()["count"] for row in outcome.rows] == [1000] * 3
    assert len(outcome.rows[-1].machine()["curve"]) == 20
    assert [(claim.text, claim.verdict) for claim in outcome.statements] == [
        ("the points rise in training", "yes"),
        ("they rise more in the first 250,000 frames than afterwards", "yes"),
        ("they end above those of nfsp", "yes"),
    ]
    assert outcome.statements[2].difference.mean == pytest.approx(43.5 - 42.4)
    assert outcome.statements[2].difference.half == pytest.approx(1.96 * 0.1 * 2**0.5, rel=1e-4)
    save(outcome.draw, tmp_path / "9.png")
    one = find_curve(Effort(0, InProcess(), runs=runs / "short"), "standard", "dqn")  # the folder of a run itself
    assert [point[1] for point in one.points] == [10.0, 11.0]


def test_training_progress_in_all_sub_games(runs, tmp_path):
    for frames in range(0, 300_000, 10_000):
        likes = (1, 1 if frames else -1, -1, -1)
        write_model(runs / "dmc" / "snapshots" / f"{frames:012}", "bettel", likes=likes, heuristic="on")
    outcome = reproduce("cego-figure-e1", runs=runs)
    rows = [row for row in outcome.rows if row.labels["subgame"] == "bettel"]
    assert [(row.document, row.ours.mean) for row in rows[:2]] == [(73.081, 70.0), (78.94, 90.0)]
    keys = [(row.labels["setup"], row.labels["seat"], row.document) for row in rows[2:]]
    assert keys == [(2, 1, 26.919), (2, 1, 32.7), (3, 0, 73.081), (3, 0, 75.79), (4, 0, 73.081), (4, 0, 60.78)]
    assert len(rows[3].facts["curve"]) == 12  # of thirty
    assert rows[3].facts["curve"][-1][0] == 290_000
    assert rows[2].ours.mean != rows[3].ours.mean  # player 2 has learned something else
    assert [row.count for row in rows[2:]] == [50] * 6
    missing = [row for row in outcome.rows if row.missing]
    assert len(missing) == 2 * 19
    assert all(("snapshots=on" in row.missing) == (row.labels["setup"] != 1) for row in missing)
    assert [claim.verdict for claim in outcome.statements] == ["undecided"]  # 20 % more, with errors of 10 %
    save(outcome.draw, tmp_path / "e1.png")
    for name in FIGURES[:3]:
        nothing = reproduce(name)
        assert all("stich train" in row.missing for row in nothing.rows)
        save(nothing.draw, tmp_path / "nothing.png")


def test_the_command_says_by_its_exit_code_that_models_are_missing(tmp_path, models):
    assert {*NAMES, *FIGURES} <= set(experiments())
    (tmp_path / "cego.standard").mkdir()
    for kind in ("json", "safetensors"):
        file = f"cego.standard/dmc.{kind}"
        (tmp_path / file).write_bytes((models / file).read_bytes())
    arguments = ("paper", "cego-table-12", "--games", "20", "--workers", "1")
    found = run(*arguments, "--models", str(tmp_path), "--json")
    machine = json.loads(found.stdout)
    assert (found.returncode, machine["missing"]) == (1, ["model(cego.standard/dqn)", "model(cego.standard/nfsp)"])
    assert [row["document"] for row in machine["rows"]] == [
        v for values in TABLE_12.values() for v in values.values()
    ]
    assert [row["ours"] is None for row in machine["rows"]] == [False] * 2 + [True] * 4
    whole = run(*arguments, "--models", str(models))
    assert whole.returncode == 0
    assert "46.462" in whole.stdout
    for wrong, message in (
        (("cego-table-12", "--runs", str(models)), "shows no runs"),
        (("cego-figure-9", "--models", str(models)), "plays no models"),
        (("cego-figure-9", "--runs", str(tmp_path / "none")), "there is no folder"),
    ):
        refused = run("paper", *wrong)
        assert (refused.returncode, message in refused.stderr) == (2, True)
