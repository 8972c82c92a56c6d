"""The operands of functions that look at them before they compute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ._array import Array
from ._array.plain import ATOMS
from ._placement import promotion_table
from .array_conversion import convert
from .backends.device import CPU, Device
from .backends.dtypes import KINDS
from .backends.host.sequences import is_sequence
from .backends.nesting import check_depth
from .backends.op import get_op
from .backends.settings import get_default_device

if TYPE_CHECKING:
    from ._typing import DTypeLike

__all__ = ["as_operand", "as_operands"]

_AS_THEY_ARE: Final = (ATOMS - {range}) | {Array}


def as_operands(*items: Any, device: Device | None = None, dtype: DTypeLike = None) -> tuple[Any, ...]:
    """
    Make Arrays of the ndarrays and sequences among the operands of a call, as the call itself would.

    Unlike `asarray`, which a user calls to convert, this counts ndarrays as implicit transfers, about which the setting decides where there
    is an Array beside them.
    """
    if _AS_THEY_ARE.issuperset(map(type, items)):
        return items
    reader = _Reader(items, device, dtype)
    return tuple(x if type(x) in _AS_THEY_ARE or isinstance(x, np.generic) else reader.array(x) for x in items)


class _Reader:
    """Makes Arrays of the operands of a call, all by the same rules."""

    def __init__(self, items: tuple[Any, ...], device: Device | None, dtype: DTypeLike) -> None:
        beside = list(_with_dtypes(items))
        place = next((found for item in beside if (found := getattr(item, "_device", None)) is not None), None)
        self._moved: Final = place is None
        self._device: Final = device or place or get_default_device()
        self._dtype: Final = dtype
        self._table: Final = promotion_table(self._device).beside({item.dtype for item in beside if item.dtype in KINDS})

    def array(self, item: Any) -> Array:
        if is_sequence(item) and type(item) is not range and self._device is not CPU and Array._device_among(item) is not None:
            parts = [self.array(each) for each in item]
            return Array._applied(get_op("stack"), parts)  # not by way of the host
        value, _ = Array._unwrap(item, self._device, self._moved)
        if type(item) is np.ndarray:
            item = Array._wrap(value, self._device)
        return convert(item, self._dtype, device=self._device, table=self._table)


def _with_dtypes(items: Iterable[Any], depth: int = 0) -> Iterator[Any]:
    """Find arrays and NumPy's scalars among operands, and what else has a dtype and perhaps a device, as sparse arrays and operators."""
    for item in items:
        if isinstance(item, (list, tuple)):
            if not ATOMS.issuperset(map(type, item)):
                check_depth(depth)
                yield from _with_dtypes(item, depth + 1)
        elif hasattr(item, "dtype") and not isinstance(item, type):
            yield item


def as_operand(x: Any, *beside: Any, device: Device | None = None, dtype: DTypeLike = None) -> Array:
    """Make an Array of what a function is to compute with, and of a scalar, too."""
    return x if type(x) is Array and dtype is None and device is None else _Reader((x, *beside), device, dtype).array(x)
