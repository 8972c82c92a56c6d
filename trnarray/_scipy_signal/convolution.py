"""Convolutions and correlations."""

from __future__ import annotations

from typing import Any

from .._apply import apply
from .._array import Array
from .._typing import ArrayLike, Axes
from ..backends.ops.scipy_signal import OPS

__all__ = ["choose_conv_method", "convolve", "correlate", "fftconvolve", "oaconvolve"]


def convolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto") -> Array:
    """Convolve in any number of dimensions. See `scipy.signal.convolve`."""
    return apply(OPS["convolve"], in1, in2, mode, method)


def correlate(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto") -> Array:
    """
    Correlate in any number of dimensions: convolve with the conjugate of the reversed second operand.

    See `scipy.signal.correlate`.
    """
    return apply(OPS["correlate"], in1, in2, mode, method)


def fftconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: Axes = None) -> Array:
    """Convolve by transforms. See `scipy.signal.fftconvolve`."""
    return apply(OPS["fftconvolve"], in1, in2, mode, axes)


def oaconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: Axes = None) -> Array:
    """
    Convolve by transforms of overlapping blocks: for operands of very different lengths.

    See `scipy.signal.oaconvolve`.
    """
    return apply(OPS["oaconvolve"], in1, in2, mode, axes)


def choose_conv_method(in1: ArrayLike, in2: ArrayLike, mode: str = "full", measure: bool = False) -> Any:
    """Choose how to convolve, as ``method="auto"`` does. See `scipy.signal.choose_conv_method`."""
    return apply(OPS["choose_conv_method"], in1, in2, mode, measure)
