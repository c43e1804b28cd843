"""The record of a game of Durak, and the numbers of its actions and switches."""

from stich.core.rng import RNG
from stich.core.spec import layout

CHECK, PUSH = 52, 53
"""Actions beside the cards 0 to 51: say check (the defender takes), push with the suit C, S, H or D."""

NOBODY = 7
NO_LIMIT = 65535
SEATS, CARDS_AT_MOST, HAND_AT_MOST = 6, 104, 51

COMMON, C4 = range(2)
NEIGHBOURS, ALL = range(2)
ENDS, GOES_ON = range(2)

STATE = layout(
    [
        ("held", "i8", SEATS),  # the cards of a hand
        ("twice", "i8", SEATS),  # those of them that it holds twice
        ("shown", "i8", SEATS),  # the cards of a hand that all have seen
        ("shown_twice", "i8", SEATS),
        ("memory", "i8", SEATS),  # a key of what each seat was dealt and drew
        ("history", "i8"),  # a key of all that was done in the open
        ("out", "i8"),  # cards that have left the game
        ("out_twice", "i8"),
        ("told", "i8"),  # trumps shown only to find who begins, and not played since
        ("rng", RNG),  # deals the later games of a series
        (
            "attack",
            "u1",
            HAND_AT_MOST,
        ),  # attack cards: first the beaten ones in the order of beating, then the open
        ("answer", "u1", HAND_AT_MOST),  # what beat them
        ("ranks", "u2"),  # the ranks on the table
        ("attacks", "u1"),  # attack cards on the table
        ("beaten", "u1"),  # how many of them are beaten
        ("left", "u1"),  # cards in the talon
        ("turned", "u1"),  # the card that fixes the trump suit
        ("suit", "u1"),  # the trump suit
        ("size", "u1", SEATS),  # cards in each hand
        ("active", "u1"),  # the seats in play
        ("fresh", "u1"),  # the seats that have drawn nothing since the deal
        ("low", "u1"),  # the number of trump ranks, from below, that were asked for to find who begins
        ("checked", "u1"),  # the seats that have said check
        ("weak", "u1", SEATS),  # 1 + the suit that the next player could not beat, or 0 (docs/rules.md 5.3)
        ("opener", "u1"),  # who began this attack
        ("defender", "u1"),
        ("turn", "u1"),
        ("card", "u1"),  # the defender's card that could beat several, or NO_CARD
        ("turns", "u2"),  # attacks that have ended in this game
        ("quiet", "u2"),  # the last attacks in which no card left the game or the talon
        ("swaps", "u2"),  # those of them in which the opener took, pushed back at, and so is attacked next
        ("swap_limit", "u2"),  # the most of them: exact solving sets a bound, the game has none
        ("durak", "u1"),  # the loser of the last game, or NOBODY
        ("lost", "u1", SEATS),  # games lost
        ("drawn", "u1"),  # games without a loser
        ("played", "u1"),  # games that have ended
        ("over", "u1"),
        ("deck", "u1"),
        ("decks", "u1"),
        ("players", "u1"),
        ("hand", "u1"),
        ("games", "u1"),
        ("trump", "u1"),
        ("push", "u1"),
        ("throw_limit", "u1"),
        ("throwers", "u1"),
        ("defender_out", "u1"),
        ("reopen", "u1"),
        ("confirm", "u1"),
        ("quiet_limit", "u2"),
        ("stock", "u1", CARDS_AT_MOST),  # the talon in the order of drawing, the turned card last
    ]
)
