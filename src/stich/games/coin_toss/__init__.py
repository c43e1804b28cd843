"""The coin toss game of document 001, section 3.2, which takes it from a talk by N. Brown.

Seat 0 sees the coin, seat 1 guesses it. Payoffs are options, counted in halves of the document's unit so that they
are whole numbers; returns are in the document's unit.

Actions: 0 sell, 1 play, 2 guess heads, 3 guess tails. The last two ids name the sides of the coin to the sampler.
"""

from stich.core.contract import Deals, Rules, Text
from stich.core.families import register
from stich.core.spec import Encoder, Field, Spec, Variant
from stich.games.coin_toss.rules import (
    STATE,
    _payoff,
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
    name="coin_toss",
    title="Coin toss",
    doc="One sees a coin and sells it or has it guessed: why a subgame cannot be solved alone.",
    seats=2,
    actions=4,
    variants=(
        Variant("coin-toss", "the game of document 001"),
        Variant("coin-toss.swapped", "the payoffs of selling swapped", {"sell_heads": -1, "sell_tails": 1}),
    ),
    bounds=bounds,
    total=lambda codes: 0.0,
    options=(
        _payoff("sell_heads", "who sells heads", 1),
        _payoff("sell_tails", "who sells tails", -1),
        _payoff("right", "when the guess is right", -2),
        _payoff("wrong", "when the guess is wrong", 2),
    ),
    encoders=(
        Encoder(
            "information",
            "what a seat knows",
            (
                Field("seat", 2, "its own seat"),
                Field("coin", 2, "heads, tails; both 0 where it is not seen"),
                Field("played", 1, "the holder did not sell"),
            ),
        ),
    ),
    actions_doc=(("0", "sell"), ("1", "play"), ("2", "guess heads"), ("3", "guess tails")),
    returns_doc="The payoff in the document's unit; what the holder gets, the guesser loses.",
    rules=Rules(deal, player, legal, apply, is_over, returns, hide, owners, fill, observe, key),
    text=Text(action_name, piles, describe=describe, show=show),
    deals=Deals(deal_count, deal_nth),
)

register(SPEC, STATE)
