"""The methods that select, order and search elements, with NumPy's signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self

from ..backends.ops import indexing, manipulation, searching, selection, sorting
from .base import ArrayBase

if TYPE_CHECKING:
    from .._typing import ArrayLike

__all__ = ["Selection"]

_Kind = Literal["quicksort", "mergesort", "heapsort", "stable"]
_Mode = Literal["raise", "wrap", "clip"]



def _is_stable(kind: str | None, order: object, stable: bool | None) -> bool:
    """Tell what NumPy's three keywords ask for."""
    if order is not None:
        raise ValueError(f"order must be None, as only structured arrays have fields to order by; got {order!r}")
    if kind is None:
        return bool(stable)
    if stable is not None:
        raise ValueError(f"kind={kind!r} and stable={stable!r} exclude each other; give one of them")
    if not isinstance(kind, str):
        raise TypeError(f"sort kind must be str, not {type(kind).__name__}")
    if kind[:1].lower() not in ("q", "h", "m", "s"):
        raise ValueError(f"kind {kind!r} is unknown; use 'quicksort', 'heapsort', 'mergesort' or 'stable'")
    return kind[:1].lower() in "ms"


class Selection(ArrayBase):
    """Elements by position, in order, or by value."""

    __slots__ = ()

    def sort(
        self, axis: int = -1, kind: _Kind | None = None, order: None = None, *, stable: bool | None = None, descending: bool | None = None
    ) -> None:
        """Sort in place. See `numpy.ndarray.sort`."""
        is_stable = _is_stable(kind, order, stable)
        if descending:
            self._write(indexing.setitem, ..., self._applied(sorting.sort, self, axis=axis, descending=True, stable=is_stable))
        else:
            self._write(sorting.sort_in_place, axis=axis, kind="stable" if is_stable else "quicksort")

    def argsort(
        self,
        axis: int | None = -1,
        kind: _Kind | None = None,
        order: None = None,
        *,
        stable: bool | None = None,
        descending: bool | None = None,
    ) -> Self:
        """Find the indices that sort. See `numpy.ndarray.argsort`."""
        array = self._applied(manipulation.ravel, self) if axis is None or self._value.ndim == 0 else self
        axis = -1 if axis is None else axis
        return self._applied(sorting.argsort, array, axis=axis, descending=bool(descending), stable=_is_stable(kind, order, stable))

    def partition(self, kth: int | ArrayLike, axis: int = -1, kind: Literal["introselect"] = "introselect", order: None = None) -> None:
        """Bring the smallest elements to the front, in place. See `numpy.ndarray.partition`."""
        self._write(sorting.partition_in_place, kth, axis=axis, kind=kind, order=order)

    def argpartition(
        self, kth: int | ArrayLike, axis: int | None = -1, kind: Literal["introselect"] = "introselect", order: None = None
    ) -> Self:
        """Find indices that bring the smallest elements to the front. See `numpy.ndarray.argpartition`."""
        return self._applied(sorting.argpartition, self, kth, axis=axis, kind=kind, order=order)

    def searchsorted(self, v: ArrayLike, side: Literal["left", "right"] = "left", sorter: ArrayLike | None = None) -> Self:
        """Find where elements belong in this sorted Array. See `numpy.ndarray.searchsorted`."""
        return self._applied(searching.searchsorted, self, v, side=side, sorter=sorter)

    def nonzero(self) -> tuple[Self, ...]:
        """Find the elements that are not zero. See `numpy.ndarray.nonzero`."""
        result: tuple[Self, ...] = self._apply(searching.nonzero, self)
        return result

    def take(self, indices: ArrayLike, axis: int | None = None, out: Self | None = None, mode: _Mode = "raise") -> Self:
        """Take elements by position along an axis. See `numpy.ndarray.take`."""
        return self._applied(selection.take, self, indices, axis=axis, out=out, mode=mode)

    def put(self, indices: ArrayLike, values: ArrayLike, mode: _Mode = "raise") -> None:
        """Write to elements by position in the flattened Array. See `numpy.ndarray.put`."""
        self._write(selection.put, indices, values, mode=mode)

    def compress(self, condition: ArrayLike, axis: int | None = None, out: Self | None = None) -> Self:
        """Take the positions along an axis where a condition holds. See `numpy.ndarray.compress`."""
        return self._applied(selection.compress, condition, self, axis=axis, out=out)

    def choose(self, choices: ArrayLike, out: Self | None = None, mode: _Mode = "raise") -> Self:
        """
        Choose each element from one of several Arrays, by the index that stands here.

        See `numpy.ndarray.choose`.
        """
        return self._applied(selection.choose, self, choices, out=out, mode=mode)

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Self:
        """View the diagonals. See `numpy.ndarray.diagonal`."""
        return self._applied(selection.diagonal, self, offset=offset, axis1=axis1, axis2=axis2)
