"""The faces of cards: a suit and a rank by id, whatever code a game has for the card."""

from dataclasses import dataclass

SIGNS = {"spades": "♠", "hearts": "♥", "clubs": "♣", "diamonds": "♦"}
COLOURS = {
    "spades": "blue",
    "hearts": "red",
    "clubs": "green",
    "diamonds": "red",
    "trump": "magenta",
    "fool": "magenta",
    "mage": "magenta",
    "jester": "cyan",
}
"""The suits of all packs with their colours in a terminal."""


@dataclass(frozen=True)
class Face:
    """What stands on a card: ranks are 1 to 21, A, K, Q, J, and C for the cavalier of tarock packs."""

    suit: str
    rank: str
