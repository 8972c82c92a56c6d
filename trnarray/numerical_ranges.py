"""Numerical ranges, and the grids that they span."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from ._array import Array
from ._operand import as_operand, as_operands
from ._placement import asked_dtype, choose_device, create, promotion_table
from .backends.device import Device
from .backends.dtypes import DType, canonical_dtype
from .backends.op import Op
from .backends.ops import creation as ops
from .backends.settings import get_default_device
from .backends.shape import canonical_shape, check_length

if TYPE_CHECKING:
    from ._typing import ArrayLike, DeviceLike, DTypeLike, Shape

__all__ = ["arange", "fromfunction", "geomspace", "indices", "linspace", "logspace", "meshgrid", "mgrid", "ogrid"]


def arange(
    start_or_stop: Any,
    /,
    stop: Any = None,
    step: Any = 1,
    dtype: DTypeLike = None,
    *,
    device: DeviceLike = None,
    like: Array | None = None,
) -> Array:
    """Make a range of evenly spaced numbers, without its end. See `numpy.arange`."""
    start, stop = (0, start_or_stop) if stop is None else (start_or_stop, stop)
    target = choose_device(device, like)
    table = promotion_table(target)
    found = table.result_type(table.default_int, start, stop, step)
    if found.kind == "c":
        raise TypeError("arange takes real numbers, as complex ones have no order; use linspace for a range in the complex plane")
    result: Array = create(ops.arange, target, start, stop, step, dtype=found if dtype is None else canonical_dtype(dtype))
    return result


def _ends(start: ArrayLike, stop: ArrayLike, dtype: DTypeLike, device: DeviceLike, *others: ArrayLike) -> tuple[Device, list[Any], DType]:
    """Find the device, the operands and the dtype of a range between two ends, which may be arrays."""
    target = None if device is None else choose_device(device)
    operands = list(as_operands(start, stop, *others, device=target))
    if target is None:
        target = next((x.device for x in operands if type(x) is Array), get_default_device())
    wanted = promotion_table(target).result_type(*operands, 1.0) if dtype is None else canonical_dtype(dtype)
    return target, operands, wanted


def _sample_count(num: Any, dtype: DType) -> int:
    count = operator.index(num)
    if count < 0:
        raise ValueError(f"the number of samples must be 0 or more, but is {count}")
    check_length(count, dtype)
    return count


def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike = None,
    axis: int = 0,
    *,
    device: DeviceLike = None,
) -> Any:
    """Make evenly spaced numbers between two ends. See `numpy.linspace`."""
    target, operands, wanted = _ends(start, stop, dtype, device)
    return create(ops.linspace, target, *operands, _sample_count(num, wanted), endpoint, retstep, dtype=wanted, axis=axis)


def logspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    base: ArrayLike = 10.0,
    dtype: DTypeLike = None,
    axis: int = 0,
) -> Array:
    """
    Make numbers that are evenly spaced on a logarithmic scale, from the exponents at the ends.

    See `numpy.logspace`.
    """
    target, (first, last, power), wanted = _ends(start, stop, dtype, None, base)
    result: Array = create(
        ops.logspace, target, first, last, _sample_count(num, wanted), endpoint, power, dtype=wanted, axis=axis
    )
    return result


def geomspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, dtype: DTypeLike = None, axis: int = 0
) -> Array:
    """
    Make numbers that are evenly spaced on a logarithmic scale, from the numbers at the ends.

    See `numpy.geomspace`.
    """
    target, operands, wanted = _ends(start, stop, dtype, None)
    result: Array = create(ops.geomspace, target, *operands, _sample_count(num, wanted), endpoint, dtype=wanted, axis=axis)
    return result


def meshgrid(
    *xi: ArrayLike, copy: bool = True, sparse: bool = False, indexing: Literal["xy", "ij"] = "xy"
) -> tuple[Array, ...]:
    """Make the coordinates of a grid from the coordinates along its axes. See `numpy.meshgrid`."""
    arrays = [as_operand(x, *xi) for x in xi]
    target = arrays[0].device if arrays else choose_device(None)
    return tuple(create(ops.meshgrid, target, *arrays, copy=copy, sparse=sparse, indexing=indexing))


def indices(dimensions: Sequence[int], dtype: DTypeLike = None, sparse: bool = False) -> Any:
    """Make the indices of a grid. See `numpy.indices`."""
    target = choose_device(None)
    wanted = promotion_table(target).default_int if dtype is None else canonical_dtype(dtype)
    return create(ops.indices, target, canonical_shape(dimensions, wanted), wanted, sparse)


def fromfunction(
    function: Callable[..., Any], shape: Shape, *, dtype: DTypeLike = None, like: Array | None = None, **kwargs: Any
) -> Any:
    """Call a function with the indices of all elements. See `numpy.fromfunction`."""
    target = choose_device(None, like)
    wanted = asked_dtype(dtype, target)
    grid: Array = create(ops.indices, target, canonical_shape(shape, wanted), wanted)
    return function(*(grid[axis, ...] for axis in range(len(grid))), **kwargs)


class _Grid:
    """Makes a grid of slices: ``grid[0:3, 0:1:5j]``; an imaginary step is a number of points, both ends included."""

    def __init__(self, op: Op) -> None:
        self._op: Final = op

    def __getitem__(self, key: Any) -> Any:
        keys = key if type(key) is tuple else (key,)
        slices = tuple(slice(*(x.item() if type(x) is Array else x for x in (s.start, s.stop, s.step))) for s in keys)
        return create(self._op, choose_device(None), slices if type(key) is tuple else slices[0])

    def __repr__(self) -> str:
        return f"<{self._op.name}>"


mgrid: Final = _Grid(ops.mgrid)
ogrid: Final = _Grid(ops.ogrid)
