"""Fits of polynomials by least squares.

The device makes the columns orthonormal, each of them twice, by classical Gram-Schmidt (L. Giraud, J. Langou, M. Rozložník, J. van den
Eshof, "Rounding error analysis of the classical Gram-Schmidt orthogonalization process", Numer. Math. 101, 2005), and so makes as many
equations as there are coefficients of those for all points. These are brought to the host, which finds their rank, of which NumPy warns,
and solves them in double precision. Points stay on the device.
"""

from __future__ import annotations

import warnings
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ...dtypes import FLOAT64, is_double, is_low_precision
from ...limits import finfo
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .host_constants import brought
from .op_calls import call, converted
from .operands import computes

__all__: list[str] = []


class _Fit(NamedTuple):
    """What `numpy.linalg.lstsq` gives for the scaled columns, and what the fit needs of these beside."""

    coefficients: npt.NDArray[Any]
    residuals: npt.NDArray[Any]
    rank: int
    singular_values: npt.NDArray[Any]
    reduced: npt.NDArray[Any]
    scale: npt.NDArray[Any]


def _floating(builder: Builder, value: Value, *others: Value | None) -> Value:
    """Convert to floats; integers beside float64 to float64, as in a sum with it."""
    wide = any(item is not None and is_double(item.dtype) for item in others)
    dtype = FLOAT64 if wide and value.dtype.kind in "biu" else builder.promotion.result_type(value.dtype, 0.0)
    if is_low_precision(dtype) or not (computes(dtype) or dtype in (FLOAT64, builder.promotion.default_complex)):
        raise NotNativeError(f"points of {dtype} are fitted on the host")
    return converted(builder, value, dtype)


def _column(value: Value) -> Value:
    return value.view(value.shadow.reshape(-1, 1))


def _orthonormal(builder: Builder, columns: Value) -> Value:
    """Make an orthonormal basis of columns; where one is a combination of those before, of 0 or of what rounding left."""
    count, order = columns.shape
    basis = call(builder, "zeros", (count, order), columns.dtype)
    for place in range(order):
        column = columns.view(columns.shadow[:, place])
        for _ in range(2 if place else 0):
            before = basis.view(basis.shadow[:, :place])
            part = call(builder, "matmul", call(builder, "conjugate", before.view(before.shadow.T)), column)
            column = call(builder, "subtract", column, call(builder, "matmul", before, part))
        square = call(builder, "vecdot", column, column)
        size = call(builder, "absolute", call(builder, "sqrt", square))
        some = call(builder, "greater", size, 0)
        divided = call(builder, "divide", column, call(builder, "where", some, size, 1))
        call(builder, "setitem", basis, (slice(None), place), divided)
    return basis


def _fitted(builder: Builder, columns: Value, values: Value, rcond: float) -> _Fit:
    """Scale columns, reduce the equations on the device, and solve them on the host."""
    count, order = columns.shape
    scale = call(builder, "sqrt", call(builder, "sum", call(builder, "square", columns), 0))
    columns = call(builder, "divide", columns, scale)
    basis = _orthonormal(builder, columns)
    adjoint = call(builder, "conjugate", basis.view(basis.shadow.T))
    sides = call(builder, "matmul", adjoint, values)
    rest = call(builder, "subtract", values, call(builder, "matmul", basis, sides))
    squares = call(builder, "sum", call(builder, "square", call(builder, "absolute", rest)), 0)
    dtype = builder.promotion.result_type(columns.dtype, values.dtype)
    together = [converted(builder, part, dtype) for part in (call(builder, "matmul", adjoint, columns), sides, _column(scale))]
    found = builder.on_host(call(builder, "concatenate", together, 1))
    wide = found.astype(np.complex128 if dtype.kind == "c" else np.float64)
    reduced, scaled, scale_there = wide[:, :order], wide[:, order:-1], wide[:, -1]
    if columns.dtype.kind != "c":
        reduced, scale_there = reduced.real, scale_there.real
    solution, _, rank, singular = np.linalg.lstsq(reduced, scaled, rcond)
    full = rank == order < count
    residuals = builder.on_host(squares).astype(np.float64) if full else np.zeros(0)
    return _Fit((solution.T / scale_there).T, residuals, int(rank), singular[: min(count, order)], reduced, scale_there)


def _polyfit(builder: Builder, x: Value, y: Value, deg: int, *, rcond: float | None, full: bool, w: Value | None, cov: bool | str) -> Any:
    order = deg + 1
    points, values = _floating(builder, x, y, w), _floating(builder, y, x, w)
    if cov and points.dtype.kind == "c":
        raise NotNativeError("covariances of complex polynomials are computed on the host")
    cutoff = points.size * float(finfo(points.dtype).eps) if rcond is None else rcond
    columns = call(builder, "vander", points, order)
    sides = values if values.ndim == 2 else _column(values)
    if w is not None:
        weights = _floating(builder, w, x, y)
        columns, sides = (call(builder, "multiply", item, _column(weights)) for item in (columns, sides))
    fit, narrow = _fitted(builder, columns, sides, cutoff), FLOAT64 not in (columns.dtype, sides.dtype)
    if fit.rank != order and not full:
        warnings.warn("Polyfit may be poorly conditioned", np.exceptions.RankWarning, stacklevel=2)
    coefficients = fit.coefficients if values.ndim == 2 else fit.coefficients[:, 0]
    if full:
        *found, values_found = brought(builder, (coefficients, fit.residuals, fit.singular_values), narrow=narrow)
        return (*found, fit.rank, values_found, cutoff)
    if not cov:
        return brought(builder, coefficients, narrow=narrow)
    covariance = np.linalg.inv(fit.reduced.T @ fit.reduced) / np.outer(fit.scale, fit.scale)
    if cov != "unscaled" and points.size <= order:
        raise ValueError(f"{points.size} points have to be more than the {order} coefficients; or ask for cov='unscaled'")
    factor = np.float64(1) if cov == "unscaled" else fit.residuals / (points.size - order)
    return brought(builder, (coefficients, (covariance if values.ndim == 1 else covariance[:, :, np.newaxis]) * factor), narrow=narrow)


LOWERINGS: Final[Lowerings] = {"polyfit": _polyfit}
