"""The rule-based player."""

from stich.core.contract import Int, Record
from stich.games.wizard.document_rule import document_rule


def rule(s: Record, rng: Record) -> Int:
    """A placeholder."""
    return document_rule(s)
