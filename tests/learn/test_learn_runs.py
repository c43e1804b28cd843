"""Runs: a folder that says what was done, and that any stop, even kill -9, leaves no trace in."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import stich
from conftest import HERE, python
from stich.cli.export import export
from stich.cli.runs import runs
from stich.cli.train import resume
from stich.cli.train import train as train_command
from stich.core.errors import StichError
from stich.learn import checkpoint
from stich.learn.run import Setup, learner_of, load_run, train
from stich.learn.run_folder import list_runs
from stich.nets.model import SHIPPED, load_model, shipped_settings

SETTINGS = {
    "layers": "16",
    "lanes": "32",
    "batch_size": "200",
    "frames": "40000",
    "evaluate_games": "50",
    "evaluate_every": "10000",
    "log_every": "2000",
    "checkpoint_minutes": "0",
}


MEMORY = {"frames": "16000", "train_every": "100", "replay_size": "3000", "replay_init": "300"}
OWN = {"dmc": {"buffers": "400"}, "dqn": MEMORY, "nfsp": MEMORY | {"reservoir_size": "3000", "sl_min": "300"}}


def setup_of(algorithm="dmc", **changes):
    config = learner_of(algorithm).settings.of("quick", SETTINGS | OWN[algorithm] | changes)
    return Setup(algorithm, "cego.bettel", {"heuristic": "on"}, config)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "undisturbed"
    assert train(setup_of(), path)
    return path


def weights(path):
    return (path / "model.safetensors").read_bytes()


def metrics(path):
    """The lines without how long it took."""
    return [re.sub(r'"seconds": [0-9.]+', "", line) for line in (path / "metrics.jsonl").read_text().splitlines()]


KILLER = """
import os, random, signal, sys, time
from pathlib import Path
sys.path[:0] = {tests!r}
import test_learn_runs as tests
path, kills = Path({path!r}), 0
numbers = random.Random(os.getpid())
while not (path / "result.json").exists():
    child = os.fork()
    if child == 0:
        tests.train(tests.setup_of({algorithm!r}), path)
        os._exit(0)
    if kills < 6:
        time.sleep(numbers.random())
        os.kill(child, signal.SIGKILL)
        kills += 1
    os.waitpid(child, 0)
print(kills)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="fork")
@pytest.mark.parametrize("algorithm", ["dmc", "dqn", "nfsp"])
def test_a_run_that_is_killed_ends_with_the_same_weights_and_metrics(tmp_path, algorithm, request):
    if algorithm == "dmc":
        undisturbed = request.getfixturevalue("undisturbed")
    else:
        undisturbed = tmp_path / "undisturbed"
        assert train(setup_of(algorithm), undisturbed)
    path = tmp_path / "killed"
    code = KILLER.format(tests=[str(HERE), str(HERE / "learn")], path=str(path), algorithm=algorithm)
    assert int(python(code)) >= 1
    assert weights(path) == weights(undisturbed)
    assert metrics(path) == metrics(undisturbed)
    assert (path / "config.json").read_bytes() == (undisturbed / "config.json").read_bytes()


def test_a_run_that_is_told_to_stop_goes_on(tmp_path, undisturbed):
    path, told = tmp_path / "stopped", []
    assert not train(setup_of(), path, lambda line: told.append(line) or len(told) == 5)
    assert not (path / "result.json").exists()
    assert train(setup_of(), path)
    assert weights(path) == weights(undisturbed)
    assert told[0]["frames"] < told[-1]["frames"] < 40_000
    with pytest.raises(StichError, match="is finished"):
        train(setup_of(), path)
    with pytest.raises(StichError, match="holds another run"):
        train(setup_of(seed="1"), path)


def test_a_run_that_plays_on_while_it_learns_is_the_same_each_time(tmp_path):
    setup, told = setup_of(overlap="on", baseline="2", frames="20000"), []
    assert train(setup, tmp_path / "whole")
    assert not train(setup, tmp_path / "parts", lambda line: told.append(line) or len(told) == 5)
    assert load_run(tmp_path / "parts")[1].lanes.count >= 400  # played, not yet learned from
    assert train(setup, tmp_path / "parts")
    assert weights(tmp_path / "parts") == weights(tmp_path / "whole")
    assert metrics(tmp_path / "parts") == metrics(tmp_path / "whole")


