"""The project's own promises: generated pages are current, files stay small, the layers hold."""

import re

from conftest import HERE
from stich.cli.pages import page
from stich.games import families

ROOT = HERE.parent


def test_generated_pages_are_current():
    for family in families():
        path = ROOT / "docs" / "games" / f"{family.name}.md"
        assert path.exists(), "run: make docs"
        assert path.read_text("utf-8") == page(family), "run: make docs"


def test_files_stay_under_500_lines():
    for path in (ROOT / "src").rglob("*.py"):
        assert len(path.read_text("utf-8").splitlines()) <= 500, path


def test_no_game_is_named_in_core():
    names = "|".join(family.name for family in families())
    for path in (ROOT / "src" / "stich" / "core").glob("*.py"):
        found = re.search(rf"\b({names})\b", path.read_text("utf-8"), re.IGNORECASE)
        assert not found, f"{path.name} names {found.group()}"


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
