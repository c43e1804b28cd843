"""The record of a game of Cego, and the numbers of its modes and phases."""

from stich.core.rng import RNG
from stich.core.spec import layout

STANDARD, SOLO, ULTIMO, BETTEL, PICCOLO, RAEUBER = range(1, 7)
"""The sub-games; 0 during the bidding, and as the option `subgame` for the whole game with bidding."""

FORT, GEGEN, EXTRA, CHALLENGE, ANSWER, RAISE, CHOICE, EXPOSE, KEEP, LAYOFF, SWAP, PLAY = range(12)
"""The phases: three of bidding for one's own hand, four of bidding for the blind, four of building the hand, play."""

PASS, SAY_SOLO, SAY_ULTIMO, SAY_GEGENSOLO, SAY_BETTEL, SAY_PICCOLO, BID, SELBER, SAY_RAEUBER = range(54, 63)
"""The actions beside the cards 0 to 53."""

NOBODY = 4
NO_CARD = 54
BIDS = 48

CEGO, HALBE, EINE, EINE_LEERE, ZWEI_LEERE, ZWEI_VERSCHIEDENE, KLEINER_MANN = range(1, 8)
"""The levels of Standard-Cego."""

STATE = layout(
    [
        ("hands", "i8", 4),
        ("voids", "i8", 4),  # cards that a seat's play has shown it cannot hold
        ("blind", "i8"),
        ("legage", "i8"),
        ("laid_open", "i8"),  # the part of the Legage that all have seen
        ("kept", "i8"),  # chosen to be kept while the hand is built
        ("exposed", "i8"),  # laid open by the single player and still to be led
        ("shown", "i8"),  # all that was ever laid open of the single player's hand
        ("swaps", "i8"),  # exposed cards that may still be replaced
        ("played", "i8"),
        ("rng", RNG),  # deals the later deals of a match
        ("score", "i4", 4),  # game points of the finished deals
        ("plays", "u1", 44),  # the cards in the order they were played
        ("bids", "u1", BIDS),  # what was said
        ("leads", "u1", 12),  # who led each trick
        ("points", "u1", 4),  # card points of each seat's tricks
        ("won", "u1", 4),  # tricks of each seat
        ("phase", "u1"),
        ("mode", "u1"),  # the sub-game
        ("turn", "u1"),
        ("cards", "u1"),  # in the running trick
        ("lead", "u1"),  # the led suit
        ("winner", "u1"),  # the seat that is winning the running trick
        ("best", "u1"),  # its card
        ("power", "u1"),
        ("pot", "u1"),  # twice the running trick's value
        ("tricks", "u1"),
        ("single", "u1"),  # the single player, or the caller of Räuber
        ("dealer", "u1"),
        ("said", "u1"),  # how many bids have been made
        ("asked", "u1"),  # how many have been asked in this phase of the bidding
        ("soloist", "u1"),
        ("gegen", "u1"),
        ("first", "u1"),  # who opened the bidding for the blind
        ("holder", "u1"),
        ("challenger", "u1"),
        ("level", "u1"),
        ("need", "u1"),  # cards still to be chosen while the hand is built
        ("geiss", "u1"),  # who is known to have held the 1 of trumps
        ("made", "u1"),  # Ultimo: the last trick was won by the 1 of trumps
        ("deal", "u1"),
        ("over", "u1"),
        ("subgame", "u1"),
        ("heuristic", "u1"),
        ("reward", "u1"),
        ("ultimo_stop", "u1"),
        ("deals", "u1"),
        ("replacement", "u1"),
        ("overcall", "u1"),
        ("leader", "u1"),
        ("zero_sum", "u1"),
    ]
)
