"""What a player believes of the other's hand (document 001, 7.4.1): a probability for each card, learnt from a policy.

Whenever the other has played, one asks for each hand it may have held how likely a policy would have played so. The
document keeps one probability a card (`Beliefs`); between two plays it forgets how cards go together. `ExactBelief`
keeps whole hands and is the reference.

A policy is a function of an array of views and an array of actions that gives the probability of each action in its
view. The views are those of the other player, with a hand that it may hold; what it drew and in which order
(`memory`) is not in them. Exchanging and closing belong to the card led after them: all steps are judged at once, as
the document does ("neither exchanged, closed nor declared a marriage").
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numba import njit

from stich.core import kernels
from stich.core.bits import ctz, nth, popcount, set_bits
from stich.core.contract import Array, Int, Record, hide, legal
from stich.core.errors import StichError
from stich.core.game import NO_RESULTS, NO_RNGS, MoveInputs
from stich.core.jit import compiled, kernel
from stich.core.plain import Plain
from stich.games.schnapsen.cards import FULL, NO_CARD, PACK, PAIR, J
from stich.games.schnapsen.features import CARD_OF, in_order, unseen
from stich.games.schnapsen.state import CLAIM, EXCHANGE, MARRIAGE

Policy = Callable[[Array, Array], Array]
"""Views and an action for each, to the probability of that action there."""

STEPS = 3
"""The most steps of a turn: exchange, close, play."""


def batched(policy: Callable[[Record, int], float]) -> Policy:
    """A policy for arrays from a compilable function of one view and one action."""
    function = njit(policy)

    @njit(nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
    def ask(views: Array, actions: Array, out: Array) -> None:
        for i in range(len(views)):
            out[i] = function(views[i], actions[i])

    def probabilities(views: Array, actions: Array) -> Array:
        out = np.empty(len(views))
        ask(views, actions, out)
        return out

    return probabilities


@compiled
def start(s: Record, me: Int, belief: Array) -> None:
    """At the beginning all unseen cards are equally likely: 5/14 each."""
    hidden = unseen(s, me)
    share = s.size[1 - me] / popcount(hidden)
    for card in range(20):
        belief[card] = share if hidden >> card & 1 else 0.0


@compiled
def settle(s: Record, me: Int, belief: Array) -> None:
    """Known cards become 1, impossible ones 0; what is missing goes to the others, most to the least likely ones.

    The formula after drawing of 7.4.1; without a draw nothing is missing.
    """
    known, hidden = s.shown[1 - me], unseen(s, me)
    missing = np.float64(s.size[1 - me])
    spare = 0.0
    for card in range(20):
        if hidden >> card & 1:
            spare += 1.0 - belief[card]
        else:
            belief[card] = np.float64(known >> card & 1)
        missing -= belief[card]
    # Rounding must not raise cards that are impossible.
    if missing > 1e-9 and spare > 0.0:
        for card in range(20):
            if hidden >> card & 1:
                belief[card] += (1.0 - belief[card]) * missing / spare


@compiled
def shown_by(s: Record, steps: Array) -> Int:
    """The cards that the steps of a turn prove to have been in the hand before them."""
    found: Int = 0
    for i in range(STEPS):
        if steps[i] == EXCHANGE:
            found |= 1 << (5 * np.int64(s.trump) + J)
        elif MARRIAGE <= steps[i] < EXCHANGE:
            found |= PAIR[(steps[i] - MARRIAGE) >> 1]
        elif steps[i] >= 0 and CARD_OF[steps[i]] != NO_CARD:
            found |= 1 << CARD_OF[steps[i]]
    # The card got by an exchange is the one that was not in the hand.
    return found & ~(1 << s.face) if steps[0] == EXCHANGE else found


@compiled
def hand_after(s: Record, steps: Array, hand: Int) -> Int:
    """What is left of a hand after the steps of a turn."""
    for i in range(STEPS):
        if steps[i] == EXCHANGE:
            hand = hand & ~(1 << (5 * np.int64(s.trump) + J)) | 1 << s.face
        elif steps[i] >= 0 and CARD_OF[steps[i]] != NO_CARD:
            hand &= ~(1 << CARD_OF[steps[i]])
    return hand


@kernel
def list_hands(begins: Array, seats: Array, plans: Array, beliefs: Array, starts: Array, hands: Array) -> Int:
    """All hands with which the other could have taken the steps of its turn; returns their number.

    Hands starts[i] to starts[i + 1] - 1 belong to game i. Hands beyond the array are counted but not written.
    """
    work = np.empty(1, begins.dtype)
    found = 0
    for i in range(len(begins)):
        starts[i] = found
        s, me = begins[i], np.int64(seats[i])
        work[0] = s
        fixed = s.shown[1 - me] | shown_by(s, plans[i])
        free = unseen(s, me) & ~fixed
        pool = np.int64(0)
        while free:
            card = ctz(free)
            free &= free - 1
            if beliefs[i, card] > 0.0:
                pool |= 1 << card
        size = s.size[1 - me] - popcount(fixed)
        if size < 0 or size > popcount(pool):
            continue
        # Numbers with `size` bits, each the next higher one, choose from the pool.
        choice, end = np.int64((1 << size) - 1), 1 << popcount(pool)
        while choice < end:
            hand, bits = fixed, choice
            while bits:
                hand |= nth(pool, ctz(bits))
                bits &= bits - 1
            work[0].hands[1 - me] = hand
            if legal(work[0]) >> plans[i, 0] & 1:
                if found < len(hands):
                    hands[found] = hand
                found += 1
            if choice == 0:
                break
            ripple = choice + (choice & -choice)
            choice = ripple | (choice ^ ripple) >> (2 + ctz(choice))
    starts[len(begins)] = found
    return found


@kernel
def write_views(
    begins: Array, seats: Array, plans: Array, starts: Array, hands: Array, views: Array, steps: Array
) -> None:
    """The other player's view with each hand, and the steps that it took."""
    for i in range(len(begins)):
        other = 1 - np.int64(seats[i])
        for k in range(starts[i], starts[i + 1]):
            views[k] = begins[i]
            views[k].hands[other] = hands[k]
            views[k].memory[other] = 0
            hide(views[k], other)
            for j in range(STEPS):
                steps[k, j] = plans[i, j]


