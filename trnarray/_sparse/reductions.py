"""The reductions of sparse arrays."""

from __future__ import annotations

from typing import Any

from .._array import Array
from .._typing import Axes, DTypeLike
from ..backends.ops.sparse import METHODS, SparseOp
from .base import SparseBase, run

__all__ = ["Reductions"]



class Reductions(SparseBase):
    """Methods that reduce over axes, with SciPy's signatures; where SciPy gives a scalar, they give a detached Array."""

    __slots__ = ()

    def _extremum(self, op: SparseOp, axis: Axes, out: Any, explicit: bool) -> Any:
        """Find extrema; `explicit` is not handed on where it says nothing, as SciPy before 1.15 has no such parameter."""
        return run(op, self, axis, out, explicit=True) if explicit else run(op, self, axis, out)

    def sum(self, axis: Axes = None, dtype: DTypeLike = None, out: Array | None = None) -> Any:
        """Sum the elements. See `scipy.sparse.bsr_array.sum`."""
        return run(METHODS["sum"], self, axis, dtype, out=out)

    def mean(self, axis: Axes = None, dtype: DTypeLike = None, out: Array | None = None) -> Any:
        """Compute the means. See `scipy.sparse.bsr_array.mean`."""
        return run(METHODS["mean"], self, axis, dtype, out=out)

    def max(self, axis: Axes = None, out: None = None, *, explicit: bool = False) -> Any:
        """Find the largest elements. See `scipy.sparse.bsr_array.max`."""
        return self._extremum(METHODS["max"], axis, out, explicit)

    def min(self, axis: Axes = None, out: None = None, *, explicit: bool = False) -> Any:
        """Find the smallest elements. See `scipy.sparse.bsr_array.min`."""
        return self._extremum(METHODS["min"], axis, out, explicit)

    def nanmax(self, axis: Axes = None, out: None = None, *, explicit: bool = False) -> Any:
        """Find the largest elements, passing over NaN. See `scipy.sparse.bsr_array.nanmax`."""
        return self._extremum(METHODS["nanmax"], axis, out, explicit)

    def nanmin(self, axis: Axes = None, out: None = None, *, explicit: bool = False) -> Any:
        """Find the smallest elements, passing over NaN. See `scipy.sparse.bsr_array.nanmin`."""
        return self._extremum(METHODS["nanmin"], axis, out, explicit)

    def argmax(self, axis: Axes = None, out: None = None, *, explicit: bool = False) -> Any:
        """Find the positions of the largest elements. See `scipy.sparse.bsr_array.argmax`."""
        return self._extremum(METHODS["argmax"], axis, out, explicit)

    def argmin(self, axis: Axes = None, out: None = None, *, explicit: bool = False) -> Any:
        """Find the positions of the smallest elements. See `scipy.sparse.bsr_array.argmin`."""
        return self._extremum(METHODS["argmin"], axis, out, explicit)

    def count_nonzero(self, axis: Axes = None) -> Any:
        """
        Count the elements that are not zero: stored zeros and pairs that cancel do not count.

        See `scipy.sparse.bsr_array.count_nonzero`.
        """
        return run(METHODS["count_nonzero"], self) if axis is None else run(METHODS["count_nonzero"], self, axis)

    def trace(self, offset: int = 0) -> Any:
        """Sum a diagonal. See `scipy.sparse.bsr_array.trace`."""
        return run(METHODS["trace"], self, offset)
