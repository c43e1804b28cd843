"""The whole tree of a small game as flat arrays, and its sequence form.

Nodes are numbered level by level, so a node's children are adjacent. Node 0 is chance, its children are the
deals, all equally likely. An information set is all nodes where the same seat acts and has the same key. Every legal
action of an information set has a slot, a place in the arrays of regrets and strategies.

With perfect recall a seat's own moves up to a node are named by the slot of the last of them. So a strategy is a number
for each slot (the probability that the seat's own moves lead there), and all that counts of the end nodes is a list of
payoffs by the slots of all seats. This is the sequence form (D. Koller, N. Megiddo, B. von Stengel, 1994); passes over
it are many times shorter than walks through the tree.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from stich.core.contract import (
    Array,
    Int,
    apply,
    is_over,
    key,
    legal,
    player,
    returns,
)
from stich.core.errors import StichError
from stich.core.game import Game, State
from stich.core.jit import kernel
from stich.core.kernels import count_deals, set_deals

END, CHANCE = -1, -2
"""Instead of a seat: nodes where nobody acts."""
LIMIT = 10_000_000


class SequenceForm(NamedTuple):
    """The arrays of a tree that passes over its sequence form need."""

    seat_start: Array
    slot_start: Array
    before: Array
    payoff_slot: Array
    payoff: Array


class Nodes(NamedTuple):
    """The arrays of a tree that walks through its nodes need."""

    deals: Int
    """The number of deals, which are nodes 1 to `deals`."""
    seat: Array
    first: Array
    info: Array
    result: Array
    slot_start: Array


@dataclass(frozen=True, eq=False)
class Tree:
    """A game tree; the index `slots` (one past the last) denotes the empty sequence: no move made yet."""

    game: Game
    deals: Array
    """The states of all deals."""
    seat: Array
    """Of each node: the seat to act, END or CHANCE."""
    parent: Array
    action: Array
    """Of each node: the action that led to it, the number of the deal for those below chance."""
    first: Array
    """Of each node: its first child."""
    info: Array
    """Of each node: its information set, -1 where nobody acts."""
    result: Array
    """Of each node: each seat's return where the game is over."""
    info_seat: Array
    info_key: Array
    info_mask: Array
    """Of each information set: the legal actions."""
    info_node: Array
    """Of each information set: its first node."""
    seat_start: Array
    """The first information set of each seat, and their number at the end."""
    slot_start: Array
    """The first slot of each information set, and their number at the end."""
    before: Array
    """Of each information set: the slot of the seat's own move before it."""
    payoff_slot: Array
    """payoff_slot[seat, i]: the last slot of each seat in the i-th payoff."""
    payoff: Array
    """payoff[seat, i]: the sum of probability times return over the end nodes with these slots."""

    @property
    def sequence_form(self) -> SequenceForm:
        """What kernels over the sequence form take."""
        return SequenceForm(self.seat_start, self.slot_start, self.before, self.payoff_slot, self.payoff)

    @property
    def walkable(self) -> Nodes:
        """What kernels that walk through nodes take."""
        return Nodes(len(self.deals), self.seat, self.first, self.info, self.result, self.slot_start)

    @property
    def nodes(self) -> int:
        """How many nodes there are, chance included."""
        return len(self.seat)

    @property
    def infos(self) -> int:
        """How many information sets there are."""
        return len(self.info_seat)

    @property
    def slots(self) -> int:
        """How many legal actions all information sets have together."""
        return int(self.slot_start[-1])

    def path(self, node: int) -> list[int]:
        """The actions that lead to a node, the number of the deal first."""
        actions: list[int] = []
        while node > 0:
            actions.append(int(self.action[node]))
            node = int(self.parent[node])
        return actions[::-1]

    def state(self, node: int) -> State:
        """The position at a node."""
        deal, *actions = self.path(node)
        state = State(self.game, self.deals[deal : deal + 1].copy())
        for action in actions:
            state.force(action)
        return state


@kernel
def examine(states: Array, seats: Array, masks: Array, keys: Array, results: Array) -> None:
    """Who acts, what is legal and what the seat knows in each state; results if the game is over."""
    for i in range(len(states)):
        s = states[i]
        if is_over(s):
            seats[i] = END
            masks[i] = 0
            keys[i] = 0
            returns(s, results[i])
        else:
            seats[i] = player(s)
            masks[i] = legal(s)
            keys[i] = key(s, np.int64(seats[i]))


@kernel
def expand(states: Array, masks: Array, after: Array, actions: Array) -> None:
    """Every state that follows from one of the states by one move, in order."""
    j = 0
    for i in range(len(states)):
        for action in range(63):
            if masks[i] >> action & 1:
                after[j] = states[i]
                apply(after[j], action)
                actions[j] = action
                j += 1


