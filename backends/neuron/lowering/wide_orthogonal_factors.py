"""QR factors and eigenvalues of float64, from those of float32: corrections by products of float64, with a test of each result."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ...dtypes import COMPLEX128, FLOAT32, FLOAT64
from ...rules import Signature
from ..graph.build import call as call_kernel
from ..graph.build import reshape
from ..graph.graph import Node
from ..value import Value
from . import Builder, NotNativeError
from .composition import Expression, Ops
from .eigenvalues import FUNCTIONS as EIGENVALUES
from .eigenvalues import MOST_ROTATED, MOST_ROWS, eigenvectors, mirrored
from .factor_loops import reflections
from .matrices import Achieved, all_of, matrices
from .op_calls import call, converted
from .orthogonal_factors import QR, of_nothing
from .refinement import cholesky, triangular, within
from .wide_equations import in_lanes

__all__ = ["REASON", "WIDE", "diagonalized", "factored", "largest", "orthonormal"]

_U: Final = 2.0**-53
REASON: Final = "the device, which corrects factors of float32, did not reach the accuracy of LAPACK for it"
_MOST_MATRICES: Final = 16
"""Of a stack, each of which is many products of its own."""
_LEVELS: Final = (1e-4, 1e-8, 1e-11)
"""How close eigenvalues of a cluster are, beside the largest one; each level leaves 1e-7 of that in clusters, and squares outside."""


def largest(x: Expression) -> Expression:
    """Find the largest magnitudes of matrices."""
    return abs(x).max((-2, -1))


def orthonormal(ops: Ops, v: Expression, some: Expression | None = None) -> Expression:
    """
    Make columns orthonormal that nearly are: V (I + E / 2 + 3 E E / 8), E = I - V* V, which leaves the cube of E.

    Where flags are given, columns that have 0 there are zero.
    """
    one = ops.unit(v.shape[-1], FLOAT64)
    rest = (one if some is None else one * some[..., None, :]) - v.adjoint() @ v
    narrow = rest.astype(rest.narrow_dtype)
    return v + v @ (rest * 0.5 + ((narrow @ narrow) * 0.375).astype(rest.dtype))


def _rotated(ops: Ops, a: Expression) -> Expression:
    """Diagonalize in float32: eigenvectors, in any order."""
    if a.shape[-1] > MOST_ROTATED or a.is_complex:
        return eigenvectors(ops, a.astype(a.narrow_dtype))[0]
    _, _, vectors = call_kernel("eigh in lanes", *matrices(a.astype(FLOAT32).value, FLOAT32, a.shape[:-2]), vectors=True)
    return Expression(ops, ops.builder.make((reshape(vectors, a.shape),), FLOAT32))


def _diagonal(x: Expression) -> Expression:
    return x.viewed(lambda shadow: np.diagonal(shadow, axis1=-2, axis2=-1))


def _clusters(ops: Ops, values: Expression, width: Expression) -> Expression:
    """Give numbers, in float32, to clusters of numbers, of which each is at most so far from the next one."""
    order = ops("argsort", values, axis=-1)
    ascending = ops("take_along_axis", values, order, -1)
    apart = (ascending[..., 1:] - ascending[..., :-1] > width[..., None]).astype(FLOAT32)
    numbers = ops("cumulative_sum", apart, axis=-1, include_initial=True) if values.shape[-1] > 1 else apart.sum(-1, keepdims=True)
    return ops("take_along_axis", numbers, ops("argsort", order, axis=-1), -1)


def _corrected(ops: Ops, a: Expression, vectors: Expression, width: Expression) -> Expression:
    """
    Correct eigenvectors: those of separate eigenvalues to first order, those of clusters by an eigenproblem of float32.

    Diagonals of clusters are taken from their least elements, so that float32 holds what they differ by.
    """
    form = vectors.adjoint() @ (a @ vectors)
    values = _diagonal(form).real
    numbers = _clusters(ops, values, width)
    same = numbers[..., :, None] == numbers[..., None, :]
    row = values[..., None, :]
    least = ops("where", same, row.broadcast_to(form.shape), math.inf)
    least = -(-least).max(-1)
    one = ops.unit(a.shape[-1], FLOAT64)
    shifted = form - one * least[..., None]
    blocks = ops("where", same, shifted, 0.0)
    if a.shape[-1] > MOST_ROTATED:  # clusters are kept apart, where rotations leave zeros alone
        radius = abs(blocks).sum(-1).max(-1) * 2.0 + width
        blocks = blocks + one * (numbers.astype(FLOAT64) * radius[..., None])[..., None, :]
    inside = _rotated(ops, blocks)
    place = ops("argmax", abs(inside), axis=-2)
    given, numbers, least = numbers, ops("take_along_axis", numbers, place, -1), ops("take_along_axis", least, place, -1)
    inside = ops("where", given[..., :, None] == numbers[..., None, :], inside, 0.0).astype(a.narrow_dtype)
    turned = inside.adjoint() @ shifted.astype(a.narrow_dtype) @ inside
    values = least + _diagonal(turned).real.astype(FLOAT64)
    gaps = (values[..., None, :] - values[..., :, None]).astype(FLOAT32)
    same = numbers[..., :, None] == numbers[..., None, :]
    step = ops("where", same, 0.0, turned / ops("where", same, 1.0, gaps).astype(FLOAT32)).astype(a.narrow_dtype)
    return orthonormal(ops, vectors @ (inside + inside @ step).astype(a.dtype))


def diagonalized(ops: Ops, a: Expression) -> tuple[Expression, Expression, Node]:
    """
    Diagonalize Hermitian matrices, both of whose triangles are given: eigenvalues in ascending order, and eigenvectors.

    Residuals of ``n u``, and orthogonality, are tested.
    """
    order = a.shape[-1]
    if order > MOST_ROWS or math.prod(a.shape[:-2]) > _MOST_MATRICES:
        raise NotNativeError(
            f"eigenvalues of float64 matrices of more than {MOST_ROWS} rows, or of more than {_MOST_MATRICES}, are computed on the host"
        )
    power = ops.exponents(largest(a))
    scaled = ops.ldexp(a, -power[..., None, None])
    norm = abs(scaled).sum(-1).max(-1)
    vectors = orthonormal(ops, _rotated(ops, scaled).astype(a.dtype))
    for level in _LEVELS:
        vectors = _corrected(ops, scaled, vectors, norm * level)
    product = scaled @ vectors
    values = (vectors.conj() * product).sum(-2).real
    rest = largest(product - vectors * values[..., None, :])
    apart = largest(ops.unit(order, FLOAT64) - vectors.adjoint() @ vectors)
    holds = all_of(within(rest, norm, (order + 8) * _U), within(apart, 1.0, (order + 8) * _U))
    places = ops("argsort", values, axis=-1)
    columns = places[..., None, :].broadcast_to(a.shape)
    found = ops("take_along_axis", values, places, -1)
    return ops("ldexp", found, power[..., None]), ops("take_along_axis", vectors, columns, -1), holds


def _hermitian(builder: Builder, a: Value, uplo: str) -> Expression:
    """Complete a matrix by the triangle that is read."""
    wide = converted(builder, a, COMPLEX128 if a.dtype.kind == "c" else FLOAT64)
    return Expression(Ops(builder), mirrored(builder, wide, uplo.upper()))


def _eigh(builder: Builder, results: tuple[Signature, Signature], a: Value, UPLO: str = "L") -> Any:
    if not math.prod(results[0].shape):
        return builder.zeros(results[0].shape, results[0].dtype), builder.zeros(results[1].shape, results[1].dtype)
    values, vectors, holds = diagonalized(Ops(builder), _hermitian(builder, a, UPLO))
    return Achieved((values.value, vectors.value), holds, REASON)


def _eigvalsh(builder: Builder, result: Signature, a: Value, UPLO: str = "L") -> Any:
    if not math.prod(result.shape):
        return builder.zeros(result.shape, result.dtype)
    values, _, holds = diagonalized(Ops(builder), _hermitian(builder, a, UPLO))
    return Achieved(values.value, holds, REASON)


def _triangle(ops: Ops, gram: Expression) -> tuple[Expression, Expression, list[Node]]:
    """Make the Cholesky factors of Gram matrices, and inverses; and tell whether they are accurate, which raises nothing."""
    builder, order, stack = ops.builder, gram.shape[-1], gram.shape[:-2]
    found = None if gram.is_complex else in_lanes(builder, "Cholesky of float64", *matrices(gram.value, FLOAT64, stack))
    one = ops.unit(order, FLOAT64)
    if found is None:
        refined = cholesky(ops, gram)
        inverted = triangular(ops, refined.result, one.astype(gram.dtype), lower=True)
        return refined.result, inverted.result, [refined.holds, inverted.holds]
    *planes, definite = found
    *inverse, regular = call_kernel("triangular solve of float64 in lanes", *planes, *matrices(one.value, FLOAT64, stack), lower=True)
    factor, inverted_factor = (
        Expression(ops, builder.make(tuple([reshape(plane, gram.shape) for plane in made]), FLOAT64)) for made in (planes, inverse)
    )
    return factor, inverted_factor, [definite, regular]


def factored(builder: Builder, a: Value, *, complete: bool = False) -> tuple[Expression, Expression, Node]:
    """
    Factor matrices, A = Q R, by the Cholesky factors of A* A and of what that leaves.

    Signs are those that reflections give in float32, and so is the rest of a complete basis, which is made orthogonal to the first
    columns. Residuals and orthogonality are tested (T. Fukaya et al., "CholeskyQR2", 2014).
    """
    ops = Ops(builder)
    rows, columns = a.shape[-2:]
    matrix = Expression(ops, converted(builder, a, COMPLEX128 if a.dtype.kind == "c" else FLOAT64))
    if not math.prod(a.shape):
        raise NotNativeError("float64 matrices without elements are factored on the host")
    if rows < columns:  # the others are multiplied by Q*
        basis, triangle, holds = factored(builder, a.view(a.shadow[..., :rows]))
        return basis, ops.concatenate([triangle, basis.adjoint() @ matrix[..., rows:]], -1), holds
    basis, triangle, flags = matrix, ops.unit(columns, FLOAT64).astype(matrix.dtype), list[Node]()
    for _ in range(2):
        lower, turned, fine = _triangle(ops, basis.adjoint() @ basis)
        more, inverse = lower.adjoint(), turned.adjoint()
        flags += fine
        made = basis @ inverse
        basis = made + (basis - made @ more) @ inverse
        triangle = ops("triu", more @ triangle)
    rest = matrix - basis @ triangle
    near = QR(builder, converted(builder, a, matrix.narrow_dtype), matrix.narrow_dtype)
    narrow = near.triangle
    diagonal = Expression(ops, narrow.view(np.diagonal(narrow.shadow, axis1=-2, axis2=-1))).real
    signs = ops("where", diagonal < 0.0, -1.0, 1.0).astype(FLOAT64)
    basis, triangle = basis * signs[..., None, :], triangle * signs[..., :, None]
    if complete and rows > columns:
        others = Expression(ops, near.times(call(builder, "eye", rows, rows - columns, -columns, FLOAT32))).astype(matrix.dtype)
        basis = ops.concatenate([basis, orthonormal(ops, others - basis @ (basis.adjoint() @ others))], -1)
        triangle = ops("pad", triangle, [*[(0, 0)] * (a.ndim - 2), (0, rows - columns), (0, 0)])
    apart = largest(ops.unit(basis.shape[-1], FLOAT64) - basis.adjoint() @ basis)
    limit = 4 * (basis.shape[-1] + 8) * _U
    holds = all_of(*flags, within(largest(rest), largest(matrix), limit), within(apart, 1.0, limit))
    return basis, triangle, holds


def _qr(builder: Builder, results: Any, a: Value, mode: str = "reduced") -> Any:
    if mode == "raw":
        if a.ndim > 2:
            raise NotNativeError("stacks of float64 matrices have their factors in LAPACK's form computed on the host")
        ops = Ops(builder)
        found = reflections(ops, Expression(ops, converted(builder, a, results[0].dtype)), pivoting=False)
        return found.packed.viewed(np.transpose).value.with_memory(), found.factors.value
    if not math.prod(a.shape):
        return of_nothing(builder, *results)
    basis, triangle, holds = factored(builder, a, complete=mode == "complete")
    return Achieved(triangle.value if mode == "r" else (basis.value, triangle.value), holds, REASON)


WIDE: Final[Mapping[str, Callable[..., Any]]] = {
    "linalg.eigh": _eigh,
    "linalg.eigvalsh": _eigvalsh,
    "scipy.linalg.eigh": EIGENVALUES["scipy.linalg.eigh"],
    "scipy.linalg.eigvalsh": EIGENVALUES["scipy.linalg.eigvalsh"],
    "linalg.qr": _qr,
}
