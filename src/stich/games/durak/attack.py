"""The rules of an attack: what each seat may do, what it changes, how the attack ends (docs/rules.md 5.1).

Everything is said of a seat, not of the turn: the same functions serve the game in turns, where `pass_turn` says who
is next, and the real-time form, where a scheduler does. The steps of `apply` return what follows instead of calling
it: every level of calls would be optimised again, and compiling take twice as long.
"""

import numpy as np

from stich.core.bits import ctz
from stich.core.contract import Int, Record
from stich.core.jit import compiled
from stich.core.plain import Plain
from stich.core.rng import mix
from stich.games.durak.cards import BEATEN, BEATERS, NEXT, NO_CARD, PREV, SPREAD
from stich.games.durak.deal import gain, take_from_stock
from stich.games.durak.state import ALL, C4, CHECK, ENDS, NOBODY, PUSH, SEATS

PLAYING, ATTACK_OVER, GAME_OVER = range(3)


@compiled
def has_room(s: Record) -> Int:
    """Whether one more attack card is allowed: not above the hand size, nor what the defender can answer."""
    to_answer = s.attacks if s.throw_limit == C4 else s.attacks - s.beaten
    return s.attacks < s.hand and to_answer < s.size[s.defender]


@compiled
def attackers(s: Record) -> Int:
    """The seats that may attack: the defender's neighbours, or all others; before the first card its opener."""
    before = PREV[s.active, s.defender]
    if s.attacks == 0:
        return 1 << before
    if s.throwers == ALL:
        return s.active & ~(1 << s.defender)
    return 1 << before | 1 << NEXT[s.active, s.defender]


@compiled
def may_act(s: Record, seat: Int) -> Int:
    """Whether a seat has something to say: it takes part in the attack and has not said check."""
    if s.over or s.card != NO_CARD:
        return seat == s.turn and not s.over
    if s.checked >> seat & 1:
        return False
    if seat == s.defender:
        return s.attacks > 0
    return attackers(s) >> seat & 1 != 0


@compiled
def options(s: Record, seat: Int) -> Int:
    """The legal actions of a seat that may act."""
    if seat == s.defender:
        return targets(s, np.int64(s.card)) if s.card != NO_CARD else _defences(s, seat)
    if s.attacks == 0:
        return s.held[seat]
    cards = s.held[seat] & np.int64(s.ranks) * SPREAD if has_room(s) else 0
    return cards | 1 << CHECK


@compiled
def targets(s: Record, card: Int) -> Int:
    """The open cards that a card beats."""
    found = 0
    for i in range(s.beaten, s.attacks):
        found |= 1 << s.attack[i]
    return found & BEATEN[s.suit, card]


@compiled
def _defences(s: Record, seat: Int) -> Int:
    """Cards that beat an open one, check, and pushing."""
    hand = s.held[seat]
    found = 1 << CHECK
    for i in range(s.beaten, s.attacks):
        found |= hand & BEATERS[s.suit, s.attack[i]]
    if s.push and s.beaten == 0 and s.attacks > 0:
        after = NEXT[s.active, seat]
        if s.attacks < s.size[after] and s.attacks < s.hand:
            rank = s.attack[0] % 13
            for suit in range(4):
                found |= (hand >> (13 * suit + rank) & 1) << (PUSH + suit)
    return found


@compiled
def act(s: Record, seat: Int, a: Int) -> None:
    """A legal action of a seat: cards move; who is next is left to `pass_turn`."""
    s.history = mix(s.history, seat << 8 | a)
    if seat == s.defender:
        if s.card != NO_CARD:
            _beat(s, seat, np.int64(s.card), a)
        elif a < CHECK:
            open_cards = targets(s, a)
            if open_cards & (open_cards - 1):
                s.card = a
            else:
                _beat(s, seat, a, ctz(open_cards))
        elif a == CHECK:
            s.checked |= 1 << seat
        else:
            _push(s, seat, 13 * (a - PUSH) + s.attack[0] % 13)
    elif a == CHECK:
        s.checked |= 1 << seat
    else:
        _attack(s, seat, a)


