"""Discrete Fourier transforms and their kin on the host, in the operand's precision: NumPy's, and SciPy's with threads where these pay.

SciPy is imported at the first transform of its own, or of so many elements. Its implementations are called below its dispatch, which
would only lead back here, and which costs as much as a short transform.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .workers import THRESHOLD, default_workers, is_large

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    import numpy.typing as npt

__all__ = ["hankel", "multidimensional", "of_numpy", "one_dimensional", "real_multidimensional", "real_one_dimensional", "scipy_only"]

Transform = Callable[..., Any]
_LAST_TWO: Final = (-2, -1)
_found: Final[dict[str, Transform]] = {}


def one_dimensional(name: str) -> Transform:
    """Make a transform along one axis."""

    def transform(
        x: Any, n: Any = None, axis: int = -1, norm: Any = None, overwrite_x: bool = False, workers: Any = None,
        *, plan: Any = None, out: Any = None,
    ) -> Any:  # fmt: skip
        if n is not None and n < 1:  # SciPy's irfft and hfft let 0 pass
            raise ValueError(f"invalid number of data points ({n}) specified; give a length of at least 1")
        if out is not None:
            x = _in_precision_of(out, x)
        if workers is None:
            workers = default_workers(x, n, axis)
        result = (_found.get(name) or _find(name))(x, n, axis, norm, overwrite_x, workers, plan=plan)
        return result if out is None else _copy_to(out, result)

    return transform


def multidimensional(name: str, default_axes: Any = None) -> Transform:
    """Make a transform along several axes."""

    def transform(
        x: Any, s: Any = None, axes: Any = default_axes, norm: Any = None, overwrite_x: bool = False, workers: Any = None,
        *, plan: Any = None, out: Any = None,
    ) -> Any:  # fmt: skip
        if out is not None:
            x = _in_precision_of(out, x)
        if not isinstance(x, np.ndarray):
            x = np.asarray(x)  # in SciPy before 1.14, some take ndarrays only
        if workers is None:
            workers = default_workers(x, s, axes)
        result = (_found.get(name) or _find(name))(x, s, axes, norm, overwrite_x, workers, plan=plan)
        return result if out is None else _copy_to(out, result)

    return transform


def of_numpy(name: str) -> Transform:
    """Take a transform of NumPy's, and SciPy's threads for large ones, which need SciPy's import."""
    function: Transform = getattr(np.fft, name)
    if name.endswith(("n", "2")):
        return _of_numpy_along_axes(function, multidimensional(name), _LAST_TWO if name.endswith("2") else None, name.startswith("irfft"))
    threaded = one_dimensional(name)

    def transform(a: Any, n: Any = None, axis: int = -1, norm: Any = None, out: Any = None) -> Any:
        if (n is None or isinstance(n, int)) and is_large(a, n, axis):
            return threaded(a, n, axis, norm, out=out)
        if out is None:
            return function(a, n, axis, norm)
        return _copy_to(out, function(_in_precision_of(out, a), n, axis, norm))

    return transform


def _of_numpy_along_axes(function: Transform, threaded: Transform, default_axes: Any, to_real: bool) -> Transform:
    def transform(a: Any, s: Any = None, axes: Any = default_axes, norm: Any = None, out: Any = None) -> Any:
        large = np.size(a) >= THRESHOLD if s is None else prod(length for length in s if length not in (None, -1)) >= THRESHOLD
        if large and not _only_in_numpy(a, s, axes, to_real):
            return threaded(a, s, axes, norm, out=out)
        if out is None:
            return function(a, s, axes, norm)
        return _copy_to(out, function(_in_precision_of(out, a), s, axes, norm))  # which ifft2 of NumPy 2.0 ignored

    return transform


def _only_in_numpy(a: Any, s: Any, axes: Any, to_real: bool) -> bool:
    """
    Tell whether SciPy refuses a call or reads it otherwise.

    That is so for lengths without axes or of None, for an axis given twice, and for one frequency alone, which stands for real
    data of length 0: NumPy refuses it.
    """
    if s is not None and (axes is None or None in s):
        return True
    shape = np.shape(a)
    ndim = len(shape)
    axes = (-1,) if axes is None else tuple(axes)
    if ndim and len({axis % ndim for axis in axes}) < len(axes):
        return True
    return to_real and s is None and len(axes) > 0 and -ndim <= axes[-1] < ndim and shape[axes[-1]] == 1


def real_one_dimensional(name: str) -> Transform:
    """Make a sine or cosine transform along one axis."""

    def transform(
        x: Any, type: int = 2, n: Any = None, axis: int = -1, norm: Any = None, overwrite_x: bool = False,
        workers: Any = None, orthogonalize: bool | None = None,
    ) -> Any:  # fmt: skip
        if workers is None:
            workers = default_workers(x, n, axis)
        return (_found.get(name) or _find(name))(x, type, n, axis, norm, overwrite_x, workers, orthogonalize=orthogonalize)

    return transform


def real_multidimensional(name: str) -> Transform:
    """Make a sine or cosine transform along several axes."""

    def transform(
        x: Any, type: int = 2, s: Any = None, axes: Any = None, norm: Any = None, overwrite_x: bool = False,
        workers: Any = None, orthogonalize: bool | None = None,
    ) -> Any:  # fmt: skip
        if workers is None:
            workers = default_workers(x, s, axes)
        return (_found.get(name) or _find(name))(x, type, s, axes, norm, overwrite_x, workers, orthogonalize=orthogonalize)

    return transform


def hankel(name: str) -> Transform:
    """Make a Hankel transform."""

    def transform(a: Any, *args: Any, **kwargs: Any) -> Any:
        function = _found.get(name) or _find(name, ("_fftlog_backend",))
        with _only_scipy():  # for it calls rfft and irfft by their public names
            return function(np.asarray(a), *args, **kwargs)

    return transform


def scipy_only(name: str) -> Transform:
    """Take a function of scipy.fft past any backend but SciPy's own."""
    import scipy.fft

    function = getattr(scipy.fft, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        with _only_scipy():
            return function(*args, **kwargs)

    return call


def _only_scipy() -> AbstractContextManager[None]:
    import scipy.fft

    context: AbstractContextManager[None] = scipy.fft.set_backend("scipy", only=True)
    return context


def _find(name: str, modules: tuple[str, ...] = ("_basic_backend", "_realtransforms_backend")) -> Transform:
    """Find what scipy.fft's own backend calls; where this version of SciPy keeps it elsewhere, go through the front door."""
    import scipy.fft

    for module in modules:
        function: Transform | None = getattr(getattr(scipy.fft, module, None), name, None)
        if callable(function):
            break
    else:
        function = scipy_only(name)
    return _found.setdefault(name, function)


def _in_precision_of(out: Any, x: Any) -> Any:
    """Widen the operand where the output is wider: NumPy computes in the precision of both."""
    single = isinstance(out, np.ndarray) and out.dtype.char in "dD" and np.asarray(x).dtype.char in "fF"
    return np.multiply(x, 1.0, dtype=np.result_type(x, np.float64)) if single else x


def _copy_to(out: Any, result: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an Array, not {type(out).__name__}")
    if out.shape != result.shape:
        raise ValueError(f"output array has wrong shape {out.shape}; the result has {result.shape}")
    np.copyto(out, result, casting="same_kind")
    return out
