"""Jass as text: names of actions, the table for a terminal, deals as JSON."""

from collections.abc import Mapping
from typing import Any

from stich.core.bits import set_bits
from stich.core.contract import Record
from stich.core.errors import StichError
from stich.core.facts import Fact
from stich.core.plain import Plain
from stich.core.words import Words
from stich.games.jass.cards import ALL, CARDS, FACTOR, MODES, SUIT, mask_of, names_of
from stich.games.jass.rounds import begin_round

TEAMS = ((0, 2), (1, 3))
ACTIONS = (*CARDS, *MODES, "P", "silent", "announce")
MODE_IDS = ("diamonds", "hearts", "spades", "clubs", "obe_abe", "une_ufe")


def action_name(s: Record, a: int) -> str:
    """A card like `D10`, a mode D H S C O U, `P` for push, `silent` or `announce`."""
    return ACTIONS[a] if 0 <= a < len(ACTIONS) else f"action {a}"


def describe(s: Record, a: int) -> Fact:
    """A card to play, a mode to choose, or what is said."""
    if a < 36:
        return Fact("play", card=CARDS[a])
    return Fact("mode", mode=MODE_IDS[a - 36]) if a < 42 else Fact(("push", "silent", "announce")[a - 42])


def start(s: Record) -> dict[str, Any]:
    """A fresh round as JSON: dealer, hands, the standing of a match and what deals its later rounds."""
    return {
        "dealer": int(s["dealer"]),
        "hands": [names_of(hand) for hand in s["hands"]],
        "score": s["score"].tolist(),
        "round": int(s["round"]),
        "rng": [int(s["rng"]["a"]), int(s["rng"]["b"])],
    }


def setup(s: Record, start: Mapping[str, Any]) -> None:
    """Sets a round up from JSON; only dealer and hands must be given."""
    try:
        hands = [mask_of(hand) for hand in start["hands"]]
        dealer = int(start["dealer"])
    except (KeyError, TypeError, ValueError) as error:
        raise StichError(f"a Jass deal needs dealer and four hands of cards like 'D10': {error}") from None
    sizes = [len(hand) for hand in start["hands"]]
    if sizes != [9] * 4 or hands[0] | hands[1] | hands[2] | hands[3] != ALL or not 0 <= dealer < 4:
        raise StichError("a Jass deal has 36 different cards, nine a hand, and a dealer 0 to 3")
    s["hands"] = hands
    s["dealer"] = dealer
    s["score"] = start.get("score", [0, 0])
    s["round"] = start.get("round", 0)
    s["rng"] = tuple(start.get("rng", (0, 0)))
    begin_round(Plain(s))


def piles(s: Record) -> dict[str, list[str]]:
    """Every card of the pack by where it lies."""
    hands = {f"hand {seat}": names_of(s["hands"][seat]) for seat in range(4)}
    return {**hands, "played": names_of(s["played"])}


def show(s: Record, me: int | None, mask: int, words: Words) -> str:
    """The table: the head line, the trick in the middle with the viewer's seat below, the last trick, the hands."""
    parts = [_head(s, me, words), "", *_middle(s, me, words), "", *_last_trick(s, words)]
    return "\n".join([*parts, *_hands(s, me, mask, words)])


def tricks_left(s: Record) -> int:
    """The tricks of this round that are not finished."""
    return 9 - int(s["played"]).bit_count() // 4


def news(before: Record, after: Record, me: int | None) -> list[Fact]:
    """Melds, tricks and rounds that ended between two positions that follow each other."""
    shown = [seat for seat in range(4) if after["shown"][seat] and not before["shown"][seat]]
    facts = [Fact("meld", seat=seat, cards=names_of(after["shown"][seat])) for seat in shown]
    if after["tricks"] > before["tricks"] and after["round"] == before["round"]:
        facts.append(Fact("trick", seat=after["turn"]))
    if after["round"] > before["round"]:
        ours = 0 if me is None else me & 1
        gained = after["score"] - before["score"]
        facts.append(
            Fact(
                "round_over",
                seats=TEAMS[ours],
                points=gained[ours],
                other_seats=TEAMS[1 - ours],
                other_points=gained[1 - ours],
            )
        )
    if after["over"] and after["target"]:
        facts.append(Fact("match_over", seats=TEAMS[after["first"]], points=after["target"]))
    return facts


