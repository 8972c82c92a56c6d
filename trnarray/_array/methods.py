"""The methods of Array that give it another shape, copy, convert or fill it; the others are in the classes it inherits."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from ..backends.device import CPU
from ..backends.dtypes import canonical_dtype, native_dtype
from ..backends.ops import elementwise, linalg, manipulation, mathematical
from ..backends.ops import methods as ops
from .base import ArrayBase, is_detached
from .reductions import Reductions
from .selection import Selection

if TYPE_CHECKING:
    from .._typing import ArrayLike, DTypeLike, Shape

__all__ = ["Methods"]

_Order = Literal["C", "F", "A", "K"]



_ORDER_FLAGS: Final = {"C": "C", "F": "F", "A": "FORC"}


def _unpacked(items: tuple[Any, ...]) -> Any:
    """Take ``f(2, 3)`` and ``f((2, 3))`` for the same."""
    return items[0] if len(items) == 1 else items


class Methods(Reductions, Selection, ArrayBase):
    """The methods of an ndarray, with NumPy's signatures and meaning."""

    __slots__ = ()

    def reshape(self, *shape: Shape, order: Literal["C", "F", "A"] = "C", copy: bool | None = None) -> Self:
        """Give another shape, to a view where the memory allows it. See `numpy.ndarray.reshape`."""
        if order == "C" and copy is None:
            return self._applied(manipulation.reshape, self, _unpacked(shape))
        return self._applied(manipulation.reshape, self, _unpacked(shape), order=order, copy=copy)

    def ravel(self, order: _Order = "C") -> Self:
        """Flatten, to a view where the memory allows it. See `numpy.ndarray.ravel`."""
        return self._applied(manipulation.ravel, self, order)

    def flatten(self, order: _Order = "C") -> Self:
        """Copy into one dimension. See `numpy.ndarray.flatten`."""
        op = manipulation.ravel if is_detached(self._value) else manipulation.flatten
        return self._applied(op, self, order)

    def transpose(self, *axes: Any) -> Self:
        """View with the axes in another order. See `numpy.ndarray.transpose`."""
        return self._applied(manipulation.transpose, self, _unpacked(axes) if axes else None)

    def swapaxes(self, axis1: int, axis2: int) -> Self:
        """View with two axes swapped. See `numpy.ndarray.swapaxes`."""
        return self._applied(manipulation.swapaxes, self, axis1, axis2)

    def squeeze(self, axis: int | tuple[int, ...] | None = None) -> Self:
        """View without axes of length 1. See `numpy.ndarray.squeeze`."""
        return self._applied(manipulation.squeeze, self, axis)

    def repeat(self, repeats: int | ArrayLike, axis: int | None = None) -> Self:
        """Repeat each element. See `numpy.ndarray.repeat`."""
        return self._applied(manipulation.repeat, self, repeats, axis)

    def resize(self, *new_shape: Shape, refcheck: bool = True) -> None:
        """Change shape and size in place: cut, or filled up with zeros. See `numpy.ndarray.resize`."""
        shape = _unpacked(new_shape)
        if not new_shape or shape is None:
            return
        shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        if self._value.base is not None or is_detached(self._value):
            raise ValueError("this Array does not own its memory and cannot be resized; trnarray.resize makes a new one")
        if refcheck and sys.getrefcount(self._value) > 2:
            raise ValueError(
                "this Array cannot be resized as something else looks at its memory; "
                "make a new one with trnarray.resize, or pass refcheck=False to leave them the old memory"
            )
        self._value = self._applied(ops.resized, self, shape)._value

    def astype(
        self,
        dtype: DTypeLike,
        order: _Order = "K",
        casting: Literal["no", "equiv", "safe", "same_kind", "unsafe"] = "unsafe",
        subok: bool = True,  # noqa: ARG002
        copy: bool = True,
    ) -> Self:
        """Convert to another dtype. See `numpy.ndarray.astype`."""
        target = canonical_dtype(dtype)
        if not copy and target == self._value.dtype and (order == "K" or self._value.flags[_ORDER_FLAGS[order]]):
            return self
        return self._applied(ops.astype, self, target, order, casting)

    def copy(self, order: _Order = "C") -> Self:
        """Copy. See `numpy.ndarray.copy`."""
        return self._applied(ops.copy, self, order)

    def view(self, dtype: DTypeLike = None, type: type | None = None) -> Self:
        """View the same memory, as another dtype if one is given. See `numpy.ndarray.view`."""
        cls = self.__class__
        if type is not None and type is not cls:
            raise TypeError(f"type must be Array, but is {type!r}; give a dtype as the first argument, convert with numpy.asarray")
        return self._applied(ops.view, self, self._value.dtype if dtype is None or dtype is cls else native_dtype(dtype))

    def byteswap(self, inplace: bool = False) -> Self:
        """Reverse the bytes of each element, which keeps its dtype. See `numpy.ndarray.byteswap`."""
        if not inplace:
            return self._applied(ops.byteswap, self, False)
        self._write(ops.byteswap, True)
        return self

    def fill(self, value: Any) -> None:
        """Write a value to all elements. See `numpy.ndarray.fill`."""
        self._write(ops.fill, value)

    def clip(self, min: ArrayLike | None = None, max: ArrayLike | None = None, out: Self | None = None, **kwargs: Any) -> Self:
        """Limit the elements. See `numpy.ndarray.clip`."""
        return self._applied(elementwise.clip, self, min, max, out=out, **kwargs)

    def round(self, decimals: int = 0, out: Self | None = None) -> Self:
        """Round, halves to even. See `numpy.ndarray.round`."""
        return self._applied(mathematical.round, self, decimals, out=out)

    def conjugate(self) -> Self:
        """Conjugate complex elements. See `numpy.ndarray.conjugate`."""
        return self._applied(elementwise.conjugate, self) if self._value.dtype.kind == "c" else self

    def conj(self) -> Self:
        """Conjugate complex elements. See `numpy.ndarray.conj`."""
        return self.conjugate()

    def dot(self, other: ArrayLike, out: Self | None = None) -> Self:
        """Multiply matrices, or vectors to their inner product. See `numpy.ndarray.dot`."""
        return self._applied(linalg.dot, self, other, out=out)

    def item(self, *args: Any) -> Any:
        """Give one element as a Python number. See `numpy.ndarray.item`."""
        return self._host().item(*args)

    def tolist(self) -> Any:
        """Give all elements as nested lists of Python numbers. See `numpy.ndarray.tolist`."""
        return self._host().tolist()

    def tobytes(self, order: _Order = "C") -> bytes:
        """Give the bytes of all elements. See `numpy.ndarray.tobytes`."""
        if not isinstance(order, (str, type(None))):
            raise TypeError(f"order must be str, not {type(order).__name__}")
        if self._device is CPU:
            data: bytes = self._value.tobytes(order)
        else:  # the host's copy does not keep the layout that "A" asks about; NumPy takes "K" for "C" here
            data = self.flatten("C" if str(order).upper() == "K" else order)._host().tobytes()
        return data

    def setflags(self, write: bool | None = None, align: bool | None = None, uic: bool | None = None) -> None:
        """Set flags, as ``x.flags`` shows them. See `numpy.ndarray.setflags`."""
        if uic:
            raise ValueError("uic cannot be set: no Array has a copy to write back")
        self._value.setflags(write=write, align=align)  # NumPy lets go of the base, and its memory, on uic=False
