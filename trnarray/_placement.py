"""Where a new Array goes, and what dtypes it has there by default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._array import Array
from .backends.device import CPU, Device, parse_device
from .backends.dtypes import DType, canonical_dtype
from .backends.engine import HOST, Engine, engine_for
from .backends.promotion import PromotionTable
from .backends.settings import get_default_device

if TYPE_CHECKING:
    from ._typing import DeviceLike, DTypeLike
    from .backends.op import Op

__all__ = ["asked_dtype", "choose_device", "create", "make", "promotion_table"]


def choose_device(device: DeviceLike, like: Any = None) -> Device:
    """Return the device that a creation function was asked to use."""
    if device is None and like is None:
        return get_default_device()
    if like is not None and type(like) is not Array and type(like) is not np.ndarray:
        raise TypeError(f"like= takes an Array or a numpy.ndarray, but got {type(like).__name__}; create that by its own library")
    if device is not None:
        return parse_device(device)
    return like._device if type(like) is Array else get_default_device()


def promotion_table(device: Device) -> PromotionTable:
    """Return the promotion rules of a device."""
    return _engine(device).promotion


def asked_dtype(dtype: DTypeLike, device: Device) -> DType:
    """Return the dtype that a creation function was asked for."""
    return promotion_table(device).default_float if dtype is None else canonical_dtype(dtype)


def create(op: Op, device: Device, /, *args: Any, **parameters: Any) -> Any:
    """Run an Op on a device, whether or not there are Arrays among its operands."""
    values, _ = Array._unwrap(args, device, Array._device_among(args) is None)
    return Array._wrap_results(_engine(device).run(op, values, parameters), device)


def make(op: Op, device: Device, /, *parameters: Any) -> Array:
    """Run an Op that has only parameters and gives one Array."""
    return Array._wrap(_engine(device).run(op, parameters, {}), device)


def _engine(device: Device) -> Engine:
    return HOST if device is CPU else engine_for(device)
