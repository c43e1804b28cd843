"""Wizard as text: names of actions, the table for a terminal, deals as JSON."""

from collections.abc import Mapping
from typing import Any

from stich.core.bits import set_bits
from stich.core.contract import Record
from stich.core.errors import StichError
from stich.core.plain import Plain
from stich.games.wizard.cards import (
    ALL,
    CARDS,
    JESTER,
    JESTERS,
    NO_CARD,
    NO_SUIT,
    SUIT,
    SUITS,
    WIZARD,
    WIZARDS,
    mask_of,
    names_of,
)
from stich.games.wizard.state import BID, CHOOSE, GAME, PLAY, hand_size, points

SUIT_NAMES = ("spades", "hearts", "clubs", "diamonds", "no trump")
SYMBOL = ("♠", "♥", "♣", "♦")
COLOUR = ("blue", "red", "green", "yellow")


def action_name(s: Record, a: int) -> str:
    """A card like `S13`, `J1` or `W4`, a bid as a number, a trump suit S H C D."""
    if s["phase"] == PLAY:
        return CARDS[a] if 0 <= a < 60 else f"action {a}"
    return SUITS[a] if s["phase"] == CHOOSE and 0 <= a < 4 else str(a)


def card_name(card: int) -> str:
    """A card's name in every phase, where an action's would be a bid."""
    return CARDS[card]


def label(s: Record, a: int) -> str:
    """An action as a person reads it."""
    if s["phase"] == PLAY:
        return card_text(a)
    return f"{SUITS[a]} ({SUIT_NAMES[a]})" if s["phase"] == CHOOSE else f"bid {a}"


def start(s: Record) -> dict[str, Any]:
    """A fresh round as JSON: hands, turned card, start seat, the standing of the game and what deals its rest."""
    players = int(s["players"])
    standing = ("score", "met", "last_bids", "last_taken")
    return {
        "hands": [names_of(hand) for hand in s["hands"][:players]],
        "turned": CARDS[s["turned"]] if s["turned"] != NO_CARD else None,
        "start": int(s["starter"]),
        **{name: s[name][:players].tolist() for name in standing},
        "rng": [int(s["rng"]["a"]), int(s["rng"]["b"])],
    }


