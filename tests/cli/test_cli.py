"""The command line as a user meets it, each command in a process of its own."""

import json
import re

import pytest

import stich
from conftest import HERE, TOY, run


def test_help_names_every_command():
    done = run("--help")
    assert done.returncode == 0
    for command in ("games", "rules", "play", "sim", "replay", "bench"):
        assert command in done.stdout
        assert "--json" in run(command, "--help").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["sim", "bridge"],
        ["sim", "jass", "-o", "undertrump=maybe"],
        ["sim", "jass", "-o", "colour=red"],
        ["sim", "jass", "-o", "rounds"],
        ["sim", "jass", "--rounds", "0"],
        ["sim", "jass", "--rounds", "many"],
        ["rules", "bridge"],
        ["play", "bridge"],
        ["play", "jass", "--seat", "4"],
        ["play", "jass", "--bots", "wizard"],
        ["play", "jass", "--bots", "no_module:Agent"],
        ["replay", "no-such-file"],
        ["replay"],
        ["bench", "bridge"],
        ["sim", str(HERE / "conftest.py")],
        ["sim", str(HERE / "no_such_game.py")],
        ["dance"],
    ],
    ids=" ".join,
)
def test_bad_input_is_a_clear_message_and_exit_2(arguments):
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    if done.stderr.startswith("stich: "):
        assert len(done.stderr.splitlines()) == 1


def test_games_lists_variants_and_options():
    text = run("games").stdout
    for name in stich.names():
        assert name in text
    listed = json.loads(run("games", "--json").stdout)
    assert [entry["name"] for entry in listed] == stich.names()
    jass = next(entry for entry in listed if entry["name"] == "jass")
    assert {option["name"] for option in jass["options"]} >= {"undertrump", "melds", "target"}


def test_rules_show_the_page():
    text = run("rules", "jass").stdout
    assert "Which cards may be played" in text
    assert "planes43" in text
    assert max(len(line) for line in text.splitlines()) <= 110
    assert "except from a hand of nothing but trumps" in " ".join(text.split())
    page = json.loads(run("rules", "jass", "--json").stdout)["page"]
    assert page == run("rules", "jass", "--markdown").stdout


def test_sim_is_reproducible_and_gives_intervals():
    first = json.loads(run("sim", "jass", "--rounds", "20000", "--seed", "3", "--json").stdout)
    again = json.loads(run("sim", "jass", "--rounds", "20000", "--seed", "3", "--json").stdout)
    assert first["seats"] == again["seats"]
    assert first["moves_per_s"] > first["rounds_per_s"] > 0
    for row in first["seats"]:
        assert row["low"] < row["mean"] < row["high"]
        assert row["low"] < 78.5 < row["high"]
    text = run("sim", "jass", "--rounds", "1000", "-o", "match_bonus=on").stdout
    assert "match_bonus=on" in text
    assert "rounds/s" in text


def test_a_game_is_played_to_its_end(tmp_path):
    saved = tmp_path / "game.jsonl"
    done = run("play", "jass", "--seed", "4", "--save", str(saved), stdin="1\n" * 60)
    assert done.returncode == 0
    assert "The game is over" in done.stdout
    assert "Last trick:" in done.stdout
    assert "takes the trick" in done.stdout
    replayed = run("replay", str(saved), "--json")
    assert json.loads(replayed.stdout)["files"][0]["mismatches"] == 0


def test_a_game_is_played_in_another_language():
    done = run("play", "jass", "--seed", "4", "--language", "de", stdin="1\n" * 60)
    assert "Das Spiel ist aus" in done.stdout
    assert "macht den Stich" in done.stdout
    assert "Die Runde ist gespielt: wir 136, Gegner 21" in done.stdout
    assert "Letzter Stich" in run("play", "jass", "--seed", "4", stdin="1\n" * 60, LANG="de_CH.UTF-8").stdout
    assert "there are no words in 'xx'" in run("play", "jass", "--language", "xx").stderr
    named = run("play", "jass", "--seed", "4", "--seat", "2", "--language", "fr", stdin="♦D\nq\n")
    assert "is not legal" not in named.stdout


def test_moves_by_name_wrong_moves_help_and_q():
    done = run("play", "jass", "--seed", "4", "--seat", "0", stdin="nonsense\n99\n?\nq\n")
    assert done.returncode == 0
    assert "nonsense is not legal for seat 0; legal: " in done.stdout
    assert "99 is not legal" in done.stdout
    assert "left before its end" in done.stderr
    assert "\x1b" not in done.stdout
    assert run("play", "jass", "--seed", "4", stdin="").returncode == 0


def test_a_plain_terminal_gets_letters_for_suits():
    done = run("play", "jass", "--seed", "4", stdin="q\n", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "South" in done.stdout
    assert done.stdout.isascii()
    assert re.search(r"\b[DHSC](10|[AKQJ6-9])\b", done.stdout)


def test_a_colour_terminal_gets_colours():
    assert "\x1b[" in run("play", "jass", "--seed", "4", stdin="q\n", FORCE_COLOR="1").stdout


def test_json_lines_let_a_program_play():
    done = run("play", "jass", "--seed", "4", "--json", stdin="XX\n" + "1\n" * 60)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[0]["event"] == "begin"
    assert events[-1]["event"] == "end"
    assert sum(events[-1]["returns"]) == 314
    kinds = {event["event"] for event in events}
    assert kinds == {"begin", "move", "choose", "refused", "end"}
    choices = [event for event in events if event["event"] == "choose"]
    assert all(event["player"] == 2 and event["legal"] for event in choices)


def test_a_person_is_not_shown_hidden_cards():
    """What the terminal prints does not change when only cards that the seat cannot know change places."""
    state = stich.make("jass").new(4)
    view = state.view(2)
    assert str(view).count("♦") + str(view).count("♥") + str(view).count("♠") + str(view).count("♣") == 9


def test_the_strangers_game_needs_nothing_but_its_file():
    """Playouts, lockstep and sampler run in the conformance suite, the adapters in theirs."""
    assert json.loads(run("sim", str(TOY), "--rounds", "5000", "--json").stdout)["rounds_per_s"] > 0
    done = run("play", str(TOY), "--seed", "1", stdin="1\n" * 9)
    assert "The game is over" in done.stdout
    assert "Duel" in run("rules", str(TOY)).stdout


def test_bench_rows_and_signatures():
    done = run("bench", str(TOY), "--json")
    assert done.returncode == 0
    report = json.loads(done.stdout)
    for row in report["rows"]:
        assert set(row) == {"name", "value", "unit", "budget", "ok"}
        assert row["ok"] == (row["value"] <= row["budget"])
    names = {row["name"] for row in report["rows"]}
    assert {
        "duel random play",
        "sampler prepare, 4 places",
        "sampler draw, 4 places",
        "stich --help",
    } <= names
    assert re.fullmatch("[0-9a-f]{16}", report["signatures"]["duel"])
