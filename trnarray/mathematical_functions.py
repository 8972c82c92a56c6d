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
    """
    Give the real part.

    Parameters
    ----------
    val : array_like
        The array.

    Returns
    -------
    Array
        A view; the array's own elements if it is real.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.real(xp.asarray([1 + 2j, 3]))
    Array([1., 3.], dtype=float64, device='cpu')
    """
    return apply(ops.real, as_operand(val))


def imag(val: ArrayLike) -> Array:
    """
    Give the imaginary part.

    Parameters
    ----------
    val : array_like
        The array.

    Returns
    -------
    Array
        A view; zeros, read-only, if the array is real.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.imag(xp.asarray([1 + 2j, 3]))
    Array([2., 0.], dtype=float64, device='cpu')
    """
    return apply(ops.imag, as_operand(val))


def angle(z: ArrayLike, deg: bool = False) -> Array:
    """
    Compute the angle of complex numbers.

    Parameters
    ----------
    z : array_like
        The numbers.
    deg : bool, optional
        Whether to give degrees and not radians.

    Returns
    -------
    Array
        The angle, counterclockwise from the positive real axis, in (-pi, pi].

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.angle([1, 1j, -1], deg=True)
    Array([  0.,  90., 180.], dtype=float64, device='cpu')
    """
    return apply(ops.angle, z, deg)


def real_if_close(a: ArrayLike, tol: float = 100) -> Array:
    """
    Drop the imaginary part if it is negligible.

    Parameters
    ----------
    a : array_like
        The array.
    tol : float, optional
        What is negligible: in multiples of the dtype's epsilon if above 1, else absolute.

    Returns
    -------
    Array
        The real part if all imaginary parts are below `tol`, else the array.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.real_if_close([1 + 1e-15j])
    Array([1.], dtype=float64, device='cpu')
    """
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
    """
    Limit elements to an interval.

    Parameters
    ----------
    a : array_like
        The array.
    min, max : array_like, optional
        The least and the greatest value; None is no limit.
    out : Array, optional
        Where to write the result.
    a_min, a_max : array_like, optional
        NumPy's first names of `min` and `max`.
    **kwargs
        ``where``, ``dtype`` and ``casting``, as NumPy's ufuncs take them.

    Returns
    -------
    Array
        The elements, those outside replaced by the limit; `max` where the limits are in the wrong order.

    Raises
    ------
    TypeError
        If a limit is given under both names.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.clip(xp.arange(5), 1, max=3)
    Array([1, 1, 2, 3, 3], dtype=int64, device='cpu')
    """
    if kwargs.get("dtype") is not None:
        kwargs["dtype"] = canonical_dtype(kwargs["dtype"])
    if out is not None:
        kwargs["out"] = out
    return apply(elementwise.clip, a, _limit("min", min, a_min), _limit("max", max, a_max), **kwargs)


def round(a: ArrayLike, decimals: int = 0, out: Array | None = None) -> Array:
    """
    Round to a number of decimals, halves to even.

    Parameters
    ----------
    a : array_like
        The array; of complex numbers both parts are rounded.
    decimals : int, optional
        The number of decimals; negative ones are places before the point.
    out : Array, optional
        Where to write the result.

    Returns
    -------
    Array
        The rounded values.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.round(xp.asarray([0.5, 1.5, 2.5]))
    Array([0., 2., 2.], dtype=float64, device='cpu')
    """
    if out is None:
        return apply(ops.round, a, decimals)
    return apply(ops.round, a, decimals, out=out)


around = round


def fix(x: ArrayLike, out: Array | None = None) -> Array:
    """
    Round towards zero, as `trunc` does.

    Parameters
    ----------
    x : array_like
        The array.
    out : Array, optional
        Where to write the result.

    Returns
    -------
    Array
        The rounded values.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.fix([1.7, -1.7])
    Array([ 1., -1.], dtype=float64, device='cpu')
    """
    return apply(elementwise.trunc, x) if out is None else apply(elementwise.trunc, x, out=out)


