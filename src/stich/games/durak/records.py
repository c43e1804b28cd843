"""Recordings of rldurak games (document 004's own engine), and what our engine gives beside them."""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from stich.core.bits import set_bits
from stich.core.contract import Array, Record
from stich.core.game import Game, State
from stich.core.plain import Plain
from stich.core.transcript import Recording, Step
from stich.games.durak.cards import CARDS, NO_CARD, PREV, RANKS, names_of
from stich.games.durak.deal import lowest_trump

ENGINE = {"throw_limit": "c4", "defender_out": "goes_on", "reopen": "on", "confirm": "on"}
"""The switches of the recorded engine."""


def recording(record: Mapping[str, Any], make: Callable[..., Game]) -> Recording:
    """A recorded game; the two wrong entries of its feature vectors are left out (docs/rules.md 5.3)."""
    players, hand = record["players"], record["hand_size"]
    game = make("durak", players=players, deck=record["deck_size"], hand=hand, **ENGINE)
    deal, begin = record["deal"], record["start"]
    lowest = begin["mode"] == "lowest_trump"
    start = {
        "hands": deal["hands"],
        "talon": deal["talon"],
        "attacker": begin["attacker"] if lowest else (begin["defender"] - 1) % players,
        "lowest_trump": lowest,
        "durak": None if lowest else begin["defender"],
    }
    full = record["deck_size"] - players * hand
    decisions = [event for event in record["events"] if "a" in event]
    steps = [step for event in decisions for step in _steps(event, record, full)]
    ends = [event for event in record["events"] if event.get("e") == "turn_end"]
    results = {
        "durak": record["durak"],
        "final_hand": sorted(record["final_hand"]),
        "turns": record["turns"],
        "turn_ends": [_turn_end(event) for event in ends],
        "outs": [event["p"] for event in record["events"] if event.get("e") == "out"],
    }
    if lowest and not (begin["random"] or finds_too_early(record)):
        results["beginner"] = [begin["attacker"], begin["card"]]
    return Recording(game, start, steps, results)


def finds_too_early(record: Mapping[str, Any]) -> bool:
    """Whether the search for the lowest trump stopped at a 4, or at a 5 with the 4 turned (docs/rules.md 5.1)."""
    found, turned = record["start"]["card"][0], record["deal"]["trump_card"][0]
    return bool(found == "4" or (found == "5" and turned == "4"))


def _steps(event: Mapping[str, Any], record: Mapping[str, Any], full: int) -> list[Step]:
    """A recorded decision in our steps: a card that beats several open ones is named before the one it beats."""
    beats: dict[str, list[str]] = {}
    for name in event["legal"]:
        if name.startswith("D:"):
            card, target = name[2:].split(">")
            beats.setdefault(card, []).append(target)
    legal = [name.removeprefix("A:") for name in event["legal"] if not name.startswith("D:")] + list(beats)
    action = event["a"].removeprefix("A:")
    card, _, target = action.removeprefix("D:").partition(">")
    facts = {}
    if "feat" in event:
        facts["features"] = without_faults(event["feat"], event["deck"], full, record["deal"]["trump_card"])
    position = {
        "role": event["role"],
        "def": event["def"],
        "field": _field(event["field"]["open"], event["field"]["beaten"]),
        "n": event["n"],
        "deck": event["deck"],
    }
    steps = [Step(event["p"], legal, card, facts, position)]
    if len(beats.get(card, [])) > 1 and target:
        steps.append(Step(event["p"], beats[card], target))
    return steps


def _field(open_cards: Iterable[str], beaten: Iterable[Iterable[str]]) -> dict[str, Any]:
    return {"open": list(open_cards), "beaten": [list(pair) for pair in beaten]}


