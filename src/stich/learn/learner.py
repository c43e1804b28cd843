"""What all algorithms share: the environments, whose nets choose, and the evaluation during a run."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import torch

from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.rng import numbered, stream
from stich.learn.config import Config
from stich.learn.lanes import GAMES, MOVES, SWITCHES, Lanes, Lineup, training_generators
from stich.learn.torch_nets import Net
from stich.nets.inputs import Inputs


def sides(game: Game) -> list[list[int]]:
    """The seats of each team; without teams each seat is a side."""
    teams = game.teams or range(game.seats)
    return [[seat for seat in range(game.seats) if teams[seat] == team] for team in sorted(set(teams))]


def nets_of_seats(game: Game, nets: str, learners: Sequence[int]) -> Array:
    """The number of the net that plays each seat (0 where nobody learns); without teams all seats are one side here."""
    teams = game.teams or (0,) * game.seats
    kinds = {"one": [0] * game.seats, "side": teams, "seat": range(game.seats)}[nets]
    wanted = sorted({kinds[seat] for seat in learners})
    return np.array([wanted.index(kind) if kind in wanted else 0 for kind in kinds])


def mask_of(seats: Sequence[int]) -> int:
    """Seats as a mask."""
    return sum(1 << seat for seat in seats)


class Learner(ABC):
    """An algorithm at work on a game."""

    settings: ClassVar[type[Config]] = Config
    """The configuration that it takes."""
    config: Config
    evaluated_by_value: ClassVar[float] = 1.0
    """0 where the average policy is what is measured and exported."""

    def __init__(self, game: Game, config: Config) -> None:
        """Makes the environments; the subclass makes the nets."""
        torch.set_num_threads(config.threads)
        self.game, self.config = game, config
        self.learning = sorted(config.learners or range(game.seats))
        if self.learning[-1] >= game.seats:
            raise StichError(f"learners are seats 0 to {game.seats - 1}, not {config.learners}")
        self.net_of = nets_of_seats(game, config.nets, self.learning)
        self.nets_count = int(self.net_of.max()) + 1
        encoder = game.encoder(config.encoder or None, moves=False)[1]
        self.inputs = Inputs(encoder.name, seat=self.nets_count < len(self.learning))
        self.switches = np.zeros(1, SWITCHES)
        for name in ("by_value", "trace", "discount", "span"):
            self.switches[name] = 1.0
        self.switches["nets"], self.switches["skip_forced"] = self.nets_count, config.skip_forced
        self.rng = stream(config.seed, "learning")
        check_opponent(game, config.opponent)
        self.set_switches()
        self.lanes = Lanes(
            game,
            self.inputs,
            self.net_of,
            self._lineup(),
            self.switches,
            config.threads,
        )

    def _lineup(self) -> Lineup:
        """Who plays in each environment."""
        config, game = self.config, self.game
        masks = np.full(config.lanes, mask_of(self.learning))
        some = sides(game)
        share = 0.0 if config.learners else config.opponent_share
        for number, lane in enumerate(range(round(config.lanes * (1 - share)), config.lanes)):
            side = some[number % len(some)]
            masks[lane] = 1 << side[number // len(some) % len(side)]
        by_rule = np.full(config.lanes, config.opponent == "rule")
        if config.opponent == "both" and game.spec.has_rule:
            by_rule = np.arange(config.lanes) // len(some) % 2 == 1
        return Lineup(masks, by_rule, *training_generators(config.lanes, config.seed))

    @abstractmethod
    def set_switches(self) -> None:
        """Sets how the algorithm plays, and what targets it learns."""

    @property
    def frames(self) -> int:
        """How many moves have been played."""
        return int(self.lanes.totals[MOVES])

    @property
    def games(self) -> int:
        """How many games have been finished."""
        return int(self.lanes.totals[GAMES])

    def sizes(self) -> tuple[int, ...]:
        """The sizes of all layers of a net, input and output included."""
        return (self.inputs.width(self.game), *self.config.layers, self.game.spec.actions)

    @abstractmethod
    def block(self) -> dict[str, float]:
        """Plays some games and learns from them; returns figures for the log."""

    @abstractmethod
    def forward(self, inputs: Array, starts: Array, outputs: Array) -> None:
        """Writes the outputs of the nets that play in training (`Lanes.step`)."""

    @abstractmethod
    def players(self) -> list[tuple[Net, Array]]:
        """For each net number the net that is measured and exported, with its weights (or an average of them)."""

    @abstractmethod
    def arrays(self) -> dict[str, Array]:
        """All state except that of the environments, by name."""

    @abstractmethod
    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Continues where `arrays` were taken."""

    def evaluate(self) -> dict[str, dict[str, float]]:
        """The mean result, with its standard error, of each learning side against fixed opponents."""
        opponents = ["random"] + (["rule"] if self.game.spec.has_rule else [])
        found = {}
        with Borrowed(self.players()) as forward:
            for number, side in enumerate(sides(self.game) if self.game.teams else [[0]]):
                if set(side) <= set(self.learning):
                    for opponent in opponents:
                        found[f"side{number} vs {opponent}"] = self._measure(side, opponent, forward)
        return found

    def _measure(self, side: list[int], opponent: str, forward: "Borrowed") -> dict[str, float]:
        results = self._results(self.game, side, opponent, self.config.seed, self.config.evaluate_games, forward)
        return {"mean": float(results.mean()), "error": float(results.std() / np.sqrt(len(results)))}

    def play_against(self, game: Game, opponent: str, seeds: Sequence[int], count: int) -> Array:
        """The first side's results in `count` games of each seed; the game may differ from the one it learns."""
        side = sides(game)[0] if game.teams else [0]
        with Borrowed(self.players()) as forward:
            return np.concatenate([self._results(game, side, opponent, seed, count, forward) for seed in seeds])

    def _results(
        self, game: Game, side: list[int], opponent: str, seed: int, count: int, forward: "Borrowed"
    ) -> Array:
        """The results of a side's first seat in `count` games against fixed opponents."""
        switches = self.switches.copy()
        switches["epsilon"], switches["once"], switches["by_value"] = 0.0, 1, self.evaluated_by_value
        switches["states"] = 0
        lineup = Lineup(
            np.full(count, mask_of(side)),
            np.full(count, opponent == "rule"),
            numbered(0, count, seed, "evaluation deals"),
            numbered(0, count, seed, "evaluation choices"),
        )
        lanes = Lanes(game, self.inputs, self.net_of, lineup, switches)
        lanes.play_out(forward)
        return np.asarray(lanes.results[:, side[0]])


