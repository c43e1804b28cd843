"""What a check finds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A breach of the contract, in a sentence; or a note, which is no breach."""

    rule: str
    """The function (or part) of the contract that is to blame."""
    says: str
    """What is wrong and what was expected."""
    seed: int | None = None
    """The game it was found in: `stich.core.check.walk(game, seed)` plays it again."""
    move: int | None = None
    """How many moves were played before."""
    note: bool = False

    def __str__(self) -> str:
        where = ", ".join(
            f"{name} {value}" for name in ("seed", "move") if (value := getattr(self, name)) is not None
        )
        return f"{self.rule}: {self.says}{f' ({where})' if where else ''}"
