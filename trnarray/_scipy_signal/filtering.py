"""Digital filters: by the coefficients of their transfer function, or by second-order sections."""

from __future__ import annotations

from typing import Any, Literal

from .._apply import apply
from .._array import Array
from .._typing import ArrayLike
from ..backends.ops.scipy_signal import OPS

__all__ = ["filtfilt", "firwin", "lfilter", "sosfilt", "sosfiltfilt"]

Continuation = Literal["odd", "even", "constant"] | None


def lfilter(b: ArrayLike, a: ArrayLike, x: ArrayLike, axis: int = -1, zi: ArrayLike | None = None) -> Any:
    """Filter signals. See `scipy.signal.lfilter`."""
    return apply(OPS["lfilter"], b, a, x, axis, zi)


def sosfilt(sos: ArrayLike, x: ArrayLike, axis: int = -1, zi: ArrayLike | None = None) -> Any:
    """Filter signals by second-order sections. See `scipy.signal.sosfilt`."""
    return apply(OPS["sosfilt"], sos, x, axis, zi)


def filtfilt(
    b: ArrayLike,
    a: ArrayLike,
    x: ArrayLike,
    axis: int = -1,
    padtype: Continuation = "odd",
    padlen: int | None = None,
    method: Literal["pad", "gust"] = "pad",
    irlen: int | None = None,
) -> Array:
    """Filter signals forwards and backwards, which leaves their phase. See `scipy.signal.filtfilt`."""
    return apply(OPS["filtfilt"], b, a, x, axis, padtype, padlen, method, irlen)


def sosfiltfilt(
    sos: ArrayLike, x: ArrayLike, axis: int = -1, padtype: Continuation = "odd", padlen: int | None = None
) -> Array:
    """
    Filter signals by second-order sections forwards and backwards, which leaves their phase.

    See `scipy.signal.sosfiltfilt`.
    """
    return apply(OPS["sosfiltfilt"], sos, x, axis, padtype, padlen)


def firwin(
    numtaps: int,
    cutoff: ArrayLike,
    *,
    width: float | None = None,
    window: str | tuple[Any, ...] = "hamming",
    pass_zero: bool | str = True,
    scale: bool = True,
    fs: float | None = None,
) -> Array:
    """Design a filter of finite impulse response by a window. See `scipy.signal.firwin`."""
    return apply(OPS["firwin"], numtaps, cutoff, width=width, window=window, pass_zero=pass_zero, scale=scale, fs=fs)
