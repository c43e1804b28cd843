"""Document 002 (J. Niklaus, Jass), chapters 12 and 13: value estimation, search settings, trump selection, bots.

A game of the document is 100 rounds: 50 deals, each played twice with the sides exchanged. Ten games are an experiment
(11.3). The document's opponent is its network; here it is `rule` unless another is named. See docs/papers/jass.md.
"""

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from stich.agents import make_agent
from stich.arena.match import run_match
from stich.arena.plan import plan_match
from stich.arena.stats import estimate
from stich.core import kernels
from stich.core.contract import Array
from stich.core.errors import StichError
from stich.core.rng import numbered
from stich.games import make
from stich.games.jass.state import PUSH
from stich.papers.experiment import Effort, Entry, Outcome, reproduction, statement
from stich.papers.jass.figures import draw_grid, draw_rows, draw_values
from stich.papers.jass.values import CARDS, measure_errors, recorded

DEALS = 500
"""The document's double rounds for each figure: ten games of 50."""

STRONG = "dmcts(d=50,i=200)"
"""Plays the games whose positions are estimated; the document had 133,000 by people who were above average."""
POSITIONS = 133_000
ROLLOUTS = (1, 10, 25, 1000)
ITERATIONS = (100, 1000, 5000, 100_000)
PURE = 0.2
"""The exploration that the document found best with open cards (13.2.2); it does not say which one Figure 12.1 has."""
EARLY = 25
"""The stages from 0 to 24 cards, where the methods differ most (chapter 12)."""

TABLE_13_1 = {
    (25, 25): (48.07, 0.85),
    (25, 100): (48.76, 1.58),
    (25, 1000): (49.45, 1.00),
    (25, 10_000): (50.02, 1.34),
    (100, 25): (49.53, 1.10),
    (100, 100): (49.92, 0.66),
    (100, 1000): (49.89, 1.21),
    (100, 10_000): (49.55, 0.97),
    (1000, 25): (50.11, 1.27),
    (1000, 100): (50.30, 0.93),
    (1000, 1000): (50.65, 0.66),
    (1000, 10_000): (50.75, 1.34),
    (10_000, 25): (49.98, 0.71),
    (10_000, 100): (50.79, 0.89),
    (10_000, 1000): (50.38, 1.02),
}
"""Percentage of total points by (iterations, determinizations), and the deviation of the ten games."""
SMALL_GRID = (25, 100, 1000)
GRID_WORK = 10_000_000
"""Iterations for a move times deals, for each cell of the grid in its small form."""

CONSTANTS = (0.5, 1.0, 1.5, 2.0)
"""The exploration constants of Figure 13.1."""

TABLE_13_2 = {
    "Random": (34.19, 2.02),
    "Simple Rule": (47.69, 0.82),
    "Ranked Based Rule": (49.26, 1.11),
    "MCTS": (48.23, 1.98),
}
"""Percentage of total points against the network's trump selection."""
MCTS_TRUMP = "dmcts(d=200,i=500)"

NO_NETWORK = "The document's opponent is its network; here it is {opponent}, with the same choice of the mode."
UNREAD = "The document draws this figure without numbers: its statements are compared, not its values."


def duel(effort: Effort, agent: str, opponent: str, deals: int) -> Any:
    """An agent's percentage of the points in each deal, played from both sides."""
    plan = plan_match("jass", {}, [agent, opponent], seed=effort.seed)
    result = run_match(plan, deals, effort.workers, tell=lambda done: effort.tell(agent, done, deals))
    if result.faults:
        raise StichError(f"an agent was at fault: {result.examples}")
    return 100 * result.values(0, result.names.index("share"))


def entry(labels: Mapping[str, str | int | float], values: Array, published: Any = None, **facts: Any) -> Entry:
    """A row of percentages, with what the document printed."""
    mean, spread = published or (None, None)
    game = float(np.std(values, ddof=1)) / 50**0.5
    return Entry(labels, estimate(values), len(values), mean, spread, {"game_deviation": game, **facts})


def cards_by(agent: str, trump: str = "rule") -> str:
    """A player who leaves the mode to another agent."""
    return f"jass(trump={trump},cards={agent})"


def figure_12_1(effort: Effort) -> Outcome:
    """Mean squared errors by cards played."""
    games = effort.deals(500, POSITIONS, 1)
    moves = recorded(effort, STRONG, games)
    errors = 100 * measure_errors(effort, STRONG, moves, ROLLOUTS, ITERATIONS, PURE)
    names = [f"{n:,} rollout{'s' * (n > 1)}" for n in ROLLOUTS] + [f"{n:,} MCTS iterations" for n in ITERATIONS]
    rows = [
        Entry({"cards played": k, "method": name}, estimate(errors[:, k, m]), games)
        for k in range(CARDS)
        for m, name in enumerate(names)
    ]
    early = errors[:, :EARLY].mean(axis=1).T
    steps = [
        statement(f"{better} are better than {worse}", early[m], early[m + 1])
        for m, (worse, better) in enumerate(pairwise(names))
    ]
    return Outcome(
        "Figure 12.1: mean squared error of the estimated share of points, in units of 0.01, by cards played",
        rows,
        steps,
        [
            UNREAD,
            f"{games:,} games that {STRONG} plays with itself stand for the document's games of people; all cards are "
            f"open to the methods. Statements are about 0 to {EARLY - 1} cards played; in the document 1,000 rollouts "
            "are better than 25 only marginally.",
            f"Tree search explores with c = {PURE:g}. The network's curves are missing.",
        ],
        partial(draw_values, rows, names),
        3,
        ("cards played", "method"),
    )


