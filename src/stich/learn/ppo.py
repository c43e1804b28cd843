"""Regularised policy gradients by self-play: PPO with an entropy bonus, a magnet, and a critic that sees all cards.

Regularisation keeps self-play from going in circles: an entropy bonus, and a penalty for leaving a slowly moving copy
of the policy (the magnet of magnetic mirror descent, arXiv 2206.05825). With it plain PPO comes close to equilibria of
games with hidden cards; the settings start from those of arXiv 2502.08938. The critic may see all cards (arXiv
2203.16406): it is used in training only, and the policy sees nothing but its own view. The order of a block: play,
advantages (generalised advantage estimation over each seat's own decisions), then some passes in small batches.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from stich.core.contract import Array, Int, observe
from stich.core.errors import StichError
from stich.core.game import Game
from stich.core.jit import kernel
from stich.learn.batches import Batch, batch, rows_of, shuffle
from stich.learn.checkpoint import as_records
from stich.learn.config import Config, setting
from stich.learn.lanes import Decisions, aligned
from stich.learn.learner import Learner, part_of, prefixed, run_nets
from stich.learn.spaces import NETS, WIDE, Range, Space
from stich.learn.torch_nets import Net, Optimizer
from stich.nets.inputs import write_input

LOW = -1e9
"""The logit of an illegal action."""


@dataclass(frozen=True)
class PpoConfig(Config):
    """The settings of regularised policy gradients."""

    choices: ClassVar[dict[str, tuple[str, ...]]] = Config.choices | {
        "optimizer": ("adam", "rmsprop", "sgd"),
        "critic": ("all", "own"),
    }
    buffers: int = setting(8192, "decisions that are played before they are learned from")
    batch_size: int = setting(1024, "decisions in a batch")
    passes: int = setting(2, "how often each decision is learned from")
    clip: float = setting(0.05, "a step counts only while the probability ratio lies in 1 +- clip")
    entropy: float = setting(0.05, "weight of the entropy bonus")
    entropy_end: float = setting(1.0, "that weight at the end as a share of the first")
    magnet: float = setting(0.05, "weight of the penalty for leaving the magnet; 0: none")
    magnet_rate: float = setting(0.01, "share by which the magnet follows the policy after each block")
    trace: float = setting(0.95, "lambda of generalised advantage estimation")
    critic: str = setting("all", "what the critic sees in training: all cards, or its own seat's view")
    critic_layers: tuple[int, ...] = setting((256, 256), "units of the critic's hidden layers")
    critic_rate: float = setting(1e-3, "the critic's learning rate")
    max_grad_norm: float = setting(0.5, "longer gradients are shortened to this length; 0: never")
    optimizer: str = setting("adam", "adam, rmsprop or sgd")
    rate: float = setting(1e-3, "the policy's learning rate at the beginning")
    rate_end: float = setting(0.01, "learning rates at the end as a share of the first; they fall linearly")
    average: float = setting(
        0.0, "the exported weights are an average that keeps this share at each step; 0: none"
    )

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "shipped": {},
        "quick": {"frames": 1_000_000, "layers": (128, 128), "evaluate_every": 500_000, "log_every": 100_000},
    }

    spaces: ClassVar[Mapping[str, Space]] = {
        "wide": Space(
            {
                "layers": NETS,
                "rate": Range(1e-4, 3e-3),
                "clip": Range(0.02, 0.3),
                "entropy": Range(0.003, 0.3),
                "magnet": Range(0.003, 0.3),
                "magnet_rate": Range(0.001, 0.1),
                "passes": ("1", "2", "4"),
            },
            budget=WIDE,
        )
    }

    def __post_init__(self) -> None:
        """Refuses values that mean nothing."""
        super().__post_init__()
        for name in ("batch_size", "buffers", "passes"):
            if getattr(self, name) < 1:
                raise StichError(f"{name} must be at least 1")
        for name in ("trace", "rate_end", "magnet_rate", "entropy_end"):
            if not 0 <= getattr(self, name) <= 1:
                raise StichError(f"{name} must lie between 0 and 1")
        if self.clip <= 0 or self.entropy < 0 or self.magnet < 0:
            raise StichError("clip must be more than 0, entropy and magnet at least 0")
        if not 0 <= self.average < 1:
            raise StichError("average must be at least 0 and less than 1")


@kernel
def write_critic_inputs(samples: Decisions, which: Int, factors: Array, raw: Array, out: Array) -> None:
    """What a critic sees of each decision: its own seat's observation, then those of the seats after it."""
    seats = raw.shape[0]
    size = len(factors)
    for i in range(len(samples.steps)):
        me = np.int64(samples.steps[i].seat)
        if samples.states.shape[1] == 0:
            write_input(samples.observations[i], factors, me, out[i, :size])
        else:
            for k in range(seats):
                seat = (me + k) % seats
                observe(samples.states[i, 0], seat, which, raw[k])
                write_input(raw[k], factors, seat, out[i, k * size : (k + 1) * size])
        for k in range(seats):
            out[i, out.shape[1] - seats + k] = 1.0 if k == me else 0.0


