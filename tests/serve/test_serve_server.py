"""The server around its routes: settings, limits, logs, figures, predictions, whatever a schema allows to be sent."""

import json
import logging
import os
import random
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest
import schemathesis
import yaml
from hypothesis import HealthCheck
from schemathesis import GenerationMode
from serving import Server, serving

import stich
from conftest import HERE, TOY, python, run
from stich.cli.serve import can_listen
from stich.nets.inputs import Inputs
from stich.nets.model import describe, save_model
from stich.serve.config import Settings, load
from stich.serve.limits import JsonLines
from stich.serve.predict import Judge
from stich.serve.socket import FORBIDDEN, POLICY, UNKNOWN, Senseless, _close_code
from stich.serve.tables import ForbiddenError, UnknownError

EXAMPLES = int(os.environ.get("STICH_EXAMPLES", "4"))
"""For each operation; a thousand take some minutes."""
CALM = hypothesis.settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server"), seconds=1.0) as running:
        yield running


def test_flags_go_before_the_environment_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "serve.toml"
    file.write_text('port = 1\nhost = "a"\nrate = 3\nagents = ["http"]\n[bots]\nlow = "rule"\n')
    environment = {"STICH_SERVE_HOST": "b", "STICH_SERVE_PORT": "2", "STICH_SERVE_GAMES": "x.py; y", "OTHER": "1"}
    found = load({"port": 3}, file, environment)
    assert (found.port, found.host, found.rate) == (3, "b", 3.0)
    assert (found.agents, found.games, found.bots) == (("http",), ("x.py", "y"), {"low": "rule"})


@pytest.mark.parametrize(
    ("flags", "text", "error"),
    [
        ({"colour": 1}, "", "'colour', which is no setting"),
        ({"port": "many"}, "", "port cannot be 'many'"),
        ({"threads": 0}, "", "threads must be at least 1"),
        ({"log": "loud"}, "", "log is debug"),
        ({}, "port = ", "is not TOML"),
        ({}, "prot = 1", "'prot', which is no setting"),
    ],
)
def test_settings_that_make_no_sense(flags: dict[str, Any], text: str, error: str, tmp_path: Path) -> None:
    file = tmp_path / "serve.toml"
    file.write_text(text)
    with pytest.raises(stich.StichError, match=error):
        load(flags, file, {})


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    done = run("serve", "--database", f"sqlite:///{tmp_path}")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "cannot be used" in done.stderr


def test_a_port_that_is_taken_is_noticed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert not can_listen("127.0.0.1", port)
    assert can_listen("127.0.0.1", port)


def test_health_readiness_and_figures(server: Server) -> None:
    assert server.client.get("/health").json() == {"status": "ok", "version": stich.__version__}
    assert server.client.get("/ready").json() == {"ready": True}
    text = server.client.get("/metrics").text
    assert 'stich_requests_total{path="/health",status="200"} 1' in text
    assert server.client.get("/api/v1/docs").status_code == 200
    assert server.client.get("/docs").status_code == 307


def test_logs_are_lines_of_json() -> None:
    record = logging.LogRecord("stich.serve", logging.INFO, "", 0, "request", None, None)
    record.facts = {"path": "/x", "ms": 1.5}
    line = json.loads(JsonLines().format(record))
    assert (line["event"], line["level"], line["path"], line["ms"]) == ("request", "info", "/x", 1.5)


def test_large_bodies_are_refused(server: Server) -> None:
    large = b" " * 70_000
    headers = {"content-type": "application/json"}
    assert server.client.post("/api/predict", content=large, headers=headers).status_code == 413
    pieces = iter([large[:40_000], large[:40_000]])  # no length is announced
    assert server.client.post("/api/predict", content=pieces, headers=headers).status_code == 413


def test_the_rate_of_an_address_is_limited(tmp_path: Path) -> None:
    with serving(tmp_path, rate=5) as slow:
        answers = [slow.client.get("/api/tables").status_code for _ in range(30)]
        assert answers.count(200) >= 10
        assert answers.count(429) >= 10
        assert slow.client.get("/health").status_code == 200


