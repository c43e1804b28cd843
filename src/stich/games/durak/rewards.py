"""The rewards of document 004: shaped at the end of a turn, and for winning, losing, waiting and illegal actions.

At the end of a turn (5.4): the change in the mean rank of the plain cards in hand, in the mean rank of the trumps, and
in the number of trumps, each normalised and weighted. Ranks are 0 to 12; a mean over no cards is 0.
"""

from dataclasses import dataclass

from stich.core.bits import set_bits
from stich.core.contract import Record
from stich.core.errors import StichError

FORMS = ("document", "code")


@dataclass(frozen=True)
class Hand:
    """What the shaped reward looks at."""

    plain: float
    """The mean rank of the cards that are no trumps."""
    trump: float
    """The mean rank of the trumps."""
    trumps: int
    """How many trumps there are."""


def hand_of(s: Record, seat: int) -> Hand:
    """A seat's hand, equal cards counted twice."""
    cards = [card for mask in (s["held"][seat], s["twice"][seat]) for card in set_bits(int(mask))]
    trumps = [card % 13 for card in cards if card // 13 == s["suit"]]
    plain = [card % 13 for card in cards if card // 13 != s["suit"]]
    return Hand(_mean(plain), _mean(trumps), len(trumps))


def _mean(ranks: list[int]) -> float:
    return sum(ranks) / len(ranks) if ranks else 0.0


@dataclass(frozen=True)
class Rewards:
    """What the learning agent gets."""

    win: float = 12.0
    loss: float = -12.0
    wait: float = -0.05
    illegal: float = -100.0
    weights: tuple[float, float, float] = (1.0, 2.0, 2.0)
    """For the changes in mean rank, mean trump rank and number of trumps."""
    form: str = "document"
    """`document`: weights that add up to 1, a change of trumps above the hand size counts as the hand size, so that
    the reward lies between -1 and 1. `code`: divided by the weights, as its program does (docs/rules.md 5.4)."""

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise StichError(f"the form of rewards is one of {', '.join(FORMS)}, not {self.form!r}")
        if min(self.weights) < 0 or not sum(self.weights) or (self.form == "code" and not min(self.weights)):
            raise StichError(f"weights {self.weights} cannot be normalised: they must be positive")

    def end_of_turn(self, before: Hand, after: Hand, hand_size: int) -> float:
        """The shaped reward for what a turn has made of a hand."""
        changes = (
            (after.plain - before.plain) / 12,
            (after.trump - before.trump) / 12,
            (after.trumps - before.trumps) / hand_size,
        )
        total = sum(self.weights)
        if self.form == "code":
            return sum(change * total / weight for change, weight in zip(changes, self.weights, strict=True))
        kept = (*changes[:2], max(-1.0, min(1.0, changes[2])))
        return sum(change * weight / total for change, weight in zip(kept, self.weights, strict=True))


DOCUMENT = Rewards()
"""Table 1 of the document, for the game of 12 cards."""
DOCUMENT_36 = Rewards(win=36.0, loss=-36.0)
"""Its experiments with 36 cards (6.4)."""
CODE = Rewards(win=36.0, loss=-36.0, form="code")
"""What the document's program does as published."""
