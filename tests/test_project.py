"""The project's own promises: generated pages are current, files stay small, the layers hold."""

import ast
import re
from collections import Counter

from conftest import HERE
from stich.cli.pages import page
from stich.games import families

ROOT = HERE.parent
MOST_PARAMETERS = 6
ABOVE = {
    "arena/plan.py": 1,
    "arena/play.py": 2,
    "arena/study.py": 1,
    "games/durak/realtime.py": 1,
    "games/schnapsen/belief.py": 3,
    "games/schnapsen/features.py": 1,
    "papers/cego/models.py": 1,
    "papers/jass/values.py": 1,
    "papers/wizard/play.py": 1,
    "serve/protocols/cego.py": 1,
}
"""Functions of each file that take more parameters than they should: this list may only become shorter."""


def test_generated_pages_are_current():
    for family in families():
        path = ROOT / "docs" / "games" / f"{family.name}.md"
        assert path.exists(), "run: make docs"
        assert path.read_text("utf-8") == page(family), "run: make docs"


def test_files_stay_under_500_lines():
    for path in (ROOT / "src").rglob("*.py"):
        assert len(path.read_text("utf-8").splitlines()) <= 500, path


def parameters(function):
    """How many parameters a function takes; the options of a command do not count."""
    if any(".command(" in ast.unparse(decorator) for decorator in function.decorator_list):
        return 0
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return sum(argument.arg not in ("self", "cls") for argument in given)


def test_functions_take_at_most_six_parameters():
    above = Counter()
    for path in (ROOT / "src" / "stich").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                name = path.relative_to(ROOT / "src" / "stich").as_posix()
                above[name] += parameters(node) > MOST_PARAMETERS
    more = {name: count for name, count in above.items() if count > ABOVE.get(name, 0)}
    assert not more, "bundle the parameters in a NamedTuple or a dataclass"
    gone = {name: above[name] for name, count in ABOVE.items() if above[name] < count}
    assert not gone, "make the list ABOVE shorter"


def test_no_game_is_named_outside_the_games():
    """Documents and protocols of other engines are about one game each; elsewhere only texts may name one."""
    names = "|".join(family.name for family in families())
    allowed = ("games", "papers", "serve/protocols", "core/faces.py")  # a wizard is a card, too
    allowed += ("cli/play.py", "adapters/")  # the default game
    for path in (ROOT / "src" / "stich").rglob("*.py"):
        where = path.relative_to(ROOT / "src" / "stich").as_posix()
        if not where.startswith(allowed):
            found = re.search(rf"stich\.games\.({names})\b|[\"']({names})(\.\w+)?[\"']", path.read_text("utf-8"))
            assert not found, f"{where} names {found.group()}"
            if where.startswith("core/"):
                found = re.search(rf"\b({names})\b", path.read_text("utf-8"), re.IGNORECASE)
                assert not found, f"{where} names {found.group()}"


def test_constraints_pin_what_the_extras_need():
    pins = (ROOT / "constraints.txt").read_text()
    assert "torch==2.13.0" in pins
    assert re.search(r"^numba==0\.68\.", pins, re.MULTILINE)


LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_to_local_files_are_not_broken():
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for link in LINK.findall(path.read_text("utf-8")):
            if re.match(r"[a-z]+:", link):
                continue
            file, _, anchor = link.partition("#")
            target = path.parent / file if file else path
            assert target.exists(), f"{path.name} links to {link}"
            assert not anchor or anchor in anchors(target.read_text("utf-8")), f"{path.name} links to {link}"


def test_rules_and_glossary_are_linked():
    for path in (ROOT / "README.md", ROOT / "docs" / "architecture.md"):
        links = {(path.parent / link).resolve() for link in LINK.findall(path.read_text("utf-8"))}
        for name in ("rules.md", "glossary.md"):
            assert (ROOT / "docs" / name).resolve() in links, f"{path.name} does not link docs/{name}"
