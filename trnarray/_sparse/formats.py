"""The sparse arrays of each format."""

from __future__ import annotations

from typing import Any, Self

from .._array import Array
from .._typing import ArrayLike
from ..array_conversion import asarray
from ..backends.ops.sparse import METHODS
from ..creation_functions import zeros_like
from .base import SparseBase, run
from .sparse_array import sparray
from .structure import Compressed, Duplicates

__all__ = ["bsr_array", "coo_array", "csc_array", "csr_array", "dia_array"]


class _Convertible(SparseBase):
    """Conversions to each format, with SciPy's signatures and meaning."""

    __slots__ = ()

    def tocsr(self, copy: bool = False) -> csr_array:
        """Convert to compressed rows. See `scipy.sparse.bsr_array.tocsr`."""
        result: csr_array = run(METHODS["tocsr"], self, copy=copy)
        return result

    def tocsc(self, copy: bool = False) -> csc_array:
        """Convert to compressed columns. See `scipy.sparse.bsr_array.tocsc`."""
        result: csc_array = run(METHODS["tocsc"], self, copy=copy)
        return result

    def tocoo(self, copy: bool = False) -> coo_array:
        """Convert to coordinates. See `scipy.sparse.bsr_array.tocoo`."""
        result: coo_array = run(METHODS["tocoo"], self, copy=copy)
        return result

    def tobsr(self, blocksize: tuple[int, int] | None = None, copy: bool = False) -> bsr_array:
        """Convert to rows of dense blocks. See `scipy.sparse.bsr_array.tobsr`."""
        result: bsr_array = run(METHODS["tobsr"], self, blocksize=blocksize, copy=copy)
        return result

    def todia(self, copy: bool = False) -> dia_array:
        """Convert to diagonals. See `scipy.sparse.bsr_array.todia`."""
        result: dia_array = run(METHODS["todia"], self, copy=copy)
        return result


class _Indexed(Compressed):
    """What the three compressed formats have in common: indices, and where those of each row, column or row of blocks begin."""

    __slots__ = ()

    @property
    def indices(self) -> Array:
        """
        The indices of the stored elements, or blocks.

        Returns
        -------
        Array
            Of int32 or int64.
        """
        indices: Array = self._component("indices")
        return indices

    @indices.setter
    def indices(self, indices: Array) -> None:
        self._set_component("indices", indices)

    @property
    def indptr(self) -> Array:
        """
        Where the indices of each row, column or row of blocks begin, and where the last end.

        Returns
        -------
        Array
            Of int32 or int64.
        """
        indptr: Array = self._component("indptr")
        return indptr

    @indptr.setter
    def indptr(self, indptr: Array) -> None:
        self._set_component("indptr", indptr)


class csr_array(sparray, _Convertible, _Indexed, format="csr"):  # noqa: N801  # SciPy's name
    """
    A sparse array of compressed rows.

    It is fast at products with vectors and matrices, at arithmetic, and at taking rows.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.scipy.sparse.csr_array(xp.asarray([[4.0, 0.0], [1.0, 3.0]]))
    >>> a @ xp.asarray([1.0, 2.0])
    Array([4., 7.], dtype=float64, device='cpu')
    """

    __slots__ = ()
    __module__ = "trnarray.scipy.sparse"


class csc_array(sparray, _Convertible, _Indexed, format="csc"):  # noqa: N801
    """
    A sparse array of compressed columns.

    It is fast at products with vectors and matrices, at arithmetic, and at taking columns.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.scipy.sparse.csc_array(xp.asarray([[4.0, 0.0], [1.0, 3.0]]))
    >>> a.indices.tolist()
    [0, 1, 1]
    """

    __slots__ = ()
    __module__ = "trnarray.scipy.sparse"


