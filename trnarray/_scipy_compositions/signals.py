"""Filters of scipy.signal that are expressions of convolutions, ranks and products with short matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.polynomial import polynomial

from .operands import arrays, doubles, floats, is_one, leave_unless, xp

__all__ = ["COMPOSITIONS"]

_PADDINGS: Final = {"fill": "constant", "symm": "symmetric", "wrap": "wrap"}


def _floating(*items: Any) -> list[Any]:
    """Take floating operands; SciPy keeps integers."""
    leave_unless(all(x.dtype.kind == "f" for x in arrays(*items)))
    return floats(*items)


def _convolve2d(in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0, flipped: bool = False) -> Any:
    leave_unless(is_one(mode, "full", "same", "valid") and is_one(boundary, *_PADDINGS) and type(fillvalue) in {int, float})
    x, h = _floating(in1, in2)
    leave_unless(x.ndim == h.ndim == 2 and x.size and h.size and all(a >= b for a, b in zip(x.shape, h.shape, strict=True)))
    h = xp.flip(h) if flipped else h
    if mode != "valid":
        sizes = [(size - 1, size - 1) for size in h.shape]
        if mode == "same":
            after = [size // 2 if flipped else (size - 1) // 2 for size in h.shape]
            sizes = [(size - 1 - rest, rest) for size, rest in zip(h.shape, after, strict=True)]
        x = xp.pad(x, sizes, mode=_PADDINGS[boundary], **({"constant_values": fillvalue} if boundary == "fill" else {}))
    return xp.scipy.signal.convolve(x, h, mode="valid", method="direct")


def _correlate2d(in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0) -> Any:
    return _convolve2d(in1, in2, mode, boundary, fillvalue, flipped=True)


def _sizes(size: Any, count: int) -> tuple[int, ...]:
    """Give the odd length of a window for each axis."""
    sizes = (size,) * count if type(size) is int else tuple(size) if type(size) in {tuple, list} else ()
    leave_unless(len(sizes) == count and all(type(each) is int and each > 0 and each % 2 == 1 for each in sizes))
    return sizes


def _medfilt(volume: Any, kernel_size: Any = None) -> Any:
    (x,) = _floating(volume)
    sizes = _sizes(3 if kernel_size is None else kernel_size, x.ndim)
    leave_unless(x.ndim > 0 and all(size <= length for size, length in zip(sizes, x.shape, strict=True)))
    return xp.scipy.ndimage.median_filter(x, size=sizes, mode="constant")


def _medfilt2d(input: Any, kernel_size: Any = 3) -> Any:
    leave_unless(arrays(input)[0].ndim == 2)
    return _medfilt(input, kernel_size)


def _wiener(im: Any, mysize: Any = None, noise: Any = None) -> Any:
    """Weight by the variance of windows, of what lies above the mean of all: SciPy's differences of squares would cancel in float32."""
    leave_unless(noise is None or type(noise) in {int, float})
    (x,) = doubles(im)
    sizes = _sizes(3 if mysize is None else mysize, x.ndim)
    leave_unless(x.ndim > 0 and x.size)
    middle = xp.mean(x)
    above = x - middle

    def averaged(each: Any) -> Any:
        return xp.scipy.ndimage.uniform_filter(each, size=sizes, mode="constant")

    inside = averaged(xp.ones_like(x))  # windows reach over the edges, where SciPy has zeros
    local = averaged(above)
    mean = local + middle * inside
    outside = 1.0 - inside
    variance = averaged(above * above) - local * local + outside * middle * (middle * inside + 2.0 * local)
    level = xp.mean(variance) if noise is None else float(noise)
    filtered = above + (middle - mean)
    filtered = filtered * (1.0 - level / xp.where(variance == 0, 1.0, variance)) + mean
    return xp.where(variance <= level, mean, filtered)


