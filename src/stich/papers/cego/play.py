"""Document 000 (P. Oeschger, Cego), sections 4 and 5.2 to 5.4: trick wins, high and low cards, player advantages.

All its simulations are random play, 10^6 games each; so are ours. docs/papers/cego.md holds the results.
"""

from dataclasses import dataclass, replace
from functools import partial
from math import comb, erfc, exp, pi, sqrt

import numpy as np

from stich.core.contract import Array
from stich.core.kernels import random_rounds
from stich.core.rng import stream
from stich.games import make
from stich.games.cego.cards import CARDS, LOW, names_of
from stich.papers.cego.kernels import count_even_losses, count_tricks
from stich.papers.cego.play_figures import draw_advantages, draw_split, draw_tricks
from stich.papers.experiment import comparison
from stich.papers.report import Report, Row, Run, exact, mean, proportion

GAMES = 1_000_000
"""The document's number of games, everywhere."""
PLAYED = GAMES * 44 / 54
"""In how many of them a card is in play: 44 of the 54 cards are dealt to the players."""


def _by_card(text: str) -> dict[str, float]:
    """A table of the document in its own order, by our codes of the cards."""
    words = text.split()
    return dict(zip(words[::2], map(float, words[1::2]), strict=True))


TABLE_4 = _by_card("""
    gstiess-trump 100 21-trump 90.68 20-trump 82.26 19-trump 74.41 18-trump 67.33 17-trump 60.99
    16-trump 55.12 15-trump 49.94 14-trump 45.29 13-trump 41.18 k-d 38.85 k-h 38.83 k-s 38.75 k-c 38.73
    12-trump 37.48 11-trump 34.3 10-trump 31.46 9-trump 29.04 8-trump 26.83 7-trump 25.0 d-d 24.23 d-c 24.22
    d-s 24.21 d-h 24.11 6-trump 23.56 5-trump 22.21 4-trump 20.91 3-trump 19.87 2-trump 18.89 1-trump 18.13
    r-h 14.18 r-s 14.16 r-d 14.1 r-c 14.08 b-c 7.71 b-h 7.68 b-d 7.66 b-s 7.64 10-c 4.03 1-d 4.0 10-s 4.0
    1-h 3.98 2-h 2.28 9-c 2.27 2-d 2.25 9-s 2.24 8-c 1.61 8-s 1.6 3-d 1.59 3-h 1.57 4-h 1.15 7-c 1.14 4-d 1.14
    7-s 1.13
""")
"""P(W|CP): how often a card wins the trick it is played in, in per cent."""

TABLE_5 = _by_card("""
    gstiess-trump 7.41 21-trump 6.72 20-trump 6.09 19-trump 5.51 18-trump 4.99 17-trump 4.52 16-trump 4.08
    15-trump 3.7 14-trump 3.35 13-trump 3.05 k-d 2.88 k-h 2.88 k-c 2.87 k-s 2.87 12-trump 2.78 11-trump 2.54
    10-trump 2.33 9-trump 2.15 8-trump 1.99 7-trump 1.85 d-d 1.79 d-c 1.79 d-s 1.79 d-h 1.79 6-trump 1.74
    5-trump 1.64 4-trump 1.55 3-trump 1.47 2-trump 1.41 1-trump 1.34 r-s 1.05 r-c 1.05 r-h 1.05 r-d 1.04
    b-d 0.57 b-c 0.57 b-s 0.57 b-h 0.57 1-d 0.3 1-h 0.29 10-c 0.29 10-s 0.29 2-h 0.17 9-c 0.17 9-s 0.17 2-d 0.17
    3-h 0.12 8-s 0.12 3-d 0.12 8-c 0.12 4-h 0.09 4-d 0.08 7-c 0.08 7-s 0.08
""")
"""P(W): the share of all tricks that a card wins, in per cent."""

TABLE_6 = {
    ("standard", "off"): (38.761, 40.239, 40.239, 40.239),
    ("standard", "on"): (40.795, 38.205, 38.205, 38.205),
    ("solo", "off"): (30.788, 48.212, 48.212, 48.212),
    ("solo", "on"): (48.996, 30.004, 30.004, 30.004),
    ("ultimo", "off"): (2.369, 97.631, 97.631, 97.631),
    ("ultimo", "on"): (8.42, 91.58, 91.58, 91.58),
    ("bettel", "off"): (6.633, 93.367, 93.367, 93.367),
    ("bettel", "on"): (73.081, 26.919, 26.919, 26.919),
    ("piccolo", "off"): (17.986, 82.014, 82.014, 82.014),
    ("piccolo", "on"): (39.275, 60.725, 60.725, 60.725),
    ("raeuber", "off"): (73.848, 74.839, 75.425, 75.887),
}
"""Average points (Standard-Cego, Solo) or winning percentage of each seat, by sub-game and `heuristic`."""
IN_POINTS = ("standard", "solo")