def test_a_damaged_checkpoint_is_passed_over(tmp_path, undisturbed):
    path, told = tmp_path / "damaged", []
    train(setup_of(), path, lambda line: told.append(line) or len(told) == 8)
    older, newest = sorted((path / "checkpoints").iterdir())
    whole = newest.read_bytes()
    newest.write_bytes(whole[: len(whole) // 2])
    assert checkpoint.read(path / "checkpoints")[1]["number"] == int(older.name[:6])
    newest.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    (path / "checkpoints" / "000099-0000000000000000.safetensors.part").write_bytes(b"cut off")
    assert train(setup_of(), path)
    assert weights(path) == weights(undisturbed)
    assert len(list((path / "checkpoints").iterdir())) == 2


def test_arrays_come_back_from_a_checkpoint_as_they_were(tmp_path):
    records = np.zeros((3, 2), np.dtype([("a", "i8"), ("b", "u1")], align=True))
    records["a"], records["b"] = [[1, 2], [3, 4], [5, 6]], 7
    arrays = {"records": records, "floats": np.linspace(0, 1, 5, dtype=np.float32), "none": np.zeros((0, 4))}
    checkpoint.write(tmp_path / "c", 1, arrays, {"x": [1.5]})
    found, facts = checkpoint.read(tmp_path / "c")
    assert facts == {"x": [1.5]}
    for name, array in arrays.items():
        back = checkpoint.as_records(found[name], array)
        assert back.dtype == array.dtype
        assert back.shape == array.shape
        assert (back == array).all()


def test_the_folder_says_what_was_done(undisturbed):
    manifest = json.loads((undisturbed / "manifest.json").read_text())
    assert {"stich", "commit", "signature", "seed", "threads", "torch", "numba", "started"} <= set(manifest)
    lines = [json.loads(line) for line in (undisturbed / "metrics.jsonl").read_text().splitlines()]
    assert [line["kind"] for line in lines].count("evaluation") == 5  # before, three on the way, at the end
    frames = [line["frames"] for line in lines if line["kind"] == "training"]
    assert len(frames) > 10
    assert frames == sorted(frames)
    assert next((undisturbed / "tensorboard").iterdir()).name.startswith("events.out.tfevents")
    (found,) = list_runs(undisturbed.parent)
    assert found["finished"]
    assert found["evaluation"]["side0 vs random"] == lines[-1]["side0 vs random"]
    setup, learner, standing = load_run(undisturbed)
    assert setup == setup_of()
    assert learner.frames == found["frames"] >= 40_000
    assert standing.evaluation == found["evaluation"]
    assert learner.evaluate() == standing.evaluation


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_commands(tmp_path, capsys):
    path = tmp_path / "run"
    settings = [part for name, value in (SETTINGS | OWN["dmc"]).items() for part in ("--set", f"{name}={value}")]
    command = [
        "train",
        "dmc",
        "cego.bettel",
        "-o",
        "heuristic=on",
        "--preset",
        "quick",
        *settings,
        "--run",
        str(path),
    ]
    command += ["--set", "frames=1e9"]
    process = subprocess.Popen([sys.executable, "-m", "stich.cli", *command], stderr=subprocess.PIPE, text=True)
    while not list(path.glob("checkpoints/*.safetensors")):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    error = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert f"`stich resume {path}` resumes it" in error
    assert "Traceback" not in error
    runs(tmp_path, json=True)
    assert json.loads(capsys.readouterr().out)[0]["finished"] is False
    export(path, tmp_path / "x" / "bettel", half=False, onnx=True, json=True)
    exported = json.loads(capsys.readouterr().out)["written"]
    assert [Path(entry["file"]).suffix for entry in exported] == [".safetensors", ".json", ".onnx", ".onnx"]
    assert all(entry.get("difference_from_torch", 0) < 1e-4 for entry in exported)
    export(path, tmp_path / "x" / "half", half=True, onnx=True, json=True)
    capsys.readouterr()
    whole, half = (
        load_model(str(tmp_path / "x" / name), stich.make("cego.bettel")) for name in ("bettel", "half")
    )
    assert np.allclose(whole.nets.weights, half.nets.weights, rtol=1e-3, atol=1e-6)
    assert not np.array_equal(whole.nets.weights, half.nets.weights)
    with pytest.raises(StichError, match="there is no run in"):
        resume(tmp_path, json=True)
    with pytest.raises(StichError, match="there is no learner 'sarsa'; there are dmc, dqn, nfsp"):
        train_command("sarsa", "kuhn")
    train_command("dmc", listed=True, json=True)
    listed = json.loads(capsys.readouterr().out)
    assert all(entry["doc"] for entry in listed)
    assert next(entry for entry in listed if entry["name"] == "layers")["presets"]["document"] == [512] * 5


def test_the_preset_shipped_repeats_how_a_shipped_model_was_trained(tmp_path, capsys):
    path = tmp_path / "run"
    few = {"frames": "1000", "lanes": "16", "buffers": "64", "evaluate_games": "50", "snapshots": "on"}
    settings = [f"{name}={value}" for name, value in few.items()]
    train_command("dmc", "cego.piccolo", settings=settings, option=["heuristic=on"], run=path, json=True)
    said = json.loads((SHIPPED / "cego.piccolo" / "dmc.json").read_text("utf-8"))["training"]["config"]
    ours = json.loads((path / "config.json").read_text("utf-8"))["config"]
    assert {name for name in ours if ours[name] != said.get(name, False)} == set(few)
    assert said["opponent"] == "random"  # not what the preset says of other games
    assert shipped_settings("dmc", "jass") == {}
    kept = sorted((path / "snapshots").glob("*.safetensors"))
    assert len(kept) == 2  # before the first game and after the last
    last = load_model(str(kept[-1]), stich.make("cego.piccolo", heuristic="on"))
    assert last.card["training"]["frames"] >= 1000


def test_runs_need_no_module_of_unix():
    """Windows has no `resource`: the peak of the memory is then unknown, and the rest works."""
    code = "import sys; sys.modules['resource'] = None\nfrom stich.learn import run\nprint(run._peak_memory())"
    assert python(code) == "None\n"
