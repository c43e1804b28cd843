"""Seconds of an iteration of OpenSpiel's MCTS and ISMCTS bots (in C++, called through Python), as JSON.

OpenSpiel has no Jass; its closest games are euchre (24 cards, partners) and hearts (52 cards, four seats). MCTS takes
the dealt position with all cards open, ISMCTS resamples the hidden ones at every iteration.
"""

import json
import random
import sys
import time
from typing import Any

import pyspiel

ITERATIONS = 3000
GAMES = ("euchre", "hearts(pass_cards=false)")


def dealt(game: Any) -> Any:
    """A position with all cards dealt."""
    state, chance = game.new_initial_state(), random.Random(1)
    while state.is_chance_node():
        state.apply_action(chance.choice([action for action, _ in state.chance_outcomes()]))
    return state


def seconds(bot: Any, state: Any) -> float:
    """The best of three moves, for each iteration."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        bot.step(state)
        times.append(time.perf_counter() - began)
    return min(times) / ITERATIONS


def rows() -> list[dict[str, object]]:
    """Both bots in both games."""
    found: list[dict[str, object]] = []
    for name in GAMES:
        game = pyspiel.load_game(name)
        rollouts = pyspiel.RandomRolloutEvaluator(1, 7)
        policy, final = pyspiel.ChildSelectionPolicy.UCT, pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bots = {
            "MCTS": pyspiel.MCTSBot(game, rollouts, 1.0, ITERATIONS, 1000, False, 7, False, policy),
            "ISMCTS": pyspiel.ISMCTSBot(7, rollouts, 1.0, ITERATIONS, -1, final, False, False),
        }
        for kind, bot in bots.items():
            found.append({"bot": kind, "game": game.get_type().short_name, "seconds": seconds(bot, dealt(game))})
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(rows()))
