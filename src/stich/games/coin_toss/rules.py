"""The rules of The coin toss game of document 001, section 3.2, which takes it from a talk by N. Brown.."""

from collections.abc import Mapping

import numpy as np

from stich.core.contract import Array, Int, Record
from stich.core.facts import Fact
from stich.core.jit import compiled
from stich.core.rng import below, mix
from stich.core.sampler import add_card, add_place, begin
from stich.core.spec import Option, layout
from stich.core.words import Words

SELL, PLAY, GUESS_HEADS, GUESS_TAILS = range(4)
HEADS, TAILS, UNKNOWN = range(3)
NAMES = ("sell", "play", "heads", "tails")
SIDES = NAMES[GUESS_HEADS:]
NOTHING, SOLD, PLAYED, GUESSED = range(4)
"""What has happened so far."""

STATE = layout(
    [
        ("coin", "u1"),
        ("stage", "u1"),
        ("guess", "u1"),  # HEADS or TAILS, UNKNOWN before
        ("sell_heads", "i1"),
        ("sell_tails", "i1"),
        ("right", "i1"),
        ("wrong", "i1"),
    ]
)


@compiled
def deal_count(s: Record) -> Int:
    """Heads and tails."""
    return 2


@compiled
def deal_nth(s: Record, k: Int) -> None:
    """Deal 0 is heads, deal 1 is tails."""
    s.coin = k
    s.stage = NOTHING
    s.guess = UNKNOWN


def deal(s: Record, rng: Record) -> None:
    """Tosses the coin."""
    deal_nth(s, below(rng, deal_count(s)))


def player(s: Record) -> Int:
    """The holder of the coin, then the guesser."""
    return np.int64(s.stage == PLAYED)


def legal(s: Record) -> Int:
    """Sell or play; then heads or tails."""
    return 3 if s.stage == NOTHING else 12


def apply(s: Record, a: Int) -> None:
    """Selling and guessing end the game."""
    if a >= GUESS_HEADS:
        s.stage = GUESSED
        s.guess = a - GUESS_HEADS
    else:
        s.stage = PLAYED if a == PLAY else SOLD


@compiled
def is_over(s: Record) -> Int:
    """Sold or guessed."""
    return s.stage == SOLD or s.stage == GUESSED


def returns(s: Record, out: Array) -> None:
    """What the holder gets, by the options; the guesser pays it."""
    if s.stage == SOLD:
        halves = s.sell_heads if s.coin == HEADS else s.sell_tails
    else:
        halves = s.right if s.coin == s.guess else s.wrong
    out[0] = halves / 2
    out[1] = -halves / 2


def hide(s: Record, me: Int) -> None:
    """The guesser sees the coin at the end."""
    if me == 1 and not is_over(s):
        s.coin = UNKNOWN


def owners(s: Record, me: Int, plan: Record) -> None:
    """One of the sides lies up, the other down."""
    begin(plan)
    if me == 1 and not is_over(s):
        add_place(plan, 1)
        add_place(plan, 1)
        add_card(plan, GUESS_HEADS)
        add_card(plan, GUESS_TAILS)


def fill(s: Record, me: Int, draw: Record) -> None:
    """Lays the coin with the drawn side up."""
    for i in range(draw.cards):
        if draw.place[i] == 0:
            s.coin = draw.card[i] - GUESS_HEADS


def observe(s: Record, me: Int, which: Int, out: Array) -> None:
    """The seat, the coin where it is seen, and whether the holder plays."""
    for i in range(5):
        out[i] = 0
    out[me] = 1
    if me == 0 or is_over(s):
        out[2 + s.coin] = 1
    out[4] = s.stage == PLAYED or s.stage == GUESSED


def key(s: Record, me: Int) -> Int:
    """Seat, coin where it is seen, and what has happened."""
    coin = np.int64(s.coin) if me == 0 or is_over(s) else UNKNOWN
    return mix(mix(me, coin), s.stage << 2 | s.guess)


def action_name(s: Record, a: int) -> str:
    """`sell`, `play`, `heads` or `tails`."""
    return NAMES[a] if 0 <= a < len(NAMES) else f"action {a}"


def describe(s: Record, a: int) -> Fact:
    """An action by its name; heads and tails are guesses here, no cards to play."""
    return Fact(NAMES[a])


def piles(s: Record) -> dict[str, list[str]]:
    """The sides of the coin as cards: one lies up, one down."""
    coin = int(s["coin"])
    return {"up": [SIDES[coin]], "down": [SIDES[1 - coin]]} if coin != UNKNOWN else {"up": [], "down": []}


def show(s: Record, me: int | None, mask: int, words: Words) -> str:
    """The coin where it is seen, and what has happened."""
    coin = words.card(SIDES[s["coin"]]) if s["coin"] != UNKNOWN else "?"
    stages = ("nothing", "sold", "played", "guessed")
    side = {"card": SIDES[s["guess"]]} if s["stage"] == GUESSED else {}
    return f"{words.line('coin')}: {coin}   {words.line('so_far')}: {words.line(stages[s['stage']], **side)}"


def bounds(codes: Mapping[str, int]) -> tuple[float, float]:
    """The greatest payoff either way."""
    most = max(abs(value) for value in codes.values()) / 2
    return -most, most


def _payoff(name: str, doc: str, default: int) -> Option:
    return Option(name, f"what the holder gets {doc}, in halves", default, low=-100, high=100)
