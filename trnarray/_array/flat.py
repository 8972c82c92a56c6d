"""The flat iterator: an Array's elements in row-major order."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

import numpy as np

from ..backends.ops import methods

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..backends.op import Op

__all__ = ["FlatIterator"]


def _comparison(compare: Callable[[Any, Any], Any]) -> Callable[[FlatIterator, Any], Any]:
    def method(self: FlatIterator, other: Any) -> Any:
        return compare(self.copy(), other.copy() if type(other) is FlatIterator else other)

    return method


class _Base(Protocol):
    """What an iterator needs of an Array."""

    _value: Any

    @classmethod
    def _apply(cls, op: Op, /, *args: Any, **kwargs: Any) -> Any:
        """Run an Op."""

    def _write(self, op: Op, /, *args: Any, **kwargs: Any) -> None:
        """Apply an Op that writes to the Array."""


class FlatIterator:
    """
    The elements of an Array in row-major order, whatever their order in memory.

    It iterates over them, as detached 0-d Arrays, and can be indexed and assigned to like a 1-d Array. As of NumPy's,
    slices of it are copies.

    Parameters
    ----------
    base : Array
        The Array.

    Attributes
    ----------
    base : Array
        The Array that is iterated over.
    index : int
        How many elements have been iterated over.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.asarray([[1, 2], [3, 4]])
    >>> [int(item) for item in x.T.flat]
    [1, 3, 2, 4]
    """

    __slots__ = ("base", "index")
    __hash__ = None  # type: ignore[assignment]  # == is elementwise

    def __init__(self, base: _Base) -> None:
        self.base: Final = base
        self.index = 0

    @property
    def coords(self) -> tuple[int, ...]:
        """The position of the next element. See `numpy.flatiter.coords`."""
        rest, result = self.index, []
        for length in reversed(self.base._value.shape[1:]):
            rest, index = divmod(rest, length)
            result.append(index)
        return (rest, *reversed(result)) if self.base._value.ndim else ()

    def copy(self, /) -> Any:
        """Copy the elements. See `numpy.flatiter.copy`."""
        return self[:]

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        if self.index >= len(self):
            raise StopIteration
        item = self[self.index]
        self.index += 1
        return item

    def __len__(self) -> int:
        return prod(self.base._value.shape)

    def __getitem__(self, key: Any) -> Any:
        return self.base._apply(methods.flat_getitem, self.base, key)

    def __setitem__(self, key: Any, values: Any) -> None:
        self.base._write(methods.flat_setitem, key, values)

    def __array__(self, dtype: npt.DTypeLike | None = None, /, *, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("copy=False cannot be had of a flat iterator, whose elements are copied in order; use x.ravel()")
        return np.asarray(self.copy(), dtype)

    __eq__ = _comparison(operator.eq)
    __ne__ = _comparison(operator.ne)
    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)