def test_too_many_tables_are_refused(tmp_path: Path) -> None:
    with serving(tmp_path, tables=2) as small:
        wish = {"game": "kuhn", "seats": [{"kind": "me"}, {"kind": "open"}]}
        answers = [small.client.post("/api/tables", json=wish).status_code for _ in range(3)]
        assert answers == [201, 201, 503]


def question(name: str = "kuhn", moves: int = 0, **more: Any) -> dict[str, Any]:
    state = stich.make(name).new(1)
    for _ in range(moves):
        state.play(state.action_ids()[0])
    return {"game": name, "seat": state.player, "view": state.view(state.player).fields(), **more}


def test_predictions(server: Server) -> None:
    told = server.client.post("/api/predict", json=question("kuhn")).json()
    assert told["name"] in told["legal"] == ["pass", "bet"]
    assert told["values"] is None
    rated = server.client.post("/api/predict", json=question("kuhn", agent="dmcts(d=20,i=50)", seconds=0.5)).json()
    assert [row["name"] for row in rated["values"]] == ["pass", "bet"]
    assert 0 < rated["seconds"] < 1.0
    assert "time=0.5" in rated["agent"]
    game = stich.make("kuhn")
    assert game.restore(question()["view"], 0).array.tobytes() == game.new(1).view(0).array.tobytes()


def test_a_prediction_of_a_net_carries_what_it_says_of_each_action(tmp_path: Path) -> None:
    game, path = stich.make("kuhn"), tmp_path / "net"
    encoder = game.encoder(None)[1]
    biases = np.array([0.25, 0.5], np.float32)
    tensors = {"net0.0.weight": np.zeros((2, encoder.size), np.float32), "net0.0.bias": biases}
    facts = {
        "nets": 1,
        "net_of_seats": [0, 0],
        "layers": [encoder.size, 2],
        "activation": "relu",
        "chooses": "value",
    }
    facts |= {"training": {"config": {"targets": "unit"}}}
    save_model(path, describe(game, Inputs(encoder.name, seat=False), facts), tensors)
    agent = f"model({path})"
    with serving(tmp_path, agents=(agent,)) as own:
        told = own.client.post("/api/predict", json=question("kuhn", agent=agent)).json()
    low, high = game.bounds
    assert [row["name"] for row in told["values"]] == told["legal"]
    assert [row["value"] for row in told["values"]] == pytest.approx(low + (high - low) * biases)
    assert told["name"] == "bet"


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"seat": 1}, "seat 1 is not to act"),
        ({"seat": 9}, "there is no seat 9"),
        ({"seconds": 60}, "1 s at most"),
        ({"agent": "cheat-mcts"}, "sees all cards"),
        ({"agent": "rule"}, "has no rule-based player"),
        ({"view": {}}, "has the fields"),
        ({"game": "nothing"}, "there is no game"),
        ({"level": "random", "agent": "random"}, "not both"),
    ],
)
def test_predictions_that_are_refused(server: Server, changes: dict[str, Any], text: str) -> None:
    answer = server.client.post("/api/predict", json={**question(), **changes})
    assert answer.status_code == 400
    assert text in answer.json()["detail"]


def test_false_views_do_no_harm(server: Server) -> None:
    """Records that no game reaches: answered or refused, in time, and the next honest question is answered."""
    dice, base = random.Random(5), question("kuhn")

    def spoiled(value: Any) -> Any:
        if isinstance(value, list):
            return [spoiled(one) for one in value]
        return dice.choice([value, 0, 1, 7, 255, -1, 2**40])

    for _ in range(60):
        view = dict(base["view"])
        name = dice.choice(list(view))
        view[name] = spoiled(view[name])
        answer = server.client.post("/api/predict", json={**base, "view": view, "agent": "dmcts(d=2,i=10)"})
        assert answer.status_code in (200, 400), answer.text
    assert server.client.post("/api/predict", json=base).status_code == 200


def test_an_answering_process_checks_every_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """It sets that itself: the environment of the server, which other threads read, is left alone."""
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)
    code = """
import numpy as np
from dataclasses import asdict
from numba import njit
from stich.serve.config import Settings
from stich.serve.predict import judging

class Line:
    def recv(self):
        raise EOFError

judging(Line(), asdict(Settings()))
try:
    njit(lambda array, i: array[i])(np.zeros(3), 10)
except IndexError:
    print("checked")
"""
    assert python(code) == "checked\n"
    seen = []
    monkeypatch.setattr(Judge, "spawn", lambda judge, *given: seen.append(os.environ.get("NUMBA_BOUNDSCHECK")))
    judge = Judge(Settings())
    monkeypatch.setattr(judge, "line", None)
    with pytest.raises(AttributeError):
        judge._ask(())
    judge.close()
    assert seen == [None]


