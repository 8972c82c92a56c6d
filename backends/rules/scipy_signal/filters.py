"""Filters, resampling, windows and other functions of signals."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import Any, Final

from ...dtypes import DType, complex_of
from ...promotion import PromotionTable
from ..signature import Dynamic, Rule, Signature, refused, scipy_dtype, signature_of
from .operands import along, are_positive, check_window, coefficients, number, with_length

__all__ = ["RULES"]


def _filter_dtype(promotion: PromotionTable, *operands: Any) -> DType:
    """Find the dtype of a recursive filter, which SciPy has for floats alone."""
    if all(signature_of(promotion, item).dtype.kind in "biu" for item in operands if item is not None):
        raise refused()
    return scipy_dtype(promotion, *operands)


def _lfilter(promotion: PromotionTable, b: Any, a: Any, x: Any, axis: Any = -1, zi: Any = None) -> Any:
    shape = signature_of(promotion, x).shape
    if not shape or type(axis) is not int or not -len(shape) <= axis < len(shape):
        raise refused()
    place = axis % len(shape)
    order = max(coefficients(promotion, b, a)) - 1
    dtype = _filter_dtype(promotion, b, a, x, zi)
    if zi is None:
        return Signature(shape, dtype)
    state = with_length(shape, place, order)
    if signature_of(promotion, zi).shape != state:
        raise refused()
    return Signature(shape, dtype), Signature(state, dtype)


def _sections(promotion: PromotionTable, sos: Any) -> int:
    shape = signature_of(promotion, sos).shape
    if len(shape) != 2 or shape[1] != 6 or not shape[0]:
        raise refused()
    return shape[0]


def _sosfilt(promotion: PromotionTable, sos: Any, x: Any, axis: Any = -1, zi: Any = None) -> Any:
    shape, place = along(promotion, x, axis, none=True)
    state = (_sections(promotion, sos), *with_length(shape, place, 2))
    dtype = _filter_dtype(promotion, sos, x, zi)
    if zi is None:
        return Signature(shape, dtype)
    if signature_of(promotion, zi).shape != state:
        raise refused()
    return Signature(shape, dtype), Signature(state, dtype)


def _padded(padtype: Any, padlen: Any, length: int, least: int | None) -> None:
    """Check how a signal is extended; `least` is how much by default."""
    if padtype not in ("odd", "even", "constant", None) or not isinstance(padlen, (int, type(None))):
        raise refused()
    pad = 0 if padtype is None else least if padlen is None else padlen
    if pad is None or not 0 <= pad < length:
        raise refused()


def _filtfilt(
    promotion: PromotionTable,
    b: Any,
    a: Any,
    x: Any,
    axis: Any = -1,
    padtype: Any = "odd",
    padlen: Any = None,
    method: Any = "pad",
    irlen: Any = None,
) -> Signature:
    shape, place = along(promotion, x, axis, none=True)
    lengths = coefficients(promotion, b, a)
    if method != "pad":
        raise refused()
    _padded(padtype, padlen, shape[place], 3 * max(lengths))
    return Signature(shape, scipy_dtype(promotion, b, a, x))


def _sosfiltfilt(promotion: PromotionTable, sos: Any, x: Any, axis: Any = -1, padtype: Any = "odd", padlen: Any = None) -> Signature:
    shape, place = along(promotion, x, axis, none=True)
    _padded(padtype, padlen, shape[place], 3 * (2 * _sections(promotion, sos) + 1))
    return Signature(shape, _filter_dtype(promotion, sos, x))


def _firwin(
    promotion: PromotionTable,
    numtaps: Any,
    cutoff: Any,
    *,
    width: Any = None,
    window: Any = "hamming",
    pass_zero: Any = True,
    scale: Any = True,
    fs: Any = None,
) -> Signature:
    bands, dtype = signature_of(promotion, cutoff)
    edges = bands[0] if len(bands) == 1 else int(not bands)
    if width is None:
        check_window(window)
    if edges == 0 or dtype.kind == "c" or not isinstance(pass_zero, bool) or (edges % 2 == 0) == pass_zero or not are_positive(width, fs):
        raise refused()
    return Signature((number(numtaps),), promotion.default_float)


def _get_window(promotion: PromotionTable, window: Any, Nx: Any, fftbins: Any = True) -> Signature:
    check_window(window)
    return Signature((number(Nx),), promotion.default_float)


def _detrend(
    promotion: PromotionTable, data: Any, axis: Any = -1, type: Any = "linear", bp: Any = 0, overwrite_data: bool = False
) -> Signature:
    shape, place = along(promotion, data, axis)
    breaks = bp if isinstance(bp, (tuple, list)) else [bp]
    if type not in ("linear", "l", "constant", "c") or not all(isinstance(one, int) and 0 <= one <= shape[place] for one in breaks):
        raise refused()
    return Signature(shape, scipy_dtype(promotion, data))


def _hilbert(promotion: PromotionTable, x: Any, N: Any = None, axis: Any = -1) -> Signature:
    shape, place = along(promotion, x, axis, none=True)
    dtype = scipy_dtype(promotion, x)
    if dtype.kind == "c":
        raise refused()
    return Signature(with_length(shape, place, shape[place] if N is None else number(N)), complex_of(dtype))


def _resample(
    promotion: PromotionTable, x: Any, num: Any, t: Any = None, axis: Any = 0, window: Any = None, domain: Any = "time"
) -> Any:
    shape, place = along(promotion, x, axis, none=True)
    if t is not None or domain not in ("time", "freq"):
        raise refused()
    if window is not None:
        check_window(window)
        raise refused()
    dtype = scipy_dtype(promotion, x)
    if domain == "freq" and dtype.kind != "c":
        raise refused()
    return Signature(with_length(shape, place, number(num)), dtype)


def _resample_poly(
    promotion: PromotionTable,
    x: Any,
    up: Any,
    down: Any,
    axis: Any = 0,
    window: Any = ("kaiser", 5.0),
    padtype: Any = "constant",
    cval: Any = None,
) -> Signature:
    shape, place = along(promotion, x, axis)
    check_window(window)
    factor = gcd(number(up), number(down))
    paddings = ("constant", "symmetric", "reflect", "smooth", "line", "wrap", "edge", "antisymmetric", "antireflect", "antiwrap")
    if padtype not in (*paddings, "mean", "median", "minimum", "maximum") or cval is not None or up == down:
        raise refused()
    length = -(-shape[place] * (up // factor) // (down // factor))
    return Signature(with_length(shape, place, length), scipy_dtype(promotion, x))


RULES: Final[Mapping[str, Rule]] = {
    "detrend": _detrend,
    "filtfilt": _filtfilt,
    "find_peaks": Dynamic("its length is the number of peaks"),
    "firwin": _firwin,
    "get_window": _get_window,
    "hilbert": _hilbert,
    "lfilter": _lfilter,
    "resample": _resample,
    "resample_poly": _resample_poly,
    "sosfilt": _sosfilt,
    "sosfiltfilt": _sosfiltfilt,
}
