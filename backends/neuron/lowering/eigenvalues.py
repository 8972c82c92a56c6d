"""Eigenvalues and eigenvectors of Hermitian matrices."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ...dtypes import COMPLEX64, FLOAT32
from ...rules import Signature
from ..graph.build import call as call_kernel
from ..graph.build import fill, reshape, transpose
from ..graph.graph import Node
from ..kernel import kernel
from ..value import Value
from . import Builder, NotNativeError
from .composition import Expression, Ops
from .linear_equations import adjoint
from .matrices import demand, matrices, unstacked
from .op_calls import call, call_several, converted
from .polar_factors import orthonormal
from .tridiagonal_eigenproblems import MOST_ROWS, diagonalized

__all__ = [
    "FUNCTIONS", "MOST_ROTATED", "MOST_ROWS", "eigenvectors", "in_interval", "mirrored", "reordered", "rotated",
]  # fmt: skip

MOST_ROTATED: Final = 32
"""Rows of matrices that Jacobi rotations make diagonal; larger ones become tridiagonal."""


def reordered(builder: Builder, value: Value, order: Value) -> Value:
    """Put columns in an order: of each matrix another one."""
    places = order.view(np.broadcast_to(order.shadow[..., np.newaxis, :], value.shape))
    return call(builder, "take_along_axis", value, places, -1)


def _diagonalized(builder: Builder, a: Value, uplo: str, vectors: bool) -> tuple[Value, Value | None]:
    """Compute eigenvalues in ascending order, and eigenvectors."""
    stack, order = a.shape[:-2], a.shape[-1]
    if order > MOST_ROTATED or a.dtype.kind == "c":
        return _rotated(builder, mirrored(builder, a, uplo.upper()), vectors)
    lower = a if uplo.upper() == "L" else a.view(np.swapaxes(a.shadow, -1, -2))
    values, converged, *found = call_kernel("eigh in lanes", *matrices(lower, FLOAT32, stack), vectors=vectors)
    demand((values, *found), converged, stack, "Eigenvalues did not converge")
    unsorted = unstacked(builder, (values,), Signature((*stack, order), FLOAT32))
    if not vectors:
        ascending = call(builder, "sort", unsorted, axis=-1)
        return ascending, None
    places = call(builder, "argsort", unsorted, axis=-1, stable=True)
    columns = unstacked(builder, tuple(found), Signature((*stack, order, order), FLOAT32))
    return call(builder, "take_along_axis", unsorted, places, -1), reordered(builder, columns, places)


def rotated(ops: Ops, a: Expression) -> tuple[Expression, Expression, Node]:
    """
    Make columns of matrices orthogonal over partitions: A V, and V, for A of a largest element of about 1; and flags.

    Rotations round the lengths of columns of V, which are known, and of A V alike: so V is made orthonormal again, and A V of that.
    """
    stack, order = a.shape[:-2], a.shape[-1]
    planes = matrices(a.viewed(lambda shadow: np.swapaxes(shadow, -1, -2)).value, a.dtype, stack)
    if order == 1:
        one = ops("ones", a.shape, a.dtype)
        return a, one, fill(1.0, (planes[0].shape[0],), FLOAT32)
    if not kernel("SVD").takes(*[Signature(plane.shape, plane.dtype) for plane in planes]):
        raise NotNativeError("matrices of this size are not rotated over partitions")
    *found, converged = call_kernel("SVD", *planes)
    turned = [reshape(transpose(node, (0, 2, 1)), a.shape) for node in found[len(planes) :]]
    right = orthonormal(ops, Expression(ops, ops.builder.make(tuple(turned), a.dtype)))
    return a @ right, right, converged


def eigenvectors(ops: Ops, matrix: Expression) -> tuple[Expression, Node]:
    """Find eigenvectors of Hermitian matrices as singular vectors of positive-definite ones: one is added to what has a norm below 1."""
    order, norm = matrix.shape[-1], abs(matrix).sum(-1).max(-1)
    if order > MOST_ROTATED:
        found = diagonalized(ops, matrix)
        assert found.vectors is not None
        return found.vectors, found.holds
    one = ops.unit(order)
    _, right, converged = rotated(ops, ops.ldexp(matrix, -ops.exponents(norm)[..., None, None]) + one)
    return right, converged


def _rotated(builder: Builder, a: Value, vectors: bool) -> tuple[Value, Value | None]:
    """Diagonalize larger Hermitian matrices, both of whose triangles are given, and complex ones."""
    ops = Ops(builder)
    matrix = Expression(ops, converted(builder, a, COMPLEX64 if a.dtype.kind == "c" else FLOAT32))
    if matrix.shape[-1] > MOST_ROTATED:
        found = diagonalized(ops, matrix, vectors=vectors)
        parts = [found.values.value] if found.vectors is None else [found.values.value, found.vectors.value]
        demand(tuple([node for part in parts for node in part.read()]), found.holds, (), "Eigenvalues did not converge")
        return parts[0], parts[-1] if vectors else None
    columns, converged = eigenvectors(ops, matrix)
    right = columns.value
    values = (columns.conj() * (matrix @ columns)).sum(-2).real
    nodes = (*values.value.read(), *right.read())
    demand(nodes, converged, a.shape[:-2], "Eigenvalues did not converge")
    if not vectors:
        return ops("sort", values, axis=-1).value, None
    places = ops("argsort", values, axis=-1, stable=True)
    return ops("take_along_axis", values, places, -1).value, reordered(builder, right, places.value)


def _eigh(builder: Builder, results: tuple[Signature, Signature], a: Value, UPLO: str = "L") -> tuple[Value, Value]:
    if not math.prod(results[0].shape):
        return builder.zeros(results[0].shape, results[0].dtype), builder.zeros(results[1].shape, results[1].dtype)
    values, vectors = _diagonalized(builder, a, UPLO, True)
    assert vectors is not None
    return values, vectors


def _eigvalsh(builder: Builder, result: Signature, a: Value, UPLO: str = "L") -> Value:
    return _diagonalized(builder, a, UPLO, False)[0] if math.prod(result.shape) else builder.zeros(result.shape, result.dtype)


def _scipy_eigh(
    builder: Builder, results: Any, a: Value, b: Value | None = None, *, lower: Any = True, eigvals_only: Any = False, type: Any = 1,
    subset_by_index: Any = None, subset_by_value: Any = None, driver: Any = None,
) -> Any:  # fmt: skip
    """Of float64 and complex128, too, as all that it is made of."""
    uplo, factor = "L" if lower else "U", None
    if b is not None:
        factor, a = _reduced(builder, a, b, uplo, type)
        uplo = "L"
    some = slice(None) if subset_by_index is None else slice(subset_by_index[0], subset_by_index[1] + 1)
    if eigvals_only:
        values = call(builder, "linalg.eigvalsh", a, uplo)
        return values.view(values.shadow[..., some]).with_memory()
    values, columns = (item.view(item.shadow[..., some]).with_memory() for item in call_several(builder, "linalg.eigh", a, uplo))
    if factor is not None and type == 3:
        columns = call(builder, "matmul", factor, columns)
    elif factor is not None:
        columns = call(builder, "scipy.linalg.solve_triangular", factor, columns, 2, True, False, False, False)
    return values, columns


def _reduced(builder: Builder, a: Value, b: Value, uplo: str, kind: int) -> tuple[Value, Value]:
    """Make a generalized problem a plain one, by the Cholesky factor of its second matrix, which is given, too."""
    a = mirrored(builder, a, uplo)
    factor = call(builder, "linalg.cholesky", b if uplo == "L" else adjoint(builder, b))
    if kind == 1:
        half = call(builder, "scipy.linalg.solve_triangular", factor, a, 0, True, False, False, False)
        return factor, call(builder, "scipy.linalg.solve_triangular", factor, adjoint(builder, half), 0, True, False, False, False)
    return factor, call(builder, "matmul", adjoint(builder, factor), call(builder, "matmul", a, factor))


def mirrored(builder: Builder, a: Value, uplo: str) -> Value:
    """Complete a Hermitian matrix by the triangle that is read, of whose diagonal the real part counts."""
    whole, part = ("tril", -1) if uplo == "L" else ("triu", 1)
    strict = call(builder, whole, a, part)
    if a.dtype.kind != "c":
        return call(builder, "add", call(builder, whole, a), strict.view(np.swapaxes(strict.shadow, -1, -2)))
    ops, both = Ops(builder), Expression(Ops(builder), strict)
    return (both + both.adjoint() + ops("triu", ops("tril", Expression(ops, a).real))).value


def _scipy_eigvalsh(builder: Builder, result: Signature, a: Value, b: Value | None = None, **options: Any) -> Value:
    values: Value = _scipy_eigh(builder, result, a, b, eigvals_only=True, **options)
    return values


def in_interval(lowering: Callable[..., Any]) -> Callable[..., Any]:
    """Give `scipy.linalg.eigh` those eigenvalues that are in an interval, open below; how many there are is fetched."""

    def run(builder: Builder, *operands: Any, subset_by_value: Any = None, subset_by_index: Any = None, **options: Any) -> Any:
        if subset_by_value is None or subset_by_index is not None:
            return lowering(builder, *operands, subset_by_value=subset_by_value, subset_by_index=subset_by_index, **options)
        found, ops = lowering(builder, *operands, **options), Ops(builder)
        values = Expression(ops, found if isinstance(found, Value) else found[0])
        low, high = subset_by_value
        if values.ndim > 1 or not (isinstance(low, (int, float)) and isinstance(high, (int, float)) and low < high):
            raise NotNativeError("eigenvalues of stacks in an interval, and intervals that are empty, are left to the host")
        counts = ops("stack", [ops("count_nonzero", values <= float(bound)) for bound in (low, high)])
        some = slice(*(int(count) for count in builder.on_host(counts.value)))
        parts = [part.view(part.shadow[..., some]).with_memory() for part in ([found] if isinstance(found, Value) else found)]
        return parts[0] if isinstance(found, Value) else tuple(parts)

    return run


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "linalg.eigh": _eigh,
    "linalg.eigvalsh": _eigvalsh,
    "scipy.linalg.eigh": _scipy_eigh,
    "scipy.linalg.eigvalsh": _scipy_eigvalsh,
}