def _savgol_filter(
    x: Any, window_length: Any, polyorder: Any, deriv: Any = 0, delta: Any = 1.0, axis: Any = -1, mode: str = "interp", cval: Any = 0.0
) -> Any:  # fmt: skip
    """Fit polynomials to windows: sums of products, and at the edges the values of the first and the last fit."""
    leave_unless(is_one(mode, "interp", "mirror", "constant", "nearest", "wrap"))
    leave_unless(all(type(n) is int for n in (window_length, polyorder, deriv, axis)))
    leave_unless(type(delta) in {int, float} and type(cval) in {int, float})
    (samples,) = floats(x)
    leave_unless(0 <= deriv and 0 <= polyorder < window_length and -samples.ndim <= axis < samples.ndim)
    leave_unless(mode != "interp" or (window_length <= samples.shape[axis] and window_length % 2 == 1))
    import scipy.signal

    taps = scipy.signal.savgol_coeffs(window_length, polyorder, deriv=deriv, delta=delta)
    weights = [float(tap) for tap in taps]
    found = xp.scipy.ndimage.convolve1d(samples, weights, axis=axis, mode="constant" if mode == "interp" else mode, cval=cval)
    half = window_length // 2
    if mode != "interp" or not half:
        return found
    places = np.arange(window_length) - half
    fit = np.linalg.pinv(np.vander(places / max(half, 1), polyorder + 1, increasing=True))
    slopes = [polynomial.polyder(row, deriv) if deriv else row for row in fit.T]
    powers = np.stack([polynomial.polyval(places[:half] / half, row) for row in slopes], axis=1) / (half * delta) ** deriv
    last = (-1) ** deriv * powers[::-1, ::-1]
    samples, found = xp.moveaxis(samples, axis, -1), xp.moveaxis(found, axis, -1)

    def edge(matrix: Any, part: Any) -> Any:
        return part @ xp.asarray(matrix.T, dtype=samples.dtype, device=samples.device)

    ends = edge(powers, samples[..., :window_length]), edge(last, samples[..., -window_length:])
    return xp.moveaxis(xp.concatenate([ends[0], found[..., half : found.shape[-1] - half], ends[1]], axis=-1), -1, axis)


def _upfirdn(h: Any, x: Any, up: Any = 1, down: Any = 1, axis: Any = -1, mode: str = "constant", cval: Any = 0) -> Any:
    leave_unless(mode == "constant" and cval == 0 and all(type(n) is int for n in (up, down, axis)) and up > 0 and down > 0)
    taps, samples = floats(h.tolist() if type(h) is np.ndarray else h, x)
    leave_unless(taps.ndim == 1 and taps.size and -samples.ndim <= axis < samples.ndim and samples.size)
    samples = xp.moveaxis(samples, axis, -1)
    lead, n = samples.shape[:-1], samples.shape[-1]
    if up > 1:
        between = xp.zeros((*lead, n, up - 1), dtype=samples.dtype, device=samples.device)
        samples = xp.concatenate([samples[..., None], between], axis=-1).reshape((*lead, n * up))[..., : n * up - up + 1]
    found = xp.scipy.signal.convolve(samples, xp.reshape(taps, (1,) * len(lead) + (-1,)), method="direct")
    return xp.moveaxis(found[..., ::down], -1, axis)


def _decimate(x: Any, q: Any, n: Any = None, ftype: Any = "iir", axis: Any = -1, zero_phase: bool = True) -> Any:
    leave_unless(type(q) is int and q > 0 and (n is None or type(n) is int) and is_one(ftype, "iir", "fir") and type(axis) is int)
    (samples,) = floats(x)
    leave_unless(-samples.ndim <= axis < samples.ndim)
    import scipy.signal

    picked = [slice(None)] * samples.ndim
    if ftype == "fir":
        taps = scipy.signal.firwin((20 * q if n is None else n) + 1, 1.0 / q, window="hamming").tolist()
        leave_unless(not zero_phase or len(taps) % 2 == 1)
        delay = len(taps) // 2 if zero_phase else 0
        picked[axis] = slice(delay, delay + samples.shape[axis], q)
        return _upfirdn(taps, samples, 1, 1, axis)[tuple(picked)]
    sections = scipy.signal.cheby1(8 if n is None else n, 0.05, 0.8 / q, output="sos")
    sos = xp.asarray(sections, dtype=samples.dtype, device=samples.device)
    picked[axis] = slice(None, None, q)
    return (xp.scipy.signal.sosfiltfilt if zero_phase else xp.scipy.signal.sosfilt)(sos, samples, axis=axis)[tuple(picked)]


