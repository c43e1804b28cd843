"""`stich bench`: the budgets of docs/architecture.md, and each game's behaviour signature."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from stich.cli.arguments import Json
from stich.cli.output import console, print_json

if TYPE_CHECKING:
    from stich.cli.bench_speed import Row

app = typer.Typer()


@app.command()
def bench(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Only these games.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Exit 1 where a budget is missed.")] = False,
    json: Json = False,
) -> None:
    """Measure speed against the budgets, and sign each game's behaviour."""
    from stich.cli.bench_speed import measure
    from stich.core.game import Game
    from stich.games import families, make

    chosen = game or [family.spec.variants[0].name for family in families()]
    games = [make(name) for name in chosen]
    rows, notes = [], []
    for row in measure(games, chosen):
        if isinstance(row, str):
            notes.append(row)
        else:
            rows.append(row)
            if not json:
                sys.stderr.write(f"measured: {row.name}\n")
    signatures = {
        variant.name: Game(one.family, variant, {}).signature() for one in games for variant in one.spec.variants
    }
    if json:
        shown = [{**asdict(row), "ok": row.ok} for row in rows]
        print_json({"rows": shown, "signatures": signatures, "notes": notes})
    else:
        _print(rows, signatures, notes)
    raise typer.Exit(1 if check and not all(row.ok for row in rows) else 0)


def _print(rows: "Sequence[Row]", signatures: Mapping[str, str], notes: Sequence[str]) -> None:
    screen = console()
    table = Table("what", "measured", "budget", "")
    for row in rows:
        verdict = "[green]ok[/]" if row.ok else "[bold red]missed[/]"
        table.add_row(row.name, f"{row.value:.3g} {row.unit}", f"{row.budget:g} {row.unit}", verdict)
    screen.print(table)
    signs = Table("variant", "signature")
    for name, code in signatures.items():
        signs.add_row(name, code)
    screen.print(signs)
    for note in notes:
        screen.print(note, markup=False)
