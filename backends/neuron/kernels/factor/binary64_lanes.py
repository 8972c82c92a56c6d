"""
Small matrices of binary64 numbers, one or more of them on each partition: two words, (P, rows, columns, m) each, the high one first.

Arithmetic is that of `elementwise.binary64`, bit for bit NumPy's, on tiles whose elements lie one after the other.
"""

from __future__ import annotations

import math
from typing import Any, Final

from ....isa import nisa, nl
from ...function import FUNCTIONS, PAIRS
from ..sbuf import scratch

__all__ = ["ONE", "Words", "below", "compute", "copied", "nonzero", "subtract_product", "tested", "view"]

Words = list[Any]

ONE: Final = 0x3FF00000
"""The high word of 1."""
_WORD: Final = str(nl.uint32)
_AT_ONCE: Final = 1024
"""Elements of a partition in one instruction: a product needs 76 bytes for each of them."""


def view(words: Words, rows: slice, columns: slice) -> Words:
    """Look at some rows and columns."""
    return [word[:, rows, columns] for word in words]


def below(words: Words, rows: int, columns: int) -> Words:
    """Repeat a row, a column or a number for a block of so many rows and columns."""
    return [
        word if word.shape[1:3] == (rows, columns) else _along(_along(word, 1, rows), 2, columns)
        for word in words
    ]  # fmt: skip


def _along(tile: Any, axis: int, count: int) -> Any:
    return tile if tile.shape[axis] == count else tile.broadcast(axis, count)


def copied(dst: Any, src: Any) -> None:
    """Copy words by an engine that has less to do than the Vector Engine."""
    on_scalar = nisa.get_nc_version() >= nisa.nc_version.gen3
    nisa.tensor_copy(dst, src, engine=nisa.engine.scalar if on_scalar else nisa.engine.gpsimd)


def _flat(tile: Any) -> Any:
    """Put elements one after the other: (P, elements)."""
    made = scratch(tile.shape, nl.uint32)
    copied(made, tile)
    return made.reshape((tile.shape[0], math.prod(tile.shape[1:])))


def compute(name: str, *operands: Words, into: Words | None = None) -> Words:
    """Apply a function of binary64 numbers to blocks of one shape, rows by rows where there are many elements."""
    partitions, rows, columns, each = operands[0][0].shape
    emit = PAIRS[f"float64.{name}.high"].loops[_WORD].emit
    result = into or [scratch((partitions, rows, columns, each), nl.uint32) for _ in range(2)]
    step = max(1, _AT_ONCE // (columns * each))
    for first in range(0, rows, step):
        some = slice(first, min(first + step, rows))
        shape = (partitions, some.stop - first, columns, each)
        flat = (partitions, math.prod(shape[1:]))
        made = [scratch(shape, nl.uint32) for _ in range(2)]
        emit(*(tile.reshape(flat) for tile in made), *(_flat(word[:, some]) for operand in operands for word in operand))
        for whole, part in zip(result, made, strict=True):
            copied(whole[:, some], part)
    return result


def subtract_product(dst: Words, a: Words, b: Words) -> None:
    """Subtract the product of elements, both rounded."""
    compute("subtract", dst, compute("multiply", a, b), into=dst)


def nonzero(words: Words) -> Any:
    """Tell which numbers are not zero, in bytes."""
    return tested("nonzero", words)


def tested(name: str, *operands: Words) -> Any:
    """Apply a predicate to few numbers, in bytes."""
    shape = operands[0][0].shape
    result = scratch(shape, nl.uint8)
    flat = (shape[0], math.prod(shape[1:]))
    FUNCTIONS[f"float64.{name}"].loops[_WORD].emit(result.reshape(flat), *(_flat(word) for operand in operands for word in operand))
    return result
