"""The Ops of ufuncs and of their methods, NumPy's and those of other libraries."""

from __future__ import annotations

import sys
from _thread import allocate_lock
from typing import Final

import numpy as np

from . import elementwise as _elementwise  # registers NumPy's own
from ..op import COMPUTE, FIRST, Op, get_op

__all__ = ["ufunc_op"]

_ops: Final[dict[tuple[np.ufunc, str], Op]] = {}
_lock: Final = allocate_lock()


def ufunc_op(ufunc: np.ufunc, method: str = "__call__") -> Op:
    """
    Find the Op of a ufunc, or of one of its methods.

    Parameters
    ----------
    ufunc : numpy.ufunc
        NumPy's, SciPy's or anybody's.
    method : str, optional
        ``"__call__"``, ``"reduce"``, ``"accumulate"``, ``"reduceat"``, ``"outer"`` or ``"at"``.

    Returns
    -------
    Op
        NumPy's ufuncs have theirs in the registry by name; others are registered when they are first met.

    Examples
    --------
    >>> import numpy as np
    >>> ufunc_op(np.add), ufunc_op(np.add, "reduce")
    (<Op add: host>, <Op add.reduce: host>)
    """
    op = _ops.get((ufunc, method))
    if op is None:
        with _lock:
            op = _ops.get((ufunc, method))
            if op is None:
                op = _ops[ufunc, method] = _make(ufunc, method)
    return op


def _make(ufunc: np.ufunc, method: str) -> Op:
    name = _name(ufunc)
    if method == "__call__":
        return get_op(name) if name == ufunc.__name__ else Op(name, ufunc, COMPUTE)
    return Op(f"{name}.{method}", getattr(ufunc, method), FIRST, writes=(0,) if method == "at" else ())


def _name(ufunc: np.ufunc) -> str:
    """Give the registry's name: NumPy's own for NumPy's, qualified for others, numbered where several share a name."""
    name = ufunc.__name__
    if getattr(np, name, None) is ufunc:
        return name
    special = sys.modules.get("scipy.special")
    base = name = f"special.{name}" if getattr(special, name, None) is ufunc else f"ufunc.{name}"
    count = 1
    while any(op.name == name for op in _ops.values()):
        count += 1
        name = f"{base}#{count}"
    return name
