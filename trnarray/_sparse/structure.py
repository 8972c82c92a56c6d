"""The methods of sparse arrays that look at or change where the elements are: indexing, shapes, diagonals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

from .._array import Array
from .._typing import ArrayLike, Shape
from ..backends.device import CPU
from ..backends.ops.sparse import METHODS, OPERATORS, WRITERS, SparseOp
from ..backends.shape import MAX_DIMS
from .base import SparseBase, run, run_raw, to_device, wrap_result

__all__ = ["Structure"]



def _check_lengths(shape: tuple[Any, ...]) -> None:
    """Refuse a range of more lengths than arrays have axes, which SciPy would go through one by one."""
    for item in shape:
        if type(item) is range and len(item) > MAX_DIMS:
            raise ValueError(f"a shape has at most {MAX_DIMS} lengths, and this one has {len(item)}")


class Structure(SparseBase):
    """Indexing, shapes and diagonals, with SciPy's signatures and meaning."""

    __slots__ = ()

    def _write(self, op: SparseOp, /, *args: Any, **kwargs: Any) -> None:
        """Run an Op that writes to this array, and take what it has then."""
        result, device = run_raw(op, (self, *args), kwargs)
        self._value = result if device is CPU or type(result) is tuple else to_device(result, device)

    def __getitem__(self, key: Any, /) -> Any:
        return run(OPERATORS["getitem"], self, key)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        self._write(WRITERS["setitem"], key, value)

    def __iter__(self) -> Iterator[Any]:
        if self._device is CPU:
            return (wrap_result(row, CPU) for row in self._value)
        return map(self.__getitem__, range(self._shape()[0]))

    def __len__(self) -> int:
        raise TypeError("the length of a sparse array is ambiguous; use x.nnz or x.shape[0]")

    def __bool__(self) -> bool:
        if self._shape() == (1, 1):
            return bool(self._stored())
        raise ValueError(f"the truth value of a sparse array of shape {self._shape()} is ambiguous; use x.nnz or x.count_nonzero()")

    def reshape(self, *shape: Shape, order: str = "C", copy: bool = False) -> Self:
        """Give another shape. See `scipy.sparse.bsr_array.reshape`."""
        _check_lengths(shape)
        result: Self = run(METHODS["reshape"], self, *shape, order=order, copy=copy)
        return self if result._value is self._value else result

    def resize(self, *shape: Shape) -> None:
        """
        Change the shape in place; elements outside of the new one are dropped.

        See `scipy.sparse.bsr_array.resize`.
        """
        _check_lengths(shape)
        self._write(WRITERS["resize"], *shape)

    def transpose(self, axes: tuple[int, ...] | None = None, copy: bool = False) -> Any:
        """Reverse the axes. See `scipy.sparse.bsr_array.transpose`."""
        return run(METHODS["transpose"], self, axes=axes, copy=copy)

    def diagonal(self, k: int = 0) -> Array:
        """Give a diagonal. See `scipy.sparse.bsr_array.diagonal`."""
        result: Array = run(METHODS["diagonal"], self, k=k)
        return result

    def setdiag(self, values: ArrayLike, k: int = 0) -> None:
        """Set a diagonal. See `scipy.sparse.bsr_array.setdiag`."""
        self._write(WRITERS["setdiag"], values, k=k)

    def nonzero(self) -> tuple[Array, ...]:
        """Find the elements that are not zero. See `scipy.sparse.bsr_array.nonzero`."""
        result: tuple[Array, ...] = run(METHODS["nonzero"], self)
        return result


class Duplicates(Structure):
    """Formats that may store an element in several pieces, and zeros."""

    __slots__ = ()

    def sum_duplicates(self) -> None:
        """Add up, in place, what is stored in several pieces. See `scipy.sparse.bsr_array.sum_duplicates`."""
        self._write(WRITERS["sum_duplicates"])

    def eliminate_zeros(self) -> None:
        """Drop, in place, zeros that are stored. See `scipy.sparse.bsr_array.eliminate_zeros`."""
        self._write(WRITERS["eliminate_zeros"])


class Compressed(Duplicates):
    """Formats with compressed indices."""

    __slots__ = ()

    @property
    def has_sorted_indices(self) -> bool:
        """
        Tell whether the indices are in ascending order within each row, column or row of blocks.

        See `scipy.sparse.bsr_array.has_sorted_indices`.
        """
        return bool(run(METHODS["has_sorted_indices"], self))

    @has_sorted_indices.setter
    def has_sorted_indices(self, value: bool) -> None:
        if self._device is CPU:
            self._value.has_sorted_indices = value

    @property
    def has_canonical_format(self) -> bool:
        """
        Tell whether the indices are in order and each element is stored once.

        See `scipy.sparse.bsr_array.has_canonical_format`.
        """
        return bool(run(METHODS["has_canonical_format"], self))

    @has_canonical_format.setter
    def has_canonical_format(self, value: bool) -> None:
        if self._device is CPU:
            self._value.has_canonical_format = value

    def sort_indices(self) -> None:
        """
        Sort, in place, the indices within each row, column or row of blocks.

        See `scipy.sparse.bsr_array.sort_indices`.
        """
        self._write(WRITERS["sort_indices"])

    def sorted_indices(self) -> Self:
        """Copy with sorted indices. See `scipy.sparse.bsr_array.sorted_indices`."""
        result: Self = run(METHODS["sorted_indices"], self)
        return result

    def prune(self) -> None:
        """Let go, in place, of memory behind the last stored element. See `scipy.sparse.bsr_array.prune`."""
        self._write(WRITERS["prune"])

    def check_format(self, full_check: bool = True) -> None:
        """Check that the components fit together. See `scipy.sparse.bsr_array.check_format`."""
        self._write(WRITERS["check_format"], full_check=full_check)
