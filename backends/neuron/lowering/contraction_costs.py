"""Predicted times of products of a contraction, by which orders and folds are compared; the kernels' own variants are chosen later."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from ...dtypes import DType
from ..costs import Costs

__all__ = ["ProductCosts"]

_TILE: Final = 128
_MOVING: Final = 512
_WORDS: Final = 36
"""Products of slices of 8 bits for one of 64 bits: eight slices each, of which those of the lowest sums are left out."""


class ProductCosts:
    """
    Times of products of stacks of matrices of a dtype, in ns.

    Parameters
    ----------
    costs : Costs
        Of the target.
    dtype : dtype
        Of the operands.
    """

    def __init__(self, costs: Costs, dtype: DType) -> None:
        self._costs = costs
        self._planes = 2 if dtype.kind == "c" else 1
        self._wide = dtype.itemsize // self._planes == 8
        self._bytes = dtype.itemsize
        self._when = "float32" if dtype.itemsize // self._planes >= 4 else ""

    def product(self, batch: int, rows: int, depth: int, columns: int) -> float:
        """Tell that of a product, or of its loads and stores in long rows, whichever is longer."""
        moved = self._moves(batch * (rows * depth + depth * columns + rows * columns))
        return max(self._computed(batch, rows, depth, columns), moved) + self._costs.transfer_waits

    def multiplied(self, batch: int, rows: int, depth: int, columns: int, moves: Iterable[tuple[int, int]]) -> float:
        """Tell that of a product whose operands and result lie in so many rows of so many elements."""
        moved = sum(self._costs.moves(count, length * self._bytes, count * length * self._bytes) for count, length in moves)
        return max(self._computed(batch, rows, depth, columns), moved) + self._costs.transfer_waits

    def _computed(self, batch: int, rows: int, depth: int, columns: int) -> float:
        """Time the Tensor Engine: tiles of 128 of rows and depth."""
        if not batch * rows * depth * columns:
            return 0.0
        moving = -(-columns // _MOVING)
        tiles = batch * -(-rows // _TILE) * -(-depth // _TILE) * moving
        each = self._costs.instruction("nc_matmul", columns / moving, "tensor", "" if self._wide else self._when)
        return tiles * each * self._planes**2 * (_WORDS if self._wide else 1)

    def permutation(self, size: int) -> float:
        """Tell that of a permutation: a read, a write, and the wait between two stages."""
        return 2 * self._moves(size) + 2 * self._costs.transfer_waits

    def turn(self, size: int) -> float:
        """Tell that of transposes by the Tensor Engine."""
        return size * self._planes / _TILE**2 * self._costs.instruction("nc_transpose", _TILE, "tensor", self._when)

    def elements(self, count: int, read: int) -> float:
        """Tell that of multiplying elements one by one and adding them up."""
        engine = 2 * self._planes**2 * self._costs.instruction("tensor_tensor", math.ceil(count / _TILE))
        return max(engine, self._moves(read)) + self._costs.transfer_waits

    def _moves(self, size: int) -> float:
        nbytes = size * self._bytes
        return self._costs.moves(nbytes / 2048, 2048, nbytes)
