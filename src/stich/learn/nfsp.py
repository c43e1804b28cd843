"""Neural fictitious self-play: one net learns the best response, another the average of all best responses so far.

Document 000, section 3.4.2, after Heinrich and Silver and RLCard. For each game every seat draws whether it plays by
value (probability `anticipatory`) or by its average policy; what is measured and exported is the average policy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import torch

from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game
from stich.learn.batches import batch
from stich.learn.buffers import Memory
from stich.learn.config import Sizes, setting
from stich.learn.dqn import DOCUMENT_BUDGET, Dqn, DqnConfig, legal_columns
from stich.learn.lanes import Lanes
from stich.learn.learner import part_of, prefixed, run_nets
from stich.learn.spaces import NETS, WIDE, Range, Space
from stich.learn.torch_nets import Net, Optimizer


@dataclass(frozen=True)
class NfspConfig(DqnConfig):
    """The settings of neural fictitious self-play: those of deep Q-learning, and of the average policy."""

    sl_layers: Sizes = setting(
        (256, 256, 256), "units of the average policy's hidden layers (Hidden Layers Sizes)"
    )
    reservoir_size: int = setting(
        500_000, "decisions that the average policy learns from (Reservoir Buffer Capacity)"
    )
    anticipatory: float = setting(0.1, "probability that a seat plays a game by value (Anticipatory Param)")
    sl_batch_size: int = setting(512, "decisions that a step of the average policy learns from (SL Batch Size)")
    sl_rate: float = setting(5e-4, "learning rate of the average policy (SL Learning Rate)")
    sl_min: int = setting(2_000, "decisions in the reservoir before the first step (Min Buffer Size To Learn)")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "shipped": {},
        "document": {  # Table 10; 200,000 games of 44 moves
            **DqnConfig.presets["document"],
            "frames": 8_800_000,
            "sl_layers": (512, 512),
            "reservoir_size": 100_000,
            "anticipatory": 0.5,
            "sl_batch_size": 32,
            "sl_rate": 1e-4,
            "sl_min": 100,
        },
        "quick": {**DqnConfig.presets["quick"], "sl_layers": (128, 128)},
    }

    spaces: ClassVar[Mapping[str, Space]] = {
        "document": Space(  # 6.3.1; its best response has what was found for dqn
            {
                "sl_layers": ("128,128", "256,256", "512,512", "512,512,512"),
                "reservoir_size": ("20000", "50000", "100000", "200000"),
                "anticipatory": ("0.1", "0.2", "0.25", "0.35", "0.5"),
                "sl_batch_size": ("128", "64", "32"),
                "sl_rate": ("1e-3", "1e-4", "5e-5", "1e-5", "5e-6"),
            },
            "document",
            DOCUMENT_BUDGET,
        ),
        "wide": Space(
            {
                **DqnConfig.spaces["wide"].values,
                "sl_layers": NETS,
                "sl_rate": Range(5e-5, 5e-3),
                "sl_batch_size": ("128", "256", "512", "1024"),
                "reservoir_size": ("100000", "200000", "500000"),
                "anticipatory": ("0.1", "0.2", "0.35", "0.5"),
            },
            budget=WIDE,
        ),
    }

    def __post_init__(self) -> None:
        """Refuses values that mean nothing."""
        super().__post_init__()
        for name in ("reservoir_size", "sl_batch_size", "sl_min"):
            if getattr(self, name) < 1:
                raise StichError(f"{name} must be at least 1")
        if not self.sl_layers or min(self.sl_layers) < 1:
            raise StichError("sl_layers need at least one unit each, as in sl_layers=256,256")
        if not 0 < self.anticipatory <= 1:
            raise StichError("anticipatory must be more than 0 and at most 1")


class Averaging:
    """One net's average policy and the reservoir that it learns from."""

    def __init__(self, lanes: Lanes, config: NfspConfig, sizes: tuple[int, ...], number: int) -> None:
        self.lanes, self.config = lanes, config
        self.memory = Memory(lanes, number, config.reservoir_size)
        self.net = Net(sizes, config.activation, config.seed, "average", number)
        self.optimizer = Optimizer(self.net, "adam", average=config.average, lr=config.sl_rate, fused=True)

    def step(self, rng: Array) -> float | None:
        """One step towards the decisions in the reservoir; returns the loss, or None while they are too few."""
        memory = self.memory
        if len(memory) < self.config.sl_min:
            return None
        rows = memory.rows(self.config.sl_batch_size, rng)
        inputs, actions, _ = batch(rows, memory.decisions, self.lanes)
        legal = legal_columns(memory.decisions.steps["mask"][rows], self.net.sizes[-1])
        logits = self.net(torch.from_numpy(inputs)).masked_fill(~legal, -1e9)
        loss = torch.nn.functional.cross_entropy(logits, torch.from_numpy(actions)[:, 0])
        self.optimizer.step(loss)
        return float(loss.detach())

    def arrays(self) -> dict[str, Array]:
        """All that it has learned and remembers."""
        return prefixed({"memory": self.memory.arrays(), "optimizer": self.optimizer.arrays()})

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Continues where `arrays` were taken."""
        self.memory.restore(part_of(arrays, "memory"))
        self.optimizer.restore(part_of(arrays, "optimizer"))


class Nfsp(Dqn):
    """Neural fictitious self-play: a best response, and the average of all so far."""

    settings = NfspConfig
    config: NfspConfig
    evaluated_by_value = 0.0

    def __init__(self, game: Game, config: NfspConfig) -> None:
        super().__init__(game, config)
        sizes = (self.sizes()[0], *config.sl_layers, self.sizes()[-1])
        self.averages = [Averaging(self.lanes, config, sizes, net) for net in range(self.nets_count)]

    def set_switches(self) -> None:
        """Seats play by value in some games only."""
        super().set_switches()
        self.switches["by_value"] = self.config.anticipatory

    def forward(self, inputs: Array, starts: Array, outputs: Array) -> None:
        """Writes the values of the actions, and the logits of the average policies."""
        nets = [part.net for part in self.values] + [part.net for part in self.averages]
        run_nets(nets, inputs, starts, outputs)

    def learn(self) -> dict[str, list[float]]:
        """Both nets learn, step by step in turn."""
        losses: dict[str, list[float]] = {"loss": [], "sl_loss": []}
        for values, average in zip(self.values, self.averages, strict=True):
            average.memory.sift(self.rng)
            for _ in range(values.feed()):
                losses["loss"].append(values.step(self.rng))
                found = average.step(self.rng)
                losses["sl_loss"] += [] if found is None else [found]
        return losses

    def players(self) -> list[tuple[Net, Array]]:
        """The average policies."""
        return [(part.net, part.optimizer.averaged) for part in self.averages]

    def arrays(self) -> dict[str, Array]:
        """Nets, memories, the generator."""
        own = prefixed({f"average{net}": part.arrays() for net, part in enumerate(self.averages)})
        return super().arrays() | own

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Continues where `arrays` were taken."""
        super().restore(arrays)
        for net, part in enumerate(self.averages):
            part.restore(part_of(arrays, f"average{net}"))


LEARNERS = {"nfsp": Nfsp}
