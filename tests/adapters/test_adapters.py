"""Both adapters under the test suites of the libraries they serve."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import stich
import stich.adapters.gymnasium as single
from conftest import TOY
from stich.adapters.pettingzoo import env, raw_env
from stich.core.errors import StichError

GAMES = [*stich.names(), str(TOY)]


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_api(name, capsys):
    with warnings.catch_warnings():
        # Observations are dicts with the action mask, as in PettingZoo's own card games, which this warns of.
        warnings.filterwarnings("ignore", "Observation")
        api_test(env(name), num_cycles=300)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_seed(name):
    seed_test(lambda: env(name), num_cycles=60)


@pytest.mark.parametrize("name", GAMES)
def test_gymnasium_check(name, capsys):
    check_env(gymnasium.make("stich/Game-v0", game=name, render_mode="ansi").unwrapped)


def play_out(environment):
    """Every seat plays its first legal action; the rewards in the end."""
    totals = dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        seen, reward, terminated, truncated, _ = environment.last()
        totals[agent] += reward
        environment.step(None if terminated or truncated else int(np.argmax(seen["action_mask"])))
    return totals


def test_pettingzoo_rewards_are_the_returns():
    environment = env("jass")
    environment.reset(seed=3)
    assert sum(play_out(environment).values()) == 314


def test_pettingzoo_ends_a_game_at_an_illegal_action():
    environment = env("jass")
    environment.reset(seed=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        environment.step(0)
    assert any(environment.terminations.values())
    raw = raw_env("jass")
    raw.reset(seed=3)
    with pytest.raises(StichError, match="not legal"):
        raw.step(0)


def test_a_seat_sees_only_its_own_cards():
    environment = raw_env("jass", encoder="flat")
    environment.reset(seed=1)
    for seat, agent in enumerate(environment.possible_agents):
        hand = environment.observe(agent)["observation"][:36]
        assert hand.sum() == 9
        assert sum(int(bit) << i for i, bit in enumerate(hand)) == environment.state_now.record["hands"][seat]


def test_gymnasium_plays_whole_games():
    environment = gymnasium.make("stich/Game-v0", game="jass", seat=1, opponents="random", encoder="trump")
    rewards = []
    for seed in range(5):
        seen, info = environment.reset(seed=seed)
        over = False
        while not over:
            assert np.array_equal(seen["action_mask"], info["action_mask"])
            seen, reward, over, _, info = environment.step(int(np.argmax(seen["action_mask"])))
        rewards.append(reward)
    assert all(0 <= reward <= 157 for reward in rewards)
    assert len(set(rewards)) > 1


def test_gymnasium_ends_a_game_at_an_illegal_action():
    environment = single.GameEnv("jass")
    environment.reset(seed=1)
    illegal = int(np.argmin(environment.step(0)[0]["action_mask"]))
    _, reward, terminated, _, info = environment.step(illegal)
    assert (reward, terminated, info["illegal"]) == (0.0, True, True)
    with pytest.raises(StichError, match="no seat 9"):
        single.GameEnv("jass", seat=9)


def test_render_shows_the_own_view(capsys):
    environment = single.GameEnv("jass", render_mode="human")
    environment.reset(seed=1)
    environment.render()
    assert "South" in capsys.readouterr().out
    zoo = env("jass", render_mode="ansi")
    zoo.reset(seed=1)
    assert "North" in zoo.render()


def test_the_same_seed_gives_the_same_game():
    game = stich.make("jass")
    one, other = single.GameEnv(game), single.GameEnv(game)
    for environment in (one, other):
        environment.reset(seed=7)
    assert one.state.array.tobytes() == other.state.array.tobytes()
