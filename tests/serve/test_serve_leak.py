"""Nothing that a client is sent depends on cards that its seat cannot know (`tests/serve/leaking.py`)."""

from pathlib import Path
from typing import Any

import pytest
from leaking import play
from serving import Player, serving

import stich
from conftest import TOY
from stich.core.game import State
from stich.games import families
from stich.serve.views import event_json

GAMES = [*(family.spec.variants[0].name for family in families()), str(TOY)]
"""One variant of each game; `tests/serve/leaking.py` plays all."""


@pytest.mark.parametrize("name", GAMES)
def test_messages_depend_on_the_view_alone(name: str) -> None:
    """A game whose hidden cards never differ would test nothing."""
    compared, differed = play(name, 2 if stich.make(name).spec.seats == 2 else 1, coached=name in ("jass", "kuhn"))
    assert compared > 2
    assert differed > 0


def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search itself works: a view that was not hidden is noticed."""
    monkeypatch.setattr(stich.State, "view", lambda state, seat: stich.State(state.game, state.array.copy(), seat))
    with pytest.raises((AssertionError, stich.StichError)):
        play("jass", 1)


def test_a_leaking_name_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does the number of a secret move go unnoticed."""

    def leaky(before: State, action: int, after: State, number: int) -> dict[str, Any]:
        return {**event_json(before, action, after, number), "action": action}

    monkeypatch.setattr("stich.serve.tables.event_json", leaky)
    with pytest.raises(AssertionError):
        play("cego", 40)


def test_the_socket_sends_these_messages_and_no_others(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        made = server.client.post("/api/tables", json={"game": "jass"}).json()
        player = Player(server.socket_url, made["table"], made["token"])
        for _ in range(3):
            state = player.turn()
            table = server.app.state.tables.loaded[made["table"]]
            since = state["events"][0]["number"] if state["events"] else state["number"]
            sent = [text for text in player.received if '"type":"state"' in text]
            assert sent[-1] == table.message(made["seat"], since)
            player.play()
        kinds = {text.split(",")[0] for text in player.received}
        assert kinds == {'{"type":"welcome"', '{"type":"state"', '{"type":"seats"'}
        player.close()
