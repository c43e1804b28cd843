"""The docs page of a game: its prose, and what its SPEC says, in one fixed order.

`stich rules GAME` shows it; `python -m stich.cli.pages FOLDER` writes the pages of all games.
"""

import sys
from pathlib import Path

from stich.core.families import Family
from stich.core.game import Game
from stich.core.spec import Encoder, Spec
from stich.games import families


def page(family: Family) -> str:
    """The whole page as Markdown."""
    spec = family.spec
    parts = [f"# {spec.title}", _prose(family), _variants(spec), _actions(spec)]
    parts += [_observation(encoder) for encoder in Game(family, spec.variants[0], {}).encoders]
    parts.append(
        f"## Returns\n\n{spec.returns_doc or 'Each seat gets its result in the units of the game.'}\n\n"
        f"Version {spec.rules_version} of the rules."
    )
    parts.append(_capabilities(spec))
    return "\n\n".join(parts) + "\n"


def _capabilities(spec: Spec) -> str:
    """The optional parts of the contract that the game has."""
    lines = ["## Capabilities", "", "| part | what it offers | functions |", "| --- | --- | --- |"]
    for name, functions in spec.capabilities.items():
        about = (spec.parts[name].__doc__ or "").split("\n")[0]
        lines.append(f"| {name} | {about} | {', '.join(f'`{one}`' for one in functions)} |")
    return "\n".join(lines)


def _prose(family: Family) -> str:
    """What stands in the Markdown file beside the game, else its docstring."""
    module = family.module
    file = Path(str(module.__file__))
    beside = file.with_name("rules.md") if file.name == "__init__.py" else file.with_suffix(".md")
    return beside.read_text("utf-8").strip() if beside.exists() else (module.__doc__ or "").strip()


def _variants(spec: Spec) -> str:
    lines = ["## Variants and options", "", "| variant | what it is |", "| --- | --- |"]
    lines += [f"| `{variant.name}` | {variant.doc} |" for variant in spec.variants]
    if spec.options:
        lines += ["", "| option | values | default | what it does |", "| --- | --- | --- | --- |"]
        lines += [f"| `{o.name}` | {o.domain} | {o.default} | {o.doc} |" for o in spec.options]
    return "\n".join(lines)


def _actions(spec: Spec) -> str:
    lines = ["## Actions", "", f"{spec.seats} seats, action ids 0 to {spec.actions - 1}."]
    if spec.actions_doc:
        lines += ["", "| id | action |", "| --- | --- |"]
        lines += [f"| {ids} | {doc} |" for ids, doc in spec.actions_doc]
    return "\n".join(lines)


def _observation(encoder: Encoder) -> str:
    """The table of an encoder by index; planes are counted as planes."""
    shape = " x ".join(str(n) for n in encoder.shape)
    unit = "plane" if encoder.plane else "index"
    lines = [
        f"## Observation `{encoder.name}`",
        "",
        f"{encoder.doc[:1].upper()}{encoder.doc[1:]}. Shape {shape}, version {encoder.version}.",
        "",
        f"| {unit} | field | meaning |",
        "| --- | --- | --- |",
    ]
    start = 0
    for part in encoder.fields:
        end = start + part.size - 1
        lines.append(f"| {start if part.size == 1 else f'{start} to {end}'} | {part.name} | {part.doc} |")
        start = end + 1
    return "\n".join(lines)


def write_pages(folder: Path) -> None:
    """Writes the page of every installed game."""
    folder.mkdir(parents=True, exist_ok=True)
    for family in families():
        (folder / f"{family.name}.md").write_text(page(family), "utf-8")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
