"""QR factorization of tall matrices, and products with the orthogonal factor, by Householder reflections over partitions."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ....dtypes import FLOAT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..move.gather import in_loops
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import psum_ring
from .cholesky import Blocks, chunks

__all__ = ["Reflections", "factors"]

_ELEMENTS: Final = 8192  # of a partition, of one operand
_MOST_COLUMNS: Final = 512  # of a PSUM bank
_TINY: Final = 2.0**-100
_VECTOR: Final = nisa.engine.vector


def _column() -> Any:
    return scratch((PARTITIONS, 1), nl.float32)


class Reflections:
    """What kernels of reflections need: PSUM, the numbers of rows, and dots of columns on all partitions."""

    def __init__(self, rows: int, columns: int = _MOST_COLUMNS) -> None:
        self.banks, self.blocks = psum_ring(4, -(-columns // _MOST_COLUMNS)), -(-rows // PARTITIONS)
        self.index = scratch((PARTITIONS, self.blocks), nl.float32)
        nisa.iota(self.index, [[PARTITIONS, self.blocks]], channel_multiplier=1)

    def dots(self, vector: Any, matrix: Any) -> Any:
        """Multiply the columns of (P, R, c) by a vector (P, R), which gives (P, c), the same on all partitions."""
        bank = self.banks.take()[:, : matrix.shape[2]]
        for some in chunks(0, matrix.shape[2]):
            for block in range(matrix.shape[1]):
                column = vector[:, block : block + 1].broadcast(1, PARTITIONS)
                nisa.nc_matmul(bank[:, some], column, matrix[:, block, some], accumulate=block > 0)
        return bank

    def row(self, j: int, matrix: Any) -> Any:
        """Copy a row of (P, R, c) to all partitions."""
        bank, place, block = self.banks.take()[:, : matrix.shape[2]], scratch((PARTITIONS, 1), nl.float32), j // PARTITIONS
        nisa.tensor_scalar(place, self.index[:, block : block + 1], nl.equal, float(j), engine=_VECTOR)
        for some in chunks(0, matrix.shape[2]):
            column = place.broadcast(1, PARTITIONS)
            nisa.nc_matmul(bank[:, some], column, matrix[:, block, some], is_stationary_onezero=True, accumulate=False)
        found = scratch((PARTITIONS, matrix.shape[2]), nl.float32)
        nisa.tensor_copy(found, bank, engine=_VECTOR)
        return found

    def subtract(self, matrix: Any, vector: Any, across: Any) -> None:
        """Subtract the product of a vector (P, R) and a row (P, c) from (P, R, c)."""
        products = scratch(matrix.shape, nl.float32)
        left, right = vector.expand_dim(2).broadcast(2, matrix.shape[2]), across.expand_dim(1).broadcast(1, self.blocks)
        nisa.tensor_tensor(products, left, right, nl.multiply, engine=_VECTOR)
        nisa.tensor_tensor(matrix, matrix, products, nl.subtract, engine=_VECTOR)

    def scale(self, tile: Any) -> Any:
        """Divide by a power of two, so that the largest element is from 1 to 2; give it on all partitions."""
        unit, ones, top, power, inverse = (scratch((PARTITIONS, width), nl.float32) for width in (PARTITIONS, PARTITIONS, 1, 1, 1))
        sizes, by_block = scratch(tile.shape, nl.float32), scratch((PARTITIONS, self.blocks), nl.float32)
        nisa.iota(unit, [[1, PARTITIONS]], channel_multiplier=-1)
        nisa.tensor_scalar(unit, unit, nl.equal, 0.0, engine=_VECTOR)
        nisa.memset(ones, 1.0)
        nisa.tensor_scalar(sizes.view(nl.uint32), tile.view(nl.uint32), nl.bitwise_and, 0x7F800000, engine=_VECTOR)
        nisa.tensor_reduce(by_block, nl.maximum, sizes, axis=2)
        nisa.tensor_reduce(top, nl.maximum, by_block, axis=1)
        nisa.tensor_scalar(unit, unit, nl.multiply, top, engine=_VECTOR)
        bank = self.banks.take()[:, :PARTITIONS]
        nisa.nc_matmul(bank, ones, unit, is_stationary_onezero=True, accumulate=False)
        nisa.tensor_reduce(power, nl.maximum, bank, axis=1)
        nisa.tensor_scalar(power, power, nl.maximum, 2.0**-126, op1=nl.minimum, operand1=2.0**126, engine=_VECTOR)
        nisa.reciprocal(inverse, power)
        nisa.tensor_scalar(tile, tile, nl.multiply, inverse, engine=_VECTOR)
        return power


class _Factors(NamedTuple):
    """Of a reflection, the same on all partitions: minus beta, which the column becomes, tau, and what the vector is multiplied by."""

    minus_beta: Any
    tau: Any
    scale: Any


def factors(square: Any, alpha: Any) -> _Factors:
    """Make the factors from the square of a column's length, and its element on the diagonal."""
    total, root, inverse, minus, tau, scale, some = (_column() for _ in range(7))
    nisa.tensor_scalar(some, square, nl.greater, _TINY, engine=_VECTOR)
    nisa.tensor_scalar(total, square, nl.maximum, _TINY, engine=_VECTOR)
    nisa.activation(root, nl.sqrt, total)
    # A step of Newton's method, so that reflections keep lengths: (root + total / root) / 2, with the sign of alpha.
    nisa.reciprocal(inverse, root)
    nisa.tensor_tensor(inverse, inverse, total, nl.multiply, engine=_VECTOR)
    nisa.tensor_tensor(root, root, inverse, nl.add, engine=_VECTOR)
    nisa.tensor_scalar(minus, alpha, nl.greater_equal, 0.0, op1=nl.subtract, operand1=0.5, engine=_VECTOR)
    nisa.tensor_tensor(minus, minus, root, nl.multiply, engine=_VECTOR)
    nisa.tensor_tensor(total, minus, alpha, nl.add, engine=_VECTOR)
    nisa.reciprocal(inverse, minus)
    nisa.scalar_tensor_tensor(tau, total, nl.multiply, some, nl.multiply, inverse)
    nisa.reciprocal(scale, total)
    nisa.tensor_tensor(scale, scale, some, nl.multiply, engine=_VECTOR)
    return _Factors(minus, tau, scale)


