"""Signatures of functions of sequences: convolutions, interpolation, coefficients and samples of polynomials."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .call import Call, NotNativeError, Reader

__all__ = [
    "convolve", "correlate", "derivative", "fit", "integral", "interpolation", "powers", "roots", "two_polynomials", "values",
]  # fmt: skip

_MODES: Final = ("valid", "same", "full")
"""By their numbers."""


def _checked_mode(mode: Any) -> str:
    if mode in _MODES:
        return str(mode)
    if isinstance(mode, int) and 0 <= mode < len(_MODES):
        return _MODES[mode]
    raise (ValueError if isinstance(mode, int | str) else TypeError)(f"mode is {mode!r}; it is one of {', '.join(map(repr, _MODES))}")


def _two(reader: Reader, a: Any, v: Any, mode: Any, name: str) -> Call:
    values = [reader.array(item) for item in (a, v)]
    if any(value.ndim > 1 for value in values):
        raise ValueError(f"object too deep for desired array: {name} takes sequences")
    if name == "correlate" and any(value.ndim == 0 for value in values):
        raise ValueError("object of too small depth for desired array: correlate takes sequences")
    for which, value in zip("av", values, strict=True):
        if value.size == 0:
            raise ValueError(f"{which} cannot be empty: {name} takes sequences of at least one element")
    return Call(tuple(values), {"mode": _checked_mode(mode)})


def convolve(reader: Reader, a: Any, v: Any, mode: Any = "full") -> Call:
    """Read ``numpy.convolve``."""
    return _two(reader, a, v, mode, "convolve")


def correlate(reader: Reader, a: Any, v: Any, mode: Any = "valid") -> Call:
    """Read ``numpy.correlate``."""
    return _two(reader, a, v, mode, "correlate")


def interpolation(reader: Reader, x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Call:
    """Read ``numpy.interp``."""
    value, points, heights = (reader.array(item) for item in (x, xp, fp))
    if points.ndim != 1 or heights.ndim != 1:
        raise ValueError("Data points must be 1-D sequences")
    if points.size != heights.size:
        raise ValueError("fp and xp are not of the same length.")
    if points.size == 0:
        raise ValueError("array of sample points is empty")
    if "c" in (value.dtype.kind, points.dtype.kind):
        raise TypeError("Cannot cast array data from complex to float: places and points are real numbers")
    if period is not None and period == 0:
        raise ValueError("period must be a non-zero value")
    return Call((value, points, heights), {"left": left, "right": right, "period": period if period is None else abs(period)})


def _sequence(reader: Reader, p: Any, fewest: int = 0) -> Any:
    """Read coefficients, the one of the highest power first."""
    value = reader.array(p)
    if not fewest <= value.ndim <= 1:
        raise NotNativeError("coefficients are a sequence of numbers; what has other axes is looked at on the host")
    return value


def two_polynomials(reader: Reader, a1: Any, a2: Any) -> Call:
    """Read ``numpy.polyadd``, ``polysub``, ``polymul`` and ``polydiv``."""
    return Call((_sequence(reader, a1), _sequence(reader, a2)), {})


def derivative(reader: Reader, p: Any, m: Any = 1) -> Call:
    """Read ``numpy.polyder``."""
    if int(m) < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    return Call((_sequence(reader, p, 1), int(m)), {})


def integral(reader: Reader, p: Any, m: Any = 1, k: Any = None) -> Call:
    """Read ``numpy.polyint``, with as many constants as the order."""
    order = int(m)
    if order < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    if reader.is_array(k):
        raise NotNativeError("constants of integration that are arrays are looked at on the host")
    constants = np.zeros(order) if k is None else np.atleast_1d(k)
    if constants.dtype.kind not in "biufc":
        raise NotNativeError("constants of integration that are no numbers are looked at on the host")
    if len(constants) == 1 and order > 1:
        constants = np.repeat(constants, order)
    if len(constants) < order:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    return Call((_sequence(reader, p, 1), order, constants[:order]), {})


def values(reader: Reader, p: Any, x: Any) -> Call:
    """Read ``numpy.polyval``."""
    return Call((_sequence(reader, p, 1), reader.array(x)), {})


def roots(reader: Reader, seq_of_zeros: Any) -> Call:
    """Read ``numpy.poly`` of roots."""
    value = reader.array(seq_of_zeros)
    if value.ndim == 0 or (value.ndim == 2 and value.shape[0] == value.shape[1] and value.size):
        raise NotNativeError("eigenvalues are computed on the host")
    if value.ndim > 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    return Call((value,), {})


def powers(reader: Reader, x: Any, N: Any = None, increasing: Any = False) -> Call:
    """Read ``numpy.vander``."""
    value = reader.array(x)
    if value.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    count = value.size if N is None else N
    if count < 0:
        raise ValueError(f"a matrix has no {count} columns; negative dimensions are not allowed")
    return Call((value, count), {"increasing": bool(increasing)})


def fit(reader: Reader, x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None, cov: Any = False) -> Call:
    """Read ``numpy.polyfit``: samples of one or several functions, and weights or None."""
    points, heights = reader.array(x), reader.array(y)
    if deg < 0:
        raise ValueError(f"expected deg >= 0, and it is {deg}")
    if points.ndim != 1:
        raise TypeError(f"expected 1D vector for x, which has {points.ndim} axes")
    if points.size == 0:
        raise TypeError("expected non-empty vector for x")
    if heights.ndim not in (1, 2):
        raise TypeError(f"expected 1D or 2D array for y, which has {heights.ndim} axes")
    if points.size != heights.shape[0]:
        raise TypeError(f"expected x and y to have same length, and these are {points.size} and {heights.shape[0]}")
    weights = None if w is None else reader.array(w)
    if weights is not None and weights.ndim != 1:
        raise TypeError(f"expected a 1-d array for weights, and it has {weights.ndim} axes")
    if weights is not None and weights.size != points.size:
        raise TypeError(f"expected w and y to have the same length, and these are {weights.size} and {points.size}")
    return Call((points, heights, int(deg)), {"rcond": rcond, "full": bool(full), "w": weights, "cov": cov})
