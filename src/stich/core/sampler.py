"""The exact sampler of hidden cards.

A game's `owners` writes a plan: the places a hidden card may lie in (hands, stock, out of play), how many cards
each place holds, and for each card and place a weight. A placement's probability is proportional to the product
of its weights: 1 everywhere is uniform dealing, 0 a void, a net's card distribution guides a search.

`prepare` counts, from the last card to the first, the total weight of all ways to place the remaining cards
for every vector of remaining sizes; `draw` walks through that table once, choosing each card's place with the
exact conditional probability. Nothing is rejected or repaired.
"""

import numpy as np

from stich.core.contract import Array, Int, Record
from stich.core.errors import StichError
from stich.core.jit import compiled
from stich.core.rng import below, next64, uniform

CARDS = 112
PLACES = 8

PLAN = np.dtype(
    [
        ("cards", "i8"),
        ("places", "i8"),
        ("size", "i8", PLACES),
        ("stride", "i8", PLACES),
        ("free", "i8"),
        ("cells", "i8"),
        ("start", "i8"),
        ("end", "i8"),
        ("even", "i8"),
        ("card", "i8", CARDS),
        ("weight", "f8", (CARDS, PLACES)),
    ],
    align=True,
)
"""What `owners` fills in (cards, places, size, card, weight), and how `table_size` lays the table out."""

DRAW = np.dtype(
    [("cards", "i8"), ("seed", "u8"), ("left", "i8", PLACES), ("card", "i8", CARDS), ("place", "i8", CARDS)],
    align=True,
)
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
    """Lays the table of a finished plan out and returns how many numbers `prepare` needs for it.

    The largest place is free of a dimension: what it must still hold follows from the others. Every other
    place is a digit, 1 more than the cards it must still hold; digit 0 is a wall of zeros, so that a layer of
    the table is one linear pass over the layer after it.
    """
    free = 0
    for place in range(1, plan.places):
        if plan.size[place] > plan.size[free]:
            free = place
    stride = 1
    start = 0
    end = 0
    for place in range(plan.places):
        plan.stride[place] = 0
        if place != free:
            plan.stride[place] = stride
            start += (plan.size[place] + 1) * stride
            end += stride
            stride *= plan.size[place] + 2
    plan.free = free
    plan.cells = stride
    plan.start = start
    plan.end = end
    return (plan.cards + 2) * stride


@compiled
def prepare(plan: Record, table: Array) -> Int:
    """Fills the table of a plan, last card first; False where no placement has a positive weight.

    Scaling a card's weights, or a whole layer, to a greatest of 1 changes no probability and keeps many cards
    and tiny weights within range.
    """
    plan.even = 1
    cells = plan.cells
    wall = table[(plan.cards + 1) * cells :]
    after = table[plan.cards * cells :]
    held = 0
    for place in range(plan.places):
        held += plan.size[place]
    for i in range(cells):
        wall[i] = 1.0
        after[i] = 0.0
    for place in range(plan.places):
        stride = plan.stride[place]
        if stride > 0:
            for base in range(0, cells, stride * (plan.size[place] + 2)):
                for i in range(base, base + stride):
                    wall[i] = 0.0
    after[plan.end] = 1.0
    for row in range(plan.cards - 1, -1, -1):
        layer = table[row * cells :]
        greatest = 1e-300
        for place in range(plan.places):
            if plan.weight[row, place] > greatest:
                greatest = plan.weight[row, place]
        for place in range(plan.places):
            plan.weight[row, place] /= greatest
            if plan.weight[row, place] != 1.0:
                plan.even = 0
        weight = plan.weight[row, plan.free]
        for i in range(cells):
            layer[i] = weight * after[i]
        for place in range(plan.places):
            weight = plan.weight[row, place]
            stride = plan.stride[place]
            if stride > 0 and weight > 0.0:
                for i in range(stride, cells):
                    layer[i] += weight * after[i - stride]
        for i in range(cells):
            layer[i] *= wall[i]
        if row % 4 == 0:
            greatest = 1e-300
            for i in range(cells):
                if layer[i] > greatest:
                    greatest = layer[i]
            for i in range(cells):
                layer[i] /= greatest
        after = layer
    return held == plan.cards and table[plan.start] > 0.0


@compiled
def deal_out(plan: Record, rng: Record, out: Record) -> None:
    """Deals the cards to the places, all placements alike."""
    for place in range(plan.places):
        out.left[place] = plan.size[place]
    for row in range(plan.cards):
        pick = below(rng, plan.cards - row)
        place = 0
        while pick >= out.left[place]:
            pick -= out.left[place]
            place += 1
        out.left[place] -= 1
        out.card[row] = plan.card[row]
        out.place[row] = place


@compiled
def draw(plan: Record, table: Array, rng: Record, out: Record) -> None:
    """Draws one placement from a prepared table, or without it where every card may lie everywhere alike."""
    out.cards = plan.cards
    out.seed = next64(rng)
    if plan.even:
        deal_out(plan, rng, out)
        return
    cell = plan.start
    for row in range(plan.cards):
        base = (row + 1) * plan.cells + cell
        stays = plan.weight[row, plan.free] * table[base]
        total = stays
        for place in range(plan.places):
            if place != plan.free:
                total += plan.weight[row, place] * table[base - plan.stride[place]]
        rest = uniform(rng) * total - stays
        chosen = plan.free
        place = 0
        while rest >= 0.0 and place < plan.places:
            if place != plan.free:
                part = plan.weight[row, place] * table[base - plan.stride[place]]
                if part > 0.0:
                    chosen = place
                rest -= part
            place += 1
        out.card[row] = plan.card[row]
        out.place[row] = chosen
        cell -= plan.stride[chosen]


class Sampler:
    """Draws full states that agree with one view: prepared once, drawn from as often as wanted."""

    def __init__(self, view: Array, me: int, weights: Array | None = None) -> None:
        """Takes an array of one hidden state; `weights[card, place]` multiplies what the game's plan allows."""
        from stich.core import kernels

        self.view, self.me = view, np.int64(me)
        self.plan = np.zeros(1, PLAN)
        self.table = np.empty(kernels.plan_owners(view, self.me, self.plan))
        if weights is not None:
            rows = self.plan["card"][0, : self.plan["cards"][0]]
            self.plan["weight"][0, : len(rows), : weights.shape[1]] *= weights[rows]
        if not kernels.plan_prepare(self.plan, self.table):
            raise StichError("no placement of the hidden cards agrees with this view and these weights")

    def draw(self, rngs: Array, count: int = 1) -> Array:
        """An array of `count` states that agree with the view."""
        from stich.core import kernels

        states = np.repeat(self.view, count)
        kernels.plan_draw(states, self.me, self.plan, self.table, rngs, np.zeros(1, DRAW))
        return states
