"""
Rules of random draws. Their first operand is the generator of the host.

What NumPy draws as float64 or int64 is of the device's default float or integer. Whether parameters are in their domain is seen when they
are there.
"""

from __future__ import annotations

from math import prod
from typing import Any

from ..dtypes import FLOAT8_E8M0FNU, FLOAT32, FLOAT64, INT64, UINT64, DType, is_low_precision
from ..promotion import PromotionTable
from .signature import Shape, Signature, broadcast_shapes, refused, signature_of

__all__ = [
    "choice",
    "counts",
    "dirichlet",
    "in_dtype",
    "integers",
    "multinomial",
    "multivariate_hypergeometric",
    "multivariate_normal",
    "numbers",
    "permutation",
    "permuted",
    "shuffle",
]


def numbers(promotion: PromotionTable, generator: Any, *parameters: Any, size: Shape | None = None) -> Signature:
    """Infer draws of floats from distributions whose parameters broadcast."""
    return Signature(_drawn(promotion, parameters, size), promotion.default_float)


def counts(promotion: PromotionTable, generator: Any, *parameters: Any, size: Shape | None = None) -> Signature:
    """Infer draws of integers from distributions whose parameters broadcast."""
    return Signature(_drawn(promotion, parameters, size), _integer(promotion, *parameters))


def integers(
    promotion: PromotionTable,
    generator: Any,
    low: Any,
    high: Any = None,
    *,
    size: Shape | None = None,
    dtype: DType | None = None,
    endpoint: Any = False,
) -> Signature:
    """Infer integers of an interval."""
    if dtype is not None and dtype.kind not in "biu":
        raise refused()
    ends = (low,) if high is None else (low, high)
    return Signature(_drawn(promotion, ends, size), _integer(promotion, low, high) if dtype is None else dtype)


def in_dtype(
    promotion: PromotionTable,
    generator: Any,
    *parameters: Any,
    size: Shape | None = None,
    dtype: DType | None = None,
    out: Any = None,
    method: str = "zig",
) -> Signature:
    """Infer draws of floats of a dtype, or into an array."""
    if dtype is not None and (dtype == FLOAT8_E8M0FNU or not (dtype in (FLOAT32, FLOAT64) or is_low_precision(dtype))):
        raise refused()
    if method not in ("zig", "inv"):
        raise refused()
    if out is None:
        return Signature(_drawn(promotion, parameters, size), promotion.default_float if dtype is None else dtype)
    if out.dtype != (dtype or FLOAT64) or size not in (None, out.shape) or _drawn(promotion, parameters, out.shape) != out.shape:
        raise refused()
    return Signature(out.shape, out.dtype)


def _drawn(promotion: PromotionTable, parameters: tuple[Any, ...], size: Shape | None) -> Shape:
    """Give the shape of draws: that of the parameters, or a size to which they broadcast."""
    known = [signature_of(promotion, item) for item in parameters]
    if any(dtype.kind == "c" for _, dtype in known):
        raise refused()
    shape = broadcast_shapes(*[shape for shape, _ in known])
    if size is None:
        return shape
    if broadcast_shapes(shape, size) != size:
        raise refused()
    return size


def _integer(promotion: PromotionTable, *parameters: Any) -> DType:
    """Give the dtype of integers: the default one of the device, unless a parameter has more bits."""
    arrays = {item.dtype for item in parameters if hasattr(item, "dtype")}
    wide = not arrays.isdisjoint((INT64, UINT64)) or any(type(item) is int and not -(1 << 31) <= item < 1 << 31 for item in parameters)
    return INT64 if wide else promotion.default_index


# Vectors


def dirichlet(promotion: PromotionTable, generator: Any, alpha: Any, *, size: Shape | None = None) -> Signature:
    """Infer vectors that sum to 1."""
    return Signature((*(size or ()), _length(promotion, alpha)), promotion.default_float)


