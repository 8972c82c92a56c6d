"""scipy.fft on Arrays, and the backend through which scipy.fft itself computes on them.

With `import trnarray` this module is registered as a backend of scipy.fft: ``scipy.fft.fft(x)`` of an Array comes here, in
every thread, and of an ndarray goes to SciPy as ever, also after ``scipy.fft.set_global_backend(trnarray.scipy.fft)``.
``scipy.fft.set_backend(trnarray.scipy.fft, coerce=True)`` takes ndarrays and sequences too. `offload` makes a backend that takes ndarrays
and gives ndarrays. Results are Arrays and have the precision of the operand; real results of float16, bfloat16 and float8
are computed in float32 and rounded once to the operand's dtype.

Large transforms use all CPUs of the process. ``workers=`` and `set_workers` decide otherwise; after a ``set_workers``
block its thread keeps what SciPy restores, one worker.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

import numpy as np

from .. import fft as ours
from .._apply import apply
from .._array import Array
from .._fft_docstrings import document
from ..array_conversion import asarray
from ..backends.ops.fft import TRANSFORMS
from ..backends.shape import checked_axes
from ..fft import fftshift, ifftshift
from ._fft_offload import OffloadTimes, is_global, offload, scipys, with_lists

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from .._typing import ArrayLike, DeviceLike

__all__ = [
    "OffloadTimes",
    "dct",
    "dctn",
    "dst",
    "dstn",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "fht",
    "fhtoffset",
    "get_workers",
    "hfft",
    "hfft2",
    "hfftn",
    "idct",
    "idctn",
    "idst",
    "idstn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ifht",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "next_fast_len",
    "offload",
    "prev_fast_len",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
    "set_workers",
]

__ua_domain__: Final = "numpy.scipy.fft"

Norm: TypeAlias = Literal["backward", "ortho", "forward"] | None
Lengths: TypeAlias = Sequence[int] | int | None
Type: TypeAlias = Literal[1, 2, 3, 4]
_COERCIBLE: Final = frozenset({np.ndarray, list, tuple})


def __ua_convert__(dispatchables: Sequence[Any], coerce: bool) -> Any:  # noqa: N807  # uarray's name
    """Take the operand, or leave it to the next backend."""
    (operand,) = dispatchables
    value = operand.value
    if type(value) is Array:
        return (value,)
    if coerce and type(value) in _COERCIBLE:
        return (asarray(value),)
    return (value,) if is_global(sys.modules[__name__]) else NotImplemented


def __ua_function__(method: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:  # noqa: N807  # uarray's name
    """Compute a transform that scipy.fft was called for."""
    op = TRANSFORMS.get(method.__name__)
    if op is None:
        return NotImplemented
    if not any(type(item) is Array for item in (*args[:1], *kwargs.values())):  # this is the global backend: nobody is asked after it
        return scipys(method.__name__, args, kwargs)
    given, named = with_lists(args, kwargs)
    return apply(op, *given, **named)


class _Transform(Protocol):
    def __call__(
        self, x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None, overwrite_x: bool = False,
        workers: int | None = None, *, plan: None = None,
    ) -> Array: ...  # fmt: skip


class _TransformND(Protocol):
    def __call__(
        self, x: ArrayLike, s: Lengths = None, axes: Lengths = None, norm: Norm = None, overwrite_x: bool = False,
        workers: int | None = None, *, plan: None = None,
    ) -> Array: ...  # fmt: skip


class _RealTransform(Protocol):
    def __call__(
        self, x: ArrayLike, type: Type = 2, n: int | None = None, axis: int = -1, norm: Norm = None, overwrite_x: bool = False,
        workers: int | None = None, orthogonalize: bool | None = None,
    ) -> Array: ...  # fmt: skip


class _RealTransformND(Protocol):
    def __call__(
        self, x: ArrayLike, type: Type = 2, s: Lengths = None, axes: Lengths = None, norm: Norm = None,
        overwrite_x: bool = False, workers: int | None = None, orthogonalize: bool | None = None,
    ) -> Array: ...  # fmt: skip


def _one_dimensional(name: str) -> _Transform:
    op = TRANSFORMS[name]

    def transform(
        x: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None, overwrite_x: bool = False,
        workers: int | None = None, *, plan: None = None,
    ) -> Array:  # fmt: skip
        return apply(op, x, checked_axes(n), axis, norm, overwrite_x, workers, plan=plan)

    document(transform, name, "scipy.fft")
    return transform


def _multidimensional(name: str) -> _TransformND:
    op = TRANSFORMS[name]
    default_axes = (-2, -1) if name.endswith("2") else None

    def transform(
        x: ArrayLike, s: Lengths = None, axes: Lengths = default_axes, norm: Norm = None, overwrite_x: bool = False,
        workers: int | None = None, *, plan: None = None,
    ) -> Array:  # fmt: skip
        return apply(op, x, checked_axes(s), checked_axes(axes), norm, overwrite_x, workers, plan=plan)

    document(transform, name, "scipy.fft")
    return transform


def _real_one_dimensional(name: str) -> _RealTransform:
    op = TRANSFORMS[name]

    def transform(
        x: ArrayLike, type: Type = 2, n: int | None = None, axis: int = -1, norm: Norm = None, overwrite_x: bool = False,
        workers: int | None = None, orthogonalize: bool | None = None,
    ) -> Array:  # fmt: skip
        return apply(op, x, type, checked_axes(n), axis, norm, overwrite_x, workers, orthogonalize)

    document(transform, name, "scipy.fft")
    return transform


def _real_multidimensional(name: str) -> _RealTransformND:
    op = TRANSFORMS[name]

    def transform(
        x: ArrayLike, type: Type = 2, s: Lengths = None, axes: Lengths = None, norm: Norm = None,
        overwrite_x: bool = False, workers: int | None = None, orthogonalize: bool | None = None,
    ) -> Array:  # fmt: skip
        return apply(op, x, type, checked_axes(s), checked_axes(axes), norm, overwrite_x, workers, orthogonalize)

    document(transform, name, "scipy.fft")
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
hfft2 = _multidimensional("hfft2")
ihfft2 = _multidimensional("ihfft2")
fftn = _multidimensional("fftn")
ifftn = _multidimensional("ifftn")
rfftn = _multidimensional("rfftn")
irfftn = _multidimensional("irfftn")
hfftn = _multidimensional("hfftn")
ihfftn = _multidimensional("ihfftn")
dct = _real_one_dimensional("dct")
idct = _real_one_dimensional("idct")
dst = _real_one_dimensional("dst")
idst = _real_one_dimensional("idst")
dctn = _real_multidimensional("dctn")
idctn = _real_multidimensional("idctn")
dstn = _real_multidimensional("dstn")
idstn = _real_multidimensional("idstn")


def fht(a: ArrayLike, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0) -> Array:
    """Compute the fast Hankel transform of logarithmically spaced samples. See `scipy.fft.fht`."""
    return apply(TRANSFORMS["fht"], a, dln, mu, offset, bias)


def ifht(A: ArrayLike, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0) -> Array:
    """Compute the inverse of `fht`. See `scipy.fft.ifht`."""
    return apply(TRANSFORMS["ifht"], A, dln, mu, offset, bias)


def _namespace(xp: Any) -> Any:
    fft = ours if xp is None else getattr(xp, "fft", None)
    if not hasattr(fft, "rfftfreq"):
        raise TypeError(f"xp= takes a namespace that has fft, such as numpy or trnarray, but got {type(xp).__name__}")
    return fft


def fftfreq(n: int, d: float = 1.0, *, xp: Any = None, device: DeviceLike = None) -> Any:
    """List the sample frequencies of a discrete Fourier transform. See `scipy.fft.fftfreq`."""
    return _namespace(xp).fftfreq(n, d=d, device=device)


def rfftfreq(n: int, d: float = 1.0, *, xp: Any = None, device: DeviceLike = None) -> Any:
    """List the sample frequencies of a discrete Fourier transform of real data. See `scipy.fft.rfftfreq`."""
    return _namespace(xp).rfftfreq(n, d=d, device=device)


def next_fast_len(target: int, real: bool = False) -> int:
    """Find the next length at which transforms are fast. See `scipy.fft.next_fast_len`."""
    return int(_scipy_fft().next_fast_len(target, real))


def prev_fast_len(target: int, real: bool = False) -> int:
    """Find the last length at which transforms are fast. See `scipy.fft.prev_fast_len`."""
    if hasattr(_scipy_fft(), "prev_fast_len"):
        return int(_scipy_fft().prev_fast_len(target, real))
    while next_fast_len(target, real) != target:  # SciPy before 1.14
        target -= 1
    return target


def fhtoffset(dln: float, mu: float, initial: float = 0.0, bias: float = 0.0) -> float:
    """Find an offset at which `fht` rings little. See `scipy.fft.fhtoffset`."""
    return float(_scipy_fft().fhtoffset(dln, mu, initial, bias))


def set_workers(workers: int) -> AbstractContextManager[None]:
    """Set the number of threads for a block; scipy.fft's own setting. See `scipy.fft.set_workers`."""
    context: AbstractContextManager[None] = _scipy_fft().set_workers(workers)
    return context


def get_workers() -> int:
    """Tell what `set_workers` set. See `scipy.fft.get_workers`."""
    return int(_scipy_fft().get_workers())


def _scipy_fft() -> Any:
    import scipy.fft

    return scipy.fft


if TYPE_CHECKING:
    from .._passthrough.stubs.fft import *
else:
    from .._passthrough.modules import passed_through

    __getattr__, __dir__ = passed_through(__name__)
