"""Where masks hold: elements and positions, which a kernel moves together.

How many there are is the shape of the result: the device counts them, and that number is fetched, which counts as a transfer.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ....dtypes import BOOL, INT32
from ....rules import Signature
from ...graph.build import call as call_kernel
from ...graph.build import iota, reshape
from ...kernel import kernel
from ...value import Value
from .. import Builder
from ..op_calls import call, call_several

__all__ = ["compressed", "coordinates", "is_long", "positions"]

_LEAST: Final = 1 << 14  # elements: shorter masks are fetched sooner than searched


def is_long(mask: Value) -> bool:
    """Tell whether the device itself should look where a mask holds."""
    return mask.size >= _LEAST and kernel("compress").takes(*[Signature((mask.size,), BOOL)] * 2)


def compressed(builder: Builder, mask: Value, value: Value) -> Value:
    """Take the elements for which a mask holds."""
    size = mask.size
    (marks,) = (reshape(plane, (size,)) for plane in mask.read())
    planes = tuple(call_kernel("compress", marks, reshape(plane, (size,)))[0] for plane in value.read())
    all_of_them = builder.make(planes, value.dtype)  # in one program with the count
    count = builder.on_host(call(builder, "count_nonzero", builder.make((marks,), BOOL)))
    shadow = np.empty(int(count), value.dtype)
    return Value.of_shadow(all_of_them.cells, shadow, shadow)


def positions(builder: Builder, mask: Value) -> Value:
    """Find where a mask holds."""
    return compressed(builder, mask, builder.make((reshape(iota(mask.size), mask.shape),), INT32))


def coordinates(builder: Builder, mask: Value) -> tuple[Value, ...]:
    """Find where a mask holds, on each of its axes."""
    at = positions(builder, mask)
    return (at,) if mask.ndim == 1 else tuple(call_several(builder, "unravel_index", at, mask.shape))
