"""Chirp z-transforms, two-dimensional analytic signals and envelopes of scipy.signal, by Fourier transforms."""

from __future__ import annotations

import cmath
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..backends.dtypes import COMPLEX64, COMPLEX128, FLOAT64
from .operands import arrays, doubles, floats, leave_unless, one_of, xp

__all__ = ["COMPOSITIONS", "METHODS"]

_DENSE: Final = 1024
"""The longest chirp transforms that are one product."""

_CIRCLE: Final = 2.0**-50
"""How far numbers are from those that are meant, which were rounded."""


def _numbers(x: Any) -> Any:
    """Take real or complex operands of what SciPy computes in complex128 whatever it gets."""
    (made,) = arrays(x)
    if made.dtype.kind != "c":
        return doubles(x)[0]
    return made.astype(COMPLEX128) if doubles(0.0, beside=[made.real])[0].dtype == FLOAT64 else made


def _beside(x: Any, numbers: Any) -> Any:
    """Bring complex numbers to where an Array is, in its precision."""
    return xp.asarray(numbers, dtype=COMPLEX128 if x.dtype in (FLOAT64, COMPLEX128) else COMPLEX64, device=x.device)


def _powers(base: tuple[float, Any], exponents: npt.NDArray[Any]) -> npt.NDArray[np.complex128]:
    """Evaluate powers of a number, given by its magnitude and its angle in turns, which is reduced in extended precision."""
    magnitude, turns = base
    angles = np.longdouble(turns) * exponents
    found: npt.NDArray[np.complex128] = np.exp(2j * np.pi * (angles - np.rint(angles)).astype(float))
    return found if magnitude == 1.0 else found * magnitude ** exponents.astype(float)


def _polar(number: complex) -> tuple[float, Any]:
    magnitude, angle = cmath.polar(number)
    return (1.0 if abs(magnitude - 1.0) <= _CIRCLE else magnitude), angle / (2.0 * np.pi)


def _steps(transform: Any) -> tuple[tuple[float, Any], tuple[float, Any]]:
    """Give the ratio of one of SciPy's chirp transforms, and its start, as fractions of a turn where SciPy has rounded these to numbers."""
    one = np.longdouble(1)
    if hasattr(transform, "fs"):
        width, m = one * transform.f2 - transform.f1, transform.m
        ratios = [width / (one * transform.fs * m), *([width / (one * transform.fs * (m - 1))] if m > 1 else [])]
        start: tuple[float, Any] = (1.0, one * transform.f1 / transform.fs)
    else:
        ratios, start = [one / transform.m], _polar(complex(transform.a))
    near = [ratio for ratio in ratios if abs(cmath.exp(-2j * np.pi * float(ratio)) - transform.w) <= _CIRCLE]
    best = min(near, key=lambda ratio: abs(cmath.exp(-2j * np.pi * float(ratio)) - transform.w), default=None)
    return _polar(complex(transform.w)) if best is None else (1.0, -best), start


def _chirped(transform: Any, x: Any, *, axis: Any = -1) -> Any:
    """Evaluate at the points of one of SciPy's chirp transforms: by a product, or by a convolution with a chirp."""
    samples = _numbers(x)
    leave_unless(type(axis) is int and -samples.ndim <= axis < samples.ndim and samples.shape[axis] == transform.n)
    samples = xp.moveaxis(samples, axis, -1)
    n, m, (ratio, start) = transform.n, transform.m, _steps(transform)
    places, points = np.arange(n, dtype=np.longdouble), np.arange(m, dtype=np.longdouble)
    if max(n, m) <= _DENSE:
        matrix = _powers(start, -places)[:, None] * _powers(ratio, np.multiply.outer(places, points))
        leave_unless(bool(np.isfinite(matrix).all()))
        return xp.moveaxis(samples @ _beside(samples, matrix), -1, axis)
    leave_unless(ratio[0] == start[0] == 1.0)
    lags = np.arange(1 - n, m, dtype=np.longdouble)
    count = 2 ** (n + m - 2).bit_length()
    chirp = np.fft.fft(_powers(ratio, -lags * lags / 2), count)
    before = _powers(start, -places) * _powers(ratio, places * places / 2)
    spectrum = xp.scipy.fft.fft(samples * _beside(samples, before), count) * _beside(samples, chirp)
    found = xp.scipy.fft.ifft(spectrum)[..., n - 1 : n + m - 1]
    return xp.moveaxis(found * _beside(samples, _powers(ratio, points * points / 2)), -1, axis)


def _length(x: Any, axis: Any) -> int:
    shape = arrays(x)[0].shape
    leave_unless(type(axis) is int and -len(shape) <= axis < len(shape) and shape[axis] > 0)
    length: int = shape[axis]
    return length


def _are_numbers(*items: Any) -> bool:
    return all(item is None or type(item) in {int, float, complex, bool, tuple, list} or isinstance(item, np.generic) for item in items)


def _czt(x: Any, m: Any = None, w: Any = None, a: Any = 1 + 0j, *, axis: Any = -1) -> Any:
    leave_unless(_are_numbers(m, w, a))
    import scipy.signal

    return _chirped(scipy.signal.CZT(_length(x, axis), m, w, a), x, axis=axis)


