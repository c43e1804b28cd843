"""What the units of a tournament say: sums of each unit, and means, cross tables and ratings of all of them."""

import functools
import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from stich.arena.entries import Pairing, Tournament, Unit, pairings, units
from stich.arena.match import agent_values
from stich.arena.play import POINTS, Block
from stich.arena.ratings import Scores, rate
from stich.arena.stats import estimate_sums
from stich.core.contract import Array


class Comparison(NamedTuple):
    """Two sides of a game, set against each other."""

    turn: int
    """The number of the arrangement."""
    one: tuple[int, ...]
    other: tuple[int, ...]
    """The seats of both sides."""
    row: tuple[float, ...]
    """Each agent's share of the first side, less its share of the other."""


@functools.lru_cache(64)
def comparisons(pairing: Pairing) -> tuple[Comparison, ...]:
    """All comparisons in a deal; those between the same agents tell nothing and are left out."""
    found = []
    sides = [
        tuple(np.flatnonzero(np.array(pairing.teams) == team).tolist()) for team in sorted(set(pairing.teams))
    ]
    for turn, seated in enumerate(pairing.plan.arrangements):
        for one, other in itertools.combinations(sides, 2):
            row = _share(pairing, seated, one) - _share(pairing, seated, other)
            signs = row[row != 0]
            if len(signs) and signs[0] > 0:
                found.append(Comparison(turn, one, other, tuple(row.tolist())))
            elif len(signs):
                found.append(Comparison(turn, other, one, tuple((-row).tolist())))
    return tuple(found)


def _share(pairing: Pairing, seated: Sequence[int], seats: Sequence[int]) -> Array:
    members = [seated[seat] for seat in seats]
    return np.array([members.count(agent) for agent in range(len(pairing.agents))]) / len(seats)


@functools.lru_cache(64)
def rows(pairing: Pairing) -> dict[tuple[float, ...], int]:
    """The different comparisons of a deal, each with how often it is made."""
    return dict(Counter(comparison.row for comparison in comparisons(pairing)))


def opposed(pairing: Pairing) -> list[tuple[int, int]]:
    """The pairs of agents that are against each other, by their places at the table."""
    pairs = itertools.combinations(range(len(pairing.agents)), 2)
    return [(a, b) for a, b in pairs if any(row[a] * row[b] < 0 for row in rows(pairing))]


def scores(pairing: Pairing, figures: Array) -> Array:
    """scores[deal, row]: what the first sides have won against the others, 1 a win and 0.5 where they are level."""
    which = {row: i for i, row in enumerate(rows(pairing))}
    found = np.zeros((len(figures), len(which)))
    for comparison in comparisons(pairing):
        points = figures[:, comparison.turn, :, POINTS]
        ahead = points[:, comparison.one].max(axis=1) - points[:, comparison.other].max(axis=1)
        found[:, which[comparison.row]] += (1 + np.sign(ahead)) / 2
    return found


def summary(tournament: Tournament, unit: Unit, pairing: Pairing, block: Block) -> dict[str, Any]:
    """What is stored of a unit: sums over its deals, from which all else follows."""
    kinds = block.figures.shape[-1]
    values = np.array(
        [
            [agent_values(pairing.plan, block.figures, agent, kind) for kind in range(kinds)]
            for agent in range(len(pairing.agents))
        ]
    )
    gaps = np.array([values[a] - values[b] for a, b in opposed(pairing)])
    won = scores(pairing, block.figures)
    names = {tournament.agents[agent].spec: tournament.agents[agent].name for agent in pairing.agents}
    return {
        "unit": list(unit),
        "figures": _moments(values),
        "differences": _moments(gaps),
        "scores": won.sum(axis=0).tolist(),
        "products": (won.T @ won).tolist(),
        "faults": {names[spec]: kinds for spec, kinds in sorted(block.faults.items())},
        "examples": {names[spec]: text for spec, text in sorted(block.examples.items())},
    }


def _moments(values: Array) -> Any:
    """Sums and sums of squares along the last axis."""
    return np.stack([values.sum(axis=-1), (values**2).sum(axis=-1)], axis=-1).tolist()


SUMS = ("figures", "differences", "scores", "products")


