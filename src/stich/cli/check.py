"""`stich check`: whether a game keeps the contract."""

from typing import Annotated

import typer

from stich.cli.arguments import GameName, Json, Options, Seed, options_of

app = typer.Typer()


@app.command()
def check(
    game: GameName,
    effort: Annotated[int, typer.Option(min=1, help="How many times as many games are played as need be.")] = 1,
    encoder: Annotated[
        str | None, typer.Option(metavar="NAME", help="This encoder must tell all information states apart.")
    ] = None,
    seed: Seed = 0,
    option: Options = None,
    json: Json = False,
) -> None:
    """Check a game, as for one of your own: what breaks the contract, in sentences; exits 1 if anything does."""
    from dataclasses import asdict

    from stich.cli.output import console, print_json, progress
    from stich.core.check import CHECKS
    from stich.core.check import check as find
    from stich.games import make

    one = make(game, **options_of(option))
    with progress("{task.fields[purpose]}", quiet=json) as bar:
        task = bar.add_task(one.name, total=len(CHECKS), purpose="")
        found = find(one, effort, seed, encoder, lambda what: bar.update(task, purpose=what, advance=1))
    broken = [finding for finding in found if not finding.note]
    if json:
        print_json({"game": one.name, "seed": seed, "effort": effort, "findings": [asdict(f) for f in found]})
    else:
        for finding in found:
            console().print(f"{'note: ' * finding.note}{finding}", markup=False)
        console().print(f"{one!r}: {len(broken) or 'no'} finding{'s' * (len(broken) != 1)}")
    raise typer.Exit(1 if broken else 0)
