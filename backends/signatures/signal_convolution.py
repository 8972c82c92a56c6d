"""Signatures of convolutions and correlations of scipy.signal, of arrays of as many axes."""

from __future__ import annotations

from typing import Any

from .attributes import several_axes
from .call import Call, NotNativeError, Reader

__all__ = ["choice", "convolution", "transformed"]


def _pair(reader: Reader, in1: Any, in2: Any, mode: Any) -> tuple[Any, Any]:
    pair = reader.array(in1), reader.array(in2)
    if pair[0].ndim != pair[1].ndim:
        raise ValueError(f"operands have {pair[0].ndim} and {pair[1].ndim} axes; they must have as many")
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"mode is {mode!r}; it is one of 'full', 'same' and 'valid'")
    return pair


def convolution(reader: Reader, in1: Any, in2: Any, mode: Any = "full", method: Any = "auto") -> Call:
    """Read ``convolve`` and ``correlate``."""
    pair = _pair(reader, in1, in2, mode)
    if method not in ("auto", "direct", "fft"):
        raise ValueError(f"method is {method!r}; it is one of 'auto', 'direct' and 'fft'")
    return Call(pair, {"mode": mode, "method": method})


def transformed(reader: Reader, in1: Any, in2: Any, mode: Any = "full", axes: Any = None) -> Call:
    """Read ``fftconvolve`` and ``oaconvolve``."""
    pair = _pair(reader, in1, in2, mode)
    if axes is not None and not (isinstance(axes, int) or len(axes)):
        raise ValueError("when provided, axes cannot be empty")
    return Call(pair, {"mode": mode, "axes": None if axes is None else several_axes(axes, pair[0].ndim)})


def choice(reader: Reader, in1: Any, in2: Any, mode: Any = "full", measure: Any = False) -> Call:
    """Read ``choose_conv_method``."""
    pair = _pair(reader, in1, in2, mode)
    if measure or any(value.dtype.kind in "biu" for value in pair):
        raise NotNativeError("what depends on values or on time is measured on the host")
    return Call(pair, {"mode": mode})
