"""`stich games` and `stich agents`."""

import inspect
from collections.abc import Mapping
from typing import Any

from rich.markup import escape
from rich.table import Table

from stich.agents import agents_for
from stich.agents.parse import parameters
from stich.cli.output import console, print_json
from stich.core.game import Game
from stich.games import families, make


def list_games(json: bool) -> None:
    """All variants with their options."""
    specs = [family.spec for family in families()]
    if json:
        games = [Game(family, variant, {}) for family in families() for variant in family.spec.variants]
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
                for game in games
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


def list_agents(name: str, options: Mapping[str, object], json: bool) -> None:
    """The agents that can play a game, with their arguments."""
    game = make(name, **options)
    rows: list[dict[str, Any]] = [
        {
            "name": agent,
            "doc": inspect.cleandoc(kind.__doc__ or "").split("\n")[0],
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
    rows.append({"name": "module:Class(...)", "doc": "A subclass of stich.agents.base.Agent.", "arguments": []})
    if json:
        print_json({"game": game.name, "agents": rows})
        return
    table = Table("agent", "what it does", "arguments", title=f"Agents for {game!r}", title_justify="left")
    for row in rows:
        texts = [
            f"{a['name']}{'' if a['default'] is None else '=' + str(a['default'])}: {a['doc']}"
            for a in row["arguments"]
        ]
        table.add_row(escape(str(row["name"])), escape(str(row["doc"])), escape("\n".join(texts)))
    console().print(table)
