"""The game of `toy_duel.py`, with an option that breaks the contract in one way: one compilation serves them all."""

import numpy as np

import toy_duel as duel
from stich.core.bits import popcount
from stich.core.contract import Belief, Bot, Bots, Deals, Exact, Phases, Records, Rules, Stages, Text
from stich.core.families import fields_of, register
from stich.core.jit import compiled
from stich.core.rng import mix
from stich.core.sampler import add_card, add_place, begin
from stich.core.spec import Encoder, Field, Option, Spec, Variant, layout

SAYS = {
    "nothing": "",
    "lost": "piles: the pack lacks",
    "empty": "legal: no action is legal though the game is not over (seed 0, move 2)",
    "wide": "legal: the mask has action 12; Spec.actions = 9 allows 0 to 8 (seed 0, move 0)",
    "seat": "player: it returns 2; seats are 0 to 1 (seed 0, move 0)",
    "endless": "is_over: a random game is not over after 20,000 moves",
    "option": "apply: the option 'size' was 0 and is 1: options must stay as they are (seed 0, move 1)",
    "left": "deal: 'extra' depends on the game before: deal must write every field but the options",
    "bounds": "returns: seat 0 gets 9; Spec.bounds says 0 to 3",
    "total": "Spec.total says 3",
    "unwritten": "returns: seat 1 gets nothing: write all of out; Spec.bounds says 0 to 3",
    "team": "returns: seats 0, 1 are one team (Spec.teams) and get different returns",
    "shown": "hide: seat 0 sees another 'duel' in a drawn world that it cannot tell from the truth",
    "blind": "in the view of seat 1: it must follow from what the seat to act knows",
    "over": "is_over: False in the full state, True in the view of seat",
    "turns": "player: 1 in the full state, 0 in the view of seat 0: it must follow from what everybody knows",
    "once": "hide: hiding the view of seat 0 once more changes 'extra' (seed 0, move 0)",
    "tells": "cannot tell apart show it another 'extra', though it sees the same cards",
    "false": "hide: the view of seat 0 shows '1' in pile 'played', which does not lie there",
    "flat key": "that differ in 'duel' have the same key: mix in all that the seat knows",
    "open key": "key: seat 0 has another key in its own view",
    "sizes": "owners: seat 1 holds 3 cards, drawn worlds give it 4 (seed 0, move 0)",
    "misfit": "owners: the view of seat 0 has 6 hidden cards, but the places hold 7 ([3, 4]) (seed 0, move 0)",
    "end": "owners: the view of seat 0 has 3 hidden cards, but the places hold 4 ([1, 3]) (seed 0, move 6)",
    "weights": "its weight must not be 0 where it may lie",
    "gap": "observe: encoder 'bits': number 8 of field 'played' is not written: observe must write all of `out`",
    "open": "observe: encoder 'bits': number",
    "high": "observe: encoder 'bits': number 0 of field 'hand' is 3; the encoder's limits are 0 to 1",
    "names": "action_name: two legal actions are called 'card': legal actions need different names",
    "piles": "piles: KeyError: 'hand 2' (tests/broken_duel.py:",
    "index": "apply: IndexError: index 2 is out of bounds for axis 0 with size 2 (tests/broken_duel.py:",
    "secret": "what seat 1 does in secret: hide must erase it, or the choice is not secret",
    "wraps": "key: compiled it differs from plain Python for seat 0",
    "start": "transcript: it does not replay: move, decision 1, ",
    "phase": "phase: it returns 7; Phases.names has 0 to 0 (seed 0, move 0)",
    "stage": "stage: it falls from 1 to 0: it counts finished stages",
    "reach": "reach: it gives the bounds 0 and 0, but ",
    "distinct": "distinct: it keeps '9': keep some of the legal moves",
    "left cards": "cards_left: 6 in the full state, 3 in the view of seat 0: it must follow from what everybody knows",
    "rewind": "rewind: number 0 of the actions that it writes is not legal when played again",
    "back": "rewind: taken back and played on by the same 0 actions, the position is another one",
    "rule": "rule: it plays action 62; legal: ",
    "bot": "play_other: odd plays action 61; legal: ",
    "deals": "deal_nth: deal_count says 2 deals, only 1 of them are different",
    "unlisted": "deal_nth: `deal` has dealt one that is not among the listed deals",
}
"""Each way to break the contract, and what `check` says of it."""
BREAKS = tuple(SAYS)
(_, LOST, EMPTY, WIDE, SEAT, ENDLESS, OPTION, LEFT, BOUNDS, TOTAL, UNWRITTEN, TEAM, SHOWN, BLIND, OVER, TURNS,
 ONCE, TELLS, FALSE, FLAT_KEY, OPEN_KEY, SIZES, MISFIT, END, WEIGHTS, GAP, OPEN, HIGH, NAMES, PILES, INDEX,
 SECRET, WRAPS, START, PHASE, STAGE, REACH, DISTINCT, LEFT_CARDS, REWIND, BACK, RULE, BOT, DEALS,
 UNLISTED) = range(45)  # fmt: skip

