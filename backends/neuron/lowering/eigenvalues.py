"""Eigenvalues and eigenvectors of symmetric matrices."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...dtypes import FLOAT32
from ...rules import Signature, is_true
from ..graph.build import call as call_kernel
from ..graph.build import reshape, transpose
from ..graph.graph import Node
from ..kernel import kernel
from ..value import Value
from . import NotNativeError
from .composition import Expression, Ops
from .matrices import demand, empty, finite, matrices, unstacked
from .op_calls import call, converted

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__ = ["FUNCTIONS", "MOST_ROTATED", "MOST_ROWS", "eigenvectors", "mirrored", "reordered", "rotated"]

MOST_ROTATED: Final = 32
"""Rows of matrices that Jacobi rotations make diagonal in lanes."""
MOST_ROWS: Final = 128
"""Rows of matrices that they do over partitions."""


def reordered(builder: Builder, value: Value, order: Value) -> Value:
    """Put columns in an order: of each matrix another one."""
    places = order.view(np.broadcast_to(order.shadow[..., np.newaxis, :], value.shape))
    columns: Value = call(builder, "take_along_axis", value, places, -1)
    return columns


def _diagonalized(builder: Builder, a: Value, uplo: str, vectors: bool) -> tuple[Value, Value | None]:
    """Compute eigenvalues in ascending order, and eigenvectors."""
    stack, order = a.shape[:-2], a.shape[-1]
    if order > MOST_ROTATED:
        return _rotated(builder, mirrored(builder, a, uplo.upper()), vectors)
    lower = a if uplo.upper() == "L" else a.view(np.swapaxes(a.shadow, -1, -2))
    values, converged, *found = call_kernel("eigh in lanes", *matrices(lower, FLOAT32, stack), vectors=vectors)
    demand((values, *found), converged, stack, "Eigenvalues did not converge")
    unsorted = unstacked(builder, (values,), Signature((*stack, order), FLOAT32))
    if not vectors:
        ascending: Value = call(builder, "sort", unsorted, axis=-1)
        return ascending, None
    places = call(builder, "argsort", unsorted, axis=-1, stable=True)
    columns = unstacked(builder, tuple(found), Signature((*stack, order, order), FLOAT32))
    return call(builder, "take_along_axis", unsorted, places, -1), reordered(builder, columns, places)


def rotated(builder: Builder, a: Value) -> tuple[Value, Value, Node]:
    """Make columns of matrices orthogonal over partitions: A V, and V, for A of a largest element of about 1; and flags."""
    turned = np.swapaxes(a.shadow, -1, -2)
    planes = matrices(a.view(turned), FLOAT32, a.shape[:-2])
    if not kernel("SVD").takes(*[Signature(plane.shape, plane.dtype) for plane in planes]):
        raise NotNativeError(f"eigenvalues and singular values of more than {MOST_ROWS} rows and columns are computed on the host")
    *found, converged = call_kernel("SVD", *planes)
    columns, right = (builder.make((reshape(transpose(node, (0, 2, 1)), a.shape),), FLOAT32) for node in found)
    return columns, right, converged


def eigenvectors(ops: Ops, matrix: Expression) -> tuple[Expression, Node]:
    """Find eigenvectors of symmetric matrices as singular vectors of positive-definite ones: one is added to what has a norm below 1."""
    order, norm = matrix.shape[-1], abs(matrix).sum(-1).max(-1)
    _, exponent = call(ops.builder, "frexp", norm.value)
    one = ops.kept(("unit matrix", order), lambda: np.eye(order))
    scaled = ops("ldexp", matrix, -Expression(ops, exponent)[..., None, None])
    _, right, converged = rotated(ops.builder, (scaled + one).value)
    return Expression(ops, right), converged


def _rotated(builder: Builder, a: Value, vectors: bool) -> tuple[Value, Value | None]:
    """Diagonalize larger symmetric matrices, both of whose triangles are given."""
    ops = Ops(builder)
    matrix = Expression(ops, converted(builder, a, FLOAT32))
    columns, converged = eigenvectors(ops, matrix)
    right = columns.value
    values = (columns * (matrix @ columns)).sum(-2)
    nodes = (*values.value.read(), *right.read())
    demand(nodes, converged, a.shape[:-2], "Eigenvalues did not converge")
    if not vectors:
        return ops("sort", values, axis=-1).value, None
    places = ops("argsort", values, axis=-1, stable=True)
    return ops("take_along_axis", values, places, -1).value, reordered(builder, right, places.value)


def _real(dtype: Any) -> None:
    if dtype.kind == "c":
        raise NotNativeError("eigenvalues of complex matrices are computed on the host")


def _eigh(builder: Builder, results: tuple[Signature, Signature], a: Value, UPLO: str = "L") -> tuple[Value, Value]:
    _real(results[1].dtype)
    if not math.prod(results[0].shape):
        return empty(builder, results[0]), empty(builder, results[1])
    values, vectors = _diagonalized(builder, a, UPLO, True)
    assert vectors is not None
    return values, vectors


def _eigvalsh(builder: Builder, result: Signature, a: Value, UPLO: str = "L") -> Value:
    _real(a.dtype)
    return _diagonalized(builder, a, UPLO, False)[0] if math.prod(result.shape) else empty(builder, result)


def _scipy_eigh(
    builder: Builder, results: Any, a: Value, b: Value | None = None, *, lower: Any = True, eigvals_only: Any = False,
    overwrite_a: bool = False, overwrite_b: bool = False, type: Any = 1, check_finite: Any = True, subset_by_index: Any = None,
    subset_by_value: Any = None, driver: Any = None,
) -> Any:  # fmt: skip
    first = results if isinstance(results, Signature) else results[1]
    _real(first.dtype if b is None else builder.promotion.result_type(a.dtype, b.dtype))
    a, vectors, uplo = finite(builder, a, check_finite), not is_true(eigvals_only), "L" if is_true(lower) else "U"
    factor = None
    if b is not None:
        factor, a, uplo = *_reduced(builder, a, finite(builder, b, check_finite), uplo, type), "L"
    values, columns = _diagonalized(builder, a, uplo, vectors)
    if subset_by_index is not None:
        some = slice(subset_by_index[0], subset_by_index[1] + 1)
        values = values.view(values.shadow[..., some]).with_memory()
        columns = None if columns is None else columns.view(columns.shadow[..., some]).with_memory()
    if columns is None:
        return values
    if factor is not None and type == 3:
        columns = call(builder, "matmul", factor, columns)
    elif factor is not None:
        columns = call(builder, "scipy.linalg.solve_triangular", factor, columns, 1, True, False, False, False)
    return values, columns


def _reduced(builder: Builder, a: Value, b: Value, uplo: str, kind: int) -> tuple[Value, Value]:
    """Make a generalized problem a plain one, by the Cholesky factor of its second matrix, which is given, too."""
    a = mirrored(builder, a, uplo)
    factor = call(builder, "linalg.cholesky", b, upper=False) if uplo == "L" else call(builder, "linalg.cholesky", transposed(b))
    if kind == 1:
        half = call(builder, "scipy.linalg.solve_triangular", factor, a, 0, True, False, False, False)
        return factor, call(builder, "scipy.linalg.solve_triangular", factor, transposed(half), 0, True, False, False, False)
    return factor, call(builder, "matmul", transposed(factor), call(builder, "matmul", a, factor))


def transposed(value: Value) -> Value:
    return value.view(np.swapaxes(value.shadow, -1, -2))


def mirrored(builder: Builder, a: Value, uplo: str) -> Value:
    """Complete a symmetric matrix by the triangle that is read."""
    whole, part = ("tril", -1) if uplo == "L" else ("triu", 1)
    mirrored: Value = call(builder, "add", call(builder, whole, a), transposed(call(builder, whole, a, part)))
    return mirrored


def _scipy_eigvalsh(builder: Builder, result: Signature, a: Value, b: Value | None = None, **options: Any) -> Value:
    values: Value = _scipy_eigh(builder, result, a, b, eigvals_only=True, **options)
    return values


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "linalg.eigh": _eigh,
    "linalg.eigvalsh": _eigvalsh,
    "scipy.linalg.eigh": _scipy_eigh,
    "scipy.linalg.eigvalsh": _scipy_eigvalsh,
}
