"""Arrays from existing data: other arrays, scalars, nested sequences and buffers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ._apply import apply
from ._array import Array
from ._array.base import is_detached
from ._array.flat import FlatIterator
from ._foreign import is_foreign_array, refuse
from ._placement import choose_device, promotion_table
from .backends.device import CPU, Device
from .backends.dtypes import KINDS, DType, canonical_dtype, check_host_array
from .backends.engine import engine_for
from .backends.host.creation import take_host
from .backends.host.sequences import SCALARS, build, element_dtype, is_buffer, is_sequence, resolve
from .backends.ops import creation as ops
from .backends.ops import elementwise
from .backends.ops.manipulation import stack
from .backends.settings import get_default_device
from .backends.shape import MAX_DIMS

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._typing import ArrayLike, DeviceLike, DTypeLike
    from .backends.promotion import PromotionTable

__all__ = [
    "array",
    "asanyarray",
    "asarray",
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "copy",
    "require",
]


_ORDERS: Final = (None, "C", "F", "A", "K")
_new: Final = object.__new__


def asarray(
    a: ArrayLike,
    dtype: DTypeLike = None,
    order: str | None = None,
    *,
    device: DeviceLike = None,
    copy: bool | None = None,
    like: Array | None = None,
) -> Array:
    """
    Make an Array of anything that holds numbers.

    An Array comes back as it is where nothing has to change. On the cpu an ndarray or a buffer is aliased: the Array looks at
    its memory, and is read-only where that is. Other devices take a copy of the data as it is at the call.

    See `numpy.asarray`.
    """
    if (
        type(a) is np.ndarray
        and dtype is None
        and order is None
        and device is None
        and copy is None
        and like is None
        and a.dtype in KINDS
        and get_default_device() is CPU
    ):
        result: Array = _new(Array)
        result._value = a
        result._device = CPU
        result._base = None
        return result
    return convert(a, dtype, order, device, copy, like)


def convert(
    a: Any,
    dtype: DTypeLike = None,
    order: Any = None,
    device: DeviceLike = None,
    copy: bool | None = None,
    like: Any = None,
    table: PromotionTable | None = None,
) -> Array:
    """Convert as `asarray` does."""
    if type(a) is FlatIterator and copy is not False:
        a, copy = a.copy(), None
    wanted = None if dtype is None else canonical_dtype(dtype)
    if order not in _ORDERS:
        raise ValueError(f"order is 'C', 'F', 'A', 'K' or None, but is {order!r}")
    kind = type(a)
    if kind is Array:
        return _from_array(a, wanted, order, a._device if device is None and like is None else choose_device(device, like), copy)
    target = choose_device(device, like)
    if kind is np.ndarray:
        return _from_host(a, wanted, order, target, copy)
    places: set[Device] = set()
    if kind in SCALARS or is_sequence(a):
        items, found = resolve(a, _reader(places))
        if places:
            if device is None and like is None:
                target = next(iter(places))
            if places != {target}:
                names = ", ".join(sorted(repr(str(place)) for place in places))
                raise ValueError(f"the Array is to be on {str(target)!r} but is made of some on {names}; move them first with x.to_device")
    elif (base := _scalar_base(a)) is not None:
        items, found = a, {base}
    else:
        return _from_host(_view_of(a), wanted, order, target, copy)
    if copy is False:
        raise ValueError(f"a {kind.__name__} becomes an Array only by a copy, which copy=False forbids; leave copy=None")
    table = promotion_table(target) if table is None else table
    if places and target is not CPU:
        stacked = _stacked(items, element_dtype(found, wanted, table), target)
        return stacked if order in (None, "C", "K") else stacked.copy(order)
    host = build(items, found, wanted, table, order)
    return Array._wrap(host if target is CPU else engine_for(target).from_host(host, copy=False), target)


def _stacked(items: Sequence[Any], dtype: DType, device: Device) -> Array:
    """Join the Arrays of a sequence on their device, with the numbers beside them."""
    arrays = [item if type(item) is Array else convert(item, dtype, device=device) for item in items]
    return apply(stack, arrays, dtype=dtype, casting="unsafe")


def _reader(places: set[Device]) -> Callable[[Any], Any]:
    """Make the function that reads a leaf of a sequence, and notes on which device it is."""

    def value_of(leaf: Any) -> Any:
        kind = type(leaf)
        if kind is Array:
            places.add(leaf._device)
            return leaf._value if leaf._device is CPU else leaf
        if kind is np.ndarray:
            return check_host_array(leaf)
        base = _scalar_base(leaf)
        return check_host_array(_view_of(leaf)) if base is None else build(leaf, {base}, None, promotion_table(CPU))

    return value_of


def _view_of(obj: Any) -> npt.NDArray[Any]:
    """View the memory of a buffer, and refuse all else; bytes count as text, as in NumPy."""
    if isinstance(obj, bytes) or is_foreign_array(obj) or not is_buffer(obj):
        raise refuse(obj)
    return np.asarray(memoryview(obj))


def _scalar_base(obj: object) -> type | None:
    """Return which of Python's scalar types an object's type is a subclass of, as that of an IntEnum is."""
    if isinstance(obj, np.generic):  # of a dtype that arrays cannot have
        return None
    return next((scalar for scalar in (int, float, complex) if isinstance(obj, scalar)), None)


def _from_array(a: Array, dtype: DType | None, order: Any, device: Device, copy: bool | None) -> Array:
    if device is not a._device:
        if copy is False:
            raise ValueError(f"going from {str(a._device)!r} to {str(device)!r} needs a copy, which copy=False forbids; leave copy=None")
        a, copy = a.to_device(device), None
    if device is not CPU:
        if dtype is not None and dtype != a.dtype:
            if copy is False:
                raise ValueError(f"converting {a.dtype} to {dtype} needs a copy, which copy=False forbids; leave copy=None")
            a = apply(ops.astype, a, dtype)
        elif copy:
            return a.copy("C" if order is None else order)
        if order is not None and order.upper() != "K" and not a.flags["FORC" if order.upper() == "A" else order.upper()]:
            if copy is False:
                raise ValueError(f"the order {order!r} needs a copy, which copy=False forbids; leave copy=None")
            return a.copy(order)
        return a if copy is False else Array._writable(a)
    if copy is not False:
        a = Array._writable(a)  # as NumPy's asarray makes arrays of scalars, which can be written to
    elif is_detached(a._value) and dtype in (None, a.dtype):
        return a
    host = take_host(a._value, dtype, copy, order)
    return a if host is a._value else Array._wrap(host)


def _from_host(a: npt.NDArray[Any], dtype: DType | None, order: Any, device: Device, copy: bool | None) -> Array:
    if device is not CPU and copy is False:
        raise ValueError(f"going from the host to {str(device)!r} needs a copy, which copy=False forbids; leave copy=None")
    host = take_host(a, dtype, copy, order)
    return Array._wrap(host if device is CPU else engine_for(device).from_host(host, copy=True), device)


def array(
    object: ArrayLike,
    dtype: DTypeLike = None,
    *,
    copy: bool | None = True,
    order: str | None = "K",
    subok: bool = False,
    ndmin: int = 0,
    ndmax: int = 0,
    like: Array | None = None,
) -> Array:
    """Make an Array of anything that holds numbers, by default a copy. See `numpy.array`."""
    del subok
    x = convert(object, dtype, order, None, copy, like)
    if not ndmin and not ndmax:
        return x
    limit = operator.index(ndmax) or MAX_DIMS
    if not 0 <= operator.index(ndmin) <= limit <= MAX_DIMS:
        raise ValueError(f"need 0 <= ndmin <= ndmax <= {MAX_DIMS}, but ndmin is {ndmin} and ndmax {ndmax}")
    if x.ndim > limit and type(object) not in (Array, np.ndarray):
        raise ValueError(f"the sequence makes {x.ndim} dimensions and ndmax is {ndmax}; there are no arrays of sequences")
    return x if x.ndim >= ndmin else x.reshape((1,) * (ndmin - x.ndim) + x.shape)


def asanyarray(
    a: ArrayLike,
    dtype: DTypeLike = None,
    order: str | None = None,
    *,
    device: DeviceLike = None,
    copy: bool | None = None,
    like: Array | None = None,
) -> Array:
    """
    Make an Array of anything that holds numbers; the same as `asarray`, as Array has no subclasses.

    See `numpy.asanyarray`.
    """
    return asarray(a, dtype, order, device=device, copy=copy, like=like)


def asarray_chkfinite(a: ArrayLike, dtype: DTypeLike = None, order: str | None = None) -> Array:
    """Make an Array and refuse infinities and NaN. See `numpy.asarray_chkfinite`."""
    x = asarray(a, dtype, order)
    if not apply(elementwise.isfinite, x).all():
        raise ValueError("the array contains infinities or NaN; replace them first, as in nan_to_num(x)")
    return x


def ascontiguousarray(a: ArrayLike, dtype: DTypeLike = None, *, like: Array | None = None) -> Array:
    """
    Make an Array of at least one dimension whose elements lie in C order without gaps.

    See `numpy.ascontiguousarray`.
    """
    x = asarray(a, dtype, "C", like=like)
    return x if x.ndim else x.reshape(1)


def asfortranarray(a: ArrayLike, dtype: DTypeLike = None, *, like: Array | None = None) -> Array:
    """
    Make an Array of at least one dimension whose elements lie in Fortran order without gaps.

    See `numpy.asfortranarray`.
    """
    x = asarray(a, dtype, "F", like=like)
    return x if x.ndim else x.reshape(1)


def copy(a: ArrayLike, order: str = "K", subok: bool = False) -> Array:
    """Copy an array. See `numpy.copy`."""
    del subok
    return asarray(a, order=order, copy=True)


def require(
    a: ArrayLike, dtype: DTypeLike = None, requirements: str | Sequence[str] | None = None, *, like: Array | None = None
) -> Array:
    """Make an Array that meets requirements on its memory. See `numpy.require`."""
    x = asarray(a, dtype, like=like)
    y = apply(ops.require, x, None, requirements)
    return x if y._value is x._value else y
