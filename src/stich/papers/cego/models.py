"""Document 000 (P. Oeschger, Cego), chapter 7 and appendix F: trained models against random play and each other.

The line-ups and seeds are the document's. Models are those that come with Stich, or those of `--models`; where one is
missing, its rows say so. See docs/papers/cego.md.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from stich.arena.match import run_match
from stich.arena.plan import plan_match
from stich.arena.play import POINTS, WIN
from stich.arena.stats import Estimate, estimate, wilson
from stich.arena.study import Cards, study_cards
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.learn.run_folder import MODEL
from stich.nets.model import SHIPPED
from stich.papers.cego.model_figures import draw_cards, draw_lines, draw_setups
from stich.papers.cego.play import IN_POINTS, TABLE_6
from stich.papers.experiment import Effort, Entry, Outcome, Statement, lacking, reproduction, statement

GAMES, QUICK = 250_000, 10_000
"""Games of each line-up: the document's five seeds with 50,000 each, and what is played unless `--full` asks for it."""
PHASE_SEEDS = (12, 17, 20, 30, 33)
"""Of Tables 12 to 14 (7.1.5)."""
SETUP_SEEDS = (31, 43, 67, 78, 112)
"""Of Table 15 (7.2.2)."""
ALGORITHMS = ("dmc", "dqn", "nfsp")
FIGURES = {"APPG": (POINTS, 1.0), "WP": (WIN, 100.0)}
"""Average points per game, and the percentage of games won, in Standard-Cego (5.1)."""

TABLE_12 = {
    "dmc": {"APPG": 46.462, "WP": 69.958},
    "dqn": {"APPG": 43.843, "WP": 62.761},
    "nfsp": {"APPG": 42.509, "WP": 57.658},
}
TABLE_13 = {
    ("dqn", "dmc"): {"APPG": 42.133, "WP": 57.115},
    ("dqn", "nfsp"): {"APPG": 44.033, "WP": 63.506},
    ("dmc", "dqn"): {"APPG": 46.54, "WP": 70.139},
    ("dmc", "nfsp"): {"APPG": 46.787, "WP": 70.85},
    ("nfsp", "dqn"): {"APPG": 42.520, "WP": 57.94},
    ("nfsp", "dmc"): {"APPG": 40.771, "WP": 51.871},
}
"""What A has as player 1 while B is player 2 and the others play at random."""
TABLE_14 = {
    "dmc": {"APPG": 42.105, "WP": 58.001},
    "dqn": {"APPG": 38.777, "WP": 48.136},
    "nfsp": {"APPG": 37.618, "WP": 43.864},
}
TABLE_15 = {
    "standard": ((46.48, 32.52), (38.02, 40.98), (43.2, 35.8), (37.98, 41.03)),
    "solo": ((54.26, 24.74), (46.01, 32.99), (51.42, 27.58), (44.93, 34.07)),
    "ultimo": ((94.74, 5.26), (7.61, 92.39), (88.06, 11.94), (69.42, 30.58)),
    "bettel": ((78.94, 21.06), (67.3, 32.7), (75.79, 24.21), (60.78, 39.22)),
    "piccolo": ((47.65, 52.35), (34.32, 65.68), (43.76, 56.24), (28.76, 71.24)),
    "raeuber": ((85.70, 71.52, 71.36, 71.41), (82.94, 83.85, 66.97, 66.25), (74.46, 74.26, 75.02, 76.27)),
}
"""By sub-game and setup: player 1 and each opponent, or all four players."""
SETUPS = ((0,), (1,), (0, 1), (0, 1, 2, 3))
"""The seats of the models (7.2.2); the second model of setup 3 is player 2, as the values of Räuber show."""
RAEUBER_SETUPS = ((0,), (0, 1), (0, 1, 2, 3))

ULTIMO_GAMES, ULTIMO_SEED = 100_000, 15
LAST_ROUND = 11


