"""The rule-based player: estimates of tricks, and the choice whose expected points are highest.

It sees only what its seat knows. Four logistic models, fitted on games that it played against itself, answer: how
likely does a card of the hand take a trick later; does a card that is winning the running trick keep it; is a bid met
by the tricks missing and those expected from the hand, during play and when bidding.
"""

import numpy as np

from stich.core.bits import ctz, popcount
from stich.core.contract import Array, Int, Real, Record, legal
from stich.core.jit import compiled
from stich.games.wizard.cards import (
    JESTER,
    NO_SUIT,
    POWER,
    SUIT,
    TRUMP_POWER,
    WIZARD,
    WIZARD_POWER,
    WIZARDS,
)
from stich.games.wizard.rule_weights import CARD, HOLD, MEET, MEET_BID
from stich.games.wizard.state import BID, CHOOSE, hand_size, unseen, wrap

SIDE, SIDE_NO_TRUMP, TRUMP, JESTER_CARD, WIZARD_CARD = range(5)
"""The kinds of cards that `CARD` has weights for."""
MOST_LEFT = 20
AVOID, SEEK = range(2)
"""What a seat is after: no trick more, or at least one."""
GROUP = np.array([0, 0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5], np.int64)
"""The row of weights by the number of cards left."""


def rule(s: Record, rng: Record) -> Int:
    """A card, a bid or a trump suit."""
    if s.phase == BID:
        return _bid(s)
    if s.phase == CHOOSE:
        return _trump(s)
    return _card(s)


@compiled
def _chance(weights: Array, features: tuple[Real, ...]) -> Real:
    """A logistic model's answer."""
    total = 0.0
    for i in range(len(features)):
        total += weights[i] * features[i]
    return 1.0 / (1.0 + np.exp(-total))


@compiled
def card_kind(card: Int, trump: Int) -> Int:
    """Which weights a card takes."""
    if card >= WIZARD:
        return WIZARD_CARD
    if card >= JESTER:
        return JESTER_CARD
    return TRUMP if card // 13 == trump else SIDE_NO_TRUMP if trump == NO_SUIT else SIDE


@compiled
def card_features(hand: Int, card: Int, trump: Int, hidden: Int, density: Real) -> tuple[Real, ...]:
    """What tells whether a card takes a trick later; `density` is the share of unseen cards in other hands."""
    suit = card // 13 if card < JESTER else NO_SUIT
    same = SUIT[suit]
    above = same & -(2 << card)
    below = same & ((1 << card) - 1)
    higher = popcount(hidden & above) * density
    trumps = popcount(hidden & SUIT[trump]) * density if suit != trump else 0.0
    return (
        1.0,
        np.exp(-higher),
        higher,
        popcount(hidden & below) * density,
        1.0 * popcount(hand & above),
        1.0 * popcount(hand & below),
        trumps,
        popcount(hidden & WIZARDS) * density,
        1.0 / popcount(hand),
    )


@compiled
def density_of(s: Record, me: Int, hidden: Int) -> Real:
    """The share of the unseen cards that other hands hold."""
    held = np.int64(0)
    for seat in range(s.players):
        if seat != me:
            held += hand_size(s, seat)
    return held / max(1, popcount(hidden))


@compiled
def expected_tricks(s: Record, hand: Int, trump: Int, aim: Int, odds: Array) -> tuple[Real, Real]:
    """The tricks that some cards of the seat to act will take, and their variance; `odds[k]` is the chance of k."""
    me = np.int64(s.turn)
    hidden = unseen(s, me)
    density = density_of(s, me, hidden)
    mean: Real = 0.0
    variance: Real = 0.0
    odds[0] = 1.0
    count = 0
    cards = hand
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        chance = _chance(CARD[aim, card_kind(card, trump)], card_features(hand, card, trump, hidden, density))
        mean += chance
        variance += chance * (1.0 - chance)
        count += 1
        odds[count] = odds[count - 1] * chance
        for k in range(count - 1, 0, -1):
            odds[k] = odds[k] * (1.0 - chance) + odds[k - 1] * chance
        odds[0] *= 1.0 - chance
    return mean, variance


