"""Covariances and correlations."""

from __future__ import annotations

import warnings
from typing import Any, Final

import numpy as np

from ...dtypes import DType, real_of
from ..graph.build import check
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .op_calls import as_floats, call, converted, in_float32

__all__: list[str] = []


def _weights(builder: Builder, count: int, fweights: Any, aweights: Any, ddof: int) -> tuple[Value | None, Any]:
    """Take the weights of observations, and by what sums of products are divided."""
    if fweights is None and aweights is None:
        if count <= ddof:
            warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=2)
        return None, max(count - ddof, 0)
    floats = [as_floats(builder, one) for one in (fweights, aweights) if one is not None]
    for one in floats:
        if one.dtype.kind == "c":
            raise NotNativeError(f"weights of {one.dtype} are looked at on the host")
    weights = floats[0] if len(floats) == 1 else call(builder, "multiply", *floats)
    if weights.size:
        least = [call(builder, "greater_equal", call(builder, "min", one, None), 0) for one in floats]
        holds = least[0] if len(least) == 1 else call(builder, "logical_and", *least)
        weights = call(builder, "maximum", weights, 0)
        sign = check(holds.read()[0], ValueError, "weights of observations cannot be negative")
        for plane in weights.read():
            plane.demand(sign)
    total = call(builder, "sum", weights, None)
    lost: Any = ddof
    if aweights is not None and ddof:
        squares = call(builder, "sum", call(builder, "multiply", weights, floats[-1]), None)
        lost = call(builder, "multiply", call(builder, "divide", squares, total), ddof)
    return weights, call(builder, "maximum", call(builder, "subtract", total, lost), 0)


@in_float32
def _cov(
    builder: Builder, rows: Value, *more: Value, ddof: int = 1, dtype: DType | None, fweights: Value | None = None,
    aweights: Value | None = None,
) -> Any:  # fmt: skip
    if not rows.shape[0]:
        return call(builder, "empty", (0, 0), real_of(builder.promotion.result_type(rows.dtype, builder.promotion.default_float)))
    if more:
        rows = call(builder, "concatenate", [rows, *more], 0)
    wanted = builder.promotion.result_type(rows.dtype, builder.promotion.default_float) if dtype is None else dtype
    rows = converted(builder, rows, wanted)
    weights, factor = _weights(builder, rows.shape[1], fweights, aweights, ddof)
    if weights is None:
        mean = call(builder, "mean", rows, 1, keepdims=True)
    else:
        weighted = call(builder, "sum", call(builder, "multiply", rows, weights), 1, keepdims=True)
        total = call(builder, "sum", weights, None)
        mean = call(builder, "divide", weighted, total)
        (holds,) = call(builder, "not_equal", total, 0).read()
        for plane in mean.read():
            plane.demand(check(holds, ZeroDivisionError, "weights of observations sum to zero, and cannot be averaged with"))
    centred = call(builder, "subtract", rows, mean)
    other = centred if weights is None else call(builder, "multiply", centred, weights)
    other = call(builder, "conjugate", other) if wanted.kind == "c" else other
    product = call(builder, "matmul", centred, other.view(other.shadow.T))
    if isinstance(factor, Value):
        result = call(builder, "divide", product, factor)
    else:
        with np.errstate(divide="ignore"):
            result = call(builder, "multiply", product, float(np.true_divide(1, factor)))
    return result if rows.shape[0] > 1 else result.view(result.shadow.reshape(()))


@in_float32
def _corrcoef(builder: Builder, *rows: Value, dtype: DType | None) -> Any:
    matrix = _cov(builder, *rows, dtype=dtype)
    if not matrix.ndim:
        return call(builder, "divide", matrix, matrix)
    diagonal = matrix.view(np.diagonal(matrix.shadow))
    if diagonal.dtype.kind == "c":
        diagonal = call(builder, "real", diagonal)
    deviations = call(builder, "sqrt", diagonal)
    for index in ((slice(None), None), (None, slice(None))):
        matrix = call(builder, "divide", matrix, deviations.view(deviations.shadow[index]))
    if matrix.dtype.kind != "c":
        return call(builder, "clip", matrix, -1, 1)
    real, imaginary = (call(builder, "clip", call(builder, name, matrix), -1, 1) for name in ("real", "imag"))
    return builder.make((*real.read(), *imaginary.read()), matrix.dtype)


LOWERINGS: Final[Lowerings] = {"cov": _cov, "corrcoef": _corrcoef}
