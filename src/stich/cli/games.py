"""`stich games`: what can be played."""

import typer
from rich.markup import escape
from rich.table import Table

from stich.cli.arguments import Json
from stich.cli.output import console, print_json

app = typer.Typer()


@app.command()
def games(json: Json = False) -> None:
    """List all games and variants with their options."""
    from stich.core.game import Game
    from stich.games import families

    specs = [family.spec for family in families()]
    if json:
        listed = [Game(family, variant, {}) for family in families() for variant in family.spec.variants]
        print_json(
            [
                {
                    "name": variant.name,
                    "game": spec.name,
                    "title": spec.title,
                    "doc": variant.doc,
                    "seats": game.seats,
                    "settings": dict(variant.options),
                    "options": [
                        {
                            "name": option.name,
                            "values": list(option.choices) or [option.low, option.high],
                            "default": variant.options.get(option.name, option.default),
                            "doc": option.doc,
                        }
                        for option in spec.options
                    ],
                    "capabilities": spec.capabilities,
                    "encoders": [{"name": e.name, "shape": e.shape, "version": e.version} for e in game.encoders],
                }
                for game in listed
                for spec, variant in [(game.spec, game.variant)]
            ]
        )
        return
    screen = console()
    for spec in specs:
        table = Table("variant", "what it is", box=None, pad_edge=False)
        for variant in spec.variants:
            table.add_row(f"[bold]{variant.name}[/]", escape(variant.doc))
        screen.print(f"[bold]{spec.title}[/], {spec.seats} seats: {spec.doc}")
        screen.print(table)
        if spec.options:
            choices = Table("option", "values", "default", "what it does", box=None, pad_edge=False)
            for option in spec.options:
                choices.add_row(option.name, option.domain, str(option.default), escape(option.doc))
            screen.print()
            screen.print(choices)
        screen.print()
