"""Signatures of what orders elements along an axis."""

from __future__ import annotations

import operator
import reprlib
from typing import Any

import numpy as np

from .attributes import check_numbers, index_axis
from .call import Call, Reader, SignatureKind

__all__ = ["distinct", "in_place_sort", "keys", "largest", "partition", "sort"]


def sort(reader: Reader, x: Any, /, *, axis: Any = -1, descending: bool = False, stable: bool = True) -> Call:
    """Read the standard's ``sort`` and ``argsort``: equal elements stay in their order, always."""
    value = reader.array(x)
    return Call((value,), {"axis": index_axis(axis, value.ndim), "descending": bool(descending)})


def in_place_sort(reader: Reader, target: Any, axis: Any = -1, kind: Any = None, order: None = None, **_: Any) -> Call:
    """Read ``ndarray.sort``, whose `kind` and `order` were looked at before."""
    return Call((target,), {"axis": index_axis(axis, target.ndim)})


def largest(reader: Reader, x: Any, /, k: Any, *, axis: Any = -1, descending: bool = True) -> Call:
    """Read ``topk``."""
    value, count = reader.array(x), operator.index(k)
    along = index_axis(axis, value.ndim)
    if not 0 <= count <= value.shape[along]:
        raise ValueError(f"topk takes from 0 to {value.shape[along]} elements of this axis, and k is {k}")
    return Call((value, count), {"axis": along, "descending": bool(descending)})


def keys(reader: Reader, keys: Any, axis: Any = -1) -> Call:
    """Read ``numpy.lexsort``."""
    values = reader.arrays(keys)
    if not values:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if any(value.shape != values[0].shape for value in values):
        raise ValueError("all keys need to be the same shape")
    return Call((values,), {"axis": index_axis(axis, values[0].ndim) if values[0].ndim else -1})


def partition(*, flat: bool) -> SignatureKind:
    """Read ``numpy.partition``, or ``argpartition``, which takes an array without axes for one element: any order of the parts will do."""

    def read(reader: Reader, a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: None = None) -> Call:
        value = reader.array(a)
        along = None if axis is None or (flat and value.ndim == 0) else index_axis(axis, value.ndim)
        if not isinstance(kind, str):
            raise TypeError(f"select kind must be str, not {type(kind).__name__}")
        if kind != "introselect" or order is not None:
            raise ValueError(f"kind is 'introselect' and order is None; they are {kind!r} and {reprlib.repr(order)}")
        check_numbers(reader, kth)
        wanted = np.atleast_1d(np.asarray(kth))
        if wanted.dtype.kind not in "biu":
            raise TypeError("Partition index must be integer")
        length = value.size if along is None else value.shape[along]
        for one in wanted.tolist() if value.size else ():
            if not -length <= one < length:
                raise ValueError(f"kth(={one}) out of bounds ({length})")
        return Call((value, kth), {"axis": along})

    return read


def distinct(
    reader: Reader, ar: Any, return_index: Any = False, return_inverse: Any = False, return_counts: Any = False, axis: Any = None,
    *, equal_nan: Any = True,
) -> Call:  # fmt: skip
    """Read ``numpy.unique``."""
    value = reader.array(ar)
    flags = {"return_index": return_index, "return_inverse": return_inverse, "return_counts": return_counts, "equal_nan": equal_nan}
    along = None if axis is None else index_axis(axis, value.ndim)
    return Call((value,), {"axis": along, **{name: bool(flag) for name, flag in flags.items()}})
