"""Agents that live elsewhere and are asked over HTTP.

The request is a POST of JSON: `game` and `options`, `seat` (who is asked), `legal` (the names of the legal actions),
`view` (the fields of the hidden record) and `table` (the same as text). The answer is JSON with `action`, one of the
names. A game may know other protocols: its `PROTOCOLS` gives by name how a seat's bot is asked (path and body, or the
action where there is no such question) and how its answer is read.
"""

import importlib
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any

from stich.agents.base import Agent
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game, State
from stich.core.types import Action, Actions

TOGETHER = 16
"""The most questions to one bot at the same time."""


class HttpAgent(Agent):
    """A remote bot: each view is sent to a URL, which answers with an action."""

    def __init__(
        self,
        game: Game,
        url: Annotated[str, "where the bot listens"],
        timeout: Annotated[float, "seconds to wait for an answer"] = 10.0,
        protocol: Annotated[str, "what it speaks: stich, or one that the game knows (Jass: v0.1, v0.2)"] = "stich",
    ) -> None:
        super().__init__(game)
        known = game.spec.protocols
        if protocol != "stich" and protocol not in known:
            raise StichError(f"http: {game.spec.name} speaks {', '.join(['stich', *known])}, not {protocol!r}")
        self.ask_as, self.read = known.get(protocol, (None, None))
        try:
            httpx: Any = importlib.import_module("httpx")
        except ImportError:
            raise StichError("remote agents need httpx: pip install stich[http]") from None
        if not url.startswith(("http://", "https://")):
            raise StichError(f"http: {url!r} is not a URL like http://host:port/path")
        self.url, self.client, self.failure = url, httpx.Client(timeout=timeout), httpx.HTTPError

    def act_many(self, views: Array, rngs: Array) -> Actions:
        """Asks for all views, several at once."""
        with ThreadPoolExecutor(TOGETHER) as pool:
            return list(pool.map(self.ask, [State(self.game, views[i : i + 1]) for i in range(len(views))]))

    def ask(self, state: State) -> Action:
        """The action that the bot gives for a view."""
        view = state.view(state.player)
        asked = self.ask_as(view.record, view.player) if self.ask_as else ("", question(view))
        if isinstance(asked, int):
            return Action(asked)
        path, body = asked
        try:
            answer = self.client.post(f"{self.url.rstrip('/')}/{path}" if path else self.url, json=body)
            answer.raise_for_status()
            action = self.read(answer.json()) if self.read else answer.json()["action"]
        except (self.failure, ValueError, KeyError, TypeError) as error:
            raise StichError(f"the bot at {self.url} failed: {type(error).__name__}: {error}") from None
        return view.action_id(action if isinstance(action, int) else str(action))


def question(view: State) -> dict[str, Any]:
    """What a bot is told of a view."""
    return {
        "game": view.game.name,
        "options": view.game.options,
        "seat": view.player,
        "legal": view.legal_actions(),
        "view": view.fields(),
        "table": str(view),
    }


AGENTS = {"http": HttpAgent}
