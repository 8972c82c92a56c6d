"""Elementary functions of complex arguments where NumPy is inaccurate or misses a value that the standard prescribes.

All others (exp, log, sqrt, the trigonometric functions and the inverses) come from the C library, whose special values
are C99's and so the standard's. complex64 is computed in complex128 and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import HostArray
from .ufunc_call import deliver

__all__ = ["acosh", "expm1", "log1p", "sign", "tanh"]

_Array = HostArray

_FIRST_COMPLEX = 14  # NumPy's number of complex64
_VELTKAMP = 2.0**27 + 1  # splits a double into two halves whose products are exact

_SECTIONS = """
Parameters
----------
x : ndarray or scalar
    The argument.
out : ndarray or tuple of ndarray, optional
    Where to write the result.
**kwargs
    As NumPy's ufuncs take them.

Returns
-------
ndarray or NumPy scalar
    The value.
"""


def _on_complex(ufunc: np.ufunc) -> Callable[[Callable[[_Array], _Array]], Callable[..., Any]]:
    """Make the ufunc that is NumPy's on real arguments and the decorated function on complex ones."""

    def decorate(function: Callable[[_Array], _Array]) -> Callable[..., Any]:
        def call(x: Any, /, out: Any = None, **kwargs: Any) -> Any:
            if not (_is_complex(x) or ("dtype" in kwargs and np.dtype(kwargs["dtype"]).kind == "c")):
                return ufunc(x, out=out, **kwargs)
            if "dtype" in kwargs:
                x = np.positive(x, dtype=kwargs.pop("dtype"), casting=kwargs.get("casting", "same_kind"))
            if "where" in kwargs:
                x = np.where(kwargs["where"], x, 1)
            return deliver(function(np.asarray(x)), out, kwargs)

        call.__name__ = call.__qualname__ = function.__name__
        call.__module__ = function.__module__
        call.__doc__ = (function.__doc__ or "").replace("\n    ", "\n").rstrip() + f"\n{_SECTIONS}"
        return call

    return decorate


def _is_complex(x: Any) -> bool:
    return x.dtype.num >= _FIRST_COMPLEX if isinstance(x, (np.ndarray, np.generic)) else type(x) is complex


def _in_double(function: Callable[[_Array], _Array]) -> Callable[[_Array], _Array]:
    """Compute in complex128 and round to the argument's dtype."""

    def call(z: _Array) -> _Array:
        return function(z.astype(np.complex128, copy=False)).astype(z.dtype, copy=False)

    call.__name__, call.__doc__ = function.__name__, function.__doc__
    return call


@_on_complex(np.expm1)
@_in_double
def expm1(z: _Array) -> _Array:
    """
    Compute exp(x) - 1.

    The error of a complex result is below 2 machine epsilons of its modulus, without spurious overflow (NumPy:
    infinite or nan where only exp(real(x)) is). Special values are the standard's, ``expm1(-inf + nan*1j)`` being
    ``-1 + 0j`` and ``expm1(-0.0 + 0j)`` being ``0 + 0j``.
    """
    w = np.exp(z, out=np.empty_like(z))
    w.real -= 1
    small = np.abs(z.real) <= 0.5
    if small.any():  # no cancellation between exp(x) cos(y) and 1
        x, y = z.real[small], z.imag[small]
        w.real[small] = np.expm1(x) * np.cos(y) - 2 * np.sin(y / 2) ** 2 + 0.0  # the last makes -0.0 the 0.0 that is asked for
    return w


@_on_complex(np.log1p)
@_in_double
def log1p(z: _Array) -> _Array:
    """
    Compute log(1 + x).

    Both parts of a complex result are right to 2 machine epsilons, also where the real part cancels, on the circle
    ``abs(1 + x) == 1`` (NumPy: 0 for ``real(log1p(1e-20 + 1e-20j))``).
    """
    w = np.empty_like(z)
    np.add(z.real, 1, out=w.real)
    w.imag = z.imag
    np.log(w, out=w)
    near = np.abs(w.real) <= 0.5
    if near.any():
        w.real[near] = 0.5 * np.log1p(_squared_modulus_excess(z.real[near], z.imag[near]))
    return w


def _squared_modulus_excess(x: _Array, y: _Array) -> _Array:
    """Compute (1+x)² + y² - 1 = 2x + x² + y² to full relative accuracy."""
    squares = x * x + y * y
    excess: _Array = 2 * x + squares
    cancels = np.abs(excess) < squares
    if cancels.any():
        x, y = x[cancels], y[cancels]
        terms = [*_exact_square(y), *_exact_square(x), 2 * x]
        # T. Ogita, S. M. Rump, S. Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26 (2005): as if summed in
        # fourfold precision, which the smallest possible nonzero excess, about 2**-106, does not exhaust.
        for _ in range(3):
            for i in range(1, len(terms)):
                terms[i], terms[i - 1] = _exact_sum(terms[i], terms[i - 1])
        excess[cancels] = (terms[0] + terms[1] + terms[2] + terms[3]) + terms[4]
    return excess


def _exact_sum(a: _Array, b: _Array) -> tuple[_Array, _Array]:
    """Give the rounded sum and its rounding error."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _exact_square(a: _Array) -> tuple[_Array, _Array]:
    """Give the rounding error of the square and the rounded square."""
    square = a * a
    scaled = _VELTKAMP * a
    high = scaled - (scaled - a)
    low = a - high
    return (high * high - square + 2 * high * low) + low * low, square


@_on_complex(np.tanh)
def tanh(z: _Array) -> _Array:
    """
    Compute the hyperbolic tangent.

    NumPy's, except that the imaginary part at an infinite real part is a zero of the argument's sign and not C's
    ``0 * sin(2*imag(x))``.
    """
    w = np.tanh(z, out=np.empty_like(z))
    infinite = np.isinf(z.real)
    if infinite.any():
        w.imag[infinite] = np.copysign(0, z.imag[infinite])
    return w


@_on_complex(np.arccosh)
def acosh(z: _Array) -> _Array:
    """
    Compute the inverse hyperbolic cosine.

    NumPy's, except that the value at ``0 + nan*1j`` is ``nan + pi/2*1j`` whatever C library NumPy was built with.
    """
    w = np.arccosh(z, out=np.empty_like(z))
    special = np.isnan(w.imag)
    if special.any():
        w.imag[special & (z.real == 0) & np.isnan(z.imag)] = np.pi / 2
    return w


@_on_complex(np.sign)
def sign(z: _Array) -> _Array:
    """
    Compute x / abs(x), or 0 for 0.

    NumPy's, except where abs(x) overflows (NumPy: ``1j`` for ``1.5e308 + 1.5e308j``) or is subnormal (NumPy: ``1 + 1j`` for
    ``5e-324 + 5e-324j``).
    """
    limits = np.finfo(z.dtype)
    larger = np.maximum(np.abs(z.real), np.abs(z.imag))
    small = (larger < limits.tiny) & (larger > 0)
    extreme = small | ((larger > limits.max / 2) & np.isfinite(larger))
    if extreme.any():  # scaling by a power of two is exact and changes no sign
        scale = np.where(extreme, np.where(small, 1 / limits.eps, 0.25), 1).astype(limits.dtype)
        z = z.copy()
        z.real *= scale
        z.imag *= scale
    return np.sign(z, out=np.empty_like(z))
