"""What the feature vectors and beliefs of Schnapsen cost, and how far the document's belief is from the exact one.

Run: python bench/schnapsen_features.py
"""

import sys

import numpy as np

import stich
from stich.cli.bench_speed import best
from stich.core.bits import ctz, popcount
from stich.core.contract import legal
from stich.core.game import MoveInputs
from stich.games.schnapsen.belief import Beliefs, ExactBelief, Policy, batched
from stich.games.schnapsen.cards import NO_CARD, VALUE
from stich.games.schnapsen.features import CARD_OF, beats
from stich.games.schnapsen.state import CLOSE, EXCHANGE, FOLLOW, LEAD, MARRIAGE

LANES, STEPS, DEALS = 512, 200, 100


def _even(view, a):
    return 1.0 / popcount(legal(view))


def _greedy(view, a):
    """Nine of ten times a simple best choice: marriages, low cards, tricks won without trumps; never closes."""
    mask = legal(view)
    count, chosen, top = popcount(mask), -1, -1e9
    while mask:
        action = ctz(mask)
        mask &= mask - 1
        card = CARD_OF[action]
        value = -50.0 if action == CLOSE else 5.0
        if card != NO_CARD:
            trump = card // 5 == view.trump
            value = (
                -1.0 * VALUE[card] - (6.0 if trump else 0.0) - 0.01 * card + (30.0 if action >= MARRIAGE else 0.0)
            )
            if view.phase == FOLLOW and beats(card, np.int64(view.lead), np.int64(view.trump)):
                value += VALUE[view.lead] + (0.0 if trump else 2.0 * VALUE[card])
        if value > top:
            top, chosen = value, action
    return (0.9 if a == chosen else 0.0) + 0.1 / count


def say(text: str) -> None:
    """A line of output."""
    sys.stdout.write(text + "\n")


def rows() -> None:
    """Nanoseconds for a row that rates a move, all moves of many states in one call."""
    vector = stich.VectorGame(stich.make("schnapsen"), 4096, 1, observe=False)
    for _ in range(37):
        vector.step(vector.random_actions())
    for name in ("q1(n=2)", "q1-symmetric(n=2)", "q1(n=0)+belief", "q2(n=2)", "q2-after(n=2)"):
        states = vector.states[vector.states["phase"] == (LEAD if name.startswith("q1") else FOLLOW)]
        inputs = MoveInputs(vector.game, name)
        inputs.write(states)
        seconds = best(lambda inputs=inputs, states=states: inputs.write(states), 20)
        per_state = len(inputs.rows) / len(states)
        say(f"{name}: {seconds / len(inputs.rows) * 1e9:.0f} ns a row, {per_state:.1f} rows a state")


def updates() -> None:
    """Microseconds for one update after a play, with the cheapest policy."""
    vector = stich.VectorGame(stich.make("schnapsen"), LANES, 1, observe=False)
    asked = [0]
    even = batched(_even)

    def policy(views, actions):
        asked[0] += len(views)
        return even(views, actions)

    beliefs = Beliefs(vector.states, policy)
    seconds, plays = 0.0, 0
    for step in range(STEPS):
        actions = vector.random_actions().copy()
        seconds += best(lambda actions=actions: beliefs.watch(vector.states, actions), 1)
        plays += int((actions < EXCHANGE).sum())
        vector.step(actions)
        beliefs.settle(vector.states)
        if step < 20:
            seconds, plays, asked[0] = 0.0, 0, 0
    say(
        f"belief: {seconds / plays * 1e6:.1f} us an update, {asked[0] / plays:.0f} hands asked for, uniform policy"
    )


def distance(name: str, policy: Policy) -> None:
    """How far the document's probabilities are from the exact ones when both players follow the policy."""
    gaps, losses = [], []
    for seed in range(DEALS):
        state, rng = stich.make("schnapsen.deal").new(seed), np.random.default_rng(seed)
        beliefs = Beliefs(state.array, policy)
        exact = [ExactBelief(state.array, me, policy) for me in range(2)]
        fresh = True
        while not state.is_over:
            me = state.player
            true = exact[me].marginals
            open_cards = np.flatnonzero((true > 1e-12) & (true < 1 - 1e-12))
            if fresh and len(open_cards):
                ours, right = beliefs.values[0, me][open_cards], true[open_cards]
                held = int(state.record["hands"][1 - me]) >> open_cards & 1 == 1
                gaps.append((np.abs(ours - right).mean(), np.abs(ours - right).max()))
                losses.append([_loss(p, held) for p in (np.full(len(held), right.mean()), ours, right)])
            ids = np.array(state.action_ids())
            chances = policy(np.repeat(state.view(me).array, len(ids)), ids)
            action = int(rng.choice(ids, p=chances / chances.sum()))
            fresh = action < EXCHANGE
            beliefs.watch(state.array, np.array([action]))
            for belief in exact:
                belief.watch(state.array, action)
            state.play(action)
            if not state.is_over:
                beliefs.settle(state.array)
                for belief in exact:
                    belief.settle(state.array)
    mean, most = np.mean(gaps, axis=0)
    even, ours, right = np.mean(losses, axis=0)
    say(
        f"{name} policy, {DEALS} deals, {len(gaps)} decisions: mean distance {mean:.4f}, of the worst card {most:.4f}, "
        f"largest {max(worst for _, worst in gaps):.2f}; log loss a card: even {even:.4f}, document {ours:.4f}, "
        f"exact {right:.4f}"
    )


def _loss(chances, held):
    chances = np.clip(chances, 1e-6, 1 - 1e-6)
    return -np.log(np.where(held, chances, 1 - chances)).mean()


if __name__ == "__main__":
    rows()
    updates()
    distance("uniform", batched(_even))
    distance("greedy", batched(_greedy))
