"""How fast deep Monte Carlo of RLCard is: frames/s with two actors, as it logs them.

    pip install rlcard gitpython && python bench/rlcard_dmc.py [--game bridge] [--layers 256,256,256] [--seconds 60]

Bridge is its closest game: four seats, tricks, trumps. `bench/learning.py` runs this beside our own training where
RLCard is installed.
"""

import argparse
import functools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

WARM = 2
"""Readings that are left out: actors are still being started."""


def train(game: str, layers: list[int], folder: str, threads: int) -> None:
    """Trains until it is killed."""
    import rlcard
    import torch
    from rlcard.agents.dmc_agent import trainer

    torch.set_num_threads(threads)
    trainer.DMCModel = functools.partial(trainer.DMCModel, mlp_layers=layers)
    trainer.DMCTrainer(rlcard.make(game), savedir=folder, num_actors=2, save_interval=1000).start()


def measure(game: str, layers: list[int], seconds: float, threads: int = 1) -> float:
    """Frames/s over the readings of this time, one every five seconds."""
    arguments = ["--game", game, "--layers", ",".join(map(str, layers)), "--threads", str(threads)]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, __file__, *arguments, "--train", folder],
            stderr=subprocess.STDOUT,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "OMP_NUM_THREADS": str(threads)},
        )
        found: list[float] = []
        said: list[str] = []
        try:
            for line in process.stdout or ():
                said.append(line)
                reading = re.search(r"After \d+ frames: @ ([\d.]+) fps", line)
                if reading:
                    found.append(float(reading[1]))
                if len(found) >= WARM + seconds / 5:
                    break
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if len(found) <= WARM:
        raise SystemExit("RLCard did not train: " + "".join(said[-5:]))
    return sum(found[WARM:]) / len(found[WARM:])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="bridge")
    parser.add_argument("--layers", default="256,256,256")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--threads", type=int, default=1, help="of torch in the learner and in each actor")
    parser.add_argument("--train", metavar="FOLDER", help=argparse.SUPPRESS)
    given = parser.parse_args()
    sizes = [int(size) for size in given.layers.split(",")]
    if given.train:
        train(given.game, sizes, given.train, given.threads)
    rate = measure(given.game, sizes, given.seconds, given.threads)
    sys.stdout.write(json.dumps({"game": given.game, "layers": sizes, "frames_per_second": rate}) + "\n")
