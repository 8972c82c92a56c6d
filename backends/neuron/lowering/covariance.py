"""Covariances and correlations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...op import get_op
from ...ops import statistical as _statistical  # noqa: F401  # registers them
from ..value import Value
from . import NotNativeError
from .calls import call, converted, in_float32
from .joining import value_of

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__: list[str] = []


def _variables(engine: NeuronEngine, item: Any, rowvar: bool) -> Value:
    value = value_of(engine, item)
    if value.ndim > 2:  # variables and observations
        raise ValueError("m has more than 2 dimensions")
    if value.ndim < 2:
        return value.view(value.shadow.reshape(1, -1))
    return value if rowvar or value.shape[0] == 1 else value.view(value.shadow.T)


@in_float32
def _cov(
    engine: NeuronEngine,
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
    if fweights is not None or aweights is not None:
        raise NotNativeError("weights are looked at on the host")
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    rows = _variables(engine, m, rowvar)
    if not rows.shape[0]:
        raise NotNativeError("no variables are looked at on the host")
    if y is not None:
        rows = call(engine, "concatenate", [rows, _variables(engine, y, rowvar)], 0)
    wanted = engine.promotion.result_type(rows.dtype, engine.promotion.default_float) if dtype is None else dtype
    rows = converted(engine, rows, wanted)
    count = rows.shape[1]
    factor = count - ((0 if bias else 1) if ddof is None else ddof)
    if factor <= 0:
        raise NotNativeError("degrees of freedom below one are warned of on the host")
    centred = call(engine, "subtract", rows, call(engine, "mean", rows, 1, keepdims=True))
    other = call(engine, "conjugate", centred) if wanted.kind == "c" else centred
    product = call(engine, "matmul", centred, other.view(other.shadow.T))
    result = call(engine, "multiply", product, float(np.true_divide(1, factor)))
    return result if rows.shape[0] > 1 else result.view(result.shadow.reshape(()))


@in_float32
def _corrcoef(engine: NeuronEngine, x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
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
