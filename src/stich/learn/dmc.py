"""Deep Monte Carlo: self-play with some random moves; a net learns the final result of each action taken.

Document 000, section 3.4.3 (after Zha et al., DouZero). Deviations, with reasons in docs/learning.md: one forward pass
rates all actions (the document's net takes the action as an input); play and learning take turns in one process.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch

from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game
from stich.learn.batches import Batch, batch, rows_of, shuffle
from stich.learn.checkpoint import as_records
from stich.learn.config import Config, setting
from stich.learn.lanes import Decisions
from stich.learn.learner import Learner, part_of, prefixed, run_nets
from stich.learn.spaces import NETS, WIDE, Range, Space
from stich.learn.torch_nets import Net, Optimizer


@dataclass(frozen=True)
class DmcConfig(Config):
    """The settings of deep Monte Carlo."""

    choices: ClassVar[dict[str, tuple[str, ...]]] = Config.choices | {
        "optimizer": ("adam", "rmsprop"),
        "targets": ("unit", "returns"),
    }
    epsilon: float = setting(0.01, "probability of a random action (Exp Epsilon)")
    batch_size: int = setting(512, "stretches of decisions in a batch (Batch Size)")
    unroll_length: int = setting(1, "decisions in a stretch (Unroll Length)")
    buffers: int = setting(8192, "stretches that are played before they are learned from (Num Buffers)")
    passes: int = setting(1, "how often each decision is learned from")
    max_grad_norm: float = setting(40.0, "longer gradients are shortened to this length (Max Grad Norm); 0: never")
    optimizer: str = setting("adam", "adam or rmsprop")
    rate: float = setting(1e-3, "learning rate at the beginning (Learning Rate)")
    rate_end: float = setting(0.05, "learning rate at the end as a share of the first; it falls evenly")
    alpha: float = setting(0.99, "smoothing of RMSprop (Alpha)")
    momentum: float = setting(0.0, "momentum of RMSprop (Momentum)")
    optimizer_epsilon: float = setting(1e-8, "small number under the fraction of the optimizer (Epsilon)")
    average: float = setting(
        0.999, "weights are exported as an average that keeps this share at each step; 0: as they are"
    )
    targets: str = setting("unit", "what is learned: results scaled to 0 to 1, or as the game gives them")
    baseline: int = setting(
        0,
        "random playouts of the true position, whose mean is subtracted from each target: less variance; 0: none",
    )
    overlap: bool = setting(
        False,
        "games continue, on a second processor, while their last decisions are learned from: one block behind",
    )
    discount: float = setting(1.0, "the discount factor for each decision of the same seat")
    trace: float = setting(
        1.0,
        "1: learn from results alone; less: mixed with the values of later positions",
    )

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "shipped": {
            "opponent": "both",
            "opponent_share": 0.8,
            "baseline": 12,
            "trace": 0.5,
            "rate_end": 0.01,
            "average": 0.9995,
            "overlap": True,
        },
        "document": {  # Table 11
            "seed": 20,
            "frames": 2_500_000_000,
            "layers": (512, 512, 512, 512, 512),
            "nets": "seat",
            "skip_forced": False,
            "lanes": 256,
            "epsilon": 0.01,
            "batch_size": 32,
            "unroll_length": 100,
            "buffers": 50,
            "max_grad_norm": 40.0,
            "optimizer": "rmsprop",
            "rate": 1e-4,
            "rate_end": 1.0,
            "alpha": 0.99,
            "momentum": 0.0,
            "optimizer_epsilon": 1e-5,
            "average": 0.0,
            "targets": "returns",
        },
        "quick": {"frames": 2_000_000, "layers": (128, 128), "evaluate_every": 1_000_000, "log_every": 200_000},
    }

    spaces: ClassVar[Mapping[str, Space]] = {
        "wide": Space(
            {
                "layers": NETS,
                "rate": Range(1e-4, 5e-3),
                "batch_size": ("128", "256", "512", "1024"),
                "buffers": ("2048", "4096", "8192", "16384"),
                "passes": ("1", "2"),
                "epsilon": Range(0.003, 0.1),
                "average": ("0", "0.99", "0.999"),
            },
            budget=WIDE,
        )
    }

    def __post_init__(self) -> None:
        """Refuses values that mean nothing."""
        super().__post_init__()
        for name in ("batch_size", "unroll_length", "buffers", "passes"):
            if getattr(self, name) < 1:
                raise StichError(f"{name} must be at least 1")
        for name in ("epsilon", "trace", "discount", "rate_end"):
            if not 0 <= getattr(self, name) <= 1:
                raise StichError(f"{name} must lie between 0 and 1")
        if self.baseline < 0 or (self.baseline and self.discount < 1):
            raise StichError("baseline must be at least 0, and where it is more discount must be 1")
        if not 0 <= self.average < 1:
            raise StichError("average must be at least 0 and less than 1")


class Dmc(Learner):
    """Deep Monte Carlo: a net learns the final results of the actions taken."""

    settings = DmcConfig
    config: DmcConfig

    def __init__(self, game: Game, config: DmcConfig) -> None:
        super().__init__(game, config)
        self.nets = [
            Net(self.sizes(), config.activation, config.seed, number) for number in range(self.nets_count)
        ]
        own: dict[str, Any] = {"lr": config.rate, "eps": config.optimizer_epsilon}
        own |= (
            {"fused": True} if config.optimizer == "adam" else {"alpha": config.alpha, "momentum": config.momentum}
        )
        self.playing = self.nets
        if config.overlap:
            self.playing = [Net(net.sizes, config.activation, config.seed, i) for i, net in enumerate(self.nets)]
            self._second = ThreadPoolExecutor(1)
        self.optimizers = [
            Optimizer(net, config.optimizer, average=config.average, clip=config.max_grad_norm, **own)
            for net in self.nets
        ]

    def set_switches(self) -> None:
        """How actions are chosen and targets made."""
        config = self.config
        for name in ("epsilon", "trace", "discount", "baseline"):
            self.switches[name] = getattr(config, name)
        if config.targets == "unit":
            low, high = self.game.bounds
            self.switches["low"], self.switches["span"] = low, high - low

    def forward(self, inputs: Array, starts: Array, outputs: Array) -> None:
        """Writes the values of the actions."""
        run_nets(self.playing, inputs, starts, outputs)

    def block(self) -> dict[str, float]:
        """Plays until enough decisions are there, and learns from each of them."""
        config = self.config
        self._play()
        rate = config.rate * (1.0 - (1.0 - config.rate_end) * min(1.0, self.frames / config.frames))
        samples = self.lanes.take()
        playing = self._second.submit(self._play) if config.overlap else None
        losses = []
        for optimizer in self.optimizers:
            optimizer.set_rate(rate)
        for _ in range(config.passes):
            for number in range(self.nets_count):
                losses += self._learn(number, samples)
        if playing:
            playing.result()
            self._follow()
        return {"loss": float(np.mean(losses)), "samples": float(len(samples.steps)), "rate": rate}

    def _play(self) -> None:
        """Plays until there are enough decisions for a block."""
        while self.lanes.count < self.config.buffers * self.config.unroll_length:
            self.lanes.step(self.forward)

    def _follow(self) -> None:
        """Copies what was learned to the nets that play."""
        for playing, net in zip(self.playing, self.nets, strict=True):
            playing.numbers[:] = net.numbers

    def _learn(self, number: int, samples: Decisions) -> list[float]:
        """Learns from the samples of one net in batches of almost equal size; returns the losses."""
        size = self.config.batch_size * self.config.unroll_length
        rows = np.empty(len(samples.steps), np.int64)
        rows = rows[: rows_of(samples.steps, self.net_of, number, rows)]
        shuffle(rows, self.rng)
        parts = np.array_split(rows, max(1, round(len(rows) / size)))
        return [self._step(number, batch(part, samples, self.lanes)) for part in parts if len(part)]

    def _step(self, number: int, batched: Batch) -> float:
        inputs, actions, targets = map(torch.from_numpy, batched)
        values = self.nets[number](inputs).gather(1, actions)[:, 0]
        loss = torch.nn.functional.mse_loss(values, targets)
        self.optimizers[number].step(loss)
        return float(loss.detach())

    def players(self) -> list[tuple[Net, Array]]:
        """The nets with their averaged weights."""
        return [(optimizer.net, optimizer.averaged) for optimizer in self.optimizers]

    def arrays(self) -> dict[str, Array]:
        """Nets, optimizers, the generator."""
        parts = {f"net{number}": optimizer.arrays() for number, optimizer in enumerate(self.optimizers)}
        return prefixed(parts) | {"rng": self.rng}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Continues where `arrays` were taken."""
        for number, optimizer in enumerate(self.optimizers):
            optimizer.restore(part_of(arrays, f"net{number}"))
        self._follow()
        self.rng[:] = as_records(arrays["rng"], self.rng)


LEARNERS = {"dmc": Dmc}