def nan_to_num(x: ArrayLike, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Array:
    """
    Replace NaN and infinities by numbers.

    Parameters
    ----------
    x : array_like
        The array; of complex numbers both parts are looked at.
    copy : bool, optional
        Whether to leave the array as it is, and not to write to it.
    nan : array_like, optional
        What replaces NaN.
    posinf, neginf : array_like, optional
        What replaces the infinities; by default the largest finite number of the dtype, and its negative.

    Returns
    -------
    Array
        A copy with the replacements, or `x` itself.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.nan_to_num(xp.asarray([xp.nan, 1.0, xp.inf]), posinf=9)
    Array([0., 1., 9.], dtype=float64, device='cpu')
    """
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
    """
    Compute ``sin(pi x) / (pi x)``.

    Parameters
    ----------
    x : array_like
        The argument.

    Returns
    -------
    Array
        The value, 1 at 0.

    Examples
    --------
    >>> import trnarray as xp
    >>> float(xp.sinc(0))
    1.0
    """
    return apply(ops.sinc, x)


def i0(x: ArrayLike) -> Array:
    """
    Compute the modified Bessel function of the first kind and order 0.

    Parameters
    ----------
    x : array_like
        The argument, real.

    Returns
    -------
    Array
        The value.

    Examples
    --------
    >>> import trnarray as xp
    >>> float(xp.i0(0.0))
    1.0
    """
    return apply(ops.i0, x)


def isclose(a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-5, atol: ArrayLike = 1e-8, equal_nan: bool = False) -> Array:
    """
    Tell where two arrays are nearly equal: where ``abs(a - b) <= atol + rtol * abs(b)``.

    Parameters
    ----------
    a, b : array_like
        The arrays.
    rtol, atol : array_like, optional
        The relative and the absolute tolerance.
    equal_nan : bool, optional
        Whether NaN equals NaN.

    Returns
    -------
    Array
        One answer for each pair of elements.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.isclose([1.0, 2.0], [1.0 + 1e-9, 2.1])
    Array([ True, False], dtype=bool, device='cpu')
    """
    return apply(ops.isclose, a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


def allclose(a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-5, atol: ArrayLike = 1e-8, equal_nan: bool = False) -> bool:
    """
    Tell whether two arrays are nearly equal everywhere.

    Parameters
    ----------
    a, b : array_like
        The arrays.
    rtol, atol : array_like, optional
        The relative and the absolute tolerance, as in `isclose`.
    equal_nan : bool, optional
        Whether NaN equals NaN.

    Returns
    -------
    bool
        The answer.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.allclose([1.0, 2.0], [1.0, 2.0 + 1e-9])
    True
    """
    return bool(Array._apply(ops.allclose, a, b, rtol=rtol, atol=atol, equal_nan=equal_nan))


def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> bool:
    """
    Tell whether two arrays have the same shape and the same elements.

    Parameters
    ----------
    a1, a2 : array_like
        The arrays.
    equal_nan : bool, optional
        Whether NaN equals NaN.

    Returns
    -------
    bool
        The answer.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.array_equal([1, 2], [1, 2, 3])
    False
    """
    return bool(Array._apply(ops.array_equal, a1, a2, equal_nan))


def array_equiv(a1: ArrayLike, a2: ArrayLike) -> bool:
    """
    Tell whether two arrays have the same elements once they are broadcast to one shape.

    Parameters
    ----------
    a1, a2 : array_like
        The arrays.

    Returns
    -------
    bool
        The answer; False where they do not broadcast.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.array_equiv([1, 2], [[1, 2], [1, 2]])
    True
    """
    return bool(Array._apply(ops.array_equiv, a1, a2))


def _limit(name: str, numpy_value: Any, standard_value: Any) -> Any:
    if numpy_value is _NO_VALUE:
        return None if standard_value is _NO_VALUE else standard_value
    if standard_value is not _NO_VALUE:
        raise TypeError(f"clip() got both a_{name} and {name}, two names of one limit; give one of them")
    return numpy_value
