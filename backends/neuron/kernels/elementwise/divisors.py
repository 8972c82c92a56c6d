"""
Greatest common divisors of integers, by Euclid's algorithm.

A loop of the device turns until nothing remains in a tile: some 20 times for random 32-bit numbers, 47 times at most (G. Lamé, 1844).
"""

from __future__ import annotations

from typing import Any, Final

from ....isa import expect, nisa, nl
from ...function import DtypeLoop, Emitter, Tile
from .alu import copy, in_dtype, patch, scratch
from .integer import magnitude
from .registers import condition, greatest
from .remainder import divided

__all__ = ["DIVISORS"]


def _gcd(dst: Tile, x: Tile, y: Tile) -> None:
    numbers = scratch(dst, nl.uint32), scratch(dst, nl.uint32)
    for number, operand in zip(numbers, (x, y), strict=True):
        operand = in_dtype(operand, dst.dtype)
        copy(number, magnitude(operand) if dst.dtype == nl.int32 else operand)
    larger, smaller = numbers
    most = scratch(dst, nl.float32, 1)
    some = nisa.register_alloc()

    def step(_: Any) -> Any:
        rest = divided(larger, smaller)[1]
        patch(larger, smaller, smaller)
        copy(smaller, rest)
        nisa.tensor_reduce(most, nl.maximum, rest, axis=1)
        condition(greatest(most), some)
        return some

    nisa.tensor_reduce(most, nl.maximum, smaller, axis=1)
    condition(greatest(most), some)
    nl.while_loop(expect(some, likely=20, most=47), step)
    copy(dst, larger.view(dst.dtype))


DIVISORS: Final = (
    Emitter(
        "gcd",
        2,
        {"int32": DtypeLoop(_gcd, "int32"), "uint32": DtypeLoop(_gcd, "uint32")},
    ),
)
