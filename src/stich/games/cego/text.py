"""Cego as text: names of actions, the table for a terminal, deals as JSON."""

from collections.abc import Mapping
from typing import Any

from stich.core.bits import set_bits
from stich.core.contract import Record
from stich.core.errors import StichError
from stich.core.plain import Plain
from stich.games.cego.cards import ALL, CARDS, SUIT, mask_of, names_of
from stich.games.cego.scoring import deal_points, robber, single_points
from stich.games.cego.state import (
    BID,
    CHOICE,
    FORT,
    NOBODY,
    PASS,
    PLAY,
    RAEUBER,
    SELBER,
    SOLO,
    STANDARD,
    SWAP,
)

WORDS = ("pass", "solo", "ultimo", "gegensolo", "bettel", "piccolo", "bid", "selber", "raeuber")
MODES = ("bidding", "Standard-Cego", "Solo", "Ultimo", "Bettel", "Piccolo", "Räuber")
LEVELS = ("", "Cego", "Halbe", "Eine", "Eine Leere", "Zwei Leere", "Zwei Verschiedene", "Kleiner Mann")
ASKS = (
    "play your own hand?",
    "gegensolo?",
    "bettel or piccolo?",
    "bid for the blind?",
    "take the level yourself?",
    "go one higher?",
    "cego or räuber?",
    "expose a card",
    "keep a card",
    "lay a card off",
    "replace the exposed card?",
    "play a card",
)
SIGNS = ("♣", "♠", "♥", "♦")
COLOURS = ("green", "blue", "red", "red", "magenta")
PICTURES = {"b": "J", "r": "C", "d": "Q", "k": "K"}


def action_name(s: Record, a: int) -> str:
    """A card like `15-trump` or `k-h`, or what is said."""
    return CARDS[a] if 0 <= a < PASS else WORDS[a - PASS] if a < 63 else f"action {a}"


def label(s: Record, a: int) -> str:
    """An action as a person reads it: passing has several names, a bid names its level."""
    if a < PASS:
        return card_text(a)
    if a == BID:
        return "play Cego" if s["phase"] == CHOICE else f"bid {LEVELS[s['level'] + 1]}"
    if a == PASS:
        return {FORT: "fort", SWAP: "leave it"}.get(int(s["phase"]), "gut" if s["level"] else "pass")
    return f"selber {LEVELS[s['level']]}" if a == SELBER else WORDS[a - PASS]


def start(s: Record) -> dict[str, Any]:
    """A fresh deal as JSON: hands, blind, Legage, dealer, standing and what deals the later deals."""
    return {
        "dealer": int(s["dealer"]),
        "hands": [names_of(hand) for hand in s["hands"]],
        "blind": names_of(s["blind"]),
        "legage": names_of(s["legage"]),
        "deal": int(s["deal"]),
        "score": s["score"].tolist(),
        "rng": [int(s["rng"]["a"]), int(s["rng"]["b"])],
    }


def setup(s: Record, start: Mapping[str, Any]) -> None:
    """Sets a deal up from JSON; hands and blind (in Standard-Cego the Legage) must be given."""
    from stich.games.cego.rules import begin_deal

    try:
        hands = [mask_of(hand) for hand in start["hands"]]
        blind, legage = mask_of(start.get("blind", [])), mask_of(start.get("legage", []))
        dealer = int(start.get("dealer", 3))
    except (KeyError, TypeError, ValueError) as error:
        raise StichError(f"a Cego deal needs hands and blind of cards like '15-trump': {error}") from None
    whole = blind | legage
    for hand in hands:
        whole |= hand
    if [len(hand) for hand in start["hands"]] != [11] * 4 or whole != ALL or not 0 <= dealer < 4:
        raise StichError("a Cego deal has 54 different cards: eleven a hand and ten that are not in hands")
    s["hands"] = hands
    s["blind"] = blind
    s["dealer"] = dealer
    s["deal"] = start.get("deal", 0)
    s["score"] = start.get("score", [0, 0, 0, 0])
    s["rng"] = tuple(start.get("rng", (0, 0)))
    begin_deal(Plain(s))
    s["legage"] = legage


def piles(s: Record) -> dict[str, list[str]]:
    """Every card of the pack by where it lies."""
    hands = {f"hand {seat}": names_of(s["hands"][seat]) for seat in range(4)}
    return {**hands, "out of play": names_of(int(s["blind"]) | int(s["legage"])), "played": names_of(s["played"])}


def card_text(card: int) -> str:
    """A card with its suit's sign and colour; trumps by number."""
    suit = min(card >> 3, 4)
    rank = CARDS[card].partition("-")[0]
    text = (
        ("T" + rank if rank != "gstiess" else "Gstiess") if suit == 4 else SIGNS[suit] + PICTURES.get(rank, rank)
    )
    return f"[{COLOURS[suit]}]{text}[/]"


