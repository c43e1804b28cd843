"""The rules of Jass, Schieber."""

from collections.abc import Mapping

import numpy as np

from stich.core.bits import nth, popcount
from stich.core.contract import Array, Int, Record
from stich.core.jit import compiled
from stich.core.rng import below, mix, next64
from stich.core.sampler import add_card, add_place, begin
from stich.games.jass.cards import ALL, BUUR, HIGHER, NO_BAR, POWER, SUIT, VALUE, K, Q
from stich.games.jass.melds import melds_of, winning_melds
from stich.games.jass.rounds import begin_round, begin_trick
from stich.games.jass.scoring import factor, total
from stich.games.jass.state import ANNOUNCE, MELD, MODE_0, PARTNER, PLAY, PUSH, SILENT, TRUMP

HIGHEST, JASSKIT = range(2)


def deal(s: Record, rng: Record) -> None:
    """Deals the first round, with a random dealer."""
    s.score[0] = 0
    s.score[1] = 0
    s.round = 0
    s.over = 0
    s.first = 0
    s.dealer = below(rng, 4)
    s.rng.a = 0
    s.rng.b = 0
    if s.target > 0 or s.rounds > 1:
        s.rng.a = next64(rng)
        s.rng.b = next64(rng) | np.uint64(1)
    _deal_cards(s, rng)
    begin_round(s)


@compiled
def _deal_cards(s: Record, rng: Record) -> None:
    left: Int = ALL
    count = 36
    for seat in range(3):
        hand: Int = 0
        for _ in range(9):
            bit = nth(left, below(rng, count))
            left ^= bit
            hand |= bit
            count -= 1
        s.hands[seat] = hand
    s.hands[3] = left


def player(s: Record) -> Int:
    """The seat to act."""
    return np.int64(s.turn)


def legal(s: Record) -> Int:
    """The cards of docs/rules.md 3.3 in play, else the choices of the phase."""
    if s.phase != PLAY:
        return _legal_choices(s)
    hand = s.hands[s.turn]
    if s.cards == 0:
        return hand
    follow = hand & SUIT[s.lead]
    trumps = hand & SUIT[s.mode]
    if s.lead == s.mode:  # a Buur alone need not be played
        return follow if follow & ~BUUR[s.mode] else hand
    rest = hand & ~trumps
    if rest == 0:  # nothing but trumps: any of them
        return hand
    return (follow if follow else rest) | (trumps & HIGHER[s.bar])


@compiled
def _legal_choices(s: Record) -> Int:
    if s.phase == MELD:
        points, _, _ = melds_of(s.hands[s.turn], np.int64(s.mode))
        return 1 << SILENT | (1 << ANNOUNCE if points > 0 else 0)
    return 0x3F << MODE_0 | (1 << PUSH if s.phase == TRUMP else 0)


def apply(s: Record, a: Int) -> None:
    """Plays a card or makes a choice."""
    if s.phase != PLAY:
        _choose(s, a)
        return
    seat = np.int64(s.turn)
    mode = np.int64(s.mode)
    suit = a // 9
    s.plays[4 * s.tricks + s.cards] = a
    s.hands[seat] &= ~(1 << a)
    s.played |= 1 << a
    s.pot += VALUE[mode, a]
    if s.cards == 0:
        s.lead = suit
    elif suit != s.lead:
        _off_suit(s, seat, suit, a)
    power = POWER[mode, s.lead, a]
    if power > s.power:
        s.power = power
        s.winner = seat
    if s.stoeck and suit == mode and (a == 9 * mode + K or a == 9 * mode + Q):
        _play_pair(s, seat)
    s.cards += 1
    if s.cards < 4:
        s.turn = (seat + 3) & 3
        if s.melds and s.tricks == 0:
            s.phase = MELD
    else:
        _end_trick(s)


@compiled
def _choose(s: Record, a: Int) -> None:
    """A mode, a push or an announcement."""
    if a == PUSH:
        s.pushed = 1
        s.phase = PARTNER
        s.turn = (s.turn + 2) & 3
    elif s.phase == MELD:
        if a == ANNOUNCE:
            s.shown[s.turn] = melds_of(s.hands[s.turn], np.int64(s.mode))[2]
        s.phase = PLAY
    else:
        s.mode = a - MODE_0
        s.declarer = s.turn
        s.turn = (s.dealer + 3) & 3
        s.phase = MELD if s.melds else PLAY


@compiled
def _off_suit(s: Record, seat: Int, suit: Int, a: Int) -> None:
    """Records what a card of another suit than the led one shows, and the new bar for trumps."""
    if suit != s.mode:
        # A discard: none of the led suit, except that a lone Buur is never forced out.
        s.voids[seat] |= SUIT[s.lead] & ~(BUUR[s.mode] if s.lead == s.mode else 0)
        return
    if s.bar == NO_BAR:
        s.bar = a
    elif not HIGHER[s.bar] >> a & 1:  # below the bar: only a hand of nothing but trumps may do that
        s.voids[seat] |= ALL & ~SUIT[s.mode]
        if s.undertrump == JASSKIT and a > s.bar:
            s.bar = a
    elif s.undertrump == HIGHEST or a > s.bar:
        s.bar = a


@compiled
def _play_pair(s: Record, seat: Int) -> None:
    """Stöck: the second of trump king and queen from the same hand scores at once."""
    if s.pair == seat:
        s.bonus[seat & 1] += 20
        _check_target(s, seat & 1)
    s.pair = seat


