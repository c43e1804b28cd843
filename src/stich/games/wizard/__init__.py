"""Wizard: bid the number of tricks, then take exactly that many (docs/rules.md 4; document 003).

Seats sit in the order of play. The start seat bids and leads first, the dealer sits before it; both move one seat a
round. Nobody may bid in secret. Deviation from the published rules: a turned wizard means no trump, as in the
document, unless `wizard_turned=dealer_chooses`.

Actions by phase: in play 0 to 59 the cards (S H C D, each 1 to 13, then four jesters, four wizards); in bidding
0 to 20 the bid; in choosing 0 to 3 the trump suit S H C D.
"""

from stich.core.contract import Belief, Bots, Exact, Measures, Page, Phases, Records, Rules, Stages, Text
from stich.core.families import register
from stich.core.spec import Budgets, Option, Spec, Variant
from stich.games.wizard.document_rule import PLAYERS, play_other
from stich.games.wizard.encode import encoders, observe
from stich.games.wizard.exact import cards_left, distinct, last_stage, position, reach, side, solvable, worth
from stich.games.wizard.page import FACE_PACK, FACES, SEARCHES, table_view
from stich.games.wizard.records import recording, redeal, trace, values
from stich.games.wizard.rule import rule
from stich.games.wizard.rules import (
    apply,
    bounds,
    check_options,
    deal,
    fill,
    hide,
    is_over,
    key,
    legal,
    measure,
    owners,
    phase,
    player,
    returns,
    rewind,
    stage,
    stakes,
)
from stich.games.wizard.state import MOST, STATE
from stich.games.wizard.text import action_name, card_name, describe, news, piles, setup, show, start

SPEC = Spec(
    name="wizard",
    title="Wizard",
    doc="Bid your tricks, then take exactly that many: four suits, wizards and jesters, one card more each round.",
    seats=4,
    actions=60,
    variants=(
        Variant("wizard", "a whole game: rounds of 1, 2, 3 and so on cards until the pack is used up"),
        Variant("wizard.round", "one round, of chosen or random size", {"length": "round"}),
    ),
    options=(
        Option("players", "how many play", 4, low=3, high=MOST),
        Option("length", "all rounds, or one", "game", ("game", "round")),
        Option("round", "cards of each in a single round; 0: drawn at random", 0, low=0, high=20),
        Option("start_seat", "who bids and leads first in the first round", "random",
               ("random", *(str(seat) for seat in range(MOST)))),
        Option("wizard_turned", "a wizard turned up means no trump, or the dealer chooses the suit", "no_trump",
               ("no_trump", "dealer_chooses")),
        Option("hook", "the last bid may not make all bids add up to the tricks", "off", ("off", "on")),
    ),
    encoders=encoders,
    phases=Phases(("trump", "bids", "cards"), phase),
    measures=Measures((("accuracy", "the share of rounds whose bid was met"),), measure),
    bounds=bounds,
    actions_doc=(
        ("0 to 59", "in play the cards: `S1` to `S13`, then H, C, D, jesters `J1` to `J4`, wizards `W1` to `W4`"),
        ("0 to 20", "in bidding the number of tricks"),
        ("0 to 3", "in choosing the trump suit `S` `H` `C` `D`"),
    ),
    returns_doc=(
        "Each seat gets its points. `stich.games.wizard.state` scales a round's points to [0, 1] (`unit_reward`) "
        "and [-1, 1] (`signed_reward`); the field `met` counts the rounds in which a seat's bid was met."
    ),
    budgets=Budgets(move=40.0, pimc={"wizard": 200.0}),
    rules=Rules(deal, player, legal, apply, is_over, returns, hide, owners, fill, observe, key),
    text=Text(action_name, piles, card_name=card_name, describe=describe, show=show, news=news, faces=FACES),
    stages=Stages(stage, stakes=stakes, last_stage=last_stage),
    exact=Exact(side=side, reach=reach, distinct=distinct, position=position, worth=worth,
                cards_left=cards_left, solvable=solvable),
    belief=Belief(rewind),
    bots=Bots(rule, PLAYERS, play_other),
    page=Page(FACE_PACK, table_view),
    records=Records(start=start, setup=setup, recording=recording, values=values, trace=trace, redeal=redeal),
    levels=SEARCHES,
    check_options=check_options,
)  # fmt: skip

register(SPEC, STATE)