LISTED = """
import json, sys
from stich.serve.config import Settings
from stich.serve.lobby import listed
from stich.serve.thinking import Thinkers
path = list(sys.path)
thinkers = Thinkers(Settings(games=({games})))
told = listed(thinkers)
told["families"] = told["families"][-1:]
thinkers.game("duel.again", {{}})
assert sys.path == path, "a server does not search its working directory"
print(json.dumps(told))
"""


def test_a_game_that_fails_leaves_the_others_and_all_variants_are_offered(tmp_path: Path) -> None:
    one = 'Variant("duel", "three tricks")'
    text = TOY.read_text()
    assert one in text
    (tmp_path / "own.py").write_text(text.replace(one, f'{one}, Variant("duel.again", "the same")'))
    (tmp_path / "broken.py").write_text("import nothing_of_this_name")
    (tmp_path / "here.py").write_text("raise SystemError")
    code = LISTED.format(games=f"{str(tmp_path / 'broken.py')!r}, 'here:x', {str(tmp_path / 'own.py')!r}")
    told = json.loads(python(code, cwd=tmp_path, PYTHONSAFEPATH="1").splitlines()[-1])
    (family,) = told["families"]
    assert [variant["name"] for variant in family["variants"]] == ["duel", "duel.again"]
    assert family["family"] == "duel"
    reasons = {Path(row["name"]).name: row["reason"] for row in told["unavailable"]}
    assert "No module named 'nothing_of_this_name'" in reasons["broken.py"]
    assert "No module named 'here'" in reasons["here:x"]


def test_agents_of_the_settings_must_be_installed(tmp_path: Path) -> None:
    (tmp_path / "own_agents.py").write_text("raise SystemError")
    code = "from stich.serve.config import Settings; from stich.serve.thinking import Thinkers\n"
    code += "try: Thinkers(Settings(agents=('solved', 'own_agents:Own')))\nexcept Exception as error: print(error)"
    told = python(code, cwd=tmp_path, PYTHONSAFEPATH="1")
    assert "own_agents:Own: No module named 'own_agents'; the working directory is not searched" in told


def test_a_close_code_comes_from_the_kind_of_error() -> None:
    assert _close_code(UnknownError("gone for good")) == UNKNOWN
    assert _close_code(ForbiddenError("there is no table for this token")) == FORBIDDEN
    assert _close_code(Senseless("no table")) == POLICY


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_nothing_that_the_schema_allows_or_forbids_breaks_the_server(server: Server, mode: GenerationMode) -> None:
    document = schemathesis.openapi.from_url(f"{server.url}/api/v1/openapi.json")
    tried = 0

    def attack(case: schemathesis.Case) -> None:
        nonlocal tried
        tried += 1
        answer = case.call(timeout=30)
        assert answer.status_code < 500 or answer.status_code == 503, answer.text

    for found in document.get_all_operations():
        operation = found.ok()
        try:
            test = hypothesis.given(case=operation.as_strategy(generation_mode=mode))(attack)
            CALM(test)()
        except hypothesis.errors.Unsatisfiable:
            assert mode == GenerationMode.NEGATIVE  # there is nothing to get wrong
    assert tried > 50


def test_the_image_finds_what_it_copies() -> None:
    """A linter reads the Dockerfile in `make test`; whether files are there it does not know."""
    lines = (HERE.parent / "Dockerfile").read_text().splitlines()
    copies = [line.split()[1:-1] for line in lines if line.startswith("COPY") and "--from" not in line]
    assert len(copies) == 2
    assert all((HERE.parent / source).exists() for sources in copies for source in sources)
    services = yaml.safe_load((HERE.parent / "compose.yaml").read_text())["services"]
    assert set(services) == {"stich", "database"}
    assert "STICH_SERVE_DATABASE" in services["stich"]["environment"]