@kernel
def last_slots(seat: Array, parent: Array, first: Array, info: Array, slot_start: Array, last: Array) -> None:
    """The slot of each seat's last move before each node; last[:, 0] is given."""
    for node in range(1, len(seat)):
        above = parent[node]
        for of in range(len(last)):
            last[of, node] = last[of, above]
        if seat[above] >= 0:
            last[seat[above], node] = slot_start[info[above]] + node - first[above]


def all_deals(game: Game, limit: int = LIMIT) -> Array:
    """The states of all deals of a game that can count them."""
    if game.spec.deals is None:
        raise StichError(f"{game.name} cannot list its deals (it has no deal_nth), so it cannot be solved exactly")
    count = int(count_deals(game.template))
    if count > limit:
        raise _too_large(game, limit)
    if count == 0:
        raise StichError(f"{game!r} is a game of several deals, which cannot be listed: solve one deal")
    states = np.repeat(game.template, count)
    set_deals(states)
    return states


def build(game: Game, limit: int = LIMIT) -> Tree:
    """The tree of a game, unless it has more nodes than `limit`."""
    deals = all_deals(game, limit)
    seat, mask, keys, result, action = _grow(game, deals, limit)
    children = np.bitwise_count(mask).astype(np.int64)
    children[0] = len(deals)
    first = np.concatenate([[0], np.cumsum(children)])[:-1] + 1
    parent = np.concatenate([[-1], np.repeat(np.arange(len(seat)), children)])
    info, info_node, seat_start = _gather(game.seats, seat, keys)
    info_mask = mask[info_node]
    if (mask != np.where(info >= 0, info_mask[info], mask)).any():
        raise StichError(f"{game.name}: a key stands for positions with different legal actions")
    slot_start = np.concatenate([[0], np.cumsum(np.bitwise_count(info_mask).astype(np.int64))])
    last = np.full((game.seats, len(seat)), slot_start[-1])
    last_slots(seat, parent, first, info, slot_start, last)
    before = last[seat[info_node], info_node]
    acting = np.flatnonzero(seat >= 0)
    if (last[seat[acting], acting] != before[info[acting]]).any():
        raise StichError(f"{game.name}: a key forgets what the seat itself has done or known before")
    payoff_slot, payoff = _payoffs(last[:, seat == END], result[seat == END], len(deals))
    return Tree(
        game=game,
        deals=deals,
        seat=seat,
        parent=parent,
        action=action,
        first=first,
        info=info,
        result=result,
        info_seat=seat[info_node],
        info_key=keys[info_node],
        info_mask=info_mask,
        info_node=info_node,
        seat_start=seat_start,
        slot_start=slot_start,
        before=before,
        payoff_slot=payoff_slot,
        payoff=payoff,
    )


def _grow(game: Game, deals: Array, limit: int) -> list[Array]:
    """Seat, mask, key, results and last action of all nodes, level by level."""
    levels: list[tuple[Any, ...]] = [
        (np.array([CHANCE]), np.array([0]), np.array([0]), np.zeros((1, game.seats)), np.array([-1]))
    ]
    states, actions, total = deals, np.arange(len(deals)), 1 + len(deals)
    while len(states):
        seats, masks, keys = (np.zeros(len(states), np.int64) for _ in range(3))
        results = np.zeros((len(states), game.seats))
        examine(states, seats, masks, keys, results)
        levels.append((seats, masks, keys, results, actions))
        count = int(np.bitwise_count(masks).sum())
        total += count
        if total > limit:
            raise _too_large(game, limit)
        after, actions = np.zeros(count, game.family.state), np.zeros(count, np.int64)
        expand(states, masks, after, actions)
        states = after
    return [np.concatenate(parts) for parts in zip(*levels, strict=True)]


def _too_large(game: Game, limit: int) -> StichError:
    return StichError(f"the tree of {game.name} has more than {limit:,} nodes: too many to solve exactly")


def _gather(seats: int, seat: Array, keys: Array) -> tuple[Array, Array, Array]:
    """The information set of each node, the first node of each, the first of each seat.

    Those of a seat stand together, in the order of their first nodes: so an information set comes after all that
    the seat may have passed on the way to it.
    """
    info = np.full(len(seat), -1)
    nodes, starts = [], [0]
    for me in range(seats):
        own = np.flatnonzero(seat == me)
        _, first, inverse = np.unique(keys[own], return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        info[own] = starts[-1] + rank[inverse]
        nodes.append(own[first[order]])
        starts.append(starts[-1] + len(order))
    return info, np.concatenate(nodes), np.array(starts)


def _payoffs(last: Array, result: Array, deals: int) -> tuple[Array, Array]:
    """The end nodes with the same slots as one payoff each."""
    slots, inverse = np.unique(last, axis=1, return_inverse=True)
    sums = [np.bincount(inverse.ravel(), values / deals, slots.shape[1]) for values in result.T]
    return np.ascontiguousarray(slots), np.array(sums)