def multivariate_normal(
    promotion: PromotionTable,
    generator: Any,
    mean: Any,
    cov: Any,
    *,
    size: Shape | None = None,
    check_valid: str = "warn",
    tol: float = 1e-8,
    method: str = "svd",
) -> Signature:
    """Infer vectors of a normal distribution."""
    length = _length(promotion, mean)
    if signature_of(promotion, cov).shape != (length, length) or signature_of(promotion, cov).dtype.kind == "c":
        raise refused()
    if check_valid not in ("warn", "raise", "ignore") or method not in ("svd", "eigh", "cholesky"):
        raise refused()
    return Signature((*(size or ()), length), promotion.default_float)


def multinomial(promotion: PromotionTable, generator: Any, n: Any, pvals: Any, *, size: Shape | None = None) -> Signature:
    """Infer how often each outcome comes."""
    trials, outcomes = signature_of(promotion, n).shape, signature_of(promotion, pvals).shape
    if not outcomes or not outcomes[-1] or ((trials or len(outcomes) > 1) and not hasattr(generator, "integers")):
        raise refused()
    shape = broadcast_shapes(trials, outcomes[:-1])
    if size is not None and broadcast_shapes(shape, size) != size:
        raise refused()
    return Signature((*(shape if size is None else size), outcomes[-1]), _integer(promotion, n, pvals))


def multivariate_hypergeometric(
    promotion: PromotionTable, generator: Any, colors: Any, nsample: Any, *, size: Shape | None = None, method: str = "marginals"
) -> Signature:
    """Infer how many of each kind are in a sample."""
    if type(nsample) is not int or nsample < 0 or method not in ("marginals", "count"):
        raise refused()
    return Signature((*(size or ()), _length(promotion, colors)), _integer(promotion, colors, nsample))


def _length(promotion: PromotionTable, vector: Any) -> int:
    shape, dtype = signature_of(promotion, vector)
    if len(shape) != 1 or not shape[0] or dtype.kind == "c":
        raise refused()
    return shape[0]


# Elements of arrays


def choice(
    promotion: PromotionTable,
    generator: Any,
    a: Any,
    p: Any = None,
    *,
    size: Shape | None = None,
    replace: Any = True,
    axis: Any = 0,
    shuffle: Any = True,
) -> Signature:
    """Infer elements, or slices along an axis."""
    shape, dtype = _elements(promotion, a)
    if type(axis) is not int or not -len(shape) <= axis < len(shape) or type(replace) is not bool:
        raise refused()
    place = axis % len(shape)
    if (len(shape) > 1 and not hasattr(generator, "integers")) or not shape[place]:
        raise refused()
    if p is not None and _length(promotion, p) != shape[place]:
        raise refused()
    if not replace and prod(size or ()) > shape[place]:
        raise refused()
    return Signature((*shape[:place], *(size or ()), *shape[place + 1 :]), dtype)


def permutation(promotion: PromotionTable, generator: Any, x: Any, *, axis: Any = 0) -> Signature:
    """Infer slices in another order."""
    found = _elements(promotion, x)
    if type(axis) is not int or not -len(found.shape) <= axis < len(found.shape):
        raise refused()
    return found


def permuted(promotion: PromotionTable, generator: Any, x: Any, *, axis: Any = None, out: Any = None) -> Signature:
    """Infer elements in another order."""
    found = signature_of(promotion, x)
    if axis is not None and (type(axis) is not int or not -len(found.shape) <= axis < len(found.shape)):
        raise refused()
    if out is not None and signature_of(promotion, out) != found:
        raise refused()
    return found


def shuffle(promotion: PromotionTable, generator: Any, x: Any, *, axis: Any = 0) -> None:
    """Check the call: the operand itself is written to."""
    shape = signature_of(promotion, x).shape
    if type(axis) is not int or not -len(shape) <= axis < len(shape):
        raise refused()


def _elements(promotion: PromotionTable, a: Any) -> Signature:
    """Read an array, or a number that stands for the integers below it."""
    if type(a) is int and a > 0:
        return Signature((a,), _integer(promotion, a))
    found = signature_of(promotion, a)
    if not found.shape:
        raise refused()
    return found
