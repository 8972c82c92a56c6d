"""Questions about elements and about what holds them: real or complex, infinite, scalar."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._apply import apply
from ._array import Array
from ._array.base import is_detached
from ._typing import ArrayLike
from .array_conversion import asarray
from .backends.ops import predicates as ops

__all__ = ["iscomplex", "iscomplexobj", "isneginf", "isposinf", "isreal", "isrealobj", "isscalar"]


def iscomplex(x: ArrayLike) -> Array:
    """Tell which elements have an imaginary part that is not zero. See `numpy.iscomplex`."""
    return apply(ops.iscomplex, x)


def isreal(x: ArrayLike) -> Array:
    """Tell which elements have no imaginary part, or a zero one. See `numpy.isreal`."""
    return apply(ops.isreal, x)


def iscomplexobj(x: Any) -> bool:
    """Tell whether an array or a number is of a complex type, whatever its values. See `numpy.iscomplexobj`."""
    if type(x) is Array or isinstance(x, (list, tuple)):
        return asarray(x).dtype.kind == "c"
    return bool(np.iscomplexobj(x))


def isrealobj(x: Any) -> bool:
    """Tell whether an array or a number is not of a complex type, whatever its values. See `numpy.isrealobj`."""
    return not iscomplexobj(x)


def isneginf(x: ArrayLike, out: Array | None = None) -> Array:
    """Tell which elements are negative infinity. See `numpy.isneginf`."""
    return apply(ops.isneginf, x) if out is None else apply(ops.isneginf, x, out=out)


def isposinf(x: ArrayLike, out: Array | None = None) -> Array:
    """Tell which elements are positive infinity. See `numpy.isposinf`."""
    return apply(ops.isposinf, x) if out is None else apply(ops.isposinf, x, out=out)


def isscalar(element: Any) -> bool:
    """
    Tell whether an object is a scalar: a number, a text, or a detached 0-d Array, which stands for a NumPy scalar.

    See `numpy.isscalar`.
    """
    return is_detached(element._value) if type(element) is Array else np.isscalar(element)
