"""`stich agents`: who can play a game."""

from typing import TYPE_CHECKING, Any

import typer
from rich.markup import escape
from rich.table import Table

from stich.cli.arguments import GameName, Json, Options, options_of
from stich.cli.output import console, print_json

if TYPE_CHECKING:
    from stich.core.game import Game

app = typer.Typer()


@app.command()
def agents(game: GameName, option: Options = None, json: Json = False) -> None:
    """List the agents that can play a game, with their arguments."""
    from stich.games import make

    made = make(game, **options_of(option))
    rows = _rows(made)
    if json:
        print_json({"game": made.name, "agents": rows})
        return
    table = Table("agent", "what it does", "arguments", title=f"Agents for {made!r}", title_justify="left")
    for row in rows:
        texts = [
            f"{a['name']}{'' if a['default'] is None else '=' + str(a['default'])}: {a['doc']}"
            for a in row["arguments"]
        ]
        table.add_row(escape(str(row["name"])), escape(str(row["doc"])), escape("\n".join(texts)))
    console().print(table)


def _rows(game: "Game") -> list[dict[str, Any]]:
    """Each agent by name, then the forms that compose agents or name others."""
    from stich.agents import agents_for
    from stich.agents.parse import parameters
    from stich.core.registry import summary

    rows: list[dict[str, Any]] = [
        {
            "name": agent,
            "doc": summary(kind),
            "arguments": [
                {"name": p.name, "doc": p.doc, "default": None if p.required else p.default}
                for p in parameters(kind)
            ],
        }
        for agent, kind in agents_for(game).items()
        if agent != "rule" or game.spec.has_rule
    ]
    seats = ", ".join(["AGENT"] * game.seats)
    rows.append({"name": f"seats({seats})", "doc": "One agent for each seat.", "arguments": []})
    if game.spec.phase_names:
        phases = ", ".join(f"{phase}=AGENT" for phase in game.spec.phase_names)
        rows.append(
            {"name": f"{game.spec.name}({phases})", "doc": "One agent for each decision.", "arguments": []}
        )
    rows.append(
        {
            "name": "module:Class(...)",
            "doc": "A subclass of stich.agents.base.Agent; or file.py:Class(...).",
            "arguments": [],
        }
    )
    return rows
