"""How far a learner's policy is from an equilibrium, exactly, in games whose whole tree fits in memory."""

import functools

import numpy as np

from stich.core.contract import Array
from stich.core.game import Game
from stich.learn.learner import Borrowed, Learner
from stich.nets.inputs import write_input
from stich.search.equilibrium.exploitability import normalised, values
from stich.search.equilibrium.tree import Tree, build


@functools.lru_cache(1)
def tree_of(game: Game) -> Tree:
    """The whole tree of a game, built once."""
    return build(game)


def strategy_of(learner: Learner, tree: Tree) -> Array:
    """The learner's policy as a strategy of the tree: by softmax, or the best action if it chooses by value."""
    game = learner.game
    states = np.concatenate([tree.state(int(node)).array for node in tree.info_node])
    which, encoder = game.encoder(learner.inputs.encoder, moves=False)
    raw = np.zeros((tree.infos, encoder.size), encoder.dtype)
    game.observe_all(states, tree.info_seat.astype(np.int64), np.int64(which), raw)
    inputs = np.zeros((tree.infos, learner.inputs.width(game)), np.float32)
    outputs = np.zeros((tree.infos, game.spec.actions), np.float32)
    order = np.argsort(learner.net_of[tree.info_seat], kind="stable")
    for row, info in enumerate(order):
        write_input(raw[info], learner.lanes.factors, int(tree.info_seat[info]), inputs[row])
    starts = np.searchsorted(learner.net_of[tree.info_seat][order], np.arange(2 * learner.nets_count + 1))
    with Borrowed(learner.players()) as forward:
        forward(inputs, starts, outputs)
    return normalised(tree, _weights(tree, outputs[np.argsort(order)], bool(learner.evaluated_by_value)))


def _weights(tree: Tree, outputs: Array, best: bool) -> Array:
    """A weight for each slot from the outputs for its information set."""
    weights = np.zeros(tree.slots)
    for info in range(tree.infos):
        legal = np.flatnonzero(int(tree.info_mask[info]) >> np.arange(outputs.shape[1]) & 1)
        found = outputs[info, legal].astype(np.float64)
        shares = (found == found.max()).astype(np.float64) if best else np.exp(found - found.max())
        weights[tree.slot_start[info] : tree.slot_start[info + 1]] = shares
    return weights


def nash_conv(learner: Learner) -> float:
    """What all seats together gain by switching, each alone, to a best response: 0 in an equilibrium."""
    tree = tree_of(learner.game)
    plain, best = values(tree, strategy_of(learner, tree))
    return float((best - plain).sum())
