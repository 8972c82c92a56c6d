"""Convolutions and correlations."""

from __future__ import annotations

from typing import Any

from .._apply import apply, direct
from .._array import Array
from .._array.parameters import document
from .._placement import choose_device, create
from .._typing import ArrayLike, Axes
from ..backends.ops.scipy_signal import OPS
from .parameters import CONVOLUTION

__all__ = ["choose_conv_method", "convolve", "correlate", "correlation_lags", "fftconvolve", "oaconvolve"]


@direct(OPS)
@document(CONVOLUTION)
def convolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto") -> Array:
    """
    Convolve in any number of dimensions.

    Returns
    -------
    Array
        The convolution.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.signal.convolve(xp.asarray([1.0, 2.0, 3.0]), xp.asarray([0.0, 1.0, 0.5]), mode="same")
    Array([1. , 2.5, 4. ], dtype=float64, device='cpu')
    """
    return apply(OPS["convolve"], in1, in2, mode, method)


@direct(OPS)
@document(CONVOLUTION)
def correlate(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto") -> Array:
    """
    Correlate in any number of dimensions: convolve with the conjugate of the reversed second operand.

    Returns
    -------
    Array
        The correlation; `correlation_lags` gives the lags.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.signal.correlate(xp.asarray([1.0, 2.0, 3.0]), xp.asarray([0.0, 1.0, 0.5]))
    Array([0.5, 2. , 3.5, 3. , 0. ], dtype=float64, device='cpu')
    """
    return apply(OPS["correlate"], in1, in2, mode, method)


@direct(OPS)
@document(CONVOLUTION)
def fftconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: Axes = None) -> Array:
    """
    Convolve by transforms.

    Returns
    -------
    Array
        The convolution.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.round(xp.scipy.signal.fftconvolve(xp.asarray([1.0, 2.0, 3.0]), xp.ones(2)), 8)
    Array([1., 3., 5., 3.], dtype=float64, device='cpu')
    """
    return apply(OPS["fftconvolve"], in1, in2, mode, axes)


@direct(OPS)
@document(CONVOLUTION)
def oaconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: Axes = None) -> Array:
    """
    Convolve by transforms of overlapping blocks: for operands of very different lengths.

    Returns
    -------
    Array
        The convolution.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.round(xp.scipy.signal.oaconvolve(xp.ones(6), xp.asarray([1.0, 2.0]), mode="valid"), 8)
    Array([3., 3., 3., 3., 3.], dtype=float64, device='cpu')
    """
    return apply(OPS["oaconvolve"], in1, in2, mode, axes)


@direct(OPS)
@document(CONVOLUTION)
def choose_conv_method(in1: ArrayLike, in2: ArrayLike, mode: str = "full", measure: bool = False) -> Any:
    """
    Choose how to convolve, as ``method="auto"`` does.

    Returns
    -------
    str, or tuple of str and dict
        ``"direct"`` or ``"fft"``; with `measure` also the seconds that each of them takes.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.signal.choose_conv_method(xp.ones(8), xp.ones(4))
    'direct'
    """
    return apply(OPS["choose_conv_method"], in1, in2, mode, measure)


@document(CONVOLUTION)
def correlation_lags(in1_len: int, in2_len: int, mode: str = "full") -> Array:
    """
    List the lags of a correlation of one dimension.

    Returns
    -------
    Array
        The lags.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.signal.correlation_lags(3, 2)
    Array([-1,  0,  1,  2], dtype=int64, device='cpu')
    """
    lags: Array = create(OPS["correlation_lags"], choose_device(None), in1_len, in2_len, mode)
    return lags
