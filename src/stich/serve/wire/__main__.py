"""Writes the wire format as types for the page: `python -m stich.serve.wire`."""

import json
from types import ModuleType
from typing import Any

from pydantic import BaseModel, TypeAdapter
from typing_extensions import get_original_bases, is_typeddict

from stich.core.words import ENGLISH, read
from stich.serve.static import FOLDER
from stich.serve.wire import games, messages, position, tables, words
from stich.serve.words import FRAME

FILE = FOLDER / "net" / "types.js"
HEAD = """\
// The wire format: every answer of the server and every message of a table's WebSocket.
// Written by `python -m stich.serve.wire` from the server's types in src/stich/serve/wire: change those.

export {};
"""
UNIONS = ("ServerMessage", "ClientMessage")
INTERNAL = {"Told", "Request"}
PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def page_types() -> str:
    """The whole file."""
    found = [kind for module in (games, position, tables, messages, words) for kind in kinds(module)]
    unions = [_union(name) for name in UNIONS]
    return "\n".join([HEAD, *(_typedef(kind) for kind in found), *unions, _text_keys()])


def kinds(module: ModuleType) -> list[Any]:
    """The types that a module of the wire format defines, in its order."""
    return [
        kind
        for name, kind in vars(module).items()
        if name not in INTERNAL
        and getattr(kind, "__module__", "") == module.__name__
        and (is_typeddict(kind) or (isinstance(kind, type) and issubclass(kind, BaseModel)))
    ]


def _typedef(kind: Any) -> str:
    schema, docs = TypeAdapter(kind).json_schema(), _docs(kind)
    lines = [schema["description"], f"@typedef {{object}} {schema['title']}"]
    for name, value in schema["properties"].items():
        written = name if name in schema.get("required", ()) else f"[{name}]"
        lines.append(f"@property {{{written_type(value)}}} {written} {docs[name]}")
    return _comment(lines)


def _docs(kind: Any) -> dict[str, str]:
    """What each field says of itself; pydantic leaves out those that a typed dictionary inherits."""
    found: dict[str, str] = {}
    for base in get_original_bases(kind):
        if is_typeddict(base):
            found |= _docs(base)
    fields = TypeAdapter(kind).json_schema()["properties"]
    return found | {name: field["description"] for name, field in fields.items() if "description" in field}


def _union(name: str) -> str:
    schema = TypeAdapter(getattr(messages, name)).json_schema()
    sender = name.removesuffix("Message").lower()
    return _comment([f"What the {sender} sends.", f"@typedef {{{written_type(schema)}}} {name}"])


def _text_keys() -> str:
    """The names of the page's own words."""
    keys = " | ".join(json.dumps(key) for key in read(FRAME / f"{ENGLISH}.toml")["page"])
    return _comment(["The page's own words.", f"@typedef {{{keys}}} TextKey"])


def _comment(lines: list[str]) -> str:
    return "\n".join(["/**", *(f" * {line}" for line in lines), " */", ""])


def written_type(schema: dict[str, Any]) -> str:
    """A JSON schema as a type of TypeScript."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "const" in schema or "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(map(written_type, schema[key])))
    if schema["type"] == "array":
        inner = written_type(schema["items"])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if schema["type"] == "object":
        return f"Record<string, {written_type(schema['additionalProperties'])}>"
    return PLAIN[schema["type"]]


def main() -> None:
    """Writes the file."""
    FILE.write_text(page_types(), "utf-8")


if __name__ == "__main__":
    main()
