"""The methods that select, order and search elements, with NumPy's signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self

from ..backends.ops import indexing, manipulation, searching, selection, sorting
from .base import ArrayBase
from .parameters import document

if TYPE_CHECKING:
    from .._typing import ArrayLike

__all__ = ["Selection"]

_Kind = Literal["quicksort", "mergesort", "heapsort", "stable"]
_Mode = Literal["raise", "wrap", "clip"]

_documented = document(
    {
        "axis": "int, optional: The axis to go along; None flattens first.",
        "axis1": "int, optional: The first axis of the matrices.",
        "axis2": "int, optional: The second axis of the matrices.",
        "choices": "sequence of array_like: The Arrays to choose from.",
        "condition": "array_like of bool: Which positions to take.",
        "descending": "bool, optional: Whether the largest comes first; nan comes last in both orders.",
        "indices": "array_like of int: Positions; negative ones count from the end.",
        "kind": "str, optional: NumPy's name for an algorithm; only whether it is stable matters.",
        "kth": "int or sequence of int: The positions that get the elements which sorting would put there.",
        "mode": "{'raise', 'wrap', 'clip'}, optional: What to do with an index that is out of bounds.",
        "offset": "int, optional: Which diagonal: above the main one if positive, below if negative.",
        "order": "None, optional: Must be None: only structured arrays have fields to order by.",
        "out": "Array, optional: Where to write the result.",
        "side": "{'left', 'right'}, optional: Before or after the elements that are equal.",
        "sorter": "array_like of int, optional: Indices that sort this Array.",
        "stable": "bool, optional: Whether to keep the order of equal elements.",
        "v": "array_like: The elements to find a place for.",
        "values": "array_like: What to write; repeated if there are fewer than positions.",
    }
)


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

    @_documented
    def sort(
        self, axis: int = -1, kind: _Kind | None = None, order: None = None, *, stable: bool | None = None, descending: bool | None = None
    ) -> None:
        """
        Sort in place.

        Examples
        --------
        >>> import trnarray as xp
        >>> x = xp.asarray([3, 1, 2])
        >>> x.sort()
        >>> x
        Array([1, 2, 3], dtype=int64, device='cpu')
        """
        is_stable = _is_stable(kind, order, stable)
        if descending:
            self._write(indexing.setitem, ..., self._applied(sorting.sort, self, axis=axis, descending=True, stable=is_stable))
        else:
            self._write(sorting.sort_in_place, axis=axis, kind="stable" if is_stable else "quicksort")

    @_documented
    def argsort(
        self,
        axis: int | None = -1,
        kind: _Kind | None = None,
        order: None = None,
        *,
        stable: bool | None = None,
        descending: bool | None = None,
    ) -> Self:
        """
        Find the indices that sort.

        Returns
        -------
        Array
            The indices.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.asarray([3, 1, 2]).argsort()
        Array([1, 2, 0], dtype=int64, device='cpu')
        """
        array = self._view(manipulation.ravel) if axis is None or self._value.ndim == 0 else self
        axis = -1 if axis is None else axis
        return self._applied(sorting.argsort, array, axis=axis, descending=bool(descending), stable=_is_stable(kind, order, stable))

    @_documented
    def partition(self, kth: int | ArrayLike, axis: int = -1, kind: Literal["introselect"] = "introselect", order: None = None) -> None:
        """
        Bring the smallest elements to the front, in place.

        Examples
        --------
        >>> import trnarray as xp
        >>> x = xp.asarray([7, 1, 5, 3])
        >>> x.partition(1)
        >>> x[:2]
        Array([1, 3], dtype=int64, device='cpu')
        """
        self._write(sorting.partition_in_place, kth, axis=axis, kind=kind, order=order)

    @_documented
    def argpartition(
        self, kth: int | ArrayLike, axis: int | None = -1, kind: Literal["introselect"] = "introselect", order: None = None
    ) -> Self:
        """
        Find indices that bring the smallest elements to the front.

        Returns
        -------
        Array
            The indices.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.asarray([7, 1, 5, 3]).argpartition(1)[:2]
        Array([1, 3], dtype=int64, device='cpu')
        """
        return self._applied(sorting.argpartition, self, kth, axis=axis, kind=kind, order=order)

    @_documented
    def searchsorted(self, v: ArrayLike, side: Literal["left", "right"] = "left", sorter: ArrayLike | None = None) -> Self:
        """
        Find where elements belong in this sorted Array.

        Returns
        -------
        Array
            The indices at which they would keep it sorted.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.asarray([1.0, 2.0, 4.0]).searchsorted([0.5, 2.0, 3.0])
        Array([0, 1, 2], dtype=int64, device='cpu')
        """
        return self._applied(searching.searchsorted, self, v, side=side, sorter=sorter)

    def nonzero(self) -> tuple[Self, ...]:
        """
        Find the elements that are not zero.

        Returns
        -------
        tuple of Array
            Their indices along each dimension.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.asarray([0, 3, 0, 4]).nonzero()
        (Array([1, 3], dtype=int64, device='cpu'),)
        """
        result: tuple[Self, ...] = self._apply(searching.nonzero, self)
        return result

    @_documented
    def take(self, indices: ArrayLike, axis: int | None = None, out: Self | None = None, mode: _Mode = "raise") -> Self:
        """
        Take elements by position along an axis.

        Returns
        -------
        Array
            The elements.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.asarray([10, 20, 30]).take([2, 0])
        Array([30, 10], dtype=int64, device='cpu')
        """
        return self._applied(selection.take, self, indices, axis=axis, out=out, mode=mode)

    @_documented
    def put(self, indices: ArrayLike, values: ArrayLike, mode: _Mode = "raise") -> None:
        """
        Write to elements by position in the flattened Array.

        Examples
        --------
        >>> import trnarray as xp
        >>> x = xp.zeros((2, 2))
        >>> x.put([0, 3], 1)
        >>> x
        Array([[1., 0.],
               [0., 1.]], dtype=float64, device='cpu')
        """
        self._write(selection.put, indices, values, mode=mode)

    @_documented
    def compress(self, condition: ArrayLike, axis: int | None = None, out: Self | None = None) -> Self:
        """
        Take the positions along an axis where a condition holds.

        Returns
        -------
        Array
            What is there.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.asarray([10, 20, 30]).compress([True, False, True])
        Array([10, 30], dtype=int64, device='cpu')
        """
        return self._applied(selection.compress, condition, self, axis=axis, out=out)

    @_documented
    def choose(self, choices: ArrayLike, out: Self | None = None, mode: _Mode = "raise") -> Self:
        """
        Choose each element from one of several Arrays, by the index that stands here.

        Returns
        -------
        Array
            The chosen elements.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.asarray([0, 1, 0]).choose([[1, 2, 3], [10, 20, 30]])
        Array([ 1, 20,  3], dtype=int64, device='cpu')
        """
        return self._applied(selection.choose, self, choices, out=out, mode=mode)

    @_documented
    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Self:
        """
        View the diagonals.

        Returns
        -------
        Array
            A read-only view whose last dimension runs along the diagonal.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.asarray([[1, 2], [3, 4]]).diagonal()
        Array([1, 4], dtype=int64, device='cpu')
        """
        return self._view(selection.diagonal, offset=offset, axis1=axis1, axis2=axis2)
