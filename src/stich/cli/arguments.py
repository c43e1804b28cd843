"""Arguments that several commands share."""

from pathlib import Path
from typing import Annotated, Any

import typer

GameName = Annotated[str, typer.Argument(help="A game or variant, as listed by `stich games`, or a file.py.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="Set an option of the rules.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
Seed = Annotated[int, typer.Option(help="The seed that all randomness derives from.")]
Workers = Annotated[int | None, typer.Option(min=1, help="How many processes play; all cores unless given.")]
Ray = Annotated[str | None, typer.Option(metavar="ADDRESS", help="Play on the Ray cluster at this address.")]
Plot = Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the result into this file.")]


def options_of(pairs: list[str] | None) -> dict[str, Any]:
    """The options given as NAME=VALUE."""
    from stich.core.errors import StichError

    options = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals:
            raise StichError(f"{pair!r} is not an option: write NAME=VALUE")
        options[name.strip()] = value.strip()
    return options
