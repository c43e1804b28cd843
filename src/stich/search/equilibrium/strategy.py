"""Strategies as text and as files: each information set in words, with the probability of each action."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stich.core.bits import set_bits
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.game import Game, State
from stich.search.equilibrium.tree import Tree

FORMAT = "stich strategy 1"


def rows(tree: Tree, strategy: Array, most: int | None = None) -> list[dict[str, Any]]:
    """Every information set with a choice (or the first ones): seat, cards seen, moves so far, what is done there."""
    return [_row(tree, strategy, int(info)) for info in choices(tree)[:most]]


def choices(tree: Tree) -> Array:
    """The information sets that have more than one legal action."""
    return np.flatnonzero(np.diff(tree.slot_start) > 1)


def _row(tree: Tree, strategy: Array, info: int) -> dict[str, Any]:
    me = int(tree.info_seat[info])
    state, history = _told(tree, int(tree.info_node[info]), me)
    seen = {pile: cards for pile, cards in state.view(me).piles().items() if cards}
    probabilities = strategy[tree.slot_start[info] : tree.slot_start[info + 1]]
    return {
        "seat": me,
        "key": f"{int(tree.info_key[info]) & (1 << 64) - 1:016x}",
        "cards": ", ".join([f"{pile}: {' '.join(cards)}" for pile, cards in seen.items()] + _context(state)),
        "history": " ".join(history),
        "actions": [
            {"id": action, "name": state.action_name(action), "probability": float(probability)}
            for action, probability in zip(set_bits(int(tree.info_mask[info])), probabilities, strict=True)
        ],
    }


def _context(state: State) -> list[str]:
    """What else all know, where a game says it by `context(s)`."""
    custom = state.game.spec.text.context
    return [str(custom(state.record))] if custom else []


def _told(tree: Tree, node: int, me: int) -> tuple[State, list[str]]:
    """The position at a node and the moves that led to it, without what others chose in secret."""
    deal, *actions = tree.path(node)
    state, names = State(tree.game, tree.deals[deal : deal + 1].copy()), []
    for action in actions:
        names.append("?" if state.is_secret and state.player != me else state.action_name(action))
        state.force(action)
    return state, names


def check_file(path: Path) -> None:
    """Refuses a file that cannot be written for want of a folder, before the work is done."""
    if not path.absolute().parent.is_dir():
        raise StichError(f"there is no folder {path.parent} for the strategy")


def save(path: Path, game: Game, strategy: list[dict[str, Any]], facts: Mapping[str, Any]) -> None:
    """Writes a strategy, as `rows` gives it, and how it was found."""
    head = {"format": FORMAT, "game": game.name, "options": game.options, **facts}
    try:
        path.write_text(json.dumps({**head, "strategy": strategy}, indent=1) + "\n", "utf-8")
    except OSError as error:
        raise StichError(f"the strategy cannot be written to {path}: {error.strerror}") from None


class StrategyTable(NamedTuple):
    """A strategy read from a file: its information sets by seat and key."""

    seat_start: Array
    """The first row of each seat, and their number at the end."""
    keys: Array
    """In order within a seat."""
    slot_start: Array
    """The first slot of each row, and their number at the end."""
    actions: Array
    probabilities: Array


def load(path: Path, game: Game) -> StrategyTable:
    """The strategy in a file, which must be one for this game with these options."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise StichError(f"the strategy {path} cannot be read: {error}") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise StichError(f"{path} is not a strategy; `stich solve GAME --save FILE` writes one")
    try:
        return _fitting(content, path, game)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise StichError(f"the strategy {path} is damaged: {error!r}") from None


def _fitting(content: dict[str, Any], path: Path, game: Game) -> StrategyTable:
    """The table in a strategy file, unless it is for another game."""
    if _rules(content["game"], content["options"]) != _rules(game.name, game.options):
        wanted = " ".join([content["game"], *(f"{name}={value}" for name, value in content["options"].items())])
        raise StichError(f"{path} is a strategy for {wanted}, not for {game!r}")
    return _table(content["strategy"], game.seats)


def _rules(name: str, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The family and the options: variants of a family differ in nothing else."""
    return name.partition(".")[0], dict(options)


def _table(strategy: list[dict[str, Any]], seats: int) -> StrategyTable:
    signed = [(row["seat"], int(np.uint64(int(row["key"], 16)).astype(np.int64)), row) for row in strategy]
    ordered = sorted(signed, key=lambda entry: entry[:2])
    counts = [len(row["actions"]) for _, _, row in ordered]
    return StrategyTable(
        seat_start=np.searchsorted([seat for seat, _, _ in ordered], np.arange(seats + 1)),
        keys=np.array([key for _, key, _ in ordered], np.int64),
        slot_start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        actions=np.array([action["id"] for _, _, row in ordered for action in row["actions"]], np.int64),
        probabilities=np.array([action["probability"] for _, _, row in ordered for action in row["actions"]]),
    )
