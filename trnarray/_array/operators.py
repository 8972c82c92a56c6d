"""The operators of Array, each the elementwise Op of the standard.

Python operands are weak scalars; exact ndarrays are taken on the host; every other type is left to answer for itself
(NotImplemented), so that scipy.sparse matrices, LinearOperators and units keep their say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..backends.device import CPU
from ..backends.dtypes import LAST_PLAIN
from ..backends.op import Op
from ..backends.ops import elementwise as ops
from .base import SCALARS, ArrayBase, is_detached

__all__ = ["Operators", "binary", "operator_of", "unary"]

_new: Final = object.__new__
_OPERANDS: Final = SCALARS | {np.ndarray, list, tuple, range}
_PYTHON: Final = frozenset((bool, int, float, complex))


def _accepts(array: ArrayBase, other: object) -> bool:
    """Tell whether an operator may take `other` as its second operand."""
    kind = type(other)
    return kind is type(array) or kind in _OPERANDS or isinstance(other, np.generic)


def _multiplies(array: ArrayBase, other: object) -> bool:
    """Tell whether ``*`` may: a detached Array leaves lists to be repeated, as a NumPy scalar does."""
    return _accepts(array, other) and not (isinstance(other, (list, tuple)) and is_detached(array._value))


def _power(x: Any, y: Any, out: Any = None) -> Any:
    """Take NumPy's operator, which has ways of its own for scalars, squares, roots and reciprocals; its function has not."""
    # The operator of NumPy before 2.4 has those ways for other exponents, too, whose value then decides on the dtype.
    if (type(y) is int and not isinstance(x, np.integer)) or isinstance(x, np.inexact) or (type(y) in _PYTHON and x.dtype.kind in "fc"):
        return x**y if out is None else out.__ipow__(y)  # out is x
    return np.power(x, y) if out is None else np.power(x, y, out=out)


def binary(op: Op, host: Callable[..., Any] | None = None) -> Callable[[Any, Any], Any]:
    """Make the operator of an Op of two operands; `trnarray.ufunc` takes it for its short way, too."""
    host, tick = host or op.host, op.tick
    accepts = _multiplies if op is ops.multiply else _accepts

    def operator(self: Any, other: Any, /) -> Any:
        cls = type(self)
        if self._device is CPU:
            value = self._value
            if value.dtype.num <= LAST_PLAIN:
                kind = type(other)
                if kind is cls and other._device is CPU:
                    operand = other._value
                    if operand.dtype.num <= LAST_PLAIN:
                        tick()
                        result = _new(cls)
                        result._value = host(value, operand)
                        result._device = CPU
                        result._base = None
                        return result
                elif kind in SCALARS:
                    tick()
                    result = _new(cls)
                    result._value = host(value, other)
                    result._device = CPU
                    result._base = None
                    return result
        if not accepts(self, other):
            return NotImplemented
        return cls._apply(op, self, other)

    return operator


def _reflected(op: Op) -> Callable[[Any, Any], Any]:
    host, tick = op.host, op.tick
    accepts = _multiplies if op is ops.multiply else _accepts

    def operator(self: Any, other: Any, /) -> Any:
        if type(other) in SCALARS and self._device is CPU and self._value.dtype.num <= LAST_PLAIN:
            tick()
            return self._wrap(host(other, self._value))
        if not accepts(self, other):
            return NotImplemented
        return self._apply(op, other, self)

    return operator


def _in_place(op: Op, forward: Callable[[Any, Any], Any], host: Callable[..., Any] | None = None) -> Callable[[Any, Any], Any]:
    host, tick = host or op.host, op.tick

    def operator(self: Any, other: Any, /) -> Any:
        value = self._value
        if is_detached(value):
            return forward(self, other)  # a detached Array is rebound, as a NumPy scalar is
        if self._device is CPU and value.dtype.num <= LAST_PLAIN:
            kind = type(other)
            operand = other._value if kind is type(self) and other._device is CPU else other
            if kind in SCALARS or (operand is not other and operand.dtype.num <= LAST_PLAIN):
                tick()
                host(value, operand, out=value)
                return self
        if not _accepts(self, other):
            return NotImplemented
        return self._apply(op, self, other, out=self)

    return operator


def unary(op: Op) -> Callable[[Any], Any]:
    """Make the operator of an Op of one operand."""
    host, tick = op.host, op.tick

    def operator(self: Any, /) -> Any:
        if self._device is CPU and self._value.dtype.num <= LAST_PLAIN:
            tick()
            result = _new(type(self))
            result._value = host(self._value)
            result._device = CPU
            result._base = None
            return result
        return self._apply(op, self)

    return operator


def operator_of(op: Op, model: np.ufunc) -> Callable[..., Any] | None:
    """Make the operator of a ufunc's Op: the short way for calls whose first operand is an Array."""
    if model.nout != 1 or model.nin > 2:
        return None
    return unary(op) if model.nin == 1 else binary(op)


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

    __pos__ = unary(ops.positive)
    __neg__ = unary(ops.negative)
    __abs__ = unary(ops.absolute)
    __invert__ = unary(ops.invert)

    __add__ = binary(ops.add)
    __sub__ = binary(ops.subtract)
    __mul__ = binary(ops.multiply)
    __truediv__ = binary(ops.divide)
    __floordiv__ = binary(ops.standard_floor_divide)
    __mod__ = binary(ops.remainder)
    __divmod__ = _divmod
    __pow__ = binary(ops.power, _power)
    __matmul__ = binary(ops.matmul)
    __and__ = binary(ops.bitwise_and)
    __or__ = binary(ops.bitwise_or)
    __xor__ = binary(ops.bitwise_xor)
    __lshift__ = binary(ops.left_shift)
    __rshift__ = binary(ops.right_shift)

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
    __ipow__ = _in_place(ops.power, __pow__, _power)
    __imatmul__ = _imatmul
    __iand__ = _in_place(ops.bitwise_and, __and__)
    __ior__ = _in_place(ops.bitwise_or, __or__)
    __ixor__ = _in_place(ops.bitwise_xor, __xor__)
    __ilshift__ = _in_place(ops.left_shift, __lshift__)
    __irshift__ = _in_place(ops.right_shift, __rshift__)

    __eq__ = binary(ops.equal)
    __ne__ = binary(ops.not_equal)
    __lt__ = binary(ops.less)
    __le__ = binary(ops.less_equal)
    __gt__ = binary(ops.greater)
    __ge__ = binary(ops.greater_equal)
