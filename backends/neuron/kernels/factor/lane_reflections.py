"""QR factorization of small matrices by Householder reflections."""

from __future__ import annotations

from typing import Any, Final

from ....dtypes import FLOAT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..sbuf import PARTITIONS, scratch
from .lanes import over_lanes, scale, stored, subtract_product, taken

__all__: list[str] = []

MOST_ELEMENTS: Final = 8192
_VECTOR: Final = nisa.engine.vector
_TINY: Final = 2.0**-100


def _vector(tile: Any, j: int) -> tuple[Any, Any, Any]:
    """Make the reflection that annihilates column j below the diagonal: the vector, (P, r, 1, m), tau and the diagonal element."""
    partitions, rows, _, each = tile.shape
    x, one = tile[:, j:, j : j + 1], (partitions, 1, 1, each)

    def made() -> Any:
        return scratch(one, nl.float32)

    alpha, squares, total, root, inverse, beta, below, tau = x[:, :1], scratch(x.shape, nl.float32), *(made() for _ in range(6))
    nisa.tensor_tensor(squares, x, x, nl.multiply, engine=_VECTOR)
    nisa.tensor_reduce(total[:, 0, 0], nl.add, squares[:, :, 0].permute((0, 2, 1)), axis=2)
    nisa.tensor_scalar(total, total, nl.maximum, _TINY, engine=_VECTOR)
    nisa.activation(root, nl.sqrt, total)
    # A step of Newton's method, so that reflections keep lengths: (root + total / root) / 2, with the other sign than alpha.
    nisa.reciprocal(inverse, root)
    nisa.tensor_tensor(inverse, inverse, total, nl.multiply, engine=_VECTOR)
    nisa.tensor_tensor(root, root, inverse, nl.add, engine=_VECTOR)
    nisa.tensor_scalar(beta, alpha, nl.greater_equal, 0.0, op1=nl.multiply, operand1=-2.0, engine=_VECTOR)
    nisa.scalar_tensor_tensor(beta, beta, nl.add, 1.0, nl.multiply, root)
    nisa.tensor_scalar(beta, beta, nl.multiply, 0.5, engine=_VECTOR)
    # Where there is nothing below, tau is 0.
    nisa.tensor_reduce(below[:, 0, 0], nl.add, squares[:, 1:, 0].permute((0, 2, 1)), axis=2)
    nisa.tensor_scalar(below, below, nl.greater, 0.0, engine=_VECTOR)
    nisa.tensor_tensor(total, alpha, beta, nl.subtract, engine=_VECTOR)
    nisa.reciprocal(inverse, beta)
    nisa.scalar_tensor_tensor(tau, total, nl.multiply, -1.0, nl.multiply, inverse)
    nisa.tensor_tensor(tau, tau, below, nl.multiply, engine=_VECTOR)
    nisa.reciprocal(inverse, total)
    nisa.tensor_tensor(inverse, inverse, below, nl.multiply, engine=_VECTOR)
    vector = scratch(x.shape, nl.float32)
    nisa.tensor_tensor(vector, x, inverse.broadcast(1, rows - j), nl.multiply, engine=_VECTOR)
    nisa.memset(vector[:, :1], 1.0)
    # alpha where there is nothing below: alpha + below (beta - alpha).
    nisa.tensor_tensor(total, total, below, nl.multiply, engine=_VECTOR)
    nisa.tensor_tensor(beta, alpha, total, nl.subtract, engine=_VECTOR)
    return vector, tau, beta


def _reflect(tile: Any, vector: Any, tau: Any) -> None:
    """Subtract tau v (v* C) from C, (P, r, c, m)."""
    partitions, rows, columns, each = tile.shape
    products, dots = scratch(tile.shape, nl.float32), scratch((partitions, 1, columns, each), nl.float32)
    nisa.tensor_tensor(products, tile, vector.broadcast(2, columns), nl.multiply, engine=_VECTOR)
    nisa.tensor_reduce(dots[:, 0], nl.add, products.permute((0, 2, 3, 1)), axis=3)
    nisa.tensor_tensor(dots, dots, tau.broadcast(2, columns), nl.multiply, engine=_VECTOR)
    subtract_product([tile], [vector.broadcast(2, columns)], [dots.broadcast(1, rows)])


