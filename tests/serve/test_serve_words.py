"""The words of the page over HTTP: by language, kept by the browser, and with something for a game that has none."""

from pathlib import Path

import pytest
from serving import serving

from conftest import HERE
from stich.core.words import read
from stich.serve import words


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("words"), games=(str(HERE / "toy_duel.py"),)) as running:
        yield running


def test_words_come_in_the_language_that_is_asked_for(server):
    german, french = (server.client.get(f"/api/words?language={one}").json() for one in ("de", "fr"))
    assert german["languages"] == {"de": "Deutsch", "en": "English", "fr": "Français"}
    assert (german["language"], french["language"]) == ("de", "fr")
    assert german["games"]["jass"]["facts"]["meld"]["any"] == "{seat} weist {cards}"
    assert french["games"]["jass"]["title"] == "Jass (Chibre)"
    assert french["games"]["cego"]["facts"] == server.client.get("/api/words").json()["games"]["cego"]["facts"]
    assert german["levels"]["expert"] == "Meister"
    assert german["shared"]["letters"]["Q"] == "D"
    assert "table" not in german["games"]["jass"]


def test_titles_variants_and_options_are_there_in_every_language(server):
    games = server.client.get("/api/games").json()["families"]
    for language in words.languages():
        told = server.client.get(f"/api/words?language={language}").json()["games"]
        for game in games:
            known = told[game["family"]]
            assert known["title"]
            assert known["about"]
            assert {one["variant"] for one in game["variants"]} <= set(known["variants"])
            assert {one["name"] for one in game["options"]} == set(known["options"])


def test_an_unknown_language_is_english_and_nonsense_is_refused(server):
    assert server.client.get("/api/words?language=xx").json()["language"] == "en"
    assert server.client.get("/api/words?language=../de").status_code == 422


def test_a_browser_keeps_them(server):
    first = server.client.get("/api/words?language=de")
    again = server.client.get("/api/words?language=de", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert server.client.get("/api/words?language=fr").headers["etag"] != first.headers["etag"]


def test_a_game_without_words_has_those_of_its_declaration(server):
    duel = server.client.get("/api/words?language=de").json()["games"]["duel"]
    assert duel["title"] == "Duel"
    assert "facts" not in duel


def test_a_new_language_is_a_file(tmp_path: Path, monkeypatch):
    (tmp_path / "en.toml").write_bytes((words.FRAME / "en.toml").read_bytes())
    (tmp_path / "rm.toml").write_text('language_name = "Rumantsch"\n[page]\nhelp = "Agid"\n')
    monkeypatch.setattr(words, "FRAME", tmp_path)
    read.cache_clear()
    told = words.all_words({}, "rm")
    assert told["languages"] == {"en": "English", "rm": "Rumantsch"}
    assert (told["page"]["help"], told["page"]["close"]) == ("Agid", "Close")
