"""The real-time form of document 004: players act when they want to, one learning agent among random bots (5.1 to 5.5).

Time goes in ticks. At each tick one of the players who may act is drawn, all with the same chance. A bot then waits
with probability psi, else says check with probability chi, else plays one of its legal actions; the agent plays, waits,
or tries something illegal, which costs it the tick and a penalty. The rules are those of the game in turns, without
its order: attackers may throw in while cards are still open (bots, and by default the agent, wait until everything is
beaten or the defender has said check), and a defender who says check early takes whatever is still thrown in.
As in the document's program a bot opens an attack at once, and a defending bot without a card to play says check at
once.

    play = RealTime(seed=1)
    observation, info = play.reset()
    observation, reward, terminated, truncated, info = play.step((3, -1, -1, -1, -1))
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stich.core.bits import popcount
from stich.core.contract import Array, Int, Real, Record, apply
from stich.core.errors import StichError
from stich.core.game import State
from stich.core.jit import compiled, kernel
from stich.core.kernels import random_action
from stich.core.rng import below, stream, uniform
from stich.games import make
from stich.games.durak.actions import ILLEGAL, WAIT, WAIT_NUMBERS, decode_of, legal_numbers
from stich.games.durak.attack import begin_attack, clear_series, may_act, options, targets
from stich.games.durak.cards import NO_CARD
from stich.games.durak.deal import deal_game
from stich.games.durak.rewards import DOCUMENT, DOCUMENT_36, Hand, Rewards, hand_of
from stich.games.durak.state import CHECK, NOBODY

AGENT, TURN_ENDED, OVER = range(3)


@dataclass(frozen=True)
class Setting:
    """A training setting; the defaults are the document's small game (Table 1)."""

    options: Mapping[str, str | int] = field(default_factory=lambda: {"deck": 12, "hand": 3, "trump": "H"})
    """Options of the game beside those that the real-time form fixes."""
    encoder: str = "type1"
    rewards: Rewards = DOCUMENT
    wait_mean: float = 0.95
    wait_deviation: float = 0.1
    check_mean: float = 0.08
    check_deviation: float = 0.1
    """How often bots wait and check: drawn anew for each game, cut to 0 ... 0.99."""
    wait_until_defended: bool = True
    """Whether the agent, too, attacks only when everything is beaten or the defender has said check."""


CLASSIC = Setting({"trump": "H"}, rewards=DOCUMENT_36)
"""The document's experiments with 36 cards (6.4)."""
FULL = Setting({"deck": 52, "trump": "H"}, rewards=Rewards(win=50.0, loss=-50.0))
"""Its experiment 21 with 52 cards."""

ENGINE = {"throw_limit": "c4", "defender_out": "goes_on", "reopen": "on", "confirm": "on", "games": 1}
"""The rules of the document's program; options of a setting come before them."""


