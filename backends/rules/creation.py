"""Rules of Ops that make arrays from shapes, ranges, buffers and matrices."""

from __future__ import annotations

import math
import operator
from typing import Any, Final

import numpy as np

from ..dtypes import DType
from ..host.creation import range_length
from ..promotion import PromotionTable
from ..shape import canonical_shape, checked_axis
from .reduction import with_integers
from .signature import NeedsValueError, Results, Signature, broadcast_shapes, refused, signature_of
from .views import in_a_row

__all__ = [
    "arange",
    "as_dtype",
    "astype",
    "diag",
    "diag_indices",
    "diagflat",
    "eye",
    "filled",
    "filled_like",
    "full",
    "full_like",
    "indices",
    "kaiser",
    "linspace",
    "logspace",
    "meshgrid",
    "mgrid",
    "ogrid",
    "packbits",
    "require",
    "tri",
    "tril_indices",
    "triu_indices",
    "unpackbits",
    "vander",
    "window",
]


_BYTE: Final = np.dtype(np.uint8)


def filled(promotion: PromotionTable, shape: Any, dtype: DType | None = None, order: Any = "C") -> Signature:  # NumPy's
    """See `numpy.empty`, `numpy.zeros` and `numpy.ones`."""
    dtype = dtype or promotion.default_float
    return Signature(canonical_shape(shape, dtype), dtype)


def full(promotion: PromotionTable, shape: Any, fill_value: Any, dtype: DType | None = None, order: Any = "C") -> Signature:
    """See `numpy.full`."""
    value = signature_of(promotion, fill_value)
    result = filled(promotion, shape, dtype or value.dtype, order)
    _check_fills(value, result)
    return result


def _check_fills(value: Signature, result: Signature) -> None:
    if broadcast_shapes(value.shape, result.shape) != result.shape:
        raise ValueError(f"could not broadcast input array from shape {value.shape} into shape {result.shape}")


def filled_like(
    promotion: PromotionTable, a: Any, dtype: DType | None = None, order: Any = "K", subok: bool = True, shape: Any = None
) -> Signature:  # fmt: skip
    """See `numpy.empty_like`, `numpy.zeros_like` and `numpy.ones_like`."""
    like = signature_of(promotion, a)
    dtype = dtype or like.dtype
    return Signature(like.shape if shape is None else canonical_shape(shape, dtype), dtype)


def full_like(
    promotion: PromotionTable, a: Any, fill_value: Any, dtype: DType | None = None, order: Any = "K", subok: bool = True, shape: Any = None
) -> Signature:
    """See `numpy.full_like`."""
    result = filled_like(promotion, a, dtype, order, subok, shape)
    _check_fills(signature_of(promotion, fill_value), result)
    return result


def eye(promotion: PromotionTable, N: int, M: int | None, k: int, dtype: DType, order: Any = "C") -> Signature:  # NumPy's
    """See `numpy.eye`."""
    operator.index(k)
    return filled(promotion, (N, N if M is None else M), dtype, order)


def tri(promotion: PromotionTable, N: int, M: int | None, k: int, dtype: DType) -> Signature:  # NumPy's
    """See `numpy.tri`."""
    return Signature((max(N, 0), max(N if M is None else M, 0)), dtype)


def arange(promotion: PromotionTable, start: Any, stop: Any, step: Any, *, dtype: DType) -> Signature:  # every rule's
    """See `numpy.arange`."""
    return Signature((range_length(start, stop, step, dtype),), dtype)


def linspace(
    promotion: PromotionTable, start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, *, dtype: DType,
    axis: int = 0,
) -> Results:  # fmt: skip
    """See `numpy.linspace`."""
    ends = [signature_of(promotion, item) for item in (start, stop)]
    samples = _samples(promotion, num, axis, dtype, *ends)
    if not retstep:
        return samples
    if num - bool(endpoint) <= 0:
        raise NeedsValueError("a range of one number has no step")
    weak = [item if type(item) in (int, float, complex) else end.dtype for item, end in zip((start, stop), ends, strict=True)]
    step = promotion.result_type(*weak, 1.0)
    return samples, Signature(broadcast_shapes(*[end.shape for end in ends]), dtype if _narrower(dtype, step) else step)


def _narrower(dtype: DType, step: DType) -> bool:
    return dtype.num > step.num


