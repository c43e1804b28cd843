"""What exact solving asks of Durak for two players: a game won, lost or without a loser, and keys of positions.

Can a position come again? Cards leave the game when an attack is beaten, and the talon only shrinks: a position can
come again only within a row of quiet attacks, which end in taking and draw nothing. Who takes is skipped, so the other
attacks next. Without pushing the other is the attacker, who attacks on, with at least one card less each time,
and such a row is no longer than the hand. With pushing the roles change: A leads a six, B pushes with a six, A takes
both, and B attacks with one card less. Pushes on both sides with takes between them can bring all cards back to where
they were (`test_durak_exact.py` has such a round). So with pushing positions recur, and what ends the game is the
rule of `quiet_limit`: that many quiet attacks in a row, and nobody loses.

This is handled by a smaller limit (`curtail`): nobody loses after k quiet attacks in a row that have changed the roles.
Between two such changes the attacker's hand shrinks, so at most (k + 1) times the cards in the game are quiet attacks
in a row; solving sets k only while this is less than `quiet_limit`. Who forces a win under the small limit does so
under the real one as well, by the same play, since neither limit is met on the way: a decided game is decided alike.
Only where nobody wins k grows, in the end to the real rule, and there no loser is the truth. Under a limit the game is
finite, and the key of a position counts what the limit counts, so the table never mixes values of different lengths to
go: there is no value that depends on the path.
"""

from typing import Any

import numpy as np

from stich.core.bits import ctz, popcount, run_starts
from stich.core.contract import Int, Real, Record
from stich.core.jit import compiled
from stich.core.rng import mix
from stich.games.durak.attack import options
from stich.games.durak.cards import BEATERS, NO_CARD, PACK, SPREAD
from stich.games.durak.state import CHECK


def side(s: Record) -> Int:
    """One against one; with more players each for themselves."""
    return np.int64(s.turn) if s.players == 2 else -1


def score(s: Record) -> Int:
    """How many games more seat 1 has lost than seat 0."""
    return np.int64(s.lost[1]) - s.lost[0]


def reach(s: Record) -> Any:
    """One game; without a talon it is won by a last card that can be played, and by a hand that nothing stops."""
    if s.players != 2:
        return -30000, 30000
    seat = np.int64(s.turn)
    if s.left == 0 and (_last_card(s, seat) if s.attacks > 0 or s.size[seat] == 1 else _unstopped(s, seat)):
        return (1, 1) if seat == 0 else (-1, -1)
    return -1, 1


@compiled
def _last_card(s: Record, seat: Int) -> Int:
    """Whether the seat to act can play its last card: then it is out at once."""
    return s.size[seat] == 1 and options(s, seat) & ~(1 << CHECK) != 0


@compiled
def _unstopped(s: Record, seat: Int) -> Int:
    """Whether the leader can lead all cards: the other can beat at most one, which goes last, and push none.

    Within a suit they are led from below, trumps at the end: then cards that were taken beat none of the later ones.
    """
    hand, other = s.held[seat], s.held[1 - seat]
    ranks, stopped = np.int64(0), 0
    rest = hand
    while rest:
        card = ctz(rest)
        rest &= rest - 1
        stopped += other & BEATERS[s.suit, card] != 0
        ranks |= 1 << card % 13
    if stopped > 1 or s.twice[seat] or s.quiet + s.size[seat] > s.quiet_limit:
        return False
    return not s.push or (popcount(ranks) == s.size[seat] and other & ranks * SPREAD == 0)


def order(s: Record, a: Int) -> Int:
    """Cheap cards first, those that the other cannot beat later; checks and pushes last."""
    if a >= CHECK:
        return 10 if a == CHECK else 20
    card = np.int64(s.card) if s.card != NO_CARD else a
    cheap = 13 - card % 13 - (13 if card // 13 == s.suit else 0)
    if s.turn == s.defender:
        return 40 + cheap
    return 40 + cheap - (30 if s.held[s.defender] & BEATERS[s.suit, a] == 0 else 0)


def distinct(s: Record, mask: Int) -> Int:
    """One of neighbours in a suit whose ranks have no other card in the game: they differ in nothing."""
    cards = mask & (1 << CHECK) - 1
    if cards & (cards - 1) == 0 or s.decks > 1 or s.card != NO_CARD:
        return mask
    every = PACK[s.deck >> 2] & ~s.out
    some = several = np.int64(0)
    for suit in range(4):
        ranks = every >> 13 * suit & 8191
        several |= some & ranks
        some |= ranks
    alike = cards & ~(several * SPREAD)
    return (mask ^ alike) | run_starts(alike, (every ^ alike) | SPREAD)


def position(s: Record) -> Int:
    """Who holds what, the open cards, the talon in its order, roles and checks; and the quiet attacks that count."""
    if s.players != 2 or (s.decks > 1 and s.attacks > 0):
        return -1
    open_cards = np.int64(0)
    for i in range(s.beaten, s.attacks):
        open_cards |= 1 << s.attack[i]
    roles = np.int64(s.turn) << 4 | np.int64(s.defender) << 3 | np.int64(s.opener) << 2 | s.checked
    code = mix(s.held[0], roles << 20 | np.int64(s.suit) << 16 | np.int64(s.card) << 8 | s.left)
    code = mix(mix(mix(code, s.held[1]), open_cards), s.out)
    if s.decks > 1:
        code = mix(mix(mix(code, s.twice[0]), s.twice[1]), s.out_twice)
    cards = np.int64(s.deck) * s.decks
    for i in range(cards - s.left, cards):
        code = mix(code, np.int64(s.stock[i]))
    if s.push:
        code = mix(code, np.int64(s.swaps) << 16 | s.swap_limit)
    if _may_end(s, np.int64(s.swap_limit)):
        code = mix(code, np.int64(s.quiet))
    return code


@compiled
def _may_end(s: Record, swaps: Int) -> Int:
    """Whether `quiet_limit` quiet attacks can come about with at most a given number of changes of roles."""
    rows = swaps + 1 if s.push else 1
    return s.quiet + rows * (np.int64(s.deck) * s.decks - popcount(s.out) - popcount(s.out_twice)) >= s.quiet_limit


def worth(s: Record, final: Int) -> Real:
    """1 for a game that the other loses, -1 for one that is lost."""
    ahead = final - (np.int64(s.lost[1]) - s.lost[0])
    return 1.0 * ahead if s.turn == 0 else -1.0 * ahead


def cards_left(s: Record) -> Int:
    """All cards that have not left the game."""
    return np.int64(s.deck) * s.decks - popcount(s.out) - popcount(s.out_twice)


def solvable(s: Record) -> Int:
    """Two players, mostly without a talon; pushing makes the trees larger."""
    return (12 if s.push else 14) if s.players == 2 else 0


def last_stage(s: Record) -> None:
    """No game after this one."""
    s.games = s.played + 1


def curtail(s: Record, step: Int) -> Int:
    """Without a loser after a few changes of roles, as long as the real limit is out of reach."""
    limit = np.int64(s.swaps) + (1 << step)
    if not s.push or _may_end(s, limit):
        return False
    s.swap_limit = limit
    return True
