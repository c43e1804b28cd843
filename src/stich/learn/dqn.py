"""Deep Q-learning with a replay buffer, a target net and the double estimate of van Hasselt et al.

Document 000, section 3.4.1, after RLCard. As there, a game's decisions enter the buffer when it has ended, and every
new one is followed by a step of learning. Deviations are listed in docs/learning.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game
from stich.learn.batches import batch
from stich.learn.buffers import Following, Memory, gather_next, input_rows
from stich.learn.checkpoint import as_records
from stich.learn.config import Config, setting
from stich.learn.lanes import Lanes
from stich.learn.learner import Learner, part_of, prefixed, run_nets
from stich.learn.spaces import NETS, WIDE, Range, Space
from stich.learn.torch_nets import Net, Optimizer

DOCUMENT_BUDGET = {
    "frames": "2200000",
    "evaluate_every": "22000",
    "evaluate_games": "1000",
    "epsilon_decay": "50000",
}
"""A trial of the document's search (6.1.1): 50,000 games of 44 moves, measured every 500 games in 1,000."""


@dataclass(frozen=True)
class DqnConfig(Config):
    """The settings of deep Q-learning."""

    choices: ClassVar[dict[str, tuple[str, ...]]] = Config.choices | {
        "optimizer": ("adam", "rmsprop"),
        "targets": ("unit", "returns"),
    }
    replay_size: int = setting(200_000, "decisions that are remembered (Replay Memory Size)")
    replay_init: int = setting(2_000, "decisions that are played before the first step (Replay Memory Init Size)")
    update_target_every: int = setting(
        500, "steps between two copies to the target net (Update Target Estimator Every)"
    )
    discount: float = setting(1.0, "the discount factor for each decision of the same seat (Discount Factor)")
    epsilon_start: float = setting(1.0, "probability of a random action at the beginning (Epsilon Start)")
    epsilon_end: float = setting(0.02, "and at the end (Epsilon End)")
    epsilon_decay: int = setting(2_000_000, "decisions over which it falls (Epsilon Decay Steps)")
    batch_size: int = setting(512, "decisions that a step learns from (Batch Size)")
    train_every: int = setting(128, "new decisions for each step")
    max_grad_norm: float = setting(0.0, "longer gradients are shortened to this length; 0: never")
    optimizer: str = setting("adam", "adam or rmsprop")
    rate: float = setting(5e-4, "learning rate (Learning Rate)")
    average: float = setting(
        0.995, "weights are exported as an average that keeps this share at each step; 0: as they are"
    )
    targets: str = setting("unit", "what is learned: results scaled to 0 to 1, or as the game gives them")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "shipped": {},
        "document": {  # Table 9; 400,000 games of 44 moves, an evaluation every 1,000 games
            "seed": 20,
            "frames": 17_600_000,
            "lanes": 8,
            "layers": (512, 512),
            "activation": "tanh",
            "learners": (0,),
            "opponent": "random",
            "nets": "seat",
            "skip_forced": False,
            "evaluate_every": 44_000,
            "evaluate_games": 1_000,
            "replay_size": 100_000,
            "replay_init": 100,
            "update_target_every": 10_000,
            "discount": 0.95,
            "epsilon_start": 1.0,
            "epsilon_end": 0.1,
            "epsilon_decay": 100_000,
            "batch_size": 32,
            "train_every": 1,
            "rate": 1e-5,
            "average": 0.0,
            "targets": "returns",
        },
        "quick": {
            "frames": 2_000_000,
            "layers": (128, 128),
            "epsilon_decay": 200_000,
            "evaluate_every": 1_000_000,
            "log_every": 200_000,
        },
    }

    spaces: ClassVar[Mapping[str, Space]] = {
        "document": Space(  # 6.2.1
            {
                "replay_size": ("50000", "100000", "200000"),
                "update_target_every": ("1000", "2000", "10000"),
                "discount": ("0.75", "0.8", "0.95", "0.99"),
                "epsilon_end": ("0.1", "0.05", "0.01"),
                "batch_size": ("32", "64"),
                "layers": ("512,512,512", "512,256,128", "512,512"),
                "rate": ("1e-4", "5e-5", "1e-5", "5e-6"),
            },
            "document",
            DOCUMENT_BUDGET,
        ),
        "wide": Space(
            {
                "layers": NETS,
                "rate": Range(5e-5, 5e-3),
                "batch_size": ("128", "256", "512", "1024"),
                "train_every": ("32", "64", "128", "256"),
                "replay_size": ("50000", "100000", "200000", "400000"),
                "update_target_every": ("100", "250", "500", "1000"),
                "discount": ("0.95", "0.99", "1"),
                "epsilon_end": Range(0.005, 0.2),
            },
            budget=WIDE,
        ),
    }

    def __post_init__(self) -> None:
        """Refuses values that mean nothing."""
        super().__post_init__()
        counts = (
            "replay_size",
            "replay_init",
            "update_target_every",
            "epsilon_decay",
            "batch_size",
            "train_every",
        )
        for name in counts:
            if getattr(self, name) < 1:
                raise StichError(f"{name} must be at least 1")
        for name in ("discount", "epsilon_start", "epsilon_end", "average"):
            if not 0 <= getattr(self, name) <= 1:
                raise StichError(f"{name} must lie between 0 and 1")


