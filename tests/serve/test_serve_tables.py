"""Live tables: playing, joining, resuming, what finished games show, and clients that mean harm."""

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from serving import Player, Server, serving
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import stich
from stich.core.transcript import Report, recording_of, replay
from stich.serve.tables import digest

TOY = str(Path(__file__).parents[1] / "toy_duel.py")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("tables"), games=(TOY,), concurrency=8) as running:
        yield running


def made(server: Server, game: str = "kuhn", **wish: Any) -> dict[str, Any]:
    answer = server.client.post("/api/tables", json={"game": game, **wish})
    assert answer.status_code == 201, answer.text
    table: dict[str, Any] = answer.json()
    return table


def player(server: Server, table: dict[str, Any], last: int = 0) -> Player:
    return Player(server.socket_url, table["table"], table["token"], last)


def played_out(server: Server, game: str, **wish: Any) -> tuple[dict[str, Any], Player]:
    table = made(server, game, **wish)
    client = player(server, table)
    while not client.turn()["view"]["over"]:
        client.play()
    client.close()
    return table, client


@pytest.mark.parametrize("game", ["jass", "durak.4", "wizard.round", "leduc", "duel", TOY])
def test_a_person_plays_a_whole_game_against_agents(server: Server, game: str) -> None:
    table, client = played_out(server, game)
    view = client.state["view"]
    assert client.state["status"] == "finished"
    assert view["returns"] is not None
    numbers = [event["number"] for text in client.received for event in json.loads(text).get("events", ())]
    assert numbers == list(range(client.state["number"]))  # every move once, in order
    about = server.client.get(f"/api/tables/{table['table']}").json()
    assert (about["status"], about["moves"]) == ("finished", client.state["number"])


def test_finished_games_are_listed_replayed_downloaded_and_reported(server: Server) -> None:
    table, _ = played_out(server, "jass", coach=True)
    path = f"/api/tables/{table['table']}"
    assert table["table"] in [row["table"] for row in server.client.get("/api/tables").json()]
    record = server.client.get(f"{path}/transcript").json()
    report = Report("served")
    assert replay(recording_of(record, stich.make), "game", report).is_over
    assert report.mismatches == 0
    shown = server.client.get(f"{path}/replay", params={"first": 1, "count": 2}).json()
    assert [step["event"]["number"] for step in shown["steps"]] == [1, 2]
    assert all(len(hand["cards"]) == 9 for hand in shown["steps"][0]["view"]["hands"])
    assert shown["moves"] == len(record["steps"])
    judged = server.client.get(f"{path}/review", params={"seat": 2, "count": 2}).json()
    assert len(judged["decisions"]) == 2
    assert all(row["lost"] >= 0 and row["values"] for row in judged["decisions"])
    assert judged["next"] is not None
    remark = {"number": 3, "text": "strange"}
    assert server.client.post(f"{path}/reports", json=remark).status_code == 201
    kept = server.client.get(f"{path}/reports").json()
    assert [(row["number"], row["text"], row["transcript"]) for row in kept] == [(3, "strange", record)]
    assert server.client.post(f"{path}/reports", json={**remark, "number": 99}).status_code == 400


def test_a_running_game_shows_nobody_its_cards(server: Server) -> None:
    table = made(server, "jass")
    path = f"/api/tables/{table['table']}"
    for what in ("transcript", "replay", "review?seat=0", "reports"):
        assert server.client.get(f"{path}/{what}").status_code == 403
    assert server.client.get(f"{path}/state").status_code == 403
    mine = server.client.get(f"{path}/state", headers={"Authorization": f"Bearer {table['token']}"}).json()
    assert [len(hand["cards"]) for hand in mine["view"]["hands"]] == [0, 0, 9, 0]
    assert server.client.post(f"{path}/reports", json={"number": 0, "text": "x"}).status_code == 403
    public = json.dumps([server.client.get(path).json(), server.client.get("/api/tables?status=running").json()])
    stored = server.app.state.tables.loaded[table["table"]]
    for secret in (table["token"], digest(table["token"]), str(stored.seed), stored.invite):
        assert secret not in public
        assert secret not in json.dumps(mine)


