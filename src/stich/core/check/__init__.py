"""The conformance suite: whether a game keeps the contract, as sentences for the person who wrote it.

`check(game)` plays games at random and compares what the functions of the contract say with each other and with the
truth. It returns findings, none where all is well; notes report something that is no breach. The same seed and effort
give the same findings.
"""

from collections.abc import Callable, Iterable, Iterator

from stich.core.check import knowledge, observations, parts, play, start
from stich.core.check.course import Course, walk
from stich.core.check.finding import Finding
from stich.core.diagnosis import raised
from stich.core.errors import StichError
from stich.core.game import Game

__all__ = ["CHECKS", "Finding", "check", "walk"]

Check = Callable[[Course], Iterable[Finding]]
FIRST: tuple[Check, ...] = (start.compiles, start.runs_as_python, start.moves, start.names)
"""Where one of these finds something, the others have nothing to work with."""
THEN: tuple[Check, ...] = (
    start.agrees_with_python,
    play.cards,
    play.options,
    play.deals,
    play.results,
    play.transcripts,
    play.lockstep,
    play.listed_deals,
    knowledge.worlds_exist,
    knowledge.views,
    knowledge.keys,
    knowledge.different_keys,
    knowledge.equal_views_stay_equal,
    knowledge.secrets,
    knowledge.sizes,
    knowledge.truth,
    observations.observations,
    parts.phases,
    parts.stages,
    parts.exact,
    parts.belief,
    parts.bots,
    parts.move_rows,
    observations.encoders,
)
CHECKS = FIRST + THEN


def check(
    game: Game,
    effort: int = 1,
    seed: int = 0,
    encoder: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> list[Finding]:
    """What breaks the contract in a game, at most one finding of a kind.

    `effort` multiplies the games that are played, `encoder` demands that this encoder tells all information states
    apart, and `progress` is called with the purpose of each check before it runs.
    """
    if effort < 1:
        raise StichError(f"the effort of a check is 1 or more, not {effort}")
    course = Course(game, seed, effort)
    found: list[Finding] = []
    wanted = game.encoder(encoder, moves=False)[1].name if encoder else None
    for one in CHECKS:
        if found and one is THEN[0]:
            break
        if progress:
            progress((one.__doc__ or "").partition("\n")[0])
        found += _first_of_each(course, one)
        if found and one is start.compiles:
            break
    if wanted and not any(not finding.note for finding in found):
        found += observations.encoders(course, wanted)
    return found


def _first_of_each(course: Course, one: Check) -> list[Finding]:
    """The first finding of a check for each rule; an error that a game's function raises is one too."""
    first: dict[str, Finding] = {}
    for finding in _safely(course, one):
        key = finding.says if finding.note or one is start.compiles else finding.rule
        first.setdefault(key, finding)
    return list(first.values())


def _safely(course: Course, one: Check) -> Iterator[Finding]:
    try:
        yield from one(course)
    except Exception as error:
        says = str(error) if isinstance(error, StichError) else raised(course.game.family, error)
        yield Finding(one.__name__, says)
