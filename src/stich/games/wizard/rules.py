"""The rules of Wizard."""

from collections.abc import Mapping

import numpy as np

from stich.core.bits import ctz, nth
from stich.core.contract import Array, Int, Record
from stich.core.errors import StichError
from stich.core.jit import compiled
from stich.core.rng import below, mix, next64
from stich.core.sampler import add_card, add_place, begin
from stich.games.wizard.cards import (
    ALL,
    JESTER,
    NO_CARD,
    NO_SUIT,
    POWER,
    SPECIAL,
    SUIT,
    WIZARD,
    WIZARD_POWER,
)
from stich.games.wizard.state import (
    BID,
    CHOOSE,
    GAME,
    MOST,
    PLAY,
    RANDOM_SEAT,
    hand_size,
    points,
    unseen,
    wrap,
)


def deal(s: Record, rng: Record) -> None:
    """Deals the first round, or the only one."""
    players = np.int64(s.players)
    for seat in range(MOST):
        s.score[seat] = 0
        s.met[seat] = 0
        s.last_bids[seat] = 0
        s.last_taken[seat] = 0
    s.over = 0
    s.starter = below(rng, players) if s.start_seat == RANDOM_SEAT else s.start_seat - 1
    s.rng.a = 0
    s.rng.b = 0
    if s.length == GAME:
        s.size = 1
        s.rng.a = next64(rng)
        s.rng.b = next64(rng) | np.uint64(1)
    else:
        s.size = s.round if s.round > 0 else 1 + below(rng, 60 // players)
    _deal_cards(s, rng)
    begin_round(s)


@compiled
def _deal_cards(s: Record, rng: Record) -> None:
    """Hands for all, and one more card turned up where one is left."""
    left: Int = ALL
    count = 60
    for seat in range(MOST):
        hand: Int = 0
        if seat < s.players:
            for _ in range(s.size):
                card = nth(left, below(rng, count))
                left ^= card
                hand |= card
                count -= 1
        s.hands[seat] = hand
    s.turned = ctz(nth(left, below(rng, count))) if count > 0 else NO_CARD


@compiled
def begin_round(s: Record) -> None:
    """Clears all that belongs to one round; hands, turned card and start seat stand."""
    for seat in range(MOST):
        s.voids[seat] = 0
        s.bids[seat] = 0
        s.taken[seat] = 0
    for i in range(60):
        s.plays[i] = 0
    for i in range(21):
        s.leads[i] = 0
    s.played = 0
    s.said = 0
    s.tricks = 0
    s.trump = s.turned // 13 if s.turned < JESTER else NO_SUIT
    s.phase = BID
    s.turn = s.starter
    _begin_trick(s)
    if s.wizard_turned and WIZARD <= s.turned < NO_CARD:
        s.phase = CHOOSE
        s.turn = s.starter - 1 if s.starter > 0 else s.players - 1


@compiled
def _begin_trick(s: Record) -> None:
    s.leads[s.tricks] = s.turn
    s.in_trick = 0
    s.follow = NO_SUIT
    s.best = NO_CARD
    s.winner = s.turn
    s.power = 0


def player(s: Record) -> Int:
    """The seat to act."""
    return np.int64(s.turn)


def legal(s: Record) -> Int:
    """Cards of the suit to follow and special cards, else any card; or the choices of the phase."""
    if s.phase != PLAY:
        return _legal_choices(s)
    hand = s.hands[s.turn]
    follow = hand & SUIT[s.follow]
    return follow | (hand & SPECIAL) if follow else hand


@compiled
def _legal_choices(s: Record) -> Int:
    """All suits, or the bids 0 to r; under the hook the last one may not make them add up to r."""
    if s.phase == CHOOSE:
        return 0xF
    bids = (1 << (np.int64(s.size) + 1)) - 1
    if s.hook and s.said + 1 == s.players:
        missing = np.int64(s.size)
        for seat in range(s.players):
            missing -= s.bids[seat]
        if missing >= 0:
            bids &= ~(1 << missing)
    return bids


def apply(s: Record, a: Int) -> None:
    """Plays a card or makes a choice."""
    if s.phase != PLAY:
        _choose(s, a)
        return
    seat = np.int64(s.turn)
    s.plays[s.tricks * s.players + s.in_trick] = a
    s.hands[seat] &= ~(1 << a)
    s.played |= 1 << a
    if a < JESTER:
        suit = a // 13
        if s.follow != NO_SUIT:
            if suit != s.follow:
                s.voids[seat] |= 1 << s.follow
        elif s.power != WIZARD_POWER:  # a wizard before any suit frees the whole trick
            s.follow = suit
    power = POWER[s.trump, s.follow, a]
    if power > s.power or s.in_trick == 0:
        s.power = power
        s.best = a
        s.winner = seat
    s.in_trick += 1
    if s.in_trick < s.players:
        s.turn = seat + 1 if seat + 1 < s.players else 0
    else:
        _end_trick(s)


@compiled
def _choose(s: Record, a: Int) -> None:
    """The dealer's trump suit, or a bid."""
    if s.phase == CHOOSE:
        s.trump = a
        s.phase = BID
        s.turn = s.starter
        return
    s.bids[s.turn] = a
    s.said += 1
    s.turn = s.turn + 1 if s.turn + 1 < s.players else 0
    if s.said == s.players:
        s.phase = PLAY


@compiled
def _end_trick(s: Record) -> None:
    """The first wizard, else the highest trump, else the highest card of the suit has won; it leads next."""
    s.taken[s.winner] += 1
    s.turn = s.winner
    s.tricks += 1
    _begin_trick(s)
    if s.tricks == s.size:
        _end_round(s)


@compiled
def _end_round(s: Record) -> None:
    """Writes the round down; the last one ends the game, else one card more is dealt."""
    for seat in range(s.players):
        bid, taken = np.int64(s.bids[seat]), np.int64(s.taken[seat])
        s.score[seat] += points(bid, taken)
        s.met[seat] += bid == taken
        s.last_bids[seat] = bid
        s.last_taken[seat] = taken
    if s.length == GAME and (s.size + 1) * s.players <= 60:
        s.size += 1
        s.starter = s.starter + 1 if s.starter + 1 < s.players else 0
        _deal_cards(s, s.rng)
        begin_round(s)
    else:
        s.over = 1


def is_over(s: Record) -> Int:
    """Whether the round or the whole game has ended."""
    return s.over != 0


def returns(s: Record, out: Array) -> None:
    """Each seat's points."""
    for seat in range(s.players):
        out[seat] = s.score[seat]


def stage(s: Record) -> Int:
    """The rounds of a game that are finished."""
    return s.size - 1 + s.over if s.length == GAME else np.int64(s.over)


def stakes(s: Record, out: Array) -> None:
    """What the running round may bring."""
    out[0] = -10.0 * s.size
    out[1] = 20.0 + 10.0 * s.size


def phase(s: Record) -> Int:
    """Choosing the trump suit, bidding, or playing a card."""
    return np.int64(s.phase)


def measure(s: Record, out: Array) -> None:
    """The share of rounds in which each seat met its bid."""
    rounds = s.size if s.length == GAME else 1
    for seat in range(s.players):
        out[seat, 0] = s.met[seat] / rounds


def hide(s: Record, me: Int) -> None:
    """Erases the other hands and the deals to come; all else is public."""
    for seat in range(MOST):
        if seat != me:
            s.hands[seat] = 0
    s.rng.a = 0
    s.rng.b = 0


def owners(s: Record, me: Int, plan: Record) -> None:
    """Each unseen card may be in the rest of the pack or any other hand that has not shown itself void."""
    begin(plan)
    players = np.int64(s.players)
    for k in range(1, players):
        add_place(plan, hand_size(s, wrap(me + k, players)))
    rest = 60 - players * np.int64(s.size) - (1 if s.turned != NO_CARD else 0)
    if rest > 0:
        add_place(plan, rest)
    hidden = unseen(s, me)
    for card in range(60):
        if hidden >> card & 1:
            row = add_card(plan, card)
            for k in range(players - 1):
                if card < JESTER and s.voids[wrap(me + 1 + k, players)] >> (card // 13) & 1:
                    plan.weight[row, k] = 0.0


def fill(s: Record, me: Int, draw: Record) -> None:
    """Gives the drawn cards to the other hands and new randomness to the deals to come."""
    players = np.int64(s.players)
    for i in range(draw.cards):
        if draw.place[i] < players - 1:
            s.hands[wrap(me + 1 + draw.place[i], players)] |= 1 << draw.card[i]
    if s.length == GAME:
        s.rng.a = draw.seed
        s.rng.b = ~draw.seed


def rewind(s: Record, past: Array, rng: Record) -> Int:
    """Back to the first choice of the round."""
    players = np.int64(s.players)
    count = 0
    if s.wizard_turned and WIZARD <= s.turned < NO_CARD and s.phase != CHOOSE:
        past[count] = s.trump
        count += 1
    for k in range(np.int64(s.said)):
        past[count] = s.bids[wrap(np.int64(s.starter) + k, players)]
        count += 1
    for i in range(np.int64(s.tricks) * players + s.in_trick):
        past[count] = s.plays[i]
        count += 1
        s.hands[wrap(np.int64(s.leads[i // players]) + i % players, players)] |= 1 << s.plays[i]
    begin_round(s)
    return count


def key(s: Record, me: Int) -> Int:
    """Mixes its own cards, the standing of the game and all that has been said and played this round."""
    code = mix(s.hands[me], np.int64(s.size) << 24 | np.int64(s.starter) << 16 | np.int64(s.turned) << 8 | me)
    code = mix(code, np.int64(s.trump) << 16 | np.int64(s.phase) << 8 | s.said)
    for seat in range(s.players):
        code = mix(code, np.int64(s.score[seat]) << 16 | np.int64(s.met[seat]) << 8 | s.bids[seat])
        code = mix(code, np.int64(s.last_bids[seat]) << 8 | s.last_taken[seat])
    for i in range(np.int64(s.tricks) * s.players + s.in_trick):
        code = mix(code, np.int64(s.plays[i]))
    return code


def check_options(codes: Mapping[str, int]) -> None:
    """Refuses a round or a start seat that the number of players does not allow."""
    most = 60 // codes["players"]
    if codes["round"] > most:
        raise StichError(f"with {codes['players']} players there are rounds of 1 to {most} cards")
    if codes["round"] and codes["length"] == GAME:
        raise StichError("a whole game has all rounds; for one round of chosen size take wizard.round")
    if codes["start_seat"] > codes["players"]:
        raise StichError(f"with {codes['players']} players there are seats 0 to {codes['players'] - 1}")


def bounds(codes: Mapping[str, int]) -> tuple[float, float]:
    """Every trick bid and none taken, or every trick bid and taken, in all rounds."""
    rounds = 60 // codes["players"]
    if codes["length"] == GAME:
        tricks = rounds * (rounds + 1) // 2
        return -10.0 * tricks, 20.0 * rounds + 10.0 * tricks
    size = codes["round"] or rounds
    return -10.0 * size, 20.0 + 10.0 * size