def test_friends_join_by_invitation(server: Server) -> None:
    table = made(server, "kuhn", seats=[{"kind": "me"}, {"kind": "open"}], name="Ada")
    assert table["status"] == "open"
    first = player(server, table)
    assert first.until("state")["view"] is None
    path = f"/api/tables/{table['table']}/join"
    assert server.client.post(path, json={"invite": "wrong"}).status_code == 403
    friend = server.client.post(path, json={"invite": table["invite"], "name": "Ben"}).json()
    assert friend["seat"] == 1
    assert server.client.post(path, json={"invite": table["invite"]}).status_code == 400
    second = player(server, friend)
    clients = [first, second]
    for client in cycle(clients):  # in Kuhn poker they take turns
        if client.turn()["view"]["over"]:
            break
        client.play()
    assert [seat["name"] for seat in first.state["seats"]] == ["Ada", "Ben"]
    for client in clients:
        client.close()


def test_who_leaves_is_replaced_by_an_agent(server: Server) -> None:
    table = made(server, "kuhn", seats=[{"kind": "me"}, {"kind": "open"}])
    friend = server.client.post(f"/api/tables/{table['table']}/join", json={"invite": table["invite"]}).json()
    path = f"/api/tables/{table['table']}/leave"
    assert server.client.post(path, json={"token": "no"}).status_code == 403
    assert server.client.post(path, json={"token": friend["token"]}).status_code == 200
    client = player(server, table)
    while not client.turn()["view"]["over"]:
        client.play()
    client.close()


def test_a_lost_connection_is_resumed(server: Server) -> None:
    table = made(server, "jass")
    client = player(server, table)
    client.play()
    client.turn()
    seen = client.state["number"]
    client.socket.socket.close()  # no goodbye
    again = player(server, table, last=seen)
    again.turn()
    assert again.state["view"] == client.state["view"]
    assert again.state["events"] == []
    whole = player(server, table)
    assert [event["number"] for event in whole.until("state")["events"]] == list(range(seen))
    whole.send(type="resume", last=seen - 1)
    assert [event["number"] for event in whole.until("state")["events"]] == [seen - 1]
    again.close()
    whole.close()


def test_a_move_sent_twice_is_played_once(server: Server) -> None:
    table = made(server, "jass")
    client = player(server, table)
    state = client.turn()
    move = {"type": "play", "number": state["number"], "action": state["view"]["legal"][0]["name"]}
    client.send(**move)
    client.send(**move)
    client.send(type="ping")
    client.until("pong")
    stored = server.app.state.tables.loaded[table["table"]]
    own = [n for n, (before, _, _) in enumerate(stored.steps()) if before.player == table["seat"]]
    assert own[0] == state["number"]
    assert len([n for n in own if n <= state["number"]]) == 1
    client.send(**{**move, "action": "another card"})
    assert "has been played" in client.until("refused")["reason"]
    client.close()


def test_the_coach_rates_the_legal_cards(server: Server) -> None:
    table = made(server, "jass", coach=True)
    client = player(server, table)
    while len(client.turn()["view"]["legal"]) < 2:  # where there is no choice nothing is rated
        client.play()
    state = client.state
    client.send(type="coach")
    told = client.until("coach")
    assert told["number"] == state["number"]
    assert {row["action"] for row in told["values"]} == {entry["action"] for entry in state["view"]["legal"]}
    client.close()
    silent = player(server, made(server, "jass"))
    silent.turn()
    silent.send(type="coach")
    assert "no coach" in silent.until("refused")["reason"]
    silent.close()