class QLearning:
    """One net's values: memory, net and target net."""

    def __init__(self, lanes: Lanes, config: DqnConfig, sizes: tuple[int, ...], number: int) -> None:
        self.lanes, self.config = lanes, config
        self.memory = Memory(lanes, number, config.replay_size)
        self.net = Net(sizes, config.activation, config.seed, number)
        self.target = Net(sizes, config.activation, config.seed, number)
        own: dict[str, Any] = {"fused": True} if config.optimizer == "adam" else {}
        self.optimizer = Optimizer(
            self.net, config.optimizer, average=config.average, clip=config.max_grad_norm, lr=config.rate, **own
        )
        self.fed = 0

    def feed(self) -> int:
        """Remembers the new samples; returns how many steps of learning are due."""
        config, before = self.config, self.fed
        self.fed += self.memory.remember()
        ready = [max(0, fed - config.replay_init) // config.train_every for fed in (before, self.fed)]
        return ready[1] - ready[0]

    def step(self, rng: Array) -> float:
        """One step of learning; returns the loss."""
        memory = self.memory
        rows = memory.rows(self.config.batch_size, rng)
        inputs, actions, _ = batch(rows, memory.decisions, self.lanes)
        values = self.net(torch.from_numpy(inputs)).gather(1, torch.from_numpy(actions))[:, 0]
        loss = torch.nn.functional.mse_loss(values, self._targets(rows))
        self.optimizer.step(loss)
        if self.optimizer.steps % self.config.update_target_every == 0:
            self.target.numbers[:] = self.net.numbers
        return float(loss.detach())

    @torch.no_grad()
    def _targets(self, rows: Array) -> Tensor:
        """The targets of decisions: the result, or the target net's value of the net's next action."""
        count = len(rows)
        after = Following(input_rows(count, self.lanes), np.empty(count, np.int64), np.empty(count, np.float32))
        gather_next(rows, self.memory.decisions, self.lanes.factors, after)
        inputs = torch.from_numpy(after.inputs)
        legal = legal_columns(after.masks, self.net.sizes[-1])
        best = self.net(inputs).masked_fill_(~legal, -torch.inf).argmax(1, keepdim=True)
        later = self.target(inputs).gather(1, best)[:, 0]
        continues = torch.from_numpy(after.masks != 0)
        return torch.from_numpy(after.rewards) + self.config.discount * continues * later

    def arrays(self) -> dict[str, Array]:
        """All that it has learned and remembers."""
        own = {"target": self.target.numbers, "fed": np.array([self.fed])}
        return own | prefixed({"memory": self.memory.arrays(), "optimizer": self.optimizer.arrays()})

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Continues where `arrays` were taken."""
        self.target.numbers[:] = arrays["target"]
        self.fed = int(arrays["fed"][0])
        self.memory.restore(part_of(arrays, "memory"))
        self.optimizer.restore(part_of(arrays, "optimizer"))


def legal_columns(masks: Array, actions: int) -> Tensor:
    """Masks as a table of booleans, a column for each action."""
    return torch.from_numpy((masks[:, None] >> np.arange(actions)) & 1 != 0)


class Dqn(Learner):
    """Deep Q-learning: replay memory, target net, double estimate."""

    settings: ClassVar[type[Config]] = DqnConfig
    config: DqnConfig

    def __init__(self, game: Game, config: DqnConfig) -> None:
        super().__init__(game, config)
        self.values = [QLearning(self.lanes, config, self.sizes(), net) for net in range(self.nets_count)]

    def set_switches(self) -> None:
        """Targets are results; the rest changes on the way."""
        if self.config.targets == "unit":
            low, high = self.game.bounds
            self.switches["low"], self.switches["span"] = low, high - low

    def forward(self, inputs: Array, starts: Array, outputs: Array) -> None:
        """Writes the values of the actions."""
        run_nets([part.net for part in self.values], inputs, starts, outputs)

    def block(self) -> dict[str, float]:
        """Plays until some games have ended and takes the steps of learning that are due for the new decisions."""
        config, lanes = self.config, self.lanes
        done = min(1.0, max(part.fed for part in self.values) / config.epsilon_decay)
        epsilon = config.epsilon_start + (config.epsilon_end - config.epsilon_start) * done
        self.switches["epsilon"] = epsilon
        while lanes.count < config.train_every:
            lanes.step(self.forward)
        means = {name: float(np.mean(losses)) for name, losses in self.learn().items() if losses}
        figures = {**means, "samples": float(lanes.count), "epsilon": epsilon}
        lanes.clear()
        return figures

    def learn(self) -> dict[str, list[float]]:
        """Feeds the memories and takes the steps that are due; returns the losses."""
        return {"loss": [part.step(self.rng) for part in self.values for _ in range(part.feed())]}

    def players(self) -> list[tuple[Net, Array]]:
        """The nets with their averaged weights."""
        return [(part.net, part.optimizer.averaged) for part in self.values]

    def arrays(self) -> dict[str, Array]:
        """Nets, memories, the generator."""
        return prefixed({f"values{net}": part.arrays() for net, part in enumerate(self.values)}) | {
            "rng": self.rng
        }

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Continues where `arrays` were taken."""
        for net, part in enumerate(self.values):
            part.restore(part_of(arrays, f"values{net}"))
        self.rng[:] = as_records(arrays["rng"], self.rng)


LEARNERS = {"dqn": Dqn}