@compiled
def _end_trick(s: Record) -> None:
    """Credits a trick in the order Wys, Stich (Stöck went first) and begins the next."""
    seat = np.int64(s.winner)
    team = seat & 1
    s.turn = seat
    s.tricks += 1
    if s.melds and s.tricks == 1:
        melders, worth = winning_melds(s)
        s.bonus[melders] += worth
        _check_target(s, melders)
    s.won[team] += 1
    s.points[team] += s.pot
    if s.tricks == 9:
        s.points[team] += 5
        if s.match_bonus and s.won[team] == 9:
            s.bonus[team] += 100
    _check_target(s, team)
    begin_trick(s)
    if s.tricks == 9 and not s.over:
        _end_round(s)


@compiled
def _check_target(s: Record, team: Int) -> None:
    """Ends a match to a target when a team reaches it; Stöck still in hand go before Wys and Stich."""
    if s.target > 0 and not s.over and total(s, team) >= s.target:
        s.over = 1
        s.first = team
        other = 1 - team
        if s.stoeck and _holds_stoeck(s, other) and total(s, other) + 20 * factor(s) >= s.target:
            s.first = other


@compiled
def _holds_stoeck(s: Record, team: Int) -> Int:
    """Whether a seat of the team has trump king and queen, at least one of them still to be played."""
    if s.mode > 3:
        return False
    pair = 1 << (9 * s.mode + K) | 1 << (9 * s.mode + Q)
    for seat in (team, team + 2):
        held = popcount(s.hands[seat] & pair)
        if held == 2 or (held == 1 and s.pair == seat):
            return True
    return False


@compiled
def _end_round(s: Record) -> None:
    """Writes the round down; the last one ends the game, else the next dealer deals."""
    for team in range(2):
        s.score[team] = total(s, team)
    s.round += 1
    if s.target == 0 and s.round >= s.rounds:
        s.over = 1
    else:
        s.dealer = (s.dealer + 3) & 3
        _deal_cards(s, s.rng)
        begin_round(s)


def is_over(s: Record) -> Int:
    """Whether the round, the rounds or the match have ended."""
    return s.over != 0


def stage(s: Record) -> Int:
    """The rounds that are finished."""
    return np.int64(s.round)


def phase(s: Record) -> Int:
    """Choosing the mode, announcing melds, or playing a card."""
    return 2 if s.phase == PLAY else 1 if s.phase == MELD else 0


def measure(s: Record, out: Array) -> None:
    """Each side's share of the points of both."""
    for seat in range(4):
        out[seat, 0] = s.score[seat & 1] / max(1, s.score[0] + s.score[1])


def hide(s: Record, me: Int) -> None:
    """Erases the other hands and the deals to come; all else is public."""
    for seat in range(4):
        if seat != me:
            s.hands[seat] = 0
    s.rng.a = 0
    s.rng.b = 0


@compiled
def hand_size(s: Record, seat: Int) -> Int:
    """How many cards a seat holds, from public knowledge alone."""
    turn = (s.leads[s.tricks] + 4 - seat) & 3
    return 9 - s.tricks - (1 if turn < s.cards else 0)


def owners(s: Record, me: Int, plan: Record) -> None:
    """Each unseen card may be in any other hand that has not shown itself void; announced cards are known."""
    begin(plan)
    for k in range(1, 4):
        add_place(plan, hand_size(s, (me + k) & 3))
    hidden = ALL & ~s.played & ~s.hands[me]
    shown = s.shown[0] | s.shown[1] | s.shown[2] | s.shown[3]
    for card in range(36):
        if hidden >> card & 1:
            row = add_card(plan, card)
            for k in range(3):
                seat = (me + 1 + k) & 3
                elsewhere = shown >> card & 1 and not s.shown[seat] >> card & 1
                if elsewhere or s.voids[seat] >> card & 1:
                    plan.weight[row, k] = 0.0


def fill(s: Record, me: Int, draw: Record) -> None:
    """Gives the drawn cards to the other hands and new randomness to the deals to come."""
    for i in range(draw.cards):
        s.hands[(me + 1 + draw.place[i]) & 3] |= 1 << draw.card[i]
    if s.target > 0 or s.rounds > 1:
        s.rng.a = draw.seed
        s.rng.b = ~draw.seed


def key(s: Record, me: Int) -> Int:
    """Mixes its own cards, the standing of the match and all that has been said and played this round."""
    code = mix(s.hands[me], np.int64(s.score[0]) << 32 | s.score[1])
    choices = (
        np.int64(s.dealer) << 24 | np.int64(s.declarer) << 16 | np.int64(s.mode) << 8 | s.pushed << 4 | s.phase
    )
    code = mix(code, choices << 8 | me)
    if s.melds:
        for seat in range(4):
            code = mix(code, s.shown[seat])
    for i in range(4 * s.tricks + s.cards):
        code = mix(code, np.int64(s.plays[i]))
    return code


def bounds(codes: Mapping[str, int]) -> tuple[float, float]:
    """A target is won or lost; else no round can bring more than tricks and the switched-on bonuses."""
    if codes["target"]:
        return 0.0, 1.0
    most = 157 + 100 * codes["match_bonus"] + 20 * codes["stoeck"] + 700 * codes["melds"]
    return 0.0, float(codes["rounds"] * most * (3 if codes["multipliers"] else 1))


def sum_of_returns(codes: Mapping[str, int]) -> float | None:
    """157 a round for each pair of partners while nothing but tricks counts."""
    if codes["target"]:
        return 2.0
    bonuses = codes["match_bonus"] or codes["stoeck"] or codes["melds"] or codes["multipliers"]
    return None if bonuses else 314.0 * codes["rounds"]
