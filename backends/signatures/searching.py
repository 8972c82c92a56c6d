"""Signatures of searches: sides and kinds are checked, edges and sorted arrays have one axis."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import DTYPES
from .call import Call, NotNativeError, Reader, SignatureKind

if TYPE_CHECKING:
    from ..dtypes import DType

__all__ = ["bins", "membership", "sorted_search"]


def _exactly(reader: Reader, numbers: Any, dtype: DType) -> Any:
    """Make an array of numbers: of the other one's dtype if that holds them exactly, else of NumPy's, in which it compares."""
    plain = numbers if isinstance(numbers, (list, tuple)) else [numbers]
    given = np.asarray(numbers) if all(isinstance(item, (int, float, np.number)) for item in plain) else None
    if given is None or given.dtype not in DTYPES:
        raise NotNativeError("what it searches for are no numbers of 64 bits")
    with np.errstate(all="ignore"):
        found = given.astype(dtype)
        same = found.astype(given.dtype) == given
    return reader.array(found if same.all() else given)


def _second(reader: Reader, table: Any, item: Any, numpy: bool) -> Any:
    """Read what is looked for, in the dtype of the array where NumPy's comparison is that of it."""
    if numpy and reader.is_array(table) and not reader.is_array(item):
        return _exactly(reader, item, table.dtype)
    return reader.operand(item)


def sorted_search(*, numpy: bool) -> SignatureKind:
    """Read the standard's ``searchsorted``, or NumPy's."""

    def read(reader: Reader, a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Call:
        table = reader.operand(a)
        if not reader.is_array(table):
            raise NotNativeError("it has no array")
        if table.ndim != 1:
            raise ValueError(
                f"object {'of too small depth' if table.ndim == 0 else 'too deep'} for desired array: searchsorted takes one axis"
            )
        if side not in ("left", "right"):
            raise ValueError(f"search side must be 'left' or 'right' (got {side!r})")
        return Call((table, _second(reader, a, v, numpy)), {"side": side, "sorter": sorter})

    return read


def membership(*, numpy: bool) -> SignatureKind:
    """Read the standard's ``isin``, or NumPy's."""

    def read(
        reader: Reader, element: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False, *, kind: Any = None
    ) -> Call:
        if kind not in (None, "sort", "table"):
            raise ValueError(f"kind is None, 'sort' or 'table', but is {reprlib.repr(kind)}")
        return Call((reader.operand(element), _second(reader, element, test_elements, numpy)), {"invert": bool(invert)})

    return read


def bins(reader: Reader, x: Any, bins: Any, right: Any = False) -> Call:
    """Read ``numpy.digitize``; `bins` stay as they are, since Python's numbers among them take the dtype of what they divide."""
    edges, value = reader.operand(bins), reader.operand(x)
    if not reader.is_array(edges) or edges.ndim != 1:
        raise ValueError("object of too small depth for desired array: bins have one axis")
    if type(value) is complex or "c" in (edges.dtype.kind, getattr(getattr(value, "dtype", None), "kind", "")):
        raise TypeError("x may not be complex")
    return Call((value, bins), {"right": bool(right)})
