"""The equilibrium solvers by name, and the iterations after which a run reports."""

from typing import Protocol

from stich.core.contract import Array
from stich.core.errors import StichError
from stich.search.equilibrium.cfr import DISCOUNTS, CfrSolver
from stich.search.equilibrium.mccfr import SAMPLERS, MccfrSolver
from stich.search.equilibrium.tree import Tree

ALGORITHMS = (*DISCOUNTS, *SAMPLERS)


class EquilibriumSolver(Protocol):
    """What all solvers have in common."""

    iterations: int

    def run(self, count: int) -> None:
        """Does `count` more iterations."""

    def average(self) -> Array:
        """The average strategy of all iterations."""


def make_solver(algorithm: str, tree: Tree, seed: int = 0) -> EquilibriumSolver:
    """The solver of this name; only those that sample use the seed."""
    if algorithm in DISCOUNTS:
        return CfrSolver(tree, DISCOUNTS[algorithm])
    if algorithm in SAMPLERS:
        return MccfrSolver(tree, algorithm, seed)
    raise StichError(f"there is no algorithm {algorithm!r}; there are {', '.join(ALGORITHMS)}")


def checkpoints(iterations: int) -> list[int]:
    """1, 2, 4 and so on below `iterations`, and `iterations` itself."""
    return [1 << i for i in range(iterations.bit_length()) if 1 << i < iterations] + [iterations]
