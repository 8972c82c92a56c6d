"""The methods that reduce or accumulate along axes, with NumPy's signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from ..backends.dtypes import canonical_dtype
from ..backends.op import Op
from ..backends.ops import linalg, searching, statistical
from ..backends.rules import is_true
from .base import ArrayBase

if TYPE_CHECKING:
    from .._typing import ArrayLike, Axes, DTypeLike

__all__ = ["NO_VALUE", "Reductions", "requested"]

NO_VALUE: Final[Any] = np._NoValue
"""NumPy's default of parameters of which None means something."""



def requested(dtype: DTypeLike, out: Any, keepdims: bool, initial: Any, where: ArrayLike) -> dict[str, Any]:
    """Make keywords of the parameters of a reduction that are not at their defaults: each costs time on the way to NumPy."""
    keywords: dict[str, Any] = {}
    if dtype is not None:
        keywords["dtype"] = canonical_dtype(dtype)
    if out is not None:
        keywords["out"] = out
    if keepdims is not False and is_true(keepdims):
        keywords["keepdims"] = True
    if initial is not NO_VALUE:
        keywords["initial"] = initial
    if where is not True:
        keywords["where"] = where
    return keywords


class Reductions(ArrayBase):
    """Sums, extrema, statistics and accumulations."""

    __slots__ = ()

    def _reduce(
        self, op: Op, axis: Any, dtype: Any, out: Any, keepdims: bool, initial: Any = NO_VALUE, where: Any = True, **more: Any
    ) -> Self:
        """Apply a reduction with the parameters that are not at their defaults."""
        return self._applied(op, self, axis=axis, **more, **requested(dtype, out, keepdims, initial, where))

    def sum(
        self,
        axis: Axes = None,
        dtype: DTypeLike = None,
        out: Self | None = None,
        keepdims: bool = False,
        initial: Any = NO_VALUE,
        where: ArrayLike = True,
    ) -> Self:
        """Sum the elements. See `numpy.ndarray.sum`."""
        return self._reduce(statistical.sum, axis, dtype, out, keepdims, initial, where)

    def prod(
        self,
        axis: Axes = None,
        dtype: DTypeLike = None,
        out: Self | None = None,
        keepdims: bool = False,
        initial: Any = NO_VALUE,
        where: ArrayLike = True,
    ) -> Self:
        """Multiply the elements. See `numpy.ndarray.prod`."""
        return self._reduce(statistical.prod, axis, dtype, out, keepdims, initial, where)

    def max(
        self, axis: Axes = None, out: Self | None = None, keepdims: bool = False, initial: Any = NO_VALUE, where: ArrayLike = True
    ) -> Self:
        """Find the largest elements. See `numpy.ndarray.max`."""
        return self._reduce(statistical.max, axis, None, out, keepdims, initial, where)

    def min(
        self, axis: Axes = None, out: Self | None = None, keepdims: bool = False, initial: Any = NO_VALUE, where: ArrayLike = True
    ) -> Self:
        """Find the smallest elements. See `numpy.ndarray.min`."""
        return self._reduce(statistical.min, axis, None, out, keepdims, initial, where)

    def mean(
        self, axis: Axes = None, dtype: DTypeLike = None, out: Self | None = None, keepdims: bool = False, *, where: ArrayLike = True
    ) -> Self:
        """Compute the mean. See `numpy.ndarray.mean`."""
        return self._reduce(statistical.mean, axis, dtype, out, keepdims, where=where)

    def var(
        self,
        axis: Axes = None,
        dtype: DTypeLike = None,
        out: Self | None = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: ArrayLike = True,
        mean: ArrayLike = NO_VALUE,
    ) -> Self:
        """Compute the variance. See `numpy.ndarray.var`."""
        return self._spread(statistical.var, axis, dtype, out, ddof, keepdims, where, mean)

    def std(
        self,
        axis: Axes = None,
        dtype: DTypeLike = None,
        out: Self | None = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: ArrayLike = True,
        mean: ArrayLike = NO_VALUE,
    ) -> Self:
        """Compute the standard deviation. See `numpy.ndarray.std`."""
        return self._spread(statistical.std, axis, dtype, out, ddof, keepdims, where, mean)

    def _spread(self, op: Op, axis: Any, dtype: Any, out: Any, ddof: float, keepdims: bool, where: Any, mean: Any) -> Self:
        more: dict[str, Any] = {} if mean is NO_VALUE else {"mean": mean}
        if ddof != 0:
            more["ddof"] = ddof
        return self._reduce(op, axis, dtype, out, keepdims, where=where, **more)

    def any(self, axis: Axes = None, out: Self | None = None, keepdims: bool = False, *, where: ArrayLike = True) -> Self:
        """Tell whether any element is not zero. See `numpy.ndarray.any`."""
        return self._reduce(statistical.any, axis, None, out, keepdims, where=where)

    def all(self, axis: Axes = None, out: Self | None = None, keepdims: bool = False, *, where: ArrayLike = True) -> Self:
        """Tell whether no element is zero. See `numpy.ndarray.all`."""
        return self._reduce(statistical.all, axis, None, out, keepdims, where=where)

    def argmax(self, axis: int | None = None, out: Self | None = None, *, keepdims: bool = False) -> Self:
        """Find where the largest elements are. See `numpy.ndarray.argmax`."""
        return self._reduce(searching.argmax, axis, None, out, keepdims)

    def argmin(self, axis: int | None = None, out: Self | None = None, *, keepdims: bool = False) -> Self:
        """Find where the smallest elements are. See `numpy.ndarray.argmin`."""
        return self._reduce(searching.argmin, axis, None, out, keepdims)

    def cumsum(self, axis: int | None = None, dtype: DTypeLike = None, out: Self | None = None) -> Self:
        """Sum up to each element. See `numpy.ndarray.cumsum`."""
        return self._reduce(statistical.cumsum, axis, dtype, out, False)

    def cumprod(self, axis: int | None = None, dtype: DTypeLike = None, out: Self | None = None) -> Self:
        """Multiply up to each element. See `numpy.ndarray.cumprod`."""
        return self._reduce(statistical.cumprod, axis, dtype, out, False)

    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike = None, out: Self | None = None) -> Self:
        """Sum the diagonals. See `numpy.ndarray.trace`."""
        dtype = None if dtype is None else canonical_dtype(dtype)
        return self._applied(linalg.trace, self, offset=offset, axis1=axis1, axis2=axis2, dtype=dtype, out=out)
