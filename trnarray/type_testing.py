"""Questions about elements and about what holds them: real or complex, infinite, scalar."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._apply import apply
from ._array import Array
from ._array.base import is_detached
from ._typing import ArrayLike
from .backends.ops import predicates as ops
from .existing_data import asarray

__all__ = ["iscomplex", "iscomplexobj", "isneginf", "isposinf", "isreal", "isrealobj", "isscalar"]


def iscomplex(x: ArrayLike) -> Array:
    """
    Tell which elements have an imaginary part that is not zero.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    Array
        One answer for each element.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.iscomplex([1 + 1j, 1 + 0j, 4.5])
    Array([ True, False, False], dtype=bool, device='cpu')
    """
    return apply(ops.iscomplex, x)


def isreal(x: ArrayLike) -> Array:
    """
    Tell which elements have no imaginary part, or a zero one.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    Array
        One answer for each element.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.isreal([1 + 1j, 1 + 0j, 4.5])
    Array([False,  True,  True], dtype=bool, device='cpu')
    """
    return apply(ops.isreal, x)


def iscomplexobj(x: Any) -> bool:
    """
    Tell whether an array or a number is of a complex type, whatever its values.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    bool
        The answer.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.iscomplexobj([3, 1 + 0j]), xp.iscomplexobj(xp.ones(2))
    (True, False)
    """
    if type(x) is Array or isinstance(x, (list, tuple)):
        return asarray(x).dtype.kind == "c"
    return bool(np.iscomplexobj(x))


def isrealobj(x: Any) -> bool:
    """
    Tell whether an array or a number is not of a complex type, whatever its values.

    Parameters
    ----------
    x : array_like
        The array.

    Returns
    -------
    bool
        The answer.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.isrealobj([3, 1 + 0j]), xp.isrealobj(xp.ones(2))
    (False, True)
    """
    return not iscomplexobj(x)


def isneginf(x: ArrayLike, out: Array | None = None) -> Array:
    """
    Tell which elements are negative infinity.

    Parameters
    ----------
    x : array_like
        The array, not complex.
    out : Array, optional
        Where to write the result.

    Returns
    -------
    Array
        One answer for each element.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.isneginf([-xp.inf, 0.0, xp.inf])
    Array([ True, False, False], dtype=bool, device='cpu')
    """
    return apply(ops.isneginf, x) if out is None else apply(ops.isneginf, x, out=out)


def isposinf(x: ArrayLike, out: Array | None = None) -> Array:
    """
    Tell which elements are positive infinity.

    Parameters
    ----------
    x : array_like
        The array, not complex.
    out : Array, optional
        Where to write the result.

    Returns
    -------
    Array
        One answer for each element.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.isposinf([-xp.inf, 0.0, xp.inf])
    Array([False, False,  True], dtype=bool, device='cpu')
    """
    return apply(ops.isposinf, x) if out is None else apply(ops.isposinf, x, out=out)


def isscalar(element: Any) -> bool:
    """
    Tell whether an object is a scalar: a number, a text, or a detached 0-d Array, which stands for a NumPy scalar.

    Parameters
    ----------
    element : object
        The object.

    Returns
    -------
    bool
        The answer; False for a 0-d Array that looks at memory.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.ones(2)
    >>> xp.isscalar(3.1), xp.isscalar(x[0]), xp.isscalar(x[0, ...])
    (True, True, False)
    """
    return is_detached(element._value) if type(element) is Array else np.isscalar(element)
