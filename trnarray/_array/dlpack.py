"""DLPack, inwards: Arrays of other libraries' arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..backends.device import CPU, parse_device
from . import Array
from .base import is_detached
from .capsule import take

if TYPE_CHECKING:
    from .._typing import DeviceLike

__all__ = ["from_dlpack"]


def from_dlpack(x: Any, /, *, device: DeviceLike = None, copy: bool | None = None) -> Array:
    """Make an Array of another library's array, in the same memory where that can be. See `numpy.from_dlpack`."""
    target = None if device is None else parse_device(device)
    if isinstance(x, np.ndarray) and type(x) is not np.ndarray:
        raise TypeError(
            f"{type(x).__name__} is a subclass of numpy.ndarray, whose own meaning (a mask, a unit) DLPack would drop; "
            "take its data explicitly, as in trnarray.asarray(numpy.asarray(x))"
        )
    if type(x) is Array:
        source = x.device
        if x.base is None and is_detached(x._value) and copy is False:
            raise ValueError("copy=False cannot be had as this Array is detached, a scalar without memory; allow it with copy=None")
        if target in (None, source):
            return x.copy("K") if copy else x.view()
    else:
        source = CPU
        host = take(x, copy, target is not None)
        if target in (None, CPU):
            return Array._wrap(host)
    if copy is False:
        raise ValueError(f"data on {str(source)!r} reaches {str(target)!r} by a copy only; allow it with copy=None")
    return (x if type(x) is Array else Array._wrap(host)).to_device(str(target))
