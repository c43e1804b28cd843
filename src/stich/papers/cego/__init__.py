"""Document 000 (P. Oeschger, Cego): random play (chapters 4 and 5), trained models (chapter 7)."""

from stich.papers.cego import models, training
from stich.papers.cego.play import ANALYSES

REPRODUCTIONS = models.REPRODUCTIONS | training.REPRODUCTIONS

__all__ = ["ANALYSES", "REPRODUCTIONS"]
