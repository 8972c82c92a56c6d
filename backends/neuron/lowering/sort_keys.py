"""Keys in the order of numbers, rows of them sorted, and what the sorted keys tell: numbers, and where they were."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from ...dtypes import BFLOAT16, FLOAT16, FLOAT32, INT32, UINT32, DType
from ..graph.build import broadcast, call, cast, elementwise, fill, iota, reshape
from ..graph.graph import Node
from ..planes import plane_dtypes
from ..value import Value
from . import Builder, NotNativeError
from .op_calls import converted
from .operands import computes

__all__ = ["LONGEST", "Keys", "keys_of", "numbers_of", "places", "places_of", "sort_keys"]

LONGEST: Final = 1 << 23
"""Elements of a row that are sorted on the device, at most: twice their places fit between trailing keys."""

_TWO_KEYS: Final = (FLOAT32, BFLOAT16, FLOAT16, INT32, UINT32)
_PLACE_BITS: Final = 0xFFFFFF


class Keys(NamedTuple):
    """
    What numbers are compared by.

    Attributes
    ----------
    leading : Node
        In float32.
    trailing : Node or None
        In float32, which decides where leading ones are equal, with a place added to it; None where those tell all of a number.
    dtype : dtype
        Of the numbers.
    """

    leading: Node
    trailing: Node | None
    dtype: DType


def keys_of(builder: Builder, value: Value) -> Keys:
    """Find the keys of numbers."""
    if not computes(value.dtype):
        raise NotNativeError(f"{value.dtype} is sorted on the host")
    if value.dtype.kind not in "biu" and value.dtype.itemsize == 1:
        value = converted(builder, value, FLOAT16)
    dtype, (plane,) = value.dtype, value.read()
    if dtype not in _TWO_KEYS:
        return Keys(cast(plane, FLOAT32), None, dtype)
    return Keys(elementwise("order.leading", plane, dtype=FLOAT32), elementwise("order.trailing", plane, dtype=FLOAT32), dtype)


def numbers_of(builder: Builder, keys: Keys, dtype: DType) -> Value:
    """Find the numbers that keys stand for."""
    if keys.dtype in _TWO_KEYS:
        assert keys.trailing is not None
        plane = elementwise(f"order.{keys.dtype.name}", keys.leading, keys.trailing, dtype=keys.dtype)
    else:
        plane = cast(keys.leading, plane_dtypes(keys.dtype)[0])
    return converted(builder, builder.make((plane,), keys.dtype), dtype)


def places(shape: tuple[int, ...]) -> Node:
    """Make the numbers of the elements of each row."""
    number = cast(broadcast(iota(shape[-1]), shape), FLOAT32)
    return elementwise("multiply", number, fill(2.0, (), FLOAT32), dtype=FLOAT32)


def places_of(trailing: Node) -> Node:
    """Find the places in trailing keys."""
    bits = elementwise("bitwise_and", cast(trailing, INT32), fill(_PLACE_BITS, (), INT32), dtype=INT32)
    return elementwise("right_shift", bits, fill(1, (), INT32), dtype=INT32)


def sort_keys(keys: Keys, ties: Node | None) -> Keys:
    """Sort rows."""
    shape = keys.leading.shape
    length = shape[-1]
    if length > LONGEST:
        raise NotNativeError(f"rows of more than {LONGEST} elements are sorted on the host")
    inputs = [keys.leading]
    if ties is not None:
        inputs.append(ties if keys.trailing is None else elementwise("add", keys.trailing, ties, dtype=FLOAT32))
    if length == 1:
        return keys._replace(trailing=inputs[1] if ties is not None else None)
    rows = (math.prod(shape[:-1]), length)
    planes = [reshape(plane, shape) for plane in call("sort", *[reshape(plane, rows) for plane in inputs])]
    return Keys(planes[0], planes[1] if ties is not None else None, keys.dtype)
