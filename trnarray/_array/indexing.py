"""Indexing, iteration and conversion to Python scalars."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, Self

from ..backends.dtypes import FIRST_EXTRA
from ..backends.ops import indexing as ops
from ..backends.ops import mathematical
from .base import ArrayBase

__all__ = ["Indexing"]

class Indexing(ArrayBase):
    """
    ``x[key]`` and ``x[key] = value`` as NumPy has them.

    Basic indexing gives views; full integer indexing and iteration give detached 0-d Arrays (``x[i, ...]`` is a view);
    integer and boolean arrays give copies.
    """

    __slots__ = ()

    def __getitem__(self, key: Any, /) -> Self:
        result: Self = self._apply(ops.getitem, self, key)
        return result

    def __setitem__(self, key: Any, value: Any, /) -> None:
        self._write(ops.setitem, key, value)

    def __delitem__(self, key: Any, /) -> None:
        raise ValueError("cannot delete array elements; use trnarray.delete, which makes a new Array")

    def __iter__(self) -> Iterator[Self]:
        if self._value.ndim == 0:
            raise TypeError("cannot iterate over a 0-d Array; use x.item() for its value or x.reshape(1) for one element")
        return map(self.__getitem__, range(len(self._value)))

    def __len__(self) -> int:
        return len(self._value)

    def __contains__(self, value: Any, /) -> bool:
        equal: Any = self == value
        return equal if isinstance(equal, bool) else bool(equal.any())  # False where `value` is of a foreign type

    def __bool__(self) -> bool:
        return bool(self._scalar())

    def __int__(self) -> int:
        return int(self._real_number("int"))

    def __float__(self) -> float:
        return float(self._real_number("float"))

    def __complex__(self) -> complex:
        return complex(self._number("complex"))

    def __trunc__(self) -> int:
        return int(self)

    def __round__(self, ndigits: int | None = None, /) -> Any:
        value = self._real_number("a rounded number")
        if ndigits is not None:
            return self._applied(mathematical.round, self, ndigits)
        return int(value) if value.dtype.kind in "biu" else round(float(value))

    def __index__(self) -> int:
        return operator.index(self._scalar())

    def __format__(self, spec: str, /) -> str:
        if self._value.ndim == 0:
            value = self._scalar()[()]
            return format(float(value) if spec and value.dtype.num >= FIRST_EXTRA else value, spec)  # ml_dtypes' scalars know no formats
        if spec:
            raise TypeError(
                f"format {spec!r} is for 0-d Arrays and this one has shape {self._value.shape}; "
                "format its elements, or use trnarray.array2string"
            )
        return str(self)

    def _scalar(self) -> Any:
        """Bring a small value to the host for a Python scalar: a synchronisation, not an implicit array transfer."""
        return self._host()

    def _number(self, kind: str) -> Any:
        if self._value.ndim:
            raise TypeError(f"only 0-d Arrays convert to {kind}, and this one has shape {self._value.shape}; index one element of it")
        return self._scalar()

    def _real_number(self, kind: str) -> Any:
        if self._value.dtype.kind == "c":
            raise TypeError(f"an Array of dtype {self._value.dtype} does not convert to {kind}; take x.real or abs(x) first")
        return self._number(kind)
