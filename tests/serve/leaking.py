"""Looks for leaks: what a seat's client is sent must not change when only cards that the seat cannot know do.

A table is played at random. At each move the positions before and after it are drawn anew for a seat, among those that
agree with all it knows (a secret move of another becomes any other legal one), and put into a second table. Every
message to that seat must be the same byte for byte: the one after the move, the whole game resumed, refusals, the
coach's values.

`python tests/serve/leaking.py [GAMES] [NAME]...` plays the long form: 1000 games of each variant, or of those named.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import stich
from conftest import TOY
from stich.agents import make_agent
from stich.core.errors import StichError
from stich.core.game import State
from stich.core.rng import stream
from stich.serve.config import Settings
from stich.serve.limits import Metrics
from stich.serve.tables import Table, Tables, packed
from stich.serve.tables_api import coach
from stich.serve.thinking import Thinkers

RESUME = 25
"""Every so many moves the whole game so far is resumed."""


TABLES = Tables(None, Thinkers(Settings(seconds=60.0)), Metrics())  # type: ignore[arg-type]
"""Stores nothing: every move that is tried here is refused."""


class Exchanged(Table):
    """A table whose past and present were drawn anew."""

    past: list[tuple[State, int, State]]

    def steps(self) -> Iterator[tuple[State, int, State]]:
        yield from self.past


def row(table: str, game: stich.Game, seed: int) -> dict[str, Any]:
    seats = [{"kind": "person", "name": f"P{seat}"} for seat in range(game.seats)]
    told = {"id": table, "seed": seed, "status": "running", "coach": True, "invite": "", "created": 0.0}
    return {**told, "seats": json.dumps(seats)}


def drawn(state: State, seat: int, rngs: Any) -> State:
    """Another full position that agrees with a seat's view."""
    return State(state.game, state.view(seat).sampler().draw(rngs))


def some_action(state: State, action: int, seat: int, chance: Any) -> int:
    """The same action, but a secret one of another seat may be any."""
    if state.is_secret and state.player != seat:
        return int(chance.choice(state.action_ids()))
    return action


def refusals(table: Table, seat: int) -> list[str]:
    """What a seat is answered to moves that it cannot make."""

    async def ask() -> list[str]:
        found = []
        for number, action in ((0, "no such card"), (len(table.actions), "no such card"), (10**6, 3)):
            try:
                await TABLES.play(table, seat, number, action)
            except StichError as error:
                found.append(str(error))
        return found

    return asyncio.run(ask())


def compare(table: Table, other: Exchanged, seat: int, since: int, full: bool) -> int:
    """Compares everything that a seat is sent now; how many messages that were."""
    assert table.message(seat, since) == other.message(seat, since)
    if full:
        assert table.message(seat, 0) == other.message(seat, 0)
        assert refusals(table, seat) == refusals(other, seat)
    return 1 + 4 * full


def play(name: str, games: int, seed: int = 0, coached: int = 0) -> tuple[int, int]:
    """Plays games at random; how many messages were compared, and in how many the hidden cards really differed."""
    game = stich.make(name)
    bot, chance = make_agent("random", game), np.random.default_rng(seed)
    rngs, moves = stream(seed, "leaks"), stream(seed, "moves")
    compared = differed = 0
    for number in range(games):
        table = Table(game, row("t", game, seed + number), [])
        seat = int(chance.integers(game.seats))
        other = Exchanged(game, row("t", game, 10**6 + number), [])
        other.past = []
        while not table.state.is_over:
            action = bot.act(table.state.view(table.state.player), moves)
            before = drawn(table.state, seat, rngs)
            table.apply(action)
            after = table.state.copy() if table.state.is_over else drawn(table.state, seat, rngs)
            other.before, other.state = before, after
            other.past.append((before, some_action(before, action, seat, chance), after.copy()))
            other.actions.append(other.past[-1][1])
            differed += other.state.array.tobytes() != table.state.array.tobytes()
            full = len(table.actions) % RESUME == 0
            compared += compare(table, other, seat, len(table.actions) - 1, full)
            if coached and table.state.player == seat and not table.state.is_over:
                coached -= 1
                compared += compare_coach(table, other, seat)
    return compared, differed


def compare_coach(table: Table, other: Exchanged, seat: int) -> int:
    """The coach's values of both tables."""

    def told(one: Table) -> str:
        thought = asyncio.run(coach(TABLES, one.state.view(seat)))
        return packed({"action": thought.action, "values": thought.values})

    assert told(table) == told(other)
    return 1


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for name in sys.argv[2:] or [*stich.names(), str(TOY)]:
        compared, differed = play(name, games, seed=1, coached=4)
        sys.stdout.write(
            f"{name}: {games} games, {compared} messages alike, hidden cards differed in {differed}\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