class Totals:
    """The sums of a pairing over its units."""

    def __init__(self, pairing: Pairing, records: Sequence[Mapping[str, Any]]) -> None:
        self.pairing = pairing
        self.deals = sum(record["unit"][2] for record in records)
        self.figures, self.differences, self.scores, self.products = (
            sum((np.array(record[name]) for record in records[1:]), np.array(records[0][name])) for name in SUMS
        )

    def score(self, one: int, other: int) -> tuple[Any, Any]:
        """Sum and sum of squares of one agent's score a game against another, by their places at the table."""
        sides = np.array(list(rows(self.pairing)))
        signs = np.where(sides[:, one] * sides[:, other] < 0, np.sign(sides[:, one]), 0)
        games = np.array(list(rows(self.pairing).values())) @ np.abs(signs)
        # A score of the second side is 1 less that of the first: its sum is a constant less the same sum.
        lost = np.array(list(rows(self.pairing).values())) @ (signs < 0) / games
        won, squares = signs @ self.scores / games, signs @ self.products @ signs / games**2
        return won + self.deals * lost, squares + 2 * lost * won + self.deals * lost**2

    def as_scores(self, numbers: Sequence[int]) -> Scores:
        """What ratings are fitted to, with a column for each of these agents."""
        sides = np.zeros((len(rows(self.pairing)), len(numbers)))
        sides[:, [numbers.index(agent) for agent in self.pairing.agents]] = list(rows(self.pairing))
        games = np.array(list(rows(self.pairing).values()))
        count = len(set(self.pairing.teams))
        return Scores(sides, games, 2 / (count * (count - 1)), self.deals, self.scores, self.products)


def standings(tournament: Tournament, done: Mapping[Unit, Mapping[str, Any]]) -> dict[str, Any]:
    """The result of the units that are done, as plain data that does not depend on how they were played."""
    found = pairings(tournament)
    records: dict[int, list[Mapping[str, Any]]] = {}
    for unit in units(found, tournament.unit):
        if unit in done:
            records.setdefault(unit.pairing, []).append(done[unit])
    totals = [Totals(found[number], of) for number, of in records.items()]
    ordered = [record for of in records.values() for record in of]
    faults: dict[str, Counter[str]] = {}
    examples: dict[str, str] = {}
    for record in ordered:
        for name, kinds in record["faults"].items():
            faults.setdefault(name, Counter()).update(kinds)
            examples.setdefault(name, record["examples"][name])
    return {
        "tournament": tournament.record(),
        "deals": sum(total.deals for total in totals),
        "planned": sum(pairing.deals for pairing in found),
        "games": sum(total.deals * len(total.pairing.plan.arrangements) for total in totals),
        "ratings": _rating_rows(tournament, totals, [entrant.name for entrant in tournament.agents]),
        "events": [
            _event_record(tournament, number, [total for total in totals if total.pairing.event == number])
            for number in range(len(tournament.games))
        ],
        "faults": {name: dict(sorted(faults[name].items())) for name in sorted(faults)},
        "examples": dict(sorted(examples.items())),
    }


def _event_record(tournament: Tournament, number: int, totals: Sequence[Totals]) -> dict[str, Any]:
    """One game: ratings, each agent's figures, and every two agents against each other."""
    event = tournament.games[number]
    figures = ["points", "win", *(name for name, _ in event.make_game().spec.measure_names)]
    means: dict[int, Any] = {}
    cross: dict[tuple[int, int], Any] = {}
    for total in totals:
        agents = total.pairing.agents
        for place, agent in enumerate(agents):
            _add(means, agent, total.deals, total.figures[place])
        for pair, gaps in zip(opposed(total.pairing), total.differences, strict=True):
            a, b = pair if agents[pair[0]] < agents[pair[1]] else pair[::-1]
            turned = gaps if (a, b) == pair else gaps * [-1, 1]
            _add(cross, (agents[a], agents[b]), total.deals, np.array([*turned, total.score(a, b)]))
    names = [entrant.name for entrant in tournament.agents]
    return {
        "game": event.label,
        "figures": figures,
        "ratings": _rating_rows(tournament, totals, event.agents),
        "agents": [{"agent": names[agent]} | _estimates(figures, means[agent]) for agent in sorted(means)],
        "cross": [
            {"a": names[pair[0]], "b": names[pair[1]]} | _estimates([*figures, "score"], cross[pair])
            for pair in sorted(cross)
        ],
    }


def _add(found: dict[Any, Any], key: Any, deals: int, moments: Array) -> None:
    count, before = found.get(key, (0, 0))
    found[key] = count + deals, before + moments


def _estimates(names: Sequence[str], counted: tuple[int, Array]) -> dict[str, Any]:
    deals, moments = counted
    means = {name: asdict(estimate_sums(deals, *moments[i].tolist())) for i, name in enumerate(names)}
    return {"deals": deals} | means


def _rating_rows(tournament: Tournament, totals: Sequence[Totals], names: Sequence[str]) -> dict[str, Any] | None:
    """The ratings of the agents that took part, the best first, and the differences between them."""
    numbers = sorted(tournament.number(name) for name in names)
    anchor = tournament.anchor if tournament.anchor in names else ""
    zero = numbers.index(tournament.number(anchor)) if anchor else None
    found = rate(len(numbers), [total.as_scores(numbers) for total in totals], zero)
    if found is None:
        return None
    order = sorted(range(len(numbers)), key=lambda i: (-found.values[i], i))
    names = [tournament.agents[number].name for number in numbers]
    return {
        "anchor": anchor,
        "agents": [{"agent": names[i]} | asdict(found.of(i)) for i in order],
        "differences": [
            {"a": names[a], "b": names[b]} | asdict(found.difference(a, b))
            for a, b in itertools.combinations(order, 2)
        ],
    }
