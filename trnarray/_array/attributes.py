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
        """
        The length of each dimension; assignment reshapes in place.

        Returns
        -------
        tuple of int
            The lengths.

        Examples
        --------
        >>> import trnarray as xp
        >>> x = xp.zeros(6)
        >>> x.shape = (2, -1)
        >>> x.shape
        (2, 3)
        """
        shape: tuple[int, ...] = self._value.shape
        return shape

    @shape.setter
    def shape(self, shape: Shape) -> None:
        if shape is None:
            raise TypeError("a shape is an integer or a sequence of integers, and is None here; use () for no axes")
        self._value = self._view(manipulation.reshape, shape, copy=False)._value

    @property
    def dtype(self) -> np.dtype[Any]:
        """
        The dtype of the elements; assignment reads the same bytes as another dtype.

        Returns
        -------
        numpy.dtype
            The dtype.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.zeros(2, dtype=xp.float32).dtype
        dtype('float32')
        """
        dtype: np.dtype[Any] = self._value.dtype
        return dtype

    @dtype.setter
    def dtype(self, dtype: DTypeLike) -> None:
        self._value = self._view(methods.view, native_dtype(dtype))._value

    @property
    def ndim(self) -> int:
        """
        The number of dimensions.

        Returns
        -------
        int
            The number.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.zeros((2, 3)).ndim
        2
        """
        ndim: int = self._value.ndim
        return ndim

    @property
    def size(self) -> int:
        """
        The number of elements.

        Returns
        -------
        int
            The number.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.zeros((2, 3)).size
        6
        """
        size: int = self._value.size
        return size

    @property
    def itemsize(self) -> int:
        """
        The number of bytes of one element.

        Returns
        -------
        int
            The number.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.zeros(3, dtype=xp.bfloat16).itemsize
        2
        """
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """
        The number of bytes of all elements.

        Returns
        -------
        int
            The number.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.zeros((2, 3)).nbytes
        48
        """
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """
        The number of bytes from one element to the next, along each dimension.

        Returns
        -------
        tuple of int
            The steps.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.zeros((2, 3)).T.strides
        (8, 24)
        """
        strides: tuple[int, ...] = self._value.strides
        return strides

    @property
    def flags(self) -> Any:
        """
        How the elements lie in memory, and whether they may be written.

        Returns
        -------
        numpy.flagsobj
            NumPy's own: ``x.flags.writeable = False`` protects the Array.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.zeros((2, 3)).T.flags.f_contiguous
        True
        """
        return self._value.flags

    @property
    def base(self) -> Any:
        """
        Whose memory this Array looks at.

        Returns
        -------
        Array, or the object that owns the memory, or None
            None for an Array that owns its elements.

        Examples
        --------
        >>> import trnarray as xp
        >>> x = xp.zeros(4)
        >>> x[1:].base is x, x.base
        (True, None)
        """
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
        Where the elements are.

        Returns
        -------
        Device
            The device, a string.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.zeros(2).device
        Device('cpu')
        """
        return self._device

    @property
    def T(self) -> Self:  # noqa: N802  # the standard's name
        """
        A view with the order of all dimensions reversed.

        Returns
        -------
        Array
            The transpose.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.zeros((2, 3)).T.shape
        (3, 2)
        """
        return self._view(manipulation.transpose)

    @property
    def mT(self) -> Self:  # noqa: N802  # the standard's name
        """
        A view of the last two dimensions transposed.

        Returns
        -------
        Array
            The transposed matrices.

        Raises
        ------
        ValueError
            If there are fewer than two dimensions.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.zeros((5, 2, 3)).mT.shape
        (5, 3, 2)
        """
        if self.ndim < 2:
            raise ValueError(f"mT needs two dimensions at least, and this Array has shape {self.shape}; add one with x[:, None]")
        return self._view(linalg.matrix_transpose)

    @property
    def real(self) -> Self:
        """
        The real parts: a view of complex elements, else the Array itself; assignment writes them.

        Returns
        -------
        Array
            The real parts.

        Examples
        --------
        >>> import trnarray as xp
        >>> z = xp.asarray([1 + 2j, 3 + 4j])
        >>> z.real = 0
        >>> z
        Array([0.+2.j, 0.+4.j], dtype=complex128, device='cpu')
        """
        return self._view(mathematical.real) if self.dtype.kind == "c" else self

    @real.setter
    def real(self, values: Any) -> None:
        self._write(methods.set_real, values)

    @property
    def imag(self) -> Self:
        """
        The imaginary parts: a view of complex elements, else read-only zeros; assignment writes them.

        Returns
        -------
        Array
            The imaginary parts.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.asarray([1 + 2j, 3 + 4j]).imag
        Array([2., 4.], dtype=float64, device='cpu')
        """
        return self._view(mathematical.imag)

    @imag.setter
    def imag(self, values: Any) -> None:
        if self.dtype.kind != "c":
            raise TypeError(f"an Array of dtype {self.dtype} has no imaginary part to assign to; make it complex with x.astype(complex)")
        self._write(methods.set_imag, values)

    @property
    def flat(self) -> FlatIterator:
        """
        The elements in row-major order, as an iterator that can be indexed; assignment writes them.

        Returns
        -------
        FlatIterator
            The iterator.

        Examples
        --------
        >>> import trnarray as xp
        >>> x = xp.zeros((2, 2))
        >>> x.flat = [1, 2]
        >>> x.flat[1:3]
        Array([2., 1.], dtype=float64, device='cpu')
        """
        return FlatIterator(self)

    @flat.setter
    def flat(self, values: Any) -> None:
        FlatIterator(self)[...] = values

    def to_device(self, device: Device | str, /, *, stream: None = None) -> Self:
        """
        Move to a device.

        Parameters
        ----------
        device : Device or str
            The device to move to.
        stream : None, optional
            Must be None: no device has streams.

        Returns
        -------
        Array
            The Array itself where it is on that device, else its copy there.

        Raises
        ------
        ValueError
            If there is no such device, or a stream is given.

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
