"""The one decision that NumPy and SciPy can be handed what was passed: all operands are plain and on the host."""

from __future__ import annotations

from collections.abc import Collection, Container
from typing import Any, Final

import numpy as np

from ..backends.device import CPU
from ..backends.dtypes import KINDS, LAST_PLAIN
from ..backends.settings import get_config
from ..backends.shape import MAX_DIMS

__all__ = ["ATOMS", "PLAIN_SCALARS", "SCALARS", "host_values"]

_PLAIN: Final = tuple(map(np.dtype, "?bBhHiIlLqQfdFD"))
PLAIN_SCALARS: Final = frozenset(dtype.type for dtype in _PLAIN)
"""The types of NumPy's scalars of dtypes that NumPy computes in itself."""
SCALARS: Final = PLAIN_SCALARS | {bool, int, float, complex}
"""The types of scalars that a host implementation takes as they are."""
ATOMS: Final = SCALARS | {str, type(None), slice, type(Ellipsis), type(np._NoValue), type, range} | {type(dtype) for dtype in _PLAIN}
"""The types of operands and parameters that stand for themselves; everything else is looked at more closely."""


def host_values(operands: Collection[Any], ours: Container[type[Any]], sequences: bool = True, depth: int = 0) -> list[Any] | None:
    """
    Give the values of operands where a host implementation takes all of them as they are, else None.

    These are arrays of `ours` on the host, ndarrays where no setting looks at transfers, all of NumPy's own dtypes, atoms, and tuples and
    lists of such where they are among the operands that `sequences` allows.
    """
    values = []
    for item in operands:
        kind = type(item)
        if kind in ours:
            if item._device is not CPU:
                return None
            item = item._value
            if item.dtype.num > LAST_PLAIN:
                return None
        elif kind not in ATOMS:
            if kind is np.ndarray:
                if item.dtype.num > LAST_PLAIN or item.dtype not in KINDS or get_config().host_transfer is not None:
                    return None
            elif (kind is not tuple and kind is not list) or not sequences or depth > MAX_DIMS:
                return None
            elif not ATOMS.issuperset(map(type, item)):
                items = host_values(item, ours, True, depth + 1)
                if items is None:
                    return None
                item = items if kind is list else tuple(items)
        values.append(item)
    return values
