"""A server that is killed goes on with the same tables: no confirmed move is lost or doubled."""

from pathlib import Path

from killing import torture
from postgres import postgres


def test_killed_on_sqlite(tmp_path: Path) -> None:
    figures = torture(f"sqlite:///{tmp_path}/stich.db", kills=2, tables=3, more=20)
    assert figures["resumed"] >= 3
    assert figures["confirmed"] > 20


def test_killed_on_postgresql() -> None:
    with postgres() as url:
        assert torture(url, kills=1, tables=3, more=20)["resumed"] >= 2
