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
from .lanes import Planes, along_columns, along_rows, block, over_lanes, scale, scaled, stored, subtract_product, taken, zeros

__all__: list[str] = []

MOST_ELEMENTS: Final = 8192
_VECTOR: Final = nisa.engine.vector
_TINY: Final = 2.0**-100


def _vector(planes: Planes, j: int) -> tuple[Planes, Planes, Planes]:
    """Make the reflection that annihilates column j below the diagonal: the vector, (P, r, 1, m), tau and the diagonal element."""
    partitions, rows, _, each = planes[0].shape
    x, one = block(planes, slice(j, None), slice(j, j + 1)), (partitions, 1, 1, each)

    def made() -> Any:
        return scratch(one, nl.float32)

    alpha, (total, root, inverse, beta, below, some) = block(x, slice(0, 1), slice(None)), (made() for _ in range(6))
    squares = _squares(x)
    nisa.tensor_reduce(total[:, 0, 0], nl.add, squares[:, :, 0].permute((0, 2, 1)), axis=2)
    nisa.tensor_scalar(some, total, nl.greater, _TINY, engine=_VECTOR)
    nisa.tensor_scalar(total, total, nl.maximum, _TINY, engine=_VECTOR)
    nisa.activation(root, nl.sqrt, total)
    # A step of Newton's method, so that reflections keep lengths: (root + total / root) / 2, with the other sign than alpha.
    nisa.reciprocal(inverse, root)
    nisa.tensor_tensor(inverse, inverse, total, nl.multiply, engine=_VECTOR)
    nisa.tensor_tensor(root, root, inverse, nl.add, engine=_VECTOR)
    nisa.tensor_scalar(beta, alpha[0], nl.greater_equal, 0.0, op1=nl.multiply, operand1=-2.0, engine=_VECTOR)
    nisa.scalar_tensor_tensor(beta, beta, nl.add, 1.0, nl.multiply, root)
    nisa.tensor_scalar(beta, beta, nl.multiply, 0.5, engine=_VECTOR)
    # Where there is nothing below, nor in the imaginary part of alpha, or the column counts as zero, tau is 0.
    if rows - j > 1:
        nisa.tensor_reduce(below[:, 0, 0], nl.add, squares[:, 1:, 0].permute((0, 2, 1)), axis=2)
    else:
        nisa.memset(below, 0.0)
    if len(planes) > 1:
        nisa.tensor_tensor(below, below, _squares(alpha[1:]), nl.add, engine=_VECTOR)
    nisa.tensor_scalar(below, below, nl.greater, 0.0, engine=_VECTOR)
    nisa.tensor_tensor(below, below, some, nl.multiply, engine=_VECTOR)
    apart = [made(), *alpha[1:]]
    nisa.tensor_tensor(apart[0], alpha[0], beta, nl.subtract, engine=_VECTOR)
    nisa.reciprocal(inverse, beta)
    nisa.tensor_tensor(inverse, inverse, below, nl.multiply, engine=_VECTOR)
    tau = [made() for _ in planes]
    for target, part in zip(tau, apart, strict=True):
        nisa.scalar_tensor_tensor(target, part, nl.multiply, -1.0, nl.multiply, inverse)
    # What the vector is multiplied by: the reciprocal of alpha - beta.
    factors = [made() for _ in planes]
    if len(planes) == 1:
        nisa.reciprocal(inverse, apart[0])
        nisa.tensor_tensor(factors[0], inverse, below, nl.multiply, engine=_VECTOR)
    else:
        nisa.reciprocal(inverse, _squares(apart))
        nisa.tensor_tensor(inverse, inverse, below, nl.multiply, engine=_VECTOR)
        for target, part, sign in zip(factors, apart, (1.0, -1.0), strict=True):
            nisa.scalar_tensor_tensor(target, part, nl.multiply, sign, nl.multiply, inverse)
    vector = [scratch(squares.shape, nl.float32) for _ in planes]
    scaled(vector, x, along_rows(factors, rows - j))
    for plane, value in zip(vector, (1.0, 0.0), strict=False):
        nisa.memset(plane[:, :1], value)
    # alpha where there is nothing below: alpha + below (beta - alpha).
    diagonal = [made() for _ in planes]
    nisa.tensor_tensor(apart[0], apart[0], below, nl.multiply, engine=_VECTOR)
    nisa.tensor_tensor(diagonal[0], alpha[0], apart[0], nl.subtract, engine=_VECTOR)
    for plane in diagonal[1:]:
        nisa.memset(plane, 0.0)
    return vector, tau, diagonal


