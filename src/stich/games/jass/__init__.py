"""Jass, Schieber: the Swiss partnership game for four (docs/rules.md 3; document 002).

Seats 0 North, 1 East, 2 South, 3 West sit clockwise, play runs counterclockwise (3 follows 0), partners are
0+2 and 1+3. Deviations: a player who announces lays all their melds open, also when the other side's are better;
announcing is asked of everybody before their first card, so that being asked tells nothing.

Actions: 0 to 35 the cards (D H S C, each A K Q J 10 9 8 7 6), 36 to 41 modes D H S C O U, 42 push, 43 silent, 44 melds.
"""

from stich.core.contract import Belief, Bots, Exact, Measures, Page, Phases, Records, Rules, Stages, Text
from stich.core.families import register
from stich.core.spec import Budgets, Option, Spec, Variant
from stich.games.jass.clues import card_weights
from stich.games.jass.encode import ENCODERS, observe
from stich.games.jass.exact import (
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
from stich.games.jass.page import FACE_PACK, FACES, table_view
from stich.games.jass.protocols import PROTOCOLS
from stich.games.jass.records import recording, trace, values
from stich.games.jass.rounds import rewind
from stich.games.jass.rule import rule
from stich.games.jass.rules import (
    apply,
    bounds,
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
    stage,
    sum_of_returns,
)
from stich.games.jass.scoring import returns, stakes, standing
from stich.games.jass.state import STATE
from stich.games.jass.text import action_name, describe, news, piles, setup, show, start, tricks_left
from stich.games.jass.trump_rules import PLAYERS, play_other

OFF_ON = ("off", "on")
PEOPLE = {"melds": "on", "stoeck": "on", "match_bonus": "on"}

SPEC = Spec(
    name="jass",
    title="Jass (Schieber)",
    doc="The Swiss partnership game: six modes, push, 157 points a round.",
    seats=4,
    actions=45,
    variants=(
        Variant("jass", "one round, tricks only: 157 points, as in document 002"),
        Variant("jass.tournament", "twelve rounds with melds, Stöck and match bonus", {"rounds": 12, **PEOPLE}),
        Variant("jass.1000", "first to 1000 points, every mode counts once", {"target": 1000, **PEOPLE}),
        Variant("jass.2500", "first to 2500 points, with multipliers", {"target": 2500, "multipliers": "on", **PEOPLE}),
    ),
    options=(
        Option("undertrump", "the trump a later one must beat: the highest in the trick, or jass-kit's rule",
               "highest", ("highest", "jasskit")),
        Option("melds", "Weisen: runs and four of a kind, announced before the first card", "off", OFF_ON),
        Option("stoeck", "20 for king and queen of trumps from one hand", "off", OFF_ON),
        Option("match_bonus", "100 for all nine tricks", "off", OFF_ON),
        Option("multipliers", "spades and clubs count double, obe-abe and une-ufe treble", "off", OFF_ON),
        Option("rounds", "how many rounds a game has, unless it goes to a target", 1, low=1, high=250),
        Option("target", "the game ends when a team has this many points; 0: after the rounds", 0, low=0, high=10000),
    ),
    encoders=ENCODERS,
    teams=(0, 1, 0, 1),
    phases=Phases(("trump", "melds", "cards"), phase),
    measures=Measures((("share", "the side's share of all points"),), measure),
    bounds=bounds,
    total=sum_of_returns,
    actions_doc=(
        ("0 to 35", "the cards: D A to D 6, then H, S, C in the same order, written `DA`, `D10`"),
        ("36 to 41", "the modes `D` `H` `S` `C` (that suit is trump), `O` obe-abe, `U` une-ufe"),
        ("42", "`P`, push the choice to the partner"),
        ("43, 44", "`silent` or `announce`: melds, before the first card"),
    ),
    returns_doc="Both partners get their side's points; to a target, 1 for the winners and 0 for the losers.",
    home_seat=2,
    budgets=Budgets(move=20.0, twin=14.2, before_search="D", exact={"jass": (24, 5.0)}, whole={"jass": (36, 2.0)},
                    pimc={"jass": 200.0}),
    rules=Rules(deal, player, legal, apply, is_over, returns, hide, owners, fill, observe, key),
    text=Text(action_name, piles, describe=describe, show=show, news=news, faces=FACES),
    stages=Stages(stage, standing=standing, stakes=stakes, last_stage=last_stage, tricks_left=tricks_left),
    exact=Exact(side=side, score=score, reach=reach, order=order, distinct=distinct, position=position,
                worth=worth, cards_left=cards_left, solvable=solvable),
    belief=Belief(rewind, card_weights),
    bots=Bots(rule, PLAYERS, play_other),
    page=Page(FACE_PACK, table_view),
    records=Records(start=start, setup=setup, recording=recording, values=values, trace=trace),
    protocols=PROTOCOLS,
)  # fmt: skip

register(SPEC, STATE)