def grid_deals(effort: Effort, cell: tuple[int, int]) -> int:
    """The deals of a cell: less where a move costs much, so that every cell takes about as long."""
    return effort.deals(max(50, min(DEALS, GRID_WORK // (cell[0] * cell[1]))), DEALS)


def table_13_1(effort: Effort) -> Outcome:
    """Determinizations and iterations."""
    opponent = effort.opponent or "rule"
    cells = [cell for cell in TABLE_13_1 if effort.full or set(cell) <= set(SMALL_GRID)]
    found = {
        (i, d): duel(effort, cards_by(f"dmcts(d={d},i={i},c=1.5)"), opponent, grid_deals(effort, (i, d)))
        for i, d in cells
    }
    rows = [entry({"iterations": i, "determinizations": d}, found[i, d], TABLE_13_1[i, d]) for i, d in cells]
    claims = [
        ("25 determinizations: 100 iterations are better than 25", (100, 25), (25, 25), "p < 0.01", False),
        (
            "25 determinizations: 10K iterations are no clear gain over 100",
            (10_000, 25),
            (100, 25),
            "p = 0.29",
            True,
        ),
        (
            "100 determinizations: 10K iterations are better than 100",
            (10_000, 100),
            (100, 100),
            "p = 0.023",
            False,
        ),
        ("1K x 1K is better than 25 x 25", (1000, 1000), (25, 25), "p < 0.0001", False),
    ]
    return Outcome(
        f"Table 13.1: percentage of points of DMCTS against {opponent}; in brackets against the document's network",
        rows,
        [
            statement(text, found[a], found[b], p, none)
            for text, a, b, p, none in claims
            if a in found and b in found
        ],
        [
            NO_NETWORK.format(opponent=opponent),
            f"Each cell has the same {max(map(len, found.values()))} deals, costly cells the first "
            f"{min(map(len, found.values()))} of them at least: compare within a column or a line.",
            *([] if effort.full else ["10K iterations or determinizations: with --full."]),
        ],
        partial(draw_grid, rows, opponent),
        2,
        ("iterations", "determinizations"),
    )


def figure_13_1(effort: Effort) -> Outcome:
    """Splits of a budget, and exploration constants."""
    opponent = effort.opponent or "rule"
    deals = effort.deals(300, DEALS)
    share = 1 if effort.full else 20
    side = 1000 if effort.full else 200
    splits = [(500 // share, 1600), (1000 // share, 800), (4000 // share, 200), (20_000 // share, 40)]
    agents: dict[Any, str] = {(d, i): f"dmcts(d={d},i={i},c=1.5)" for d, i in splits}
    agents |= {c: f"dmcts(d={side},i={side},c={c:g})" for c in CONSTANTS}
    played = {agent: duel(effort, cards_by(agent), opponent, deals) for agent in dict.fromkeys(agents.values())}
    found = {setting: played[agent] for setting, agent in agents.items()}
    rows = [entry({"setting": _split((d, i)), "group": "split"}, found[d, i]) for d, i in splits]
    rows += [entry({"setting": f"c = {c:g}", "group": "exploration"}, found[c]) for c in CONSTANTS]
    best, narrow, wide = splits[1], splits[0], splits[3]
    return Outcome(
        f"Figure 13.1: percentage of points of DMCTS against {opponent}: determinizations x iterations, exploration",
        rows,
        [
            statement(f"{_split(best)} is better than {_split(narrow)}", found[best], found[narrow], "p = 0.015"),
            statement(f"{_split(wide)} is no better than {_split(best)}", found[wide], found[best], none=True),
            statement("c = 1.5 is better than 0.5", found[1.5], found[0.5], "p = 0.13"),
        ],
        [
            UNREAD,
            NO_NETWORK.format(opponent=opponent),
            "The text names the splits 500 x 1600, 1000 x 800 and 20,000 x 40 and the constants 0.5 and 1.5; the "
            "others are our choice.",
            *(
                []
                if effort.full
                else [
                    f"Determinizations are a {share}th of the document's, and exploration has "
                    f"{side} x {side} for 1000 x 1000; --full has the document's."
                ]
            ),
        ],
        partial(draw_rows, rows, "setting", f"Figure 13.1: DMCTS against {opponent}"),
    )


def _split(split: tuple[int, int]) -> str:
    return f"{split[0]:,} x {split[1]:,}"


def pushes(agent: str, seed: int, count: int) -> float:
    """How often an agent pushes as forehand, in percent."""
    game = make("jass")
    states = np.repeat(game.template, count)
    kernels.deal_all(states, numbered(0, count, seed, "deals"))
    kernels.hide_all(states, (states["dealer"].astype(np.int64) + 3) % 4)
    actions = make_agent(agent, game).act_many(states, numbered(0, count, seed, "pushes"))
    return 100 * float(np.mean(np.asarray(actions) == PUSH))


def table_13_2(effort: Effort) -> Outcome:
    """Trump selection methods."""
    opponent = effort.opponent or "rule"
    many, few = effort.deals(5000, DEALS), effort.deals(DEALS, DEALS)
    methods = {
        "Random": ("random", many),
        "Simple Rule": ("jass-trump-simple", many),
        "Ranked Based Rule": ("jass-trump-ranked", many),
        "MCTS": (MCTS_TRUMP, few),
    }
    found = {
        name: duel(effort, cards_by("rule", trump), opponent, deals) for name, (trump, deals) in methods.items()
    }
    rows = []
    for name, (trump, deals) in methods.items():
        pushed = pushes(trump, effort.seed, min(deals, 500))
        rows.append(entry({"method": name}, found[name], TABLE_13_2[name], agent=trump, pushes=pushed))
    even = np.full(many, 50.0)
    shares = ", ".join(f"{row.labels['method']} {row.facts['pushes']:.0f} %" for row in rows)
    own = pushes(opponent, effort.seed, min(few, 500))
    return Outcome(
        f"Table 13.2: percentage of points of trump selection methods against that of {opponent}, cards by rule",
        rows,
        [
            statement("the simple rule is better than random", found["Simple Rule"], found["Random"]),
            statement(
                "the ranked rule is better than the simple one", found["Ranked Based Rule"], found["Simple Rule"]
            ),
            statement("the ranked rule is worse than the opponent", even, found["Ranked Based Rule"], "p = 0.063"),
            statement("MCTS is worse than the opponent", even, found["MCTS"], "p = 0.012"),
        ],
        [
            "The document's opponent and cards are its network's; here the opponent is "
            f"{opponent} and all cards are played by rule, which uses no chance either.",
            f"Pushed as forehand: {shares}, {opponent} {own:.0f} %. The document says that MCTS rarely passes.",
            "A random mode cannot be much worse than even for who chooses it: only the other side's choices cost.",
        ],
        partial(draw_rows, rows, "method", f"Table 13.2: trump selection against {opponent}"),
    )


def figure_13_3(effort: Effort) -> Outcome:
    """All bots against DMCTS."""
    d, i = (1000, 800) if effort.full else (100, 200)
    against = f"dmcts(d={d},i={i},c=1.41,final=vote)"
    bots = {
        "Random": "random",
        "Rule-based": "rule",
        "Flat Monte Carlo": f"mc(d={d},i={i})",
        "ISMCTS": f"ismcts(i={d * i})",
        "I-DMCTS": f"dmcts(d={d},i={i},c=1.5)",
        "DMCTS, rule rollouts": f"dmcts(d={d},i={i},c=1.41,final=vote,rule=1)",
        "Cheating MCTS": f"cheat-mcts(i={10 * i},c={PURE:g})",
    }
    opponent = effort.opponent or cards_by(against, "jass-trump-ranked")
    deals = effort.deals(300, DEALS)
    found = {name: duel(effort, cards_by(bot, "jass-trump-ranked"), opponent, deals) for name, bot in bots.items()}
    rows = [entry({"bot": name}, found[name], agent=bot) for name, bot in bots.items()]
    even = np.full(deals, 50.0)
    return Outcome(
        f"Figure 13.3: percentage of points of the bots against {opponent}",
        rows,
        [
            statement("DMCTS beats random cards", even, found["Random"]),
            statement("DMCTS beats the rule-based player", even, found["Rule-based"]),
            statement("DMCTS beats ISMCTS", even, found["ISMCTS"]),
            statement("knowing all cards beats DMCTS", found["Cheating MCTS"], even),
            statement("rollouts by rule are no gain", found["DMCTS, rule rollouts"], even, none=True),
        ],
        [
            UNREAD,
            "The document's opponent thinks for 10 s a move; ours has iterations instead, so that a seed gives one "
            "result. Both choose the mode by the ranked rule, like the document's.",
            "The rule-based player is our own, not the document's. The bots with networks are missing; flat Monte "
            "Carlo is added.",
            *([] if effort.full else [f"{d} x {i} iterations a move; --full has 1000 x 800."]),
        ],
        partial(draw_rows, rows, "bot", f"Figure 13.3: bots against {opponent}"),
    )


EXPERIMENTS = {
    "jass-figure-12-1": reproduction("value estimation by rollouts and tree search", figure_12_1, "recorded"),
    "jass-table-13-1": reproduction("determinizations and iterations of DMCTS", table_13_1, "opponent"),
    "jass-figure-13-1": reproduction("splits of a budget, exploration constants", figure_13_1, "opponent"),
    "jass-table-13-2": reproduction("trump selection methods", table_13_2, "opponent"),
    "jass-figure-13-3": reproduction("all bots against DMCTS", figure_13_3, "opponent"),
}
