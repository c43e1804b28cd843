"""The rules of Leduc poker."""

from collections.abc import Mapping

import numpy as np

from stich.core.bits import nth_bit
from stich.core.contract import Array, Int, Record
from stich.core.faces import Face
from stich.core.facts import Fact
from stich.core.jit import compiled
from stich.core.rng import below, mix
from stich.core.sampler import add_card, add_place, begin
from stich.core.spec import layout
from stich.core.words import Words

FOLD, CALL, RAISE = range(3)
CARDS = ("JH", "JS", "QH", "QS", "KH", "KS")
NAMES = ("fold", "call", "raise", *CARDS)
FIRST_CARD = 3
UNKNOWN = 6
MOST_RAISES = 2
RUNNING, FOLDED, SHOWDOWN = range(3)
"""Whether and how the game has ended."""
FACES = {name: Face({"H": "hearts", "S": "spades"}[name[1]], name[0]) for name in CARDS}

STATE = layout(
    [
        ("hands", "u1", 2),
        ("board", "u1"),
        ("paid", "u1", 2),
        ("stake", "u1"),  # what each has to have paid to stay in
        ("plays", "u1", (2, 4)),  # the moves of each round, one more than their action id
        ("moves", "u1"),  # in the running round
        ("raises", "u1"),  # in the running round
        ("round", "u1"),
        ("turn", "u1"),
        ("end", "u1"),
    ]
)


@compiled
def deal_count(s: Record) -> Int:
    """Six cards, then five, then four."""
    return 120