def _head(s: Record, me: int | None, words: Words) -> str:
    mode = words.line("no_mode")
    if s["declarer"] < 4:
        by = "pushed" if s["pushed"] else "chosen"
        mode = words.line(by, me, mode=MODE_IDS[s["mode"]], seat=s["declarer"])
    ours = 0 if me is None else me & 1
    points = words.line(
        "points",
        me,
        seats=TEAMS[ours],
        points=total_points(s, ours),
        other_seats=TEAMS[1 - ours],
        other_points=total_points(s, 1 - ours),
    )
    goal = f" / {int(s['target'])}" if s["target"] else ""
    number = words.line("round", number=int(s["round"]) + (0 if s["over"] else 1))
    return f"[bold]{number}[/]: {mode}; {points}{goal}"


def total_points(s: Record, team: int) -> int:
    """A team's points with the running round, which `score` holds itself once it is written down."""
    if s["over"] and not s["target"]:
        return int(s["score"][team])
    factor = int(FACTOR[s["mode"]]) if s["multipliers"] else 1
    return int(s["score"][team]) + factor * (int(s["points"][team]) + int(s["bonus"][team]))


def played_tricks(s: Record) -> list[list[tuple[int, int]]]:
    """This round's tricks as (seat, card) pairs, the running one last."""
    tricks: list[list[tuple[int, int]]] = [[] for _ in range(10)]
    played = 4 * int(s["tricks"]) + int(s["cards"])
    for i, card in enumerate(s["plays"][:played].tolist()):
        seat = (int(s["leads"][i // 4]) - i) % 4
        tricks[i // 4].append((seat, card))
    return tricks[: int(s["tricks"]) + 1]


def _middle(s: Record, me: int | None, words: Words) -> list[str]:
    """Four seats around the running trick, the viewer's (else South's) at the bottom."""
    bottom = 2 if me is None else me
    trick = dict(played_tricks(s)[-1])
    width = max(len(words.seat(seat)) for seat in range(4))

    def place(away: int) -> str:
        seat = (bottom - away) % 4
        mark = "[bold]*[/]" if seat == s["turn"] and not s["over"] else " "
        card = words.card(CARDS[trick[seat]]) if seat in trick else "--"
        known = names_of(int(s["shown"][seat]) & ~int(s["played"]))
        meld = f" ({words.line('has', cards=known)})" if known and seat != me else ""
        return f"{mark}{words.seat(seat):<{width}} {card}{meld}"

    return [f"{'':14}{place(2)}", f"  {place(3)}{'':14}{place(1)}", f"{'':14}{place(0)}"]


def _last_trick(s: Record, words: Words) -> list[str]:
    """The trick before the running one, with its winner."""
    tricks = played_tricks(s)
    if len(tricks) < 2 or s["over"]:
        return []
    cards = "  ".join(f"{words.seat(seat)} {words.card(CARDS[card])}" for seat, card in tricks[-2])
    return [f"{words.line('last_trick')}: {cards}  -> {words.seat(s['leads'][s['tricks']])}", ""]


def _hands(s: Record, me: int | None, mask: int, words: Words) -> list[str]:
    """The viewer's hand, or all of them on an open table; suits apart, cards that may be played marked."""
    lines = []
    for seat in range(4) if me is None else [me]:
        playable = mask & ALL if seat == s["turn"] else 0
        suits = [
            " ".join(_in_hand(card, playable, words) for card in set_bits(int(s["hands"][seat]) & int(suit)))
            for suit in SUIT[:4]
        ]
        lines.append(f"{words.seat(seat):<6}{'   '.join(cards for cards in suits if cards)}")
    return lines


def _in_hand(card: int, playable: int, words: Words) -> str:
    """A card of a hand; a star before it says that it may be played."""
    return f"{'[bold]*[/]' if playable >> card & 1 else ' '}{words.card(CARDS[card])}"