@kernel
def absorb(
    begins: Array, seats: Array, plans: Array, starts: Array, hands: Array, likely: Array, beliefs: Array
) -> None:
    """The update of 7.4.1 after the other has played: hands by their cards' old probabilities and their likelihood.

    Every hand holds as many unknown cards, so dividing by the sum of the weights is the document's division. Where no
    hand is possible under the policy, all cards become equally likely.
    """
    sums = np.empty(20)
    for i in range(len(begins)):
        s, me, belief = begins[i], np.int64(seats[i]), beliefs[i]
        # Cards that all hands have in common would only multiply all weights alike.
        fixed = s.shown[1 - me] | shown_by(s, plans[i])
        total = 0.0
        sums[:] = 0.0
        for k in range(starts[i], starts[i + 1]):
            weight = likely[k]
            cards = hands[k] & ~fixed
            while cards:
                weight *= belief[ctz(cards)]
                cards &= cards - 1
            total += weight
            cards = hand_after(s, plans[i], hands[k])
            while cards:
                sums[ctz(cards)] += weight
                cards &= cards - 1
        if total > 0.0:
            for card in range(20):
                belief[card] = sums[card] / total
        else:
            _forget(s, me, plans[i], belief)


@compiled
def _forget(s: Record, me: Int, steps: Array, belief: Array) -> None:
    """Known cards 1, all others that the other may hold alike."""
    seen = s.shown[1 - me] | shown_by(s, steps)
    known = hand_after(s, steps, seen)
    hidden = unseen(s, me) & ~seen
    share = (s.size[1 - me] - popcount(seen)) / max(popcount(hidden), 1)
    for card in range(20):
        belief[card] = 1.0 if known >> card & 1 else share if hidden >> card & 1 else 0.0


@kernel
def note_steps(states: Array, actions: Array, begins: Array, plans: Array, due: Array) -> None:
    """Adds an action to the turn of each game; a turn is due when a card has been played. Claims tell nothing."""
    for i in range(len(states)):
        due[i] = False
        if actions[i] >= CLAIM:
            continue
        if states[i].said == 0:
            plans[i, :] = -1
        if plans[i, 0] < 0:
            begins[i] = states[i]
        for j in range(STEPS):
            if plans[i, j] < 0:
                plans[i, j] = actions[i]
                break
        due[i] = CARD_OF[actions[i]] != NO_CARD


@kernel
def settle_all(states: Array, plans: Array, beliefs: Array) -> None:
    """Both seats' beliefs after an action: a fresh deal starts anew, all else settles when a turn is over."""
    for i in range(len(states)):
        for me in range(2):
            if states[i].said == 0:
                start(states[i], me, beliefs[i, me])
            elif not states[i].over and plans[i, 0] < 0:
                settle(states[i], me, beliefs[i, me])


