"""How many bins a histogram should have: NumPy's rules by name.

Moments, quartiles and extremes are computed on the device and brought to the host, because they give the shape of the result.

Rules: H. A. Sturges, J. Am. Stat. Assoc. 21, 1926; D. P. Doane, Am. Stat. 30, 1976; D. W. Scott, Biometrika 66, 1979; D. Freedman and
P. Diaconis, Z. Wahrscheinlichkeitstheorie verw. Gebiete 57, 1981; all as `numpy.histogram_bin_edges` has them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ..value import Value
from . import Builder, NotNativeError
from .op_calls import call

__all__ = ["number_of_bins"]

Width = Callable[["Builder", Value], Any]


def _fetched(builder: Builder, name: str, x: Value, *parameters: Any) -> Any:
    return builder.on_host(call(builder, name, x, *parameters))[()]


def _spread(builder: Builder, x: Value) -> Any:
    low, high = (_fetched(builder, name, x) for name in ("min", "max"))
    return high - low if x.dtype.kind not in "iu" else int(high) - int(low)


def _square_root(builder: Builder, x: Value) -> Any:
    return _spread(builder, x) / np.sqrt(x.size)


def _sturges(builder: Builder, x: Value) -> Any:
    return _spread(builder, x) / (np.log2(x.size) + 1.0)


def _rice(builder: Builder, x: Value) -> Any:
    return _spread(builder, x) / (2.0 * x.size ** (1 / 3))


def _scott(builder: Builder, x: Value) -> Any:
    return (24.0 * math.sqrt(math.pi) / x.size) ** (1 / 3) * _fetched(builder, "std", x)


def _doane(builder: Builder, x: Value) -> Any:
    """Take more bins where the third moment is large."""
    if x.size < 3:
        return 0.0
    usual = math.sqrt(6.0 * (x.size - 2) / ((x.size + 1.0) * (x.size + 3)))
    deviation = call(builder, "std", x)
    if not _fetched(builder, "positive", deviation) > 0:
        return 0.0
    standard = call(builder, "divide", call(builder, "subtract", x, call(builder, "mean", x)), deviation)
    skewness = _fetched(builder, "mean", call(builder, "multiply", call(builder, "square", standard), standard))
    return _spread(builder, x) / (1.0 + np.log2(x.size) + np.log2(1.0 + abs(skewness) / usual))


def _freedman_diaconis(builder: Builder, x: Value) -> Any:
    upper, lower = _fetched(builder, "percentile", x, [75, 25])
    return 2.0 * (upper - lower) * x.size ** (-1 / 3)


def _automatic(builder: Builder, x: Value) -> Any:
    return min(max(_freedman_diaconis(builder, x), _square_root(builder, x) / 2), _sturges(builder, x))


_WIDTHS: Final[Mapping[str, Width]] = {
    "auto": _automatic,
    "doane": _doane,
    "fd": _freedman_diaconis,
    "rice": _rice,
    "scott": _scott,
    "sqrt": _square_root,
    "sturges": _sturges,
}


def number_of_bins(builder: Builder, x: Value, rule: str, first: Any, last: Any) -> int:
    """Find how many bins a rule asks for."""
    if rule not in _WIDTHS:
        raise NotNativeError("how many bins there are is tried on the host")
    width = _WIDTHS[rule](builder, x) if x.size else 0
    if not width:
        return 1
    number: int = math.ceil((last - first) / (max(width, 1) if x.dtype.kind in "iu" else width))
    return number
