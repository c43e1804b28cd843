"""Document 000 again: counts add up, intervals and verdicts are right, small runs agree with the document."""

import json
import re
import sys
from math import factorial, sqrt
from statistics import NormalDist

import numpy as np
import pytest

import stich
from conftest import run
from stich.cli.paper import paper
from stich.core.plain import Plain
from stich.games.cego.cards import CARDS, GSTIESS, LOW, POWER, SUIT_OF
from stich.papers import experiments, find
from stich.papers.cego import play as cego
from stich.papers.cego.kernels import winning_card
from stich.papers.cego.play import TABLE_4, TABLE_5, TABLE_6
from stich.papers.report import Run, exact, largest, limit_of, mean, proportion, spread
from stich.run.figures import check_file


@pytest.fixture(scope="module")
def tricks():
    return cego.play_tricks(Run(300_000, 12))


@pytest.fixture(scope="module")
def advantages():
    return cego.advantage_report(Run(60_000, 12))


# --- what the document says ------------------------------------------------------------------------------------


def test_the_document_was_copied_whole():
    assert set(TABLE_4) == set(TABLE_5) == set(CARDS)
    for table in (TABLE_4, TABLE_5):
        values = list(table.values())
        assert values == sorted(values, reverse=True)
    assert sum(TABLE_5.values()) == pytest.approx(100)
    low = [card for i, card in enumerate(CARDS) if LOW >> i & 1]
    assert sum(TABLE_5[card] for card in low) == pytest.approx(cego.LOW_SHARE)


def test_table_6_adds_up():
    whole = {"standard": 79, "solo": 79, "ultimo": 100, "bettel": 100, "piccolo": 100}
    for (subgame, _), (single, *others) in TABLE_6.items():
        if subgame == "raeuber":
            assert single + sum(others) == pytest.approx(300, abs=0.002)
        else:
            assert [single + other for other in others] == pytest.approx([whole[subgame]] * 3)


def test_tables_4_and_5_of_the_document_are_from_different_games():
    """What a table of the same games would imply is out of reach for these cards, and for these only."""
    assert set(cego.impossible_plays()) == {"10-c", "10-s", "2-trump", "r-c"}
    low, high = cego.implied_plays("10-c")
    assert low < high < cego.PLAYED - 20 * 388
    assert "10-c" in cego.two_runs()


def test_cards_of_a_rank_differ_by_chance_alone_in_the_document():
    queens = [24.22, 24.21, 24.11, 24.23]
    variance = 24.1925 * (100 - 24.1925) / cego.PLAYED + 0.005**2 / 3
    assert cego.rank_evenness(6) == pytest.approx(sum((value - 24.1925) ** 2 for value in queens) / variance)
    assert max(cego.rank_evenness(rank) for rank in range(8)) < 7.8  # 3 degrees of freedom at 5 %
    assert "p = 0." in cego.uneven_rank()


def test_the_number_of_deals_is_exact():
    deals = cego.number_of_deals()
    assert deals == factorial(54) // (factorial(11) ** 4 * factorial(10))
    assert f"{deals:.2e}" == "2.51e+34"
    [row] = cego.deals_report().rows
    assert row.agrees(0)
    assert not exact(row.labels, 2.52e34, deals, row.rounding).agrees(0)


# --- counting --------------------------------------------------------------------------------------------------


def test_counts_add_up(tricks):
    games, wins, plays, pairs = tricks.games, tricks.wins, tricks.plays, tricks.pairs
    assert games == 300_000
    assert wins.sum() == 11 * games
    assert plays.sum() == 44 * games
    assert (wins <= plays).all()
    assert (plays <= games).all()
    assert wins[GSTIESS] == plays[GSTIESS]
    assert (pairs == pairs.T).all()
    assert (pairs.sum(axis=1) == 11 * wins).all()
    assert tricks.share(list(range(54))) == pytest.approx((100, 0), abs=1e-4)


def test_who_leads_next_played_the_winning_card():
    """Against the rule itself: the highest trump, else the highest card of the led suit."""
    game = stich.make("cego.solo")
    for seed in range(5):
        state = game.new(seed)
        while not state.is_over:
            state.play(state.action_ids()[seed % len(state.action_ids())])
        for trick in range(11):
            cards = state.record["plays"][4 * trick : 4 * trick + 4].tolist()
            best = max(cards, key=lambda card: POWER[SUIT_OF[cards[0]], card])
            assert winning_card(Plain(state.record), trick) == best


