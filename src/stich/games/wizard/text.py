"""Wizard as text: names of actions, the table for a terminal, deals as JSON."""

from collections.abc import Mapping
from typing import Any

from stich.core.bits import set_bits
from stich.core.contract import Record
from stich.core.errors import StichError
from stich.core.facts import Fact
from stich.core.plain import Plain
from stich.core.words import Words
from stich.games.wizard.cards import (
    ALL,
    CARDS,
    JESTERS,
    NO_CARD,
    SUIT,
    SUITS,
    WIZARDS,
    mask_of,
    names_of,
)
from stich.games.wizard.state import BID, CHOOSE, GAME, PLAY, hand_size, points

SUIT_IDS = ("spades", "hearts", "clubs", "diamonds", "no_trump")


def action_name(s: Record, a: int) -> str:
    """A card like `S13`, `J1` or `W4`, a bid as a number, a trump suit S H C D."""
    if s["phase"] == PLAY:
        return CARDS[a] if 0 <= a < 60 else f"action {a}"
    return SUITS[a] if s["phase"] == CHOOSE and 0 <= a < 4 else str(a)


def card_name(card: int) -> str:
    """A card's name in every phase, where an action's would be a bid."""
    return CARDS[card]


def describe(s: Record, a: int) -> Fact:
    """A card to play, a trump suit to choose, or a bid."""
    if s["phase"] == PLAY:
        return Fact("play", card=CARDS[a])
    return Fact("trump", suit=SUIT_IDS[a]) if s["phase"] == CHOOSE else Fact("bid", count=a)


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


def show(s: Record, me: int | None, mask: int, words: Words) -> str:
    """The head line, a table of all seats with their bids, tricks and cards, the last trick, the hands."""
    parts = [_head(s, words), "", *_seats(s, me, words), "", *_last_trick(s, words)]
    return "\n".join([*parts, *_hands(s, me, mask, words)])


def news(before: Record, after: Record, me: int | None) -> list[Fact]:
    """Tricks and rounds that ended between two positions that follow each other."""
    ended = after["size"] > before["size"] or bool(after["over"])
    players = range(int(after["players"]))
    taken = after["last_taken"] if ended else after["taken"]
    facts = [Fact("trick", seat=seat) for seat in players if taken[seat] > before["taken"][seat]]
    if before["phase"] == BID and after["phase"] == PLAY:
        facts.append(_all_bids(after))
    if ended:
        facts.append(Fact("round_over", number=before["size"]))
        bids = [int(bid) for bid in after["last_bids"]]
        facts += [
            Fact(
                "result", seat=seat, bid=bids[seat], taken=taken[seat], points=points(bids[seat], int(taken[seat]))
            )
            for seat in players
        ]
    return facts


def _all_bids(s: Record) -> Fact:
    """Whether more or fewer tricks are bid than there are."""
    total, size = int(s["bids"][: s["players"]].sum()), int(s["size"])
    if total == size:
        return Fact("bids_even", bids=total, tricks=size)
    return Fact(
        "bids_over" if total > size else "bids_under", bids=total, tricks=size, difference=abs(total - size)
    )


def trump_fact(s: Record) -> Fact:
    """What is trump; `turned` names the card that decided it."""
    return Fact("trump", suit=SUIT_IDS[s["trump"]])


def _head(s: Record, words: Words) -> str:
    rounds = f" / {60 // int(s['players'])}" if s["length"] == GAME else ""
    turned = f" ({words.line('turned', card=CARDS[s['turned']])})" if s["turned"] != NO_CARD else ""
    trump = words.line("to_choose") if s["phase"] == CHOOSE else words.fact(trump_fact(s))
    return f"[bold]{words.line('round', number=s['size'])}{rounds}[/]: {trump}{turned}"


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


def _seats(s: Record, me: int | None, words: Words) -> list[str]:
    """A line for each seat, the viewer's first."""
    players = int(s["players"])
    trick = running_trick(s)
    bid, tricks, points, card = (words.line(name) for name in ("bid", "tricks", "points", "card"))
    lines = [f"{'':12}{bid:>8}{tricks:>9}{points:>9}   {card}"]
    for away in range(players):
        seat = ((me or 0) + away) % players
        mark = "[bold]*[/]" if seat == s["turn"] and not s["over"] else " "
        said = str(int(s["bids"][seat])) if has_bid(s, seat) else "-"
        card = words.card(CARDS[trick[seat]]) if seat in trick else "--"
        best = f" ({words.line('winning')})" if seat in trick and seat == s["winner"] else ""
        name = words.line("you") if seat == me else words.seat(seat)
        lines.append(
            f"{mark}{name:<11}{said:>8}{int(s['taken'][seat]):>9}{int(s['score'][seat]):>9}   {card}{best}"
        )
    return lines


def has_bid(s: Record, seat: int) -> bool:
    """Whether a seat has made its bid of this round."""
    asked = (seat - int(s["starter"])) % int(s["players"])
    return bool(s["phase"] == PLAY or (s["phase"] == BID and asked < s["said"]))


def _last_trick(s: Record, words: Words) -> list[str]:
    """The trick before the running one, with its winner."""
    if s["tricks"] == 0 or s["over"]:
        return []
    cards = "  ".join(f"{words.seat(seat)} {words.card(CARDS[card])}" for seat, card in tricks_of(s)[-2])
    return [f"{words.line('last_trick')}: {cards}  -> {words.seat(int(s['leads'][s['tricks']]))}", ""]


def _hands(s: Record, me: int | None, mask: int, words: Words) -> list[str]:
    """The viewer's hand, or all of them on an open table; suits apart, cards that may be played marked."""
    lines = []
    for seat in range(int(s["players"])) if me is None else [me]:
        playable = mask if seat == s["turn"] and s["phase"] == PLAY else 0
        groups = [*(int(suit) for suit in SUIT[:4]), JESTERS, WIZARDS]
        texts = [
            " ".join(_in_hand(card, playable, words) for card in set_bits(int(s["hands"][seat]) & group))
            for group in groups
        ]
        lines.append(f"{words.seat(seat):<9}{'   '.join(text for text in texts if text)}")
    return lines


def _in_hand(card: int, playable: int, words: Words) -> str:
    """A card of a hand; a star before it says that it may be played."""
    return f"{'[bold]*[/]' if playable >> card & 1 else ' '}{words.card(CARDS[card])}"
