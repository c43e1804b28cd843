"""Types of the Python interface that are plain integers at run time.

A seat, an action and a mask are easily taken for one another; the type checker tells them apart. What the library
returns has these types. Functions that users call accept any `int`, so that `state.view(0)` needs no conversion.
"""

from collections.abc import Sequence
from typing import Any, NewType

from numpy.typing import NDArray

Seat = NewType("Seat", int)
"""The number of a seat, counted from 0."""
Action = NewType("Action", int)
"""The id of an action, 0 to 62."""
Mask = NewType("Mask", int)
"""A set of actions: bit `a` stands for action `a`."""
Actions = NDArray[Any] | Sequence[int]
"""An action for each of many views."""
