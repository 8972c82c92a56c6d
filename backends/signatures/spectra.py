"""Signatures of spectra: into which segments signals are cut, as lengths, overlaps and windows."""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np

from ..rules import is_true
from .attributes import check_numbers, index_axis
from .call import Call, NotNativeError, Reader

__all__ = ["coherence", "cross_spectrum", "detrend", "inverse_transform", "one_segment", "power_spectrum", "spectrogram", "transform"]

_PERIODIC_HANN: Final = "hann_periodic"
_LENGTH: Final = 256  # of a segment, where nobody says


def _one_of(name: str, item: Any, allowed: tuple[Any, ...]) -> Any:
    if item not in allowed:
        raise ValueError(f"{name} is {item!r}; it is one of {', '.join(map(repr, allowed))}")
    return item


def _flag(reader: Reader, flag: Any) -> bool:
    check_numbers(reader, flag)
    return is_true(flag)


def _signals(reader: Reader, x: Any) -> Any:
    value = reader.array(x)
    if 0 in value.shape:
        raise NotNativeError("what becomes of no elements is found out on the host")
    return value


def _frequency(fs: Any) -> float:
    if not float(fs) > 0:
        raise NotNativeError("sampling frequencies that are not positive are looked after on the host")
    return float(fs)


def _trend(detrend: Any) -> Any:
    """Read what is taken off segments: SciPy has a letter for each kind, too."""
    if callable(detrend):
        raise NotNativeError("functions of ndarrays are called on the host")
    kind = _one_of("detrend", detrend or False, ("constant", "linear", "c", "l", False))
    return {"c": "constant", "l": "linear"}.get(kind, kind)


def _segments(reader: Reader, window: Any, nperseg: Any, noverlap: Any, nfft: Any, length: int | None, part: int = 2) -> dict[str, Any]:
    """Read the window, the length of segments that is asked for, by how much they overlap and the length of transforms."""
    check_numbers(reader, nperseg, noverlap, nfft)
    if isinstance(window, (str, tuple)):
        count = _LENGTH if nperseg is None else int(nperseg)
        if count < 1:
            raise ValueError(f"nperseg is {nperseg}; a segment has at least one sample")
        size = count if length is None else min(count, length)
    else:
        window = reader.array(window)
        if window.ndim != 1:
            raise ValueError(f"window has {window.ndim} axes; it is the name of one, or an array of one axis")
        count = size = window.shape[0]
        if nperseg is not None and int(nperseg) != size:
            raise ValueError(f"nperseg is {nperseg}; it must be the length of window, which is {size}")
        if length is not None and length < size:
            raise ValueError(f"window is longer, {size}, than the signals, {length}")
    overlap = size // part if noverlap is None else int(noverlap)
    if overlap >= size:
        raise ValueError(f"noverlap is {overlap}; it must be below the length of segments, which is {size}")
    points = size if nfft is None else int(nfft)
    if points < size:
        raise ValueError(f"nfft is {points}; it must be at least the length of segments, which is {size}")
    return {"window": window, "nperseg": count, "noverlap": overlap, "nfft": points}


def _welch(
    reader: Reader, signals: tuple[Any, ...], fs: Any, window: Any, nperseg: Any, noverlap: Any, nfft: Any, detrend: Any, axis: Any,
    part: int = 2,
) -> Call:  # fmt: skip
    """Read signals, which lie along an axis, and their segments."""
    check_numbers(reader, fs, axis)
    values = tuple([_signals(reader, item) for item in signals])
    along = [index_axis(axis, value.ndim) for value in values]
    length = max(value.shape[one] for value, one in zip(values, along, strict=True))
    if len(set(along)) > 1 and axis >= 0:
        raise NotNativeError("signals of different numbers of axes are looked after on the host")
    segments = _segments(reader, window, nperseg, noverlap, nfft, length, part)
    place = along[0] if len({value.ndim for value in values}) == 1 else operator.index(axis)  # from the last axis on, for all of them
    return Call(values, {"fs": _frequency(fs), **segments, "detrend": _trend(detrend), "axis": place})


def cross_spectrum(
    reader: Reader, x: Any, y: Any, fs: Any = 1.0, window: Any = _PERIODIC_HANN, nperseg: Any = None, noverlap: Any = None,
    nfft: Any = None, detrend: Any = "constant", return_onesided: Any = True, scaling: Any = "density", axis: Any = -1,
    average: Any = "mean",
) -> Call:  # fmt: skip
    """Read ``scipy.signal.csd``."""
    call = _welch(reader, (x, y), fs, window, nperseg, noverlap, nfft, detrend, axis)
    return _scaled(reader, call, return_onesided, scaling, average)


def power_spectrum(
    reader: Reader, x: Any, fs: Any = 1.0, window: Any = _PERIODIC_HANN, nperseg: Any = None, noverlap: Any = None, nfft: Any = None,
    detrend: Any = "constant", return_onesided: Any = True, scaling: Any = "density", axis: Any = -1, average: Any = "mean",
) -> Call:  # fmt: skip
    """Read ``scipy.signal.welch``."""
    call = _welch(reader, (x,), fs, window, nperseg, noverlap, nfft, detrend, axis)
    return _scaled(reader, call, return_onesided, scaling, average)


def _scaled(reader: Reader, call: Call, return_onesided: Any, scaling: Any, average: Any) -> Call:
    scaled = {"return_onesided": _flag(reader, return_onesided), "scaling": _one_of("scaling", scaling, ("density", "spectrum"))}
    return call._replace(attributes={**call.attributes, **scaled, "average": _one_of("average", average, ("mean", "median"))})


