"""A record for uncompiled code: what a game's functions need to run as plain Python on the same bytes.

Compiled code reads small fields as 64-bit integers and wraps what it stores; NumPy's own scalars do neither.
"""

from typing import Any

import numpy as np

from stich.core.contract import Record


class Plain(Record):
    """A view of a record: fields read as Python numbers, and are written as compiled code would write them."""

    def __init__(self, record: Any) -> None:
        object.__setattr__(self, "_record", record)

    @property
    def dtype(self) -> Any:
        """The record's dtype: by it the operations find the game."""
        return self._record.dtype

    def __getattr__(self, name: str) -> Any:
        return _wrap(self._record[name])

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = _fit(value, self._record.dtype[name])


class PlainArray:
    """A view of an array field, with the same reading and writing."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __getitem__(self, index: Any) -> Any:
        return _wrap(self._array[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        self._array[index] = _fit(value, self._array.dtype)

    def __len__(self) -> int:
        return len(self._array)


def _wrap(value: Any) -> Any:
    if value.dtype.names:
        return Plain(value)
    if value.ndim:
        return PlainArray(value)
    # Generators compute in wrapping 64-bit words, all else in whole numbers.
    return value[()] if value.dtype == np.uint64 else value.item()


def _fit(value: Any, dtype: Any) -> Any:
    """An integer cut to the field's width, as a store in machine code does."""
    if dtype.kind not in "iu":
        return value
    return np.array(int(value) & (1 << 64) - 1, np.uint64).astype(dtype)
