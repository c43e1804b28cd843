"""A stranger's game: cards 1 to 9, three each, three left out; the second must beat the first if he can."""

import numpy as np

from stich.core.bits import nth, popcount, set_bits
from stich.core.contract import Rules, Text
from stich.core.families import register
from stich.core.rng import below, mix
from stich.core.sampler import add_card, add_place, begin
from stich.core.spec import Encoder, Field, Spec, Variant, layout

STATE = layout([("duel", "i8", 2), ("played", "i8"), ("lacks", "i8", 2), ("past", "i8"),
                ("won", "u1", 2), ("led", "u1"), ("turn", "u1")])
def deal(s, rng):
    left, s.played, s.past, s.led, s.turn = 511, 0, 0, 9, below(rng, 2)
    for seat in range(2):
        s.duel[seat], s.won[seat], s.lacks[seat] = 0, 0, 0
        for i in range(3):
            s.duel[seat] |= nth(left, below(rng, 9 - 3 * seat - i))
            left &= ~s.duel[seat]

def player(s):
    return np.int64(s.turn)

def legal(s):
    higher = s.duel[s.turn] >> s.led << s.led
    return higher if higher else s.duel[s.turn]

def apply(s, a):
    s.duel[s.turn] &= ~(1 << a)
    s.played, s.past = s.played | 1 << a, mix(s.past, a)
    if s.led == 9:  # no card is led yet
        s.led, s.turn = a, 1 - s.turn
        return
    if a < s.led:
        s.lacks[s.turn], s.turn = s.lacks[s.turn] | 511 >> s.led << s.led, 1 - s.turn
    s.won[s.turn], s.led = s.won[s.turn] + 1, 9

def is_over(s):
    return s.won[0] + s.won[1] == 3

def returns(s, out):
    out[0], out[1] = s.won[0], s.won[1]

def hide(s, me):
    s.duel[1 - me] = 0

def owners(s, me, plan):
    begin(plan)
    hidden = 511 & ~s.played & ~s.duel[me]
    add_place(plan, popcount(hidden) - 3)
    add_place(plan, 3)
    for card in range(9):
        if hidden >> card & 1:
            plan.weight[add_card(plan, card), 0] = 1 - (s.lacks[1 - me] >> card & 1)

def fill(s, me, draw):
    for i in range(draw.cards):
        s.duel[1 - me] |= (1 - draw.place[i]) << draw.card[i]

def observe(s, me, which, out):
    for card in range(9):
        out[card], out[9 + card] = s.duel[me] >> card & 1, s.played >> card & 1

def key(s, me):
    return mix(s.past, s.duel[me] << 2 | np.int64(s.turn) << 1 | me)

def action_name(s, a):
    return str(a + 1)

def piles(s):
    masks = {"hand 0": s["duel"][0], "hand 1": s["duel"][1], "played": s["played"]}
    return {name: [str(card + 1) for card in set_bits(int(mask))] for name, mask in masks.items()}

SPEC = Spec("duel", "Duel", "The smallest game of tricks.", 2, 9, (Variant("duel", "three tricks"),),
            rules=Rules(deal, player, legal, apply, is_over, returns, hide, owners, fill, observe, key),
            text=Text(action_name, piles), bounds=lambda codes: (0.0, 3.0), total=lambda codes: 3.0,
            encoders=(Encoder("bits", "cards", (Field("hand", 9, "own"), Field("played", 9, "seen"))),))
register(SPEC, STATE)
