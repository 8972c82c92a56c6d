"""Arrays joined by indexing: ``r_[1:4, 0, 4]`` and ``c_[a, b]``."""

from __future__ import annotations

from typing import Any, Final

from ._array import Array
from ._operand import as_operands
from .array_conversion import asarray
from .data_type_functions import result_type
from .joining_functions import concatenate
from .numerical_ranges import arange, linspace

__all__ = ["c_", "r_"]

_WEAK: Final = (bool, int, float, complex)  # whose dtype is that of the arrays beside them, if it is of their kind


class _Concatenator:
    """
    Joins what it is indexed with: arrays, scalars, and slices, which stand for ranges.

    In a slice an imaginary step is a number of points, both ends included. A leading text of up to three integers says how:
    the axis along which to join, the least number of dimensions, and where an item of fewer has its own first one.
    """

    def __init__(self, name: str, axis: int, ndmin: int, first: int) -> None:
        self._name: Final = name
        self._form: Final = (axis, ndmin, first)

    def __getitem__(self, key: Any) -> Array:
        items = key if isinstance(key, tuple) else (key,)
        axis, ndmin, first = self._form
        if items and isinstance(items[0], str):
            axis, ndmin, first = self._read(items[0])
            items = items[1:]
        values = as_operands(*(_range(item) if isinstance(item, slice) else item for item in items))
        common = result_type(*(value if type(value) in _WEAK else value.dtype for value in values))
        return concatenate([_extended(asarray(value, dtype=common), ndmin, first) for value in values], axis=axis)

    def _read(self, directive: str) -> tuple[int, int, int]:
        """Read a directive; what it leaves out is as usual."""
        try:
            numbers = [int(part) for part in directive.split(",")]
        except ValueError:
            numbers = []
        if not 1 <= len(numbers) <= 3:
            raise ValueError(
                f"{self._name} is directed by up to three integers, as in {self._name}['0,2', x], but got {directive!r}; "
                "there are no matrices here"
            )
        axis, ndmin, first = (*numbers, *self._form[len(numbers) :])
        return axis, ndmin, first

    def __repr__(self) -> str:
        return f"<{self._name}>"


def _range(key: slice) -> Array:
    """Make the range that a slice stands for."""
    start = 0 if key.start is None else key.start
    step = 1 if key.step is None else key.step
    if isinstance(step, complex):
        result: Array = linspace(start, key.stop, int(abs(step)))
        return result
    return arange(start, key.stop, step)


def _extended(array: Array, ndmin: int, first: int) -> Array:
    """Give an array at least `ndmin` dimensions, its own ones beginning at `first`."""
    missing = ndmin - array.ndim
    if missing <= 0:
        return array
    before = range(missing + 1)[first]
    return array.reshape((1,) * before + array.shape + (1,) * (missing - before))


r_: Final = _Concatenator("r_", 0, 1, -1)
c_: Final = _Concatenator("c_", -1, 2, 0)
