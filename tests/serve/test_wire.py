"""The wire format: whole games fit it exactly, and the page's types are written from it."""

import json

import httpx
import pytest
from pydantic import TypeAdapter
from serving import Player, serving

from stich.serve.wire.__main__ import FILE, page_types
from stich.serve.wire.games import GameList
from stich.serve.wire.messages import ClientMessage, ServerMessage, StateMessage
from stich.serve.wire.position import Told, View
from stich.serve.wire.tables import (
    JoinedTable,
    ListedTable,
    MadeTable,
    ReplayPage,
    Reported,
    ReviewPage,
    TableInfo,
)
from stich.serve.wire.words import PageWords

GAMES = {
    "jass": {},
    "jass.tournament": {"rounds": 2},
    "schnapsen": {"target": 2},
    "wizard.round": {"round": 3},
    "durak": {"deck": 16},
    "cego": {},
    "cego.raeuber": {},
    "leduc": {},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("wire")) as running:
        yield running


def fits(kind, answer: httpx.Response) -> object:
    assert answer.is_success, answer.text
    TypeAdapter(kind).validate_json(answer.content, strict=True)
    return answer.json()


def sit_down(server, game, options, **wish):
    asked = {"game": game, "options": options, "coach": True, **wish}
    made = fits(MadeTable, server.client.post("/api/tables", json=asked))
    return made, Player(server.socket_url, made["table"], made["token"])


def test_the_types_of_the_page_are_current():
    assert FILE.read_text("utf-8") == page_types(), "write them again: python -m stich.serve.wire"


def test_what_a_game_may_tell_of_a_position_is_in_its_view():
    assert set(Told.__annotations__) - {"counts"} <= set(View.__annotations__)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_words_fit(server, language):
    fits(PageWords, server.client.get(f"/api/words?language={language}"))


def test_every_game_of_the_lobby_fits(server):
    families = fits(GameList, server.client.get("/api/games"))["families"]
    assert sum(len(family["variants"]) for family in families) > 10


@pytest.mark.parametrize("game", GAMES)
def test_whole_games_fit(server, game):
    made, player = sit_down(server, game, GAMES[game])
    message = TypeAdapter(ServerMessage)
    while not player.turn()["view"]["over"]:
        player.play(len(player.received))
    player.send(type="resume", last=0)
    player.until("state")
    player.close()
    assert len(player.received) > 3
    for text in player.received:
        message.validate_json(text, strict=True)
    table = f"/api/tables/{made['table']}"
    replay = fits(ReplayPage, server.client.get(f"{table}/replay"))
    assert replay["steps"]
    fits(ReviewPage, server.client.get(f"{table}/review?seat={made['seat']}&count=2"))
    fits(TableInfo, server.client.get(table))
    assert fits(list[ListedTable], server.client.get("/api/tables?status=finished"))
    remark = {"number": 0, "text": "why?"}
    fits(Reported, server.client.post(f"{table}/reports", json=remark))


def test_joining_and_leaving_fit(server):
    seats = [{"kind": "me"}, {"kind": "open"}]
    made, player = sit_down(server, "schnapsen", {}, seats=seats)
    table, own = f"/api/tables/{made['table']}", {"authorization": f"Bearer {made['token']}"}
    assert player.until("state")["view"] is None
    asked = {"invite": made["invite"], "name": "Berta"}
    joined = fits(JoinedTable, server.client.post(f"{table}/join", json=asked))
    assert fits(StateMessage, server.client.get(f"{table}/state", headers=own))["view"]
    fits(TableInfo, server.client.post(f"{table}/leave", json={"token": joined["token"]}))
    player.close()


def test_every_message_of_a_client_is_understood(server):
    made, player = sit_down(server, "schnapsen", {})
    turn = player.turn()
    sent = [
        {"type": "ping"},
        {"type": "coach", "level": "strong"},
        {"type": "resume", "last": 0},
        {"type": "play", "number": turn["number"], "action": turn["view"]["legal"][0]["action"]},
    ]
    for asked, answer in zip(sent, ("pong", "coach", "state", "state"), strict=True):
        TypeAdapter(ClientMessage).validate_python(asked, strict=True)
        player.send(**asked)
        player.until(answer)
    hello = {"type": "hello", "token": made["token"], "last": 0}
    TypeAdapter(ClientMessage).validate_python(hello, strict=True)
    player.send(type="play", number=0, action="nonsense")
    player.until("refused")
    player.close()
    for text in player.received:
        TypeAdapter(ServerMessage).validate_json(text, strict=True)
    stranger = Player(server.socket_url, made["table"], "wrong")
    TypeAdapter(ServerMessage).validate_python(stranger.until("refused"), strict=True)
    stranger.close()


def test_unknown_keys_do_not_fit():
    with pytest.raises(ValueError, match="Extra inputs are not permitted"):
        TypeAdapter(ServerMessage).validate_json(json.dumps({"type": "pong", "seed": 7}))
