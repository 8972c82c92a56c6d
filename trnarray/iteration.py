"""Iteration over the elements of one array with their positions, or of several arrays that broadcast against each other."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Final, Self

import numpy as np

from ._array import Array
from ._array.flat import FlatIterator as flatiter  # noqa: N813  # NumPy's name for it
from ._operand import as_operand
from ._typing import ArrayLike
from .backends.device import CPU
from .backends.nesting import check_depth
from .manipulation_functions import broadcast_arrays

__all__ = ["broadcast", "flatiter", "ndenumerate", "nditer", "nested_iters"]


class ndenumerate:  # noqa: N801  # NumPy's name for it
    """
    Iterate over the elements of an array with their positions.

    Parameters
    ----------
    arr : array_like
        The array.

    Examples
    --------
    >>> import trnarray as xp
    >>> for index, x in xp.ndenumerate([[1, 2], [3, 4]]):
    ...     print(index, x)
    (0, 0) 1
    (0, 1) 2
    (1, 0) 3
    (1, 1) 4
    """

    def __init__(self, arr: ArrayLike) -> None:
        self.iter: Final[flatiter] = as_operand(arr).flat

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> tuple[tuple[int, ...], Array]:
        coords = self.iter.coords if self.iter.index < len(self.iter) else ()
        return coords, next(self.iter)


class broadcast:  # noqa: N801  # NumPy's name for it
    """
    Broadcast arrays against each other: know the common shape, and iterate over tuples of their elements.

    Parameters
    ----------
    *arrays : array_like
        The arrays.

    Attributes
    ----------
    shape : tuple of int
        The common shape.
    iters : tuple of flat iterators
        One for each array, broadcast to that shape.
    index : int
        How many tuples have been iterated over.

    Raises
    ------
    ValueError
        If they do not broadcast.

    Examples
    --------
    >>> import trnarray as xp
    >>> pairs = xp.broadcast(xp.asarray([[1], [2]]), xp.asarray([3, 4]))
    >>> pairs.shape
    (2, 2)
    >>> [int(a + b) for a, b in pairs]
    [4, 5, 5, 6]
    """

    def __init__(self, *arrays: ArrayLike) -> None:
        spread = broadcast_arrays(*arrays)
        self.iters: tuple[flatiter, ...] = tuple(x.flat for x in spread)
        self.shape: Final[tuple[int, ...]] = spread[0].shape if spread else ()
        self.index = 0

    @property
    def ndim(self) -> int:
        """The number of dimensions. See `numpy.broadcast.ndim`."""
        return len(self.shape)

    nd = ndim

    @property
    def size(self) -> int:
        """The number of tuples. See `numpy.broadcast.size`."""
        return int(np.prod(self.shape))

    @property
    def numiter(self) -> int:
        """The number of arrays. See `numpy.broadcast.numiter`."""
        return len(self.iters)

    def reset(self) -> None:
        """Begin again."""
        self.index = 0
        self.iters = tuple(flatiter(x.base) for x in self.iters)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> tuple[Array, ...]:
        items = tuple(map(next, self.iters))
        if not items:
            raise StopIteration
        self.index += 1
        return items


class nditer:  # noqa: N801  # NumPy's name for it
    """
    Iterate over arrays in the order of their memory; see `numpy.nditer`, which does the work, for all that this can do.

    It walks through memory of the host. Whatever it shows of an array is an Array, through which the elements can be written to.

    Parameters
    ----------
    op : array_like or sequence of array_like
        The arrays; None is one that the iterator makes.
    flags : sequence of str, optional
        How to iterate, as ``["multi_index"]``.
    op_flags : sequence of str, or one for each array, optional
        What to do with the arrays, as ``["readwrite"]``.
    op_dtypes : dtype or sequence of dtype, optional
        The dtypes to show the elements in.
    order : {'K', 'C', 'F', 'A'}, optional
        The order: as in memory, or a fixed one.
    casting : {'safe', 'no', 'equiv', 'same_kind', 'unsafe'}, optional
        Which casts to `op_dtypes` are allowed.
    op_axes : sequence of sequence of int, optional
        For each array the axis that each of the iterator's is.
    itershape : tuple of int, optional
        The shape of the iterator.
    buffersize : int, optional
        How many elements are buffered.

    Raises
    ------
    ValueError
        If an array is not on the host.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.asarray([1, 2, 3])
    >>> with xp.nditer(x, op_flags=["readwrite"]) as items:
    ...     for item in items:
    ...         item[...] = 2 * item
    >>> x
    Array([2, 4, 6], dtype=int64, device='cpu')
    """

    __slots__ = ("_iterator",)

    def __init__(
        self,
        op: Any,
        flags: Any = None,
        op_flags: Any = None,
        op_dtypes: Any = None,
        order: Any = "K",
        casting: Any = "safe",
        op_axes: Any = None,
        itershape: Any = None,
        buffersize: int = 0,
    ) -> None:
        object.__setattr__(
            self, "_iterator", np.nditer(_in_memory(op), flags, op_flags, op_dtypes, order, casting, op_axes, itershape, buffersize)
        )

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._iterator, name)
        if name == "copy":
            return lambda: _shown_by(self._iterator.copy())
        return _wrapped(value)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._iterator, name, value)  # index, iterindex, iterrange, multi_index

    def __getitem__(self, key: Any) -> Any:
        return _wrapped(self._iterator[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        self._iterator[key] = _in_memory(value)

    def __len__(self) -> int:
        return len(self._iterator)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        return _wrapped(next(self._iterator))

    def __enter__(self) -> Self:
        self._iterator.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._iterator.__exit__(kind, error, trace)


def nested_iters(
    op: Any,
    axes: Sequence[Sequence[int]],
    flags: Any = None,
    op_flags: Any = None,
    op_dtypes: Any = None,
    order: Any = "K",
    casting: Any = "safe",
    buffersize: int = 0,
) -> tuple[nditer, ...]:
    """Make iterators for nested loops over some axes each; see `numpy.nested_iters`. See `numpy.nested_iters`."""
    return tuple(map(_shown_by, np.nested_iters(_in_memory(op), axes, flags, op_flags, op_dtypes, order, casting, buffersize)))


def _shown_by(iterator: np.nditer) -> nditer:
    result = nditer.__new__(nditer)
    object.__setattr__(result, "_iterator", iterator)
    return result


def _in_memory(op: Any, depth: int = 0) -> Any:
    """Give the host memory of operands."""
    if type(op) is Array:
        if op.device is not CPU:
            raise ValueError(f"nditer walks through memory of the host, not of {str(op.device)!r}; move the array with x.to_device('cpu')")
        return op._host()
    if type(op) not in (list, tuple):
        return op
    check_depth(depth)
    return type(op)([_in_memory(item, depth + 1) for item in op])


def _wrapped(value: Any) -> Any:
    """Show the ndarrays of NumPy's iterator as Arrays."""
    if isinstance(value, np.ndarray):
        return Array._wrap(value)
    return tuple(map(_wrapped, value)) if type(value) is tuple else value
