"""`stich learners`: what can learn a game."""

import typer
from rich.markup import escape
from rich.table import Table

from stich.cli.arguments import Json
from stich.cli.output import console, print_json

app = typer.Typer()


@app.command()
def learners(json: Json = False) -> None:
    """List the learners that `stich train` and `stich tune` know."""
    from stich.cli.train import learning
    from stich.core.registry import summary

    rows = [
        {
            "name": name,
            "doc": summary(kind),
            "presets": list(kind.settings.presets),
            "spaces": list(kind.settings.spaces),
        }
        for name, kind in learning().REGISTRY.all().items()
    ]
    if json:
        print_json(rows)
        return
    table = Table("learner", "what it is", "presets", "spaces of stich tune")
    for row in rows:
        table.add_row(row["name"], escape(row["doc"]), ", ".join(row["presets"]), ", ".join(row["spaces"]))
    table.add_row("module:Class", "A subclass of stich.learn.learner.Learner; or file.py:Class.", "", "")
    console().print(table)
    console().print("Settings of one: stich train NAME --list")
