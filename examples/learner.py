"""A learner in one file: the value of an action is a linear function of the observation, learned from results.

stich train examples/learner.py:Linear schnapsen.deal --run runs/linear
stich match schnapsen.deal "model(runs/linear)" random
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch

from stich.core.contract import Array
from stich.core.game import Game
from stich.learn.batches import batch
from stich.learn.config import Config, setting
from stich.learn.learner import Learner, part_of, prefixed, run_nets
from stich.learn.spaces import Range, Space
from stich.learn.torch_nets import Net, Optimizer


@dataclass(frozen=True)
class LinearConfig(Config):
    """The settings, which `--set NAME=VALUE` changes and `stich train ... --list` explains."""

    rate: float = setting(1e-3, "learning rate")
    targets: str = setting("unit", "results are scaled to 0 to 1; a model's card tells how to read its values")
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"shipped": {"frames": 1_000_000}}
    spaces: ClassVar[Mapping[str, Space]] = {"wide": Space({"rate": Range(1e-4, 1e-1)}, preset="shipped")}


class Linear(Learner):
    """Monte Carlo control with linear values."""

    settings = LinearConfig

    def __init__(self, game: Game, config: LinearConfig) -> None:
        """The base class has made `lanes`, in which games are played side by side, and numbered the nets."""
        super().__init__(game, config)
        sizes = (self.inputs.width(game), game.spec.actions)
        self.nets = [Net(sizes, config.activation, config.seed, number) for number in range(self.nets_count)]
        self.optimizers = [Optimizer(net, "adam", lr=config.rate) for net in self.nets]

    def set_switches(self) -> None:
        """How environments choose actions, here one in ten at random, and how results become targets."""
        low, high = self.game.bounds
        self.switches["epsilon"], self.switches["low"], self.switches["span"] = 0.1, low, high - low

    def forward(self, inputs: Array, starts: Array, outputs: Array) -> None:
        """The values of all actions; rows `starts[n]` to `starts[n + 1]` are net n's."""
        run_nets(self.nets, inputs, starts, outputs)

    def block(self) -> dict[str, float]:
        """Plays, and takes a step towards the results of the actions taken."""
        while self.lanes.count < self.config.lanes:
            self.lanes.step(self.forward)
        samples = self.lanes.take()
        losses = []
        for number, optimizer in enumerate(self.optimizers):
            rows = np.flatnonzero(self.net_of[samples.steps["seat"]] == number)
            inputs, actions, results = map(torch.from_numpy, batch(rows, samples, self.lanes))
            loss = torch.nn.functional.mse_loss(optimizer.net(inputs).gather(1, actions)[:, 0], results)
            optimizer.step(loss)
            losses.append(float(loss.detach()))
        return {"loss": float(np.mean(losses)), "samples": float(len(samples.steps))}

    def players(self) -> list[tuple[Net, Array]]:
        """The nets that are measured and exported."""
        return [(net, net.numbers) for net in self.nets]

    def arrays(self) -> dict[str, Array]:
        """All state except that of the environments, for checkpoints."""
        return prefixed({f"net{number}": part.arrays() for number, part in enumerate(self.optimizers)})

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Continues where `arrays` were taken."""
        for number, optimizer in enumerate(self.optimizers):
            optimizer.restore(part_of(arrays, f"net{number}"))