def _squares(planes: Planes) -> Any:
    """Square magnitudes."""
    found = None
    for plane in planes:
        square = scratch(plane.shape, nl.float32)
        nisa.tensor_tensor(square, plane, plane, nl.multiply, engine=_VECTOR)
        if found is not None:
            nisa.tensor_tensor(square, found, square, nl.add, engine=_VECTOR)
        found = square
    return found


def _reflect(planes: Planes, vector: Planes, tau: Planes, *, conjugated: bool) -> None:
    """Subtract tau v (v* C) from C, (P, r, c, m); with the conjugate of tau, if it is asked for."""
    partitions, rows, columns, each = planes[0].shape
    shape = partitions, 1, columns, each
    dots = [scratch(shape, nl.float32) for _ in planes]
    for place, target in enumerate(dots):
        for number, plane in enumerate(vector):
            products, sums = scratch(planes[0].shape, nl.float32), scratch(shape, nl.float32) if number else target
            other = planes[place if not number else 1 - place]
            nisa.tensor_tensor(products, other, plane.broadcast(2, columns), nl.multiply, engine=_VECTOR)
            nisa.tensor_reduce(sums[:, 0], nl.add, products.permute((0, 2, 3, 1)), axis=3)
            if number:  # v* C: vr Cr + vi Ci and vr Ci - vi Cr
                nisa.tensor_tensor(target, target, sums, nl.subtract if place else nl.add, engine=_VECTOR)
    if conjugated and len(tau) > 1:
        minus = scratch(tau[1].shape, nl.float32)
        nisa.tensor_scalar(minus, tau[1], nl.multiply, -1.0, engine=_VECTOR)
        tau = [tau[0], minus]
    across = [scratch(shape, nl.float32) for _ in planes]
    scaled(across, dots, along_columns(tau, columns))
    subtract_product(planes, along_columns(vector, columns), along_rows(across, rows))


def _factor(emission: Emission, count: int, rows: int, columns: int, planes: int) -> None:
    """
    Factor matrices A = Q R as LAPACK's geqrf does: R, and below its diagonal the vectors of the reflections, whose factors tau are beside.

    Notes
    -----
    Matrices are divided by powers of two before. Columns below 2**-50 of the largest element count as zero. Complex operands and results
    are in two planes; diagonals of R are real then.

    *Layout.* See `lanes`.

    *Bound.* Vector Engine: seven cycles for an element of the columns that are left; of few matrices the latency of 26 instructions a
    column.

    *Error.* Backward, and orthogonality of Q: ``4 n u``.
    """
    shape, least = (count, rows, columns), min(rows, columns)
    matrices, packed = ([view(shape, place) for place in range(planes)] for view in (lambda s, p: emission.source(p, s), emission.result))
    factors = [emission.result((count, least, 1), planes + place) for place in range(planes)]

    def some(part: Any, partitions: int, each: int) -> None:
        tile = taken([part(matrix) for matrix in matrices])
        power = scale(*tile)
        taus = zeros((partitions, least, 1, each), planes)
        for j in range(least if rows > columns or planes > 1 else least - 1):
            here = slice(j, j + 1)
            vector, tau, diagonal = _vector(tile, j)
            if j + 1 < columns:
                _reflect(block(tile, slice(j, None), slice(j + 1, None)), vector, tau, conjugated=True)
            for of, plane, one, beta, below in zip(taus, tile, tau, diagonal, vector, strict=True):
                nisa.tensor_copy(of[:, here], one, engine=_VECTOR)
                nisa.tensor_copy(plane[:, here, here], beta, engine=_VECTOR)
                if j + 1 < rows:
                    nisa.tensor_copy(plane[:, j + 1 :, here], below[:, 1:], engine=_VECTOR)
        for plane in tile:
            for row in range(least):
                part_of = plane[:, row : row + 1, row:]
                nisa.tensor_tensor(part_of, part_of, power.broadcast(2, columns - row), nl.multiply, engine=_VECTOR)
        stored([part(view) for view in (*packed, *factors)], [*tile, *taus])

    over_lanes(count, planes * rows * columns, 34 * planes * columns, some)


