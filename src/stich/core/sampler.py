"""The exact sampler of hidden cards.

A game's `owners` writes a plan: the places a hidden card may lie in (hands, stock, out of play), how many cards
each place holds, and for each card and place a weight. A placement's probability is proportional to the product
of its weights: 1 everywhere is uniform dealing, 0 a void, a net's card distribution guides a search.

`prepare` counts, from the last card to the first, the total weight of all ways to place the remaining cards
for every vector of remaining sizes; `draw` walks through that table once, choosing each card's place with the
exact conditional probability. Nothing is rejected or repaired.
"""

from typing import Any

import numpy as np

from stich.core.contract import Array, Int, Record
from stich.core.errors import StichError
from stich.core.jit import compiled
from stich.core.rng import next64, uniform

CARDS = 112
PLACES = 8

PLAN = np.dtype(
    [
        ("cards", "i8"),
        ("places", "i8"),
        ("size", "i8", PLACES),
        ("stride", "i8", PLACES),
        ("cells", "i8"),
        ("start", "i8"),
        ("card", "i8", CARDS),
        ("weight", "f8", (CARDS, PLACES)),
    ],
    align=True,
)
"""What `owners` fills in (cards, places, size, card, weight) and `prepare` adds (stride, cells, start)."""

DRAW = np.dtype([("cards", "i8"), ("seed", "u8"), ("card", "i8", CARDS), ("place", "i8", CARDS)], align=True)
"""A placement: the i-th hidden card lies in place[i]; `seed` is a random number for chance that lies ahead."""


@compiled
def begin(plan: Record) -> None:
    """Starts an empty plan."""
    plan.cards = 0
    plan.places = 0


@compiled
def add_place(plan: Record, size: Int) -> Int:
    """Adds a place that holds `size` hidden cards and returns its number; add places before cards."""
    plan.size[plan.places] = size
    plan.places += 1
    return plan.places - 1


@compiled
def add_card(plan: Record, card: Int) -> Int:
    """Adds a hidden card that may lie in every place and returns its row."""
    row = plan.cards
    plan.card[row] = card
    for place in range(plan.places):
        plan.weight[row, place] = 1.0
    plan.cards += 1
    return row


@compiled
def table_size(plan: Record) -> Int:
    """How many numbers `prepare` needs for this plan."""
    if plan.places == 0:
        return 2
    cells = 1
    largest = 0
    for place in range(plan.places):
        cells *= plan.size[place] + 2
        largest = max(largest, plan.size[place])
    cells //= largest + 2
    return (plan.cards + 2) * cells


@compiled
def prepare(plan: Record, table: Array) -> Int:
    """Fills the table for a plan; False where no placement has a positive weight.

    The largest place needs no dimension: what it must still hold follows from the others. Every other place is
    a digit, 1 more than the cards it must still hold; digit 0 is a wall of zeros, so that a layer of the table
    is one linear pass over the layer after it.
    """
    if not _lay_out(plan):
        return False
    cells = plan.cells
    wall = table[(plan.cards + 1) * cells : (plan.cards + 2) * cells]
    _build_walls(plan, wall)
    table[plan.cards * cells : (plan.cards + 1) * cells] = 0.0
    table[plan.cards * cells + plan.start - _occupied(plan)] = 1.0
    free = _free_place(plan)
    for row in range(plan.cards - 1, -1, -1):
        after = table[(row + 1) * cells : (row + 2) * cells]
        layer = table[row * cells : (row + 1) * cells]
        _scale_weights(plan, row)
        weight = plan.weight[row, free]
        for i in range(cells):
            layer[i] = weight * after[i]
        for place in range(plan.places):
            weight = plan.weight[row, place]
            if place != free and weight > 0.0:
                stride = plan.stride[place]
                for i in range(stride, cells):
                    layer[i] += weight * after[i - stride]
        for i in range(cells):
            layer[i] *= wall[i]
        if row % 8 == 0:
            _rescale(layer)
    return bool(table[plan.start] > 0.0)


