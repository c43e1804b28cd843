"""The record of a game of Schnapsen, and the numbers of its phases and actions."""

from stich.core.rng import RNG
from stich.core.spec import layout

LEAD, FOLLOW, DECLARED = range(3)
"""The phases: the leader's turn, the answer, and a marriage that is enough to claim."""

MARRIAGE, EXCHANGE, CLOSE, CLAIM, GO_ON = 20, 28, 29, 30, 31
"""Actions beside the cards 0 to 19: 20 + 2 * suit leads the queen of a marriage, 21 + 2 * suit the king."""

NOBODY = 2
LOG = 40

STATE = layout(
    [
        ("hands", "i8", 2),
        ("shown", "i8", 2),  # cards of a hand that the other player has seen
        ("lacks", "i8", 2),  # cards that a seat's play has shown it cannot hold
        ("memory", "i8", 2),  # a key of what each seat has drawn, in order
        ("played", "i8"),
        ("rng", RNG),  # deals the later deals of a match
        ("stock", "u1", 10),  # in the order of drawing, the trump card last
        ("log", "u1", LOG),  # the actions of this deal
        ("said", "u1"),  # how many of them
        ("left", "u1"),  # cards in the stock
        ("size", "u1", 2),  # cards in each hand
        ("trump", "u1"),
        ("turned", "u1"),  # the trump card as it was dealt open, or NO_CARD
        ("face", "u1"),  # the open trump card, or NO_CARD
        ("points", "u1", 2),
        ("pending", "u1", 2),  # marriages that count with the next trick
        ("won", "u1", 2),  # tricks
        ("game", "u1", 2),  # game points of the match
        ("phase", "u1"),
        ("turn", "u1"),
        ("lead", "u1"),  # the card to answer, or NO_CARD
        ("forehand", "u1"),
        ("closer", "u1"),  # who closed the stock
        ("stake", "u1", 2),  # what each would win once the stock is closed
        ("winner", "u1"),  # of the last deal
        ("paid", "u1"),  # its game points
        ("claimed", "u1"),  # whether it was won by 66
        ("deal", "u1"),
        ("over", "u1"),
        ("pack", "u1"),
        ("marriages", "u1"),
        ("marriage_points", "u1"),
        ("marriage_lead", "u1"),
        ("exchange_from", "u1"),
        ("close_from", "u1"),
        ("claim", "u1"),
        ("target", "u1"),
    ]
)
