"""Document 003 (J. Schumacher, M. Pleines, Wizard): accuracy by round and winning shares."""

from stich.papers.wizard.play import EXPERIMENTS

__all__ = ["EXPERIMENTS"]
