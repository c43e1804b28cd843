"""Cego as text: names of actions, the table for a terminal, deals as JSON."""

from collections.abc import Mapping
from typing import Any

from stich.core.bits import set_bits
from stich.core.contract import Record
from stich.core.errors import StichError
from stich.core.facts import Fact
from stich.core.plain import Plain
from stich.core.words import Words
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

SAYINGS = ("pass", "solo", "ultimo", "gegensolo", "bettel", "piccolo", "bid", "selber", "raeuber")
MODES = ("bidding", "standard", "solo", "ultimo", "bettel", "piccolo", "raeuber")
LEVELS = ("", "cego", "halbe", "eine", "eine_leere", "zwei_leere", "zwei_verschiedene", "kleiner_mann")
ASKS = (
    "own_hand",
    "gegensolo",
    "extra",
    "challenge",
    "answer",
    "raise",
    "choice",
    "expose",
    "keep",
    "lay_off",
    "swap",
    "play",
)
"""What is asked in each phase; while the hand is built also what is done with a card."""


def action_name(s: Record, a: int) -> str:
    """A card like `15-trump` or `k-h`, or what is said."""
    return CARDS[a] if 0 <= a < PASS else SAYINGS[a - PASS] if a < 63 else f"action {a}"


def describe(s: Record, a: int) -> Fact:
    """A card with what is done with it, or what is said: passing has several names, a bid names its level."""
    phase = int(s["phase"])
    if a < PASS:
        return Fact(ASKS[phase], card=CARDS[a])
    if a == BID:
        return Fact("play_cego") if phase == CHOICE else Fact("bid", level=LEVELS[s["level"] + 1])
    if a == PASS:
        return Fact({FORT: "fort", SWAP: "leave"}.get(phase, "gut" if s["level"] else "pass"))
    return Fact("selber", level=LEVELS[s["level"]]) if a == SELBER else Fact(SAYINGS[a - PASS])


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


def cards_text(mask: int, words: Words) -> str:
    """The cards of a mask, suits apart and trumps last."""
    groups = [" ".join(words.card(CARDS[card]) for card in set_bits(mask & int(suit))) for suit in SUIT]
    return "   ".join(group for group in groups if group)


def show(s: Record, me: int | None, mask: int, words: Words) -> str:
    """The table: what is played, the trick, the last trick, the hands."""
    lines = [_head(s, words), *_bids(s, words), "", *_trick(s, words), ""]
    for seat in range(4) if me is None else [me]:
        you = f" ({words.line('you')})" if seat == me else ""
        lines.append(f"{words.seat(seat)}{you}: {cards_text(int(s['hands'][seat]), words)}")
    if s["legage"]:
        lines.append(f"{words.pile('legage')}: {cards_text(int(s['legage']), words)}")
    if s["phase"] != PLAY and not s["over"]:
        lines.append(f"{words.seat(int(s['turn']))}: {words.question(ASKS[s['phase']])}")
    return "\n".join(lines)


def contract(s: Record) -> Fact:
    """What is played, and at which level."""
    if not s["level"]:
        return Fact("contract", mode=MODES[s["mode"]])
    name = "contract_gegensolo" if s["gegen"] else "contract_level"
    return Fact(name, mode=MODES[s["mode"]], level=LEVELS[s["level"]])


def _head(s: Record, words: Words) -> str:
    if not s["mode"]:
        return f"[bold]{words.line('bidding', number=int(s['deal']) + 1, seat=s['dealer'])}[/]"
    by = words.line("called" if s["mode"] == RAEUBER else "played", seat=s["single"])
    points, tricks = (", ".join(str(int(value)) for value in s[name]) for name in ("points", "won"))
    return f"[bold]{words.fact(contract(s))}[/], {by}; {words.line('points')} {points}; {words.line('tricks')} {tricks}"


def _bids(s: Record, words: Words) -> list[str]:
    """What was said, and the level that is held."""
    if not s["said"]:
        return []
    said = ", ".join(words.term(SAYINGS[int(a) - PASS]) for a in s["bids"][: s["said"]])
    held = s["level"] and not s["mode"]
    level = f"; {words.line('held', level=LEVELS[s['level']], seat=s['holder'])}" if held else ""
    return [f"{words.line('said')}: {said}{level}"]


def played_tricks(s: Record) -> list[list[tuple[int, int]]]:
    """The tricks as (seat, card) pairs, the running one last."""
    tricks: list[list[tuple[int, int]]] = [[] for _ in range(12)]
    played = 4 * int(s["tricks"]) + int(s["cards"])
    for i, card in enumerate(s["plays"][:played].tolist()):
        tricks[i // 4].append(((int(s["leads"][i // 4]) + i) % 4, card))
    return tricks[: int(s["tricks"]) + 1]


def _trick(s: Record, words: Words) -> list[str]:
    tricks = played_tricks(s)
    lines = []
    if s["exposed"]:
        lines.append(f"{words.line('exposed')}: {cards_text(int(s['exposed']), words)}")
    for name, trick in (("trick", tricks[-1]), ("last_trick", tricks[-2] if len(tricks) > 1 else [])):
        if trick:
            cards = "  ".join(f"{words.seat(seat)} {words.card(CARDS[card])}" for seat, card in trick)
            lines.append(f"{words.line(name)}: {cards}")
    return lines


def news(before: Record, after: Record, me: int | None) -> list[Fact]:
    """What was decided, tricks and deals that ended between two positions that follow each other."""
    facts = []
    if after["mode"] and not before["mode"]:
        played = contract(after)
        facts.append(Fact(f"plays_{played.name}", seat=after["single"], **dict(played)))
    if int(after["shown"]) & ~int(before["shown"]):
        facts.append(Fact("exposes", seat=after["single"], cards=names_of(after["exposed"])))
    if after["tricks"] > before["tricks"]:
        facts.append(Fact("trick", seat=_last_winner(before, after)))
    if after["deal"] > before["deal"]:
        gained = after["score"] - before["score"]
        facts += [Fact("deal_over"), *(Fact("result", seat=seat, points=gained[seat]) for seat in range(4))]
    return facts


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
