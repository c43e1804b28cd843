"""The solvers by name, and when a run looks at how far it has come."""

from typing import Protocol

from stich.core.contract import Array
from stich.core.errors import StichError
from stich.search.equilibrium.cfr import DISCOUNTS, Solver
from stich.search.equilibrium.mccfr import SAMPLERS, SamplingSolver
from stich.search.equilibrium.tree import Tree

ALGORITHMS = (*DISCOUNTS, *SAMPLERS)


class Iterative(Protocol):
    """What all solvers have in common."""

    iterations: int

    def run(self, count: int) -> None:
        """Does `count` more iterations."""

    def average(self) -> Array:
        """The average strategy of all iterations."""


def make_solver(algorithm: str, tree: Tree, seed: int = 0) -> Iterative:
    """The solver of this name; only those that sample use the seed."""
    if algorithm in DISCOUNTS:
        return Solver(tree, DISCOUNTS[algorithm])
    if algorithm in SAMPLERS:
        return SamplingSolver(tree, algorithm, seed)
    raise StichError(f"there is no algorithm {algorithm!r}; there are {', '.join(ALGORITHMS)}")


def checkpoints(iterations: int) -> list[int]:
    """1, 2, 4 and so on below `iterations`, and `iterations` itself."""
    return [1 << i for i in range(iterations.bit_length()) if 1 << i < iterations] + [iterations]