def coherence(
    reader: Reader, x: Any, y: Any, fs: Any = 1.0, window: Any = _PERIODIC_HANN, nperseg: Any = None, noverlap: Any = None,
    nfft: Any = None, detrend: Any = "constant", axis: Any = -1,
) -> Call:  # fmt: skip
    """Read ``scipy.signal.coherence``."""
    return _welch(reader, (x, y), fs, window, nperseg, noverlap, nfft, detrend, axis)


def one_segment(
    reader: Reader, x: Any, fs: Any = 1.0, window: Any = "boxcar", nfft: Any = None, detrend: Any = "constant", return_onesided: Any = True,
    scaling: Any = "density", axis: Any = -1,
) -> Call:  # fmt: skip
    """Read ``scipy.signal.periodogram``."""
    check_numbers(reader, fs, nfft, axis)
    value = _signals(reader, x)
    along = index_axis(axis, value.ndim)
    points = value.shape[along] if nfft is None else int(nfft)
    size = min(points, value.shape[along])
    taken = _segments(reader, "boxcar" if window is None else window, size, 0, points, size)["window"]
    attributes = {"fs": _frequency(fs), "window": taken, "nfft": points, "detrend": _trend(detrend), "axis": along}
    scaled = {"return_onesided": _flag(reader, return_onesided), "scaling": _one_of("scaling", scaling, ("density", "spectrum"))}
    return Call((value,), {**attributes, **scaled})


def spectrogram(
    reader: Reader, x: Any, fs: Any = 1.0, window: Any = ("tukey_periodic", 0.25), nperseg: Any = None, noverlap: Any = None,
    nfft: Any = None, detrend: Any = "constant", return_onesided: Any = True, scaling: Any = "density", axis: Any = -1, mode: Any = "psd",
) -> Call:  # fmt: skip
    """Read ``scipy.signal.spectrogram``."""
    call = _welch(reader, (x,), fs, window, nperseg, noverlap, nfft, detrend, axis, part=8)
    attributes = {
        "return_onesided": _flag(reader, return_onesided),
        "scaling": _one_of("scaling", scaling, ("density", "spectrum")),
        "mode": _one_of("mode", mode, ("psd", "complex", "magnitude", "angle", "phase")),
    }
    return call._replace(attributes={**call.attributes, **attributes})


def transform(
    reader: Reader, x: Any, fs: Any = 1.0, window: Any = _PERIODIC_HANN, nperseg: Any = 256, noverlap: Any = None, nfft: Any = None,
    detrend: Any = False, return_onesided: Any = True, boundary: Any = "zeros", padded: Any = True, axis: Any = -1,
    scaling: Any = "spectrum",
) -> Call:  # fmt: skip
    """Read ``scipy.signal.stft``."""
    call = _welch(reader, (x,), fs, window, nperseg, noverlap, nfft, detrend, axis)
    attributes = {
        "return_onesided": _flag(reader, return_onesided),
        "boundary": _one_of("boundary", boundary, ("even", "odd", "constant", "zeros", None)),
        "padded": _flag(reader, padded),
        "scaling": _one_of("scaling", scaling, ("spectrum", "psd")),
    }
    return call._replace(attributes={**call.attributes, **attributes})


def inverse_transform(
    reader: Reader, Zxx: Any, fs: Any = 1.0, window: Any = _PERIODIC_HANN, nperseg: Any = None, noverlap: Any = None, nfft: Any = None,
    input_onesided: Any = True, boundary: Any = True, time_axis: Any = -1, freq_axis: Any = -2, scaling: Any = "spectrum",
) -> Call:  # fmt: skip
    """Read ``scipy.signal.istft``."""
    check_numbers(reader, fs, nperseg, noverlap, nfft, time_axis, freq_axis)
    value = _signals(reader, Zxx)
    check_numbers(reader, input_onesided)
    if value.ndim < 2:
        raise ValueError(f"Zxx has {value.ndim} axes; it has frequencies and times")
    frequencies, times = (index_axis(axis, value.ndim) for axis in (freq_axis, time_axis))
    if frequencies == times:
        raise ValueError(f"freq_axis and time_axis are both {times}; they must be two axes")
    default = 2 * (value.shape[frequencies] - 1) if input_onesided else value.shape[frequencies]
    length = default if nperseg is None else int(nperseg)
    if nfft is None:
        nfft = length if input_onesided and length == default + 1 else default
    attributes = {
        "fs": _frequency(fs),
        **_segments(reader, window, length, noverlap, nfft, None),
        "input_onesided": _flag(reader, input_onesided),
        "boundary": _flag(reader, boundary),
        "time_axis": times,
        "freq_axis": frequencies,
        "scaling": _one_of("scaling", scaling, ("spectrum", "psd")),
    }
    return Call((value,), attributes)


def detrend(reader: Reader, data: Any, axis: Any = -1, type: Any = "linear", bp: Any = 0, overwrite_data: bool = False) -> Call:
    """Read ``detrend``: breakpoints are in order, and those of a constant are none."""
    check_numbers(reader, bp)
    kind = _trend(_one_of("type", type, ("linear", "l", "constant", "c")))
    value = reader.array(data)
    axis = index_axis(axis, value.ndim)
    breaks = sorted({int(one) for one in (bp if isinstance(bp, (list, tuple, np.ndarray)) else [bp])}) if kind == "linear" else [0]
    if not 0 <= breaks[0] <= breaks[-1] <= value.shape[axis]:
        raise ValueError(f"breakpoints {bp} are not within the {value.shape[axis]} samples")
    return Call((value,), {"axis": axis, "type": kind, "bp": breaks})
