"""Search: over sampled worlds, exact with open cards, and equilibria of small games."""