def _factor(emission: Emission, count: int, rows: int, columns: int) -> None:
    """
    Factor matrices A = Q R: R, below its diagonal the vectors of the reflections, and their factors tau.

    Notes
    -----
    As LAPACK's geqrf, but for signs of columns that are zero below the diagonal. Matrices are divided by powers of two before.

    *Layout.* Row ``128 r + p`` on partition p. Products of a column, repeated, with all columns give its length and all dots on all
    partitions at once; a one-hot column gives the row on the diagonal.

    *Bound.* The latency of 22 dependent instructions and a crossing to the Tensor Engine and back for a column, about 3 us; of many rows
    the Vector Engine, four cycles for an element.

    *Error.* Backward, and orthogonality of Q: ``4 n u``.
    """
    matrices, packed = emission.source(0, (count, rows, columns)), emission.result((count, rows, columns))
    least = min(rows, columns)
    taus = emission.result((count, 1, least), 1)

    def one(part: Any, _count: int) -> None:
        work, matrix = Reflections(rows), Blocks(rows, columns)
        matrix.load(part(matrices)[0])
        a, vectors, all_taus = matrix.tile, Blocks(rows, least), scratch((PARTITIONS, least), nl.float32)
        nisa.memset(vectors.tile, 0.0)
        nisa.memset(all_taus, 0.0)
        power = work.scale(a)
        shape = (PARTITIONS, work.blocks)
        for j in range(min(rows - 1, columns)):
            block, rest = j // PARTITIONS, a[:, :, j:]
            below, hot, x, vector = (scratch(shape, nl.float32) for _ in range(4))
            nisa.tensor_scalar(below, work.index, nl.greater_equal, float(j), engine=_VECTOR)
            nisa.tensor_scalar(hot, work.index, nl.equal, float(j), engine=_VECTOR)
            nisa.tensor_tensor(x, rest[:, :, 0], below, nl.multiply, engine=_VECTOR)
            dots = work.dots(x, rest)
            bank = work.banks.take()[:, : columns - j]
            marked = hot[:, block : block + 1].broadcast(1, PARTITIONS)
            nisa.nc_matmul(bank, marked, rest[:, block], is_stationary_onezero=True, accumulate=False)
            row, across = scratch((PARTITIONS, columns - j), nl.float32), scratch((PARTITIONS, columns - j), nl.float32)
            nisa.tensor_copy(row, bank, engine=_VECTOR)
            found = factors(dots[:, :1], row[:, :1])
            # v* A, where v is (x - beta e) scale, times tau.
            nisa.scalar_tensor_tensor(across, row, nl.multiply, found.minus_beta, nl.add, dots)
            nisa.tensor_scalar(across, across, nl.multiply, found.scale, op1=nl.multiply, operand1=found.tau, engine=_VECTOR)
            nisa.scalar_tensor_tensor(x, hot, nl.multiply, found.minus_beta, nl.add, x)
            nisa.tensor_scalar(vector, x, nl.multiply, found.scale, engine=_VECTOR)
            work.subtract(rest, vector, across)
            nisa.tensor_copy(vectors.tile[:, :, j], vector, engine=_VECTOR)
            nisa.tensor_copy(all_taus[:, j : j + 1], found.tau, engine=_VECTOR)
        nisa.tensor_scalar(a, a, nl.multiply, power, engine=_VECTOR)
        beneath, mask = scratch((PARTITIONS, work.blocks, least), nl.float32), scratch((PARTITIONS, work.blocks, least), nl.uint8)
        nisa.iota(beneath, [[-PARTITIONS, work.blocks], [1, least]], channel_multiplier=-1)
        nisa.tensor_scalar(mask, beneath, nl.less, 0.0, engine=_VECTOR)
        nisa.tensor_copy_predicated(a[:, :, :least], vectors.tile, mask)
        matrix.store(part(packed)[0])
        nisa.dma_copy(part(taus)[0], all_taus[:1])

    in_loops(count, 1, 36 * least, one)


