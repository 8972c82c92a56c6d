"""Data type functions: casts, promotion, kinds and limits of dtypes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ._apply import apply
from ._array import Array
from ._placement import choose_device, promotion_table
from .array_conversion import asarray
from .backends import dtypes
from .backends.dtypes import canonical_dtype
from .backends.ops import creation as ops
from .backends.promotion import NUMPY, PromotionTable

if TYPE_CHECKING:
    from ._typing import ArrayLike, DeviceLike, DTypeLike
    from .backends.limits import FloatLimits, IntegerLimits

__all__ = [
    "astype",
    "can_cast",
    "common_type",
    "finfo",
    "iinfo",
    "isdtype",
    "issubdtype",
    "min_scalar_type",
    "promote_types",
    "result_type",
]

_EXTRA: Final = frozenset(dtype.type for dtype in dtypes.LOW_PRECISION)


def astype(x: Array, dtype: DTypeLike, /, *, copy: bool = True, device: DeviceLike = None) -> Array:
    """Convert an Array to another dtype, whatever the rules of promotion say. See `numpy.astype`."""
    if type(x) is not Array:
        raise TypeError(f"astype takes an Array, but got {type(x).__name__}; make one with asarray(x)")
    wanted = canonical_dtype(dtype)
    moved = x if device is None else x.to_device(choose_device(device))
    if wanted == moved.dtype and (moved is not x or not copy):
        return moved
    return apply(ops.astype, moved, wanted)


def _table_of(operands: tuple[Any, ...]) -> PromotionTable:
    """Return the promotion rules of the device where the Arrays are, else those of the default device."""
    device = None
    for operand in operands:
        if type(operand) is Array:
            device = Array._same_device(device, operand._device)
    return promotion_table(choose_device(device))


def result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    """
    Return the dtype in which operands meet, by the rules of the device where the Arrays are.

    See `numpy.result_type`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.result_type(xp.float32, 1.0), xp.result_type(xp.bfloat16, xp.float16)
    (dtype('float32'), dtype('float32'))
    """
    operands = tuple(asarray(x) if isinstance(x, list) else x for x in arrays_and_dtypes)
    return _table_of(operands).result_type(*operands)


def promote_types(type1: DTypeLike, type2: DTypeLike, /) -> np.dtype[Any]:
    """Return the dtype in which two dtypes meet, by the rules of the default device. See `numpy.promote_types`."""
    return _table_of(()).promote(canonical_dtype(type1), canonical_dtype(type2))


def can_cast(from_: Any, to: DTypeLike, casting: str = "safe") -> bool:
    """Tell whether a cast is allowed by a rule, the same one on every device. See `numpy.can_cast`."""
    if type(from_) in (bool, int, float, complex):
        raise TypeError(f"can_cast takes an array or a dtype, but got the Python scalar {from_!r}, which has no width; give a dtype")
    source = from_ if isinstance(from_, type) else getattr(from_, "dtype", from_)
    return NUMPY.can_cast(canonical_dtype(source), canonical_dtype(to), casting)


def isdtype(dtype: Any, kind: Any) -> bool:
    """
    Tell whether a dtype is of a kind. See `numpy.isdtype`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.isdtype(xp.bfloat16, "real floating")
    True
    """
    return dtypes.isdtype(dtype, kind)


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Tell whether a dtype is at or below another one in NumPy's hierarchy of types. See `numpy.issubdtype`."""
    if arg2 in (np.floating, np.inexact, np.number):
        scalar = arg1 if isinstance(arg1, type) and issubclass(arg1, np.generic) else np.dtype(arg1).type
        if scalar in _EXTRA:
            return True
    return bool(np.issubdtype(arg1, arg2))


def common_type(*arrays: ArrayLike) -> type[Any]:
    """
    Return the floating or complex scalar type in which arrays meet; integers count as the default floating dtype.

    See `numpy.common_type`.
    """
    operands = tuple(asarray(x) for x in arrays)
    table = _table_of(operands)
    found = []
    for x in operands:
        if x.dtype.kind == "b":
            raise TypeError("common_type takes numeric arrays and there is no floating type for booleans; convert them first")
        found.append(table.default_float if x.dtype.kind in "iu" else x.dtype)
    scalar: type[Any] = (table.result_type(*found) if found else np.dtype(np.float16)).type
    return scalar


def min_scalar_type(a: ArrayLike, /) -> np.dtype[Any]:
    """
    Return the smallest dtype of the same kind that holds a scalar; of an array, its dtype.

    See `numpy.min_scalar_type`.
    """
    x = asarray(a)
    if x.ndim or x.dtype in dtypes.LOW_PRECISION:
        return x.dtype
    return canonical_dtype(np.min_scalar_type(x.item()))


def finfo(dtype: Any) -> FloatLimits:
    """
    Return the limits of a floating dtype. See `numpy.finfo`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.finfo(xp.bfloat16).eps
    0.0078125
    """
    from .backends import limits

    return limits.finfo(dtype)


def iinfo(int_type: Any) -> IntegerLimits:
    """Return the limits of an integer dtype. See `numpy.iinfo`."""
    from .backends import limits

    return limits.iinfo(int_type)
