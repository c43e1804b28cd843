"""Models: what does not fit is refused, compiled nets say what torch says, and none of it needs torch."""

import json
import shutil
import time

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

import stich
from conftest import python
from stich.agents import make_agent
from stich.core.errors import StichError
from stich.core.rng import streams
from stich.learn.dmc import Dmc, DmcConfig
from stich.learn.onnx import build, compare, export_onnx
from stich.learn.run import Setup, Standing, write_model
from stich.nets.model import load_model

SOLO = {"heuristic": "on"}


def learner_of(game="cego.solo", options=SOLO, **settings):
    config = DmcConfig.of("quick", {"layers": "24,16", "lanes": "8"} | settings)
    return Setup("dmc", game, options, config), Dmc(stich.make(game, **options), config)


@pytest.fixture(scope="module")
def solo(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "solo"
    setup, learner = learner_of()
    write_model(setup, learner, Standing(), path)
    return path


def views_of(game, count):
    """Views of the seat to act at some random positions."""
    vector = stich.VectorGame(game, count, seed=2)
    for _ in range(9):
        vector.step(vector.random_actions())
    views = vector.states.copy()
    stich.core.kernels.hide_all(views, vector.players)
    return views, vector


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize(("name", "nets"), [("cego.solo", "side"), ("jass", "one"), ("wizard.round", "seat")])
def test_compiled_nets_say_what_torch_says(tmp_path, name, nets, activation):
    setup, learner = learner_of(name, {}, nets=nets, activation=activation)
    write_model(setup, learner, Standing(), tmp_path / "m")
    model = load_model(str(tmp_path / "m"), learner.game)
    _, vector = views_of(learner.game, 64)
    said = model.rate(vector.observations, vector.players)
    scaled = vector.encoder.scaled(vector.observations)
    if nets != "seat":
        scaled = np.concatenate([scaled, np.eye(learner.game.seats, dtype=np.float32)[vector.players]], 1)
    with torch.inference_mode():
        for i, seat in enumerate(vector.players):
            wanted = learner.nets[learner.net_of[seat]](torch.from_numpy(scaled[i : i + 1])).numpy()[0]
            assert said[i] == pytest.approx(wanted, abs=1e-5)


def test_the_agent_takes_the_best_legal_action_alone_and_in_company(solo):
    game = stich.make("cego.solo", **SOLO)
    agent = make_agent(f"model({solo})", game)
    views, vector = views_of(game, 50)
    actions = agent.act_many(views, streams(50, 1, "x"))
    said = agent.model.rate(vector.observations, vector.players)
    for i in range(50):
        legal = [action for action in range(54) if vector.masks[i] >> action & 1]
        assert actions[i] == max(legal, key=lambda action: said[i, action])
        assert (
            agent.act(game.state(views[i : i + 1].copy(), int(vector.players[i])), streams(1, 1, "x"))
            == actions[i]
        )
        assert (agent.model.rate(vector.observations[i : i + 1], vector.players[i : i + 1])[0] == said[i]).all()


def test_the_agent_tells_what_it_thinks_of_each_action_in_units_of_the_game(solo, tmp_path):
    game = stich.make("cego.solo", **SOLO)
    views, vector = views_of(game, 1)
    view = game.state(views, int(vector.players[0]))
    said = make_agent(f"model({solo})", game).model.rate(vector.observations, vector.players)[0]
    for baseline in (0, 12):
        setup, learner = learner_of(baseline=str(baseline))
        write_model(setup, learner, Standing(), tmp_path / "m")
        agent = make_agent(f"model({tmp_path / 'm'})", game)
        found = agent.analyse(view, streams(1, 1, "x"))
        assert [row["action"] for row in found.rows(view)] == view.action_ids()
        low, high = game.bounds
        wanted = [said[action] * (high - low) + (0 if baseline else low) for action in view.action_ids()]
        assert [row["value"] for row in found.rows(view)] == pytest.approx(wanted, rel=1e-4)
        assert found.chosen == agent.act(view, streams(1, 1, "x"))
        assert {row["low"] for row in found.rows(view)} == {None}


def changed(solo, tmp_path, **entries):
    shutil.copy(f"{solo}.safetensors", tmp_path / "bad.safetensors")
    card = json.loads(solo.with_name("solo.json").read_text()) | entries
    (tmp_path / "bad.json").write_text(json.dumps(card))
    return str(tmp_path / "bad")


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"format": "stich model 0"}, "not the card of a model of this version"),
        ({"game": "jass"}, "is for jass, not for cego.solo"),
        ({"rules_version": 9}, "version of the rules 9, now 1"),
        ({"signature": "0" * 16}, "signature 0000000000000000, now"),
        ({"encoder": {"name": "bits336", "version": 7, "size": 336}}, "version of the encoder bits336 7, now 1"),
        ({"encoder": {"name": "bits337", "version": 1, "size": 336}}, "has no encoder 'bits337'"),
        ({"layers": [340, 24, 17, 63]}, "do not have the shapes"),
        ({"net_of_seats": [0, 1, 2, 1]}, "do not have the shapes"),
        ({"nets": 3}, "do not have the shapes"),
        ({"seat_input": False}, "do not have the shapes"),
        ({"sha256": "0" * 64}, "not those that its card was written for"),
        ({"options": {}}, "had other options"),
        ({"layers": None}, "is damaged"),
    ],
)
def test_what_does_not_fit_is_refused(solo, tmp_path, entries, message):
    with pytest.raises(StichError, match=message):
        load_model(changed(solo, tmp_path, **entries), stich.make("cego.solo"))


