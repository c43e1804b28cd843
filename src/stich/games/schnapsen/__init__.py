"""Schnapsen: the Austrian game for two (docs/rules.md 2; document 001).

Forehand, who leads first, is the player who did not deal. Mini-Schnapsen (document 001, 6.1) has 12 cards, three in
hand, no closing, exchange or marriage, a face-down trump card, and most points win after all tricks. Micro-Schnapsen
is our own: two of these suits, two cards in hand, the same rules, and at equal points the last trick decides; its
whole tree fits in memory.

Actions: 0 to 19 the cards (S H C D, each J Q K T A), 20 to 27 a marriage led with its queen or king (20 + 2 * suit,
and one more), 28 exchange the trump jack, 29 close the stock, 30 claim 66, 31 go on without claiming.
"""

from stich.core.contract import Belief, Bots, Deals, Exact, Moves, Page, Phases, Records, Rules, Stages, Text
from stich.core.families import register
from stich.core.spec import Budgets, Option, Spec, Variant
from stich.games.schnapsen.deal import deal, deal_count, deal_nth
from stich.games.schnapsen.encode import ENCODERS, observe
from stich.games.schnapsen.exact import (
    cards_left,
    distinct,
    last_stage,
    order,
    position,
    reach,
    score,
    side,
    solvable,
    worth,
)
from stich.games.schnapsen.features import compose, observe_move, prepares
from stich.games.schnapsen.page import FACE_PACK, FACES, SEARCHES, table_view
from stich.games.schnapsen.past import rewind
from stich.games.schnapsen.records import recording, trace, values
from stich.games.schnapsen.rule import rule
from stich.games.schnapsen.rules import (
    apply,
    bounds,
    fill,
    hide,
    is_over,
    key,
    legal,
    owners,
    phase,
    player,
    returns,
    stage,
    stakes,
    standing,
)
from stich.games.schnapsen.state import STATE
from stich.games.schnapsen.text import action_name, context, describe, news, piles, setup, show, start

OFF_ON = ("off", "on")
SMALL: dict[str, str | int] = {"target": 0, "marriages": "off", "exchange_from": 0, "close_from": 0}

SPEC = Spec(
    name="schnapsen",
    title="Schnapsen",
    doc="The Austrian game for two: 20 cards, marriages, a stock that may be closed, 66 points.",
    seats=2,
    actions=32,
    variants=(
        Variant("schnapsen", "a match to seven game points", {"target": 7}),
        Variant("schnapsen.deal", "one deal"),
        Variant("schnapsen.mini", "12 cards, three in hand, most points win", {"pack": "mini", **SMALL}),
        Variant("schnapsen.micro", "8 cards, two in hand, most points win", {"pack": "micro", **SMALL}),
    ),
    options=(
        Option("pack", "20 cards, or a small version", "full", ("full", "mini", "micro")),
        Option("marriages", "king and queen of a suit count 20, in trumps 40", "on", OFF_ON),
        Option("marriage_points", "marriages count at once, or with the next trick won", "at_once",
               ("at_once", "pending")),
        Option("marriage_lead", "which card of a marriage may be led", "either", ("either", "king")),
        Option("exchange_from", "the least stock for exchanging the trump jack; 0: never", 2, low=0, high=10),
        Option("close_from", "the least stock for closing it; 0: never", 2, low=0, high=10),
        Option("claim", "66 are claimed by themselves, or when the player says so", "automatic",
               ("automatic", "chosen")),
        Option("target", "game points that win the match; 0: one deal", 0, low=0, high=100),
    ),
    encoders=ENCODERS,
    phases=Phases(("lead", "follow"), phase),
    bounds=bounds,
    total=lambda codes: 0.0,
    actions_doc=(
        ("0 to 19", "the cards: S, H, C, D, each J Q K T A, written `KH`"),
        ("20 to 27", "`M:QS`, `M:KS`, ...: a marriage, led with that card"),
        ("28, 29", "`exchange` the trump jack, `close` the stock"),
        ("30, 31", "`claim` 66, `go on` without claiming"),
    ),
    returns_doc="One deal: the game points won or lost. A match and the small versions: 1 or -1.",
    budgets=Budgets(move=40.0, exact={"schnapsen.deal": (20, 40.0)}, pimc={"schnapsen.deal": 100.0}),
    rules=Rules(deal, player, legal, apply, is_over, returns, hide, owners, fill, observe, key),
    text=Text(action_name, piles, describe=describe, show=show, news=news, faces=FACES, context=context),
    stages=Stages(stage, standing=standing, stakes=stakes, last_stage=last_stage),
    exact=Exact(side=side, score=score, reach=reach, order=order, distinct=distinct, position=position,
                worth=worth, cards_left=cards_left, solvable=solvable),
    belief=Belief(rewind),
    moves=Moves(observe_move, prepares, compose),
    deals=Deals(deal_count, deal_nth),
    bots=Bots(rule),
    page=Page(FACE_PACK, table_view),
    records=Records(start=start, setup=setup, recording=recording, values=values, trace=trace),
    levels=SEARCHES,
)  # fmt: skip

register(SPEC, STATE)
