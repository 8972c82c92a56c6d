"""Which elements of a matrix are zero, and which mirror others: tests, of which one fetch gives the numbers."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from ...dtypes import is_low_precision
from . import Builder, Lowerings, NotNativeError
from .composition import Expression, Ops

__all__ = ["LOWERINGS"]


def _matrix(builder: Builder, a: Any) -> Expression:
    value = builder.array(a)
    if value.ndim != 2 or not value.size or is_low_precision(value.dtype):
        raise NotNativeError("stacks, matrices without elements, and those of less than 32 bits are looked at on the host")
    return Expression(Ops(builder), value)


def _places(ops: Ops, a: Expression) -> Expression:
    """Tell how far below the diagonal each element is."""
    rows, columns = a.shape
    return ops.kept(("below the diagonal", rows, columns), lambda: np.arange(rows)[:, None] - np.arange(columns))


def _bandwidth(builder: Builder, a: Any) -> tuple[int, int]:
    matrix, ops = _matrix(builder, a), Ops(builder)
    below = ops("where", ops("not_equal", matrix, 0), _places(ops, matrix), 0.0).reshape(matrix.size)
    lower, upper = builder.on_host(ops("stack", [below.max(0), (-below).max(0)]).value)
    return int(lower), int(upper)


def _mirrored(builder: Builder, a: Any, atol: float | None = None, rtol: float | None = None, *, hermitian: bool) -> bool:
    """Compare with the transpose, or the adjoint: exactly without tolerances, and then without a diagonal that mirrors itself."""
    matrix, ops = _matrix(builder, a), Ops(builder)
    if matrix.shape[0] != matrix.shape[1]:
        raise NotNativeError("what is no square matrix is refused on the host")
    other = matrix.adjoint() if hermitian else matrix.moveaxis(0, 1)
    if (atol or rtol) and matrix.dtype.kind in "fc":
        return bool(builder.on_host(ops("allclose", matrix, other, rtol=rtol or 0.0, atol=atol or 0.0).value))
    apart = ops("not_equal", matrix, other)
    if not (hermitian and matrix.is_complex):
        apart = ops("logical_and", apart, ops("not_equal", _places(ops, matrix), 0.0))
    return not builder.on_host(ops("any", apart, None).value)


LOWERINGS: Final[Lowerings] = {
    "scipy.linalg.bandwidth": _bandwidth,
    "scipy.linalg.ishermitian": partial(_mirrored, hermitian=True),
    "scipy.linalg.issymmetric": partial(_mirrored, hermitian=False),
}