STATE = layout(
    [(name, duel.STATE[name]) for name in fields_of(duel.STATE)]
    + [("extra", "i8"), ("broken", "u1"), ("size", "u1")]
)
duel_deal, duel_legal, duel_apply = compiled(duel.deal), compiled(duel.legal), compiled(duel.apply)
duel_key, duel_observe = compiled(duel.key), compiled(duel.observe)


def deal(s, rng):
    duel_deal(s, rng)
    if s.broken != LEFT:
        s.extra = 0


def player(s):
    if s.broken == SEAT:
        return np.int64(2)
    if s.broken == TURNS:  # of those who hold the same number of cards, the first
        return np.int64(s.turn if s.duel[1] else 0)
    return np.int64(s.turn)


def legal(s):
    mask = duel_legal(s)
    if s.broken == EMPTY and s.won[0] + s.won[1]:
        return np.int64(0)
    return mask | 1 << 12 if s.broken == WIDE else mask


def apply(s, a):
    if s.broken == ENDLESS:
        return
    if s.broken == INDEX:
        s.won[s.turn * 2] = 0
        s.won[2 - s.turn * 2] = 0
    if s.broken == OPTION:
        s.size = 1
    if s.broken == LEFT:
        s.extra += 1
    duel_apply(s, a)
    if s.broken == LOST:
        s.played &= ~(1 << a)
    if s.broken == TELLS:
        s.extra = s.duel[0] ^ s.duel[1]


@compiled
def is_over(s):
    if s.broken == OVER:
        return s.duel[0] | s.duel[1] == 0
    return s.won[0] + s.won[1] == 3


def returns(s, out):
    out[0] = 9 if s.broken == BOUNDS else s.won[0]
    if s.broken != UNWRITTEN:
        out[1] = 1 if s.broken == TOTAL else s.won[1]


def hide(s, me):
    if s.broken != SHOWN:
        s.duel[1 - me] = 0
    if s.broken == BLIND:
        s.duel[me] = 0
    if s.broken == ONCE:
        s.extra += 1
    if s.broken == FALSE:
        s.played |= 1


def owners(s, me, plan):
    begin(plan)
    hidden = 511 & ~s.played & ~s.duel[me]
    more = 1 if s.broken == SIZES else 0
    add_place(plan, 1 if s.broken == END and is_over(s) else popcount(hidden) - 3 + more)
    add_place(plan, 4 if s.broken == MISFIT else 3 - more)
    lacks = 510 if s.broken == WEIGHTS and popcount(hidden) == 6 else s.lacks[1 - me]
    for card in range(9):
        if hidden >> card & 1:
            row = add_card(plan, card)
            plan.weight[row, 0] = 1 - (s.lacks[1 - me] >> card & 1)
            if lacks == 510 and plan.cards == 1:
                plan.weight[row, 0] = 0