def setup(s: Record, start: Mapping[str, Any]) -> None:
    """Sets a round up from JSON; hands, the turned card where there is one, and the start seat must be given."""
    players = int(s["players"])
    try:
        s["starter"] = seat = int(start["start"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise StichError(f"a round of Wizard needs its start seat: {error}") from None
    if not 0 <= seat < players:
        raise StichError(f"with {players} players the start seat is 0 to {players - 1}, not {seat}")
    for name in ("score", "met", "last_bids", "last_taken"):
        s[name][:players] = start.get(name, [0] * players)
    s["rng"] = tuple(start.get("rng", (0, 0)))
    s["over"] = 0
    put_cards(s, start)


def put_cards(s: Record, start: Mapping[str, Any]) -> None:
    """Begins a round with given hands and turned card."""
    from stich.games.wizard.rules import begin_round

    players = int(s["players"])
    try:
        hands = [mask_of(hand) for hand in start["hands"]]
        turned = start["turned"]
        face = NO_CARD if turned is None else CARDS.index(turned)
    except (KeyError, TypeError, ValueError) as error:
        raise StichError(f"a deal of Wizard needs hands and a turned card like 'S13' or 'W1': {error}") from None
    dealt = sum(hands) + (0 if face == NO_CARD else 1 << face)
    sizes = {len(hand) for hand in start["hands"]}
    size = min(sizes)
    cards = players * size + (face != NO_CARD)
    whole = size > 0 and cards <= 60 and (face == NO_CARD) == (players * size == 60)
    if len(hands) != players or len(sizes) > 1 or not whole or dealt & ALL != dealt or dealt.bit_count() != cards:
        raise StichError(
            f"a deal of Wizard has {players} hands of equal size, no card twice, and a turned card while one is left"
        )
    if s["round"] and s["round"] != size:
        raise StichError(f"this game is round {int(s['round'])}, and the hands have {size} cards")
    s["hands"] = [*hands, *[0] * (6 - players)]
    s["turned"] = face
    s["size"] = size
    begin_round(Plain(s))


def piles(s: Record) -> dict[str, list[str]]:
    """Every card of the pack by where it lies; the rest of the pack only where all hands are seen."""
    players = int(s["players"])
    hands = [int(hand) for hand in s["hands"][:players]]
    turned = 0 if s["turned"] == NO_CARD else 1 << int(s["turned"])
    found = {f"hand {seat}": names_of(hand) for seat, hand in enumerate(hands)}
    found |= {"played": names_of(s["played"]), "turned": names_of(turned)}
    complete = all(hand.bit_count() == hand_size(Plain(s), seat) for seat, hand in enumerate(hands))
    rest = ALL & ~(sum(hands) | int(s["played"]) | turned)
    return {**found, "pack": names_of(rest)} if complete else found


def card_text(card: int) -> str:
    """A card with its suit's sign and colour."""
    if card >= WIZARD:
        return f"[bold magenta]{CARDS[card]}[/]"
    if card >= JESTER:
        return f"[cyan]{CARDS[card]}[/]"
    suit = card // 13
    return f"[{COLOUR[suit]}]{SYMBOL[suit]}{CARDS[card][1:]}[/]"


def show(s: Record, me: int | None, mask: int) -> str:
    """The head line, a table of all seats with their bids, tricks and cards, the last trick, the hands."""
    return "\n".join([_head(s), "", *_seats(s, me), "", *_last_trick(s), *_hands(s, me, mask)])


def news(before: Record, after: Record, me: int | None) -> list[str]:
    """Tricks and rounds that ended between two positions that follow each other."""
    ended = after["size"] > before["size"] or bool(after["over"])
    players = int(after["players"])
    taken = after["last_taken"] if ended else after["taken"]
    winners = [seat for seat in range(players) if taken[seat] > before["taken"][seat]]
    lines = [f"{_name(seat, me)} take{'' if seat == me else 's'} the trick" for seat in winners]
    if before["phase"] == BID and after["phase"] == PLAY:
        lines.append(_bids_line(after))
    if ended:
        results = [
            f"{_name(seat, me)} bid {int(bid)}, took {int(taken)}: {points(int(bid), int(taken)):+d}"
            for seat, (bid, taken) in enumerate(
                zip(after["last_bids"][:players], after["last_taken"][:players], strict=True)
            )
        ]
        lines += [f"[bold]Round {int(before['size'])} is over[/]", *(f"  {line}" for line in results)]
    return lines


def _bids_line(s: Record) -> str:
    total, size = int(s["bids"][: s["players"]].sum()), int(s["size"])
    verdict = (
        "as many as there are" if total == size else f"{abs(total - size)} too {'many' if total > size else 'few'}"
    )
    return f"all have bid: {total} for {size} trick{'' if size == 1 else 's'}, {verdict}"


def _name(seat: int, me: int | None) -> str:
    return "You" if seat == me else f"Seat {seat}"


def _head(s: Record) -> str:
    rounds = f" of {60 // int(s['players'])}" if s["length"] == GAME else ""
    turned = f" ({card_text(int(s['turned']))} turned up)" if s["turned"] != NO_CARD else ""
    trump = "dealer to choose trump" if s["phase"] == CHOOSE else f"trump {SUIT_NAMES[s['trump']]}"
    trump = SUIT_NAMES[NO_SUIT] if s["trump"] == NO_SUIT and s["phase"] != CHOOSE else trump
    return f"[bold]Wizard[/], round {int(s['size'])}{rounds}: {trump}{turned}"


def running_trick(s: Record) -> dict[int, int]:
    """The cards of the running trick by seat."""
    return dict(tricks_of(s)[-1])


def tricks_of(s: Record) -> list[list[tuple[int, int]]]:
    """This round's tricks as (seat, card) pairs, the running one last."""
    players, count = int(s["players"]), int(s["tricks"]) * int(s["players"]) + int(s["in_trick"])
    found: list[list[tuple[int, int]]] = [[] for _ in range(int(s["tricks"]) + 1)]
    for i, card in enumerate(s["plays"][:count].tolist()):
        trick, place = divmod(i, players)
        found[trick].append(((int(s["leads"][trick]) + place) % players, card))
    return found


def _seats(s: Record, me: int | None) -> list[str]:
    """A line for each seat, the own one first."""
    players = int(s["players"])
    trick = running_trick(s)
    lines = [f"{'':10}{'bid':>5}{'tricks':>8}{'points':>8}   card"]
    for away in range(players):
        seat = ((me or 0) + away) % players
        has_bid = s["phase"] == PLAY or (s["phase"] == BID and (seat - int(s["starter"])) % players < s["said"])
        mark = "[bold]*[/]" if seat == s["turn"] and not s["over"] else " "
        bid = str(int(s["bids"][seat])) if has_bid else "-"
        card = card_text(trick[seat]) if seat in trick else "--"
        best = " (winning)" if seat in trick and seat == s["winner"] else ""
        lines.append(
            f"{mark}{_name(seat, me):<9}{bid:>5}{int(s['taken'][seat]):>8}{int(s['score'][seat]):>8}   {card}{best}"
        )
    return lines


def _last_trick(s: Record) -> list[str]:
    """The trick before the running one, with its winner."""
    if s["tricks"] == 0 or s["over"]:
        return []
    cards = "  ".join(f"{seat}: {card_text(card)}" for seat, card in tricks_of(s)[-2])
    return [f"Last trick by seat: {cards}  -> seat {int(s['leads'][s['tricks']])}", ""]


def _hands(s: Record, me: int | None, mask: int) -> list[str]:
    """The own hand, or all of them on an open table; suits apart, cards that may be played marked."""
    lines = []
    for seat in range(int(s["players"])) if me is None else [me]:
        playable = mask if seat == s["turn"] and s["phase"] == PLAY else 0
        groups = [*(int(suit) for suit in SUIT[:4]), JESTERS, WIZARDS]
        texts = [
            " ".join(_in_hand(card, playable) for card in set_bits(int(s["hands"][seat]) & group))
            for group in groups
        ]
        lines.append(f"{_name(seat, None):<8}{'   '.join(text for text in texts if text)}")
    return lines


def _in_hand(card: int, playable: int) -> str:
    """A card of a hand; a star before it says that it may be played."""
    return f"{'[bold]*[/]' if playable >> card & 1 else ' '}{card_text(card)}"
