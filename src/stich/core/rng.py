"""Random numbers: a xoroshiro128++ generator in a record, and named streams that derive from one seed.

There is no global generator. A run has one seed; `stream(seed, "deals")` and `stream(seed, "seat", 2)` are
independent generators, so that changing what one of them is used for never changes another.
"""

import hashlib
from typing import Any

import numpy as np

from stich.core.contract import Int, Real, Record
from stich.core.jit import compiled

RNG = np.dtype([("a", "u8"), ("b", "u8")])


def streams(count: int, seed: int, *names: str | int) -> Any:
    """An array of `count` generators derived from a seed and a name; the i-th never depends on `count`."""
    rngs = np.zeros(count, RNG)
    label = repr((int(seed), *names)).encode()
    for i in range(count):
        digest = hashlib.blake2b(label + b"/%d" % i, digest_size=16).digest()
        rngs[i] = tuple(np.frombuffer(digest, "<u8"))
    return rngs


def numbered(first: int, count: int, seed: int, *names: str | int) -> Any:
    """Generators number `first` to `first + count - 1` of a name: like `streams`, but for millions of them."""
    seeds, rngs = number_seeds(seed, *names), np.zeros(count, RNG)
    with np.errstate(over="ignore"):
        number = _spread(np.arange(first, first + count, dtype=np.uint64))
        rngs["a"], rngs["b"] = _spread(number ^ seeds["a"]), _spread(number ^ seeds["b"])
    return rngs


def number_seeds(seed: int, *names: str | int) -> Any:
    """What the numbered generators of a name derive from, for `set_number`."""
    digest = hashlib.blake2b(repr((int(seed), *names)).encode(), digest_size=16).digest()
    return np.frombuffer(digest, RNG)


@compiled
def set_number(seeds: Record, number: Int, rng: Record) -> None:
    """Makes `rng` generator `number` of a name."""
    spread = _spread(np.uint64(number))
    rng.a = _spread(spread ^ seeds.a)
    rng.b = _spread(spread ^ seeds.b)


@compiled
def _spread(x: Any) -> Any:
    """The finaliser of SplitMix64, of a number or an array."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def stream(seed: int, *names: str | int) -> Any:
    """An array of one generator derived from a seed and a name."""
    return streams(1, seed, *names)


@compiled
def next64(rng: Record) -> Any:
    """64 random bits."""
    s0 = rng.a
    s1 = rng.b
    total = s0 + s1
    result = ((total << np.uint64(17)) | (total >> np.uint64(47))) + s0
    s1 ^= s0
    rng.a = ((s0 << np.uint64(49)) | (s0 >> np.uint64(15))) ^ s1 ^ (s1 << np.uint64(21))
    rng.b = (s1 << np.uint64(28)) | (s1 >> np.uint64(36))
    return result


@compiled
def below(rng: Record, n: Int) -> Int:
    """A uniform integer in [0, n), for n below 2**32; the bias is under n / 2**32."""
    return np.int64(((next64(rng) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@compiled
def uniform(rng: Record) -> Real:
    """A uniform float in [0, 1) with 53 random bits."""
    return np.int64(next64(rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@compiled
def mix(key: Int, value: Int) -> Int:
    """Folds a value into a 64-bit key; every bit of both reaches every bit of the result.

    The key is spread before the value comes in, so that keys that begin as plain masks do not meet.
    """
    x = (np.uint64(np.int64(key)) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(np.int64(value))
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(x ^ (x >> np.uint64(31)))
