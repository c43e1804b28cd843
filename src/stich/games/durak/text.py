"""Durak as text: names of actions, the table for a terminal, deals as JSON."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from stich.core.contract import Record
from stich.core.errors import StichError
from stich.core.facts import Fact
from stich.core.plain import Plain
from stich.core.words import Words
from stich.games.durak.attack import begin_attack, targets
from stich.games.durak.cards import CARDS, NO_CARD, PACK, PREV, SUITS, card_of, masks_of, names_of
from stich.games.durak.deal import clear_game, lowest_trump, remember_deal
from stich.games.durak.knowledge import table_cards
from stich.games.durak.state import CARDS_AT_MOST, CHECK, NOBODY, PUSH

SUIT_IDS = ("clubs", "spades", "hearts", "diamonds")


def action_name(s: Record, a: int) -> str:
    """A card like `6H`, `P:6C` for a push, or `check`."""
    if a < CHECK:
        return CARDS[a]
    return "check" if a == CHECK else f"P:{CARDS[_push_card(s, a)]}"


def _push_card(s: Record, a: int) -> int:
    return 13 * (a - PUSH) + int(s["attack"][0]) % 13


def describe(s: Record, a: int) -> Fact:
    """A card to attack, beat or push with; a beaten card is named where only one can be meant."""
    if a >= PUSH:
        return Fact("push", card=CARDS[_push_card(s, a)])
    defends = s["turn"] == s["defender"]
    if a == CHECK:
        return Fact("take" if defends and s["beaten"] < s["attacks"] else "check")
    if not defends:
        return Fact("play", card=CARDS[a])
    if s["card"] != NO_CARD:
        return Fact("beat", card=CARDS[s["card"]], beaten_card=CARDS[a])
    open_cards = targets(Plain(s), a)
    if open_cards and open_cards & open_cards - 1 == 0:
        return Fact("beat", card=CARDS[a], beaten_card=CARDS[int(open_cards).bit_length() - 1])
    return Fact("beat_one", card=CARDS[a])


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


def _hand_text(once: int, twice: int, trump: int, words: Words) -> str:
    """Plain suits, then the trumps."""
    names = names_of(once, twice)
    order = [suit for suit in SUITS if suit != SUITS[trump]] + [SUITS[trump]]
    groups = [" ".join(words.card(name) for name in names if name[1] == suit) for suit in order]
    return "   ".join(group for group in groups if group)


def _part(s: Record, seat: int) -> list[str]:
    """What a seat does in the attack, by the names of its words."""
    if not s["active"] >> seat & 1:
        return ["out"]
    part = []
    if seat == s["defender"]:
        part.append("defends")
    elif seat == PREV[s["active"], s["defender"]]:
        part.append("attacks")
    if s["checked"] >> seat & 1:
        part.append("takes" if seat == s["defender"] and s["beaten"] < s["attacks"] else "checked")
    return part


def _seat_text(s: Record, seat: int, me: int | None, words: Words) -> str:
    """A seat's line: its part in the attack, how many cards, and those that are known."""
    parts = [words.line(name) for name in [*(["you"] if seat == me else []), *_part(s, seat)]]
    name = words.seat(seat) + (f" ({', '.join(parts)})" if parts else "")
    cards = _hand_text(int(s["held"][seat]), int(s["twice"][seat]), int(s["suit"]), words)
    known = "" if me in (None, seat) else f"{words.line('known')} "
    return f"{name}: {words.line('cards', count=s['size'][seat])}" + (f", {known}{cards}" if cards else "")


def show(s: Record, me: int | None, mask: int, words: Words) -> str:
    """Trump and talon, the standing of a series, the table, the hands."""
    head = [words.line("trumps", suit=SUIT_IDS[s["suit"]]), words.line("talon", count=s["left"])]
    head += [words.line("turned", card=CARDS[s["turned"]])] if s["left"] else []
    lines = [f"[bold]Durak[/]: {', '.join(head)}"]
    if s["games"] > 1:
        lost = ", ".join(f"{words.seat(seat)} {int(s['lost'][seat])}" for seat in range(s["players"]))
        game = words.line("game", number=min(int(s["played"]) + 1, int(s["games"])), games=s["games"])
        lines.append(f"{game}: {lost}")
    lines.append("")
    table = [
        words.card(CARDS[s["attack"][i]]) + (f" < {words.card(CARDS[s['answer'][i]])}" if i < s["beaten"] else "")
        for i in range(s["attacks"])
    ]
    lines += [f"{words.pile('table')}: {',  '.join(table) or words.line('empty')}", ""]
    seats = range(s["players"]) if me is None else [(me + k) % s["players"] for k in range(1, s["players"])] + [me]
    return "\n".join(lines + [_seat_text(s, seat, me, words) for seat in seats])


def news(before: Record, after: Record, me: int | None) -> list[Fact]:
    """Attacks, players and games that ended between two positions that follow each other."""
    if before["played"] != after["played"]:
        return [Fact("nobody") if after["durak"] == NOBODY else Fact("durak", seat=after["durak"])]
    facts = []
    if after["turns"] > before["turns"]:
        took = bool((after["out"] == before["out"]) and (after["out_twice"] == before["out_twice"]))
        facts.append(Fact("takes", seat=before["defender"]) if took else Fact("beaten"))
        if after["left"] < before["left"]:
            facts.append(Fact("drawn", count=int(before["left"]) - int(after["left"]), left=after["left"]))
    gone = before["active"] & ~after["active"]
    return facts + [Fact("out", seat=seat) for seat in range(after["players"]) if gone >> seat & 1]
