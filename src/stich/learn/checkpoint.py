"""Checkpoints: all state of a run as raw arrays in one safetensors file; the two newest are kept.

A file's name holds a hash of its content, so one that was cut off or changed is passed over. Nothing is unpickled.
"""

import contextlib
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from stich.core.contract import Array
from stich.core.files import write_whole

NAME = re.compile(r"(\d{6})-([0-9a-f]{16})\.safetensors")
KEPT = 2


def write(folder: Path, number: int, arrays: Mapping[str, Array], facts: Mapping[str, Any]) -> None:
    """Writes checkpoint `number` and removes all but the newest; records are written as bytes."""
    folder.mkdir(exist_ok=True)
    content = save({name: _plain(array) for name, array in arrays.items()}, {"facts": json.dumps(facts)})
    write_whole(folder / f"{number:06d}-{_digest(content)}.safetensors", content)
    for path in _files(folder)[:-KEPT]:
        path.unlink(missing_ok=True)
    for path in folder.glob("*.part"):
        path.unlink(missing_ok=True)


def read(folder: Path) -> tuple[dict[str, Array], dict[str, Any]] | None:
    """The arrays and facts of the newest checkpoint that is whole, or None."""
    for path in reversed(_files(folder)):
        with contextlib.suppress(OSError, SafetensorError, ValueError, KeyError):
            content = path.read_bytes()
            if path.name.endswith(f"-{_digest(content)}.safetensors"):
                arrays = {name: np.array(array) for name, array in load(content).items()}
                return arrays, json.loads(metadata(content)["facts"])
    return None


def metadata(content: bytes) -> dict[str, str]:
    """The texts that a safetensors file carries beside its arrays."""
    length = int.from_bytes(content[:8], "little")
    return dict(json.loads(content[8 : 8 + length]).get("__metadata__", {}))


def as_records(array: Array, like: Array) -> Array:
    """An array that was written as bytes, with the records of another one again."""
    return array.view(like.dtype)[..., 0] if like.dtype.names else array


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.safetensors") if NAME.fullmatch(path.name))


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def _plain(array: Array) -> Array:
    """An array as safetensors takes it: records become a last axis of bytes."""
    array = np.ascontiguousarray(array)
    return array[..., None].view(np.uint8) if array.dtype.names else array
