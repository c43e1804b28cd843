"""Exact solving with open cards: alpha-beta, max^n, and perfect-information Monte Carlo on top of it."""
