"""Covariances and correlations."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ...op import get_op
from ...ops import statistical as _statistical  # noqa: F401  # registers them
from ..build import check
from ..value import Value
from . import NotNativeError
from .calls import as_floats, call, converted, in_float32
from .joining import value_of
from .operands import computes

if TYPE_CHECKING:
    from ..builder import Builder

__all__: list[str] = []


def _variables(engine: Builder, item: Any, rowvar: bool) -> Value:
    value = value_of(engine, item)
    if value.ndim > 2:  # variables and observations
        raise ValueError("m has more than 2 dimensions")
    if value.ndim < 2:
        return value.view(value.shadow.reshape(1, -1))
    return value if rowvar else value.view(value.shadow.T)


def _weights(engine: Builder, count: int, fweights: Any, aweights: Any, ddof: int) -> tuple[Value | None, Any]:
    """Take the weights of observations, and by what sums of products are divided."""
    if fweights is None and aweights is None:
        if count <= ddof:
            warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=2)
        return None, max(count - ddof, 0)
    given = [value_of(engine, one) for one in (fweights, aweights) if one is not None]
    for one in given:
        if one.ndim > 1:
            raise RuntimeError(f"weights are one for each observation, and these have {one.ndim} axes")
        if one.size != count:
            raise RuntimeError(f"there are {one.size} weights for {count} observations; give as many")
    if fweights is not None and given[0].dtype.kind not in "biu":
        raise TypeError("fweights must be integer")
    floats = [as_floats(engine, one) for one in given]
    for one in floats:
        if not computes(one.dtype):
            raise NotNativeError(f"weights of {one.dtype} are looked at on the host")
    weights = floats[0] if len(floats) == 1 else call(engine, "multiply", *floats)
    if weights.size:
        least = [call(engine, "greater_equal", call(engine, "min", one, None), 0) for one in floats]
        holds = least[0] if len(least) == 1 else call(engine, "logical_and", *least)
        weights = call(engine, "maximum", weights, 0)
        weights.read()[0].demand(check(holds.read()[0], ValueError, "weights of observations cannot be negative"))
    total = call(engine, "sum", weights, None)
    lost: Any = ddof
    if aweights is not None and ddof:
        squares = call(engine, "sum", call(engine, "multiply", weights, floats[-1]), None)
        lost = call(engine, "multiply", call(engine, "divide", squares, total), ddof)
    return weights, call(engine, "maximum", call(engine, "subtract", total, lost), 0)


@in_float32
def _cov(
    engine: Builder,
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    rows = _variables(engine, m, rowvar)
    if not rows.shape[0]:
        return call(engine, "empty", (0, 0), engine.promotion.default_float)
    if y is not None:
        rows = call(engine, "concatenate", [rows, _variables(engine, y, rowvar)], 0)
    wanted = engine.promotion.result_type(rows.dtype, engine.promotion.default_float) if dtype is None else dtype
    rows = converted(engine, rows, wanted)
    ddof = (0 if bias else 1) if ddof is None else ddof
    weights, factor = _weights(engine, rows.shape[1], fweights, aweights, ddof)
    if weights is None:
        mean = call(engine, "mean", rows, 1, keepdims=True)
    else:
        weighted = call(engine, "sum", call(engine, "multiply", rows, weights), 1, keepdims=True)
        total = call(engine, "sum", weights, None)
        mean = call(engine, "divide", weighted, total)
        (holds,) = call(engine, "not_equal", total, 0).read()
        for plane in mean.read():
            plane.demand(check(holds, ZeroDivisionError, "weights of observations sum to zero, and cannot be averaged with"))
    centred = call(engine, "subtract", rows, mean)
    other = centred if weights is None else call(engine, "multiply", centred, weights)
    other = call(engine, "conjugate", other) if wanted.kind == "c" else other
    product = call(engine, "matmul", centred, other.view(other.shadow.T))
    if isinstance(factor, Value):
        result = call(engine, "divide", product, factor)
    else:
        with np.errstate(divide="ignore"):
            result = call(engine, "multiply", product, float(np.true_divide(1, factor)))
    return result if rows.shape[0] > 1 else result.view(result.shadow.reshape(()))


@in_float32
def _corrcoef(engine: Builder, x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    matrix = _cov(engine, x, y, rowvar, dtype=dtype)
    if not matrix.ndim:
        return call(engine, "divide", matrix, matrix)
    diagonal = matrix.view(np.diagonal(matrix.shadow))
    if diagonal.dtype.kind == "c":
        diagonal = call(engine, "real", diagonal)
    deviations = call(engine, "sqrt", diagonal)
    for index in ((slice(None), None), (None, slice(None))):
        matrix = call(engine, "divide", matrix, deviations.view(deviations.shadow[index]))
    if matrix.dtype.kind != "c":
        return call(engine, "clip", matrix, -1, 1)
    parts = [call(engine, "clip", call(engine, name, matrix), -1, 1) for name in ("real", "imag")]
    return engine.make(tuple(part.read()[0] for part in parts), matrix.dtype)


def _register() -> None:
    get_op("cov").implement("neuron", _cov)
    get_op("corrcoef").implement("neuron", _corrcoef)


_register()
