"""Nets in torch: their weights lie in one flat array, so that optimizers, averages and checkpoints stay simple."""

from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.kernels import words
from stich.core.rng import stream
from stich.learn.lanes import aligned

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}


def mlp(sizes: tuple[int, ...], activation: str) -> nn.Sequential:
    """Linear layers with an activation between them."""
    layers: list[nn.Module] = []
    for wide, out in pairwise(sizes):
        layers += [nn.Linear(wide, out), ACTIVATIONS[activation]()]
    return nn.Sequential(*layers[:-1])


class Net:
    """A multilayer perceptron with its weights and gradients flat: `weights` and `gradient`."""

    def __init__(self, sizes: tuple[int, ...], activation: str, seed: int, *names: str | int) -> None:
        """Weights are drawn as torch draws those of its linear layers, from a stream of our own."""
        self.sizes, self.activation = sizes, activation
        self.module = mlp(sizes, activation)
        parameters = list(self.module.parameters())
        count = sum(parameter.numel() for parameter in parameters)
        self.numbers = aligned((count,), np.float32)
        self.weights = nn.Parameter(torch.from_numpy(self.numbers))
        self.gradient = torch.from_numpy(aligned((count,), np.float32))
        self.weights.grad = self.gradient
        seeds = np.zeros(1, np.uint64)
        words(stream(seed, "weights", *names), seeds)
        generator = np.random.Generator(np.random.Philox(key=int(seeds[0])))
        start, wide = 0, 1
        for parameter in parameters:
            wide = parameter.shape[1] if parameter.dim() == 2 else wide
            place = slice(start, start + parameter.numel())
            parameter.data = self.weights.data[place].view(parameter.shape)
            parameter.grad = self.gradient[place].view(parameter.shape)
            self.numbers[place] = generator.uniform(-1, 1, parameter.numel()) / np.sqrt(wide)
            start = place.stop

    def __call__(self, inputs: Tensor) -> Tensor:
        """The outputs of the net for some rows."""
        return self.module(inputs)  # type: ignore[no-any-return]

    def tensors(self, numbers: Array) -> dict[str, Array]:
        """Flat weights, these or averages of them, by layer: `0.weight`, `0.bias`, `1.weight`, ..."""
        found, start = {}, 0
        for number, (wide, out) in enumerate(pairwise(self.sizes)):
            found[f"{number}.weight"] = numbers[start : start + wide * out].reshape(out, wide)
            start += wide * out
            found[f"{number}.bias"] = numbers[start : start + out]
            start += out
        return found


class Optimizer:
    """An optimizer of torch on flat weights, with clipped gradients, a running average, and all its state as arrays."""

    def __init__(self, net: Net, kind: str, *, average: float = 0.0, clip: float = 0.0, **settings: Any) -> None:
        kinds = {"adam": torch.optim.Adam, "rmsprop": torch.optim.RMSprop, "sgd": torch.optim.SGD}
        if kind not in kinds:
            raise StichError(f"there is no optimizer {kind!r}; there are {', '.join(kinds)}")
        self.net, self.average, self.clip = net, average, clip
        self.steps = 0
        self._torch = kinds[kind]([net.weights], **settings)
        self.averaged = net.numbers.copy() if average else net.numbers

    def set_rate(self, rate: float) -> None:
        """The learning rate of the next steps."""
        self._torch.param_groups[0]["lr"] = rate

    def step(self, loss: Tensor) -> None:
        """One step down the gradient of a loss."""
        net = self.net
        net.gradient.zero_()
        loss.backward()  # type: ignore[no-untyped-call]
        if self.clip:
            size = float(net.gradient.norm())
            if size > self.clip:
                net.gradient.mul_(self.clip / size)
        self._torch.step()
        self.steps += 1
        if self.average:  # young averages follow faster
            keep = min(self.average, self.steps / (self.steps + 10.0))
            torch.from_numpy(self.averaged).lerp_(net.weights.data, 1.0 - keep)

    def arrays(self) -> dict[str, Array]:
        """Weights, their average and the optimizer's own state."""
        own = self._torch.state[self.net.weights]
        found = {f"torch.{name}": value.numpy() for name, value in own.items() if value is not None}
        extra = {"averaged": self.averaged} if self.average else {}
        return {"weights": self.net.numbers, "steps": np.array([self.steps]), **extra, **found}

    def restore(self, arrays: dict[str, Array]) -> None:
        """Continues where `arrays` were taken."""
        self.net.numbers[:] = arrays["weights"]
        self.steps = int(arrays["steps"][0])
        if self.average:
            self.averaged[:] = arrays["averaged"]
        for name, value in arrays.items():
            if name.startswith("torch."):
                copy = torch.from_numpy(aligned(value.shape, value.dtype))
                copy.copy_(torch.from_numpy(value))
                self._torch.state[self.net.weights][name[6:]] = copy
