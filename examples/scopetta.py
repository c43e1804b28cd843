"""Scopetta: a small Scopa for two, with 20 cards of the ranks 1 to 5; played cards capture from the table."""

import numpy as np

from stich.core.bits import ctz, nth, popcount, set_bits, write_bits
from stich.core.contract import Rules, Text
from stich.core.families import register
from stich.core.jit import compiled
from stich.core.rng import below, mix
from stich.core.sampler import add_card, add_place, begin
from stich.core.spec import Encoder, Field, Option, Spec, Variant, layout

CARDS, HAND, MOVES, BEST = 20, 4, 16, 19
PACK = (1 << CARDS) - 1  # card 4 * (rank - 1) + suit is a bit
# Hands 2 and 3 are dealt when hands 0 and 1 are played; `last` has captured last; `pairs` is the option.
SMALL = [("sweeps", "u1", 2), ("moves", "u1"), ("last", "u1"), ("pairs", "u1")]
STATE = layout([("hands", "i8", 4), ("table", "i8"), ("won", "i8", 2), ("past", "i8"), *SMALL])


@compiled
def take(cards, count, rng):
    taken = np.int64(0)
    for _ in range(count):
        taken |= nth(cards & ~taken, below(rng, popcount(cards & ~taken)))
    return taken


def deal(s, rng):
    s.table = take(PACK, 4, rng)
    left = PACK & ~s.table
    for hand in range(4):
        s.hands[hand] = take(left, HAND, rng)
        left &= ~s.hands[hand]
    s.won[0], s.won[1], s.sweeps[0], s.sweeps[1] = 0, 0, 0, 0
    s.moves, s.last, s.past = 0, 0, mix(0, s.table)


@compiled
def player(s):
    return np.int64(s.moves & 1)


def legal(s):
    return s.hands[player(s)]


@compiled
def captured(s, a):
    """A card of the same rank, else (by the option) two cards that add up to it."""
    rank = a // 4 + 1
    same = s.table & 15 << 4 * (rank - 1)
    if same:
        return same & -same
    for low in range(1, rank if s.pairs else 1):
        one, other = s.table & 15 << 4 * (low - 1), s.table & 15 << 4 * (rank - low - 1)
        other &= ~(one & -one)
        if one and other:
            return one & -one | other & -other
    return np.int64(0)


def apply(s, a):
    seat, taken = player(s), captured(s, a)
    s.hands[seat] &= ~(1 << a)
    if taken:
        s.won[seat] |= taken | 1 << a
        s.last = seat
        s.sweeps[seat] += s.table == taken
        s.table &= ~taken
    else:
        s.table |= 1 << a
    s.past = mix(s.past, a)
    s.moves += 1
    if s.moves == 2 * HAND:
        s.hands[0], s.hands[1], s.hands[2], s.hands[3] = s.hands[2], s.hands[3], 0, 0
    if s.moves == MOVES:
        s.won[s.last] |= s.table
        s.table = 0


@compiled
def is_over(s):
    return s.moves == MOVES


def returns(s, out):
    for seat in range(2):
        mine, theirs = s.won[seat], s.won[1 - seat]
        out[seat] = s.sweeps[seat] + (popcount(mine) > popcount(theirs)) + (mine >> BEST & 1)


def hide(s, me):
    s.hands[1 - me], s.hands[2], s.hands[3] = 0, 0, 0


def owners(s, me, plan):
    begin(plan)
    played = (s.moves % (2 * HAND) + me) // 2  # by the other seat, from this hand
    add_place(plan, 0 if is_over(s) else HAND - played)
    for _ in range(2):
        add_place(plan, HAND if s.moves < 2 * HAND else 0)
    hidden = PACK & ~(s.table | s.won[0] | s.won[1] | s.hands[me])
    while hidden:
        add_card(plan, ctz(hidden))
        hidden &= hidden - 1


def fill(s, me, draw):
    for i in range(draw.cards):
        s.hands[draw.place[i] + 1 if draw.place[i] else 1 - me] |= 1 << draw.card[i]


def observe(s, me, which, out):
    out[:] = 0
    write_bits(out, 0, s.hands[me] | s.table << CARDS)
    write_bits(out, 2 * CARDS, s.won[me] | s.won[1 - me] << CARDS)


def key(s, me):
    return mix(mix(s.past, s.hands[me]), me)


def action_name(s, a):
    return f"{a // 4 + 1}{'CDHS'[a % 4]}"


def piles(s):
    masks = {"hand 0": s["hands"][0], "hand 1": s["hands"][1], "table": s["table"], "won 0": s["won"][0]}
    masks |= {"won 1": s["won"][1], "stock": s["hands"][2] | s["hands"][3]}
    return {name: [action_name(s, card) for card in set_bits(int(mask))] for name, mask in masks.items()}


SIDES = (Field("hand", CARDS, "own"), Field("table", CARDS, "open"), Field("won", CARDS, "own"))
SPEC = Spec(
    "scopetta",
    "Scopetta",
    "Capture cards from the table; points for sweeps, most cards and the 5S.",
    seats=2,
    actions=CARDS,
    variants=(Variant("scopetta", "two hands of four cards"),),
    options=(Option("pairs", "whether a card captures two that add up to it", "on", ("off", "on")),),
    rules=Rules(deal, player, legal, apply, is_over, returns, hide, owners, fill, observe, key),
    text=Text(action_name, piles),
    bounds=lambda codes: (0.0, 10.0),
    encoders=(Encoder("cards", "all open cards", (*SIDES, Field("lost", CARDS, "won by the other seat"))),),
)
register(SPEC, STATE)