def test_a_seed_fixes_everything_and_slices_nothing():
    told = []
    first = cego.play_tricks(Run(3000, 5, lambda *what: told.append(what)))
    again, other = cego.play_tricks(Run(3000, 5)), cego.play_tricks(Run(3000, 6))
    assert (first.pairs == again.pairs).all()
    assert (first.plays == again.plays).all()
    assert (first.pairs != other.pairs).any()
    assert told[-1] == ("solo, trick wins", 3000, 3000)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


# --- statistics ------------------------------------------------------------------------------------------------


def test_intervals_cover_and_deviations_are_standard():
    """Both samples drawn from the same truth, theirs rounded to two decimals of a per cent."""
    rng = np.random.default_rng(1)
    for truth in (0.003, 0.24, 0.9):
        hits = rng.binomial(50_000, truth, 2000)
        theirs = np.round(100 * rng.binomial(40_000, truth, 2000) / 40_000, 2)
        rows = [
            proportion({}, document, (int(hit), 50_000), 40_000, 100, 0.005)
            for hit, document in zip(hits, theirs, strict=True)
        ]
        covered = np.mean([row.low <= 100 * truth <= row.high for row in rows])
        assert 0.93 < covered < 0.97
        assert 0.95 < spread(rows) < 1.05
        assert np.mean([row.agrees(1.96) for row in rows]) == pytest.approx(0.95, abs=0.02)


def test_means_have_the_error_of_the_difference():
    row = mean({"seat": 0}, 30.0, (30.1, 11.0, 10_000), 1_000_000, 0.0005)
    assert row.error == pytest.approx(11 * sqrt(1 / 10_000 + 1 / 1_000_000), rel=1e-4)
    assert (row.low, row.high) == pytest.approx((30.1 - 1.96 * 0.11, 30.1 + 1.96 * 0.11), abs=1e-4)
    assert row.deviation == pytest.approx(0.1 / row.error)
    assert row.decimals == 3


def test_the_limit_allows_one_false_alarm_in_twenty_runs():
    sure = exact({}, 30, 30, 0)
    rows = [mean({"n": n}, 0.0, (float(n), 1.0, 100), 100, 0.0) for n in (1, -3, 2)]
    assert limit_of([*rows, sure]) == pytest.approx(-NormalDist().inv_cdf(0.05 / 3 / 2))
    assert largest([sure, *rows]) is rows[1]
    assert largest([sure]) is None
    assert [row.agrees(3.5) for row in rows] == [False, False, False]


# --- our results -----------------------------------------------------------------------------------------------


def test_trick_wins_agree_with_the_document(tricks):
    rows = [row for report in cego.trick_reports(tricks) for row in report.rows]
    assert len(rows) == 108
    assert [row.labels for row in rows if not row.agrees(limit_of(rows))] == []
    assert 0.8 < spread(rows) < 1.2
    assert all(row.low <= row.ours <= row.high for row in rows)


def test_the_split_is_the_documents(tricks):
    low = cego.split(tricks)
    assert sum(1 << card for card in low) == LOW
    report = cego.split_report(tricks)
    assert all(row.agrees(limit_of(report.rows)) for row in report.rows)
    assert report.facts["same_set"]
    assert report.facts["low_cards"] == [CARDS[card] for card in low]
    assert tricks.share(low)[0] < 20 < tricks.share([*low, CARDS.index("d-h")])[0]


def test_a_split_that_differs_is_described(tricks):
    low = [card for card in cego.split(tricks) if card != CARDS.index("6-trump")]
    note = cego.split_notes(tricks, low)[0]
    assert "the document's set has instead: 6-trump; it has not: none" in note


def test_advantages_agree_with_the_document(advantages):
    rows = advantages.rows
    assert len(rows) == 44
    assert [row.labels for row in rows if not row.agrees(limit_of(rows))] == []
    for row in rows:
        assert row.low < row.ours < row.high


def test_later_seats_of_raeuber_owe_their_advantage_to_ties(advantages):
    """With ties shared the three that do not lead are alike, and a game still has one loser."""
    shared = advantages.facts["raeuber_ties_shared"]
    assert sum(shared) == pytest.approx(300)
    assert max(shared[1:]) - min(shared[1:]) < 5 * sqrt(2 * 25 * 75 / 60_000)
    seats = [row.ours for row in advantages.rows if row.labels["subgame"] == "raeuber"]
    assert seats[0] < shared[0]
    assert seats[3] > shared[3]


# --- the command -----------------------------------------------------------------------------------------------


