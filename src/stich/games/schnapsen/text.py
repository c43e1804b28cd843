"""Schnapsen as text: names of actions, the table for a terminal, deals as JSON."""

from collections.abc import Mapping
from typing import Any

from stich.core.bits import set_bits
from stich.core.contract import Record
from stich.core.errors import StichError
from stich.core.plain import Plain
from stich.games.schnapsen.cards import CARDS, HAND, NO_CARD, PACK, SUIT, SUITS, mask_of, names_of
from stich.games.schnapsen.deal import begin_deal
from stich.games.schnapsen.state import CLAIM, CLOSE, EXCHANGE, MARRIAGE, NOBODY

SUIT_NAMES = ("spades", "hearts", "clubs", "diamonds")
SYMBOL = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
COLOUR = {"S": "blue", "H": "red", "C": "green", "D": "red"}


def action_name(s: Record, a: int) -> str:
    """A card like `KH`, a marriage `M:KH`, `exchange`, `close`, `claim` or `go on`."""
    if a < MARRIAGE:
        return CARDS[a]
    if a < EXCHANGE:
        return f"M:{'QK'[a & 1]}{SUITS[(a - MARRIAGE) // 2]}"
    return {EXCHANGE: "exchange", CLOSE: "close", CLAIM: "claim"}.get(a, "go on")


def start(s: Record) -> dict[str, Any]:
    """A fresh deal as JSON: hands, stock in the order of drawing, who leads, and the standing of a match."""
    return {
        "hands": [names_of(hand) for hand in s["hands"]],
        "stock": [CARDS[card] for card in s["stock"] if card != NO_CARD],
        "forehand": int(s["forehand"]),
        "game": s["game"].tolist(),
        "deal": int(s["deal"]),
        "rng": [int(s["rng"]["a"]), int(s["rng"]["b"])],
    }


def setup(s: Record, start: Mapping[str, Any]) -> None:
    """Sets a deal up from JSON; hands and stock must be given, the trump card last in the stock."""
    try:
        hands = [mask_of(hand) for hand in start["hands"]]
        stock = [CARDS.index(name) for name in start["stock"]]
        forehand = int(start.get("forehand", 0))
    except (KeyError, TypeError, ValueError) as error:
        raise StichError(f"a Schnapsen deal needs two hands and a stock of cards like 'KH': {error}") from None
    pack, size = int(PACK[s["pack"]]), int(HAND[s["pack"]])
    whole = sum(1 << card for card in stock) + sum(hands)
    if [len(hand) for hand in start["hands"]] != [size] * 2 or whole != pack or forehand not in (0, 1):
        raise StichError(f"a Schnapsen deal has every card of the pack once and {size} in each hand")
    s["hands"] = hands
    s["stock"] = stock + [NO_CARD] * (10 - len(stock))
    s["forehand"] = forehand
    s["game"] = start.get("game", [0, 0])
    s["deal"] = start.get("deal", 0)
    s["winner"] = NOBODY
    s["rng"] = tuple(start.get("rng", (0, 0)))
    begin_deal(Plain(s))


def piles(s: Record) -> dict[str, list[str]]:
    """Every card of the pack by where it lies."""
    stock = [CARDS[card] for card in s["stock"] if card != NO_CARD]
    hands = {f"hand {seat}": names_of(s["hands"][seat]) for seat in range(2)}
    return {**hands, "stock": stock, "played": names_of(s["played"])}


def card_text(card: int) -> str:
    """A card with its suit's sign and colour."""
    rank, suit = CARDS[card][0], CARDS[card][1]
    return f"[{COLOUR[suit]}]{SYMBOL[suit]}{rank}[/]"


def cards_text(mask: int) -> str:
    """The cards of a mask, suits apart."""
    groups = [" ".join(card_text(card) for card in set_bits(mask & int(suit))) for suit in SUIT]
    return "   ".join(group for group in groups if group)


def show(s: Record, me: int | None, mask: int) -> str:
    """Trump and stock, points, the card to answer, the hands."""
    face = f", open card {card_text(int(s['face']))}" if s["face"] != NO_CARD else ""
    closed = f", closed by seat {int(s['closer'])}" if s["closer"] != NOBODY else ""
    lines = [
        f"[bold]Schnapsen[/]: trumps {SUIT_NAMES[s['trump']]}, {int(s['left'])} cards in the stock{face}{closed}",
        f"Points {int(s['points'][0])} : {int(s['points'][1])}, tricks {int(s['won'][0])} : {int(s['won'][1])}"
        + (f", match {int(s['game'][0])} : {int(s['game'][1])} of {int(s['target'])}" if s["target"] else ""),
        "",
    ]
    if s["lead"] != NO_CARD:
        lines += [f"Led: {card_text(int(s['lead']))}", ""]
    for seat in range(2) if me is None else [me]:
        lines.append(f"Seat {seat}{' (you)' if seat == me else ''}: {cards_text(int(s['hands'][seat]))}")
    if me is not None and s["shown"][1 - me]:
        lines.append(f"Seat {1 - me} holds: {cards_text(int(s['shown'][1 - me]))}")
    return "\n".join(lines)


def context(s: Any) -> str:
    """The trump suit, which the face-down card of the small versions gives without being seen."""
    return f"trumps: {SUITS[int(s['trump'])]}"


def news(before: Record, after: Record, me: int | None) -> list[str]:
    """Tricks and deals that ended between two positions that follow each other."""
    taken = [seat for seat in range(2) if after["won"][seat] > before["won"][seat]]
    lines = [f"seat {seat} takes the trick" for seat in taken]
    if after["deal"] > before["deal"]:
        lines.append(f"[bold]Seat {int(after['winner'])} wins the deal[/] and {int(after['paid'])} game points")
    return lines
