"""The share of parameters and returns that are annotated `Any`, under whatever alias.

    python bench/any_share.py [FOLDER, default: src/stich]

An alias counts as what it stands for: after `Array = Any` a parameter `x: Array` is `Any`, and so is `x: Array | None`.
Containers (`list[Any]`) do not count: they still say something.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path


def main() -> None:
    """Prints both shares."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "src/stich")
    trees = [ast.parse(path.read_text()) for path in sorted(folder.rglob("*.py"))]
    loose = aliases(trees)
    for kind, found in (("parameters", parameters), ("returns", returns)):
        names = [loose_name(one, loose) for tree in trees for one in found(tree)]
        report(kind, names)


def report(kind: str, names: list[str]) -> None:
    """Prints a share, with the names by which annotations are `Any`; `names` has an empty text for all others."""
    by_name = Counter(name for name in names if name)
    count = by_name.total()
    parts = ", ".join(f"{name} {times:,}" for name, times in by_name.most_common())
    share = count / max(len(names), 1)
    sys.stdout.write(f"{kind:<10}  {count:5,} of {len(names):5,} are Any: {share:6.1%}  ({parts})\n")


def aliases(trees: list[ast.Module]) -> set[str]:
    """`Any` and the names at module level that stand for it."""
    loose = {"Any"}
    while True:
        found = {name for tree in trees for name, value in assigned(tree) if loose_name(value, loose)}
        if found <= loose:
            return loose
        loose |= found


def assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """What a module assigns to names at its top level."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield node.target.id, node.value


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions and methods."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def parameters(tree: ast.Module) -> Iterator[ast.expr]:
    """The annotations of all parameters."""
    for node in functions(tree):
        every = [*node.args.posonlyargs, *node.args.args, node.args.vararg, *node.args.kwonlyargs, node.args.kwarg]
        yield from (one.annotation for one in every if one and one.annotation)


def returns(tree: ast.Module) -> Iterator[ast.expr]:
    """The annotations of all results."""
    return (node.returns for node in functions(tree) if node.returns)


def loose_name(annotation: ast.expr, loose: set[str]) -> str:
    """The name by which an annotation is `Any`, or an empty text."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return loose_name(annotation.left, loose) or loose_name(annotation.right, loose)
    if isinstance(annotation, ast.Attribute):
        return annotation.attr if annotation.attr in loose else ""
    return annotation.id if isinstance(annotation, ast.Name) and annotation.id in loose else ""


if __name__ == "__main__":
    main()
