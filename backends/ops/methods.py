"""Ops that only methods of an array have: copies, casts, other readings of the same bytes, the flat iterator."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import FIRST_EXTRA
from ..host.cast import cast
from ..op import MOVE, VIEW, Op
from ..rules import creation, indexing, views, writing

if TYPE_CHECKING:
    import numpy.typing as npt


def _astype(x: Any, dtype: np.dtype[Any], order: Any, casting: Any) -> Any:
    if dtype.num < FIRST_EXTRA:
        return x.astype(dtype, order=order, casting=casting)
    if casting != "unsafe" and not np.can_cast(x.dtype, dtype, casting):
        raise TypeError(f"cannot cast from {x.dtype} to {dtype} by the rule {casting!r}; allow it with casting='unsafe'")
    return np.asarray(cast(x, dtype), order=order) if isinstance(x, np.ndarray) else cast(x, dtype)


def _copy(x: Any, order: Any) -> Any:
    return x.copy(order)


def _view(x: Any, dtype: np.dtype[Any]) -> Any:
    return x.view(dtype)


def _byteswap(x: Any, inplace: bool) -> Any:
    return x.byteswap(inplace)


def _resized(x: npt.NDArray[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Copy the elements in memory order into another shape: cut, or filled up with zeros, as ndarray.resize does."""
    order: Any = "F" if x.flags.fnc else "C"
    result = np.zeros(shape, x.dtype, order)
    size = min(x.size, prod(shape))
    result.ravel(order)[:size] = x.ravel(order)[:size]
    return result


def _fill(x: npt.NDArray[Any], value: Any) -> None:
    x.fill(cast(np.asarray(value), x.dtype, copy=False) if x.dtype.num >= FIRST_EXTRA else value)


def _set_real(x: npt.NDArray[Any], values: Any) -> None:
    x.real = cast(np.asarray(values), x.dtype, copy=False) if x.dtype.num >= FIRST_EXTRA else values


def _set_imag(x: npt.NDArray[Any], values: Any) -> None:
    x.imag = values


def _flat_getitem(x: Any, key: Any) -> Any:
    return x.flat[key]


def _flat_setitem(x: npt.NDArray[Any], key: Any, values: Any) -> None:
    if x.dtype.num >= FIRST_EXTRA:
        values = cast(np.asarray(values), x.dtype, copy=False)
    if isinstance(values, np.ndarray) and np.may_share_memory(x, values):
        values = values.copy()  # NumPy would read what it has written already
    x.flat[key] = values


astype = Op("ndarray.astype", _astype, MOVE, rule=creation.astype)
copy = Op("ndarray.copy", _copy, MOVE, rule=views.copied)
view = Op("ndarray.view", _view, VIEW, rule=views.view)
byteswap = Op("ndarray.byteswap", _byteswap, VIEW, rule=writing.byteswap, writes=(0,))
resized = Op("ndarray.resize", _resized, MOVE, rule=views.resized)
fill = Op("ndarray.fill", _fill, VIEW, rule=writing.fill, writes=(0,))
set_real = Op("ndarray.real.set", _set_real, VIEW, rule=writing.set_real, writes=(0,))
set_imag = Op("ndarray.imag.set", _set_imag, VIEW, rule=writing.set_imag, writes=(0,))
flat_getitem = Op("ndarray.flat.getitem", _flat_getitem, MOVE, rule=indexing.flat_getitem)
flat_setitem = Op("ndarray.flat.setitem", _flat_setitem, VIEW, rule=writing.flat_setitem, writes=(0,))