def _samples(promotion: PromotionTable, num: int, axis: int, dtype: DType, *ends: Signature) -> Signature:
    count = operator.index(num)
    if count < 0:
        raise ValueError(f"number of samples, {count}, must be non-negative.")
    shape = broadcast_shapes(*[end.shape for end in ends])
    axis = checked_axis(axis, len(shape) + 1)
    return Signature((*shape[:axis], count, *shape[axis:]), dtype)


def logspace(
    promotion: PromotionTable, start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, *, dtype: DType, axis: int = 0
) -> Signature:  # fmt: skip
    """See `numpy.logspace` and `numpy.geomspace`."""
    return _samples(promotion, num, axis, dtype, *[signature_of(promotion, item) for item in (start, stop, base)])


def indices(promotion: PromotionTable, dimensions: Any, dtype: DType | None = None, sparse: bool = False) -> Results:
    """See `numpy.indices`."""
    dtype = dtype or promotion.default_int
    shape = canonical_shape(dimensions, dtype)
    for side in shape:
        range_length(0, side, 1, dtype)
    if not sparse:
        return Signature((len(shape), *shape), dtype)
    return tuple([Signature((1,) * axis + (side,) + (1,) * (len(shape) - axis - 1), dtype) for axis, side in enumerate(shape)])


def mgrid(promotion: PromotionTable, key: Any) -> Signature:
    """See `numpy.mgrid`."""
    if isinstance(key, slice):
        return _range(promotion, key)
    ranges = [_range(promotion, item) for item in key]
    dtype = promotion.result_type(promotion.default_int, *[item.dtype for item in ranges])
    return Signature((len(ranges), *[item.shape[0] for item in ranges]), dtype)


def ogrid(promotion: PromotionTable, key: Any) -> Results:
    """See `numpy.ogrid`."""
    if isinstance(key, slice):
        return _range(promotion, key)
    dtype = mgrid(promotion, key).dtype
    lengths = [_range(promotion, item).shape[0] for item in key]
    return tuple([Signature((1,) * axis + (length,) + (1,) * (len(lengths) - axis - 1), dtype) for axis, length in enumerate(lengths)])


def _range(promotion: PromotionTable, item: slice) -> Signature:
    """Read a slice of a grid, in which an imaginary step is a number of points."""
    start, step = 0 if item.start is None else item.start, 1 if item.step is None else item.step
    dtypes = [promotion.result_type(number) for number in (start, item.stop) if number is not None]
    if isinstance(step, complex):
        return Signature((int(abs(step)),), promotion.result_type(promotion.default_float, *dtypes))
    stop, start = (start, 0) if item.stop is None else (item.stop, start)
    return Signature((max(0, math.ceil((stop - start) / step)),), promotion.result_type(*dtypes, promotion.result_type(step)))


