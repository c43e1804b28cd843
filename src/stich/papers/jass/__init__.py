"""Document 002 (J. Niklaus, Jass): value estimation, search settings, trump selection, bots."""

from stich.papers.jass.experiments import EXPERIMENTS

__all__ = ["EXPERIMENTS"]