@compiled
def draw(plan: Record, table: Array, rng: Record, out: Record) -> None:
    """Draws one placement from a prepared table."""
    out.cards = plan.cards
    out.seed = next64(rng)
    free = _free_place(plan)
    cells = plan.cells
    cell = plan.start
    for row in range(plan.cards):
        base = (row + 1) * cells + cell
        total = plan.weight[row, free] * table[base]
        for place in range(plan.places):
            if place != free:
                total += plan.weight[row, place] * table[base - plan.stride[place]]
        rest = uniform(rng) * total - plan.weight[row, free] * table[base]
        chosen = free
        place = 0
        while rest >= 0.0 and place < plan.places:
            if place != free:
                part = plan.weight[row, place] * table[base - plan.stride[place]]
                if part > 0.0:
                    chosen = place
                rest -= part
            place += 1
        out.card[row] = plan.card[row]
        out.place[row] = chosen
        if chosen != free:
            cell -= plan.stride[chosen]


@compiled
def _free_place(plan: Record) -> Int:
    """The largest place, the one without a dimension of its own."""
    best = 0
    for place in range(1, plan.places):
        if plan.size[place] > plan.size[best]:
            best = place
    return best


@compiled
def _occupied(plan: Record) -> Int:
    """How far the cell of full places lies above the cell where all is placed."""
    distance = 0
    free = _free_place(plan)
    for place in range(plan.places):
        if place != free:
            distance += plan.size[place] * plan.stride[place]
    return distance


@compiled
def _lay_out(plan: Record) -> Int:
    """Sets strides and the starting cell; False where the places do not hold just all cards."""
    free = _free_place(plan)
    stride = 1
    start = 0
    held = 0
    for place in range(plan.places):
        held += plan.size[place]
        plan.stride[place] = 0
        if place != free:
            plan.stride[place] = stride
            start += (plan.size[place] + 1) * stride
            stride *= plan.size[place] + 2
    plan.cells = stride
    plan.start = start
    return bool(held == plan.cards)


@compiled
def _build_walls(plan: Record, wall: Array) -> None:
    """1 for each cell whose digits are all real remaining sizes, 0 for the walls."""
    free = _free_place(plan)
    for i in range(plan.cells):
        wall[i] = 1.0
        for place in range(plan.places):
            if place != free and (i // plan.stride[place]) % (plan.size[place] + 2) == 0:
                wall[i] = 0.0


@compiled
def _scale_weights(plan: Record, row: Int) -> None:
    """Scales a card's weights to a greatest of 1, which changes no probability."""
    greatest = 0.0
    for place in range(plan.places):
        greatest = max(greatest, plan.weight[row, place])
    if greatest > 0.0:
        for place in range(plan.places):
            plan.weight[row, place] /= greatest


@compiled
def _rescale(layer: Array) -> None:
    """Scales a layer to a greatest value of 1, so that neither many cards nor tiny weights leave the range."""
    greatest = 0.0
    for i in range(len(layer)):
        greatest = max(greatest, layer[i])
    if greatest > 0.0:
        for i in range(len(layer)):
            layer[i] /= greatest


class Sampler:
    """Draws full states that agree with one view: prepared once, drawn from as often as wanted."""

    def __init__(self, view: Array, me: int, weights: Array | None = None) -> None:
        """Takes an array of one hidden state; `weights[card, place]` multiplies what the game's plan allows."""
        from stich.core import kernels

        self.view, self.me = view, np.int64(me)
        self.plan = np.zeros(1, PLAN)
        kernels.plan_owners(view, self.me, self.plan)
        if weights is not None:
            rows = self.plan["card"][0, : self.plan["cards"][0]]
            self.plan["weight"][0, : len(rows), : weights.shape[1]] *= weights[rows]
        self.table = np.empty(kernels.plan_size(self.plan))
        if not kernels.plan_prepare(self.plan, self.table):
            raise StichError("no placement of the hidden cards agrees with this view and these weights")

    def draw(self, rngs: Any, count: int = 1) -> Any:
        """An array of `count` states that agree with the view."""
        from stich.core import kernels

        states = np.repeat(self.view, count)
        kernels.plan_draw(states, self.me, self.plan, self.table, rngs)
        return states
