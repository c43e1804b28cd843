"""What the page needs of the server: its files, faces and packs, a coach by level, the review of own deals."""

import re

import httpx
import pytest
from serving import Player, serving

import stich
from stich.core.words import read
from stich.serve.static import FOLDER
from stich.serve.views import view_json
from stich.serve.words import FRAME


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("page")) as running:
        yield running


def test_the_page_loads_nothing_from_elsewhere(server):
    answer = server.client.get("/")
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    for path in (found for found in FOLDER.rglob("*") if found.is_file()):
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://", text), path.name
        assert len(text.splitlines()) <= 500, path.name


def test_every_text_of_the_page_is_used():
    english = set(read(FRAME / "en.toml")["page"])
    scripts = "".join(path.read_text("utf-8") for path in FOLDER.rglob("*.js") if path.name != "types.js")
    assert set(re.findall(r"\bt\('(\w+)'", scripts)) <= english
    spare = {word for word in english if f"'{word}'" not in scripts and f"{word}:" not in scripts}
    connection = {"online", "connecting", "offline", "lost"}
    assert spare - connection == set()


def test_files_are_asked_for_again_and_sent_only_when_changed(server):
    first = server.client.get("/page/app.js")
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.headers["cache-control"] == "no-cache"
    assert first.headers["content-security-policy"]
    again = server.client.get("/page/app.js", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304


def test_nothing_but_the_page_is_served(server):
    for path in ("/page/%2e%2e/app.py", "/page/..%2fapp.py", "/page/none.js", "/page/"):
        assert httpx.get(server.url + path).status_code == 404, path


def test_every_pack_is_named_and_every_game_has_a_coach(server):
    families = server.client.get("/api/games").json()["families"]
    packs = {game["family"]: game["pack"] for game in families}
    packs = {name: packs[name] for name in ("jass", "schnapsen", "durak", "wizard", "cego", "kuhn")}
    french = dict.fromkeys(("jass", "schnapsen", "durak"), "french")
    assert packs == {**french, "wizard": "wizard", "cego": "tarock", "kuhn": None}
    for game in families:
        assert sum(level["rates"] for level in game["levels"]) >= 2
        assert not game["levels"][0]["rates"]


def _sit_down(server, **wish):
    seats = [{"kind": "me"}, {"kind": "agent", "level": "random"}]
    made = server.client.post("/api/tables", json={"game": "schnapsen", "seats": seats, **wish}).json()
    return made, Player(server.socket_url, made["table"], made["token"])


def test_a_coach_is_chosen_by_level_and_must_rate(server):
    _, player = _sit_down(server, coach=True)
    legal = player.turn()["view"]["legal"]
    player.send(type="coach", level="strong")
    told = player.until("coach")
    assert [one["action"] for one in told["values"]] == [one["action"] for one in legal]
    player.send(type="coach", level="random")
    assert "no coach 'random'" in player.until("refused")["reason"]
    player.send(type="coach", level=7)
    assert "named by its level" in player.until("refused")["reason"]
    player.close()


def test_own_deals_are_reviewed_while_the_match_runs_and_nobody_elses(server):
    made, player = _sit_down(server, coach=True)
    while player.turn()["view"]["stage"] == 0:
        player.play()
    player.close()
    table = f"/api/tables/{made['table']}"
    own = {"authorization": f"Bearer {made['token']}"}
    found = server.client.get(f"{table}/review?seat=0&count=3&level=strong", headers=own)
    assert found.status_code == 200
    for row in found.json()["decisions"]:
        assert (row["view"]["seat"], row["view"]["player"], row["view"]["stage"]) == (0, 0, 0)
        assert row["lost"] >= 0
        assert len(row["values"]) == len(row["view"]["legal"])
    assert server.client.get(f"{table}/review?seat=1", headers=own).status_code == 403
    assert server.client.get(f"{table}/review?seat=0").status_code == 403
    wrong = {"authorization": "Bearer nonsense"}
    assert server.client.get(f"{table}/review?seat=0", headers=wrong).status_code == 403


def test_without_a_coach_there_is_no_review_before_the_end(server):
    made, player = _sit_down(server)
    player.play()
    player.close()
    own = {"authorization": f"Bearer {made['token']}"}
    assert server.client.get(f"/api/tables/{made['table']}/review?seat=0", headers=own).status_code == 403


def test_a_marriage_knows_its_card():
    game = stich.make("schnapsen")
    views = [view_json(state.view(state.player)) for state in map(game.new, range(40))]
    marriages = [one for view in views for one in view["legal"] if one["name"].startswith("M:")]
    assert marriages
    assert all(one["card"] == one["name"][2:] for one in marriages)
    assert all(view["stage"] == 0 for view in views)
