"""Convolution and correlation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...promotion import PromotionTable
from ..signature import Dynamic, Rule, Shape, Signature, refused, scipy_dtype, signature_of
from .operands import with_length

__all__ = ["RULES"]


def _convolved(left: Shape, right: Shape, mode: Any) -> Shape:
    """Give the shape of a convolution."""
    if len(left) != len(right) or not left or 0 in (*left, *right):
        raise refused()
    pairs = [*zip(left, right, strict=True)]
    if mode == "full":
        return tuple([one + other - 1 for one, other in pairs])
    if mode == "same":
        return left
    if mode != "valid" or not (all(one >= other for one, other in pairs) or all(one <= other for one, other in pairs)):
        raise refused()
    return tuple([abs(one - other) + 1 for one, other in pairs])


def _convolve(promotion: PromotionTable, in1: Any, in2: Any, mode: Any = "full", method: Any = "auto") -> Signature:
    left, right = signature_of(promotion, in1), signature_of(promotion, in2)
    dtype = promotion.result_type(left.dtype, right.dtype)
    if method not in ("auto", "direct", "fft") or dtype.kind == "b":
        raise refused()
    if method == "direct" and left.dtype != right.dtype:
        raise refused()  # SciPy's result has the dtype of one of them
    return Signature(_convolved(left.shape, right.shape, mode), dtype)


def _fftconvolve(promotion: PromotionTable, in1: Any, in2: Any, mode: Any = "full", axes: Any = None) -> Signature:
    left, right = signature_of(promotion, in1).shape, signature_of(promotion, in2).shape
    if left and len(left) == len(right) and 0 in (*left, *right):
        return Signature((0,), promotion.default_float)  # SciPy's np.array([])
    if axes is not None:
        given = axes if isinstance(axes, (tuple, list)) else (axes,)
        if len(left) != len(right) or not given or any(type(axis) is not int or not -len(left) <= axis < len(left) for axis in given):
            raise refused()
        places = {axis % len(left) for axis in given}
        if len(places) < len(given) or any(left[axis] != right[axis] for axis in range(len(left)) if axis not in places):
            raise refused()
        one, other = (tuple([shape[axis] for axis in sorted(places)]) for shape in (left, right))
        lengths = _convolved(one, other, mode)
        for axis, length in zip(sorted(places), lengths, strict=True):
            left = with_length(left, axis, length)
        return Signature(left, scipy_dtype(promotion, in1, in2))
    return Signature(_convolved(left, right, mode), scipy_dtype(promotion, in1, in2))


RULES: Final[Mapping[str, Rule]] = {
    "choose_conv_method": Dynamic("it gives the name of a method"),
    "convolve": _convolve,
    "correlate": _convolve,
    "fftconvolve": _fftconvolve,
    "oaconvolve": _fftconvolve,
}
