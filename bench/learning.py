"""How fast training is beside its own net in torch alone, where the time goes, and how long a decision takes.

    python bench/learning.py [--threads N] [--overlap] [--game cego.solo] [--seconds S]

Prints, for the shipped net and the document's: samples/s of torch alone (a forward pass to play, a forward and backward
pass to learn), frames/s and samples/s of deep Monte Carlo as it runs, the ratio, and the shares of the time; then the
time of one decision of the exported model without torch. Runs of the two alternate, so that their ratio means something
on a machine that is not quiet. Where RLCard is installed (pip install rlcard gitpython), its deep Monte Carlo with the
same nets comes after each. With --overlap games go on while the net learns, a thread each; torch alone has both.
"""

import argparse
import resource
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import rlcard_dmc
import torch

import stich
from stich.core.rng import streams
from stich.learn import dmc, lanes
from stich.learn.run import Setup, Standing, write_model
from stich.learn.torch_nets import Net, Optimizer
from stich.nets.model import load_model


def alone(learner: dmc.Dmc, seconds: float) -> float:
    """Samples/s of torch alone, with the learner's net, batch and optimizer."""
    config = learner.config
    size = config.batch_size * config.unroll_length
    net = Net(learner.sizes(), config.activation, 0)
    optimizer = Optimizer(net, config.optimizer, clip=config.max_grad_norm, lr=config.rate)
    inputs = (torch.rand(size, net.sizes[0]) < 0.13).float()
    actions, targets = torch.randint(0, net.sizes[-1], (size, 1)), torch.rand(size)
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        with torch.inference_mode():
            for rows in inputs.split(config.lanes):
                net(rows)
        optimizer.step(torch.nn.functional.mse_loss(net(inputs).gather(1, actions)[:, 0], targets))
        done += size
    return done / (time.perf_counter() - began)


class Shares:
    """Adds up the time spent in some functions while training."""

    WATCHED = (
        (lanes, "collect", "environment"),
        (lanes, "advance", "environment"),
        (lanes.Lanes, "_observe", "environment"),
        (lanes.Lanes, "_play_outs", "playouts"),
        (dmc, "run_nets", "playing net"),
        (dmc, "batch", "batches"),
        (Optimizer, "step", "backward and optimizer"),
    )

    def __init__(self) -> None:
        self.times: dict[str, float] = {}

    def __enter__(self) -> "Shares":
        self.before = [(owner, name, getattr(owner, name)) for owner, name, _ in self.WATCHED]
        for (owner, name, function), (_, _, label) in zip(self.before, self.WATCHED, strict=True):
            setattr(owner, name, self._timed(function, label))
        return self

    def _timed(self, function, label):
        def timed(*arguments):
            began = time.perf_counter()
            try:
                return function(*arguments)
            finally:
                self.times[label] = self.times.get(label, 0.0) + time.perf_counter() - began

        return timed

    def __exit__(self, *_: object) -> None:
        for owner, name, function in self.before:
            setattr(owner, name, function)


def measure(game: stich.Game, preset: str, threads: int, overlap: bool, seconds: float) -> dmc.Dmc:
    """Prints the speeds of one preset, and of RLCard with its net."""
    given = {"threads": str(threads), "overlap": "on" if overlap else "off", "frames": "1e12"}
    config, processors = dmc.DmcConfig.of(preset, given), threads * (1 + overlap)
    learner = dmc.Dmc(game, config)
    learner.block()
    bare, frames, samples, spent = [], 0, 0.0, 0.0
    shares = Shares()
    while spent < seconds:
        torch.set_num_threads(processors)
        bare.append(alone(learner, seconds / 10))
        torch.set_num_threads(threads)
        before, began = learner.frames, time.perf_counter()
        with shares:
            while time.perf_counter() - began < seconds / 10:
                samples += learner.block()["samples"]
        spent += time.perf_counter() - began
        frames += learner.frames - before
    torch_alone = float(np.mean(bare))
    sys.stdout.write(
        f"{preset} {config.layers}, {processors} threads: torch alone {torch_alone:,.0f} samples/s; training "
        f"{samples / spent:,.0f} samples/s ({100 * samples / spent / torch_alone:.0f} %), {frames / spent:,.0f} "
        "frames/s\n"
    )
    parts = {label: used / spent / (1 + overlap) for label, used in shares.times.items()}
    parts["learning net, waiting and rest"] = 1 - sum(parts.values())
    sys.stdout.write("  " + ", ".join(f"{label} {100 * share:.1f} %" for label, share in parts.items()) + "\n")
    if find_spec("rlcard"):
        theirs = rlcard_dmc.measure("bridge", list(config.layers), seconds)
        ratio = frames / spent / theirs
        sys.stdout.write(
            f"  RLCard, bridge, two actors: {theirs:,.0f} frames/s; ours are {ratio:.1f} times as many\n"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(f"  peak memory {peak:,.0f} MB\n")
    return learner


def decision(learner: dmc.Dmc, game: stich.Game) -> None:
    """Prints how long one decision of the exported model takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        write_model(Setup("dmc", game.name, game.options, learner.config), learner, Standing(), path)
        model = load_model(str(path), game)
    view, rngs, times = game.new(1).view(0).array, streams(1, 1, "bench"), []
    for _ in range(2000):
        began = time.perf_counter()
        model.choose(view, rngs)
        times.append(time.perf_counter() - began)
    sys.stdout.write(
        f"one decision without torch: median {1e6 * np.median(times):.0f} us, best {1e6 * min(times):.0f} us\n"
    )
    many, rngs = np.repeat(view, 2000), streams(2000, 1, "bench")
    began = time.perf_counter()
    model.choose(many, rngs)
    sys.stdout.write(f"many decisions: {2000 / (time.perf_counter() - began):,.0f}/s\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--overlap", action="store_true")
    parser.add_argument("--game", default="cego.solo")
    parser.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args()
    game = stich.make(given.game)
    shipped = measure(game, "shipped", given.threads, given.overlap, given.seconds)
    decision(shipped, game)
    measure(game, "document", given.threads, given.overlap, given.seconds)
