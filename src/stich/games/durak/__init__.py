"""Durak: the Russian game without a winner, the last player with cards has lost (docs/rules.md 5; document 004).

Any pack of 12 to 52 cards, one or two of them, two to six players. Cards are played one at a time: several at once
are a sequence of single ones. While cards are open the defender acts; else the attackers do, the player before the
defender first, then round from the player after them.

Every attack is finite: each action plays one of at most twice `hand` cards or is a check, of which each player has one
between two cards. A game is finite because at most `quiet_limit` attacks in a row may leave all cards in the hands;
then it ends without a loser. Without this bound players who take and push could play for ever.

Actions: 0 to 51 a card (suit * 13 + rank, suits C S H D, ranks 2 to A; equal cards of two packs share a number), 52
check (the defender takes what is open), 53 to 56 push with the card of that suit. The defender names the card to
beat with; if it beats several open ones, one of these is named next, again by 0 to 51.
"""

from stich.core.contract import Bots, Exact, Page, Phases, Records, Rules, Stages, Text
from stich.core.families import register
from stich.core.spec import Budgets, Option, Spec, Variant
from stich.games.durak.attack import give_turn
from stich.games.durak.encode import encoders, observe
from stich.games.durak.exact import (
    cards_left,
    curtail,
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
from stich.games.durak.page import FACE_PACK, FACES, table_view
from stich.games.durak.records import recording, trace, values
from stich.games.durak.rule import rule
from stich.games.durak.rules import (
    apply,
    bounds,
    check_options,
    deal,
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
)
from stich.games.durak.state import HAND_AT_MOST, STATE
from stich.games.durak.text import action_name, describe, news, piles, setup, show, start

OFF_ON = ("off", "on")

SPEC = Spec(
    name="durak",
    title="Durak",
    doc="The Russian game without a winner: attack, beat or take, and be rid of all cards before the last one is.",
    seats=2,
    actions=57,
    variants=(
        Variant("durak", "two players, 36 cards, six in hand"),
        Variant("durak.3", "three players", {"players": 3}),
        Variant("durak.4", "four players", {"players": 4}),
        Variant("durak.mini", "two players, 12 cards, three in hand: document 004's small game",
                {"deck": 12, "hand": 3}),
        Variant("durak.52", "two players, 52 cards", {"deck": 52}),
        Variant("durak.double", "four players, two packs of 52 cards", {"deck": 52, "decks": 2, "players": 4}),
        Variant("durak.series", "three players, five games in a row", {"players": 3, "games": 5}),
    ),
    options=(
        Option("players", "how many play", 2, low=2, high=6),
        Option("deck", "cards of a pack, a multiple of 4: the highest ranks of each suit", 36, low=12, high=52),
        Option("decks", "packs", 1, low=1, high=2),
        Option("hand", "cards that each is dealt and draws up to; no attack has more cards", 6, low=1,
               high=HAND_AT_MOST),
        Option("games", "games of a series: the loser is attacked first in the next", 1, low=1, high=200),
        Option("trump", "the trump suit", "random", ("random", "C", "S", "H", "D")),
        Option("push", "the defender may push an attack on to the next player", "on", OFF_ON),
        Option("throw_limit", "at most as many open cards as the defender holds, or that many attack cards in all",
               "common", ("common", "c4")),
        Option("throwers", "who may throw in", "neighbours", ("neighbours", "all")),
        Option("defender_out", "a defender's last card ends the attack, or it continues against the next",
               "ends", ("ends", "goes_on")),
        Option("reopen", "who leaves during an attack withdraws also the defender's check", "off", OFF_ON),
        Option("confirm", "the defender says check also when all is beaten and nobody adds a card", "off", OFF_ON),
        Option("quiet_limit", "attacks in a row that leave all cards in the hands, after which nobody loses", 200,
               low=1, high=10000),
    ),
    encoders=encoders,
    phases=Phases(("attack", "defence"), phase),
    bounds=bounds,
    total=lambda codes: 0.0,
    actions_doc=(
        ("0 to 51", "the cards: C, S, H, D, each 2 to A, written `6H`: to attack, throw in or beat with; "
                    "after a card that beats several open ones, the one it shall beat"),
        ("52", "`check`: no more cards; of a defender with open cards: takes them"),
        ("53 to 56", "`P:6C`, ...: push with the card of the suit C, S, H, D"),
    ),
    returns_doc="For each game -1 to the loser and 1 / (players - 1) to each other; 0 for a game without a loser.",
    budgets=Budgets(pimc={"durak": 200.0}),
    rules=Rules(deal, player, legal, apply, is_over, returns, hide, owners, fill, observe, key),
    text=Text(action_name, piles, describe=describe, show=show, news=news, faces=FACES),
    stages=Stages(stage, stakes=stakes, last_stage=last_stage),
    exact=Exact(side=side, score=score, reach=reach, order=order, distinct=distinct, position=position,
                worth=worth, cards_left=cards_left, solvable=solvable, curtail=curtail),
    bots=Bots(rule),
    page=Page(FACE_PACK, table_view),
    records=Records(start=start, setup=setup, recording=recording, values=values, trace=trace, give_turn=give_turn),
    check_options=check_options,
)  # fmt: skip

register(SPEC, STATE)