class RealTime:
    """One learning agent, at the last seat, among random bots."""

    def __init__(self, setting: Setting | None = None, seed: int = 0) -> None:
        self.setting = setting or Setting()
        self.game = make("durak", **{**ENGINE, **self.setting.options})
        if self.game.codes["games"] != 1 or not self.game.codes["confirm"]:
            raise StichError("the real-time form plays single games, in which the defender's check is explicit")
        self.agent = self.game.seats - 1
        self._seed(seed)
        self.state = State(self.game, self.game.template.copy())
        self.durak = NOBODY
        self.done = True

    def _seed(self, seed: int) -> None:
        self._rngs = stream(seed, "realtime")
        self._normal = np.random.default_rng([seed, 4])

    def reset(self, seed: int | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game, in which the loser of the last one is attacked first; with a seed a new series."""
        if seed is not None:
            self._seed(seed)
            self.durak = NOBODY
        setting = self.setting
        self.psi = self._probability(setting.wait_mean, setting.wait_deviation)
        self.chi = self._probability(setting.check_mean, setting.check_deviation)
        self.turns = 0
        _begin(self.state.array, self._rngs, self.durak)
        self._before = self._hand()
        _, self.done = self._run()
        if self.done:
            # The bots were through before the agent had a choice.
            return self.reset()
        return self.observation(), {"psi": self.psi, "chi": self.chi}

    def _probability(self, mean: float, deviation: float) -> float:
        return float(min(0.99, max(0.0, self._normal.normal(mean, deviation))))

    def actions(self) -> list[tuple[int, ...]]:
        """What the agent may do now, as five numbers: who opens an attack must play, all others may also wait."""
        legal = legal_numbers(self.state, self.agent)
        return legal if self.state.record["attacks"] == 0 else [*legal, WAIT_NUMBERS]

    def observation(self) -> Any:
        """What the agent sees, by the setting's encoder."""
        return self.state.observation(self.agent, self.setting.encoder)

    def step(self, action: Sequence[int]) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The agent's tick, then the others' until it has one again.

        An illegal action leaves the game as it is, and the others continue; `info` then has the observation before it,
        which the document stores as the next state.
        """
        if self.done:
            raise StichError("this game is over for the agent: call reset()")
        if len(action) != 5:
            raise StichError(f"an action has five numbers, not {len(action)}")
        info: dict[str, Any] = {"illegal": False}
        waits = action[0] == WAIT and self.state.record["attacks"] > 0
        code = ILLEGAL
        if not waits:
            code = int(decode_of(self.state.array, np.int64(self.agent), np.array(action, np.int64)))
        if waits:
            reward = self.setting.rewards.wait
        elif code == ILLEGAL:
            reward = self.setting.rewards.illegal
            info = {"illegal": True, "unchanged": self.observation()}
        else:
            reward = 0.0
            _act(self.state.array, np.int64(self.agent), np.int64(code % 64), np.int64(code // 64 - 1))
        earned, self.done = self._run()
        if self.done:
            info["lost"] = self.durak == self.agent
        return self.observation(), reward + earned, self.done, False, info

    def _hand(self) -> Hand:
        return hand_of(self.state.record, self.agent)

    def _run(self) -> tuple[float, bool]:
        """Lets the others act until it is the agent's tick: what it earns by the way, and whether it is done."""
        reward = 0.0
        playing = True
        while True:
            why = _ticks(
                self.state.array,
                self._rngs,
                np.int64(self.agent if playing else NOBODY),
                self.psi,
                self.chi,
                self.setting.wait_until_defended,
                np.int64(self.turns),
            )
            record = self.state.record
            if playing and not record["active"] >> self.agent & 1:
                # Out: the agent has not lost. The others play on, to find who is attacked first in the next game.
                reward += self.setting.rewards.win
                playing = False
            if why == OVER:
                self.durak = int(record["durak"])
                return reward + (self.setting.rewards.loss if self.durak == self.agent else 0.0), True
            if why == AGENT:
                return reward, False
            self.turns = int(record["turns"])
            if playing:
                after = self._hand()
                reward += self.setting.rewards.end_of_turn(self._before, after, int(record["hand"]))
                self._before = after


@kernel
def _begin(states: Array, rngs: Array, durak: Int) -> None:
    s = states[0]
    clear_series(s, durak)
    begin_attack(s, deal_game(s, rngs[0]))


@kernel
def _act(states: Array, seat: Int, action: Int, target: Int) -> None:
    """One whole action of a seat: a defence may take two steps."""
    s = states[0]
    s.turn = seat
    apply(s, action)
    if target >= 0:
        apply(s, target)


@kernel
def _ticks(states: Array, rngs: Array, agent: Int, psi: Real, chi: Real, patient: Int, turns: Int) -> Int:
    """Bots act until the agent has a tick, a turn has ended since, or the game."""
    s = states[0]
    while True:
        if s.over:
            return OVER
        if s.turns != turns:
            return TURN_ENDED
        ready = 0
        for seat in range(np.int64(s.players)):
            if may_act(s, seat) and not (_holds_back(s, seat) and (seat != agent or patient)):
                ready |= 1 << seat
        acting = random_action(ready, rngs[0])
        if acting == agent:
            return AGENT
        _bot(s, acting, rngs[0], psi, chi)


@compiled
def _holds_back(s: Record, seat: Int) -> Int:
    """Whether an attacker would rather wait for the defender's answer."""
    return seat != s.defender and s.beaten < s.attacks and not s.checked >> s.defender & 1


@compiled
def _bot(s: Record, seat: Int, rng: Record, psi: Real, chi: Real) -> None:
    """A random bot's tick (document 004, 5.5)."""
    cards = options(s, seat) & ~(1 << CHECK)
    s.turn = seat
    if s.attacks == 0:
        apply(s, random_action(cards, rng))
    elif cards == 0 and seat == s.defender:
        apply(s, CHECK)
    elif uniform(rng) > psi:
        if cards == 0 or uniform(rng) <= chi:
            apply(s, CHECK)
        else:
            _random_play(s, seat, cards, rng)


@compiled
def _random_play(s: Record, seat: Int, cards: Int, rng: Record) -> None:
    """One of the legal cards; a defence with a card that beats several open ones counts once for each."""
    if seat != s.defender:
        apply(s, random_action(cards, rng))
        return
    count = 0
    rest = cards
    while rest:
        count += _ways(s, rest)
        rest &= rest - 1
    chosen = below(rng, count)
    rest = cards
    while chosen >= _ways(s, rest):
        chosen -= _ways(s, rest)
        rest &= rest - 1
    action = popcount((rest & -rest) - 1)
    apply(s, action)
    if s.card != NO_CARD:
        apply(s, random_action(options(s, seat), rng))


@compiled
def _ways(s: Record, cards: Int) -> Int:
    """How many ways there are to play the lowest action of a mask."""
    action = popcount((cards & -cards) - 1)
    return popcount(targets(s, action)) if action < CHECK else 1
