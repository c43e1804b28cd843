"""x"""

from stich.core.contract import Int, Record, legal
from stich.core.kernels import random_action


def rule(s: Record, rng: Record) -> Int:
    """x"""
    return random_action(legal(s), rng)
