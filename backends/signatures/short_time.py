"""Signatures of the methods of ShortTimeFFT, which follows its first operand: slices and samples are numbered from the first one on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .attributes import check_numbers, index_axis
from .call import Call, NotNativeError, Reader

if TYPE_CHECKING:
    from scipy.signal import ShortTimeFFT

__all__ = ["inverse", "spectrogram", "transform", "transform_of_detrended"]

_PADDINGS: Final = ("zeros", "edge", "even", "odd")
_HALVED: Final = "signals and windows of half spectra are real"


def transform(
    reader: Reader, x: Any, transform: ShortTimeFFT, p0: Any = None, p1: Any = None, *, k_offset: int = 0, padding: Any = "zeros",
    axis: Any = -1,
) -> Call:  # fmt: skip
    """Read ``stft``."""
    check_numbers(reader, p0, p1)
    value = reader.array(x)
    axis = index_axis(axis, value.ndim)
    if padding not in _PADDINGS:
        raise ValueError(f"padding is {padding!r}; it is one of {', '.join(map(repr, _PADDINGS))}")
    if transform.onesided_fft and (np.iscomplexobj(transform.win) or value.dtype.kind == "c"):
        raise ValueError(_HALVED)
    first, end = transform.p_range(value.shape[axis], p0, p1)
    return Call((value, transform), {"p0": first, "p1": end, "k_offset": k_offset, "padding": padding, "axis": axis})


def transform_of_detrended(
    reader: Reader, x: Any, transform_: ShortTimeFFT, detr: Any, p0: Any = None, p1: Any = None, **options: Any
) -> Call:
    """Read ``stft_detrend``."""
    if callable(detr):
        raise NotNativeError("functions of ndarrays are called on the host")
    if detr not in (None, "constant", "linear"):
        raise ValueError(f"detr is {detr!r}; it is None, 'constant' or 'linear'")
    call = transform(reader, x, transform_, p0, p1, **options)
    return call._replace(attributes={"detr": detr, **call.attributes})


def spectrogram(reader: Reader, x: Any, transform_: ShortTimeFFT, y: Any = None, detr: Any = None, **options: Any) -> Call:
    """Read ``spectrogram``."""
    call = transform_of_detrended(reader, x, transform_, detr, **options)
    other = None if y is None else transform_of_detrended(reader, y, transform_, detr, **options).operands[0]
    return call._replace(attributes={"y": other, **call.attributes})


def inverse(
    reader: Reader, S: Any, transform: ShortTimeFFT, k0: int = 0, k1: int | None = None, *, f_axis: Any = -2, t_axis: Any = -1
) -> Call:
    """Read ``istft``."""
    check_numbers(reader, k0, k1)
    value = reader.array(S)
    frequencies, times = (index_axis(axis, value.ndim) for axis in (f_axis, t_axis))
    if transform.onesided_fft and np.iscomplexobj(transform.dual_win):
        raise ValueError(_HALVED)
    count, shortest = value.shape[times], transform.m_num - transform.m_num_mid
    if frequencies == times or value.shape[frequencies] != transform.f_pts or count < transform.p_num(shortest):
        raise ValueError(f"spectra of shape {value.shape} are none of this transform's")
    most = (count + transform.p_min - 1) * transform.hop + shortest
    end = most if k1 is None else k1
    if not transform.k_min <= k0 < end <= most or end - k0 < shortest:
        raise ValueError(f"samples {k0} to {end} are none that the spectra cover")
    return Call((value, transform), {"k0": k0, "k1": end, "f_axis": frequencies, "t_axis": times})
