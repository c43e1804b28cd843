"""Every registered game keeps the contract, without exceptions; and plays as it always has."""

import json
from pathlib import Path

import stich
from conftest import HERE, TOY
from stich.core.game import Game
from stich.core.transcript import Report, read, recording_of, replay
from stich.games import families

GOLDEN = HERE / "golden"


def test_the_contract_is_kept(game: Game) -> None:
    assert [str(finding) for finding in stich.check(game) if not finding.note] == []


def test_every_game_has_a_golden_playthrough_that_replays() -> None:
    for family in families():
        path = GOLDEN / f"{family.name}.jsonl"
        assert path.exists(), f"write it: python tests/golden/write.py {family.name}"
        variants, report = set(), Report(path.name)
        for number, record in read(path):
            variants.add(record["game"])
            replay(recording_of(record, stich.make), f"line {number}", report)
        assert report.mismatches == 0, report.first
        assert variants == {variant.name for variant in family.spec.variants}


def test_behaviour_signatures_are_the_known_ones() -> None:
    """A change of behaviour must be meant: then write the signatures again and say so in the changelog."""
    known = json.loads((GOLDEN / "signatures.json").read_text())
    assert {name: stich.make(name).signature() for name in stich.names()} == known


def test_the_stranger_needs_under_80_lines() -> None:
    assert len(Path(TOY).read_text().splitlines()) < 80