@kernel
def advantages(steps: Array, values: Array, trace: float, out: Array, returns: Array) -> None:
    """Generalised advantages and the critic's targets; each seat's decisions of a game lie together, in order."""
    for i in range(len(steps) - 1, -1, -1):
        if steps[i].last:
            out[i] = steps[i].target - values[i]
        else:
            out[i] = values[i + 1] - values[i] + trace * out[i + 1]
        returns[i] = values[i] + out[i]


def legal_matrix(masks: Array, actions: int) -> Tensor:
    """Which actions are legal in each row."""
    return torch.from_numpy((masks[:, None] >> np.arange(actions) & 1).astype(np.bool_))


def log_policy(logits: Tensor, legal: Tensor) -> Tensor:
    """The logarithms of the probabilities of all actions; illegal ones are far below."""
    return torch.log_softmax(torch.where(legal, logits, torch.full((), LOW)), 1)


class Ppo(Learner):
    """Regularised policy gradients at work."""

    settings = PpoConfig
    config: PpoConfig
    evaluated_by_value: ClassVar[float] = 0.0

    def __init__(self, game: Game, config: PpoConfig) -> None:
        super().__init__(game, config)
        which, encoder = game.encoder(self.inputs.encoder, moves=False)
        self._which = np.int64(which)
        self._raw = np.zeros((game.seats, encoder.size), encoder.dtype)
        views = game.seats if config.critic == "all" else 1
        wide = (views * encoder.size + game.seats, *config.critic_layers, 1)
        self.nets = [Net(self.sizes(), config.activation, config.seed, n) for n in range(self.nets_count)]
        self.magnets = [Net(self.sizes(), config.activation, config.seed, n) for n in range(self.nets_count)]
        self.critics = [Net(wide, config.activation, config.seed, "critic", n) for n in range(self.nets_count)]
        self.optimizers = [self._optimizer(net, config.rate, config.average) for net in self.nets]
        self.critic_optimizers = [self._optimizer(net, config.critic_rate) for net in self.critics]

    def _optimizer(self, net: Net, rate: float, average: float = 0.0) -> Optimizer:
        config = self.config
        own = {"lr": rate} | ({"fused": True} if config.optimizer == "adam" else {})
        return Optimizer(net, config.optimizer, average=average, clip=config.max_grad_norm, **own)

    def set_switches(self) -> None:
        """All actions are drawn from the policy; results are scaled to 0 to 1."""
        low, high = self.game.bounds
        self.switches["by_value"] = 0.0
        self.switches["states"] = self.config.critic == "all"
        self.switches["low"], self.switches["span"] = low, high - low

    def forward(self, inputs: Array, starts: Array, outputs: Array) -> None:
        """The logits of the policies."""
        run_nets(self.nets * 2, inputs, starts, outputs)

    def block(self) -> dict[str, float]:
        """Plays some decisions, then learns from them net by net."""
        config = self.config
        left = max(0.0, 1.0 - self.frames / config.frames)
        share = config.rate_end + (1.0 - config.rate_end) * left
        for optimizer, critic in zip(self.optimizers, self.critic_optimizers, strict=True):
            optimizer.set_rate(config.rate * share)
            critic.set_rate(config.critic_rate * share)
        entropy = config.entropy * (config.entropy_end + (1.0 - config.entropy_end) * left)
        while self.lanes.count < config.buffers:
            self.lanes.step(self.forward)
        samples = self.lanes.take()
        figures = [self._learn(number, samples, entropy) for number in range(self.nets_count)]
        for net, magnet in zip(self.nets, self.magnets, strict=True):
            magnet.numbers += config.magnet_rate * (net.numbers - magnet.numbers)
        means = np.mean([found for found in figures if found], axis=0)
        names = ("loss", "critic_loss", "entropy", "kl")
        return {"samples": float(len(samples.steps)), **dict(zip(names, map(float, means), strict=True))}

    def _learn(self, number: int, samples: Decisions, entropy: float) -> tuple[float, ...]:
        """Learns from the samples of one net; returns mean losses, entropy and distance from the old policy."""
        config = self.config
        rows = np.empty(len(samples.steps), np.int64)
        rows = rows[: rows_of(samples.steps, self.net_of, number, rows)]
        if not len(rows):
            return ()
        own = Decisions(*(np.ascontiguousarray(array[rows]) for array in samples))
        seen = aligned((len(rows), self.critics[number].sizes[0]), np.float32)
        write_critic_inputs(own, self._which, self.lanes.factors, self._raw, seen)
        with torch.inference_mode():
            values = self.critics[number](torch.from_numpy(seen))[:, 0].numpy().astype(np.float64)
        gains, targets = np.zeros((2, len(rows)))
        advantages(own.steps, values, config.trace, gains, targets)
        gains = (gains - gains.mean()) / (gains.std() + 1e-8)
        places, found = np.arange(len(rows)), []
        for _ in range(config.passes):
            shuffle(places, self.rng)
            for part in np.array_split(places, max(1, round(len(rows) / config.batch_size))):
                made = batch(part, own, self.lanes)
                policy = self._policy_step(number, made, own.steps[part], gains[part], entropy)
                critic = self._critic_step(number, seen[part], targets[part])
                found.append((policy[0], critic, *policy[1:]))
        return tuple(np.mean(found, axis=0))

    def _policy_step(
        self, number: int, made: Batch, steps: Array, gains: Array, entropy: float
    ) -> tuple[float, float, float]:
        """One step of the policy: the clipped objective, the entropy bonus and the magnet."""
        config = self.config
        inputs, gain = torch.from_numpy(made.inputs), torch.from_numpy(gains.astype(np.float32))
        legal = legal_matrix(steps["mask"], self.game.spec.actions)
        logs = log_policy(self.nets[number](inputs), legal)
        shares = logs.exp()
        chosen = logs.gather(1, torch.from_numpy(made.actions))[:, 0]
        change = chosen - torch.from_numpy(np.ascontiguousarray(steps["logp"]))
        ratio = change.exp()
        clipped = ratio.clamp(1.0 - config.clip, 1.0 + config.clip)
        spread = -(shares * torch.where(legal, logs, torch.zeros(()))).sum(1).mean()
        loss = -torch.minimum(ratio * gain, clipped * gain).mean() - entropy * spread
        if config.magnet:
            with torch.no_grad():
                home = log_policy(self.magnets[number](inputs), legal)
            loss = loss + config.magnet * (shares * torch.where(legal, logs - home, torch.zeros(()))).sum(1).mean()
        self.optimizers[number].step(loss)
        return float(loss.detach()), float(spread.detach()), float((ratio.detach() - 1 - change.detach()).mean())

    def _critic_step(self, number: int, seen: Array, targets: Array) -> float:
        made = self.critics[number](torch.from_numpy(np.ascontiguousarray(seen)))[:, 0]
        loss = torch.nn.functional.mse_loss(made, torch.from_numpy(targets.astype(np.float32)))
        self.critic_optimizers[number].step(loss)
        return float(loss.detach())

    def players(self) -> list[tuple[Net, Array]]:
        """The policies, with their averaged weights if they are averaged."""
        return [(optimizer.net, optimizer.averaged) for optimizer in self.optimizers]

    def arrays(self) -> dict[str, Array]:
        """Policies, critics, magnets, optimizers, the generator."""
        parts = {f"net{n}": optimizer.arrays() for n, optimizer in enumerate(self.optimizers)}
        parts |= {f"critic{n}": optimizer.arrays() for n, optimizer in enumerate(self.critic_optimizers)}
        parts |= {f"magnet{n}": {"weights": net.numbers} for n, net in enumerate(self.magnets)}
        return prefixed(parts) | {"rng": self.rng}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Continues where `arrays` were taken."""
        for n, optimizer in enumerate(self.optimizers):
            optimizer.restore(part_of(arrays, f"net{n}"))
        for n, optimizer in enumerate(self.critic_optimizers):
            optimizer.restore(part_of(arrays, f"critic{n}"))
        for n, net in enumerate(self.magnets):
            net.numbers[:] = part_of(arrays, f"magnet{n}")["weights"]
        self.rng[:] = as_records(arrays["rng"], self.rng)


LEARNERS = {"ppo": Ppo}
