"""Leduc poker: six cards, two rounds, a public card (F. Southey et al., 2005); two players, as in OpenSpiel.

Seat 0 acts first in both rounds. The public card is dealt at the start and lies face down until the second round.
Deviation: at a showdown both hands are turned up, where OpenSpiel shows the other hand to nobody.

Actions: 0 fold, 1 call (or check), 2 raise. Ids 3 to 8 name the cards to the sampler: JH JS QH QS KH KS.
"""

from stich.core.contract import Deals, Rules, Text
from stich.core.families import register
from stich.core.spec import Budgets, Encoder, Field, Spec, Variant
from stich.games.leduc.rules import (
    FACES,
    STATE,
    action_name,
    apply,
    bounds,
    deal,
    deal_count,
    deal_nth,
    describe,
    fill,
    hide,
    is_over,
    key,
    legal,
    news,
    observe,
    owners,
    piles,
    player,
    returns,
    show,
)

SPEC = Spec(
    name="leduc",
    title="Leduc poker",
    doc="Six cards, two rounds of betting, one public card: the usual yardstick of solvers.",
    seats=2,
    actions=3,
    variants=(Variant("leduc", "two players, raises of 2 and 4"),),
    bounds=bounds,
    total=lambda codes: 0.0,
    encoders=(
        Encoder(
            "information",
            "what a seat knows, as OpenSpiel writes it",
            (
                Field("seat", 2, "its own seat"),
                Field("hand", 6, "its own card: JH JS QH QS KH KS"),
                Field("board", 6, "the public card, all 0 in the first round"),
                Field("first round", 8, "for each of four moves: call, raise"),
                Field("second round", 8, "the same"),
            ),
        ),
    ),
    actions_doc=(("0", "fold"), ("1", "call, or check where there is nothing to call"), ("2", "raise")),
    returns_doc="The chips won; the loser has lost as many.",
    budgets=Budgets(equilibrium=True),
    rules=Rules(deal, player, legal, apply, is_over, returns, hide, owners, fill, observe, key),
    text=Text(action_name, piles, describe=describe, show=show, news=news, faces=FACES),
    deals=Deals(deal_count, deal_nth),
)

register(SPEC, STATE)
