"""Discrete Fourier transforms: the standard's ``fft`` extension and all of numpy.fft, under NumPy's signatures.

Results have the precision of the operand: complex64 for float32, complex128 for float64 and integers. float16, bfloat16
and float8 are transformed in float32: complex results are complex64, real ones are rounded once to the operand's dtype.
Large transforms use all CPUs of the process; ``scipy.fft.set_workers`` limits them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

import numpy as np

from ._apply import apply
from ._array import Array
from ._fft_docstrings import document
from ._placement import choose_device, create
from ._typing import ArrayLike, DeviceLike, DTypeLike
from .backends.dtypes import canonical_dtype
from .backends.ops import fft as ops
from .backends.shape import MAX_DIMS

if TYPE_CHECKING:
    from .backends.op import Op

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
        self, a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None, out: Array | None = None
    ) -> Array: ...


class _TransformND(Protocol):
    def __call__(
        self, a: ArrayLike, s: Axes = None, axes: Axes = None, norm: Norm = None, out: Array | None = None
    ) -> Array: ...


def _one_dimensional(name: str) -> _Transform:
    op = ops.TRANSFORMS[name]

    def transform(a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None, out: Array | None = None) -> Array:
        return apply(op, a, n, axis, norm) if out is None else apply(op, a, n, axis, norm, out=out)

    document(transform, name, "xp.fft")
    return transform


def _multidimensional(name: str) -> _TransformND:
    op, numpy_op = ops.TRANSFORMS[name], ops.NUMPY[name]
    default_axes = _LAST_TWO if name.endswith("2") else None
    to_real = name.startswith("irfft")

    def transform(
        a: ArrayLike, s: Axes = None, axes: Axes = default_axes, norm: Norm = None, out: Array | None = None
    ) -> Array:
        kwargs: dict[str, Any] = {} if out is None else {"out": out}
        return apply(numpy_op if _only_in_numpy(a, s, axes, to_real) else op, a, s, axes, norm, **kwargs)

    document(transform, name, "xp.fft")
    return transform


def _only_in_numpy(a: Any, s: Any, axes: Any, to_real: bool) -> bool:
    """
    Tell whether SciPy refuses a call or reads it otherwise.

    That is so for lengths without axes or of None, for an axis given twice, and for one frequency alone, which stands for real
    data of length 0: NumPy refuses it.
    """
    if s is not None and (axes is None or None in islice(s, MAX_DIMS + 1)):
        return True
    axes = (-1,) if axes is None else axes if isinstance(axes, tuple) else tuple(islice(axes, MAX_DIMS + 1))
    if len(axes) > MAX_DIMS:
        raise ValueError(f"arrays have at most {MAX_DIMS} axes, and more are given; name each once")
    shape = a.shape if isinstance(a, Array) else np.shape(a)
    ndim = len(shape)
    if axes is not _LAST_TWO and ndim and len({axis % ndim for axis in axes}) < len(axes):
        return True
    return to_real and s is None and len(axes) > 0 and -ndim <= axes[-1] < ndim and shape[axes[-1]] == 1


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
    List the sample frequencies of a discrete Fourier transform.

    Parameters
    ----------
    n : int
        The length of the transform.
    d : float, optional
        The sample spacing.
    device : Device or str, optional
        Where to put them; by default on the default device.
    dtype : dtype, optional
        A real floating-point dtype; by default float64.

    Returns
    -------
    Array
        The frequencies in the order of the transform: zero, the positive and then the negative ones.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.fft.fftfreq(4)
    Array([ 0.  ,  0.25, -0.5 , -0.25], dtype=float64, device='cpu')
    """
    return _frequencies(ops.fftfreq, n, d, device, dtype)


def rfftfreq(n: int, d: float = 1.0, device: DeviceLike = None, *, dtype: DTypeLike = None) -> Array:
    """
    List the sample frequencies of a discrete Fourier transform of real data.

    Parameters
    ----------
    n : int
        The length of the data.
    d : float, optional
        The sample spacing.
    device : Device or str, optional
        Where to put them; by default on the default device.
    dtype : dtype, optional
        A real floating-point dtype; by default float64.

    Returns
    -------
    Array
        The frequencies, from zero up.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.fft.rfftfreq(4)
    Array([0.  , 0.25, 0.5 ], dtype=float64, device='cpu')
    """
    return _frequencies(ops.rfftfreq, n, d, device, dtype)


def _frequencies(op: Op, n: int, d: float, device: DeviceLike, dtype: DTypeLike) -> Array:
    kwargs = {} if dtype is None else {"dtype": canonical_dtype(dtype)}
    result: Array = create(op, choose_device(device), n, d=d, **kwargs)
    return result


def fftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Array:
    """
    Move the zero frequency to the centre of a spectrum.

    Parameters
    ----------
    x : array_like
        The spectrum.
    axes : int or sequence of int, optional
        The axes to shift; by default all.

    Returns
    -------
    Array
        The shifted spectrum, a copy.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.fft.fftshift([0, 1, 2, -2, -1])
    Array([-2, -1,  0,  1,  2], dtype=int64, device='cpu')
    """
    return apply(ops.fftshift, x, axes)


def ifftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Array:
    """
    Move the zero frequency from the centre of a spectrum back to its beginning.

    Parameters
    ----------
    x : array_like
        The spectrum.
    axes : int or sequence of int, optional
        The axes to shift; by default all.

    Returns
    -------
    Array
        The shifted spectrum, a copy.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.fft.ifftshift([-2, -1, 0, 1, 2])
    Array([ 0,  1,  2, -2, -1], dtype=int64, device='cpu')
    """
    return apply(ops.ifftshift, x, axes)
