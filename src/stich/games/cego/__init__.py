"""Cego: the tarock game of the Black Forest (docs/rules.md 1; document 000).

The variant `cego` is the whole game: bidding, building the hand, play, game points. The six sub-games are those that
document 000 trains: seat 0 is the single player (in Räuber the caller), leads, and no bidding takes place. Seats are
numbered in playing order, 0 1 2 3. Deviation: a picture may be exposed as an empty card only by who has no fitting one.

Actions: 0 to 53 the cards (played, or chosen while the hand is built), 54 pass (fort, gut, or no swap), 55 solo,
56 ultimo, 57 gegensolo, 58 bettel, 59 piccolo, 60 the next level (or, for Vorhand whom nobody challenged, to play
Cego), 61 selber, 62 räuber.
"""

from stich.core.contract import Belief, Bots, Exact, Page, Phases, Records, Rules, Stages, Text
from stich.core.families import register
from stich.core.spec import Budgets, Option, Spec, Variant
from stich.games.cego.encode import ENCODERS, observe
from stich.games.cego.exact import (
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
from stich.games.cego.page import FACE_PACK, FACES, SEARCHES, table_view
from stich.games.cego.records import recording, trace, values
from stich.games.cego.rule import rule
from stich.games.cego.rules import (
    apply,
    bounds,
    deal,
    fill,
    hide,
    is_over,
    key,
    legal,
    owners,
    phase,
    player,
    rewind,
    secret,
    stage,
    stakes,
    sum_of_returns,
)
from stich.games.cego.scoring import returns
from stich.games.cego.state import RAEUBER, STATE
from stich.games.cego.text import action_name, describe, news, piles, setup, show, start

OFF_ON = ("off", "on")
SUBGAMES = ("full", "standard", "solo", "ultimo", "bettel", "piccolo", "raeuber")

SPEC = Spec(
    name="cego",
    title="Cego",
    doc="The tarock game of the Black Forest: one against three for the blind cards.",
    seats=4,
    actions=63,
    variants=(
        Variant("cego", "the whole game: bidding, building the hand, play, game points"),
        Variant("cego.standard", "Standard-Cego with the document's automatic hand", {"subgame": "standard"}),
        Variant("cego.solo", "Solo: own cards, the blind counts for the single player", {"subgame": "solo"}),
        Variant("cego.ultimo", "Ultimo: win the last trick with the 1 of trumps", {"subgame": "ultimo"}),
        Variant("cego.bettel", "Bettel: win no trick", {"subgame": "bettel"}),
        Variant("cego.piccolo", "Piccolo: win exactly one trick", {"subgame": "piccolo"}),
        Variant("cego.raeuber", "Räuber: each for themselves, most points lose", {"subgame": "raeuber"}),
    ),
    options=(
        Option("subgame", "the whole game, or one sub-game without bidding", "full", SUBGAMES),
        Option("heuristic", "sub-games: deal only hands that satisfy the document's condition", "off", OFF_ON),
        Option("reward", "sub-games: card points where they count, or 1 for a win", "points", ("points", "win")),
        Option("ultimo_stop", "when Ultimo ends after the 1 of trumps went too early", "at_once",
               ("engine", "at_once", "never")),
        Option("deals", "the whole game: how many deals, the dealer moving on", 1, low=1, high=100),
        Option("replacement", "exposed empty cards may be replaced by others of their suit", "on", OFF_ON),
        Option("overcall", "Piccolo may be said over Bettel", "off", OFF_ON),
        Option("leader", "who leads the first trick where no card is exposed", "single", ("single", "vorhand")),
        Option("zero_sum", "the single player wins or loses three times the points", "off", OFF_ON),
    ),
    encoders=ENCODERS,
    bounds=bounds,
    total=sum_of_returns,
    actions_doc=(
        ("0 to 31", "suit cards: clubs, spades, hearts, diamonds, each from lowest to highest, as `7-c`, `k-h`"),
        ("32 to 53", "`1-trump` to `21-trump` and `gstiess-trump`"),
        ("54", "`pass`: fort, gut, or leave an exposed card as it is"),
        ("55 to 59", "`solo`, `ultimo`, `gegensolo`, `bettel`, `piccolo`"),
        ("60", "`bid`: the next level; for Vorhand whom nobody challenged, to play Cego"),
        ("61, 62", "`selber`: the same level oneself; `raeuber`"),
    ),
    returns_doc="Sub-games: card points 0 to 79 in Standard-Cego and Solo (the defenders share theirs), else 1 for "
    "a win; with `reward=win` always 1 for a win. The whole game: game points over all deals.",
    budgets=Budgets(move=40.0, exact={"cego.standard": (20, 5.0), "cego.bettel": (28, 5.0)},
                    whole={"cego.standard": (44, 10.0)}, pimc={"cego.standard": 100.0}),
    deal_filter={"heuristic": "on"},
    teams=lambda codes: (0, 1, 1, 1) if 0 < codes["subgame"] < RAEUBER else None,
    phases=Phases(("bidding", "hand", "cards"), phase),
    rules=Rules(deal, player, legal, apply, is_over, returns, hide, owners, fill, observe, key, secret=secret),
    text=Text(action_name, piles, describe=describe, show=show, news=news, faces=FACES),
    stages=Stages(stage, stakes=stakes, last_stage=last_stage),
    exact=Exact(side=side, score=score, reach=reach, order=order, distinct=distinct, position=position,
                worth=worth, cards_left=cards_left, solvable=solvable),
    belief=Belief(rewind),
    bots=Bots(rule),
    page=Page(FACE_PACK, table_view),
    records=Records(start=start, setup=setup, recording=recording, values=values, trace=trace),
    levels=SEARCHES,
)  # fmt: skip

register(SPEC, STATE)
