"""The bot protocols of Jass over HTTP, V0.1 and V0.2 (docs/rules.md 3.7): questions and answers, written and read.

Neither knows melds: whoever would be asked to announce stays silent.
"""

from collections.abc import Mapping
from typing import Any

from stich.core.contract import Record
from stich.core.errors import StichError
from stich.core.game import Game, State
from stich.core.plain import Plain
from stich.games.jass.cards import CARDS
from stich.games.jass.rounds import begin_round
from stich.games.jass.state import MELD, MODE_0, PLAY, PUSH, SILENT
from stich.games.jass.v02 import observation_v02

V01, V02 = "V0.1", "V0.2"
PUSHED = 10
"""How a push is written."""
CARD_IDS = {name: card for card, name in enumerate(CARDS)}
PATHS = {V01: ("select_trump", "play_card"), V02: ("action_trump", "action_play_card")}
KEYS = {
    V01: ("dealer", "currentPlayer", "tricks", "player"),
    V02: ("trump", "dealer", "currentPlayer", "playerView", "forehand", "tricks", "player"),
}


def ask(s: Record, me: int, version: str) -> tuple[str, dict[str, Any]] | int:
    """The path and body of the question that a seat's bot is sent, or the action where the protocol knows none."""
    if s["phase"] == MELD:
        return SILENT
    told = observation_v02(s, me)
    if version == V01:
        told = {key: value for key, value in told.items() if key not in ("playerView", "forehand")}
        told |= {"version": V01, "jassTyp": f"SCHIEBER_{int(s['target'])}" if s["target"] else "SCHIEBER"}
        if told["trump"] < 0:
            del told["trump"]
        if s["pushed"]:
            told["tss"] = 1
    return PATHS[version][int(s["phase"] == PLAY)], told


def read_answer(answer: Any) -> int:
    """The action that a bot has answered: `{"trump": 0 to 5 or 10}` or `{"card": "D10"}`."""
    if isinstance(answer, dict):
        if answer.get("card") in CARDS:
            return CARD_IDS[answer["card"]]
        trump = answer.get("trump")
        if isinstance(trump, int) and trump in (*range(6), PUSHED) and not isinstance(trump, bool):
            return PUSH if trump == PUSHED else MODE_0 + trump
    raise StichError(f"a bot answers with a card or a trump, not {str(answer)[:100]}")


def write_answer(action: int) -> dict[str, Any]:
    """An action as a bot answers it."""
    if action < MODE_0:
        return {"card": CARDS[action]}
    return {"trump": PUSHED if action == PUSH else action - MODE_0}


PROTOCOLS = {
    "v0.1": (lambda s, me: ask(s, me, V01), read_answer),
    "v0.2": (lambda s, me: ask(s, me, V02), read_answer),
}
"""How remote bots are asked and understood, by name."""


def check_question(data: Any, version: str) -> None:
    """Refuses a body that lacks a key or holds something that is no card; the text of the error is what is wrong."""
    if not isinstance(data, dict):
        raise StichError("a JSON object is expected")
    for key in KEYS[version]:
        if key not in data:
            raise StichError(f"'{key}'")
    players = data["player"]
    if not isinstance(players, list) or len(players) != 4:
        raise StichError("'player' must be a list of four")
    for player in players:
        _cards(player, "hand", 9)
    _tricks(data)


def view_of(game: Game, data: Mapping[str, Any], version: str) -> State:
    """The view that a question describes: the cards are played again, so that it cannot be an impossible one."""
    check_question(data, version)
    trump = data.get("trump", -1) if data.get("trump") is not None else -1
    trump = _number(trump, "trump", -1, 5)
    dealer = _number(data["dealer"], "dealer", 0, 3)
    me = _number(data["currentPlayer"], "currentPlayer", 0, 3)
    if version == V02 and _number(data["playerView"], "playerView", -1, 3) != me:
        raise StichError("'playerView' is not the player to act")
    forehand = _number(data["forehand"], "forehand", -1, 1) if version == V02 else -1
    pushed = forehand == 0 if version == V02 else _number(data.get("tss", 0) or 0, "tss", 0, 1) == 1
    hand, tricks = _cards(data["player"][me], "hand", 9), _tricks(data)
    seen = [card for cards, _ in tricks for card in cards]
    if len({*hand, *seen}) < len(hand) + len(seen):
        raise StichError("a card is there twice")
    if trump < 0 and seen:
        raise StichError("cards are played, but 'trump' is not chosen")
    state = _begin(game, me, dealer, hand)
    if pushed:
        state.force(PUSH)
    if trump >= 0:
        state.force(MODE_0 + trump)
        _play(state, tricks)
    if state.is_over or state.player != me:
        raise StichError("'currentPlayer' is not the player to act")
    if len(hand) != 9 - len(seen) // 4:  # the player to act has not played to the running trick
        raise StichError(f"after {len(seen)} cards the player to act holds {9 - len(seen) // 4}, not {len(hand)}")
    return state


def _begin(game: Game, me: int, dealer: int, hand: list[int]) -> State:
    array = game.template.copy()
    s = array[0]
    s["hands"][me] = sum(1 << card for card in hand)
    s["dealer"] = dealer
    begin_round(Plain(s))
    return game.state(array, me)


def _play(state: State, tricks: list[tuple[list[int], int | None]]) -> None:
    """Plays the cards of all tricks; who leads each must be who took the one before."""
    for number, (cards, first) in enumerate(tricks):
        if first is not None and first != state.record["leads"][number]:
            raise StichError(f"trick {number + 1} is led by {int(state.record['leads'][number])}, not by {first}")
        for card in cards:
            state.force(card)


def _tricks(data: Mapping[str, Any]) -> list[tuple[list[int], int | None]]:
    """The cards of each trick, and who led it where that is given."""
    tricks = data["tricks"]
    if not isinstance(tricks, list) or len(tricks) > 9:
        raise StichError("'tricks' must be a list of at most nine")
    found = []
    for number, trick in enumerate(tricks):
        cards = _cards(trick, "cards", 4) if isinstance(trick, dict) and "cards" in trick else []
        if not isinstance(trick, dict) or (len(cards) < 4 and number < len(tricks) - 1):
            raise StichError("only the last of 'tricks' may have less than four cards")
        first = trick.get("first")
        found.append((cards, None if first is None else _number(first, "first", 0, 3)))
    return found


def _cards(holder: Any, key: str, most: int) -> list[int]:
    """The cards of a list in an object."""
    names = holder.get(key) if isinstance(holder, dict) else None
    if not isinstance(names, list) or len(names) > most:
        raise StichError(f"'{key}' must be a list of at most {most} cards")
    for name in names:
        if not isinstance(name, str) or name not in CARD_IDS:
            raise StichError(f"'{str(name)[:20]}'")
    return [CARD_IDS[name] for name in names]


def _number(value: Any, key: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise StichError(f"'{key}' must be a whole number from {low} to {high}")
    return value
