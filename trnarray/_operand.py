"""The operands of functions that look at them before they compute."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._array import Array
from .backends.device import CPU
from .backends.policy import count_transfer
from .backends.settings import get_config, get_default_device
from .existing_data import asarray

__all__ = ["as_operand", "as_operands", "check_operand"]


def as_operand(x: Any, beside: Any = None) -> Array:
    """
    Make an Array of what a function is to compute with.

    Unlike `asarray`, which a user calls to convert, this counts as an implicit transfer of the ndarrays in it.

    Parameters
    ----------
    x : array_like
        The operand.
    beside : object, optional
        Another operand: if it is an Array, a sequence goes to its device, and to the default one else.

    Returns
    -------
    Array
        It itself, if it is one.

    Raises
    ------
    HostTransferError
        If it is or holds an ndarray, and ``host_transfer="error"``.
    """
    if type(x) is Array:
        return x
    check_operand(x, beside)
    return asarray(x, device=beside.device if isinstance(beside, Array) else None)


def as_operands(*items: Any) -> tuple[Any, ...]:
    """
    Make Arrays of the ndarrays that have no Array beside them and go to a default device other than the host.

    Parameters
    ----------
    *items : array_like
        All operands of a call.

    Returns
    -------
    tuple
        The operands; as they are where one is an Array, or the default device is the host.
    """
    if get_default_device() is CPU or Array._device_among(items) is not None:
        return items
    return tuple(as_operand(item) if type(item) is np.ndarray else item for item in items)


def check_operand(x: Any, beside: Any = None) -> None:
    """
    Count the ndarrays in an operand as implicit transfers, where a setting is about these.

    Without an Array beside it, data that goes to a default device other than the host is counted, and never refused.

    Parameters
    ----------
    x : array_like
        The operand.
    beside : object, optional
        Another operand.

    Raises
    ------
    HostTransferError
        If it is or holds an ndarray, and ``host_transfer="error"``.
    """
    if get_default_device() is not CPU and type(beside) is not Array:
        if type(x) is np.ndarray:
            count_transfer(x.nbytes)
    elif get_config().host_transfer is not None:
        Array._unwrap(x, None)