def _lombscargle(
    x: Any, y: Any, freqs: Any, precenter: Any = False, normalize: Any = False, *, weights: Any = None, floating_mean: Any = False
) -> Any:  # fmt: skip
    """Fit a sine to samples at uneven times, for each frequency; times are counted from their middle, which moves phases only."""
    leave_unless(precenter is False and is_one(normalize, False, True, "power", "normalize") and is_one(floating_mean, False, True))
    t, values, frequencies, *rest = doubles(x, y, freqs, *([] if weights is None else [weights]))
    leave_unless(t.ndim == values.ndim == frequencies.ndim == 1 and t.shape == values.shape and t.size and frequencies.size)
    leave_unless(not rest or rest[0].shape == t.shape)
    w = xp.full_like(t, 1.0 / t.shape[0]) if not rest else rest[0] / xp.sum(rest[0])
    leave_unless(not rest or bool(xp.all(rest[0] >= 0)))
    phases = frequencies[:, None] * (t - xp.mean(t))
    cosine, sine = xp.cos(phases), xp.sin(phases)
    total = xp.sum(w * values)

    def moments(c: Any, s: Any) -> tuple[Any, Any, Any]:
        cc, cs = (c * c) @ w, (c * s) @ w
        ss = 1.0 - cc
        if floating_mean:
            a, b = c @ w, s @ w
            cc, ss, cs = cc - a * a, ss - b * b, cs - a * b
        return cc, ss, cs

    cc, ss, cs = moments(cosine, sine)
    tau = 0.5 * xp.atan2(2.0 * cs, cc - ss)[:, None]
    cosine, sine = cosine * xp.cos(tau) + sine * xp.sin(tau), sine * xp.cos(tau) - cosine * xp.sin(tau)
    cc, ss, _ = moments(cosine, sine)
    yc, ys = cosine @ (w * values), sine @ (w * values)
    if floating_mean:
        yc, ys = yc - total * (cosine @ w), ys - total * (sine @ w)
    least = xp.finfo(t.dtype).eps / 2
    power = 2.0 * (yc * yc / xp.maximum(cc, least) + ys * ys / xp.maximum(ss, least))
    if is_one(normalize, True, "normalize"):
        squares = xp.sum(w * values * values) - (total * total if floating_mean else 0.0)
        return power * 0.5 / squares
    return power * (t.shape[0] / 4.0)


def _order_filter(a: Any, domain: Any, rank: Any) -> Any:
    (x,) = _floating(a)
    leave_unless(type(domain) in {np.ndarray, list, tuple} and type(rank) is int)
    footprint = np.asarray(domain)
    leave_unless(footprint.ndim == x.ndim > 0 and x.size > 0 and all(size % 2 == 1 for size in footprint.shape))
    leave_unless(0 <= rank < np.count_nonzero(footprint))
    return xp.scipy.ndimage.rank_filter(x, rank, footprint=(footprint != 0).tolist(), mode="constant")


def _sepfir2d(input: Any, hrow: Any, hcol: Any) -> Any:
    x, rows, columns = _floating(input, hrow, hcol)
    leave_unless(x.ndim == 2 and rows.ndim == columns.ndim == 1 and rows.shape[0] % 2 == columns.shape[0] % 2 == 1)
    leave_unless(rows.shape[0] <= 2 * x.shape[1] - 1 and columns.shape[0] <= 2 * x.shape[0] - 1)
    for axis, taps in ((1, rows), (0, columns)):
        half = taps.shape[0] // 2
        wide = xp.pad(x, [(half, half) if k == axis else (0, 0) for k in range(2)], mode="symmetric")
        x = xp.scipy.signal.convolve(wide, xp.reshape(taps, (1, -1) if axis else (-1, 1)), mode="valid", method="direct")
    return x


def _deconvolve(signal: Any, divisor: Any) -> Any:
    """Filter an impulse by the quotient."""
    top, bottom = doubles(signal, divisor)
    leave_unless(top.ndim == bottom.ndim == 1 and 0 < bottom.shape[0] <= top.shape[0] and bool(bottom[0] != 0))
    count = top.shape[0] - bottom.shape[0] + 1
    impulse = xp.astype(xp.arange(count, device=top.device) == 0, top.dtype)
    quotient = xp.scipy.signal.lfilter(top[:count], bottom, impulse)
    return quotient, top - xp.scipy.signal.convolve(bottom, quotient, method="direct")


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "convolve2d": lambda in1, in2, mode="full", boundary="fill", fillvalue=0: _convolve2d(in1, in2, mode, boundary, fillvalue),
    "correlate2d": _correlate2d,
    "decimate": _decimate,
    "deconvolve": _deconvolve,
    "lombscargle": _lombscargle,
    "medfilt": _medfilt,
    "medfilt2d": _medfilt2d,
    "order_filter": _order_filter,
    "savgol_filter": _savgol_filter,
    "sepfir2d": _sepfir2d,
    "upfirdn": _upfirdn,
    "wiener": _wiener,
}
"""Functions of scipy.signal."""
