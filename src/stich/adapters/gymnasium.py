"""Gymnasium: one seat learns, agents play the others; `gymnasium.make("stich/Game-v0", game="jass")`."""

from typing import Any

import gymnasium
from gymnasium import spaces

from stich.adapters.spaces import observation, observation_space
from stich.agents import default_agent, make_agent
from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.rng import stream
from stich.games import make


class GameEnv(gymnasium.Env[Any, Any]):  # type: ignore[misc]
    """A game seen from one seat.

    The reward is the seat's return at the end of the game, 0 before. An illegal action ends the game with the
    least possible return and `info["illegal"]`. The mask of legal actions is part of the observation and of
    `info`.
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 4}  # noqa: RUF012 (Gymnasium's own form)

    def __init__(
        self,
        game: str | Game = "jass",
        seat: int | None = None,
        opponents: str | None = None,
        encoder: str | None = None,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        """`seat` defaults to the game's usual one, `opponents` (an agent for all other seats) to `rule`."""
        self.game = make(game, **options) if isinstance(game, str) else game
        self.seat = self.game.spec.home_seat if seat is None else seat
        if not 0 <= self.seat < self.game.seats:
            raise StichError(f"there is no seat {self.seat}; {self.game.name} has {self.game.seats}")
        self.agent = make_agent(opponents, self.game) if opponents else default_agent(self.game)
        _, self.encoder = self.game.encoder(encoder, moves=False)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.game, self.encoder)
        self.action_space = spaces.Discrete(self.game.spec.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deals until the seat has something to decide."""
        super().reset(seed=seed)
        while True:
            game_seed = int(self.np_random.integers(2**31))
            self.state = self.game.new(game_seed)
            self._rngs = [stream(game_seed, "seat", seat) for seat in range(self.game.seats)]
            self._others()
            if not self.state.is_over:
                return self._see()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays the seat's action and the others' answers."""
        if not self.state.mask >> int(action) & 1:
            seen, info = self._see()
            return seen, self.game.bounds[0], True, False, {**info, "illegal": True}
        self.state.play(int(action))
        self._others()
        seen, info = self._see()
        reward = self.state.returns()[self.seat] if self.state.is_over else 0.0
        return seen, reward, self.state.is_over, False, info

    def render(self) -> Any:
        """The seat's view as text, returned or printed by the render mode."""
        text = str(self.state.view(self.seat))
        if self.render_mode == "human":
            print(text)  # noqa: T201 (what this mode is for)
        return text if self.render_mode == "ansi" else None

    def _others(self) -> None:
        """The other seats play until it is its own turn or the end."""
        while not self.state.is_over and self.state.player != self.seat:
            player = self.state.player
            self.state.play(self.agent.act(self.state.view(player), self._rngs[player]))

    def _see(self) -> tuple[Any, dict[str, Any]]:
        seen = observation(self.state, self.seat, self.encoder)
        return seen, {"action_mask": seen["action_mask"]}


gymnasium.register("stich/Game-v0", entry_point="stich.adapters.gymnasium:GameEnv")
