"""The operators of Array, each the elementwise Op of the standard.

Python operands are weak scalars; exact ndarrays are taken on the host; every other type is left to answer for itself
(NotImplemented), so that scipy.sparse matrices, LinearOperators and units keep their say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..backends.device import CPU
from ..backends.op import Op
from ..backends.ops import elementwise as ops
from .base import ArrayBase, is_detached
from .plain import SCALARS, host_values

__all__ = ["Operators"]

_OPERANDS: Final = SCALARS | {np.ndarray, list, tuple, range}
_PYTHON: Final = frozenset((bool, int, float, complex))


def _accepts(array: ArrayBase, other: object) -> bool:
    """Tell whether an operator may take `other` as its second operand."""
    kind = type(other)
    return kind in _OPERANDS or kind is type(array) or isinstance(other, np.generic)


def _multiplies(array: ArrayBase, other: object) -> bool:
    """Tell whether ``*`` may: a detached Array leaves lists to be repeated, as a NumPy scalar does."""
    return _accepts(array, other) and not (isinstance(other, (list, tuple)) and is_detached(array._value))


def _power(x: Any, y: Any, out: Any = None) -> Any:
    """Take NumPy's operator, which has ways of its own for scalars, squares, roots and reciprocals; its function has not."""
    # The operator of NumPy before 2.4 has those ways for other exponents, too, whose value then decides on the dtype.
    if (type(y) is int and not isinstance(x, np.integer)) or isinstance(x, np.inexact) or (type(y) in _PYTHON and x.dtype.kind in "fc"):
        return x**y if out is None else out.__ipow__(y)  # out is x
    return np.power(x, y) if out is None else np.power(x, y, out=out)


def _binary(op: Op) -> Callable[[Any, Any], Any]:
    accepts = _multiplies if op is ops.multiply else _accepts

    def operator(self: Any, other: Any, /) -> Any:
        kind = type(other)  # of most operands it says enough
        return self._apply(op, self, other) if kind is type(self) or kind in SCALARS or accepts(self, other) else NotImplemented

    return operator


def _reflected(op: Op) -> Callable[[Any, Any], Any]:
    accepts = _multiplies if op is ops.multiply else _accepts

    def operator(self: Any, other: Any, /) -> Any:
        return self._apply(op, other, self) if accepts(self, other) else NotImplemented

    return operator


def _in_place(op: Op, forward: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any, /) -> Any:
        if is_detached(self._value):
            return forward(self, other)  # a detached Array is rebound, as a NumPy scalar is
        return self._apply(op, self, other, out=self) if _accepts(self, other) else NotImplemented

    return operator


def _unary(op: Op) -> Callable[[Any], Any]:
    def operator(self: Any, /) -> Any:
        return self._apply(op, self)

    return operator


def _pow(self: Any, other: Any, /) -> Any:
    if not _accepts(self, other):
        return NotImplemented
    values = host_values((self, other), (type(self),), sequences=False)
    if values is None:
        return self._apply(ops.power, self, other)
    ops.power.tick()
    return self._wrap_results(_power(values[0], values[1]), CPU)


_power_in_place: Final = _in_place(ops.power, _pow)


def _ipow(self: Any, other: Any, /) -> Any:
    values = host_values((self, other), (type(self),), sequences=False)
    if is_detached(self._value) or values is None or not _accepts(self, other):
        return _power_in_place(self, other)
    ops.power.tick()
    _power(values[0], values[1], out=self._value)
    return self


def _divmod(self: Any, other: Any, /) -> Any:
    return self._apply(ops.divmod_, self, other) if _accepts(self, other) else NotImplemented


def _rdivmod(self: Any, other: Any, /) -> Any:
    return self._apply(ops.divmod_, other, self) if _accepts(self, other) else NotImplemented


def _imatmul(self: Any, other: Any, /) -> Any:
    if not _accepts(self, other):
        return NotImplemented
    operand, _ = self._unwrap(other, self._device)
    if self._value.ndim < 1 or np.ndim(operand) < 2:  # else matmul would broadcast vectors over what it is to replace
        raise ValueError(
            f"x @= y needs an x of one dimension at least and a y of two; here they have {self._value.ndim} and {np.ndim(operand)}: "
            "write x = x @ y"
        )
    return self._apply(ops.matmul, self, other, out=self)


class Operators(ArrayBase):
    """The arithmetic, bitwise, comparison and matrix operators."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # mutable, and == is elementwise

    __pos__ = _unary(ops.positive)
    __neg__ = _unary(ops.negative)
    __abs__ = _unary(ops.absolute)
    __invert__ = _unary(ops.invert)

    __add__ = _binary(ops.add)
    __sub__ = _binary(ops.subtract)
    __mul__ = _binary(ops.multiply)
    __truediv__ = _binary(ops.divide)
    __floordiv__ = _binary(ops.standard_floor_divide)
    __mod__ = _binary(ops.remainder)
    __divmod__ = _divmod
    __pow__ = _pow
    __matmul__ = _binary(ops.matmul)
    __and__ = _binary(ops.bitwise_and)
    __or__ = _binary(ops.bitwise_or)
    __xor__ = _binary(ops.bitwise_xor)
    __lshift__ = _binary(ops.left_shift)
    __rshift__ = _binary(ops.right_shift)

    __radd__ = _reflected(ops.add)
    __rsub__ = _reflected(ops.subtract)
    __rmul__ = _reflected(ops.multiply)
    __rtruediv__ = _reflected(ops.divide)
    __rfloordiv__ = _reflected(ops.standard_floor_divide)
    __rmod__ = _reflected(ops.remainder)
    __rdivmod__ = _rdivmod
    __rpow__ = _reflected(ops.power)
    __rmatmul__ = _reflected(ops.matmul)
    __rand__ = _reflected(ops.bitwise_and)
    __ror__ = _reflected(ops.bitwise_or)
    __rxor__ = _reflected(ops.bitwise_xor)
    __rlshift__ = _reflected(ops.left_shift)
    __rrshift__ = _reflected(ops.right_shift)

    __iadd__ = _in_place(ops.add, __add__)
    __isub__ = _in_place(ops.subtract, __sub__)
    __imul__ = _in_place(ops.multiply, __mul__)
    __itruediv__ = _in_place(ops.divide, __truediv__)
    __ifloordiv__ = _in_place(ops.standard_floor_divide, __floordiv__)
    __imod__ = _in_place(ops.remainder, __mod__)
    __ipow__ = _ipow
    __imatmul__ = _imatmul
    __iand__ = _in_place(ops.bitwise_and, __and__)
    __ior__ = _in_place(ops.bitwise_or, __or__)
    __ixor__ = _in_place(ops.bitwise_xor, __xor__)
    __ilshift__ = _in_place(ops.left_shift, __lshift__)
    __irshift__ = _in_place(ops.right_shift, __rshift__)

    __eq__ = _binary(ops.equal)
    __ne__ = _binary(ops.not_equal)
    __lt__ = _binary(ops.less)
    __le__ = _binary(ops.less_equal)
    __gt__ = _binary(ops.greater)
    __ge__ = _binary(ops.greater_equal)