@compiled
def meet_features(
    need: Real, mean: Real, variance: Real, odds: Real, demand: Real, lead: Real
) -> tuple[Real, ...]:
    """What tells whether a bid will be met; `demand` is how many more tricks are wanted than there are."""
    gap = need - mean
    return (
        1.0,
        gap,
        gap * gap,
        abs(gap),
        variance,
        gap * gap / (variance + 0.2),
        np.log(odds + 0.02),
        demand,
        demand * gap,
        lead,
        lead * gap,
    )


@compiled
def others_need(s: Record, me: Int) -> Real:
    """How many tricks the others still want."""
    total = 0.0
    for seat in range(s.players):
        if seat != me and s.bids[seat] > s.taken[seat]:
            total += s.bids[seat] - s.taken[seat]
    return total


@compiled
def bid_demand(s: Record, mean: Real) -> Real:
    """How many more tricks are wanted than there are, where those who have not bid want an even share."""
    total = mean + (np.int64(s.players) - s.said - 1.0) * s.size / s.players - s.size
    for place in range(s.said):
        total += s.bids[wrap(np.int64(s.starter) + place, np.int64(s.players))]
    return total


@compiled
def _trump(s: Record) -> Int:
    """The suit that promises most tricks."""
    odds = np.empty(MOST_LEFT + 1)
    most: Real = -1.0
    chosen: Int = 0
    for suit in range(4):
        mean, _ = expected_tricks(s, s.hands[s.turn], suit, SEEK, odds)
        if mean > most:
            most, chosen = mean, suit
    return chosen


@compiled
def bid_features(s: Record, bid: Int, mean: Real, variance: Real, odds: Real) -> tuple[Real, ...]:
    """What tells whether a bid would be met."""
    gap = bid - mean
    demand = bid_demand(s, mean)
    first = 1.0 if s.said == 0 else 0.0
    last = 1.0 if s.said + 1 == s.players else 0.0
    return (
        1.0,
        gap,
        gap * gap,
        abs(gap),
        variance,
        np.log(odds + 0.02),
        demand,
        demand * gap,
        first,
        first * gap,
        last,
        last * gap,
        1.0 if bid == 0 else 0.0,
    )


@compiled
def _bid(s: Record) -> Int:
    """The bid of the highest expected points; a miss costs about 13."""
    odds = np.empty(MOST_LEFT + 1)
    weights = MEET_BID[s.size - 1 if s.size < len(MEET_BID) else len(MEET_BID) - 1]
    bids = legal(s)
    best: Real = -1e9
    chosen: Int = 0
    middle, _ = expected_tricks(s, s.hands[s.turn], np.int64(s.trump), SEEK, odds)
    while bids:
        bid = ctz(bids)
        bids &= bids - 1
        if abs(bid - middle) > 1.7:  # the fit has seen no such bids
            continue
        mean, variance = expected_tricks(s, s.hands[s.turn], np.int64(s.trump), aim_of(bid), odds)
        chance = _chance(weights, bid_features(s, bid, mean, variance, odds[bid]))
        value = chance * (2.0 + bid) - (1.0 - chance) * max(1.3, abs(bid - mean))
        if value > best:
            best, chosen = value, bid
    return chosen


@compiled
def aim_of(need: Int) -> Int:
    """What a seat aims at, by the tricks that it needs."""
    return SEEK if need > 0 else AVOID


@compiled
def _card(s: Record) -> Int:
    """The card of the highest expected points, whether it wins the running trick or not."""
    cards = legal(s)
    if cards & (cards - 1) == 0:
        return ctz(cards)
    me = np.int64(s.turn)
    need = np.int64(s.bids[me]) - np.int64(s.taken[me])
    odds = np.empty(MOST_LEFT + 1)
    best: Real = -1e9
    chosen: Int = 0
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        rest = s.hands[me] & ~(1 << card)
        wins = chance_to_win(s, me, card)
        value: Real = 0.0
        if wins > 0.0:
            value += wins * meet_value(s, me, rest, need - 1, 1.0, odds)
        if wins < 1.0:
            value += (1.0 - wins) * meet_value(s, me, rest, need, 0.0, odds)
        if value > best:
            best, chosen = value, card
    return chosen


