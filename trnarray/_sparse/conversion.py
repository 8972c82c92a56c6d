"""The conversions of sparse arrays: to other formats, dtypes and devices, to Arrays, and to SciPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Self

from .._array import Array
from .._typing import DeviceLike, DTypeLike
from ..backends.device import CPU, parse_device
from ..backends.dtypes import KINDS, DType, canonical_dtype, is_low_precision
from ..backends.ops.sparse import FIELDS, METHODS, unpack
from .base import SparseBase, run, to_device, wrap_result

__all__ = ["Conversion", "sparse_dtype"]

_DTYPES: Final = frozenset(dtype for dtype in KINDS if not is_low_precision(dtype))


def sparse_dtype(dtype: DTypeLike) -> DType | None:
    """Check a dtype that a sparse array is to have."""
    if dtype is None:
        return None
    wanted = canonical_dtype(dtype)
    if wanted not in _DTYPES:
        raise ValueError(
            f"trnarray.scipy.sparse does not support dtype {wanted}; sparse arrays have bool, integers, float32, float64, complex64 and "
            "complex128: use float32"
        )
    return wanted


class Conversion(SparseBase):
    """Conversions, with SciPy's signatures and meaning."""

    __slots__ = ()

    def asformat(self, format: str | None, copy: bool = False) -> Any:
        """Convert to a format. See `scipy.sparse.bsr_array.asformat`."""
        if format is not None and format not in FIELDS and format not in ("array", "dense"):
            raise ValueError(f"format {format!r} is unknown: there are {', '.join(FIELDS)}; x.to_scipy() has others")
        return run(METHODS["asformat"], self, format, copy)

    def _astype(self, dtype: DType | None, casting: str, copy: bool) -> Any:
        return run(METHODS["astype"], self, dtype, casting, copy)

    def astype(self, dtype: DTypeLike, casting: str = "unsafe", copy: bool = True) -> Self:
        """Convert to a dtype. See `scipy.sparse.bsr_array.astype`."""
        result: Self = self._astype(sparse_dtype(dtype), casting, copy)
        return result

    def copy(self) -> Self:
        """Copy. See `scipy.sparse.bsr_array.copy`."""
        if self._device is CPU:
            result: Self = run(METHODS["copy"], self)
            return result
        name, shape, parts = self._packed()
        return self._wrap((name, shape, tuple([Array._wrap(part, self._device).copy()._value for part in parts])), self._device)

    def toarray(self, order: str | None = None, out: Array | None = None) -> Array:
        """Convert to an Array, with all its zeros. See `scipy.sparse.bsr_array.toarray`."""
        if isinstance(out, SparseBase):
            raise TypeError("out is an Array, and is a sparse array here; leave it out, or make one with trnarray.zeros")
        if self._device is not CPU:
            if out is None and isinstance(order, str) and order in ("F", "f"):
                return run(METHODS["transpose"], self).toarray().transpose()  # type: ignore[no-any-return]
            held = self._device, self._shape(), self._packed()[2][0].dtype
            if type(out) is Array and order is None and (out.device, out.shape, out.dtype) == held:
                out[...] = self.toarray()
                return out
        result: Array = run(METHODS["toarray"], self, order, out=out)
        return result

    def todense(self, order: str | None = None, out: Array | None = None) -> Array:
        """Convert to an Array, with all its zeros. See `scipy.sparse.bsr_array.todense`."""
        return self.toarray(order, out)

    def to_device(self, device: DeviceLike) -> Self:
        """
        Move to a device.

        Parameters
        ----------
        device : Device or str
            Where it goes.

        Returns
        -------
        sparse array
            The array itself where it is there.

        Examples
        --------
        >>> import trnarray as xp
        >>> xp.scipy.sparse.csr_array(xp.asarray([[0, 1]])).to_device("cpu").device
        Device('cpu')
        """
        target = parse_device(device)
        return self if target is self._device else self._wrap(to_device(self._host(), target), target)

    def to_scipy(self) -> Any:
        """
        Give one of SciPy's sparse arrays.

        Returns
        -------
        scipy.sparse.sparray
            Of the same format: on the cpu the one that this array is made of, and changes to it are seen here; else a copy.

        Examples
        --------
        >>> import trnarray as xp
        >>> type(xp.scipy.sparse.csr_array(xp.asarray([[0, 1]])).to_scipy()).__module__.partition(".")[0]
        'scipy'
        """
        return self._host()

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        format, shape, parts = self._packed()
        return _unpickled, (format, shape, tuple([Array._wrap(part, self._device) for part in parts]))


def _unpickled(format: str, shape: tuple[int, ...], parts: tuple[Array, ...]) -> Any:
    """Make a sparse array of the components of a pickled one, where these are now."""
    packed = format, shape, tuple([part._value for part in parts])
    device = parts[0]._device
    return wrap_result(unpack(packed) if device is CPU else packed, device)
