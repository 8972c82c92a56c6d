"""The functions of single elements that are methods of sparse arrays: those that leave zeros zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Self

from .._typing import ArrayLike, DTypeLike
from ..backends.ops.sparse import METHODS, OPERATORS
from .base import SparseBase, is_scalar, run

__all__ = ["ElementwiseMethods"]


_DOCSTRING: Final = """
{summary}

Returns
-------
sparse array
    In the same format, with the same stored elements.

Examples
--------
>>> import trnarray as xp
>>> xp.scipy.sparse.csr_array(xp.asarray([[0.0, 1.0]])).{name}().data
Array([{result}], dtype=float64, device='cpu')
"""


def _function(name: str, summary: str, result: str) -> Callable[[Any], Any]:
    """Make the method of a function, whose example is its value at 1."""
    op = METHODS[name]

    def method(self: Any) -> Any:
        return run(op, self)

    method.__name__, method.__qualname__ = name, f"ElementwiseMethods.{name}"
    method.__doc__ = _DOCSTRING.format(summary=summary, name=name, result=result)
    return method


class ElementwiseMethods(SparseBase):
    """Methods that compute element by element."""

    __slots__ = ()

    arcsin = _function("arcsin", "Compute the inverse sine of each element.", "1.57079633")
    arcsinh = _function("arcsinh", "Compute the inverse hyperbolic sine of each element.", "0.88137359")
    arctan = _function("arctan", "Compute the inverse tangent of each element.", "0.78539816")
    ceil = _function("ceil", "Round each element up.", "1.")
    deg2rad = _function("deg2rad", "Convert each element from degrees to radians.", "0.01745329")
    expm1 = _function("expm1", "Compute the exponential minus 1 of each element.", "1.71828183")
    floor = _function("floor", "Round each element down.", "1.")
    log1p = _function("log1p", "Compute the logarithm of 1 plus each element.", "0.69314718")
    rad2deg = _function("rad2deg", "Convert each element from radians to degrees.", "57.29577951")
    rint = _function("rint", "Round each element to the nearest integer.", "1.")
    sign = _function("sign", "Tell the sign of each element.", "1.")
    sin = _function("sin", "Compute the sine of each element.", "0.84147098")
    sinh = _function("sinh", "Compute the hyperbolic sine of each element.", "1.17520119")
    sqrt = _function("sqrt", "Compute the square root of each element.", "1.")
    tan = _function("tan", "Compute the tangent of each element.", "1.55740772")
    tanh = _function("tanh", "Compute the hyperbolic tangent of each element.", "0.76159416")
    trunc = _function("trunc", "Round each element towards zero.", "1.")

    def arctanh(self) -> Self:
        """Compute the inverse hyperbolic tangent of each element. See `scipy.sparse.bsr_array.arctanh`."""
        result: Self = run(METHODS["arctanh"], self)
        return result

    def conjugate(self, copy: bool = True) -> Self:
        """Conjugate each element. See `scipy.sparse.bsr_array.conjugate`."""
        result: Self = run(METHODS["conjugate"], self, copy=copy)
        return self if result._value is self._value else result

    def conj(self, copy: bool = True) -> Self:
        """Conjugate each element. See `scipy.sparse.bsr_array.conj`."""
        return self.conjugate(copy)

    def power(self, n: Any, dtype: DTypeLike = None) -> Self:
        """Raise each element to a power. See `scipy.sparse.bsr_array.power`."""
        result: Self = run(METHODS["power"], self, n, dtype)
        return result

    def multiply(self, other: ArrayLike | SparseBase) -> Any:
        """Multiply element by element, with broadcasting. See `scipy.sparse.bsr_array.multiply`."""
        return run(METHODS["multiply"], self, other)

    def maximum(self, other: ArrayLike | SparseBase) -> Any:
        """Take the larger of each two elements. See `scipy.sparse.bsr_array.maximum`."""
        return run(METHODS["maximum"], self, other)

    def minimum(self, other: ArrayLike | SparseBase) -> Any:
        """Take the smaller of each two elements. See `scipy.sparse.bsr_array.minimum`."""
        return run(METHODS["minimum"], self, other)

    def dot(self, other: ArrayLike | SparseBase) -> Any:
        """Multiply as matrices, or by a scalar. See `scipy.sparse.bsr_array.dot`."""
        return run(OPERATORS["mul"] if is_scalar(other) else METHODS["dot"], self, other)
