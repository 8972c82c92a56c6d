"""Sums and products of integers in the device's default integers: computed in 64 bits, and refused where 32 do not hold them.

The sum of all elements that memory holds has 64 bits. A product may have more: the product of magnitudes in float32 tells. Where that is
below 2**61, few factors were rounded, as factors of 1 are not and others double it at least; so the exact one is below 2**62.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ...dtypes import BOOL, FLOAT32, INT32, INT64, UINT32, UINT64, DType
from ..graph.build import check, elementwise, reduce, reshape
from ..graph.graph import Node
from ..graph.primitives import Elementwise
from ..value import Value
from . import Builder
from .op_calls import call, converted
from .wide_integers import narrow

__all__ = ["IN_WORDS", "magnitude", "may_exceed", "narrowed", "product_fits"]

IN_WORDS: Final[Mapping[DType, DType]] = {INT32: INT64, UINT32: UINT64}
"""In which dtype the sums and products of a dtype are exact."""
_LARGEST: Final = 2.0**61
_NAMES: Final = {"add": "sum", "multiply": "product"}


def may_exceed(name: str, dtype: DType, wanted: DType, count: int, initial: bool = False) -> bool:
    """Tell whether a sum or product may be one that a dtype does not hold."""
    if wanted not in IN_WORDS or dtype.itemsize > wanted.itemsize:
        return False
    if count + initial < 2 or initial:
        return initial and count > 0
    limit = int(np.iinfo(wanted).max)
    if dtype.kind == "b":
        return name == "add" and count > limit
    info = np.iinfo(dtype)
    largest = max(int(info.max), -int(info.min))
    return count * largest > limit if name == "add" else count > np.iinfo(wanted).bits or largest**count > limit


def magnitude(builder: Builder, item: Any) -> Any:
    """Give magnitudes in float32."""
    return call(builder, "absolute", converted(builder, item, FLOAT32)) if isinstance(item, Value) else abs(float(item))


def product_fits(builder: Builder, sizes: Value, nonzero: Value) -> Node:
    """Tell which products 64 bits hold."""
    small = call(builder, "less", sizes, _LARGEST)
    fits: tuple[Node, ...] = call(builder, "logical_or", small, call(builder, "logical_not", nonzero)).read()
    return fits[0]


def narrowed(builder: Builder, name: str, value: Value, dtype: DType, wanted: DType, fits: Node | None = None) -> Value:
    """Give exact results the default dtype, and refuse those beyond it where they are needed."""
    low, within = narrow(value.read(), wanted)
    if fits is not None:
        within = elementwise("logical_and", within, fits, dtype=BOOL)
    if low.size:
        holds = reduce("logical_and", reshape(within, (within.size,)), [0], within.dtype) if within.shape else within
        info = np.iinfo(wanted)
        message = (
            f"a {_NAMES[name]} of {dtype} is beyond {wanted} ({info.min} to {info.max}), the default integer of the device; "
            f"give dtype=numpy.{IN_WORDS[wanted]}, or set trnarray.config(defaults='numpy')"
        )
        low = Node(Elementwise("positive"), (low,), check(holds, OverflowError, message))
    return builder.like(value, (low,), wanted)
