"""Durak as text: names of actions, the table for a terminal, deals as JSON."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from stich.core.contract import Record
from stich.core.errors import StichError
from stich.core.plain import Plain
from stich.games.durak.attack import begin_attack, targets
from stich.games.durak.cards import CARDS, NO_CARD, PACK, PREV, SUITS, card_of, masks_of, names_of
from stich.games.durak.deal import clear_game, lowest_trump, remember_deal
from stich.games.durak.knowledge import table_cards
from stich.games.durak.state import CARDS_AT_MOST, CHECK, NOBODY, PUSH

SYMBOL = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
COLOUR = {"S": "blue", "H": "red", "C": "green", "D": "red"}
SUIT_NAMES = ("clubs", "spades", "hearts", "diamonds")


def action_name(s: Record, a: int) -> str:
    """A card like `6H`, `P:6C` for a push, or `check`."""
    if a < CHECK:
        return CARDS[a]
    return "check" if a == CHECK else f"P:{CARDS[_push_card(s, a)]}"


def _push_card(s: Record, a: int) -> int:
    return 13 * (a - PUSH) + int(s["attack"][0]) % 13


def label(s: Record, a: int) -> str:
    """An action as a person says it."""
    if a >= PUSH:
        return f"push with {card_text(_push_card(s, a))}"
    defends = s["turn"] == s["defender"]
    if a == CHECK:
        return "take" if defends and s["beaten"] < s["attacks"] else "check"
    if not defends:
        return card_text(a)
    if s["card"] != NO_CARD:
        return f"{card_text(int(s['card']))} on {card_text(a)}"
    open_cards = targets(Plain(s), a)
    if open_cards and open_cards & open_cards - 1 == 0:
        return f"{card_text(a)} on {card_text(int(open_cards).bit_length() - 1)}"
    return f"beat with {card_text(a)}"


def start(s: Record) -> dict[str, Any]:
    """A fresh game as JSON: hands, the talon in the order of drawing, who begins, the standing of a series."""
    return {
        "hands": [names_of(s["held"][seat], s["twice"][seat]) for seat in range(s["players"])],
        "talon": [CARDS[card] for card in s["stock"] if card != NO_CARD],
        "attacker": int(s["opener"]),
        "lowest_trump": bool(s["low"]),
        "durak": None if s["durak"] == NOBODY else int(s["durak"]),
        "lost": s["lost"][: s["players"]].tolist(),
        "played": int(s["played"]),
        "rng": [int(s["rng"]["a"]), int(s["rng"]["b"])],
    }


def setup(s: Record, start: Mapping[str, Any]) -> None:
    """Sets a game up from JSON: hands and talon must be given, the turned card last.

    Without `attacker` the lowest trump decides; `lowest_trump` says whether it has been shown.
    """
    players, cards = int(s["players"]), int(s["deck"]) * int(s["decks"])
    try:
        hands = [list(hand) for hand in start["hands"]]
        talon = [card_of(name) for name in start["talon"]]
        whole = Counter(card_of(name) for hand in hands for name in hand) + Counter(talon)
        attacker = start.get("attacker")
        seats = [seat for seat in (attacker, start.get("durak")) if seat is not None]
    except (KeyError, TypeError, AttributeError) as error:
        raise StichError(f"a game of Durak needs hands and a talon of cards like '6H': {error}") from None
    pack = Counter({card: int(s["decks"]) for card in range(52) if int(PACK[s["deck"] // 4]) >> card & 1})
    if [len(hand) for hand in hands] != [s["hand"]] * players or whole != pack:
        raise StichError(f"a deal has the {cards} cards of the pack, with {s['hand']} in each of {players} hands")
    if any(seat not in range(players) for seat in seats):
        raise StichError(f"seats are 0 to {players - 1}")
    for seat, hand in enumerate(hands):
        s["held"][seat], s["twice"][seat] = masks_of(hand)
        s["size"][seat] = len(hand)
    s["stock"] = [NO_CARD] * (cards - len(talon)) + talon + [NO_CARD] * (CARDS_AT_MOST - cards)
    s["durak"] = NOBODY if start.get("durak") is None else start["durak"]
    s["lost"][:players] = start.get("lost", [0] * players)
    s["played"] = start.get("played", 0)
    s["rng"] = tuple(start.get("rng", (0, 0)))
    with np.errstate(over="ignore"):
        _begin(Plain(s), attacker, bool(start.get("lowest_trump", attacker is None)))


def _begin(s: Any, attacker: int | None, shown: bool) -> None:
    clear_game(s)
    holder = int(lowest_trump(s)) if shown else NOBODY
    opener = holder if attacker is None else attacker
    if opener == NOBODY:
        raise StichError("no player alone holds a lowest trump: name the attacker")
    remember_deal(s, opener)
    begin_attack(s, opener)


def piles(s: Record) -> dict[str, list[str]]:
    """Every card by where it lies; equal cards are listed as often as there are."""
    plain = Plain(s)
    hands = {f"hand {seat}": names_of(s["held"][seat], s["twice"][seat]) for seat in range(s["players"])}
    return {
        **hands,
        "table": names_of(*table_cards(plain, 0, plain.attacks)),
        "out": names_of(s["out"], s["out_twice"]),
        "talon": [CARDS[card] for card in s["stock"] if card != NO_CARD],
    }


def card_text(card: int) -> str:
    """A card with its suit's sign and colour."""
    rank, suit = CARDS[card][0], CARDS[card][1]
    return f"[{COLOUR[suit]}]{SYMBOL[suit]}{rank}[/]"