def without_faults(features: Iterable[int], talon: int, full: int, turned: str) -> list[int | None]:
    """Feature type 1 without the talon's size before the first draw and the turned card once the talon is gone."""
    entries: list[int | None] = list(features)
    ranks = (len(entries) - 3) // 4
    if talon == full:
        entries[-1] = None
    if talon == 0:
        entries[RANKS.index(turned[0]) - 13 + ranks + "CSHD".index(turned[1]) * ranks] = None
    return entries


def _turn_end(event: Mapping[str, Any]) -> dict[str, Any]:
    """A recorded end of an attack without empty draws; the last of a game names nobody for the next."""
    names = ("defender", "took", "out", "deck", "next_attacker", "next_defender")
    draws = [draw for draw in event["draws"] if draw[1]]
    return {**{name: event.get(name) for name in names}, "cards": sorted(event["cards"]), "draws": draws}


def values(state: State, names: Iterable[str]) -> dict[str, Any]:
    """The position as recorded: the role of the seat to act, the table, hand sizes, the last seat's features."""
    s, seats = state.record, state.game.seats
    talon = int(s["left"])
    table = [(CARDS[s["attack"][i]], CARDS[s["answer"][i] % 52]) for i in range(s["attacks"])]
    found = {
        "role": _role(s, state.player),
        "def": int(s["defender"]),
        "field": _field([pair[0] for pair in table[s["beaten"] :]], table[: s["beaten"]]),
        "n": {str(seat): int(s["size"][seat]) for seat in set_bits(int(s["active"]))},
        "deck": talon,
    }
    if "features" in names:
        seen = state.observation(seats - 1, "type1")
        full = int(s["deck"]) - seats * int(s["hand"])
        found["features"] = without_faults(map(int, seen), talon, full, CARDS[s["turned"]])
    return found


def _role(s: Record, seat: int) -> str:
    if seat == s["defender"]:
        return "def"
    return "att1" if seat == PREV[s["active"], s["defender"]] else "att2"


def trace(states: Array) -> dict[str, Any]:
    """The results of a game from the states passed through, in the recorded engine's words."""
    last = states[-1]
    durak = int(last["durak"])
    steps = list(pairwise(states))
    ends = [_ended(before, after) for before, after in steps if after["turns"] > before["turns"]]
    return {
        "durak": durak,
        "final_hand": sorted(names_of(last["held"][durak % 6])),
        "turns": int(last["turns"]),
        "turn_ends": ends,
        "outs": [
            seat
            for before, after in steps
            if after["turns"] == before["turns"]
            for seat in set_bits(int(before["active"] & ~after["active"]))
        ],
        "beginner": _beginner(states[:1].copy()),
    }


def _ended(before: Record, after: Record) -> dict[str, Any]:
    """The end of an attack: what was on the table, who drew what in which order, who is out, who is next."""
    took = bool(after["out"] == before["out"])
    table = [before["attack"][: before["attacks"]], before["answer"][: before["beaten"]]]
    cards = [CARDS[card] for part in table for card in part]
    if not took:
        cards = names_of(int(after["out"]) & ~int(before["out"]))
    drawn = [
        card for card, now in zip(before["stock"], after["stock"], strict=True) if card != now and card != NO_CARD
    ]
    draws: list[list[Any]] = []
    for card in drawn:
        seat = next(seat for seat in range(6) if after["held"][seat] >> card & 1)
        if not draws or draws[-1][0] != seat:
            draws.append([seat, []])
        draws[-1][1].append(CARDS[card])
    return {
        "defender": int(before["defender"]),
        "took": took,
        "cards": sorted(cards),
        "draws": draws,
        "out": set_bits(int(before["active"] & ~after["active"])),
        "deck": int(after["left"]),
        "next_attacker": None if after["over"] else int(after["opener"]),
        "next_defender": None if after["over"] else int(after["defender"]),
    }


def _beginner(first: Array) -> list[Any]:
    """Who holds the lowest trump of a fresh deal, and that trump."""
    s = Plain(first[0])
    seat = int(lowest_trump(s))
    return [seat, CARDS[13 * s.suit + s.low - 1] if s.low else None]