def _factor(emission: Emission, count: int, rows: int, columns: int) -> None:
    """
    Factor matrices A = Q R as LAPACK's geqrf does: R, and below its diagonal the vectors of the reflections, whose factors tau are beside.

    Notes
    -----
    Matrices are divided by powers of two before. Columns below 2**-50 of the largest element count as zero.

    *Layout.* See `lanes`.

    *Bound.* Vector Engine: seven cycles for an element of the columns that are left; of few matrices the latency of 26 instructions a
    column.

    *Error.* Backward, and orthogonality of Q: ``4 n u``.
    """
    matrix, packed = emission.source(0, (count, rows, columns)), emission.result((count, rows, columns))
    least = min(rows, columns)
    factors = emission.result((count, least, 1), 1)

    def some(part: Any, partitions: int, each: int) -> None:
        (tile,) = taken([part(matrix)])
        power = scale(tile)
        taus = scratch((partitions, least, 1, each), nl.float32)
        if rows <= columns:
            nisa.memset(taus[:, least - 1], 0.0)
        for j in range(least if rows > columns else least - 1):
            vector, tau, beta = _vector(tile, j)
            nisa.tensor_copy(taus[:, j : j + 1], tau, engine=_VECTOR)
            if j + 1 < columns:
                _reflect(tile[:, j:, j + 1 :], vector, tau)
            nisa.tensor_copy(tile[:, j : j + 1, j : j + 1], beta, engine=_VECTOR)
            nisa.tensor_copy(tile[:, j + 1 :, j : j + 1], vector[:, 1:], engine=_VECTOR)
        for row in range(least):
            part_of = tile[:, row : row + 1, row:]
            nisa.tensor_tensor(part_of, part_of, power.broadcast(2, columns - row), nl.multiply, engine=_VECTOR)
        stored([part(packed), part(factors)], [tile, taus])

    over_lanes(count, rows * columns, 34 * columns, some)


def _apply(emission: Emission, count: int, rows: int, reflections: int, columns: int, transposed: bool) -> None:
    """
    Multiply by the orthogonal factor of a QR factorization, or by its transpose.

    Notes
    -----
    Operands: as `_factor` gives them, and matrices with as many rows.

    *Layout*, *bound* and *error* as of `_factor`.
    """
    packed, factors = emission.source(0, (count, rows, reflections)), emission.source(1, (count, reflections, 1))
    given, result = (view((count, rows, columns)) for view in (lambda shape: emission.source(2, shape), emission.result))

    def some(part: Any, _partitions: int, _each: int) -> None:
        (vectors,), (taus,), (tile,) = (taken([part(view)]) for view in (packed, factors, given))
        for j in range(reflections) if transposed else reversed(range(reflections)):
            nisa.memset(vectors[:, j, j], 1.0)
            _reflect(tile[:, j:], vectors[:, j:, j : j + 1], taus[:, j : j + 1])
        stored([part(result)], [tile])

    over_lanes(count, rows * max(reflections, columns), 8 * reflections, some)


def _rule(matrix: Signature) -> Ruling:
    count, rows, columns = matrix.shape
    if matrix.dtype != FLOAT32 or not 0 < rows * columns <= MOST_ELEMENTS:
        raise InvalidCallError(f"QR in lanes takes float32 matrices of up to {MOST_ELEMENTS} elements, not {matrix}")
    return (matrix, Signature((count, min(rows, columns)), FLOAT32)), (count, rows, columns)


def _apply_rule(packed: Signature, factors: Signature, given: Signature, *, transposed: bool = False) -> Ruling:
    count, rows, reflections = packed.shape
    fits = factors.shape == (count, reflections) and reflections <= rows and given.shape[:2] == (count, rows)
    if not fits or rows * max(given.shape[2], reflections) > MOST_ELEMENTS:
        raise InvalidCallError(f"reflections in lanes {packed}, {factors} are not applied to {given}")
    return (given,), (count, rows, reflections, given.shape[2], transposed)


def _estimate(costs: Costs, _results: tuple[Signature, ...], count: int, rows: int, reflections: int, columns: int = 0, *_: bool) -> float:
    """Estimate the steps."""
    each = max(1, count / PARTITIONS)
    one = costs.instruction("tensor_tensor", rows * (columns or reflections / 2) * each)
    return 2 * costs.transfer_waits + min(rows, reflections) * (4 * one + 20 * costs.instruction("tensor_tensor", each))


declare(Kernel("QR in lanes", _rule, _factor, "QR factorization", "{0} matrices of {1} × {2}", estimate=_estimate))
_REFLECTED: Final = "{2} reflections of {0} matrices of {1} × {3}"
declare(Kernel("reflect in lanes", _apply_rule, _apply, "multiply by Q", _REFLECTED, estimate=_estimate))
