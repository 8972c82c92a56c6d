"""Rules of the functions of scipy.special that are no ufuncs."""

from __future__ import annotations

from typing import Any

from ..dtypes import DType
from ..promotion import PromotionTable
from ..shape import all_axes
from .elementwise import is_true
from .signature import Signature, broadcast_shapes, double_dtype, refused, scipy_dtype, signature_of

__all__ = ["log_softmax", "logsumexp", "multigammaln", "polygamma", "softmax", "zeta"]

_WEAK = (bool, int, float)


def polygamma(promotion: PromotionTable, n: Any, x: Any) -> Signature:
    """Infer derivatives of the digamma function; the order is an array to SciPy, of the default integer if it is a number."""
    dtype = _real(promotion, n, x)
    if signature_of(promotion, n).dtype.kind in "iu":
        dtype = double_dtype(promotion, dtype)
    return Signature(broadcast_shapes(*[signature_of(promotion, item).shape for item in (n, x)]), dtype)


def multigammaln(promotion: PromotionTable, a: Any, d: Any) -> Signature:
    """Infer the logarithm of the multivariate gamma function."""
    if type(d) is not int or d < 1:
        raise refused()
    return Signature(signature_of(promotion, a).shape, double_dtype(promotion, _real(promotion, a)))


def zeta(promotion: PromotionTable, x: Any, q: Any = None, out: Any = None) -> Signature:
    """Infer the zeta function, Riemann's or that of two operands."""
    operands = [item for item in (x, q) if item is not None]
    arrays = [item for item in operands if type(item) not in _WEAK] or operands
    if out is not None:
        raise refused()
    dtype = _real(promotion, *arrays)
    return Signature(broadcast_shapes(*[signature_of(promotion, item).shape for item in operands]), dtype)


def logsumexp(
    promotion: PromotionTable, a: Any, axis: Any = None, b: Any = None, keepdims: Any = False, return_sign: Any = False
) -> Any:
    """Infer the logarithm of a sum of exponentials, and its sign."""
    shape = signature_of(promotion, a).shape
    if b is not None:
        shape = broadcast_shapes(shape, signature_of(promotion, b).shape)
    if not shape or 0 in shape:
        raise refused()
    axes = all_axes(axis, len(shape))
    kept = tuple([1 if place in axes else length for place, length in enumerate(shape) if is_true(keepdims) or place not in axes])
    found = Signature(kept, _real(promotion, a, b))
    return (found, found) if is_true(return_sign) else found


def softmax(promotion: PromotionTable, x: Any, axis: Any = None) -> Signature:
    """Infer exponentials over their sum."""
    shape = signature_of(promotion, x).shape
    if 0 in shape:
        raise refused()
    all_axes(axis, len(shape))
    return Signature(shape, _real(promotion, x))


log_softmax = softmax


def _real(promotion: PromotionTable, *operands: Any) -> DType:
    dtype = scipy_dtype(promotion, *operands)
    if dtype.kind == "c":
        raise refused()
    return dtype