def _apply(emission: Emission, count: int, rows: int, reflections: int, columns: int, transposed: bool, planes: int) -> None:
    """
    Multiply by the orthogonal factor of a QR factorization, or by its adjoint.

    Notes
    -----
    Operands: as `_factor` gives them, and matrices with as many rows.

    *Layout*, *bound* and *error* as of `_factor`.
    """
    shapes = (count, rows, reflections), (count, reflections, 1), (count, rows, columns)
    sources = [[emission.source(kind * planes + place, shape) for place in range(planes)] for kind, shape in enumerate(shapes)]
    results = [emission.result(shapes[2], place) for place in range(planes)]

    def some(part: Any, _partitions: int, _each: int) -> None:
        vectors, taus, tile = (taken([part(view) for view in views]) for views in sources)
        for j in range(reflections) if transposed else reversed(range(reflections)):
            for plane, value in zip(vectors, (1.0, 0.0), strict=False):
                nisa.memset(plane[:, j, j], value)
            here = slice(j, j + 1)
            vector, tau = block(vectors, slice(j, None), here), block(taus, here, slice(None))
            _reflect(block(tile, slice(j, None), slice(None)), vector, tau, conjugated=transposed)
        stored([part(view) for view in results], tile)

    over_lanes(count, planes * rows * max(reflections, columns), 8 * planes * reflections, some)


def _rule(matrix: Signature, *others: Signature) -> Ruling:
    count, rows, columns = matrix.shape
    planes = 1 + len(others)
    fits = matrix.dtype == FLOAT32 and 0 < planes * rows * columns <= MOST_ELEMENTS and all(other == matrix for other in others)
    if not fits or planes > 2:
        raise InvalidCallError(f"QR in lanes takes float32 matrices of up to {MOST_ELEMENTS} elements, not {[matrix, *others]}")
    factors = Signature((count, min(rows, columns)), FLOAT32)
    return (*[matrix] * planes, *[factors] * planes), (count, rows, columns, planes)


def _apply_rule(*operands: Signature, transposed: bool = False) -> Ruling:
    planes = len(operands) // 3
    packed, factors, given = operands[::planes]
    count, rows, reflections = packed.shape
    fits = factors.shape == (count, reflections) and reflections <= rows and given.shape[:2] == (count, rows)
    if not fits or planes * rows * max(given.shape[2], reflections) > MOST_ELEMENTS:
        raise InvalidCallError(f"reflections in lanes {packed}, {factors} are not applied to {given}")
    return (given,) * planes, (count, rows, reflections, given.shape[2], transposed, planes)


def _estimate(costs: Costs, _results: tuple[Signature, ...], count: int, rows: int, reflections: int, columns: int = 0, *_: Any) -> float:
    """Estimate the steps."""
    each = max(1, count / PARTITIONS)
    one = costs.instruction("tensor_tensor", rows * (columns or reflections / 2) * each)
    return 2 * costs.transfer_waits + min(rows, reflections) * (4 * one + 20 * costs.instruction("tensor_tensor", each))


declare(Kernel("QR in lanes", _rule, _factor, "QR factorization", "{0} matrices of {1} × {2}", estimate=_estimate))
_REFLECTED: Final = "{2} reflections of {0} matrices of {1} × {3}"
declare(Kernel("reflect in lanes", _apply_rule, _apply, "multiply by Q", _REFLECTED, estimate=_estimate))
