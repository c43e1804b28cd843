"""`stich rules`: the page of a game."""

import sys
from typing import Annotated

import typer

from stich.cli.arguments import GameName, Json
from stich.cli.output import console, print_json

app = typer.Typer()


@app.command()
def rules(
    game: GameName,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page's source.")] = False,
    json: Json = False,
) -> None:
    """Show the page of a game: rules, options, actions, observations."""
    from rich.console import Console
    from rich.markdown import Markdown

    from stich.cli.pages import page
    from stich.games import find

    family, variant = find(game)
    text = page(family)
    if json:
        print_json({"game": family.name, "variant": variant.name, "page": text})
    elif markdown:
        sys.stdout.write(text)
    else:
        width = console().width if sys.stdout.isatty() else 100
        Console(width=min(width, 110)).print(Markdown(text))
