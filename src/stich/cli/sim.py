"""`stich sim`: random play."""

import time
from collections.abc import Mapping

import numpy as np
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from stich.cli.output import console, print_json, progress
from stich.core import kernels
from stich.core.rng import stream
from stich.games import make

SLICE = 0.2
"""Seconds of one kernel call: how long Ctrl-C may have to wait."""


def simulate(name: str, options: Mapping[str, object], rounds: int, seed: int, json: bool) -> None:
    """Plays at random and prints speed and mean results."""
    game = make(name, **options)
    states, rngs = game.template.copy(), stream(seed, "random play")
    result, sums, squares = np.zeros(game.seats), np.zeros(game.seats), np.zeros(game.seats)
    kernels.random_rounds(states.copy(), 1, rngs.copy(), result, sums.copy(), squares.copy())  # compiles
    done, moves, seconds, batch = 0, 0, 0.0, 100
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:.0f} %"))
    with progress(*columns, TimeRemainingColumn(), quiet=json) as bar:
        task = bar.add_task(f"{game.name}", total=rounds)
        while done < rounds:
            batch = min(batch, rounds - done)
            began = time.perf_counter()
            moves += kernels.random_rounds(states, batch, rngs, result, sums, squares)
            took = time.perf_counter() - began
            seconds += took
            done += batch
            bar.advance(task, batch)
            batch = max(1, int(batch * min(8.0, SLICE / max(took, 1e-6))))
    means = sums / rounds
    spread = np.sqrt(np.maximum(squares / rounds - means**2, 0.0) / max(rounds - 1, 1))
    seats = [
        {
            "seat": seat,
            "mean": means[seat],
            "low": means[seat] - 1.96 * half,
            "high": means[seat] + 1.96 * half,
        }
        for seat, half in enumerate(spread)
    ]
    if json:
        print_json(
            {
                "game": game.name,
                "options": game.options,
                "seed": seed,
                "rounds": rounds,
                "moves": int(moves),
                "seconds": seconds,
                "rounds_per_s": rounds / seconds,
                "moves_per_s": moves / seconds,
                "seats": seats,
            }
        )
        return
    table = Table("seat", "mean result", "95 % interval", title=f"{game!r}: {rounds:,} random games, seed {seed}")
    for row in seats:
        table.add_row(str(row["seat"]), f"{row['mean']:.4f}", f"{row['low']:.4f} to {row['high']:.4f}")
    screen = console()
    screen.print(table)
    screen.print(
        f"{rounds / seconds:,.0f} rounds/s, {moves / seconds:,.0f} moves/s ({1e9 * seconds / moves:.1f} ns a move)"
    )
