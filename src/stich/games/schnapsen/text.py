"""Schnapsen as text: names of actions, the table for a terminal, deals as JSON."""

from collections.abc import Mapping
from typing import Any

from stich.core.bits import set_bits
from stich.core.contract import Record
from stich.core.errors import StichError
from stich.core.facts import Fact
from stich.core.plain import Plain
from stich.core.words import Words
from stich.games.schnapsen.cards import CARDS, HAND, NO_CARD, PACK, SUIT, SUITS, mask_of, names_of
from stich.games.schnapsen.deal import begin_deal
from stich.games.schnapsen.state import CLAIM, CLOSE, EXCHANGE, MARRIAGE, NOBODY

SUIT_IDS = ("spades", "hearts", "clubs", "diamonds")


def action_name(s: Record, a: int) -> str:
    """A card like `KH`, a marriage `M:KH`, `exchange`, `close`, `claim` or `go on`."""
    if a < MARRIAGE:
        return CARDS[a]
    if a < EXCHANGE:
        return f"M:{'QK'[a & 1]}{SUITS[(a - MARRIAGE) // 2]}"
    return {EXCHANGE: "exchange", CLOSE: "close", CLAIM: "claim"}.get(a, "go on")


def describe(s: Record, a: int) -> Fact:
    """A card to play, a marriage to announce with one, or what is said."""
    name = action_name(s, a)
    if a < EXCHANGE:
        return Fact("marriage" if a >= MARRIAGE else "play", card=name.removeprefix("M:"))
    return Fact(name.replace(" ", "_"))


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


def cards_text(mask: int, words: Words) -> str:
    """The cards of a mask, suits apart."""
    groups = [" ".join(words.card(CARDS[card]) for card in set_bits(mask & int(suit))) for suit in SUIT]
    return "   ".join(group for group in groups if group)


def show(s: Record, me: int | None, mask: int, words: Words) -> str:
    """Trump and stock, points, the card to answer, the hands."""
    lines = [_head(s, words), _points(s, words), ""]
    if s["lead"] != NO_CARD:
        lines += [words.line("led", card=CARDS[s["lead"]]), ""]
    for seat in range(2) if me is None else [me]:
        you = f" ({words.line('you')})" if seat == me else ""
        lines.append(f"{words.seat(seat)}{you}: {cards_text(int(s['hands'][seat]), words)}")
    if me is not None and s["shown"][1 - me]:
        lines.append(words.line("holds", seat=1 - me) + f": {cards_text(int(s['shown'][1 - me]), words)}")
    return "\n".join(lines)


def _head(s: Record, words: Words) -> str:
    parts = [words.line("trumps", suit=SUIT_IDS[s["trump"]]), words.line("stock", count=s["left"])]
    if s["face"] != NO_CARD:
        parts.append(words.line("open_card", card=CARDS[s["face"]]))
    if s["closer"] != NOBODY:
        parts.append(words.line("closed", seat=s["closer"]))
    return f"[bold]Schnapsen[/]: {', '.join(parts)}"


def _points(s: Record, words: Words) -> str:
    """Points and tricks of the deal, and the standing of a match."""
    line = words.line(
        "points", first=s["points"][0], second=s["points"][1], tricks=s["won"][0], others=s["won"][1]
    )
    match = words.line("match", first=s["game"][0], second=s["game"][1], target=s["target"])
    return f"{line}, {match}" if s["target"] else line


def context(s: Any) -> str:
    """The trump suit, which the face-down card of the small versions gives without being seen."""
    return f"trumps: {SUITS[int(s['trump'])]}"


def news(before: Record, after: Record, me: int | None) -> list[Fact]:
    """Tricks and deals that ended between two positions that follow each other."""
    facts = [Fact("trick", seat=seat) for seat in range(2) if after["won"][seat] > before["won"][seat]]
    if after["deal"] > before["deal"]:
        facts.append(Fact("deal_won", seat=after["winner"], count=after["paid"]))
    return facts
