"""The plan of a match: the game, the agents, and who sits where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stich.core.errors import StichError
from stich.core.game import Game
from stich.games import make

RANDOM, LOSE = "random", "lose"
"""What becomes of a faulty move: a random legal one is played, or the game counts as lost as well."""


@dataclass(frozen=True)
class Plan:
    """All that decides the results of a match, deal by deal: whoever plays a deal gets the same."""

    game: str
    options: tuple[tuple[str, str | int], ...]
    agents: tuple[str, ...]
    arrangements: tuple[tuple[int, ...], ...]
    """For each time that a deal is played: the agent of each seat."""
    seed: int = 0
    policy: str = RANDOM
    limit: float = 0.0
    """Seconds for a move of an agent that is not trusted; 0 for no limit."""

    def make_game(self) -> Game:
        """The game with its options."""
        return make(self.game, **dict(self.options))


def plan_match(
    name: str,
    options: Mapping[str, object],
    agents: Sequence[str],
    *,
    fixed: bool = False,
    seed: int = 0,
    policy: str = RANDOM,
    limit: float = 0.0,
) -> Plan:
    """A match of agents who take turns at the seats, or of one fixed line-up with an agent for each seat."""
    game = make(name, **options)
    if policy not in (RANDOM, LOSE):
        raise StichError(f"faults are answered by {RANDOM} or {LOSE}, not {policy!r}")
    if limit < 0:
        raise StichError(f"a time limit cannot be negative: {limit:g}")
    entrants = tuple(dict.fromkeys(agents))
    if fixed:
        if len(agents) != game.seats:
            raise StichError(f"{game.name} has {game.seats} seats, but {len(agents)} agents are named for them")
        arrangements: tuple[tuple[int, ...], ...] = (tuple(entrants.index(agent) for agent in agents),)
    else:
        entrants = tuple(agents)
        arrangements = tuple(dict.fromkeys(rotations(game, len(agents))))
    options_given = tuple((option, game.options[option]) for option in sorted(options))
    return Plan(name, options_given, entrants, arrangements, seed, policy, limit)


def rotations(game: Game, count: int) -> list[tuple[int, ...]]:
    """Agents in turn round the table, moved on seat by seat and agent by agent, so that all sit equally often.

    As many agents as a game has teams are the teams.
    """
    if not 2 <= count <= game.seats:
        raise StichError(f"a match of {game.name} needs 2 to {game.seats} agents, not {count}")
    teams = game.teams
    if teams and count == len(set(teams)):
        return [tuple((team + turn) % count for team in teams) for turn in range(count)]
    return [
        tuple(((seat + moved) % game.seats + turn) % count for seat in range(game.seats))
        for moved in range(game.seats)
        for turn in range(count)
    ]
