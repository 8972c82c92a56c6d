"""Mathematical functions that are no ufuncs: parts of complex numbers, rounding, clipping, special functions."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ._apply import apply
from ._array import Array
from ._operand import as_operand, as_operands
from ._typing import ArrayLike
from .backends.device import CPU
from .backends.dtypes import canonical_dtype, is_low_precision
from .backends.ops import elementwise
from .backends.ops import mathematical as ops

__all__ = [
    "allclose",
    "angle",
    "around",
    "array_equal",
    "array_equiv",
    "clip",
    "fix",
    "i0",
    "imag",
    "isclose",
    "nan_to_num",
    "real",
    "real_if_close",
    "round",
    "sinc",
]

_NO_VALUE: Final[Any] = np._NoValue


def real(val: ArrayLike) -> Array:
    """Give the real part. See `numpy.real`."""
    return apply(ops.real, as_operand(val))


def imag(val: ArrayLike) -> Array:
    """Give the imaginary part. See `numpy.imag`."""
    return apply(ops.imag, as_operand(val))


def angle(z: ArrayLike, deg: bool = False) -> Array:
    """Compute the angle of complex numbers. See `numpy.angle`."""
    return apply(ops.angle, z, deg)


def real_if_close(a: ArrayLike, tol: float = 100) -> Array:
    """Drop the imaginary part if it is negligible. See `numpy.real_if_close`."""
    return apply(ops.real_if_close, a, tol)


def clip(
    a: ArrayLike,
    min: Any = _NO_VALUE,
    max: Any = _NO_VALUE,
    out: Array | None = None,
    *,
    a_min: Any = _NO_VALUE,
    a_max: Any = _NO_VALUE,
    **kwargs: Any,
) -> Array:
    """Limit elements to an interval. See `numpy.clip`."""
    if kwargs.get("dtype") is not None:
        kwargs["dtype"] = canonical_dtype(kwargs["dtype"])
    if out is not None:
        kwargs["out"] = out
    return apply(elementwise.clip, a, _limit("min", min, a_min), _limit("max", max, a_max), **kwargs)


def round(a: ArrayLike, decimals: int = 0, out: Array | None = None) -> Array:
    """Round to a number of decimals, halves to even. See `numpy.around`."""
    if out is None:
        return apply(ops.round, a, decimals)
    return apply(ops.round, a, decimals, out=out)


around = round


def fix(x: ArrayLike, out: Array | None = None) -> Array:
    """Round towards zero, as `trunc` does. See `numpy.fix`."""
    return apply(elementwise.trunc, x) if out is None else apply(elementwise.trunc, x, out=out)


def nan_to_num(x: ArrayLike, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Array:
    """Replace NaN and infinities by numbers. See `numpy.nan_to_num`."""
    target = x
    x, nan, posinf, neginf = as_operands(x, nan, posinf, neginf)
    x = as_operand(x)
    if not copy and type(target) is np.ndarray and x.device is not CPU:
        raise Array._no_target("nan_to_num", x.device)
    if is_low_precision(x.dtype):  # which is computed in float32
        from .backends.limits import finfo

        largest = finfo(x.dtype).max
        posinf = largest if posinf is None else posinf
        neginf = -largest if neginf is None else neginf
    result = apply(ops.nan_to_num, x, nan=nan, posinf=posinf, neginf=neginf)
    if copy:
        return result
    x[...] = result
    return x


def sinc(x: ArrayLike) -> Array:
    """Compute ``sin(pi x) / (pi x)``. See `numpy.sinc`."""
    return apply(ops.sinc, x)


def i0(x: ArrayLike) -> Array:
    """Compute the modified Bessel function of the first kind and order 0. See `numpy.i0`."""
    return apply(ops.i0, x)


def isclose(a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-5, atol: ArrayLike = 1e-8, equal_nan: bool = False) -> Array:
    """
    Tell where two arrays are nearly equal: where ``abs(a - b) <= atol + rtol * abs(b)``.

    See `numpy.isclose`.
    """
    return apply(ops.isclose, a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


def allclose(a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-5, atol: ArrayLike = 1e-8, equal_nan: bool = False) -> bool:
    """Tell whether two arrays are nearly equal everywhere. See `numpy.allclose`."""
    return bool(Array._apply(ops.allclose, a, b, rtol=rtol, atol=atol, equal_nan=equal_nan))


def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> bool:
    """Tell whether two arrays have the same shape and the same elements. See `numpy.array_equal`."""
    return bool(Array._apply(ops.array_equal, a1, a2, equal_nan))


def array_equiv(a1: ArrayLike, a2: ArrayLike) -> bool:
    """
    Tell whether two arrays have the same elements once they are broadcast to one shape.

    See `numpy.array_equiv`.
    """
    return bool(Array._apply(ops.array_equiv, a1, a2))


def _limit(name: str, numpy_value: Any, standard_value: Any) -> Any:
    if numpy_value is _NO_VALUE:
        return None if standard_value is _NO_VALUE else standard_value
    if standard_value is not _NO_VALUE:
        raise TypeError(f"clip() got both a_{name} and {name}, two names of one limit; give one of them")
    return numpy_value
