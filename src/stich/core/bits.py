"""Operations on card masks: signed 64-bit integers whose bit c stands for card or action c (at most 63).

Each function is plain Python; compiled code gets one machine instruction instead. Selecting the n-th set bit and
packing bits use BMI2 where the processor has it, and a loop elsewhere (`STICH_NO_BMI2=1` forces the loop); both
give the same results.
"""

import os
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from stich.core.contract import Array, Int
from stich.core.jit import compiled

HAS_BMI2 = not os.environ.get("STICH_NO_BMI2") and bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))


@intrinsic
def _ctpop(typing_context: Any, x: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def _cttz(typing_context: Any, x: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


@intrinsic
def _ctlz(typing_context: Any, x: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


@intrinsic
def _pdep(typing_context: Any, source: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i64 = ir.IntType(64)
        function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(i64, [i64, i64]))
        return builder.call(function, args)

    return types.int64(types.int64, types.int64), codegen


@intrinsic
def _pext(typing_context: Any, source: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i64 = ir.IntType(64)
        function = builder.module.declare_intrinsic("llvm.x86.bmi.pext.64", (), ir.FunctionType(i64, [i64, i64]))
        return builder.call(function, args)

    return types.int64(types.int64, types.int64), codegen


def popcount(mask: Int) -> Int:
    """How many bits are set."""
    return int(mask).bit_count()


def ctz(mask: Int) -> Int:
    """The index of the lowest set bit; the mask must not be empty."""
    return (int(mask) & -int(mask)).bit_length() - 1


def top(mask: Int) -> Int:
    """The index of the highest set bit; the mask must not be empty."""
    return int(mask).bit_length() - 1


def nth(mask: Int, k: Int) -> Int:
    """The mask of the k-th set bit alone, counted from 0 at the lowest."""
    for _ in range(k):
        mask &= mask - 1
    return mask & -mask


def packed(mask: Int, among: Int) -> Int:
    """The bits of a mask at the set bits of another, moved together."""
    found: Int = 0
    at = 0
    while among:
        found |= (mask >> ctz(among) & 1) << at
        among &= among - 1
        at += 1
    return found


@overload(popcount, strict=False)
def _popcount(mask: Any) -> Any:
    return lambda mask: _ctpop(mask)


@overload(ctz, strict=False)
def _ctz(mask: Any) -> Any:
    return lambda mask: _cttz(mask)


@overload(top, strict=False)
def _top(mask: Any) -> Any:
    return lambda mask: 63 - _ctlz(mask)


@overload(nth, strict=False)
def _nth(mask: Any, k: Any) -> Any:
    return (lambda mask, k: _pdep(1 << k, mask)) if HAS_BMI2 else nth


@overload(packed, strict=False)
def _packed(mask: Any, among: Any) -> Any:
    return (lambda mask, among: _pext(mask, among)) if HAS_BMI2 else packed


@compiled
def nth_bit(mask: Int, k: Int) -> Int:
    """The index of the k-th set bit, counted from 0 at the lowest."""
    return ctz(nth(mask, k))


@compiled
def choose(n: Int, k: Int) -> Int:
    """How many sets of k there are among n."""
    found = 1
    for i in range(k):
        found = found * (n - i) // (i + 1)
    return found


@compiled
def combination(mask: Int, size: Int, k: Int) -> Int:
    """The k-th set of `size` bits of a mask, counted from 0."""
    found: Int = 0
    while size > 0:
        low = mask & -mask
        mask ^= low
        with_low = choose(popcount(mask), size - 1)
        if k < with_low:
            found |= low
            size -= 1
        else:
            k -= with_low
    return found


@compiled
def run_starts(mask: Int, walls: Int) -> Int:
    """The bits of a mask without those that follow another one of it with no wall between or on them."""
    found = mask
    if mask & (mask - 1):
        last = ctz(mask)
        mask &= mask - 1
        while mask:
            card = ctz(mask)
            if walls & ((2 << card) - (2 << last)) == 0:
                found ^= 1 << card
            last = card
            mask &= mask - 1
    return found


@compiled
def write_bits(out: Array, start: Int, mask: Int) -> None:
    """Ones in an array, from `start` on, for the set bits of a mask."""
    while mask:
        out[start + ctz(mask)] = 1
        mask &= mask - 1


def set_bits(mask: int) -> list[int]:
    """The indices of all set bits (not for compiled code)."""
    bits = []
    while mask:
        bits.append(int(ctz(mask)))
        mask &= mask - 1
    return bits