@kernel
def put_beliefs(
    states: Array, which: Int, starts: Array, moves: Array, beliefs: Array, at: Int, out: Array
) -> None:
    """Writes the belief of the seat to act into the rows that rate its moves."""
    for i in range(len(states)):
        s = states[i]
        me = np.int64(s.turn)
        for r in range(starts[i], starts[i + 1]):
            for card in range(20):
                place = in_order(s, which, CARD_OF[moves[r]], np.int64(1) << card)
                if place:
                    out[r, at + ctz(place)] = beliefs[i, me, card]


class Beliefs:
    """Both seats' beliefs in many games, one probability a card, updated as document 001 does.

    Call `watch` before actions are played and `settle` after; `values[i, me]` is what seat `me` of game i believes, by
    card. It changes when a card is played, not between exchanging, closing and playing.
    """

    def __init__(self, states: Array, policy: Policy) -> None:
        """Starts at fresh deals, with the policy that the players are believed to follow."""
        self.policy = policy
        self.values = np.zeros((len(states), 2, 20))
        self._turns = Turns(len(states), states.dtype)
        self._room = Room(1024, states.dtype)
        settle_all(states, self._turns.plans, self.values)

    def watch(self, states: Array, actions: Array) -> None:
        """Takes account of what is about to be played: the other player's belief in each game changes."""
        due, begins, plans = self._turns.note(states, actions)
        if not len(due):
            return
        seats = 1 - begins["turn"].astype(np.int64)
        beliefs = self.values[due, seats]
        starts = np.zeros(len(due) + 1, np.int64)
        count = list_hands(begins, seats, plans, beliefs, starts, self._room.hands)
        if count > len(self._room.hands):
            self._room = Room(count + count // 4, states.dtype)
            list_hands(begins, seats, plans, beliefs, starts, self._room.hands)
        likely = likelihoods(self.policy, begins, seats, plans, starts, self._room)
        absorb(begins, seats, plans, starts, self._room.hands, likely, beliefs)
        self.values[due, seats] = beliefs

    def settle(self, states: Array) -> None:
        """Takes account of cards drawn and of new deals, after the actions have been played."""
        settle_all(states, self._turns.plans, self.values)

    def write(self, inputs: MoveInputs, states: Array) -> None:
        """Puts the beliefs into the segment `belief` of rows written for these states."""
        at = 0
        for field in inputs.encoder.fields:
            if field.name == "belief":
                put_beliefs(states, inputs.which, inputs.starts, inputs.moves, self.values, at, inputs.rows)
            at += field.size


class Room:
    """Hands, and views and steps of the player who may hold them: work arrays that are reused."""

    def __init__(self, count: int, dtype: Any) -> None:
        self.hands = np.zeros(count, np.int64)
        self.views = np.zeros(count, dtype)
        self.steps = np.zeros((count, STEPS), np.int64)


class Turns:
    """The steps of the running turn in many games; a turn is over when a card has been played."""

    def __init__(self, count: int, dtype: Any) -> None:
        self.begins = np.zeros(count, dtype)
        self.plans = np.full((count, STEPS), -1, np.int64)
        self._due = np.zeros(count, np.bool_)

    def note(self, states: Array, actions: Array) -> tuple[Array, Array, Array]:
        """Adds an action to each turn; gives the games whose turn is over, its beginning and its steps."""
        note_steps(states, actions, self.begins, self.plans, self._due)
        due = np.flatnonzero(self._due)
        plans = self.plans[due]
        self.plans[due] = -1
        return due, _some(self.begins, due), plans


def _some(states: Array, index: Array) -> Array:
    """Some of many states; NumPy copies them ten times faster as bytes than as records."""
    return states.view(f"V{states.itemsize}")[index].view(states.dtype)


def likelihoods(policy: Policy, begins: Array, seats: Array, plans: Array, starts: Array, room: Room) -> Array:
    """How likely a policy takes the steps of each turn, for each of the hands listed."""
    write_views(begins, seats, plans, starts, room.hands, room.views, room.steps)
    views, steps = room.views[: starts[-1]], room.steps[: starts[-1]]
    likely = np.array(policy(views, steps[:, 0].copy()), np.float64)
    rows = np.arange(len(likely))
    for j in range(1, STEPS):
        more = np.flatnonzero(steps[:, j] >= 0)
        if len(more):
            rows, views, steps = rows[more], _some(views, more), steps[more]
            taken = steps[:, j - 1].copy()
            kernels.advance_all(views, taken, NO_RNGS, NO_RESULTS, kernels.new_turns(len(more)))
            likely[rows] *= policy(views, steps[:, j].copy())
    return likely


class ExactBelief:
    """What one seat must believe of the other's hand under a policy: the probability of every whole hand.

    In the small versions the last card of the stock is hidden but its suit is known, so it is kept with the hand. Exact
    where the policy looks at nothing but the views it is given.
    """

    def __init__(self, states: Array, me: int, policy: Policy) -> None:
        """Starts at a fresh deal, an array of one state."""
        self.me, self.policy = me, policy
        self._turns = Turns(1, states.dtype)
        self._before = states.copy()
        self._start(states[0])

    @property
    def marginals(self) -> Array:
        """The probability of each card."""
        return np.array([self.weights[self.hands >> card & 1 == 1].sum() for card in range(20)])

    def _start(self, s: Record) -> None:
        plain = Plain(s)
        hidden = set_bits(int(unseen(plain, self.me)))
        bottoms = [card for card in hidden if card // 5 == s["trump"]] if s["pack"] != FULL else [NO_CARD]
        pairs = [
            (sum(1 << card for card in hand), bottom)
            for hand in combinations(hidden, int(s["size"][1 - self.me]))
            for bottom in bottoms
            if bottom not in hand
        ]
        self._keep(np.array(pairs, np.int64).T, np.ones(len(pairs)))

    def _keep(self, pairs: Array, weights: Array) -> None:
        """Adds up the weights of equal pairs of hand and last card, and makes them probabilities."""
        both, where = np.unique(pairs[0] << 5 | pairs[1], return_inverse=True)
        sums = np.bincount(where, weights, minlength=len(both))
        self.hands, self.bottoms = both[sums > 0] >> 5, both[sums > 0] & 31
        self.weights = sums[sums > 0] / sums.sum()

    def watch(self, states: Array, action: int) -> None:
        """Takes account of an action before it is played."""
        self._before[:] = states
        due, begins, plans = self._turns.note(states, np.array([action]))
        if not len(due) or begins[0]["turn"] == self.me:
            return
        seats, starts = np.array([self.me]), np.zeros(2, np.int64)
        room = Room(2002, states.dtype)
        count = list_hands(begins, seats, plans, np.ones((1, 20)), starts, room.hands)
        listed = room.hands[:count]
        listed.sort()
        likely = likelihoods(self.policy, begins, seats, plans, starts, room)
        inside = np.isin(self.hands, listed)
        weights = self.weights[inside] * likely[np.searchsorted(listed, self.hands[inside])]
        if not weights.sum() > 0:
            raise StichError("the policy of a belief gives what was played no chance with any hand")
        after = [hand_after(Plain(begins[0]), plans[0], int(hand)) for hand in self.hands[inside]]
        self._keep(np.array([after, self.bottoms[inside]]), weights)

    def settle(self, states: Array) -> None:
        """Takes account of drawing, or of a new deal, after the action has been played."""
        before, after = self._before[0], states[0]
        if after["said"] == 0:
            self._start(after)
        elif after["left"] < before["left"]:
            self._draw(before, after)

    def _draw(self, before: Record, after: Record) -> None:
        """Each player has drawn a card, the winner first; all orders of the unseen cards are equally likely."""
        mine = int(after["hands"][self.me] & ~before["hands"][self.me])
        face = 1 << int(before["face"]) if before["face"] != NO_CARD else 0
        bottom = np.where(self.bottoms == NO_CARD, 0, 1 << self.bottoms)
        seen = int(before["hands"][self.me] | after["played"]) | face
        pool = int(PACK[before["pack"]]) & ~(seen | self.hands | bottom)
        if before["left"] == 2:
            won = after["turn"] == self.me
            last = bottom | face
            fits = (pool if won else last) == mine
            gets = last if won else pool
            self._keep(np.array([(self.hands | gets)[fits], np.full(fits.sum(), NO_CARD)]), self.weights[fits])
            return
        pairs, weights = [], []
        for card in range(20):
            fits = (pool & mine != 0) & (pool & ~mine & 1 << card != 0)
            pairs.append(np.array([self.hands[fits] | 1 << card, self.bottoms[fits]]))
            weights.append(self.weights[fits])
        self._keep(np.concatenate(pairs, axis=1), np.concatenate(weights))