HOSTILE = [
    "",
    "{",
    "[]",
    "null",
    '"play"',
    "[" * 10_000,
    '{"type":"play"}',
    '{"type":"play","number":0,"action":99999999999999999999}',
    '{"type":"play","number":-1,"action":0}',
    '{"type":"play","number":1e400,"action":0}',
    '{"type":"play","number":0,"action":true}',
    '{"type":"play","number":0,"action":[0]}',
    '{"type":"play","number":0,"action":"x","seat":1}',
    '{"type":"hello","token":"another"}',
    '{"type":"resume","last":-5}',
    '{"type":"resume","last":"x"}',
    '{"type":"coach","seat":3}',
    '{"type":1}',
    '{"type":"shutdown"}',
]


def test_hostile_messages_leave_the_table_unharmed(server: Server) -> None:
    table = made(server, "jass")
    client = player(server, table)
    state = client.turn()
    before = server.app.state.tables.loaded[table["table"]].state.array.tobytes()
    for text in HOSTILE[:18]:
        client.socket.send(text)
        assert client.until("refused")["reason"]
    for wrong in (
        {"number": state["number"] + 1, "action": state["view"]["legal"][0]["action"]},
        {"number": state["number"], "action": 62},
        {"number": state["number"], "action": "no card"},
    ):
        client.send(type="play", **wrong)
        assert client.until("refused")["reason"]
    assert server.app.state.tables.loaded[table["table"]].state.array.tobytes() == before
    assert client.state == state
    client.play()
    client.close()


def talk_nonsense(client: Player) -> None:
    for _ in range(50):
        client.socket.send("nonsense")
        client.until("refused")


def test_who_talks_nonsense_is_let_go(server: Server) -> None:
    table = made(server, "jass")
    client = player(server, table)
    with pytest.raises(ConnectionClosed):
        talk_nonsense(client)
    huge = player(server, table)
    huge.turn()
    huge.socket.send(json.dumps({"type": "x" * 100_000}))
    with pytest.raises(ConnectionClosed):
        huge.until("refused")
    again = player(server, table)
    again.play()
    again.close()


def test_one_address_may_open_so_many_sockets(tmp_path: Path) -> None:
    with serving(tmp_path, address_sockets=2) as server:
        table = made(server, "kuhn")
        first, second = player(server, table), player(server, table)
        first.turn()
        second.turn()
        with pytest.raises(ConnectionClosed) as refused:
            player(server, table).receive()
        assert refused.value.rcvd is not None
        assert refused.value.rcvd.code == 1013
        second.close()
        for _ in range(100):  # until the server has noticed
            with suppress(ConnectionClosed):
                again = player(server, table)
                again.play()
                again.close()
                break
        else:
            pytest.fail("a place that is free is not given away")
        first.close()


def test_wrong_turns_and_tokens_of_others(server: Server) -> None:
    table = made(server, "kuhn", seats=[{"kind": "me"}, {"kind": "open"}])
    friend = server.client.post(f"/api/tables/{table['table']}/join", json={"invite": table["invite"]}).json()
    other = player(server, friend)
    state = other.until("state")
    assert state["view"]["player"] == 0
    assert state["view"]["legal"] == []
    other.send(type="play", number=0, action="bet")
    assert "not your turn" in other.until("refused")["reason"]
    elsewhere = made(server, "kuhn")
    for bad in ({"token": elsewhere["token"]}, {"token": 7}, {"token": table["invite"]}, {}):
        with connect(f"{server.socket_url}/api/tables/{table['table']}/socket") as socket:
            socket.send(json.dumps({"type": "hello", **bad}))
            assert json.loads(socket.recv(timeout=10))["type"] == "refused"
            with pytest.raises(ConnectionClosed):
                socket.recv(timeout=10)
    with connect(f"{server.socket_url}/api/tables/nowhere/socket") as socket:
        socket.send(json.dumps({"type": "hello", "token": table["token"]}))
        assert "no table" in json.loads(socket.recv(timeout=10))["reason"]
    first = player(server, table)
    first.play()
    first.close()
    other.close()


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        ({"game": "no-game"}, "there is no game"),
        ({"game": "tests/bad_agents.py"}, "there is no game"),
        ({"game": "os:path"}, "there is no game"),
        ({"game": "kuhn", "options": {"x": 1}}, "no option"),
        ({"game": "kuhn", "seats": [{"kind": "me"}]}, "has 2 seats"),
        ({"game": "kuhn", "seats": [{"kind": "me"}, {"kind": "me"}]}, "one seat"),
        ({"game": "kuhn", "seats": [{"kind": "me"}, {"kind": "agent", "agent": "cheat-mcts"}]}, "sees all cards"),
        ({"game": "kuhn", "seats": [{"kind": "me"}, {"kind": "agent", "agent": "os:system"}]}, "cannot be used"),
        ({"game": "kuhn", "seats": [{"kind": "me"}, {"kind": "agent", "level": "divine"}]}, "no difficulty"),
    ],
)
def test_tables_that_are_refused(server: Server, wish: dict[str, Any], text: str) -> None:
    answer = server.client.post("/api/tables", json=wish)
    assert answer.status_code == 400
    assert text in answer.json()["detail"]


