"""Arrays made of Python scalars and of nested sequences of scalars and arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..dtypes import BOOL, COMPLEX128, DTYPES, FLOAT64, INT64, UINT64, DType, canonical_dtype
from ..promotion import PromotionTable
from ..shape import MAX_DIMS
from .cast import cast

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["SCALARS", "build", "element_dtype", "is_buffer", "is_sequence", "resolve"]

_MOST: Final = 1 << 32  # elements of a range that becomes an array
_EXACT: Final = frozenset({FLOAT64.num, COMPLEX128.num})
SCALARS: Final = frozenset({bool, int, float, complex}) | {dtype.type for dtype in DTYPES} | {np.longlong, np.ulonglong, np.intc, np.uintc}
"""The scalar types that arrays can be made of: Python's, NumPy's and those of ml_dtypes."""


def is_sequence(obj: object) -> bool:
    """Tell whether an object is a sequence of elements."""
    kind = type(obj)
    if kind is list or kind is tuple or kind is range:
        return True
    return isinstance(obj, Sequence) and not isinstance(obj, str) and not is_buffer(obj)


def is_buffer(obj: Any) -> bool:
    """Tell whether an object supports Python's buffer protocol."""
    try:
        memoryview(obj)
    except TypeError:
        return False
    return True


def resolve(obj: Any, value_of: Callable[[Any], npt.NDArray[Any] | np.generic]) -> tuple[Any, set[Any]]:
    """Look through a scalar or a nested sequence."""
    if type(obj) in SCALARS:
        return obj, {type(obj)}
    found: set[Any] = set()
    obj, shape = _resolve(obj, found, value_of, 1)
    if len(shape) > MAX_DIMS:
        raise ValueError(f"arrays have at most {MAX_DIMS} dimensions but this sequence makes {len(shape)}")
    return obj, found


def _resolve(obj: Any, found: set[Any], value_of: Callable[[Any], Any], depth: int) -> tuple[Any, tuple[int, ...]]:
    """Replace the arrays in a sequence by host values, check its shape, and collect its scalar types and dtypes."""
    if depth > MAX_DIMS:
        raise ValueError(f"a sequence nests at most {MAX_DIMS} deep, as arrays have no more dimensions; this one is deeper")
    if type(obj) is range and not -_MOST < obj.stop - obj.start < _MOST and len(obj[:_MOST]) == _MOST:
        raise MemoryError(f"{obj} has more than {_MOST - 1} elements, which is more than memory holds; make parts of it")
    kinds = set(map(type, obj))
    if kinds <= SCALARS:
        found |= kinds
        return (obj if type(obj) in (list, tuple) else list(obj)), (len(obj),)
    items = []
    row_shape: tuple[int, ...] | None = None
    for place, item in enumerate(obj):
        shape: tuple[int, ...]
        if type(item) in SCALARS:
            found.add(type(item))
            shape = ()
        elif is_sequence(item):
            item, shape = _resolve(item, found, value_of, depth + 1)
        else:
            item = value_of(item)
            found.add(item.dtype)
            shape = item.shape
        if shape != row_shape:
            if row_shape is not None:
                raise ValueError(
                    f"the nested sequence is ragged (inhomogeneous): item 0 has shape {row_shape} but item {place} has {shape}; "
                    "pad them to one shape"
                )
            row_shape = shape
        items.append(item)
    return items, (len(items), *(row_shape or ()))


def _common(found: set[Any], table: PromotionTable) -> DType:
    """Return the dtype in which the leaves meet; here Python scalars count as their default dtypes, as in NumPy."""
    if not found:
        return table.default_float
    defaults: dict[Any, DType] = {bool: BOOL, int: table.default_int, float: table.default_float, complex: table.default_complex}
    dtypes = [defaults[kind] if kind in defaults else canonical_dtype(kind) for kind in found]
    return dtypes[0] if len(dtypes) == 1 else table.result_type(*dtypes)


def element_dtype(found: set[Any], dtype: DType | None, table: PromotionTable) -> DType:
    """Tell the dtype of an array of what `resolve` has found: the one asked for, which keeps imaginary parts, or the common one."""
    common = _common(found, table)
    if dtype is None:
        return common
    if common.kind == "c" and dtype.kind not in "cb":
        raise TypeError(f"complex elements cannot become {dtype}; take their real parts first")
    return dtype


def build(obj: Any, found: set[Any], dtype: DType | None, table: PromotionTable, order: Any = None) -> npt.NDArray[Any]:
    """Make an array of what `resolve` has found."""
    common, target = _common(found, table), element_dtype(found, dtype, table)
    # NumPy checks ranges on the way from Python integers to an integer dtype, and float64 takes every element with one
    # rounding; narrower floating dtypes are reached through the dtype in which all elements meet.
    if target.kind in "biu" or target == common or target.num in _EXACT:
        try:
            return np.array(obj, dtype=target, order=order)
        except OverflowError as error:
            if dtype is None and common.kind == "i":
                return _wider_integers(obj, common, order)
            raise OverflowError(f"{error}: an element does not fit into {target}; give a wider dtype") from None
    try:
        wide = np.array(obj, dtype=common, order=order)
    except OverflowError:
        wide = np.array(obj, dtype=FLOAT64, order=order)
    return cast(wide, target, copy=False)


def _wider_integers(obj: Any, common: DType, order: Any) -> npt.NDArray[Any]:
    """Hold integers that are too large for the common dtype in int64 or uint64."""
    for dtype in (INT64, UINT64):
        if dtype != common:
            try:
                return np.array(obj, dtype=dtype, order=order)
            except OverflowError:
                continue
    raise OverflowError("a Python integer fits neither int64 nor uint64 together with the others; give dtype=float64 to round it")
