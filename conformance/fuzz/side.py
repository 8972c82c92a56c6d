"""The two sides of a call: ours, with Arrays on a device, and NumPy's and SciPy's, with ndarrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse

import trnarray
import trnarray.scipy.sparse

from ...backends.device import Device

__all__ = ["LARGEST", "THEIRS", "Side", "arrays_of", "our_side", "settle"]

LARGEST: Final = 4096
"""How many elements a result has at most of which the values are asked for: a simulator would take long over more."""


class Side(NamedTuple):
    """
    Where a call's arguments are made.

    Attributes
    ----------
    array : callable
        Makes an array of an ndarray.
    sparse : callable
        Makes a sparse array of a 2-d ndarray.
    random : module
        With `Generator` and `RandomState`.
    module : module
        The main namespace.
    """

    array: Callable[[npt.NDArray[Any]], Any]
    sparse: Callable[[npt.NDArray[Any]], Any]
    random: Any
    module: Any


THEIRS: Final = Side(np.array, scipy.sparse.csr_array, np.random, np)


def our_side(device: Device) -> Side:
    """Give our side on a device."""

    def array(values: npt.NDArray[Any]) -> Any:
        return trnarray.asarray(values, device=device, copy=True)

    return Side(array, lambda values: trnarray.scipy.sparse.csr_array(array(values)), trnarray.random, trnarray)


def arrays_of(value: Any, depth: int = 3) -> Iterator[Any]:
    """Find the Arrays in a result or an argument."""
    if type(value) is trnarray.Array:
        yield value
    elif type(value) in (list, tuple, dict) or (isinstance(value, tuple) and hasattr(value, "_fields")):
        if depth and len(value) < 64:
            for item in value.values() if isinstance(value, dict) else value:
                yield from arrays_of(item, depth - 1)
    elif isinstance(value, trnarray.scipy.sparse.sparray):
        data = getattr(value, "data", None)
        if type(data) is trnarray.Array:
            yield data


def settle(value: Any) -> None:
    """Ask for the values of the Arrays in a result, so that what waits on a device is computed and what fails there raises."""
    for array in arrays_of(value):
        if array.size <= LARGEST:
            array.to_device("cpu")