@dataclass(frozen=True)
class Found:
    """A model that is there."""

    path: Path
    frames: int

    def agent(self, seat: int = -1) -> str:
        """As an agent; with a seat given, everywhere by that seat's net."""
        return f"model({self.path})" if seat < 0 else f"model({self.path},seat={seat})"


def find_model(effort: Effort, subgame: str, algorithm: str) -> Found | None:
    """The model of a sub-game and algorithm that learned from points; of several runs the one with the most frames."""
    folder, game = effort.models or SHIPPED, f"cego.{subgame}"
    cards = [folder / game / f"{algorithm}.json"]
    cards += [folder / f"{MODEL}.json", *sorted(folder.glob(f"*/{MODEL}.json"))] if effort.models else []
    found = []
    for path in cards:
        card = _card(path)
        training, points = card.get("training", {}), card.get("options", {}).get("reward") == "points"
        if card.get("game") == game and points and training.get("algorithm") == algorithm:
            found.append(Found(path.with_suffix(""), training.get("frames", 0)))
    return max(found, key=lambda model: model.frames, default=None)


def _card(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise StichError(f"the model's card {path} cannot be read: {error}") from None


def needed(subgame: str, algorithm: str) -> str:
    """What is said where a model is missing."""
    return f"model(cego.{subgame}/{algorithm})"


def options_of(subgame: str) -> dict[str, str]:
    """Hands satisfy the document's condition wherever it has one (7.2.1)."""
    return {"heuristic": "on"} if (subgame, "on") in TABLE_6 else {}


def play_seats(
    effort: Effort,
    subgame: str,
    seats: Sequence[str],
    seeds: Sequence[int],
    what: str,
    quick: int = QUICK,
    full: int = GAMES,
) -> Any:
    """Figures by deal, seat and kind, over all seeds; `--seed` is added to each."""
    each = effort.deals(quick // len(seeds), full // len(seeds), len(seeds))
    found = []
    for number, seed in enumerate(seeds):
        plan = plan_match(f"cego.{subgame}", options_of(subgame), seats, fixed=True, seed=seed + effort.seed)
        tell = partial(_tell, effort, what, number * each, len(seeds) * each)
        result = run_match(plan, each, effort.workers, tell=tell)
        if result.faults:
            raise StichError(f"an agent was at fault: {result.examples}")
        found.append(result.figures[:, 0])
    return np.concatenate(found)


def _tell(effort: Effort, what: str, before: int, total: int, done: int) -> None:
    effort.tell(what, before + done, total)


def _seeds(seeds: Sequence[int], effort: Effort) -> str:
    own = ", ".join(str(seed + effort.seed) for seed in seeds)
    return f"Games of seeds {own} in equal parts; --full has 50,000 of each, as the document."


# Tables 12 to 14: Standard-Cego, the models of player 1


def _labels(table: str, setup: str | int, subgame: str, seat: int | str, figure: str) -> dict[str, str | int]:
    return {"table": table, "setup": setup, "subgame": subgame, "seat": seat, "figure": figure}


def table_12(effort: Effort) -> Outcome:
    """Each model as the single player against random play."""
    rows, played = [], {}
    for algorithm, published in TABLE_12.items():
        model = find_model(effort, "standard", algorithm)
        if model:
            figures = play_seats(
                effort, "standard", [model.agent(0), *["random"] * 3], PHASE_SEEDS, f"{algorithm} against random"
            )
            played[algorithm] = figures[:, 0]
        for figure, document in published.items():
            labels = _labels("12", algorithm, "standard", 0, figure)
            rows.append(
                _entry(labels, played[algorithm], figure, document, str(model.path))
                if model
                else lacking(labels, document, needed("standard", algorithm))
            )
    return Outcome(
        "Table 12: Standard-Cego, each model as player 1 against random play",
        rows,
        _ahead(played, (("dmc", "dqn"), ("dqn", "nfsp"))),
        [_seeds(PHASE_SEEDS, effort)],
        partial(draw_lines, rows, "Table 12: models against random play"),
    )


def _entry(labels: Any, figures: Array, figure: str, document: float, *models: str) -> Entry:
    """A row of one seat's figures, deal by deal."""
    which, factor = FIGURES[figure]
    return Entry(
        labels, estimate(factor * figures[:, which]), len(figures), document, facts={"models": list(models)}
    )


def _ahead(played: dict[str, Any], pairs: Sequence[tuple[str, str]]) -> list[Statement]:
    """Who is ahead, in points, on the same deals."""
    return [
        statement(f"{a} is ahead of {b}", played[a][:, POINTS], played[b][:, POINTS])
        for a, b in pairs
        if a in played and b in played
    ]


def phase_2(effort: Effort) -> dict[tuple[str, str], Any]:
    """Figures of player 1 and player 2 for each two models that are there; both play by the net of player 1."""
    played = {}
    for a, b in TABLE_13:
        one, other = (find_model(effort, "standard", algorithm) for algorithm in (a, b))
        if one and other:
            seats = [one.agent(0), other.agent(0), "random", "random"]
            played[a, b] = play_seats(effort, "standard", seats, PHASE_SEEDS, f"{a} with {b}")
    return played


def _missing(effort: Effort, *algorithms: str) -> str:
    found = [name for name in algorithms if find_model(effort, "standard", name) is None]
    return " and ".join(needed("standard", name) for name in found)


TWO_SEATS = (
    "A is player 1 (seat 0), B player 2; players 3 and 4 play at random on B's side. As in the document both are the "
    "models of player 1, so B plays a seat that it was not trained for."
)


def table_13(effort: Effort) -> Outcome:
    """Each model with each other at the table."""
    played = phase_2(effort)
    rows = []
    for (a, b), published in TABLE_13.items():
        for figure, document in published.items():
            labels = _labels("13", f"{a} : {b}", "standard", 0, figure)
            rows.append(
                _entry(labels, played[a, b][:, 0], figure, document)
                if (a, b) in played
                else lacking(labels, document, _missing(effort, a, b))
            )
    single = {pair: figures[:, 0, POINTS] for pair, figures in played.items()}
    claims = [
        (f"{a} gets more with {b} on the other side than {b} with {a}", (a, b), (b, a))
        for a, b in (("dmc", "dqn"), ("dmc", "nfsp"), ("dqn", "nfsp"))
    ]
    return Outcome(
        "Table 13: Standard-Cego, model A as player 1 and model B as player 2",
        rows,
        [statement(text, single[one], single[two]) for text, one, two in claims if one in single],
        [TWO_SEATS, _seeds(PHASE_SEEDS, effort)],
        partial(draw_lines, rows, "Table 13: model A with model B on the other side"),
    )


def table_14(effort: Effort) -> Outcome:
    """All games of Table 13, from both seats of each model."""
    missing = _missing(effort, *ALGORITHMS)
    played, rows = {} if missing else phase_2(effort), []
    over: dict[str, Any] = {}
    for algorithm, published in TABLE_14.items():
        own = [figures[:, pair.index(algorithm)] for pair, figures in played.items() if algorithm in pair]
        if own:  # four; deals are the same in all line-ups: a deal's mean is one value
            over[algorithm] = np.mean(own, axis=0)
        for figure, document in published.items():
            labels = _labels("14", algorithm, "standard", "0 and 1", figure)
            rows.append(
                _entry(labels, over[algorithm], figure, document)
                if algorithm in over
                else lacking(labels, document, missing)
            )
    claims = _ahead(over, (("dmc", "dqn"), ("dqn", "nfsp")))
    if len(over) == 3:
        first, second, third = (over[algorithm][:, POINTS] for algorithm in ALGORITHMS)
        claims.append(statement("dqn and nfsp differ less than dmc and dqn", first - second, second - third))
    return Outcome(
        "Table 14: Standard-Cego, all games of Table 13 by algorithm",
        rows,
        claims,
        [TWO_SEATS, _seeds(PHASE_SEEDS, effort)],
        partial(draw_lines, rows, "Table 14: all games of the second phase"),
    )


# Table 15: all sub-games


def published_15(subgame: str, setup: int) -> tuple[float, ...]:
    """The document's value for each of the four seats."""
    values = TABLE_15[subgame][setup]
    return values if len(values) == 4 else (values[0], *(values[1],) * 3)


def setups_of(subgame: str) -> Sequence[tuple[int, ...]]:
    """The seats of the models in each setup."""
    return RAEUBER_SETUPS if subgame == "raeuber" else SETUPS


def measure_of(subgame: str) -> tuple[str, float]:
    """What Table 15 gives: average points, or the percentage of games won (the return is 1 for a win)."""
    return ("APPG", 1.0) if subgame in IN_POINTS else ("WP", 100.0)


def table_15(effort: Effort) -> Outcome:
    """One to four models at the table, in every sub-game."""
    rows: list[Entry] = []
    played: dict[tuple[str, int], Any] = {}
    for subgame in TABLE_15:
        model = find_model(effort, subgame, "dmc")
        figure, factor = measure_of(subgame)
        for number, where in enumerate(setups_of(subgame)):
            if model:
                seats = [model.agent() if seat in where else "random" for seat in range(4)]
                found = play_seats(effort, subgame, seats, SETUP_SEEDS, f"{subgame}, setup {number + 1}")
                played[subgame, number + 1] = factor * found[:, :, POINTS]
            for seat, document in enumerate(published_15(subgame, number)):
                labels = _labels("15", number + 1, subgame, seat, figure)
                if model:
                    values = played[subgame, number + 1][:, seat]
                    facts = {"models": [str(model.path)]}
                    rows.append(Entry(labels, estimate(values), len(values), document, facts=facts))
                else:
                    rows.append(lacking(labels, document, needed(subgame, "dmc")))
    return Outcome(
        "Table 15: dmc models in all sub-games, average points or winning percentage of each seat",
        rows,
        list(statements_15(played)),
        [
            "Setups: 1 player 1 is the model; 2 player 2 is; 3 players 1 and 2 are; 4 all are; the others play at "
            "random. Räuber has 1 (player 1), 2 (players 1 and 2), 3 (all).",
            _seeds(SETUP_SEEDS, effort),
        ],
        partial(draw_setups, rows),
    )


def statements_15(played: dict[tuple[str, int], Any]) -> Iterator[Statement]:
    """What sections 7.2.3 and 7.2.4 conclude, where the models are there."""
    halves = {"standard": 39.5, "solo": 39.5, "ultimo": 50.0, "bettel": 50.0, "piccolo": 50.0}
    claims = [("standard", 3, "ahead"), ("standard", 4, "behind")]
    claims += [("solo", setup, "ahead") for setup in (1, 2, 3, 4)]
    claims += [("bettel", setup, "ahead") for setup in (1, 2, 3, 4)]
    claims += [("piccolo", setup, "behind") for setup in (1, 2, 3, 4)]
    for subgame, half in halves.items():
        if (subgame, 1) in played:
            values = played[subgame, 1][:, 0]
            benchmark = TABLE_6[subgame, "on"][0]
            text = f"{subgame}, setup 1: more than random play's {benchmark:g}"
            yield statement(text, values, np.full(len(values), benchmark))
        for game, setup, side in claims:
            if game == subgame and (game, setup) in played:
                values, even = played[game, setup][:, 0], np.full(len(played[game, setup]), half)
                both = (values, even) if side == "ahead" else (even, values)
                yield statement(f"{game}, setup {setup}: the single player is {side}", *both)
    if ("raeuber", 2) in played:
        one, two = played["raeuber", 1], played["raeuber", 2]
        yield statement("raeuber: a second model makes player 1 win less", one[:, 0], two[:, 0])
        yield statement("raeuber: and the random players too", one[:, 2:].mean(1), two[:, 2:].mean(1))


# Figure F1: what the model of Ultimo plays when


def figure_f1(effort: Effort) -> Outcome:
    """The share of games in which each card is played in each round."""
    title = "Figure F1: Ultimo, share of games in which player 1, the model, plays a card in a round, in per cent"
    model = find_model(effort, "ultimo", "dmc")
    shown = ("1-trump", "gstiess-trump")
    if not model:
        rows = [
            lacking(_card_labels(card, number), None, needed("ultimo", "dmc"))
            for card in shown
            for number in range(1, LAST_ROUND + 1)
        ]
        return Outcome(title, rows, [], [], partial(draw_cards, None))
    games = effort.deals(QUICK, ULTIMO_GAMES, 1)
    seats = [model.agent(), *["random"] * 3]
    plan = plan_match("cego.ultimo", options_of("ultimo"), seats, fixed=True, seed=ULTIMO_SEED + effort.seed)
    cards = study_cards(plan, 0, None, games, effort.workers, lambda done: effort.tell("Ultimo", done, games))
    if cards.faults.kinds:
        raise StichError(f"an agent was at fault: {cards.faults.examples}")
    counts = {card: card_counts(cards, card) for card in shown}
    rows = [
        Entry(_card_labels(card, number + 1), _share(hits, games), games, facts={"models": [str(model.path)]})
        for card in shown
        for number, hits in enumerate(counts[card])
    ]
    one, gstiess = counts["1-trump"], counts["gstiess-trump"]
    return Outcome(
        title,
        rows,
        [
            more_often(
                "the 1 of trumps is played in the last round rather than before", one[-1], sum(one[:-1]), games
            ),
            more_often(
                "the Gstieß is played in the first round more often than in any other",
                gstiess[0],
                max(gstiess[1:]),
                games,
            ),
        ],
        [
            f"Seed {ULTIMO_SEED + effort.seed}; --full has the document's {ULTIMO_GAMES:,} games. The document draws "
            "the figure without numbers; --plot draws all cards.",
            "A game ends when the 1 of trumps is played too early, so later rounds have fewer cards.",
        ],
        partial(draw_cards, cards),
    )


def _card_labels(card: str, number: int) -> dict[str, str | int]:
    return {**_labels("figure F1", 1, "ultimo", 0, "share"), "card": card, "round": number}


def card_counts(cards: Cards, card: str) -> list[int]:
    """In how many games a card was played in each of the eleven rounds."""
    counts = cards.counts[:, cards.actions[cards.names.index(card)]].tolist() if card in cards.names else []
    return [*counts, *[0] * (LAST_ROUND - len(counts))]


def _share(hits: int, games: int) -> Estimate:
    low, high = wilson(np.array(hits), np.array(games))
    return Estimate(100 * hits / games, 100 * float(low), 100 * float(high))


def more_often(text: str, often: int, seldom: int, games: int) -> Statement:
    """Whether one of two things that exclude each other happens in more games than the other."""
    values = np.concatenate([np.full(often, 100.0), np.full(seldom, -100.0), np.zeros(games - often - seldom)])
    return statement(text, values, np.zeros(games))


EXPERIMENTS = {
    "cego-table-12": reproduction("trained models against random play", table_12, "models"),
    "cego-table-13": reproduction("trained models with each other at the table", table_13, "models"),
    "cego-table-14": reproduction("the same, by algorithm", table_14, "models"),
    "cego-table-15": reproduction("dmc models in all sub-games", table_15, "models"),
    "cego-figure-f1": reproduction("what the model of Ultimo plays when", figure_f1, "models"),
}