def _hand_text(once: int, twice: int, trump: int) -> str:
    """Plain suits, then the trumps."""
    names = names_of(once, twice)
    order = [suit for suit in SUITS if suit != SUITS[trump]] + [SUITS[trump]]
    groups = [" ".join(card_text(card_of(name)) for name in names if name[1] == suit) for suit in order]
    return "   ".join(group for group in groups if group)


def _seat_text(s: Record, seat: int, me: int | None) -> str:
    """A seat's line: its part in the attack, how many cards, and those that are known."""
    parts = ["you"] if seat == me else []
    if not s["active"] >> seat & 1:
        parts.append("out")
    elif seat == s["defender"]:
        parts.append("defends")
    elif seat == PREV[s["active"], s["defender"]]:
        parts.append("attacks")
    if s["checked"] >> seat & 1:
        parts.append("takes" if seat == s["defender"] and s["beaten"] < s["attacks"] else "checked")
    name = f"Seat {seat}" + (f" ({', '.join(parts)})" if parts else "")
    cards = _hand_text(int(s["held"][seat]), int(s["twice"][seat]), int(s["suit"]))
    known = "" if me in (None, seat) or not cards else "of which "
    return f"{name}: {_cards(int(s['size'][seat]))}" + (f", {known}{cards}" if cards else "")


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def show(s: Record, me: int | None, mask: int) -> str:
    """Trump and talon, the standing of a series, the table, the hands."""
    turned = f", the last {card_text(int(s['turned']))}" if s["left"] else ""
    lines = [f"[bold]Durak[/]: trumps {SUIT_NAMES[s['suit']]}, {_cards(int(s['left']))} in the talon{turned}"]
    if s["games"] > 1:
        lost = ", ".join(f"seat {seat} {int(s['lost'][seat])}" for seat in range(s["players"]))
        lines.append(f"Game {min(int(s['played']) + 1, int(s['games']))} of {int(s['games'])}; lost: {lost}")
    lines.append("")
    table = [
        card_text(int(s["attack"][i])) + (f" < {card_text(int(s['answer'][i]))}" if i < s["beaten"] else "")
        for i in range(s["attacks"])
    ]
    lines += [f"Table: {',  '.join(table) or 'empty'}", ""]
    seats = range(s["players"]) if me is None else [(me + k) % s["players"] for k in range(1, s["players"])] + [me]
    return "\n".join(lines + [_seat_text(s, seat, me) for seat in seats])


def news(before: Record, after: Record, me: int | None) -> list[str]:
    """Attacks, players and games that ended between two positions that follow each other."""
    lines = []
    same_game = before["played"] == after["played"]
    if same_game and after["turns"] > before["turns"]:
        took = bool((after["out"] == before["out"]) and (after["out_twice"] == before["out_twice"]))
        lines.append(
            f"seat {int(before['defender'])} takes the table" if took else "all is beaten and leaves the game"
        )
        if after["left"] < before["left"]:
            lines.append(
                f"{int(before['left']) - int(after['left'])} cards are drawn, {int(after['left'])} are left"
            )
    if same_game:
        gone = [seat for seat in range(after["players"]) if (before["active"] & ~after["active"]) >> seat & 1]
        lines += [f"[bold]seat {seat} is out[/]" for seat in gone]
    elif after["durak"] == NOBODY:
        lines.append("[bold]Nobody loses:[/] the cards only go round")
    else:
        lines.append(f"[bold]Seat {int(after['durak'])} is the durak[/]")
    return lines