def test_the_lobby_offers_every_game_without_cheats(server: Server) -> None:
    families = server.client.get("/api/games").json()["families"]
    variants = [variant["name"] for family in families for variant in family["variants"]]
    assert variants == [*stich.names(), "duel"]
    for game in families:
        assert game["levels"][0]["level"] == "random"
        assert [level["strength"] for level in game["levels"]] == sorted(
            level["strength"] for level in game["levels"]
        )
        names = [agent["name"] for agent in game["agents"]]
        assert not {"cheat-mcts", "cheat-solve", "solved", "http"} & set(names)


def test_the_list_of_games_is_small_and_compressed(server: Server) -> None:
    whole = server.client.get("/api/games", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in whole.headers
    packed = server.client.get("/api/games")
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.json() == whole.json()
    assert int(packed.headers["content-length"]) < 20_000
    assert len(whole.content) < 120_000
    jass = whole.json()["families"][[family["family"] for family in whole.json()["families"]].index("jass")]
    assert {option["name"] for option in jass["options"]} == set(jass["variants"][0]["options"])
    assert "content-encoding" not in server.client.get("/health").headers


def test_tables_leave_the_memory_and_come_back(server: Server) -> None:
    table = made(server, "jass")
    client = player(server, table)
    client.play()
    state = client.turn()
    client.close()
    tables = server.app.state.tables
    tables.loaded[table["table"]].feeds.clear()
    tables.loaded[table["table"]].used -= 10_000
    tables.drop_idle()
    assert table["table"] not in tables.loaded
    again = player(server, table, last=state["number"])
    assert again.turn()["view"] == state["view"]
    again.play()
    again.close()


@pytest.mark.parametrize("lost", ["the move", "only the answer"])
def test_a_move_that_could_not_be_stored(server: Server, lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused, and played once however often it is sent again."""
    table = made(server, "jass")
    client = player(server, table)
    state = client.turn()
    store = server.app.state.tables.store
    real = store.add_move

    async def fails(*move: Any) -> None:
        monkeypatch.setattr(store, "add_move", real)
        if lost == "only the answer":
            await real(*move)
        raise OSError("the line is dead")

    monkeypatch.setattr(store, "add_move", fails)
    move = {"type": "play", "number": state["number"], "action": state["view"]["legal"][0]["action"]}
    client.send(**move)
    assert "could not be stored" in client.until("refused")["reason"]
    assert client.state == state
    client.send(**move)
    assert client.until("state")["events"][0]["action"] == move["action"]
    client.turn()
    whole = player(server, table)
    events = whole.until("state")["events"]
    whole.close()
    assert [event["number"] for event in events] == list(range(len(events)))
    assert sum(event["seat"] == table["seat"] for event in events[: state["number"] + 1]) == 1
    client.close()
