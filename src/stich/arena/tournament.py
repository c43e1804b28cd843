"""Plays a tournament: unit by unit, each stored when it is done, so that it resumes wherever it was stopped."""

from collections import deque
from collections.abc import Callable
from typing import Any

from stich.arena.entries import Tournament, Unit, pairings, units
from stich.arena.play import play, release
from stich.arena.standings import standings, summary
from stich.arena.tournament_folder import Folder
from stich.run.workers import Workers


def play_tournament(
    tournament: Tournament, folder: Folder, workers: Workers, tell: Callable[[int], None] = lambda deals: None
) -> dict[str, Any]:
    """Plays what is not yet done in an open folder, and writes the result; `tell` hears how many deals are done."""
    found = pairings(tournament)
    done = folder.read()
    played = sum(unit.deals for unit in done)
    tell(played)
    todo = deque(unit for unit in units(found, tournament.unit) if unit not in done)
    waiting: deque[tuple[Unit, Any]] = deque()
    try:
        while todo or waiting:
            while todo and len(waiting) < 2 * workers.count:
                unit = todo.popleft()
                waiting.append((unit, workers.submit((play, found[unit.pairing].plan, unit.first, unit.deals))))
            unit, handle = waiting.popleft()
            block, _ = workers.result(handle)
            done[unit] = summary(tournament, unit, found[unit.pairing], block)
            folder.add(done[unit])
            played += unit.deals
            tell(played)
    finally:
        for pairing in found:
            release(pairing.plan)
    result = standings(tournament, done)
    folder.finish(result)
    return result
