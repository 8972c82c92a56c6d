"""The operands of functions that look at them before they compute."""

from __future__ import annotations

from typing import Any

from ._array import Array
from .backends.settings import get_config
from .existing_data import asarray

__all__ = ["as_operand", "check_operand"]


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
    check_operand(x)
    return asarray(x, device=beside.device if isinstance(beside, Array) else None)


def check_operand(x: Any) -> None:
    """
    Count the ndarrays in an operand as implicit transfers, where a setting is about these.

    Parameters
    ----------
    x : array_like
        The operand.

    Raises
    ------
    HostTransferError
        If it is or holds an ndarray, and ``host_transfer="error"``.
    """
    if get_config().host_transfer is not None:
        Array._unwrap(x, None)
