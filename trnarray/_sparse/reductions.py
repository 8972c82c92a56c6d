"""The reductions of sparse arrays."""

from __future__ import annotations

from typing import Any, Final

from .._array import Array
from .._array.parameters import document
from .._typing import Axes, DTypeLike
from ..backends.ops.sparse import METHODS, SparseOp
from .base import SparseBase, run
from .short_ways import direct

__all__ = ["Reductions"]

_documented: Final = document(
    {
        "axis": "int or tuple of int, optional: The axis, by default all.",
        "dtype": "dtype, optional: The dtype to compute in and of the result.",
        "explicit": "bool, optional: Whether to look at the stored elements only.",
        "offset": "int, optional: Which diagonal; positive above the main one.",
        "out": "Array, optional: Where to write the result.",
    }
)


class Reductions(SparseBase):
    """Methods that reduce over axes, with SciPy's signatures; where SciPy gives a scalar, they give a detached Array."""

    __slots__ = ()

    def _extremum(self, op: SparseOp, axis: Axes, out: Any, explicit: bool) -> Any:
        """Find extrema; `explicit` is not handed on where it says nothing, as SciPy before 1.15 has no such parameter."""
        return run(op, self, axis, out, explicit=True) if explicit else run(op, self, axis, out)

    @direct("sum", Array._wrap_results)
    @_documented
    def sum(self, axis: Axes = None, dtype: DTypeLike = None, out: Array | None = None) -> Any:
        """
        Sum the elements.

        Returns
        -------
        Array
            The sums.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.scipy.sparse.csr_array(xp.asarray([[0, 1], [2, 3]])).sum(axis=0)
        Array([2, 4], dtype=int64, device='cpu')
        """
        return run(METHODS["sum"], self, axis, dtype, out=out)

    @direct("mean", Array._wrap_results)
    @_documented
    def mean(self, axis: Axes = None, dtype: DTypeLike = None, out: Array | None = None) -> Any:
        """
        Compute the means.

        Returns
        -------
        Array
            The means.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.scipy.sparse.csr_array(xp.asarray([[0, 1], [2, 3]])).mean()
        Array(1.5, dtype=float64, device='cpu')
        """
        return run(METHODS["mean"], self, axis, dtype, out=out)

    @direct("max")
    @_documented
    def max(self, axis: Axes = None, out: None = None, *, explicit: bool = False) -> Any:
        """
        Find the largest elements.

        Returns
        -------
        Array or sparse array
            The largest element of all, or a sparse array of those along an axis.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.scipy.sparse.csr_array(xp.asarray([[0, 1], [2, 3]])).max()
        Array(3, dtype=int64, device='cpu')
        """
        return self._extremum(METHODS["max"], axis, out, explicit)

    @direct("min")
    @_documented
    def min(self, axis: Axes = None, out: None = None, *, explicit: bool = False) -> Any:
        """
        Find the smallest elements.

        Returns
        -------
        Array or sparse array
            The smallest element of all, or a sparse array of those along an axis.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.scipy.sparse.csr_array(xp.asarray([[0, 1], [2, 3]])).min()
        Array(0, dtype=int64, device='cpu')
        """
        return self._extremum(METHODS["min"], axis, out, explicit)

    @direct("nanmax")
    @_documented
    def nanmax(self, axis: Axes = None, out: None = None, *, explicit: bool = False) -> Any:
        """
        Find the largest elements, passing over NaN.

        Returns
        -------
        Array or sparse array
            The largest element of all, or a sparse array of those along an axis.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.scipy.sparse.csr_array(xp.asarray([[0, xp.nan], [2, 3]])).nanmax()
        Array(3., dtype=float64, device='cpu')
        """
        return self._extremum(METHODS["nanmax"], axis, out, explicit)

    @direct("nanmin")
    @_documented
    def nanmin(self, axis: Axes = None, out: None = None, *, explicit: bool = False) -> Any:
        """
        Find the smallest elements, passing over NaN.

        Returns
        -------
        Array or sparse array
            The smallest element of all, or a sparse array of those along an axis.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.scipy.sparse.csr_array(xp.asarray([[0, xp.nan], [2, 3]])).nanmin()
        Array(0., dtype=float64, device='cpu')
        """
        return self._extremum(METHODS["nanmin"], axis, out, explicit)

    @direct("argmax", Array._wrap_results)
    @_documented
    def argmax(self, axis: Axes = None, out: None = None, *, explicit: bool = False) -> Any:
        """
        Find the positions of the largest elements.

        Returns
        -------
        Array
            The positions; that of the largest of all in the flattened array.

        Examples
        --------
        >>> import trnarray as xp
        >>> int(xp.scipy.sparse.csr_array(xp.asarray([[0, 1], [3, 2]])).argmax())
        2
        """
        return self._extremum(METHODS["argmax"], axis, out, explicit)

    @direct("argmin", Array._wrap_results)
    @_documented
    def argmin(self, axis: Axes = None, out: None = None, *, explicit: bool = False) -> Any:
        """
        Find the positions of the smallest elements.

        Returns
        -------
        Array
            The positions; that of the smallest of all in the flattened array.

        Examples
        --------
        >>> import trnarray as xp
        >>> int(xp.scipy.sparse.csr_array(xp.asarray([[0, 1], [3, 2]])).argmin())
        0
        """
        return self._extremum(METHODS["argmin"], axis, out, explicit)

    @direct("count_nonzero", Array._wrap_results)
    @_documented
    def count_nonzero(self, axis: Axes = None) -> Any:
        """
        Count the elements that are not zero: stored zeros and pairs that cancel do not count.

        Returns
        -------
        Array
            The number, or those along an axis; SciPy before 1.15 has no axis.

        Examples
        --------
        >>> import trnarray as xp
        >>> int(xp.scipy.sparse.csr_array(xp.asarray([[0, 1], [2, 3]])).count_nonzero())
        3
        """
        return run(METHODS["count_nonzero"], self) if axis is None else run(METHODS["count_nonzero"], self, axis)

    @direct("trace", Array._wrap_results)
    @_documented
    def trace(self, offset: int = 0) -> Any:
        """
        Sum a diagonal.

        Returns
        -------
        Array
            The sum.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.scipy.sparse.csr_array(xp.asarray([[5, 1], [2, 3]])).trace()
        Array(8, dtype=int64, device='cpu')
        """
        return run(METHODS["trace"], self, offset)
