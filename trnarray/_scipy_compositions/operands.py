"""What compositions do with their arguments."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import numpy as np

from .._array import Array
from .._operand import as_operands
from .._placement import promotion_table
from ..backends.device import Device
from ..backends.dtypes import FLOAT32, FLOAT64, DType
from ..backends.policy import count_transfer
from ..backends.settings import get_config, get_default_device

__all__ = [
    "LeftToScipyError", "along", "arrays", "device_of", "doubles", "floats", "is_one", "leave_unless", "one_of", "points_like", "reduced",
    "xp",
]  # fmt: skip

xp: Final[Any] = import_module("trnarray")
"""The public namespace; its functions give one Array or several, which types cannot tell here."""


class LeftToScipyError(Exception):
    """A composition does not take an argument: SciPy computes on the host, or raises its error."""


def leave_unless(condition: bool) -> None:
    """Leave to SciPy what a composition does not take."""
    if not condition:
        raise LeftToScipyError


def is_one(item: Any, *known: Any) -> bool:
    """Tell whether an option, which may be anything, is one of those that are composed."""
    return any(item is each or (type(item) is type(each) and item == each) for each in known)


def one_of(item: Any, *known: Any) -> Any:
    """Take an option that is one of those that are composed."""
    leave_unless(is_one(item, *known))
    return item


def arrays(*items: Any) -> list[Any]:
    """Make Arrays of operands; where ndarrays may not be moved beside Arrays, SciPy is passed both."""
    if any(type(item) is np.ndarray for item in items) and any(type(item) is Array for item in items):
        settings = get_config()
        leave_unless(settings.fallback == "error" or settings.host_transfer_on(device_of(*items)) != "error")
    leave_unless(all(type(item) in {Array, np.ndarray, list, tuple, int, float, bool} or isinstance(item, np.generic) for item in items))
    scalars = {index for index, item in enumerate(items) if type(item) in {int, float, bool} or isinstance(item, np.generic)}
    made = as_operands(*[[item] if index in scalars else item for index, item in enumerate(items)])
    return [x[0] if index in scalars else x for index, x in enumerate(made)]


def floats(*items: Any, beside: Any = (), keeps: bool = True) -> list[Any]:
    """
    Make Arrays of one real floating dtype of operands: that of the floating Arrays and of ndarrays beside them, else the device's default.

    Where SciPy does not keep float32, it becomes the device's default, as results of its do.
    """
    made = arrays(*items)
    leave_unless(all(x.dtype.kind in "fiub" for x in made))
    kinds = {Array, np.ndarray} if any(type(item) is Array for item in items) else {Array}
    known: set[DType] = {x.dtype for x in (*(item for item in items if type(item) in kinds), *beside) if x.dtype.kind == "f"}
    if not known or not keeps:
        known.add(promotion_table(made[0]._device).default_float)
    dtype = FLOAT64 if FLOAT64 in known else FLOAT32
    return [x if x.dtype == dtype else x.astype(dtype) for x in made]


def doubles(*items: Any, beside: Any = ()) -> list[Any]:
    """Make Arrays of operands of what SciPy computes in float64 whatever it gets."""
    return floats(*items, beside=beside, keeps=False)


def device_of(*items: Any) -> Device:
    """Find the device of the first Array in arguments, else the default one."""
    found: Device | None = Array._device_among(items)
    return found or get_default_device()


def points_like(x: Any, known: Any) -> Any:
    """Bring points to where an Array is, in its dtype; ndarrays are counted."""
    if type(x) is np.ndarray:
        count_transfer(x.nbytes)
    return xp.asarray(x, dtype=known.dtype, device=known.device)


def per_axis(item: Any, count: int) -> list[Any]:
    """Take a number, or one for each axis."""
    made = [item] * count if type(item) in {int, float} else list(item) if type(item) in {tuple, list} else []
    leave_unless(len(made) == count and all(type(each) in {int, float} for each in made))
    return made


def along(*items: Any, axis: Any, nan_policy: Any = "propagate", keepdims: Any = False, least: int = 1) -> tuple[list[Any], int]:
    """Make samples of operands, which lie along an axis, and have at least so many elements there; None is all of them."""
    leave_unless(nan_policy == "propagate" and type(keepdims) is bool and (axis is None or type(axis) is int))
    made = floats(*items)
    leave_unless(all(x.ndim > 0 and x.size for x in made) and not (axis is None and keepdims))
    if axis is None:
        made, axis = [x.reshape((-1,)) for x in made], 0
    leave_unless(all(-x.ndim <= axis < x.ndim and x.shape[axis] >= least for x in made))
    return made, axis


def reduced(x: Any, axis: int, keepdims: bool) -> Any:
    """Drop an axis of length one, or keep it."""
    return x if keepdims else xp.squeeze(x, axis=axis)
