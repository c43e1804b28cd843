"""Kuhn poker: three cards, one chip, one bet (H. W. Kuhn, 1950); action ids and moves as in OpenSpiel.

Seat 0 acts first. Deviation: at a showdown both cards are turned up for both players, where OpenSpiel shows the
other card to nobody.

Actions: 0 pass (check or fold), 1 bet (or call). Ids 2 to 4 name the cards J Q K to the sampler.
"""

from stich.core.contract import Deals, Rules, Text
from stich.core.families import register
from stich.core.spec import Encoder, Field, Spec, Variant
from stich.games.kuhn.rules import (
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
    observe,
    owners,
    piles,
    player,
    returns,
    show,
)

SPEC = Spec(
    name="kuhn",
    title="Kuhn poker",
    doc="Three cards and one bet: the smallest poker, solved by hand.",
    seats=2,
    actions=2,
    variants=(Variant("kuhn", "the game of 1950"),),
    bounds=bounds,
    total=lambda codes: 0.0,
    encoders=(
        Encoder(
            "information",
            "what a seat knows, as OpenSpiel writes it",
            (
                Field("seat", 2, "its own seat"),
                Field("card", 3, "its own card: J Q K"),
                Field("moves", 6, "for each of three moves: pass, bet"),
            ),
        ),
    ),
    actions_doc=(("0", "pass: check, or fold to a bet"), ("1", "bet, or call a bet")),
    returns_doc="The chips won, one of ante and one of a bet; the loser has lost as many.",
    rules=Rules(deal, player, legal, apply, is_over, returns, hide, owners, fill, observe, key),
    text=Text(action_name, piles, describe=describe, show=show, faces=FACES),
    deals=Deals(deal_count, deal_nth),
)

register(SPEC, STATE)
