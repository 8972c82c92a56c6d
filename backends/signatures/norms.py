"""Signatures of norms: `axis` is a tuple, two of a matrix; an `ord` of None is Euclid's, over all of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..rules import is_true
from .attributes import index_axis, reduced_axes
from .call import Call, Reader

__all__ = ["matrix_norm", "norm", "vector_norm"]


def norm(reader: Reader, x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Call:
    """Read ``numpy.linalg.norm``."""
    value = reader.array(x)
    axes = tuple(range(value.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if len(axes) == 1 and isinstance(ord, str):
        raise ValueError(f"invalid norm order {ord!r} for vectors; it must be a number")
    if len(axes) not in (1, 2) and (axis is not None or ord is not None):  # of a vector or a matrix
        raise ValueError("improper number of dimensions to norm: it takes vectors and matrices")
    found = tuple([index_axis(one, value.ndim) for one in axes])
    if len(set(found)) != len(found):
        raise ValueError("duplicate axes given: a matrix has two")
    if len(found) == 2:
        _check_order(ord)
    return Call((value,), {"axis": found, "keepdims": is_true(keepdims), "ord": ord})


def _check_order(ord: Any) -> None:
    """Check what norm of a matrix is asked for."""
    if ord not in (None, "fro", "f", "nuc") and ord not in (1, -1, 2, -2, np.inf, -np.inf):
        raise ValueError(f"ord is {ord!r}; the norm of a matrix has 'fro', 'nuc', 1, -1, 2, -2, inf or -inf")


def vector_norm(reader: Reader, x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Call:
    """Read ``numpy.linalg.vector_norm``."""
    value = reader.array(x)
    return Call((value,), {"axis": reduced_axes(axis, value.ndim), "keepdims": is_true(keepdims), "ord": ord})


def matrix_norm(reader: Reader, x: Any, /, *, keepdims: Any = False, ord: Any = "fro") -> Call:
    """Read ``numpy.linalg.matrix_norm``, of the last two axes."""
    value = reader.array(x)
    if value.ndim < 2:  # rows and columns
        raise np.exceptions.AxisError(-2, value.ndim)
    _check_order(ord)
    return Call((value,), {"keepdims": is_true(keepdims), "ord": ord})
