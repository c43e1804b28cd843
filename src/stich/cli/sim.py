"""`stich sim`: random play."""

import time
from typing import Annotated, Any

import typer
from rich.table import Table

from stich.cli.arguments import GameName, Json, Options, Seed, options_of
from stich.cli.output import PERCENT, console, print_json, progress

SLICE = 0.2
"""Seconds of one kernel call: how long Ctrl-C may have to wait."""

app = typer.Typer()


@app.command()
def sim(
    game: GameName,
    rounds: Annotated[int, typer.Option(min=1, help="Number of games.")] = 1_000_000,
    seed: Seed = 0,
    option: Options = None,
    json: Json = False,
) -> None:
    """Play at random: speed, and mean results with 95 % intervals."""
    from stich.games import make

    played = make(game, **options_of(option))
    moves, seconds, seats = _play(played, rounds, seed, quiet=json)
    if json:
        head = {"game": played.name, "options": played.options, "seed": seed, "rounds": rounds}
        speed = {"rounds_per_s": rounds / seconds, "moves_per_s": moves / seconds}
        print_json({**head, "moves": moves, "seconds": seconds, **speed, "seats": seats})
        return
    title = f"{played!r}: {rounds:,} random games, seed {seed}"
    table = Table("seat", "mean result", "95 % interval", title=title)
    for row in seats:
        table.add_row(str(row["seat"]), f"{row['mean']:.4f}", f"{row['low']:.4f} to {row['high']:.4f}")
    screen = console()
    screen.print(table)
    screen.print(
        f"{rounds / seconds:,.0f} rounds/s, {moves / seconds:,.0f} moves/s ({1e9 * seconds / moves:.1f} ns a move)"
    )


def _play(game: Any, rounds: int, seed: int, quiet: bool) -> tuple[int, float, list[dict[str, Any]]]:
    """The moves, the seconds, and each seat's mean result with its interval."""
    import numpy as np

    from stich.core import kernels
    from stich.core.rng import stream

    states, rngs = game.template.copy(), stream(seed, "random play")
    result, sums, squares = np.zeros((3, game.seats))
    kernels.random_rounds(states.copy(), 1, rngs.copy(), result, sums.copy(), squares.copy())  # compiles
    done, moves, seconds, batch = 0, 0, 0.0, 100
    with progress(PERCENT, quiet=quiet) as bar:
        task = bar.add_task(game.name, total=rounds)
        while done < rounds:
            batch = min(batch, rounds - done)
            began = time.perf_counter()
            moves += int(kernels.random_rounds(states, batch, rngs, result, sums, squares))
            took = time.perf_counter() - began
            seconds += took
            done += batch
            bar.advance(task, batch)
            batch = max(1, int(batch * min(8.0, SLICE / max(took, 1e-6))))
    means = sums / rounds
    halves = 1.96 * np.sqrt(np.maximum(squares / rounds - means**2, 0.0) / max(rounds - 1, 1))
    rows = [
        {"seat": seat, "mean": mean, "low": mean - half, "high": mean + half}
        for seat, (mean, half) in enumerate(zip(means.tolist(), halves.tolist(), strict=True))
    ]
    return moves, seconds, rows
