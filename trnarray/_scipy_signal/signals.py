"""Signals themselves: analytic, resampled, without trend; their peaks; and windows."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Literal

from .._apply import apply
from .._array import Array
from .._placement import choose_device, create
from .._scipy_compositions import peaks as compositions
from .._scipy_compositions.composition import run
from .._typing import ArrayLike, DeviceLike
from ..backends.ops.scipy_signal import OPS

__all__ = ["detrend", "find_peaks", "get_window", "hilbert", "resample", "resample_poly"]


def hilbert(x: ArrayLike, N: int | None = None, axis: int = -1) -> Array:
    """Compute the analytic signal by the Hilbert transform. See `scipy.signal.hilbert`."""
    return apply(OPS["hilbert"], x, N, axis)


def resample(
    x: ArrayLike,
    num: int,
    t: ArrayLike | None = None,
    axis: int = 0,
    window: Any = None,
    domain: Literal["time", "freq"] = "time",
) -> Any:
    """Resample periodic signals by transforms. See `scipy.signal.resample`."""
    return apply(OPS["resample"], x, num, t, axis, window, domain)


def resample_poly(
    x: ArrayLike,
    up: int,
    down: int,
    axis: int = 0,
    window: Any = ("kaiser", 5.0),
    padtype: str = "constant",
    cval: float | None = None,
) -> Array:
    """Resample signals by a filter in several phases. See `scipy.signal.resample_poly`."""
    return apply(OPS["resample_poly"], x, up, down, axis, window, padtype, cval)


def detrend(
    data: ArrayLike, axis: int = -1, type: Literal["linear", "constant"] = "linear", bp: ArrayLike = 0, overwrite_data: bool = False
) -> Array:
    """Take the trend off signals. See `scipy.signal.detrend`."""
    return apply(OPS["detrend"], data, axis, type, bp, overwrite_data)


def find_peaks(
    x: ArrayLike,
    height: Any = None,
    threshold: Any = None,
    distance: float | None = None,
    prominence: Any = None,
    width: Any = None,
    wlen: int | None = None,
    rel_height: float = 0.5,
    plateau_size: Any = None,
) -> tuple[Array, dict[str, Array]]:
    """
    Find peaks, which are higher than their neighbours, and properties of theirs.

    See `scipy.signal.find_peaks`.
    """
    conditions = (height, threshold, distance, prominence, width, wlen, rel_height, plateau_size)
    if not (distance is prominence is width is None):
        composed: Any = run(compositions.find_peaks, (x, *conditions), {})
        if composed is not NotImplemented:
            return composed  # type: ignore[no-any-return]
    found: Any = apply(OPS["find_peaks"], x, *conditions)
    peaks, names, properties = found
    return peaks, dict(zip(names, properties, strict=True))


def get_window(
    window: Any, Nx: int, fftbins: bool = True, *, xp: ModuleType | None = None, device: DeviceLike = None
) -> Any:
    """Make a window. See `scipy.signal.get_window`."""
    made = create(OPS["get_window"], choose_device(device if xp is None else "cpu"), window, Nx, fftbins)
    return made if xp is None else xp.asarray(made, device=device)