@compiled
def meet_value(s: Record, me: Int, rest: Int, need: Int, lead: Real, odds: Array) -> Real:
    """Expected tens of points after this trick, with the cards `rest` in hand and `need` tricks missing."""
    bid = np.float64(s.bids[me])
    left = popcount(rest)
    if left == 0 and need == 0:
        return 2.0 + bid
    aim = aim_of(need)
    mean, variance = expected_tricks(s, rest, np.int64(s.trump), aim, odds)
    if need < 0 or need > left:
        return -max(abs(need - mean), 1.0 * (-need if need < 0 else need - left))
    demand = others_need(s, me) + mean - left
    chance = _chance(MEET[aim, GROUP[left]], meet_features(1.0 * need, mean, variance, odds[need], demand, lead))
    return chance * (2.0 + bid) - (1.0 - chance) * max(1.0, abs(need - mean))


@compiled
def power_of(s: Record, card: Int) -> Int:
    """What a card would be worth in the running trick; a suit card may set the suit."""
    follow: Int = np.int64(s.follow)
    if follow == NO_SUIT and card < JESTER and s.power != WIZARD_POWER:
        follow = card // 13
    return np.int64(POWER[s.trump, follow, card])


@compiled
def chance_to_win(s: Record, me: Int, card: Int) -> Real:
    """The chance that a card takes the running trick."""
    power = power_of(s, card)
    if s.in_trick > 0 and power <= s.power:
        return 0.0
    later = np.int64(s.players) - s.in_trick - 1
    if power == WIZARD_POWER or later == 0:
        return 1.0
    if power == 0:
        return 0.0
    return _chance(HOLD[hold_kind(s, power)], hold_features(s, me, card, later))


@compiled
def hold_kind(s: Record, power: Int) -> Int:
    """Which weights a card takes that is winning the trick: led or not, trump or not."""
    return (2 if s.in_trick == 0 else 0) + (1 if power >= TRUMP_POWER else 0)


@compiled
def hold_features(s: Record, me: Int, card: Int, later: Int) -> tuple[Real, ...]:
    """What tells whether a card that is winning the running trick is beaten by those who play later."""
    hidden = unseen(s, me)
    suit = card // 13
    follow = suit if s.follow == NO_SUIT else np.int64(s.follow)
    trump = np.int64(s.trump)
    known = max(1, popcount(hidden))
    higher = popcount(hidden & SUIT[suit] & -(2 << card))
    following = popcount(hidden & SUIT[follow])
    trumps = popcount(hidden & SUIT[trump]) if suit != trump else 0
    wizards = popcount(hidden & WIZARDS)
    over, wanted_over, cut, wanted_cut, magic, wanted_magic, wants = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(1, later + 1):
        seat = wrap(me + k, np.int64(s.players))
        held = hand_size(s, seat) / known
        is_void = s.voids[seat] >> follow & 1
        free = 1.0 if is_void else np.exp(-held * following)
        if suit == follow:
            chance_over = 0.0 if is_void else 1.0 - np.exp(-held * higher)
            chance_cut = 0.0 if s.voids[seat] >> trump & 1 else free * (1.0 - np.exp(-held * trumps))
        else:  # a trump on another suit: only void seats may go over it
            chance_over = 0.0 if s.voids[seat] >> suit & 1 else free * (1.0 - np.exp(-held * higher))
            chance_cut = 0.0
        chance_magic = 1.0 - np.exp(-held * wizards)
        want = 1.0 if s.bids[seat] > s.taken[seat] else 0.0
        over += chance_over
        cut += chance_cut
        magic += chance_magic
        wanted_over += want * chance_over
        wanted_cut += want * chance_cut
        wanted_magic += want * chance_magic
        wants += want
    return (1.0, over, wanted_over, cut, wanted_cut, magic, wanted_magic, wants, 1.0 * later)