class bsr_array(sparray, _Convertible, _Indexed, format="bsr"):  # noqa: N801
    """
    A sparse array of rows of dense blocks.

    Blocks of 128 by 128 are what the Tensor Engine multiplies at once.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.scipy.sparse.bsr_array(xp.eye(4), blocksize=(2, 2))
    >>> a.data.shape
    (2, 2, 2)
    """

    __slots__ = ()
    __module__ = "trnarray.scipy.sparse"

    def __new__(
        cls,
        arg1: Any,
        shape: Any = None,
        dtype: Any = None,
        copy: bool = False,
        blocksize: tuple[int, int] | None = None,
        *,
        maxprint: int | None = None,
        device: Any = None,
    ) -> Self:
        """Make an array of blocks. See `scipy.sparse.bsr_array.__new__`."""
        if blocksize is None and maxprint is None and device is None:  # keywords would cost the common call more
            return sparray.__new__(cls, arg1, shape, dtype, copy)
        options = {} if blocksize is None else {"blocksize": blocksize}
        return cls._of_any(arg1, shape, dtype, copy, maxprint, device, **options)

    @property
    def blocksize(self) -> tuple[int, int]:
        """The shape of a block. See `scipy.sparse.bsr_array.blocksize`."""
        rows, columns = self.data.shape[1:]
        return rows, columns


class coo_array(sparray, _Convertible, Duplicates, format="coo"):  # noqa: N801
    """
    A sparse array of coordinates, of any number of dimensions that SciPy takes.

    It is a fast way to make an array; for arithmetic, convert it to compressed rows.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.scipy.sparse.coo_array((xp.asarray([4.0, 3.0]), (xp.asarray([0, 1]), xp.asarray([1, 0]))))
    >>> a.toarray()
    Array([[0., 4.],
           [3., 0.]], dtype=float64, device='cpu')
    """

    __slots__ = ()
    __module__ = "trnarray.scipy.sparse"

    @property
    def coords(self) -> tuple[Array, ...]:
        """
        The indices of the stored elements.

        Returns
        -------
        tuple of Array
            Along each axis.
        """
        coords: tuple[Array, ...] = self._component("coords")
        return coords

    @coords.setter
    def coords(self, coords: tuple[Array, ...]) -> None:
        self._set_component("coords", coords)

    @property
    def row(self) -> Array:
        """The rows of the stored elements. See `scipy.sparse.coo_array.row`."""
        if self.ndim > 1:
            return self.coords[-2]
        row = zeros_like(self.coords[0])
        row.setflags(write=False)
        return row

    @row.setter
    def row(self, row: Array) -> None:
        if self.ndim < 2:
            raise ValueError("cannot set row attribute of a 1-dimensional sparse array; it has col")
        self._set_component("coords", (*self.coords[:-2], self._coordinates(row), self.coords[-1]))

    @property
    def col(self) -> Array:
        """The columns of the stored elements. See `scipy.sparse.coo_array.col`."""
        return self.coords[-1]

    @col.setter
    def col(self, col: Array) -> None:
        self._set_component("coords", (*self.coords[:-1], self._coordinates(col)))

    def _coordinates(self, values: ArrayLike) -> Array:
        """Make an Array of coordinates, beside the others and of their dtype."""
        known = self.coords[-1]
        return asarray(values, dtype=known.dtype, device=known.device)

    @property
    def has_canonical_format(self) -> bool:
        """
        Tell whether it is known that the coordinates are in order and each element is stored once.

        Returns
        -------
        bool
            It can be set, by who knows better.
        """
        return bool(run(METHODS["has_canonical_format"], self))

    @has_canonical_format.setter
    def has_canonical_format(self, value: bool) -> None:
        self._host().has_canonical_format = value

    def tensordot(self, other: Any | SparseBase, axes: Any = 2) -> Any:
        """Multiply and sum over axes. See `scipy.sparse.coo_array.tensordot`."""
        return run(METHODS["tensordot"], self, other, axes)


class dia_array(sparray, _Convertible, format="dia"):  # noqa: N801
    """
    A sparse array of diagonals.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.scipy.sparse.dia_array((xp.asarray([[1, 2, 3]]), xp.asarray([1])), shape=(2, 3))
    >>> a.toarray()
    Array([[0, 2, 0],
           [0, 0, 3]], dtype=int64, device='cpu')
    """

    __slots__ = ()
    __module__ = "trnarray.scipy.sparse"

    @property
    def offsets(self) -> Array:
        """
        Which diagonals are stored; those above the main one are positive.

        Returns
        -------
        Array
            Of int32 or int64.
        """
        offsets: Array = self._component("offsets")
        return offsets

    @offsets.setter
    def offsets(self, offsets: Array) -> None:
        self._set_component("offsets", offsets)