def meshgrid(promotion: PromotionTable, *xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> tuple[Signature, ...]:
    """See `numpy.meshgrid`."""
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    lines = [signature_of(promotion, x) for x in xi]
    lengths = [line.size for line in lines]
    order = [1, 0, *range(2, len(lines))] if indexing == "xy" and len(lines) > 1 else [*range(len(lines))]
    shape = tuple([lengths[place] for place in order])
    if sparse:
        shapes = [tuple([side if place == number else 1 for side, place in zip(shape, order, strict=True)]) for number in range(len(lines))]
        return tuple([Signature(sides, line.dtype) for sides, line in zip(shapes, lines, strict=True)])
    return tuple([Signature(shape, line.dtype) for line in lines])


def as_dtype(promotion: PromotionTable, value: Any, dtype: DType, copy: bool = True) -> Signature:  # NumPy's
    """See `numpy.astype`: imaginary parts are not dropped."""
    shape, old = signature_of(promotion, value)
    if old.kind == "c" and dtype.kind not in "cb":
        raise TypeError(f"{old} does not convert to {dtype}, which has no imaginary part; take real(x) or imag(x) first")
    return Signature(shape, dtype)


def astype(promotion: PromotionTable, x: Any, dtype: DType, order: Any = "K", casting: Any = "unsafe") -> Signature:  # NumPy's
    """See `numpy.ndarray.astype`."""
    shape, old = signature_of(promotion, x)
    if casting != "unsafe" and not np.can_cast(old, dtype, casting):
        raise TypeError(f"cannot cast from {old} to {dtype} by the rule {casting!r}; allow it with casting='unsafe'")
    return Signature(shape, dtype)


def require(promotion: PromotionTable, a: Any, dtype: DType | None = None, requirements: Any = None) -> Signature:  # NumPy's
    """See `numpy.require`."""
    shape, old = signature_of(promotion, a)
    return Signature(shape, dtype or old)


def diag(promotion: PromotionTable, v: Any, k: int = 0) -> Signature:
    """See `numpy.diag`."""
    shape, dtype = signature_of(promotion, v)
    if len(shape) == 1:
        return Signature((shape[0] + abs(k),) * 2, dtype)
    if len(shape) != 2:
        raise ValueError(f"Input must be 1- or 2-d, and has the shape {shape}")
    rows, columns = (shape[0], shape[1] - k) if k >= 0 else (shape[0] + k, shape[1])
    return Signature((max(0, min(rows, columns)),), dtype)


def diagflat(promotion: PromotionTable, v: Any, k: int = 0) -> Signature:
    """See `numpy.diagflat`."""
    shape, dtype = signature_of(promotion, v)
    return Signature((math.prod(shape) + abs(k),) * 2, dtype)


def vander(promotion: PromotionTable, x: Any, N: int | None = None, increasing: bool = False) -> Signature:  # NumPy's
    """See `numpy.vander`."""
    shape, dtype = signature_of(promotion, x)
    if len(shape) != 1:
        raise ValueError(f"x must be a one-dimensional array or sequence, and has the shape {shape}")
    return Signature(canonical_shape((*shape, shape[0] if N is None else N), dtype), with_integers(promotion, dtype))


def packbits(promotion: PromotionTable, a: Any, axis: int | None = None, bitorder: str = "big") -> Signature:
    """See `numpy.packbits`."""
    shape, dtype = signature_of(promotion, a)
    if dtype.kind not in "biu":
        raise TypeError(f"Expected an input array of integer or boolean data type, and it is of {dtype}")
    return _bits(shape, axis, bitorder, lambda length: -(-length // 8))


def unpackbits(promotion: PromotionTable, a: Any, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> Signature:
    """See `numpy.unpackbits`."""
    shape, dtype = signature_of(promotion, a)
    if dtype != np.uint8:
        raise TypeError(f"Expected an input array of unsigned byte data type, and it is of {dtype}")

    def bits(length: int) -> int:
        whole = 8 * length
        if count is None:
            return whole
        number = operator.index(count)
        if number < 0 and whole + number < 0:
            raise ValueError(f"-count {-number} larger than number of elements {whole}")
        return number if number >= 0 else whole + number

    return _bits(shape, axis, bitorder, bits)


def _bits(shape: tuple[int, ...], axis: int | None, bitorder: str, length: Any) -> Signature:
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    shape, axis = in_a_row(Signature(shape, _BYTE), axis)
    return Signature((*shape[:axis], length(shape[axis]), *shape[axis + 1 :]), _BYTE)


def window(promotion: PromotionTable, M: Any) -> Signature:
    """See `numpy.hanning`, and the other windows, whose points go from 1 - M to M in steps of 2."""
    return Signature((math.ceil(M - 0.5) if _number(M) >= 1 else 0,), promotion.default_float)


def kaiser(promotion: PromotionTable, M: Any, beta: Any) -> Signature:
    """See `numpy.kaiser`."""
    _number(beta)
    return Signature((math.ceil(M) if _number(M) >= 1 else 0,), promotion.default_float)


def _number(item: Any) -> Any:
    """Take a number of the host; what else is one, or is none, is NumPy's to tell."""
    if not isinstance(item, (int, float, np.integer, np.floating)):
        raise refused()
    return item


def diag_indices(promotion: PromotionTable, n: int, ndim: int = 2) -> tuple[Signature, ...]:
    """See `numpy.diag_indices`."""
    return (Signature((max(operator.index(n), 0),), promotion.default_index),) * ndim


def tril_indices(promotion: PromotionTable, n: int, k: int = 0, m: int | None = None) -> tuple[Signature, Signature]:
    """See `numpy.tril_indices`."""
    columns = n if m is None else m
    count = int(np.clip(np.arange(1 + k, 1 + k + max(n, 0)), 0, max(columns, 0)).sum())
    positions = Signature((count,), promotion.default_index)
    return positions, positions


def triu_indices(promotion: PromotionTable, n: int, k: int = 0, m: int | None = None) -> tuple[Signature, Signature]:
    """See `numpy.triu_indices`."""
    columns = n if m is None else m
    (lower,), dtype = tril_indices(promotion, n, k - 1, columns)[0]
    positions = Signature((max(n, 0) * max(columns, 0) - lower,), dtype)
    return positions, positions
