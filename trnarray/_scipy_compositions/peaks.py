"""
Peaks of scipy.signal: which samples lie above their neighbours, what peaks rise above, and how wide they are.

SciPy walks from each peak to both sides; here a table has a row for each peak and a column for each sample, and the ends of the walks are
maxima and minima of indices along its rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .operands import arrays, doubles, is_one, leave_unless, xp

__all__ = ["COMPOSITIONS", "find_peaks"]

_MOST: Final = 1 << 24
"""Elements of a table of peaks and samples."""


def _extrema(data: Any, comparator: Any, axis: Any = 0, order: Any = 1, mode: Any = "clip") -> Any:
    """Compare samples with those before and after."""
    (x,) = arrays(data)
    leave_unless(type(axis) is int and -x.ndim <= axis < x.ndim and type(order) is int and order > 0 and callable(comparator))
    leave_unless(is_one(mode, "clip", "wrap") and x.size > 0)
    count = x.shape[axis]
    keep: Any = None
    for shift in range(1, order + 1):
        for step in (shift, -shift):
            index = np.arange(count) + step
            index = np.clip(index, 0, count - 1) if mode == "clip" else index % count
            found = comparator(x, xp.take(x, xp.asarray(index.astype(np.int32), device=x.device), axis=axis))
            keep = found if keep is None else keep & found
    return tuple(xp.nonzero(keep))


class _Walks:
    """Walks from peaks to both sides."""

    def __init__(self, x: Any, peaks: Any) -> None:
        leave_unless(peaks.shape[0] * x.shape[0] <= _MOST)
        self.x, self.peaks, self._positions = x, xp.astype(peaks, xp.int32), peaks.dtype
        self.index = xp.arange(x.shape[0], dtype=xp.int32, device=x.device)[None, :]
        self.tops = xp.take(x, self.peaks)[:, None]

    def last_before(self, stops: Any) -> Any:
        """Find the last true column before each peak; -1 where there is none."""
        return xp.max(xp.where(stops & (self.index < self.peaks[:, None]), self.index, -1), axis=1)

    def first_after(self, stops: Any) -> Any:
        """Find the first true column after each peak; the number of samples where there is none."""
        return xp.min(xp.where(stops & (self.index > self.peaks[:, None]), self.index, self.x.shape[0]), axis=1)

    def bases(self, wlen: Any) -> tuple[Any, Any, Any]:
        """Find prominences, and the lowest samples at both sides until the signal is higher than the peak, or a window ends."""
        stops = ~(self.x[None, :] <= self.tops)
        left, right = self.last_before(stops), self.first_after(stops)
        if wlen is not None:
            half = math.ceil(wlen) // 2
            left, right = xp.maximum(left, self.peaks - half - 1), xp.minimum(right, self.peaks + half + 1)
        sides, found = [], []
        for inside, nearest in (
            ((self.index > left[:, None]) & (self.index <= self.peaks[:, None]), xp.max),
            ((self.index < right[:, None]) & (self.index >= self.peaks[:, None]), xp.min),
        ):
            lowest = xp.min(xp.where(inside, self.x[None, :], math.inf), axis=1)
            at = inside & (self.x[None, :] == lowest[:, None])
            base = nearest(xp.where(at, self.index, -1 if nearest is xp.max else self.x.shape[0]), axis=1)
            found.append(xp.where(xp.any(at, axis=1), base, self.peaks))  # of a peak that is NaN
            sides.append(lowest)
        return self.tops[:, 0] - xp.maximum(*sides), *(xp.astype(each, self._positions) for each in found)

    def widths(self, rel_height: float, prominences: Any, left: Any, right: Any) -> tuple[Any, Any, Any, Any]:
        """Find where the signal crosses a height at both sides, between two samples."""
        heights = self.tops[:, 0] - prominences * rel_height
        stops = ~(heights[:, None] < self.x[None, :])
        # The walk ends at the base, and begins at the peak.
        before = xp.maximum(self.last_before(stops), left)
        after = xp.minimum(self.first_after(stops), right)
        at_peak = ~(heights < self.tops[:, 0])
        before, after = xp.where(at_peak, self.peaks, before), xp.where(at_peak, self.peaks, after)

        def crossing(at: Any, step: int) -> Any:
            low, high = xp.take(self.x, at), xp.take(self.x, xp.clip(at + step, 0, self.x.shape[0] - 1))
            crosses = low < heights
            share = (heights - low) / xp.where(crosses, high - low, 1.0)
            place = xp.astype(at, self.x.dtype)
            return xp.where(crosses, place + step * share, place)

        ends = crossing(before, 1), crossing(after, -1)
        return ends[1] - ends[0], heights, *ends


def _signal_and_peaks(x: Any, peaks: Any, wlen: Any) -> _Walks:
    leave_unless(arrays(x)[0].dtype.kind in "fiub" and (wlen is None or (type(wlen) in {int, float} and wlen > 1)))
    (samples,) = doubles(x)
    _, places = arrays(samples, peaks)
    leave_unless(samples.ndim == 1 and places.ndim == 1 and places.size > 0 and places.dtype.kind in "iu")
    leave_unless(bool(xp.all((places >= 0) & (places < samples.shape[0]))))
    indexing = xp.__array_namespace_info__().default_dtypes(device=samples.device)["indexing"]
    return _Walks(samples, xp.astype(places, indexing))


def _peak_prominences(x: Any, peaks: Any, wlen: Any = None) -> Any:
    return _signal_and_peaks(x, peaks, wlen).bases(wlen)


def _peak_widths(x: Any, peaks: Any, rel_height: Any = 0.5, prominence_data: Any = None, wlen: Any = None) -> Any:
    leave_unless(type(rel_height) in {int, float} and rel_height >= 0 and prominence_data is None)
    walks = _signal_and_peaks(x, peaks, wlen)
    return walks.widths(float(rel_height), *walks.bases(wlen))


def _apart(peaks: Any, heights: Any, distance: float) -> Any:
    """
    Keep of peaks that are too close the higher one, of equal ones the later; SciPy's choice of these is that of an unstable sort.

    In each round those stay that are the highest of what is undecided around them, and what is close to them goes.
    """
    count = peaks.shape[0]
    leave_unless(count * count <= _MOST)
    gap = xp.abs(peaks[:, None] - peaks[None, :])
    index = xp.arange(count, dtype=xp.int32, device=peaks.device)
    near = (gap < math.ceil(distance)) & (index[:, None] != index[None, :])
    above = (heights[None, :] > heights[:, None]) | ((heights[None, :] == heights[:, None]) & (index[None, :] > index[:, None]))
    keep, open_ = xp.zeros((count,), dtype=bool, device=peaks.device), xp.ones((count,), dtype=bool, device=peaks.device)
    while bool(xp.any(open_)):
        stays = open_ & ~xp.any(near & above & open_[None, :], axis=1)
        keep = keep | stays
        open_ = open_ & ~stays & ~xp.any(near & stays[None, :], axis=1)
    return keep


def _limits(condition: Any) -> tuple[Any, Any]:
    """Give two limits, each None or a number."""
    limits = tuple(condition) if type(condition) in {tuple, list} and len(condition) == 2 else (condition, None)
    leave_unless(all(each is None or isinstance(each, (int, float)) for each in limits))
    return limits[0], limits[1]


def find_peaks(
    x: Any, height: Any = None, threshold: Any = None, distance: Any = None, prominence: Any = None, width: Any = None, wlen: Any = None,
    rel_height: Any = 0.5, plateau_size: Any = None,
) -> Any:  # fmt: skip
    """Find peaks by the Op, and decide by their distance, prominence and width which are kept."""
    leave_unless(not (distance is prominence is width is None))
    leave_unless(distance is None or (isinstance(distance, (int, float)) and distance >= 1))
    leave_unless(type(rel_height) in {int, float} and rel_height >= 0 and (wlen is None or (type(wlen) in {int, float} and wlen > 1)))
    leave_unless(arrays(x)[0].dtype.kind in "fiub")
    (samples,) = doubles(x)
    leave_unless(samples.ndim == 1)
    peaks, properties = xp.scipy.signal.find_peaks(samples, height, threshold, plateau_size=plateau_size)

    def select(keep: Any) -> None:
        nonlocal peaks, properties
        at = xp.nonzero(keep)[0]
        peaks, properties = xp.take(peaks, at), {key: xp.take(each, at) for key, each in properties.items()}

    def limit(name: str, condition: Any) -> None:
        low, high = _limits(condition)
        values = properties[name]
        keep = xp.ones(values.shape, dtype=bool, device=values.device) if low is None else values >= low
        select(keep if high is None else keep & (values <= high))

    if distance is not None and peaks.size:
        select(_apart(peaks, xp.take(samples, peaks), distance))
    if prominence is None and width is None:
        return peaks, properties
    leave_unless(peaks.size > 0)
    properties |= dict(zip(("prominences", "left_bases", "right_bases"), _Walks(samples, peaks).bases(wlen), strict=True))
    if prominence is not None:
        limit("prominences", prominence)
    if width is not None:
        leave_unless(peaks.size > 0)
        known = [properties[name] for name in ("prominences", "left_bases", "right_bases")]
        names = ("widths", "width_heights", "left_ips", "right_ips")
        properties |= dict(zip(names, _Walks(samples, peaks).widths(float(rel_height), *known), strict=True))
        limit("widths", width)
    return peaks, properties


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "argrelextrema": _extrema,
    "argrelmax": lambda data, axis=0, order=1, mode="clip": _extrema(data, xp.greater, axis, order, mode),
    "argrelmin": lambda data, axis=0, order=1, mode="clip": _extrema(data, xp.less, axis, order, mode),
    "peak_prominences": _peak_prominences,
    "peak_widths": _peak_widths,
}
"""Functions of scipy.signal."""
