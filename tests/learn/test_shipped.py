"""The models that come with Stich: they fit the rules of today, and are as strong as their cards say."""

import json

import pytest

from conftest import run
from stich.learn.run import learner_of
from stich.nets.model import SHIPPED, shipped_models, shipped_settings


@pytest.mark.parametrize("name", shipped_models())
def test_a_shipped_model_is_as_strong_as_its_card_says(name):
    card = json.loads((SHIPPED / f"{name}.json").read_text("utf-8"))
    options = ["-o", "heuristic=on"] if card["options"]["heuristic"] == "on" else []
    seats = f"model({name}),random,random,random"
    done = run("match", card["game"], *options, "--seats", seats, "--games", "3000", "--seed", "9", "--json")
    found = json.loads(done.stdout)["rows"][0]["points"]
    said = card["strength"]["side0 vs random"]
    error = (found["high"] - found["low"]) / 3.92
    assert abs(found["mean"] - said["mean"]) < 4 * (error**2 + said["error"] ** 2) ** 0.5
    assert (SHIPPED / f"{name}.safetensors").stat().st_size < 1_100_000


@pytest.mark.parametrize("name", shipped_models())
def test_the_settings_of_a_shipped_model_can_be_trained_with_today(name):
    game, algorithm = name.split("/")
    settings = shipped_settings(algorithm, game)
    config = learner_of(algorithm).settings.of("shipped", {}, settings)
    assert settings.items() <= json.loads(json.dumps(config.record())).items()