def test_json_holds_every_table(capsys):
    paper("cego-tables", games=5000, json=True)
    report = json.loads(capsys.readouterr().out)
    rows = report["rows"]
    for row in rows:
        assert {"table", "document", "ours", "low", "high", "error", "deviation", "agrees"} <= set(row)
    tables = [row["table"] for row in rows]
    assert [tables.count(table) for table in (4, 5, "5.3", 6, "equation 11")] == [54, 54, 4, 44, 1]
    assert {row["card"] for row in rows if row["table"] == 5} == set(CARDS)
    seats = {(row["subgame"], row["heuristic"], row["seat"]) for row in rows if row["table"] == 6}
    assert seats == {(*column, seat) for column in TABLE_6 for seat in range(4)}
    assert rows[-1]["ours"] == cego.number_of_deals()
    worst = max((row for row in rows if row["deviation"] is not None), key=lambda row: abs(row["deviation"]))
    assert report["largest_deviation"] == worst
    assert (report["games"], report["seed"]) == (5000, 12)
    assert (report["wins_per_game"], report["plays_per_game"]) == (11, 44)
    assert report["notes"]


def test_text_names_deviations_and_how_to_draw(capsys):
    paper("cego-table-6", games=2000, seed=3)
    text = capsys.readouterr().out
    assert "2,000 games a simulation, seed 3" in text
    assert "Largest deviation" in text
    assert "stich paper cego-table-6 --plot FILE.png" in text
    assert max(len(line) for line in text.splitlines() if line.endswith(("yes", "no"))) <= 80
    assert "…" not in text


def test_the_command_prints_the_number_of_deals():
    done = run("paper", "cego-equation-11")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{cego.number_of_deals():,}" in done.stdout
    assert "2.51e+34" in done.stdout
    assert "--plot" not in done.stdout
    assert json.loads(run("paper", "cego-equation-11", "--json").stdout)["rows"][0]["agrees"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["jass-tables"],
        ["cego-equation-11", "--plot", "figure.png"],
        ["cego-equation-11", "--full"],
        ["cego-table-4", "--games", "999"],
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line_and_exit_2(arguments):
    done = run("paper", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("stich: ")
    assert len(done.stderr.splitlines()) == 1


def test_experiments_are_found_by_name():
    judged = ["table-4", "table-5", "figure-8", "table-6", "equation-11", "tables"]
    assert list(experiments())[: len(judged)] == [f"cego-{name}" for name in judged]
    assert all(re.fullmatch("[a-z]+(-[a-z0-9]+)+", name) and found.doc for name, found in experiments().items())
    assert not find("cego-equation-11").has_figure


def test_tables_4_and_5_can_be_run_alone(capsys, tmp_path):
    for table in (4, 5):
        paper(f"cego-table-{table}", games=1000, plot=tmp_path / f"{table}.png", json=True)
        found = json.loads(capsys.readouterr().out)
        assert {row["table"] for row in found["rows"]} == {table}
        assert (tmp_path / f"{table}.png").exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["analyse", "cego", "deals"], "paper cego-equation-11"),
        (["reproduce"], "paper"),
        (["analyse-position", "kuhn", "--agent", "mc(d=2)"], "position"),
        (["study", "position", "kuhn", "--samples", "2"], "position"),
    ],
    ids=" ".join,
)
def test_old_commands_still_run_and_name_the_new_ones(old, new):
    done = run(*old, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    assert f"is now `stich {new}`" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert old[0] == "study" or old[0] not in re.findall(r"[a-z-]+", run("--help").stdout)


# --- figures ---------------------------------------------------------------------------------------------------


def test_a_file_is_drawn_for_each_figure(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    paper("cego-tables", games=1000, plot=tmp_path / "cego.png", json=True)
    names = ["cego-trick-wins.png", "cego-high-low.png", "cego-advantages.png"]
    assert json.loads(capsys.readouterr().out)["figures"] == [str(tmp_path / name) for name in names]
    for name in names:
        content = (tmp_path / name).read_bytes()
        assert content.startswith(b"\x89PNG")
        assert len(content) > 20_000


def test_a_single_figure_keeps_its_name(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "figure.png"
    paper("cego-figure-8", games=1000, plot=path)
    assert f"drawn: {path}" in capsys.readouterr().out
    assert path.exists()


@pytest.mark.parametrize("name", ["figure.pdf", "no/such/folder/figure.png"])
def test_a_file_that_cannot_be_drawn_is_refused_at_once(name, tmp_path):
    pytest.importorskip("matplotlib")
    with pytest.raises(stich.StichError, match="figure"):
        paper("cego-tables", games=10**12, plot=tmp_path / name, json=True)


def test_without_matplotlib_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(stich.StichError, match=r"pip install stich\[plot\]"):
        check_file(tmp_path / "figure.png")
