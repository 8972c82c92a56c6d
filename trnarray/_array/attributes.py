"""The attributes of Array: what it looks like, where it is, and its other views."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NoReturn, Self

import numpy as np

from ..backends.device import Device, parse_device
from ..backends.dtypes import native_dtype
from ..backends.engine import engine_for
from ..backends.ops import linalg, manipulation, mathematical, methods
from .base import ArrayBase, is_view
from .flat import FlatIterator
from .table import OTHER_ATTRIBUTES, RAISES

if TYPE_CHECKING:
    from .._typing import DTypeLike, Shape

__all__ = ["API_VERSIONS", "Attributes"]

API_VERSIONS: Final = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
"""The revisions of the Array API standard whose namespace this is: each one contains the ones before."""


class Attributes(ArrayBase):
    """The attributes of an ndarray, and the two methods that say where an Array belongs."""

    __slots__ = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension; assignment reshapes in place. See `numpy.ndarray.shape`."""
        shape: tuple[int, ...] = self._value.shape
        return shape

    @shape.setter
    def shape(self, shape: Shape) -> None:
        if shape is None:
            raise TypeError("a shape is an integer or a sequence of integers, and is None here; use () for no axes")
        self._value = self._applied(manipulation.reshape, self, shape, copy=False)._value

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the elements; assignment reads the same bytes as another dtype. See `numpy.ndarray.dtype`."""
        dtype: np.dtype[Any] = self._value.dtype
        return dtype

    @dtype.setter
    def dtype(self, dtype: DTypeLike) -> None:
        self._value = self._applied(methods.view, self, native_dtype(dtype))._value

    @property
    def ndim(self) -> int:
        """The number of dimensions. See `numpy.ndarray.ndim`."""
        ndim: int = self._value.ndim
        return ndim

    @property
    def size(self) -> int:
        """The number of elements. See `numpy.ndarray.size`."""
        size: int = self._value.size
        return size

    @property
    def itemsize(self) -> int:
        """
        The number of bytes of one element. See `numpy.ndarray.itemsize`.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.zeros(3, dtype=xp.bfloat16).itemsize
        2
        """
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The number of bytes of all elements. See `numpy.ndarray.nbytes`."""
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """The number of bytes from one element to the next, along each dimension. See `numpy.ndarray.strides`."""
        strides: tuple[int, ...] = self._value.strides
        return strides

    @property
    def flags(self) -> Any:
        """How the elements lie in memory, and whether they may be written. See `numpy.ndarray.flags`."""
        return self._value.flags

    @property
    def base(self) -> Any:
        """Whose memory this Array looks at. See `numpy.ndarray.base`."""
        owner = self._value.base
        if owner is None:
            return None
        if self._base is None or not is_view(self._value, self._base._value):
            if not isinstance(owner, engine_for(self._device).values):
                return owner  # a buffer of another library or of the system
            wrapped: Any = self._wrap(owner, self._device)
            self._base = wrapped
        return self._base

    @property
    def device(self) -> Device:
        """
        Where the elements are. See `numpy.ndarray.device`.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.zeros(2).device
        Device('cpu')
        """
        return self._device

    @property
    def T(self) -> Self:  # noqa: N802  # the standard's name
        """A view with the order of all dimensions reversed. See `numpy.ndarray.T`."""
        return self._applied(manipulation.transpose, self)

    @property
    def mT(self) -> Self:  # noqa: N802  # the standard's name
        """A view of the last two dimensions transposed. See `numpy.ndarray.mT`."""
        if self.ndim < 2:
            raise ValueError(f"mT needs two dimensions at least, and this Array has shape {self.shape}; add one with x[:, None]")
        return self._applied(linalg.matrix_transpose, self)

    @property
    def real(self) -> Self:
        """
        The real parts: a view of complex elements, else the Array itself; assignment writes them.

        See `numpy.ndarray.real`.
        """
        return self._applied(mathematical.real, self) if self.dtype.kind == "c" else self

    @real.setter
    def real(self, values: Any) -> None:
        self._write(methods.set_real, values)

    @property
    def imag(self) -> Self:
        """
        The imaginary parts: a view of complex elements, else read-only zeros; assignment writes them.

        See `numpy.ndarray.imag`.
        """
        return self._applied(mathematical.imag, self)

    @imag.setter
    def imag(self, values: Any) -> None:
        if self.dtype.kind != "c":
            raise TypeError(f"an Array of dtype {self.dtype} has no imaginary part to assign to; make it complex with x.astype(complex)")
        self._write(methods.set_imag, values)

    @property
    def flat(self) -> FlatIterator:
        """
        The elements in row-major order, as an iterator that can be indexed; assignment writes them.

        See `numpy.ndarray.flat`.
        """
        return FlatIterator(self)

    @flat.setter
    def flat(self, values: Any) -> None:
        FlatIterator(self)[...] = values

    def to_device(self, device: Device | str, /, *, stream: None = None) -> Self:
        """
        Move to a device. See `numpy.ndarray.to_device`.

        Examples
        --------
        >>> import trnarray as xp
        >>> x = xp.zeros(2)
        >>> x.to_device("cpu") is x
        True
        """
        if stream is not None:
            raise ValueError(f"stream must be None, since no device has streams; got {stream!r}")
        target = parse_device(device)
        if target is self._device:
            return self
        engine = engine_for(target)
        host = engine_for(self._device).to_host(self._value, copy=False)
        return self._wrap(engine.from_host(host, copy=True), target)

    def __getattr__(self, name: str) -> NoReturn:
        reason = RAISES.get(name) or OTHER_ATTRIBUTES.get(name)
        why = f": {reason}" if reason else ""
        raise AttributeError(f"Array has no attribute {name!r}{why}", name=name, obj=self)

    def __array_namespace__(self, /, *, api_version: str | None = None) -> ModuleType:
        if api_version is not None and api_version not in API_VERSIONS:
            raise ValueError(f"api_version {api_version!r} is unknown; trnarray implements {', '.join(API_VERSIONS)}")
        return sys.modules[__name__.partition(".")[0]]
