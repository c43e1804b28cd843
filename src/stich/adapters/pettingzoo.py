"""PettingZoo: every seat an agent, `stich.adapters.pettingzoo.env("jass")`."""

from typing import Any

from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from stich.adapters.spaces import observation, observation_space
from stich.core.game import Game
from stich.games import make


def env(
    game: str | Game, encoder: str | None = None, render_mode: str | None = None, **options: object
) -> AECEnv[str, Any, Any]:
    """A game as an AEC environment: an illegal action ends it with the least return for the one who played it."""
    raw = raw_env(game, encoder, render_mode, **options)
    safe = wrappers.TerminateIllegalWrapper(raw, illegal_reward=raw.game.bounds[0])
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(safe))


class raw_env(AECEnv[str, Any, Any]):  # type: ignore[misc]  # noqa: N801 (PettingZoo's own name for it)
    """The environment without wrappers: an illegal action is an error."""

    metadata = {"render_modes": ["ansi", "human"], "is_parallelizable": False, "name": "stich"}  # noqa: RUF012

    def __init__(
        self, game: str | Game, encoder: str | None = None, render_mode: str | None = None, **options: object
    ) -> None:
        super().__init__()
        self.game = make(game, **options) if isinstance(game, str) else game
        _, self.encoder = self.game.encoder(encoder, moves=False)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"stich_{self.game.name}"}
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.seats)]
        self.agents = list(self.possible_agents)
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation_space(self.game, self.encoder))
        self.action_spaces = {name: spaces.Discrete(self.game.spec.actions) for name in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals anew; without a seed the deals continue from the last one."""
        if seed is not None or not hasattr(self, "_random"):
            self._random, _ = seeding.np_random(seed)
        self.state_now = self.game.new(int(self._random.integers(2**31)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {name: {} for name in self.agents}
        self.agent_selection = self.possible_agents[self.state_now.player]

    def observe(self, agent: str) -> Any:
        """What an agent sees now."""
        return observation(self.state_now, self.possible_agents.index(agent), self.encoder)

    def step(self, action: Any) -> None:
        """Plays the selected agent's action; at the end every agent gets its return."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.state_now.play(int(action))
        self._clear_rewards()
        if self.state_now.is_over:
            self.rewards = dict(zip(self.possible_agents, self.state_now.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.state_now.player]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The open table as text, returned or printed by the render mode."""
        text = str(self.state_now)
        if self.render_mode == "human":
            print(text)  # noqa: T201 (what this mode is for)
        return text if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing to release."""