@compiled
def deal_nth(s: Record, k: Int) -> None:
    """Deal `k`: the first hand is card k // 20, the second and the board are of those left."""
    s.hands[0] = k // 20
    left = 63 & ~(1 << k // 20)
    s.hands[1] = nth_bit(left, k // 4 % 5)
    s.board = nth_bit(left & ~(1 << s.hands[1]), k % 4)
    for seat in range(2):
        s.paid[seat] = 1
        for i in range(4):
            s.plays[seat, i] = 0
    s.stake = 1
    s.moves = 0
    s.raises = 0
    s.round = 0
    s.turn = 0
    s.end = RUNNING


def deal(s: Record, rng: Record) -> None:
    """A card for each seat and one for the board."""
    deal_nth(s, below(rng, deal_count(s)))


def player(s: Record) -> Int:
    """The seat to act."""
    return np.int64(s.turn)


def legal(s: Record) -> Int:
    """To call always; to fold where there is something to call; to raise twice a round."""
    mask = 1 << CALL
    if s.stake > s.paid[s.turn]:
        mask |= 1 << FOLD
    if s.raises < MOST_RAISES:
        mask |= 1 << RAISE
    return mask


def apply(s: Record, a: Int) -> None:
    """A call ends the round unless it is the round's first move."""
    s.plays[s.round, s.moves] = a + 1
    s.moves += 1
    if a == FOLD:
        s.end = FOLDED
        return
    if a == RAISE:
        s.stake += 2 + 2 * s.round
        s.raises += 1
    s.paid[s.turn] = s.stake
    s.turn = 1 - s.turn
    if a == CALL and s.moves > 1:
        _end_round(s)


@compiled
def _end_round(s: Record) -> None:
    if s.round == 1:
        s.end = SHOWDOWN
        return
    s.round = 1
    s.moves = 0
    s.raises = 0
    s.turn = 0


def is_over(s: Record) -> Int:
    """Folded or shown."""
    return s.end != RUNNING


@compiled
def strength(s: Record, seat: Int) -> Int:
    """A pair with the board beats all, then the higher rank."""
    rank = np.int64(s.hands[seat]) >> 1
    return rank + 3 if rank == s.board >> 1 else rank


def returns(s: Record, out: Array) -> None:
    """The winner gets what the other one has paid; equal ranks share."""
    won = np.int64(0)
    if s.end == FOLDED:
        won = -np.int64(s.paid[0]) if s.turn == 0 else np.int64(s.paid[1])
    elif strength(s, 0) > strength(s, 1):
        won = np.int64(s.paid[1])
    elif strength(s, 0) < strength(s, 1):
        won = -np.int64(s.paid[0])
    out[0] = won
    out[1] = -won


def hide(s: Record, me: Int) -> None:
    """The other hand until a showdown, and the board in the first round."""
    if s.end != SHOWDOWN:
        s.hands[1 - me] = UNKNOWN
    if s.round == 0:
        s.board = UNKNOWN


def owners(s: Record, me: Int, plan: Record) -> None:
    """One unseen card is the other hand, one the board while it lies face down, the others are the pack."""
    begin(plan)
    if s.end == SHOWDOWN:
        return
    seen = 1 << s.hands[me]
    add_place(plan, 1)
    if s.round == 0:
        add_place(plan, 1)
        add_place(plan, 3)
    else:
        seen |= 1 << s.board
        add_place(plan, 3)
    for card in range(6):
        if not seen >> card & 1:
            add_card(plan, FIRST_CARD + card)


def fill(s: Record, me: Int, draw: Record) -> None:
    """Place 0 is the other hand; in the first round place 1 is the board."""
    for i in range(draw.cards):
        if draw.place[i] == 0:
            s.hands[1 - me] = draw.card[i] - FIRST_CARD
        elif draw.place[i] == 1 and s.round == 0:
            s.board = draw.card[i] - FIRST_CARD


def observe(s: Record, me: Int, which: Int, out: Array) -> None:
    """Seat, hand, board and the calls and raises, as OpenSpiel's information state tensor has them."""
    for i in range(30):
        out[i] = 0
    out[me] = 1
    out[2 + s.hands[me]] = 1
    if s.round == 1:
        out[8 + s.board] = 1
    for turn in range(2):
        for i in range(4):
            if s.plays[turn, i] > 1:
                out[14 + 8 * turn + 2 * i + s.plays[turn, i] - 2] = 1


def key(s: Record, me: Int) -> Int:
    """Seat, cards that are seen, and all moves."""
    board = np.int64(s.board) if s.round == 1 else UNKNOWN
    other = np.int64(s.hands[1 - me]) if s.end == SHOWDOWN else UNKNOWN
    history = np.int64(s.round)
    for turn in range(2):
        for i in range(4):
            history = history << 2 | s.plays[turn, i]
    return mix(mix(me, history), s.hands[me] << 6 | board << 3 | other)


def action_name(s: Record, a: int) -> str:
    """`fold`, `call` or `raise`, and the names of the cards."""
    return NAMES[a] if 0 <= a < len(NAMES) else f"action {a}"


def describe(s: Record, a: int) -> Fact:
    """An action with the chips it costs."""
    missing = int(s["stake"]) - int(s["paid"][int(s["turn"])])
    if a == CALL:
        return Fact("call", count=missing) if missing else Fact("check")
    return Fact("raise", count=int(s["stake"]) + 2 + 2 * int(s["round"])) if a == RAISE else Fact("fold")


def piles(s: Record) -> dict[str, list[str]]:
    """The hands, the board, and the pack where all others are known."""
    known = [int(s["hands"][0]), int(s["hands"][1]), int(s["board"])]
    named = {name: [card] for name, card in zip(("hand 0", "hand 1", "board"), known, strict=True)}
    pack = [] if UNKNOWN in known else [card for card in range(6) if card not in known]
    return {
        name: [CARDS[card] for card in cards if card != UNKNOWN] for name, cards in {**named, "pack": pack}.items()
    }


def show(s: Record, me: int | None, mask: int, words: Words) -> str:
    """Hands, board, chips and moves."""
    cards = [words.card(CARDS[card]) if card < len(CARDS) else "?" for card in (*s["hands"], s["board"])]
    hands = [
        f"{words.seat(seat)}: {cards[seat]}, {words.line('paid', count=s['paid'][seat])}" for seat in range(2)
    ]
    rounds = [", ".join(words.term(NAMES[play - 1]) for play in plays if play) for plays in s["plays"].tolist()]
    moves = "; ".join(text for text in rounds if text) or words.line("none")
    return "   ".join([*hands, f"{words.pile('board')}: {cards[2]}", f"{words.line('moves')}: {moves}"])


def news(before: Record, s: Record, me: int | None) -> list[Fact]:
    """The board when it is turned up."""
    turned = int(s["round"]) > int(before["round"])
    return [Fact("board", card=CARDS[s["board"]])] if turned else []


def bounds(codes: Mapping[str, int]) -> tuple[float, float]:
    """The ante, two raises of 2 and two of 4."""
    return -13.0, 13.0
