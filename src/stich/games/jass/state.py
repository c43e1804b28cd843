"""The state of Jass, the phases of a round and the ids of actions that are no cards."""

from stich.core.rng import RNG
from stich.core.spec import layout

TRUMP, PARTNER, MELD, PLAY = range(4)
"""The phases: forehand chooses or pushes, the partner must choose, a player may announce, cards."""
MODE_0, PUSH, SILENT, ANNOUNCE = 36, 42, 43, 44
NOBODY = 4

STATE = layout(
    [
        ("hands", "i8", 4),
        ("voids", "i8", 4),  # cards that a seat's play has shown it cannot hold
        ("shown", "i8", 4),  # the cards of announced melds
        ("played", "i8"),
        ("rng", RNG),  # deals the later rounds of a match
        ("score", "i4", 2),  # of the finished rounds
        ("points", "i2", 2),  # of this round's tricks
        ("bonus", "i2", 2),  # of this round's melds, Stöck and match
        ("target", "u2"),
        ("plays", "u1", 36),  # the cards of this round in the order they were played
        ("leads", "u1", 10),  # who led each trick
        ("phase", "u1"),
        ("mode", "u1"),
        ("turn", "u1"),
        ("cards", "u1"),  # in the running trick
        ("lead", "u1"),  # the led suit
        ("winner", "u1"),  # the seat that is winning the running trick
        ("power", "u1"),  # of its card
        ("bar", "u1"),  # the trump that later ones must beat, or NO_BAR
        ("pot", "u1"),  # the running trick's points
        ("tricks", "u1"),
        ("won", "u1", 2),  # tricks by team
        ("pair", "u1"),  # who played the first of trump king and queen
        ("dealer", "u1"),
        ("declarer", "u1"),
        ("pushed", "u1"),
        ("round", "u1"),
        ("over", "u1"),
        ("first", "u1"),  # the team that won a match to a target
        ("rounds", "u1"),
        ("undertrump", "u1"),
        ("melds", "u1"),
        ("stoeck", "u1"),
        ("match_bonus", "u1"),
        ("multipliers", "u1"),
    ]
)
