"""The deals of a match in blocks, played by workers and returned in order."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from stich.arena.plan import Plan
from stich.arena.play import Block, play, release
from stich.run.workers import Workers

BLOCK_SECONDS = 1.0
"""How long a block should take: so often progress is shown, and so much is lost when a process is killed."""
LARGEST = 4096
"""The most deals of a block."""

Play = Callable[[Plan, int, int], Block]
"""What plays some deals: `play`, or a study's own that plays and takes notes."""


def blocks(
    plan: Plan,
    first: int,
    last: int,
    workers: Workers,
    play: Play = play,
) -> Iterator[Block]:
    """The deals from `first` to before `last` in blocks, in order; at the end the agents of this process are closed."""
    waiting: deque[Any] = deque()
    size, nxt = 8, first
    try:
        while waiting or nxt < last:
            while nxt < last and len(waiting) < 2 * workers.count:
                count = min(size, last - nxt)
                waiting.append(workers.submit((play, plan, nxt, count)))
                nxt += count
            block, seconds = workers.result(waiting.popleft())
            size = int(max(1, min(LARGEST, block.deals * min(8.0, BLOCK_SECONDS / max(seconds, 1e-3)))))
            yield block
    finally:
        release(plan)
