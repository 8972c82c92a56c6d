"""Methods of ShortTimeFFT, whose object tells how many slices a signal has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...dtypes import DType, complex_of, real_of
from ...promotion import PromotionTable
from ..signature import NeedsValueError, Rule, Shape, Signature, broadcast_shapes, double_dtype, float_dtype, refused, signature_of
from .operands import along, with_length

__all__ = ["RULES"]


def _transform_of(
    promotion: PromotionTable, x: Any, transform: Any, p0: Any, p1: Any, k_offset: Any, padding: Any, axis: Any
) -> tuple[Shape, DType]:
    shape, place = along(promotion, x, axis)
    dtype = double_dtype(promotion, float_dtype(promotion, signature_of(promotion, x).dtype))
    wrong = (transform.onesided_fft and dtype.kind == "c") or shape[place] < transform.m_num - transform.m_num_mid
    if wrong or type(k_offset) is not int or padding not in ("zeros", "edge", "even", "odd"):
        raise refused()
    try:
        first, last = transform.p_range(shape[place], p0, p1)
    except (TypeError, ValueError):
        raise refused() from None
    return (*with_length(shape, place, transform.f_pts), last - first), dtype


def _stft_detrend(
    promotion: PromotionTable,
    x: Any,
    transform: Any,
    detr: Any,
    p0: Any = None,
    p1: Any = None,
    *,
    k_offset: Any = 0,
    padding: Any = "zeros",
    axis: Any = -1,
) -> Signature:
    if callable(detr):
        raise NeedsValueError("it calls a function of the caller's")
    if detr not in (None, "linear", "constant"):
        raise refused()
    shape, dtype = _transform_of(promotion, x, transform, p0, p1, k_offset, padding, axis)
    return Signature(shape, complex_of(dtype))


def _stft_of_object(promotion: PromotionTable, x: Any, transform: Any, p0: Any = None, p1: Any = None, **options: Any) -> Signature:
    return _stft_detrend(promotion, x, transform, None, p0, p1, **options)


def _spectrogram_of_object(
    promotion: PromotionTable, x: Any, transform: Any, y: Any = None, detr: Any = None, *, p0: Any = None, p1: Any = None, **options: Any
) -> Signature:
    found = _stft_detrend(promotion, x, transform, detr, p0, p1, **options)
    if y is None:
        return Signature(found.shape, real_of(found.dtype))
    other = _stft_detrend(promotion, y, transform, detr, p0, p1, **options)
    return Signature(broadcast_shapes(found.shape, other.shape), promotion.result_type(found.dtype, other.dtype))


def _istft_of_object(
    promotion: PromotionTable, S: Any, transform: Any, k0: Any = 0, k1: Any = None, *, f_axis: Any = -2, t_axis: Any = -1
) -> Signature:
    shape, place = along(promotion, S, f_axis)
    axes = place, along(promotion, S, t_axis)[1]
    if axes != (len(shape) - 2, len(shape) - 1) or type(k0) is not int or type(k1) not in (int, type(None)):
        raise refused()
    least = transform.m_num - transform.m_num_mid
    most = (shape[-1] + transform.p_min - 1) * transform.hop + least
    end = most if k1 is None else k1
    if shape[-2] != transform.f_pts or shape[-1] < transform.p_num(least) or not transform.k_min <= k0 < end <= most or end - k0 < least:
        raise refused()
    dtype = double_dtype(promotion, signature_of(promotion, S).dtype)
    return Signature((*shape[:-2], end - k0), real_of(dtype) if transform.onesided_fft else complex_of(dtype))


RULES: Final[Mapping[str, Rule]] = {
    "istft": _istft_of_object,
    "spectrogram": _spectrogram_of_object,
    "stft": _stft_of_object,
    "stft_detrend": _stft_detrend,
}
