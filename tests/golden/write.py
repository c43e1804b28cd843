"""Writes golden playthroughs and signatures again: `python tests/golden/write.py [GAME...]`."""

import json
import sys
from pathlib import Path

import numpy as np

import stich
from stich.core import kernels
from stich.core.rng import stream
from stich.core.transcript import Transcript, write
from stich.games import families

HERE = Path(__file__).parent


def playthrough(name: str, seed: int) -> dict[str, object]:
    """One random game of a variant."""
    transcript = Transcript(stich.make(name).new(seed))
    rngs, action = stream(seed, "golden"), np.zeros(1, np.int64)
    while not transcript.state.is_over:
        kernels.random_all(transcript.state.array, rngs, action)
        transcript.play(int(action[0]))
    return transcript.record()


for family in families():
    if len(sys.argv) == 1 or family.name in sys.argv[1:]:
        records = [playthrough(variant.name, seed) for seed, variant in enumerate(family.spec.variants)]
        write(HERE / f"{family.name}.jsonl", records)
codes = {name: stich.make(name).signature() for name in stich.names()}
(HERE / "signatures.json").write_text(json.dumps(codes, indent=1) + "\n")