def _apply(emission: Emission, count: int, rows: int, reflections: int, columns: int, transposed: bool) -> None:
    """
    Multiply by the orthogonal factor of a QR factorization, or by its transpose.

    Notes
    -----
    Operands: as `_factor` gives them, and matrices with as many rows. *Layout*, *bound* and *error* as of `_factor`.
    """
    packed, taus = emission.source(0, (count, rows, reflections)), emission.source(1, (count, 1, reflections))
    given, result = emission.source(2, (count, rows, columns)), emission.result((count, rows, columns))

    def one(part: Any, _count: int) -> None:
        work, vectors, matrix = Reflections(rows), Blocks(rows, reflections), Blocks(rows, columns)
        vectors.load(part(packed)[0])
        matrix.load(part(given)[0])
        factors = scratch((PARTITIONS, reflections), nl.float32)
        nisa.dma_copy(factors, part(taus)[0].broadcast(0, PARTITIONS))
        shape = (PARTITIONS, work.blocks, reflections)
        away, mask = scratch(shape, nl.float32), scratch(shape, nl.uint8)
        unit = scratch(shape, nl.float32)
        nisa.iota(away, [[-PARTITIONS, work.blocks], [1, reflections]], channel_multiplier=-1)
        nisa.tensor_scalar(unit, away, nl.equal, 0.0, engine=_VECTOR)
        nisa.tensor_scalar(mask, away, nl.greater_equal, 0.0, engine=_VECTOR)
        nisa.tensor_copy_predicated(vectors.tile, unit, mask)
        for j in range(reflections) if transposed else reversed(range(reflections)):
            vector, across = vectors.tile[:, :, j], scratch((PARTITIONS, columns), nl.float32)
            dots = work.dots(vector, matrix.tile)
            nisa.tensor_scalar(across, dots, nl.multiply, factors[:, j : j + 1], engine=_VECTOR)
            work.subtract(matrix.tile, vector, across)
        matrix.store(part(result)[0])

    in_loops(count, 1, 8 * reflections, one)


def _fits(rows: int, columns: int) -> bool:
    return 0 < columns <= _MOST_COLUMNS and 0 < rows and -(-rows // PARTITIONS) * columns <= _ELEMENTS


def _rule(matrix: Signature) -> Ruling:
    count, rows, columns = matrix.shape
    if matrix.dtype != FLOAT32 or not _fits(rows, columns):
        raise InvalidCallError(f"QR takes float32 matrices of up to {_MOST_COLUMNS} columns that fit in SBUF, not {matrix}")
    return (matrix, Signature((count, min(rows, columns)), FLOAT32)), (count, rows, columns)


def _apply_rule(packed: Signature, factors: Signature, given: Signature, *, transposed: bool = False) -> Ruling:
    count, rows, reflections = packed.shape
    fits = factors.shape == (count, reflections) and reflections <= rows and given.shape[:2] == (count, rows)
    if not fits or not _fits(rows, reflections) or not _fits(rows, given.shape[2]):
        raise InvalidCallError(f"reflections {packed}, {factors} are not applied to {given}")
    return (given,), (count, rows, reflections, given.shape[2], transposed)


def _estimate(costs: Costs, _results: tuple[Signature, ...], count: int, rows: int, reflections: int, columns: int = 0, *_: bool) -> float:
    """Estimate the steps."""
    elements = rows / PARTITIONS * (columns or reflections / 2)
    step = 22 * costs.instruction("tensor_tensor", 1) + 2 * costs.instruction("tensor_tensor", elements)
    return 2 * costs.transfer_waits + count * min(rows, reflections) * (step + 2 * costs.waits("tensor"))


declare(Kernel("QR", _rule, _factor, "QR factorization", "{0} matrices of {1} × {2}", estimate=_estimate))
_REFLECTED: Final = "{2} reflections of {0} matrices of {1} × {3}"
declare(Kernel("reflect", _apply_rule, _apply, "multiply by Q", _REFLECTED, estimate=_estimate))