LOW_BOUND = 20.0
"""Low cards win less than this share of all tricks together, in per cent (5.3)."""
LOW_CARDS, LOW_SHARE = 30, 18.28
HIGH_CARDS, HIGH_SHARE = 24, 81.72
DEALS = 2.51e34


@dataclass(frozen=True)
class Tricks:
    """What was counted in random games of Solo, by card."""

    games: int
    plays: Array
    pairs: Array

    @property
    def wins(self) -> Array:
        """The tricks each card won."""
        return self.pairs.diagonal()

    def share(self, cards: list[int]) -> tuple[float, float]:
        """The share of tricks that some cards win together, in per cent, and its standard deviation a game."""
        per_game = float(self.wins[cards].sum()) / self.games
        square = float(self.pairs[np.ix_(cards, cards)].sum()) / self.games
        return 100 * per_game / 11, 100 * sqrt(max(square - per_game**2, 0.0)) / 11


def play_tricks(run: Run) -> Tricks:
    """Random games of Solo without hand condition (5.2)."""
    states, rngs = make("cego.solo").template.copy(), stream(run.seed, "trick wins")
    plays, pairs = np.zeros(54, np.int64), np.zeros((54, 54), np.int64)
    run.play("solo, trick wins", lambda count: count_tricks(states, count, rngs, plays, pairs))
    return Tricks(run.games, plays, pairs)


def trick_rows(tricks: Tricks) -> tuple[list[Row], list[Row]]:
    """Tables 4 and 5. A card wins at most once a game: its wins are binomial over plays, and over games."""
    wins, plays = tricks.wins.tolist(), tricks.plays.tolist()
    when_played, of_all = [], []
    for card, published in TABLE_4.items():
        i = CARDS.index(card)
        sample = (wins[i], plays[i])
        when_played.append(proportion({"table": 4, "card": card}, published, sample, PLAYED, 100, 0.005))
    for card, published in TABLE_5.items():
        sample = (wins[CARDS.index(card)], tricks.games)
        of_all.append(proportion({"table": 5, "card": card}, published, sample, GAMES, 100 / 11, 0.005))
    return when_played, of_all


def trick_reports(tricks: Tricks) -> list[Report]:
    """Tables 4 and 5 as reports; one figure shows both."""
    when_played, of_all = trick_rows(tricks)
    per_game = {
        "wins_per_game": tricks.wins.sum() / tricks.games,
        "plays_per_game": tricks.plays.sum() / tricks.games,
    }
    return [
        Report(
            "trick-wins",
            "Table 4: P(W|CP), how often a card wins the trick it is played in, in %",
            when_played,
            3,
            [
                "The document's '7-Space' is the 7 of spades.",
                uneven_rank(),
            ],
            per_game,
            partial(draw_tricks, when_played, of_all),
        ),
        Report(
            "trick-shares",
            "Table 5: P(W), the share of all tricks that a card wins, in %",
            of_all,
            4,
            [two_runs()],
        ),
    ]


def rank_evenness(rank: int) -> float:
    """Chi-square with 3 degrees of freedom of the document's Table 4 for the four suit cards of a rank."""
    values = [TABLE_4[CARDS[8 * suit + rank]] for suit in range(4)]
    centre = sum(values) / 4
    variance = centre * (100 - centre) / PLAYED + 0.005**2 / 3
    return sum((value - centre) ** 2 for value in values) / variance


def uneven_rank() -> str:
    """Which four cards of a rank differ most in the document, where suits are alike, and how likely that is."""
    chi, rank = max((rank_evenness(rank), rank) for rank in range(8))
    one = erfc(sqrt(chi / 2)) + sqrt(2 * chi / pi) * exp(-chi / 2)
    values = ", ".join(f"{CARDS[8 * suit + rank]} {TABLE_4[CARDS[8 * suit + rank]]:.2f}" for suit in range(4))
    return (
        f"Cards of a rank have equal chances. The document's most uneven ones are {values}: chi-square {chi:.1f} "
        f"with 3 degrees of freedom. One of eight ranks is at least as uneven with p = {1 - (1 - one) ** 8:.2f}."
    )


