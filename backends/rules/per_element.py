"""Rules of functions that are no universal functions and give something for each element."""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np

from ..dtypes import BOOL, real_of
from ..promotion import PromotionTable
from .elementwise import UfuncRule
from .signature import Results, Signature, broadcast_shapes, float_dtype, signature_of

__all__ = ["angle", "asked", "asked_of_reals", "compared", "floats", "isin", "real_floats", "rounded"]

_ANGLE: Final = UfuncRule(np.arctan2)
_ROUND: Final = UfuncRule(np.rint)


def floats(promotion: PromotionTable, x: Any) -> Signature:
    """Give floats for all elements, as `numpy.sinc` does."""
    shape, dtype = signature_of(promotion, x)
    return Signature(shape, float_dtype(promotion, dtype))


def real_floats(promotion: PromotionTable, x: Any) -> Signature:
    """See `numpy.i0`."""
    shape, dtype = signature_of(promotion, x)
    if dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    return Signature(shape, float_dtype(promotion, dtype))


def asked(promotion: PromotionTable, x: Any, *_: Any, **__: Any) -> Signature:
    """Give a truth value for each element, as `numpy.iscomplex` does."""
    return Signature(signature_of(promotion, x).shape, BOOL)


def asked_of_reals(promotion: PromotionTable, x: Any, out: Any = None) -> Signature:  # NumPy's
    """See `numpy.isposinf` and `numpy.isneginf`."""
    shape, dtype = signature_of(promotion, x)
    if dtype.kind == "c":
        raise TypeError(f"This operation is not supported for {dtype} values because it would be ambiguous.")
    return Signature(shape, BOOL)


def compared(promotion: PromotionTable, a: Any, b: Any, *_: Any, **__: Any) -> Signature:
    """See `numpy.isclose`."""
    return Signature(broadcast_shapes(signature_of(promotion, a).shape, signature_of(promotion, b).shape), BOOL)


def angle(promotion: PromotionTable, z: Any, deg: bool = False) -> Results:  # NumPy's
    """See `numpy.angle`."""
    shape, dtype = signature_of(promotion, z)
    if dtype.kind != "c":
        return _ANGLE(promotion, 0, Signature(shape, dtype))
    part = Signature(shape, real_of(dtype))
    return _ANGLE(promotion, part, part)


def rounded(promotion: PromotionTable, a: Any, decimals: int = 0, out: Any = None) -> Results:  # NumPy's
    """See `numpy.round`."""
    shape, dtype = signature_of(promotion, a)
    if operator.index(decimals) and dtype.kind == "b":
        raise TypeError(f"bools are not rounded to {decimals} decimals; convert to integers")
    return _ROUND(promotion, Signature(shape, dtype)) if dtype.kind == "b" else Signature(shape, dtype)


def isin(promotion: PromotionTable, element: Any, test_elements: Any, *_: Any, **__: Any) -> Signature:
    """See `numpy.isin`."""
    signature_of(promotion, test_elements)
    return Signature(signature_of(promotion, element).shape, BOOL)