@compiled
def _play(s: Record, seat: Int, card: Int) -> None:
    """A card leaves a hand for the table; what all knew of the hand shrinks by it."""
    bit = 1 << card
    second = s.twice[seat] & bit
    s.twice[seat] ^= second
    s.held[seat] ^= bit ^ second
    known = s.shown_twice[seat] & bit
    s.shown_twice[seat] ^= known
    s.shown[seat] &= ~(bit ^ known)
    s.told &= ~bit
    s.size[seat] -= 1
    s.ranks |= 1 << card % 13


@compiled
def _attack(s: Record, seat: Int, card: Int) -> None:
    """A card to beat; attackers who had said check may add cards again."""
    _play(s, seat, card)
    s.attack[s.attacks] = card
    s.answer[s.attacks] = NO_CARD
    s.attacks += 1
    s.checked &= 1 << s.defender
    _leave(s, seat)


@compiled
def _beat(s: Record, seat: Int, card: Int, target: Int) -> None:
    """An open card is beaten: its pair moves behind the pairs before it."""
    _play(s, seat, card)
    i = np.int64(s.beaten)
    while s.attack[i] != target:
        i += 1
    while i > s.beaten:
        s.attack[i] = s.attack[i - 1]
        i -= 1
    s.attack[i] = target
    s.answer[i] = card
    s.beaten += 1
    s.card = NO_CARD
    s.checked &= 1 << s.defender
    _leave(s, seat)


@compiled
def _push(s: Record, seat: Int, card: Int) -> None:
    """The next player becomes the defender of all open cards and one more."""
    s.defender = NEXT[s.active, seat]
    _attack(s, seat, card)
    s.checked = 0


@compiled
def _leave(s: Record, seat: Int) -> None:
    """A player without cards is out at once when the talon is gone; the neighbours move up (document 004, 2)."""
    if s.left > 0 or s.size[seat] > 0:
        return
    _remove(s, seat)
    s.checked = 0 if s.reopen else s.checked & 1 << s.defender
    if seat == s.defender and s.defender_out != ENDS:
        s.defender = NEXT[s.active, seat]
        s.checked = 0


@compiled
def _remove(s: Record, seat: Int) -> None:
    """A seat is out; who sat before it has a new next player, of whom nothing is known."""
    s.active &= ~(1 << seat)
    if s.active:
        s.weak[PREV[s.active, seat]] = 0


@compiled
def pass_turn(s: Record) -> Int:
    """Who acts next: the opener, the defender while cards are open, the first unchecked attacker; or what has ended."""
    if s.card != NO_CARD:
        return PLAYING
    if s.active & (s.active - 1) == 0:
        return GAME_OVER
    defender = np.int64(s.defender)
    if s.size[defender] == 0 or s.beaten == s.hand:
        return ATTACK_OVER
    said = s.checked >> defender & 1
    if s.beaten < s.attacks and not said:
        s.turn = defender
        return PLAYING
    free = attackers(s) & ~s.checked
    if free:
        seat = PREV[s.active, defender]
        s.turn = seat if free >> seat & 1 else NEXT[free, defender]
    elif s.confirm and not said:
        s.turn = defender
    else:
        return ATTACK_OVER
    return PLAYING


@compiled
def end_attack(s: Record) -> Int:
    """The table is taken or leaves the game, hands are filled up, the next attack begins; or the game is over."""
    defender = np.int64(s.defender)
    took = s.beaten < s.attacks
    before = np.int64(s.left)
    if took:
        _note_weakness(s)
        _take(s, defender)
    else:
        _discard(s)
    _clear_table(s)
    _draw(s, defender, took)
    s.turns += 1
    if took and s.left == before:
        s.quiet += 1
        s.swaps += s.opener == defender
    else:
        s.quiet = 0
        s.swaps = 0
    if s.left == 0:
        for seat in range(np.int64(s.players)):
            if s.size[seat] == 0 and s.active >> seat & 1:
                _remove(s, seat)
    if s.active & (s.active - 1) == 0 or s.quiet >= s.quiet_limit or s.swaps >= s.swap_limit:
        return GAME_OVER
    begin_attack(s, defender if not took and s.active >> defender & 1 else NEXT[s.active, defender])
    return PLAYING


