"""The operators of sparse arrays, SciPy's, and NumPy's ufuncs that are these operators or methods.

Operands are sparse arrays, ours and SciPy's, Arrays, exact ndarrays on the host, scalars and sequences; every other type is left to
answer for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .._array import Array
from ..backends.device import CPU
from ..backends.ops.sparse import ELEMENTWISE, OPERATORS, SparseOp
from .base import SparseBase, is_sparse, run, run_raw, wrap_result

__all__ = ["Operators"]

_OPERANDS: Final = frozenset((Array, np.ndarray, list, tuple, bool, int, float, complex))


def _accepts(other: object) -> bool:
    """Tell whether an operator may take `other` as its second operand."""
    return type(other) in _OPERANDS or isinstance(other, (SparseBase, np.generic)) or is_sparse(other)


def _binary(op: SparseOp) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any, /) -> Any:
        return run(op, self, other) if _accepts(other) else NotImplemented

    return operator


def _reflected(op: SparseOp, accepts: Callable[[object], bool] = _accepts) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any, /) -> Any:
        return run(op, other, self) if accepts(other) else NotImplemented

    return operator


def _in_place(op: SparseOp) -> Callable[[Any, Any], Any]:
    """Make an operator that keeps the array where SciPy's does, by scalars, and else binds the name to a new one."""

    def operator(self: Any, other: Any, /) -> Any:
        if not _accepts(other):
            return NotImplemented
        result, device = run_raw(op, (self, other), {})
        wrapped = self if result is self._value else wrap_result(result, device)
        if wrapped is not self and np.ndim(other) == 0 and type(wrapped) is type(self):
            self._value = wrapped._value
            return self
        return wrapped

    return operator


def _unary(op: SparseOp) -> Callable[[Any], Any]:
    def operator(self: Any, /) -> Any:
        return run(op, self)

    return operator


def _written(out: Any, result: Any, ufunc: np.ufunc) -> Any:
    """Write a dense result to the ndarray that ``ndarray += sparse`` and its like are to change."""
    if type(result) is not Array or result._device is not CPU:
        raise TypeError(
            f"numpy.{ufunc.__name__} gives {type(result).__name__} here, which cannot be written to a numpy.ndarray; bind it to a name"
        )
    np.copyto(out, result._value, casting="same_kind")
    return out


_UFUNCS: Final[Mapping[str, tuple[str, str]]] = {
    "add": ("__add__", "__radd__"),
    "subtract": ("__sub__", "__rsub__"),
    "multiply": ("__mul__", "__rmul__"),
    "divide": ("__truediv__", ""),
    "matmul": ("__matmul__", "__rmatmul__"),
    "power": ("__pow__", ""),
    "equal": ("__eq__", "__eq__"),
    "not_equal": ("__ne__", "__ne__"),
    "less": ("__lt__", "__gt__"),
    "less_equal": ("__le__", "__ge__"),
    "greater": ("__gt__", "__lt__"),
    "greater_equal": ("__ge__", "__le__"),
    "maximum": ("maximum", "maximum"),
    "minimum": ("minimum", "minimum"),
    "negative": ("__neg__", ""),
    "absolute": ("__abs__", ""),
    "conjugate": ("conjugate", ""),
    **{name: (name, "") for name in ELEMENTWISE},
}
"""What computes a ufunc whose first operand is sparse, and whose second alone is."""


class Operators(SparseBase):
    """The arithmetic, comparison and matrix operators."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # mutable, and == is elementwise
    __array_priority__ = 101.0  # over Array's

    __neg__ = _unary(OPERATORS["neg"])
    __abs__ = _unary(OPERATORS["abs"])

    __add__ = _binary(OPERATORS["add"])
    __sub__ = _binary(OPERATORS["sub"])
    __mul__ = _binary(OPERATORS["mul"])
    __truediv__ = _binary(OPERATORS["truediv"])
    __matmul__ = _binary(OPERATORS["matmul"])

    __radd__ = _reflected(OPERATORS["add"])
    __rsub__ = _reflected(OPERATORS["sub"])
    __rmul__ = _reflected(OPERATORS["mul"])
    __rmatmul__ = _reflected(OPERATORS["matmul"])
    __rtruediv__ = _reflected(OPERATORS["truediv"], is_sparse)

    __imul__ = _in_place(OPERATORS["imul"])
    __itruediv__ = _in_place(OPERATORS["itruediv"])

    __eq__ = _binary(OPERATORS["eq"])
    __ne__ = _binary(OPERATORS["ne"])
    __lt__ = _binary(OPERATORS["lt"])
    __le__ = _binary(OPERATORS["le"])
    __gt__ = _binary(OPERATORS["gt"])
    __ge__ = _binary(OPERATORS["ge"])

    def __pow__(self, other: Any, modulo: Any = None, /) -> Any:
        """Raise each element to a power."""
        return NotImplemented if modulo is not None or not _accepts(other) else run(OPERATORS["pow"], self, other)

    def __round__(self, ndigits: int = 0, /) -> Any:
        """Round each element."""
        return run(OPERATORS["round"], self, ndigits)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Compute a ufunc that is an operator or a method of sparse arrays."""
        forward, reflected = _UFUNCS.get(ufunc.__name__, ("", ""))
        if method != "__call__" or not kwargs.keys() <= {"out"}:
            return NotImplemented
        out = kwargs.get("out", (None,))[0]
        first = isinstance(inputs[0], SparseBase)
        name = forward if first else reflected
        if not name or (out is not None and type(out) is not np.ndarray):
            return NotImplemented
        operands = inputs if first else inputs[::-1]
        result = getattr(operands[0], name)(*operands[1:])
        return result if out is None or result is NotImplemented else _written(out, result, ufunc)
