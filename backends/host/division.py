"""Floor division where an operand is infinite: the standard wants floor(x1 / x2), NumPy pairs it with the remainder."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from .ufunc_call import deliver

__all__ = ["floor_divide", "remainder"]

remainder = np.remainder  # which is what the standard asks for, infinities and signed zeros included

_FIRST_FLOAT = 11  # NumPy numbers bool and the integers from 0 to 10


def floor_divide(x1: Any, x2: Any, /, out: Any = None, **kwargs: Any) -> Any:
    """
    Divide and round to the next integer below.

    NumPy's, except that an infinite operand gives the quotient itself: ``inf // 2`` is inf (NumPy: nan) and ``-1.0 // inf``
    is -0.0 (NumPy: -1.0).

    Examples
    --------
    >>> import numpy as np
    >>> floor_divide(np.array([7.0, np.inf, -1.0]), np.array([2.0, -2.0, np.inf]))
    array([  3., -inf,  -0.])
    """
    if _finite(x1) and _finite(x2):
        return np.floor_divide(x1, x2, out=out, **kwargs)
    dtype = np.dtype(kwargs.pop("dtype", None) or np.result_type(x1, x2))
    if dtype.kind != "f":
        return np.floor_divide(x1, x2, out=out, dtype=dtype, **kwargs)
    x1, x2 = np.asarray(x1, dtype), np.asarray(x2, dtype)
    where = kwargs.get("where", True)
    finite = np.isfinite(x1) & np.isfinite(x2)
    ordinary = finite & where
    result = np.asarray(np.floor_divide(np.where(ordinary, x1, 1), np.where(ordinary, x2, 1)))
    np.divide(x1, x2, out=result, where=~finite & where)
    return deliver(result, out, kwargs)


def _finite(x: Any) -> bool:
    """Tell whether there is neither infinity nor NaN in an operand."""
    if isinstance(x, np.ndarray):
        return x.dtype.num < _FIRST_FLOAT or bool(np.count_nonzero(np.isfinite(x)) == x.size)
    return isfinite(x)
