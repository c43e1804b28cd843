"""Document 000 (P. Oeschger, Cego): random play (chapters 4 and 5), trained models (chapter 7)."""

from stich.papers.cego import models, play, training

EXPERIMENTS = play.EXPERIMENTS | models.EXPERIMENTS | training.EXPERIMENTS