def _zoom_fft(x: Any, fn: Any, m: Any = None, *, fs: Any = 2, endpoint: Any = False, axis: Any = -1) -> Any:
    leave_unless(_are_numbers(fn, m, fs, endpoint))
    import scipy.signal

    return _chirped(scipy.signal.ZoomFFT(_length(x, axis), fn, m, fs=fs, endpoint=endpoint), x, axis=axis)


def _hilbert2(x: Any, N: Any = None, axes: Any = (-2, -1)) -> Any:
    """Multiply frequencies by what SciPy multiplies those of impulses along each axis by."""
    (image,) = floats(x)
    leave_unless(image.ndim >= 2 and image.size > 0 and (axes == (-2, -1) or axes == [-2, -1]))
    counts = image.shape[-2:] if N is None else (N, N) if type(N) is int else tuple(N) if type(N) in {tuple, list} else ()
    leave_unless(len(counts) == 2 and all(type(each) is int and each > 0 for each in counts))
    import scipy.signal

    spectrum = xp.scipy.fft.fft2(image, counts)
    for shape in ((counts[0], 1), (1, counts[1])):
        impulse = np.zeros(shape)
        impulse[0, 0] = 1.0
        spectrum = spectrum * xp.asarray(np.rint(np.fft.fft2(scipy.signal.hilbert2(impulse)).real), dtype=image.dtype, device=image.device)
    return xp.scipy.fft.ifft2(spectrum)


def _envelope(
    z: Any, bp_in: Any = (1, None), *, n_out: Any = None, squared: Any = False, residual: Any = "lowpass", axis: Any = -1
) -> Any:  # fmt: skip
    """Shift a band of frequencies to 0 and take magnitudes; what the band leaves is the residual."""
    n = _length(z, axis)
    signals = z if arrays(z)[0].dtype.kind == "c" else floats(z)[0]
    leave_unless(type(bp_in) in {tuple, list} and len(bp_in) == 2 and all(end is None or type(end) is int for end in bp_in))
    leave_unless((n_out is None or (type(n_out) is int and n_out > 0)) and type(squared) is bool)
    one_of(residual, "lowpass", "all", None)
    start, stop = -(n // 2) if bp_in[0] is None else bp_in[0], (n + 1) // 2 if bp_in[1] is None else bp_in[1]
    leave_unless(-n // 2 <= start < stop <= (n + 1) // 2 and stop != 0)
    count, band, has_zero = n_out or n, slice(start, stop), start <= 0 < stop
    signals = xp.moveaxis(signals, axis, -1)
    weights, kept = np.ones(n), np.ones(n)
    if signals.dtype.kind == "c":
        spectrum = xp.scipy.fft.fft(signals)
    else:
        half = xp.scipy.fft.rfft(signals)
        none = xp.zeros((*signals.shape[:-1], n - half.shape[-1]), dtype=half.dtype, device=half.device)
        spectrum = xp.concatenate([half, none], axis=-1)
        if stop > 0:
            weights[band if start > 0 else slice(1, stop)] = 2.0
    spectrum = spectrum * xp.asarray(weights, dtype=spectrum.real.dtype, device=spectrum.device)
    if has_zero:
        shifted = xp.scipy.fft.fftshift(spectrum, -1)[..., start + n // 2 : stop + n // 2]
        kept[:stop], kept[start:] = 0.0, 0.0
    else:
        shifted = spectrum[..., band]
        kept[band] = 0.0
    based = xp.scipy.fft.ifft(shifted, count) * (count / n)
    found = xp.real(based) ** 2 + xp.imag(based) ** 2 if squared else xp.abs(based)
    if residual is None:
        return xp.moveaxis(found, -1, axis)
    if residual == "lowpass" and stop > 0:
        kept[stop : (n + 1) // 2] = 0.0
    elif residual == "lowpass":
        kept[start:], kept[: (n + 1) // 2] = 0.0, 0.0
    rest = spectrum * xp.asarray(kept, dtype=spectrum.real.dtype, device=spectrum.device)
    if signals.dtype.kind == "c":
        rest = xp.scipy.fft.ifft(rest) if count == n else xp.scipy.signal.resample(rest, count, axis=-1, domain="freq")
    else:
        middle = np.ones(n)
        if count != n and min(n, count) % 2 == 0:
            middle[min(n, count) // 2] = 2.0 if count < n else 0.5
        rest = xp.scipy.fft.irfft(rest * xp.asarray(middle, dtype=signals.dtype, device=rest.device), count) * (count / n)
    return xp.stack([xp.moveaxis(found, -1, axis), xp.moveaxis(rest, -1, axis)], axis=0)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "czt": _czt,
    "envelope": _envelope,
    "hilbert2": _hilbert2,
    "zoom_fft": _zoom_fft,
}
"""Functions of scipy.signal."""

METHODS: Final[Mapping[str, Callable[..., Any]]] = {f"scipy.signal.{kind}.__call__": _chirped for kind in ("CZT", "ZoomFFT")}
"""Calls of objects of scipy.signal that SciPy made."""