@compiled
def begin_attack(s: Record, opener: Int) -> None:
    """An empty table with new roles."""
    s.opener = opener
    s.defender = NEXT[s.active, opener]
    s.turn = opener
    _clear_table(s)


@compiled
def _clear_table(s: Record) -> None:
    s.attacks = 0
    s.beaten = 0
    s.ranks = 0
    s.checked = 0
    s.card = NO_CARD


@compiled
def _take(s: Record, seat: Int) -> None:
    """The defender takes all; everybody has seen these cards."""
    for i in range(s.attacks):
        gain(s, seat, np.int64(s.attack[i]))
        _show(s, seat, np.int64(s.attack[i]))
        if i < s.beaten:
            gain(s, seat, np.int64(s.answer[i]))
            _show(s, seat, np.int64(s.answer[i]))


@compiled
def _show(s: Record, seat: Int, card: Int) -> None:
    s.shown_twice[seat] |= s.shown[seat] & 1 << card
    s.shown[seat] |= 1 << card


@compiled
def _discard(s: Record) -> None:
    for i in range(s.attacks):
        pair = 1 << s.attack[i]
        s.out_twice |= s.out & pair
        s.out |= pair
        pair = 1 << s.answer[i]
        s.out_twice |= s.out & pair
        s.out |= pair


@compiled
def _draw(s: Record, defender: Int, took: Int) -> None:
    """Round from who opened the attack, the defender last; who took draws nothing."""
    players = np.int64(s.players)
    for k in range(players):
        seat = (np.int64(s.opener) + k) % players
        if seat != defender:
            take_from_stock(s, seat)
    if not took:
        take_from_stock(s, defender)


@compiled
def _note_weakness(s: Record) -> None:
    """The suit that the defender could not beat, as the player before remembers it (docs/rules.md 5.3).

    It is the first open card's; or, of several, that of a plain card beaten by a trump while its suit was open.
    """
    suit = s.attack[s.beaten] // 13
    if s.attacks - s.beaten > 1:
        open_suits = 0
        for i in range(s.beaten, s.attacks):
            open_suits |= 1 << s.attack[i] // 13
        for i in range(s.beaten - 1, -1, -1):
            plain = s.attack[i] // 13
            if plain != s.suit and s.answer[i] // 13 == s.suit and open_suits >> plain & 1:
                suit = plain
    s.weak[PREV[s.active, s.defender]] = suit + 1


@compiled
def count_game(s: Record) -> None:
    """Notes who lost a game: the last in play, or nobody where several are."""
    s.durak = ctz(np.int64(s.active)) if s.active & (s.active - 1) == 0 else NOBODY
    s.played += 1
    if s.durak == NOBODY:
        s.drawn += 1
    else:
        s.lost[s.durak] += 1
    s.over = s.played >= s.games


@compiled
def clear_series(s: Record, durak: Int) -> None:
    """Before the first game of a series: `durak` will be attacked first, or the lowest trump decides."""
    s.durak = durak
    s.played = 0
    s.drawn = 0
    s.over = 0
    s.history = 0
    for seat in range(SEATS):
        s.lost[seat] = 0
        s.memory[seat] = 0
    s.rng.a = 0
    s.rng.b = 0


def give_turn(s: Record, seat: int) -> None:
    """Lets another attacker speak first, where an attacker is to act: recordings draw this order at random."""
    plain = Plain(s)
    if s["defender"] not in (seat, s["turn"]) and may_act(plain, seat):
        plain.turn = seat