class Borrowed:
    """Nets that play with other weights, averages of their own, for a while."""

    def __init__(self, players: list[tuple[Net, Array]]) -> None:
        self.players = players

    def __enter__(self) -> "Borrowed":
        self.own = [net.numbers.copy() for net, _ in self.players]
        for net, numbers in self.players:
            net.numbers[:] = numbers
        return self

    def __exit__(self, *error: object) -> None:
        for (net, _), own in zip(self.players, self.own, strict=True):
            net.numbers[:] = own

    def __call__(self, inputs: Array, starts: Array, outputs: Array) -> None:
        """Writes the outputs; average policies are numbered after the nets that choose by value."""
        run_nets([net for net, _ in self.players] * 2, inputs, starts, outputs)


@torch.inference_mode()
def run_nets(nets: Sequence[Net], inputs: Array, starts: Array, outputs: Array) -> None:
    """Each net on its own rows."""
    into, out = torch.from_numpy(inputs), torch.from_numpy(outputs)
    for g, net in enumerate(nets):
        first, after = int(starts[g]), int(starts[g + 1])
        if first < after:
            out[first:after] = net(into[first:after])


def check_opponent(game: Game, opponent: str) -> None:
    """Refuses an opponent that a game does not have."""
    if opponent == "rule" and not game.spec.has_rule:
        raise StichError(f"{game.name} has no rule-based player; take opponent=random")


def prefixed(parts: Mapping[str, Mapping[str, Array]]) -> dict[str, Any]:
    """The arrays of several parts under names that begin with the part's."""
    return {f"{part}.{name}": array for part, arrays in parts.items() for name, array in arrays.items()}


def part_of(arrays: Mapping[str, Array], part: str) -> dict[str, Array]:
    """The arrays of one part."""
    start = f"{part}."
    return {name[len(start) :]: array for name, array in arrays.items() if name.startswith(start)}
