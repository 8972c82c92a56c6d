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
    """
    Make the polynomial that has given roots, or the characteristic polynomial of a matrix.

    Parameters
    ----------
    seq_of_zeros : array_like
        The roots, or a square matrix.

    Returns
    -------
    Array
        The coefficients, the first one 1; real where complex roots come in pairs.

    Raises
    ------
    ValueError
        If it is neither 1-d nor a square matrix.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.poly([1, 2])
    Array([ 1., -3.,  2.], dtype=float64, device='cpu')
    """
    return apply(ops.poly, seq_of_zeros)


def roots(p: Any) -> Array:
    """
    Find the roots of a polynomial, as eigenvalues of its companion matrix.

    Parameters
    ----------
    p : array_like or poly1d
        The coefficients.

    Returns
    -------
    Array
        The roots, complex where one of them is.

    Raises
    ------
    ValueError
        If the coefficients are not 1-d.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.roots([1, -3, 2])
    Array([2., 1.], dtype=float64, device='cpu')
    """
    return apply(ops.roots, _coefficients(p))


def polyval(p: Any, x: Any) -> Any:
    """
    Compute the values of a polynomial.

    Parameters
    ----------
    p : array_like or poly1d
        The coefficients.
    x : array_like or poly1d
        The argument.

    Returns
    -------
    Array or poly1d
        The values, in the shape of `x`.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.polyval([1, -3, 2], xp.asarray([0.0, 3.0]))
    Array([2., 2.], dtype=float64, device='cpu')
    """
    return poly1d(p)(x) if isinstance(x, poly1d) else apply(ops.polyval, _coefficients(p), x)


def polyadd(a1: Any, a2: Any) -> Any:
    """
    Add two polynomials.

    Parameters
    ----------
    a1, a2 : array_like or poly1d
        The coefficients.

    Returns
    -------
    Array or poly1d
        The sum.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.polyadd([1, 2], [9, 5, 4])
    Array([9, 6, 6], dtype=int64, device='cpu')
    """
    return _combined(ops.polyadd, a1, a2)


def polysub(a1: Any, a2: Any) -> Any:
    """
    Subtract one polynomial from another.

    Parameters
    ----------
    a1, a2 : array_like or poly1d
        The coefficients.

    Returns
    -------
    Array or poly1d
        The difference.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.polysub([2, 10, -2], [3, 10, -4])
    Array([-1,  0,  2], dtype=int64, device='cpu')
    """
    return _combined(ops.polysub, a1, a2)


def polymul(a1: Any, a2: Any) -> Any:
    """
    Multiply two polynomials.

    Parameters
    ----------
    a1, a2 : array_like or poly1d
        The coefficients.

    Returns
    -------
    Array or poly1d
        The product.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.polymul([1, 2], [1, -2])
    Array([ 1,  0, -4], dtype=int64, device='cpu')
    """
    return _combined(ops.polymul, a1, a2)


def polydiv(u: Any, v: Any) -> tuple[Any, Any]:
    """
    Divide one polynomial by another.

    Parameters
    ----------
    u, v : array_like or poly1d
        The coefficients of the dividend and of the divisor.

    Returns
    -------
    quotient : Array or poly1d
        The quotient.
    remainder : Array or poly1d
        The remainder.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.polydiv([3.0, 5.0, 2.0], [2.0, 1.0])
    (Array([1.5 , 1.75], dtype=float64, device='cpu'), Array([0.25], dtype=float64, device='cpu'))
    """
    quotient, remainder = apply_for_tuple(ops.polydiv, _coefficients(u), _coefficients(v))
    if isinstance(u, poly1d) or isinstance(v, poly1d):
        return poly1d(quotient), poly1d(remainder)
    return quotient, remainder


def polyder(p: Any, m: int = 1) -> Any:
    """
    Differentiate a polynomial.

    Parameters
    ----------
    p : array_like or poly1d
        The coefficients.
    m : int, optional
        How often.

    Returns
    -------
    Array or poly1d
        The derivative.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.polyder([1, 1, 1, 1])
    Array([3, 2, 1], dtype=int64, device='cpu')
    """
    return _combined(ops.polyder, p, m=m)


def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """
    Integrate a polynomial.

    Parameters
    ----------
    p : array_like or poly1d
        The coefficients.
    m : int, optional
        How often.
    k : array_like, optional
        The constants of integration, in order; one number stands for all, 0 by default.

    Returns
    -------
    Array or poly1d
        The antiderivative.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.polyint([2, 1], k=3)
    Array([1., 1., 3.], dtype=float64, device='cpu')
    """
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
    """
    Fit a polynomial to points by least squares.

    Parameters
    ----------
    x : array_like
        Where the points are, 1-d.
    y : array_like
        The values there; of a matrix each column is fitted.
    deg : int
        The highest power.
    rcond : float, optional
        The relative size below which singular values count as zero; by default the number of points times the
        dtype's epsilon.
    full : bool, optional
        Whether to give residuals, rank, singular values and `rcond` too.
    w : array_like, optional
        The weight of each residual before it is squared.
    cov : bool or 'unscaled', optional
        Whether to give the covariance of the coefficients too; unscaled if the weights are reciprocals of known errors.

    Returns
    -------
    Array or tuple
        The coefficients, and what was asked for.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.arange(4)
    >>> xp.round(xp.polyfit(x, x * x - 2, 2), 6) + 0.0
    Array([ 1.,  0., -2.], dtype=float64, device='cpu')
    """
    return Array._apply(ops.polyfit, x, y, deg, rcond=rcond, full=full, w=w, cov=cov)