def test_a_changed_weight_is_refused(solo, tmp_path):
    path = changed(solo, tmp_path)
    content = bytearray((tmp_path / "bad.safetensors").read_bytes())
    content[-3] ^= 1
    (tmp_path / "bad.safetensors").write_bytes(content)
    with pytest.raises(StichError, match="not those that its card was written for"):
        load_model(path, stich.make("cego.solo"))
    (tmp_path / "bad.safetensors").unlink()
    with pytest.raises(StichError, match="cannot be read"):
        load_model(path, stich.make("cego.solo"))
    with pytest.raises(StichError, match="there is no model 'nobody'"):
        load_model("nobody", stich.make("cego.solo"))


def test_other_options_are_refused_unless_they_only_filter_deals(solo):
    load_model(str(solo), stich.make("cego.solo", heuristic="off"))
    for name, options in (("cego.bettel", {}), ("cego.solo", {"reward": "win"})):
        with pytest.raises(StichError, match=r"is for cego\.solo with"):
            load_model(str(solo), stich.make(name, **options))
    make_agent(f"model({solo}, any_options=on)", stich.make("cego.solo", reward="win"))


def test_a_model_plays_without_torch(solo):
    code = (
        "import sys, stich; from stich.agents import make_agent; from stich.core.rng import streams;"
        "game = stich.make('cego.solo', heuristic='on'); state = game.new(1);"
        f"agent = make_agent('model({solo})', game);"
        "print(agent.act(state.view(0), streams(1, 1, 'x')), 'torch' in sys.modules)"
    )
    action, loaded = python(code).split()
    assert int(action) in stich.make("cego.solo", heuristic="on").new(1).action_ids()
    assert loaded == "False"


def test_onnx_files_say_what_torch_says_and_a_difference_is_noticed(solo, tmp_path):
    card, tensors = json.loads(solo.with_name("solo.json").read_text()), load_file(f"{solo}.safetensors")
    files = export_onnx(tmp_path / "solo", card, tensors)
    assert [path.name for path, _ in files] == ["solo.net0.onnx", "solo.net1.onnx"]
    first = {name[5:]: array for name, array in tensors.items() if name.startswith("net0.")}
    other = {name[5:]: array for name, array in tensors.items() if name.startswith("net1.")}
    assert compare(card, first, build(card, first)) < 1e-5
    assert compare(card, first, build(card, other)) > 1e-2


def test_a_decision_takes_well_under_a_millisecond(tmp_path):
    """The budget is 100 microseconds (`bench/learning.py`); this machine may be busy."""
    game = stich.make("cego.solo", **SOLO)
    setup, learner = learner_of(layers="256,256,256")
    write_model(setup, learner, Standing(), tmp_path / "m")
    model = load_model(str(tmp_path / "m"), game)
    view, rngs = game.new(1).view(0).array, streams(1, 1, "x")
    times = []
    for _ in range(200):
        began = time.perf_counter()
        model.choose(view, rngs)
        times.append(time.perf_counter() - began)
    assert min(times) < 5e-4
