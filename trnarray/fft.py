"""Discrete Fourier transforms: the standard's ``fft`` extension and all of numpy.fft, under NumPy's signatures.

Results have the precision of the operand: complex64 for float32, complex128 for float64 and integers. float16, bfloat16
and float8 are transformed in float32: complex results are complex64, real ones are rounded once to the operand's dtype.
``precision=``, ``target_forward_error=`` and ``return_info=`` are those of `trnarray.linalg.matmul`.
Transforms of 2**17 elements and more are SciPy's and use all CPUs of the process; ``scipy.fft.set_workers`` limits them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from ._apply import apply
from ._array import Array
from ._fft_docstrings import document
from ._placement import choose_device, create
from ._transform_accuracy import computed
from ._typing import ArrayLike, DeviceLike, DTypeLike
from .backends.dtypes import canonical_dtype
from .backends.ops import fft as ops
from .backends.shape import checked_axes

if TYPE_CHECKING:
    from .backends.op import Op
    from .backends.precision import Precision

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

Norm: TypeAlias = Literal["backward", "ortho", "forward"] | None
Axes: TypeAlias = Sequence[int] | None
_LAST_TWO: Final = (-2, -1)


class _Transform(Protocol):
    def __call__(
        self, a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None, out: Array | None = None, *,
        precision: Precision | None = None, target_forward_error: float | None = None, return_info: bool = False,
    ) -> Any: ...  # fmt: skip


class _TransformND(Protocol):
    def __call__(
        self, a: ArrayLike, s: Axes = None, axes: Axes = None, norm: Norm = None, out: Array | None = None, *,
        precision: Precision | None = None, target_forward_error: float | None = None, return_info: bool = False,
    ) -> Any: ...  # fmt: skip


def _one_dimensional(name: str) -> _Transform:
    op = ops.NUMPY[name]

    def transform(
        a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None, out: Array | None = None, *,
        precision: Precision | None = None, target_forward_error: float | None = None, return_info: bool = False,
    ) -> Any:  # fmt: skip
        if precision is not None or target_forward_error is not None or return_info:
            return computed(op, a, (checked_axes(n), axis, norm), out, precision, target_forward_error, return_info)
        n = checked_axes(n)
        return apply(op, a, n, axis, norm) if out is None else apply(op, a, n, axis, norm, out=out)

    document(transform, name, "numpy.fft")
    return transform


def _multidimensional(name: str) -> _TransformND:
    op = ops.NUMPY[name]
    default_axes = _LAST_TWO if name.endswith("2") else None

    def transform(
        a: ArrayLike, s: Axes = None, axes: Axes = default_axes, norm: Norm = None, out: Array | None = None, *,
        precision: Precision | None = None, target_forward_error: float | None = None, return_info: bool = False,
    ) -> Any:  # fmt: skip
        if precision is not None or target_forward_error is not None or return_info:
            return computed(op, a, (checked_axes(s), checked_axes(axes), norm), out, precision, target_forward_error, return_info)
        s, axes = checked_axes(s), checked_axes(axes)
        return apply(op, a, s, axes, norm) if out is None else apply(op, a, s, axes, norm, out=out)

    document(transform, name, "numpy.fft")
    return transform


fft = _one_dimensional("fft")
ifft = _one_dimensional("ifft")
rfft = _one_dimensional("rfft")
irfft = _one_dimensional("irfft")
hfft = _one_dimensional("hfft")
ihfft = _one_dimensional("ihfft")
fft2 = _multidimensional("fft2")
ifft2 = _multidimensional("ifft2")
rfft2 = _multidimensional("rfft2")
irfft2 = _multidimensional("irfft2")
fftn = _multidimensional("fftn")
ifftn = _multidimensional("ifftn")
rfftn = _multidimensional("rfftn")
irfftn = _multidimensional("irfftn")


def fftfreq(n: int, d: float = 1.0, device: DeviceLike = None, *, dtype: DTypeLike = None) -> Array:
    """
    List the sample frequencies of a discrete Fourier transform. See `numpy.fft.fftfreq`.

    Parameters
    ----------
    dtype : dtype, optional
        A real floating-point dtype; by default float64.
    """
    return _frequencies(ops.fftfreq, n, d, device, dtype)


def rfftfreq(n: int, d: float = 1.0, device: DeviceLike = None, *, dtype: DTypeLike = None) -> Array:
    """
    List the sample frequencies of a discrete Fourier transform of real data. See `numpy.fft.rfftfreq`.

    Parameters
    ----------
    dtype : dtype, optional
        A real floating-point dtype; by default float64.
    """
    return _frequencies(ops.rfftfreq, n, d, device, dtype)


def _frequencies(op: Op, n: int, d: float, device: DeviceLike, dtype: DTypeLike) -> Array:
    kwargs = {} if dtype is None else {"dtype": canonical_dtype(dtype)}
    result: Array = create(op, choose_device(device), n, d=d, **kwargs)
    return result


def fftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Array:
    """Move the zero frequency to the centre of a spectrum. See `numpy.fft.fftshift`."""
    return apply(ops.fftshift, x, checked_axes(axes))


def ifftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Array:
    """Move the zero frequency from the centre of a spectrum back to its beginning. See `numpy.fft.ifftshift`."""
    return apply(ops.ifftshift, x, checked_axes(axes))
