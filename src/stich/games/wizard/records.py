"""Recordings of whole games by the engine of document 003, and what ours gives beside them."""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from stich.core.contract import Array, Record
from stich.core.game import Game, State
from stich.core.transcript import Recording, Step
from stich.games.wizard.cards import CARDS, NO_CARD, NO_SUIT, SUITS
from stich.games.wizard.state import BID
from stich.games.wizard.text import put_cards, tricks_of

KEPT = ("r", "start", "dealer", "trump_card", "trump", "tricks", "bids", "taken", "score")
"""What is compared of each round."""


def recording(record: Mapping[str, Any], make: Callable[..., Game]) -> Recording:
    """A recorded game of four; the cards of each round are put in place of those that our engine would deal."""
    rounds = record["rounds"]
    first = rounds[0]
    game = make("wizard", players=len(first["hands"]))
    steps = [step for index, entry in enumerate(rounds) for step in _steps(entry, index > 0)]
    results = {"rounds": [{name: entry[name] for name in KEPT} for entry in rounds], "total": record["total"]}
    return Recording(game, {"start": first["start"], **_deal(first)}, steps, results)


def _deal(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {"hands": entry["hands"], "turned": entry["trump_card"]}


def _steps(entry: Mapping[str, Any], redealt: bool) -> list[Step]:
    """The decisions of a round; the first one of a later round brings its cards."""
    steps = []
    for i, step in enumerate(entry["steps"]):
        facts = {"obs": step["obs"]} if "obs" in step else {}
        names = ("follow", "phase")
        position = {"r": entry["r"], **{name: step[name] for name in names if name in step}}
        if "obs_size" in entry:
            position["obs_size"] = entry["obs_size"]
        legal = [str(action) for action in step["legal"]]
        deal = _deal(entry) if redealt and i == 0 else {}
        steps.append(Step(step["p"], legal, str(step["a"]), facts, position, deal=deal))
    return steps


def redeal(s: Record, deal: Mapping[str, Any]) -> None:
    """Puts recorded cards in place of those of a round that begins."""
    put_cards(s, deal)


def values(state: State, names: Iterable[str]) -> dict[str, Any]:
    """The position in the recording engine's words, and the ones of the document's input for this phase."""
    s = state.record
    size, bidding = int(s["size"]), s["phase"] == BID
    found = {
        "r": size,
        "phase": "bid" if bidding else "play",
        "follow": _suit(s["follow"]),
        "obs_size": [72 + 3 * size, 146 + 8 * size],
    }
    if "obs" in names:
        view = state.view(state.player)
        vector = view.observation(state.player, "bidding" if bidding else "playing")
        found["obs"] = vector.nonzero()[0].tolist()
    return found


def _suit(suit: int) -> str:
    return "-" if suit == NO_SUIT else SUITS[suit]


def trace(states: Array) -> dict[str, Any]:
    """The results of each round, read off where one ends, and of the game."""
    ends = [i for i, (one, two) in enumerate(pairwise(states)) if two["size"] > one["size"] or two["over"]]
    rounds = [_round(states[i], states[i + 1]) for i in ends]
    return {"rounds": rounds, "total": states[-1]["score"][: states[-1]["players"]].tolist()}


def _round(before: Record, after: Record) -> dict[str, Any]:
    """A round from the positions before and after its last card."""
    players = int(before["players"])
    taken = after["last_taken"][:players].astype(int)
    score = after["score"][:players].astype(int) - before["score"][:players]
    return {
        "r": int(before["size"]),
        "start": int(before["starter"]),
        "dealer": (int(before["starter"]) - 1) % players,
        "trump_card": None if before["turned"] == NO_CARD else CARDS[before["turned"]],
        "trump": _suit(before["trump"]),
        "tricks": _tricks(before, taken),
        "bids": after["last_bids"][:players].tolist(),
        "taken": taken.tolist(),
        "score": score.tolist(),
    }


def _tricks(before: Record, taken: Array) -> list[dict[str, Any]]:
    """The tricks of a round; its very last card is the one that the seat to act still held."""
    tricks = tricks_of(before)
    seat = int(before["turn"])
    tricks[-1].append((seat, int(before["hands"][seat]).bit_length() - 1))
    last = int((taken - before["taken"][: len(taken)]).argmax())
    winners = [*(int(lead) for lead in before["leads"][1 : len(tricks)]), last]
    return [
        {"first": trick[0][0], "cards": [CARDS[card] for _, card in trick], "win": winner}
        for trick, winner in zip(tricks, winners, strict=True)
    ]
