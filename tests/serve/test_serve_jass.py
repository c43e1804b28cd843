"""Jass bots over HTTP: the recorded requests, both protocols against our own server, what is refused."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import Server, serving

import stich
from stich.agents import make_agent
from stich.agents.remote import HttpAgent
from stich.core.rng import stream
from stich.games.jass.protocols import V01, V02, ask, read_answer, view_of, write_answer

OWN_STATUS = {("action_trump", "old version"): 400, ("action_trump", "without version"): 400}
"""Recorded was 500."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("jass"), bots={"low": "rule", "thinker": "dmcts(d=3,i=20)"}) as running:
        yield running


def legal_answers(request: dict[str, Any]) -> set[str]:
    """What may be answered under jass-kit's rules."""
    view = view_of(stich.make("jass", undertrump="jasskit"), request, V02)
    return {json.dumps(write_answer(action)) for action in view.action_ids()}


def test_the_recorded_requests(server: Server, recordings: Path) -> None:
    seen: Counter[tuple[str, int]] = Counter()
    for line in gzip.decompress((recordings / "jass-rest-api.jsonl.gz").read_bytes()).splitlines():
        record = json.loads(line)
        method, path, name = record["method"], "/jass" + record["path"], record["path"].split("/")[-1]
        request = record.get("request")
        body = request if isinstance(request, str) else json.dumps(request)
        headers = {"content-type": record.get("content_type", "")}
        answer = server.client.request(method, path, content=body if request else None, headers=headers)
        wanted = OWN_STATUS.get((name, record["note"]), record["status"])
        assert answer.status_code == wanted, (record, answer.text)
        seen[name, wanted] += 1
        if method == "GET":
            assert answer.text == record["body"]
        elif wanted == 200 and name == "game_info":
            assert answer.json() == record["body"] == ""
        elif wanted == 200:
            assert set(answer.json()) == set(record["body"])
            assert json.dumps(answer.json()) in legal_answers(request)
        else:
            assert isinstance(answer.json()["error"], str)
            if record["note"].startswith("without ") and record["status"] == 400:
                assert answer.json() == record["body"]
    assert seen["action_play_card", 200] > 250
    assert seen["game_info", 200] > 40


@pytest.mark.parametrize("version", [V01, V02])
def test_a_question_says_all_that_a_view_holds(version: str) -> None:
    """Written and read again, every view of random rounds is the same; V0.1 rounds under the common rule."""
    game = stich.make("jass", undertrump="jasskit" if version == V02 else "highest")
    for seed in range(20):
        state, rngs = game.new(seed), stream(seed, "moves")
        bot = make_agent("random", game)
        while not state.is_over:
            view = state.view(state.player)
            asked = ask(view.record, view.player, version)
            assert not isinstance(asked, int)
            again = view_of(game, json.loads(json.dumps(asked[1])), version)
            assert again.array.tobytes() == view.array.tobytes()
            action = bot.act(view, rngs)
            assert read_answer(write_answer(action)) == action
            state.play(action)


@pytest.mark.parametrize("protocol", ["v0.1", "v0.2"])
def test_the_http_agent_speaks_with_our_bots(server: Server, protocol: str) -> None:
    game = stich.make("jass", undertrump="jasskit" if protocol == "v0.2" else "highest")
    remote = make_agent(f"http({server.url}/jass/rule, protocol={protocol})", game)
    assert isinstance(remote, HttpAgent)
    own = make_agent("rule", game)
    state = game.new(3)
    while not state.is_over:
        view = state.view(state.player)
        action = remote.act(view, stream(1, "remote"))
        assert action == own.act(view, stream(1, "own"))
        state.play(action)
    remote.client.close()


def test_remote_bots_stay_silent_about_melds() -> None:
    state = stich.make("jass.1000").new(0).play("P").play("H")
    assert ask(state.view(state.player).record, state.player, V02) == state.action_id("silent")
    with pytest.raises(stich.StichError, match=r"speaks stich, not 'v0.2'"):
        make_agent("http(http://127.0.0.1:1/, protocol=v0.2)", stich.make("kuhn"))


def test_v01_bodies(server: Server) -> None:
    hand = ["DJ", "HK", "HJ", "H8", "SJ", "S6", "CQ", "C8", "C6"]
    body = {
        "dealer": 0,
        "currentPlayer": 3,
        "tricks": [],
        "player": [{"hand": []}, {"hand": []}, {"hand": []}, {"hand": hand}],
        "jassTyp": "SCHIEBER_1000",
    }
    assert server.client.post("/jass/low/select_trump", json=body).json()["trump"] in (*range(6), 10)
    pushed = {
        **body,
        "tss": 1,
        "currentPlayer": 1,
        "player": [{"hand": []}, {"hand": hand}, {"hand": []}, {"hand": []}],
    }
    assert server.client.post("/jass/low/select_trump", json=pushed).json()["trump"] in range(6)
    assert server.client.post("/jass/low/play_card", json={**body, "trump": 1}).json()["card"] in hand
    assert server.client.post("/jass/thinker/play_card", json={**body, "trump": 1}).json()["card"] in hand
    assert server.client.post("/jass/low/select_trump", json={**body, "version": "V0.2"}).status_code == 400
    assert "low" in server.client.get("/jass/").json()


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"currentPlayer": 2, "playerView": 2}, "not the player to act"),
        ({"playerView": -1}, "'playerView' is not"),
        ({"trump": 6}, "'trump' must be a whole number"),
        ({"trump": True}, "'trump' must be a whole number"),
        ({"dealer": 1e9}, "'dealer' must be"),
        ({"tricks": [{"cards": ["DJ"], "first": 3}]}, "a card is there twice"),
        ({"tricks": [{"cards": ["DA"], "first": 0}]}, "trick 1 is led by 3"),
        ({"tricks": [{"cards": ["DA"]}, {"cards": ["DK"]}]}, "only the last"),
        ({"tricks": [None]}, "only the last"),
        ({"tricks": [{"cards": "DA"}]}, "'cards' must be a list"),
        ({"player": []}, "list of four"),
        ({"player": [{"hand": ["DJ"]}] * 4}, "holds 9, not 1"),
        ({"trump": -1, "tricks": [{"cards": ["DA", "DK", "DQ", "D6"]}]}, "not chosen"),
    ],
)
def test_what_is_refused(server: Server, changes: dict[str, Any], text: str) -> None:
    hands = [{"hand": []}] * 3 + [{"hand": ["DJ", "HK", "HJ", "H8", "SJ", "S6", "CQ", "C8", "C6"]}]
    base = {"version": V02, "trump": 0, "dealer": 0, "currentPlayer": 3, "playerView": 3, "forehand": 1}
    good = {**base, "tricks": [{"first": 3}], "player": hands}
    assert server.client.post("/jass/low/action_play_card", json=good).status_code == 200
    answer = server.client.post("/jass/low/action_play_card", json={**good, **changes})
    assert answer.status_code == 400
    assert text in answer.json()["error"]
