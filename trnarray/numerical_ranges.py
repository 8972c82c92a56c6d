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
    """
    Make a range of evenly spaced numbers, without its end.

    Parameters
    ----------
    start_or_stop : int or float
        The first number; if it is the only one given, the end, and the range begins with 0.
    stop : int or float, optional
        The end.
    step : int or float, optional
        The distance between two numbers; may be negative.
    dtype : dtype, optional
        Its dtype; by default the device's default integer dtype if all are integers, else its default floating dtype.
    device : Device or str, optional
        Where it is made; by default on the default device.
    like : Array, optional
        Stands for its device.

    Returns
    -------
    Array
        The range, 1-d.

    Raises
    ------
    ZeroDivisionError
        If `step` is 0.
    TypeError
        If a number is complex.
    MemoryError
        If it is too long.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.arange(3), xp.arange(1.0, 2.0, 0.5)
    (Array([0, 1, 2], dtype=int64, device='cpu'), Array([1. , 1.5], dtype=float64, device='cpu'))
    """
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
    """
    Make evenly spaced numbers between two ends.

    Parameters
    ----------
    start, stop : array_like
        The ends; where they are arrays, there is a range for each pair.
    num : int, optional
        How many numbers.
    endpoint : bool, optional
        Whether `stop` is the last of them, or else the first one left out.
    retstep : bool, optional
        Whether to return the distance too.
    dtype : dtype, optional
        The dtype; by default the default floating or complex dtype, or that of the ends where they are floating arrays.
    axis : int, optional
        The axis of the result along which the numbers go.
    device : Device or str, optional
        Where it is made; by default where the ends are, else on the default device.

    Returns
    -------
    Array, or tuple of Array and number
        The numbers, and with `retstep` their distance.

    Raises
    ------
    ValueError
        If `num` is negative.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.linspace(0, 1, 3)
    Array([0. , 0.5, 1. ], dtype=float64, device='cpu')
    """
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

    Parameters
    ----------
    start, stop : array_like
        The exponents at the ends.
    num : int, optional
        How many numbers.
    endpoint : bool, optional
        Whether the last one belongs to `stop`.
    base : array_like, optional
        The base.
    dtype : dtype, optional
        The dtype; by default as for `linspace`.
    axis : int, optional
        The axis of the result along which the numbers go.

    Returns
    -------
    Array
        The numbers.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.logspace(0, 2, 3)
    Array([  1.,  10., 100.], dtype=float64, device='cpu')
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

    Parameters
    ----------
    start, stop : array_like
        The numbers at the ends.
    num : int, optional
        How many numbers.
    endpoint : bool, optional
        Whether `stop` is the last of them.
    dtype : dtype, optional
        The dtype; by default as for `linspace`.
    axis : int, optional
        The axis of the result along which the numbers go.

    Returns
    -------
    Array
        The numbers.

    Raises
    ------
    ValueError
        If an end is 0.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.geomspace(1, 4, 3)
    Array([1., 2., 4.], dtype=float64, device='cpu')
    """
    target, operands, wanted = _ends(start, stop, dtype, None)
    result: Array = create(ops.geomspace, target, *operands, _sample_count(num, wanted), endpoint, dtype=wanted, axis=axis)
    return result


def meshgrid(
    *xi: ArrayLike, copy: bool = True, sparse: bool = False, indexing: Literal["xy", "ij"] = "xy"
) -> tuple[Array, ...]:
    """
    Make the coordinates of a grid from the coordinates along its axes.

    Parameters
    ----------
    *xi : array_like
        The coordinates along each axis, 1-d.
    copy : bool, optional
        If False, the results are views of `xi`, not to be written to.
    sparse : bool, optional
        Whether each result has only its own axis, and one point along the others, to be broadcast.
    indexing : {"xy", "ij"}, optional
        Whether the first two axes are columns and rows, or rows and columns.

    Returns
    -------
    tuple of Array
        For each axis the coordinates of all points.

    Raises
    ------
    ValueError
        If `indexing` is unknown.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.meshgrid(xp.asarray([1, 2]), xp.asarray([3]))
    (Array([[1, 2]], dtype=int64, device='cpu'), Array([[3, 3]], dtype=int64, device='cpu'))
    """
    arrays = [as_operand(x, *xi) for x in xi]
    target = arrays[0].device if arrays else choose_device(None)
    return tuple(create(ops.meshgrid, target, *arrays, copy=copy, sparse=sparse, indexing=indexing))


def indices(dimensions: Sequence[int], dtype: DTypeLike = None, sparse: bool = False) -> Any:
    """
    Make the indices of a grid.

    Parameters
    ----------
    dimensions : sequence of int
        The shape of the grid.
    dtype : dtype, optional
        The dtype of the indices; by default the device's default integer dtype.
    sparse : bool, optional
        Whether each result has only its own axis, and one point along the others, to be broadcast.

    Returns
    -------
    Array, or tuple of Arrays
        The indices of each axis, stacked along a new first one; with `sparse` a tuple.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.indices((2, 2))[1]
    Array([[0, 1],
           [0, 1]], dtype=int64, device='cpu')
    """
    target = choose_device(None)
    wanted = promotion_table(target).default_int if dtype is None else canonical_dtype(dtype)
    return create(ops.indices, target, canonical_shape(dimensions, wanted), wanted, sparse)


def fromfunction(
    function: Callable[..., Any], shape: Shape, *, dtype: DTypeLike = None, like: Array | None = None, **kwargs: Any
) -> Any:
    """
    Call a function with the indices of all elements.

    Parameters
    ----------
    function : callable
        Takes an Array of indices for each axis.
    shape : int or sequence of int
        The shape of the grid.
    dtype : dtype, optional
        The dtype of the indices; by default the device's default floating dtype.
    like : Array, optional
        Stands for its device.
    **kwargs
        Passed on to the function.

    Returns
    -------
    object
        What the function returns.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.fromfunction(lambda i, j: i + j, (2, 2), dtype=xp.int64)
    Array([[0, 1],
           [1, 2]], dtype=int64, device='cpu')
    """
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
