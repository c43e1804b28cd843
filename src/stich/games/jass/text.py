"""Jass as text: names of actions, the table for a terminal, deals as JSON."""

from collections.abc import Mapping
from typing import Any

from stich.core.bits import set_bits
from stich.core.contract import Record
from stich.core.errors import StichError
from stich.core.plain import Plain
from stich.games.jass.cards import ALL, CARDS, FACTOR, MODES, SUIT, mask_of, names_of
from stich.games.jass.rounds import begin_round

SEATS = ("North", "East", "South", "West")
TEAMS = ("North+South", "East+West")
ACTIONS = (*CARDS, *MODES, "P", "silent", "announce")
MODE_NAMES = ("diamonds", "hearts", "spades", "clubs", "obe-abe", "une-ufe")
LABELS = (
    *(f"{code} ({name})" for code, name in zip(MODES, MODE_NAMES, strict=True)),
    "P (push)",
    "silent",
    "announce",
)
SYMBOL = {"D": "♦", "H": "♥", "S": "♠", "C": "♣"}
COLOUR = {"D": "red", "H": "red", "S": "blue", "C": "green"}


def action_name(s: Record, a: int) -> str:
    """A card like `D10`, a mode D H S C O U, `P` for push, `silent` or `announce`."""
    return ACTIONS[a] if 0 <= a < len(ACTIONS) else f"action {a}"


def label(s: Record, a: int) -> str:
    """An action as a person reads it."""
    return card_text(a) if a < 36 else LABELS[a - 36]


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


def card_text(card: int) -> str:
    """A card with its suit's sign and colour."""
    suit = CARDS[card][0]
    return f"[{COLOUR[suit]}]{SYMBOL[suit]}{CARDS[card][1:]}[/]"


def show(s: Record, me: int | None, mask: int) -> str:
    """The table: the head line, the trick in the middle with the own seat below, the last trick, the hands."""
    return "\n".join([_head(s, me), "", *_middle(s, me), "", *_last_trick(s), *_hands(s, me, mask)])


def tricks_left(s: Record) -> int:
    """The tricks of this round that are not finished."""
    return 9 - int(s["played"]).bit_count() // 4


def news(before: Record, after: Record, me: int | None) -> list[str]:
    """Melds, tricks and rounds that ended between two positions that follow each other."""
    lines = []
    for seat in range(4):
        if after["shown"][seat] and not before["shown"][seat]:
            cards = " ".join(card_text(card) for card in set_bits(int(after["shown"][seat])))
            lines.append(f"{SEATS[seat]} announces {cards}")
    if after["tricks"] > before["tricks"] and after["round"] == before["round"]:
        lines.append(f"{SEATS[after['turn']]} takes the trick")
    if after["round"] > before["round"]:
        gained = [int(after["score"][team]) - int(before["score"][team]) for team in range(2)]
        lines.append(f"[bold]The round is over[/]: North+South {gained[0]}, East+West {gained[1]}")
    if after["over"] and after["target"]:
        lines.append(f"[bold]{TEAMS[after['first']]} reach {int(after['target'])} first[/]")
    return lines


def _head(s: Record, me: int | None) -> str:
    mode = "mode not chosen yet"
    if s["declarer"] < 4:
        pushed = " after a push" if s["pushed"] else ""
        mode = f"{MODE_NAMES[s['mode']]}, chosen by {SEATS[s['declarer']]}{pushed}"
    ours, theirs = (0, 1) if me is None else (me & 1, 1 - (me & 1))
    names = TEAMS if me is None else ("we", "they")
    points = ", ".join(f"{name} {total_points(s, team)}" for name, team in zip(names, (ours, theirs), strict=True))
    goal = f" of {int(s['target'])}" if s["target"] else ""
    return f"[bold]Jass[/], round {int(s['round']) + (0 if s['over'] else 1)}: {mode}; points {points}{goal}"


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


def _middle(s: Record, me: int | None) -> list[str]:
    """Four seats around the running trick, the own (else South) at the bottom."""
    bottom = 2 if me is None else me
    trick = dict(played_tricks(s)[-1])

    def place(away: int) -> str:
        seat = (bottom - away) % 4
        mark = "[bold]*[/]" if seat == s["turn"] and not s["over"] else " "
        card = card_text(trick[seat]) if seat in trick else "--"
        known = set_bits(int(s["shown"][seat]) & ~int(s["played"]))
        meld = f" (has {' '.join(card_text(c) for c in known)})" if known and seat != me else ""
        return f"{mark}{SEATS[seat]:<5} {card}{meld}"

    return [f"{'':14}{place(2)}", f"  {place(3)}{'':14}{place(1)}", f"{'':14}{place(0)}"]


def _last_trick(s: Record) -> list[str]:
    """The trick before the running one, with its winner."""
    tricks = played_tricks(s)
    if len(tricks) < 2 or s["over"]:
        return []
    cards = "  ".join(f"{SEATS[seat]} {card_text(card)}" for seat, card in tricks[-2])
    return [f"Last trick: {cards}  -> {SEATS[s['leads'][s['tricks']]]}", ""]


def _hands(s: Record, me: int | None, mask: int) -> list[str]:
    """The own hand, or all of them on an open table; suits apart, cards that may be played marked."""
    lines = []
    for seat in range(4) if me is None else [me]:
        playable = mask & ALL if seat == s["turn"] else 0
        suits = [
            " ".join(_in_hand(card, playable) for card in set_bits(int(s["hands"][seat]) & int(suit)))
            for suit in SUIT[:4]
        ]
        lines.append(f"{SEATS[seat]:<6}{'   '.join(cards for cards in suits if cards)}")
    return lines


def _in_hand(card: int, playable: int) -> str:
    """A card of a hand; a star before it says that it may be played."""
    return f"{'[bold]*[/]' if playable >> card & 1 else ' '}{card_text(card)}"