def cards_text(mask: int) -> str:
    """The cards of a mask, suits apart and trumps last."""
    groups = [" ".join(card_text(card) for card in set_bits(mask & int(suit))) for suit in SUIT]
    return "   ".join(group for group in groups if group)


def show(s: Record, me: int | None, mask: int) -> str:
    """The table: what is played, the trick, the last trick, the hands."""
    seats = range(4) if me is None else [me]
    lines = [_head(s), *_bids(s), "", *_trick(s, me), ""]
    lines += [
        f"Seat {seat}{' (you)' if seat == me else ''}: {cards_text(int(s['hands'][seat]))}" for seat in seats
    ]
    if s["legage"]:
        lines.append(f"Legage: {cards_text(int(s['legage']))}")
    if s["phase"] != PLAY and not s["over"]:
        lines.append(f"Seat {int(s['turn'])}: {ASKS[s['phase']]}")
    return "\n".join(lines)


def _head(s: Record) -> str:
    if not s["mode"]:
        return f"[bold]Cego[/], deal {int(s['deal']) + 1}, dealt by seat {int(s['dealer'])}: bidding"
    level = f" ({LEVELS[s['level']]}{', Gegensolo' if s['gegen'] else ''})" if s["level"] else ""
    role = "called by" if s["mode"] == RAEUBER else "played by"
    points = ", ".join(str(int(value)) for value in s["points"])
    return (
        f"[bold]{MODES[s['mode']]}[/]{level}, {role} seat {int(s['single'])}; "
        f"points in tricks by seat {points}; tricks {', '.join(str(int(n)) for n in s['won'])}"
    )


def _bids(s: Record) -> list[str]:
    """What was said, and the level that is held."""
    if not s["said"]:
        return []
    said = [WORDS[int(a) - PASS] for a in s["bids"][: s["said"]]]
    held = ""
    if s["level"]:
        held = f"; {LEVELS[s['level']]} is bid, seat {int(s['holder'])} holds" if not s["mode"] else ""
    return [f"Said: {' '.join(said)}{held}"]


def played_tricks(s: Record) -> list[list[tuple[int, int]]]:
    """The tricks as (seat, card) pairs, the running one last."""
    tricks: list[list[tuple[int, int]]] = [[] for _ in range(12)]
    played = 4 * int(s["tricks"]) + int(s["cards"])
    for i, card in enumerate(s["plays"][:played].tolist()):
        tricks[i // 4].append(((int(s["leads"][i // 4]) + i) % 4, card))
    return tricks[: int(s["tricks"]) + 1]


def _trick(s: Record, me: int | None) -> list[str]:
    tricks = played_tricks(s)
    lines = []
    if s["exposed"]:
        lines.append(f"Exposed: {cards_text(int(s['exposed']))} (cannot win)")
    if tricks[-1]:
        lines.append("Trick: " + "  ".join(f"seat {seat} {card_text(card)}" for seat, card in tricks[-1]))
    if len(tricks) > 1:
        cards = "  ".join(f"seat {seat} {card_text(card)}" for seat, card in tricks[-2])
        lines.append(f"Last trick: {cards}")
    return lines


def news(before: Record, after: Record, me: int | None) -> list[str]:
    """What was decided, tricks and deals that ended between two positions that follow each other."""
    lines = []
    if after["mode"] and not before["mode"]:
        level = f", level {LEVELS[after['level']]}" if after["level"] else ""
        lines.append(f"[bold]{MODES[after['mode']]}[/]{level}, by seat {int(after['single'])}")
    if int(after["shown"]) & ~int(before["shown"]):
        lines.append(f"seat {int(after['single'])} exposes {cards_text(int(after['exposed']))}")
    if after["tricks"] > before["tricks"]:
        lines.append(f"seat {_last_winner(before, after)} takes the trick")
    if after["deal"] > before["deal"]:
        gained = [int(a) - int(b) for a, b in zip(after["score"], before["score"], strict=True)]
        lines.append(f"[bold]The deal is over[/]: {', '.join(f'{value:+d}' for value in gained)}")
    return lines


def _last_winner(before: Record, after: Record) -> int:
    """Who took the trick that just ended: whose count rose."""
    return next((seat for seat in range(4) if after["won"][seat] > before["won"][seat]), int(after["turn"]))


def outcome(s: Record) -> dict[str, Any]:
    """How a deal stands, for people: points of the single player, who loses Räuber, what it pays."""
    plain = Plain(s)
    if s["mode"] == RAEUBER:
        return {"loser": int(robber(plain)), "pays": int(deal_points(plain))}
    points = {"points": int(single_points(plain))} if s["mode"] in (STANDARD, SOLO) else {}
    return {**points, "pays": int(deal_points(plain)), "single": int(s["single"] % NOBODY)}
