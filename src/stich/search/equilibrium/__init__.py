"""Equilibria of small games: trees in sequence form, CFR and its sampled forms, exploitability."""