def implied_plays(card: str) -> tuple[float, float]:
    """In how many games a card was played if the document's Tables 4 and 5 came from the same 10^6 games."""
    low = (TABLE_5[card] - 0.005) / (TABLE_4[card] + 0.005)
    high = (TABLE_5[card] + 0.005) / (TABLE_4[card] - 0.005)
    return 11 * GAMES * low, 11 * GAMES * high


def impossible_plays() -> dict[str, float]:
    """The cards for which that number is out of reach, and how many standard deviations it is away at least."""
    deviation = sqrt(PLAYED * 10 / 54)
    lacking = {}
    for card in TABLE_4:
        low, high = implied_plays(card)
        lacking[card] = max(low - PLAYED, PLAYED - high) / deviation
    return {card: value for card, value in lacking.items() if value > 3}


def two_runs() -> str:
    """What follows from the cards whose two published figures do not fit together."""
    found = impossible_plays()
    worst = max(found, key=lambda card: found[card])
    low, high = implied_plays(worst)
    return (
        f"The document's Tables 4 and 5 are not from the same games: {TABLE_4[worst]:.2f} and "
        f"{TABLE_5[worst]:.2f} for {worst} would need {low:,.0f} to {high:,.0f} plays in 10^6 games, "
        f"{found[worst]:.0f} standard deviations from the {PLAYED:,.0f} expected; "
        f"likewise {', '.join(sorted(found.keys() - {worst}))}."
    )


def split(tricks: Tricks) -> list[int]:
    """The low cards: the most cards that together win less than 20 % of the tricks, the weakest first."""
    order = np.argsort(tricks.wins, kind="stable")
    below = np.cumsum(tricks.wins[order]) * 100 < LOW_BOUND * 11 * tricks.games
    return sorted(order[below].tolist())


def split_report(tricks: Tricks) -> Report:
    """Section 5.3 and Figure 8."""
    low = split(tricks)
    high = [card for card in range(54) if card not in low]
    rows = [
        exact({"table": "5.3", "what": "low cards"}, LOW_CARDS, len(low), 0.0),
        _share({"table": "5.3", "what": "share of low cards, %"}, LOW_SHARE, tricks, low),
        exact({"table": "5.3", "what": "high cards"}, HIGH_CARDS, len(high), 0.0),
        _share({"table": "5.3", "what": "share of high cards, %"}, HIGH_SHARE, tricks, high),
    ]
    return Report(
        "high-low",
        "Section 5.3: low cards win less than 20 % of all tricks together",
        rows,
        3,
        split_notes(tricks, low),
        {"low_cards": [CARDS[card] for card in low], "same_set": sum(1 << card for card in low) == LOW},
        partial(draw_split, tricks.wins / tricks.games / 0.11, low, (LOW_SHARE, HIGH_SHARE)),
    )


def _share(labels: dict[str, str | int], published: float, tricks: Tricks, cards: list[int]) -> Row:
    """The document added up the rounded entries of its Table 5, so every card brings a rounding error."""
    return mean(labels, published, (*tricks.share(cards), tricks.games), GAMES, 0.005, len(cards))


def split_notes(tricks: Tricks, low: list[int]) -> list[str]:
    """Whether the set is the document's, and what its definition leaves open."""
    ours = sum(1 << card for card in low)
    same = f"these are the document's {LOW_CARDS} cards"
    if ours != LOW:
        missing, more = ", ".join(names_of(LOW & ~ours)) or "none", ", ".join(names_of(ours & ~LOW)) or "none"
        same = f"the document's set has instead: {missing}; it has not: {more}"
    weakest = min(low, key=lambda card: tricks.wins[card])
    next_card = min(set(range(54)) - set(low), key=lambda card: tricks.wins[card])
    with_next = tricks.share([*low, next_card])[0]
    swapped = tricks.share([card for card in [*low, next_card] if card != weakest])[0]
    open_end = (
        f" The definition fixes the number only: with {CARDS[next_card]} in place of {CARDS[weakest]} it would be "
        f"{swapped:.2f} %. The weakest cards are meant."
        if swapped < LOW_BOUND
        else ""
    )
    return [
        f"Low, by our Table 5: {', '.join(CARDS[card] for card in low)}; {same}.",
        f"With the next card, {CARDS[next_card]}, it would be {with_next:.2f} %.{open_end}",
    ]


