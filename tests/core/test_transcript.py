"""Writing and reading transcripts, and what replay says of files that do not fit."""

import gzip
import json

import pytest

import stich
from conftest import HERE, run
from stich.core.errors import StichError
from stich.core.transcript import Transcript, read, replay_file, write

SAMPLE = HERE / "data" / "jass-schieber.jsonl.gz"
LINES = gzip.decompress(SAMPLE.read_bytes()).decode().splitlines()


def played(seed=1):
    transcript = Transcript(stich.make("jass").new(seed))
    while not transcript.state.is_over:
        transcript.play(transcript.state.legal_actions()[0])
    return transcript.record()


@pytest.mark.parametrize("name", ["game.jsonl", "game.jsonl.gz"])
def test_written_games_are_read_and_replayed(tmp_path, name):
    path = tmp_path / name
    records = [played(1), played(2)]
    write(path, records)
    assert [record for _, record in read(path)] == json.loads(json.dumps(records))
    report = replay_file(path, stich.make)
    assert (report.games, report.mismatches) == (2, 0)


def test_an_unfinished_game_can_be_written(tmp_path):
    transcript = Transcript(stich.make("jass.1000").new(1))
    transcript.play("H")
    write(tmp_path / "x.jsonl", [transcript.record()])
    assert replay_file(tmp_path / "x.jsonl", stich.make).decisions == 1


def broken(change):
    record = json.loads(LINES[0])
    change(record)
    return json.dumps(record)


def steal_a_card(record):
    record["deal"][0][0] = record["deal"][1][0]


BAD = {
    "empty": (b"", "is empty"),
    "text": (b"hello\n", "line 1 is not JSON"),
    "binary": (bytes(range(256)), "is not JSON"),
    "foreign": (b'{"path": "/x"}\n', "names no game"),
    "list": (b"[1]\n", "names no game"),
    "unknown game": (b'{"game": "bridge"}\n', "there is no game 'bridge'"),
    "cut off": (gzip.compress("\n".join(LINES[:3]).encode())[:-20], "cut off"),
    "cut off plain": (LINES[0][:-50].encode(), "line 1 is not JSON"),
    "damaged": (gzip.compress(LINES[0].encode())[:40] + b"\0" * 400, "damaged"),
    "no steps": (broken(lambda r: r.pop("steps")).encode(), "KeyError 'steps'"),
    "bad deal": (broken(steal_a_card).encode(), "36 different cards"),
    "bad card": (broken(lambda r: r["deal"][0].__setitem__(0, "X9")).encode(), "deal needs"),
    "steps of another kind": (broken(lambda r: r.__setitem__("steps", 3)).encode(), "TypeError"),
    "other format": (b'{"stich": 99, "game": "jass"}', "format 99"),
    "other rules": (
        json.dumps({**played(), "rules": 99}).encode(),
        "version 99 of the rules of jass; this is version 1",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_clear_line(tmp_path, name):
    content, words = BAD[name]
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(StichError) as error:
        replay_file(path, stich.make)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_one_clear_line(tmp_path):
    with pytest.raises(StichError, match="cannot be read"):
        replay_file(tmp_path / "none", stich.make)
    with pytest.raises(StichError, match="cannot be read"):
        replay_file(tmp_path, stich.make)


def change_step(record, **values):
    record["steps"][5].update(values)


WRONG = {
    "player": lambda r: change_step(r, p=(r["steps"][5]["p"] + 1) % 4),
    "legal": lambda r: change_step(r, legal=[*r["steps"][5]["legal"][:-1], "D6", "H6"]),
    "action": lambda r: change_step(r, a="C6" if "C6" not in r["steps"][5]["legal"] else "D6"),
    "json": lambda r: r["steps"][5]["json"].update(dealer=3 - r["dealer"]),
    "tricks": lambda r: r["tricks"][3].update(win=(r["tricks"][3]["win"] + 1) % 4),
    "points": lambda r: r.update(points=[r["points"][0] + 1, r["points"][1] - 1]),
    "legal under highest": lambda r: change_step(r, legal_highest=[*r["steps"][5]["legal"][:1], "C6", "D6"]),
}


@pytest.mark.parametrize("what", WRONG)
def test_every_kind_of_mismatch_is_found(tmp_path, what):
    record = json.loads(LINES[0])
    WRONG[what](record)
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps(record))
    report = replay_file(path, stich.make)
    assert report.mismatches >= 1
    assert f", {what}: recorded " in str(report.first)
    assert str(report.first).startswith("wrong.jsonl line 1, ")


def test_exit_codes_and_what_is_printed(tmp_path):
    wrong = tmp_path / "wrong.jsonl"
    record = json.loads(LINES[0])
    record["points"] = [1, 156]
    wrong.write_text(json.dumps(record))
    done = run("replay", str(wrong))
    assert done.returncode == 1
    assert "first mismatch: wrong.jsonl line 1, at the end, points: recorded [1, 156]" in done.stdout
    (tmp_path / "none.jsonl").write_text("hello")
    done = run("replay", str(SAMPLE), str(tmp_path / "none.jsonl"), str(wrong))
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"stich: {tmp_path / 'none.jsonl'} line 1 is not JSON (cut off, or no recording)"
    ]
    assert "jass-schieber.jsonl.gz" in done.stdout