def fill(s, me, draw):
    for i in range(draw.cards):
        s.duel[1 - me] |= (1 - draw.place[i]) << draw.card[i]


def observe(s, me, which, out):
    last = out[17]
    duel_observe(s, me, which, out)
    if s.broken == GAP:
        out[17] = last
    if s.broken == OPEN:
        for card in range(9):
            out[card] = s.duel[1 - me] >> card & 1
    if s.broken == HIGH:
        out[0] = 3


def key(s, me):
    if s.broken == FLAT_KEY:
        return mix(s.past, me)
    if s.broken == OPEN_KEY:
        return mix(duel_key(s, me), s.duel[1 - me])
    if s.broken == WRAPS:
        return (s.duel[me] | 1 << 62) * 5
    return duel_key(s, me)


def secret(s):
    return s.broken == SECRET


def phase(s):
    return 7 if s.broken == PHASE else 0


def stage(s):
    if s.broken == STAGE:
        return 1 if s.won[0] + s.won[1] == 1 else 0
    return 0


def side(s):
    return np.int64(s.turn)


def score(s):
    return np.int64(s.won[0]) - s.won[1]


def reach(s):
    left = 3 - np.int64(s.won[0]) - s.won[1]
    return (0, 0) if s.broken == REACH else (-left, left)


def distinct(s, mask):
    return mask | 256 if s.broken == DISTINCT else mask


def cards_left(s):
    if s.broken == LEFT_CARDS:
        return popcount(s.duel[0]) + popcount(s.duel[1])
    return 6 - popcount(s.played)


def rewind(s, past, rng):
    past[0] = 62
    if s.broken == BACK:
        s.turn = 1 - s.turn
    return 1 if s.broken == REWIND else 0


@compiled
def lowest(s):
    mask = duel_legal(s)
    return popcount((mask & -mask) - 1)


def rule(s, rng):
    return 62 if s.broken == RULE else lowest(s)


def play_other(s, which, argument, rng):
    return 61 if s.broken == BOT else lowest(s)


def deal_count(s):
    if s.broken == UNLISTED:
        return 1
    return 2 if s.broken == DEALS else 0


def deal_nth(s, k):
    s.turn = 1


def action_name(s, a):
    return "card" if s["broken"] == NAMES else str(a + 1)


def piles(s):
    found = duel.piles(s)
    if s["broken"] == PILES:
        found["played"] = found["hand 2"]
    return found


def start(s):
    """All fields, but for the break of this name without the hands."""
    fields = {name: s[name].tolist() for name in fields_of(s.dtype)}
    if s["broken"] == START:
        fields["turn"] = 1 - fields["turn"]
    return fields


def setup(s, start):
    for name, value in start.items():
        s[name] = value


SPEC = Spec(
    "broken_duel", "Broken duel", "A game that breaks the contract in one way.", 2, 9,
    (Variant("broken_duel", "three tricks"),),
    options=(Option("broken", "the way", "nothing", BREAKS), Option("size", "of no meaning", 0, low=0, high=1)),
    rules=Rules(deal, player, legal, apply, is_over, returns, hide, owners, fill, observe, key, secret),
    text=Text(action_name, piles),
    bounds=lambda codes: (0.0, 3.0),
    total=lambda codes: 3.0 if codes["broken"] in (0, TOTAL) else None,
    teams=lambda codes: (0, 0) if codes["broken"] == TEAM else None,
    encoders=(Encoder("bits", "cards", (Field("hand", 9, "own"), Field("played", 9, "seen"))),),
    phases=Phases(("cards",), phase),
    stages=Stages(stage),
    exact=Exact(side, score, reach, distinct=distinct, cards_left=cards_left),
    belief=Belief(rewind),
    bots=Bots(rule, (Bot("odd", "plays the lowest"),), play_other),
    deals=Deals(deal_count, deal_nth),
    records=Records(start=start, setup=setup),
)  # fmt: skip
register(SPEC, STATE)