def advantage_rows(run: Run, subgame: str, heuristic: str) -> list[Row]:
    """One column of Table 6: a sub-game with or without its hand condition, all four seats."""
    game = make(f"cego.{subgame}", heuristic=heuristic, reward="points")
    states, rngs = game.template.copy(), stream(run.seed, "advantages", subgame, heuristic)
    result, sums, squares = np.zeros((3, 4))
    run.play(
        f"{subgame}, heuristic {heuristic}",
        lambda count: random_rounds(states, count, rngs, result, sums, squares),
    )
    rows = []
    for seat, published in enumerate(TABLE_6[subgame, heuristic]):
        labels: dict[str, str | int] = {"table": 6, "subgame": subgame, "heuristic": heuristic, "seat": seat}
        if subgame in IN_POINTS:
            value = float(sums[seat]) / run.games
            deviation = sqrt(max(float(squares[seat]) / run.games - value**2, 0.0))
            rows.append(mean(labels, published, (value, deviation, run.games), GAMES, 0.0005))
        else:
            rows.append(proportion(labels, published, (int(sums[seat]), run.games), GAMES, 100, 0.0005))
    return rows


def even_ties(run: Run) -> list[float]:
    """The winning percentages of Räuber if players that tie for most points shared the loss."""
    states, rngs = make("cego.raeuber").template.copy(), stream(run.seed, "even ties")
    losses = np.zeros(4)
    run.play("raeuber, ties shared", lambda count: count_even_losses(states, count, rngs, losses))
    return [100 - 100 * float(loss) / run.games for loss in losses]


def advantage_report(run: Run) -> Report:
    """Table 6."""
    rows = [row for subgame, heuristic in TABLE_6 for row in advantage_rows(run, subgame, heuristic)]
    shared = even_ties(run)
    return Report(
        "advantages",
        "Table 6: average points (standard, solo) or winning percentage of each seat",
        rows,
        3,
        [
            "Seats are ours, 0 to 3; the document counts 1 to 4. Seat 0 is the single player or calls Räuber.",
            "The defenders share a result: their rows are seat 0's, mirrored.",
            "Räuber favours later seats because a tie for most points is lost by the first seat that has them. If ties "
            f"were shared, the seats would win {', '.join(f'{value:.2f}' for value in shared)} %.",
        ],
        {"raeuber_ties_shared": shared},
        draw=partial(draw_advantages, rows),
    )


def number_of_deals() -> int:
    """Equation 11: eleven cards to each of four players, ten to the blind."""
    return comb(54, 11) * comb(43, 11) * comb(32, 11) * comb(21, 11) * comb(10, 10)


def deals_report() -> Report:
    """Equation 11 exactly."""
    row = exact({"table": "equation 11", "what": "deals"}, DEALS, number_of_deals(), 0.005e34)
    return Report("deals", "Equation 11: the number of deals", [row], 0)


def table_4(tricks: Tricks) -> list[Report]:
    """Table 4 alone."""
    return trick_reports(tricks)[:1]


def table_5(tricks: Tricks) -> list[Report]:
    """Table 5 alone, with the figure that shows both."""
    first, second = trick_reports(tricks)
    return [replace(second, draw=first.draw)]


def everything(run: Run) -> list[Report]:
    """All tables, one after the other."""
    tricks = play_tricks(run)
    return [*trick_reports(tricks), split_report(tricks), advantage_report(run), deals_report()]


EXPERIMENTS = {
    "cego-table-4": comparison(
        "how often each card wins when it is played", lambda run: table_4(play_tricks(run))
    ),
    "cego-table-5": comparison(
        "the share of all tricks that each card wins", lambda run: table_5(play_tricks(run))
    ),
    "cego-figure-8": comparison("high and low cards (5.3)", lambda run: [split_report(play_tricks(run))]),
    "cego-table-6": comparison("player advantages in all sub-games", lambda run: [advantage_report(run)]),
    "cego-equation-11": comparison("the number of deals", lambda run: [deals_report()], has_figure=False),
    "cego-tables": comparison("Tables 4, 5, 6, Figure 8 and equation 11 in one run", everything),
}
