"""`stich runs`: the runs of `stich train` with how far they are."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from stich.cli.arguments import Json
from stich.cli.output import console, print_json
from stich.cli.train import strengths

app = typer.Typer()


@app.command()
def runs(
    folder: Annotated[Path, typer.Argument(help="Where to look.")] = Path("runs"),
    json: Json = False,
) -> None:
    """List the runs of `stich train` with their progress."""
    from stich.learn.run_folder import list_runs

    found = list(list_runs(folder))
    if json:
        print_json(found)
        return
    table = Table("run", "algorithm", "game", "frames", "state", "last evaluation")
    for run in found:
        done = f"{run['frames']:,} of {run['of']:,}"
        options = " ".join(f"{name}={value}" for name, value in run["options"].items())
        table.add_row(
            run["run"],
            run["algorithm"],
            f"{run['game']} {options}".strip(),
            done,
            "finished" if run["finished"] else "",
            strengths(run["evaluation"]),
        )
    console().print(table)
