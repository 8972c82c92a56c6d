"""Polynomials, given by their coefficients from the highest power down.

Where an operand is a `poly1d`, so is the result.
"""

from __future__ import annotations

from typing import Any

from ._apply import apply, apply_for_tuple
from ._array import Array
from ._typing import ArrayLike
from .backends.op import Op
from .backends.ops import polynomials as ops
from .polynomial_class import poly1d

__all__ = [
    "poly",
    "poly1d",
    "polyadd",
    "polyder",
    "polydiv",
    "polyfit",
    "polyint",
    "polymul",
    "polysub",
    "polyval",
    "roots",
]


def _coefficients(value: Any) -> Any:
    return value.coeffs if isinstance(value, poly1d) else value


def _combined(op: Op, *polynomials: Any, **parameters: Any) -> Any:
    """Apply an Op to polynomials, and give objects for objects."""
    result = apply(op, *map(_coefficients, polynomials), **parameters)
    return poly1d(result) if any(isinstance(p, poly1d) for p in polynomials) else result


def poly(seq_of_zeros: ArrayLike) -> Array:
    """Make the polynomial that has given roots, or the characteristic polynomial of a matrix. See `numpy.poly`."""
    return apply(ops.poly, seq_of_zeros)


def roots(p: Any) -> Array:
    """Find the roots of a polynomial, as eigenvalues of its companion matrix. See `numpy.roots`."""
    return apply(ops.roots, _coefficients(p))


def polyval(p: Any, x: Any) -> Any:
    """Compute the values of a polynomial. See `numpy.polyval`."""
    return poly1d(p)(x) if isinstance(x, poly1d) else apply(ops.polyval, _coefficients(p), x)


def polyadd(a1: Any, a2: Any) -> Any:
    """Add two polynomials. See `numpy.polyadd`."""
    return _combined(ops.polyadd, a1, a2)


def polysub(a1: Any, a2: Any) -> Any:
    """Subtract one polynomial from another. See `numpy.polysub`."""
    return _combined(ops.polysub, a1, a2)


def polymul(a1: Any, a2: Any) -> Any:
    """Multiply two polynomials. See `numpy.polymul`."""
    return _combined(ops.polymul, a1, a2)


def polydiv(u: Any, v: Any) -> tuple[Any, Any]:
    """Divide one polynomial by another. See `numpy.polydiv`."""
    quotient, remainder = apply_for_tuple(ops.polydiv, _coefficients(u), _coefficients(v))
    if isinstance(u, poly1d) or isinstance(v, poly1d):
        return poly1d(quotient), poly1d(remainder)
    return quotient, remainder


def polyder(p: Any, m: int = 1) -> Any:
    """Differentiate a polynomial. See `numpy.polyder`."""
    return _combined(ops.polyder, p, m=m)


def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """Integrate a polynomial. See `numpy.polyint`."""
    return _combined(ops.polyint, p, m=m, k=k)


def polyfit(
    x: ArrayLike,
    y: ArrayLike,
    deg: int,
    rcond: float | None = None,
    full: bool = False,
    w: ArrayLike | None = None,
    cov: bool | str = False,
) -> Any:
    """Fit a polynomial to points by least squares. See `numpy.polyfit`."""
    return Array._apply(ops.polyfit, x, y, deg, rcond=rcond, full=full, w=w, cov=cov)
