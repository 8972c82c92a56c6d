"""The Ops of ufuncs and of their methods, NumPy's and those of other libraries."""

from __future__ import annotations

import os
import sys
from _thread import RLock
from typing import Final

import numpy as np

from ..host.ufunc_call import without_mask
from ..op import ELEMENTWISE, FIRST, Op, get_op
from ..rules import Dynamic, UfuncRule
from ..rules.ufunc_methods import method_rule
from . import elementwise  # noqa: F401  # registers NumPy's own

__all__ = ["ufunc_op"]

_OF_VECTORS: Final = Dynamic("what becomes of vectors and matrices, another library knows")
_NUMERIC: Final = frozenset("?bBhHiIlLqQefdgFDG->")
_ops: Final[dict[tuple[np.ufunc, str], Op]] = {}
_names: Final[dict[np.ufunc, str]] = {}
_lock: Final = RLock()
if hasattr(os, "register_at_fork"):
    # A child that is forked while another thread holds the lock would wait for it forever.
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


def ufunc_op(ufunc: np.ufunc, method: str = "__call__") -> Op:
    """
    Find the Op of a ufunc, or of one of its methods.

    Examples
    --------
    >>> import numpy as np
    >>> ufunc_op(np.add), ufunc_op(np.add, "reduce")
    (<Op add: host...>, <Op add.reduce: host...>)
    """
    op = _ops.get((ufunc, method))
    if op is None:
        with _lock:
            op = _ops.get((ufunc, method))
            if op is None:
                op = _ops[ufunc, method] = _make(ufunc, method)
    return op


def _make(ufunc: np.ufunc, method: str) -> Op:
    # Some of NumPy's do not list their loops, and tell themselves that they have none.
    if ufunc.types and not any(_NUMERIC.issuperset(loop) for loop in ufunc.types):
        raise TypeError(f"ufunc {ufunc.__name__!r} has no loop for numbers, which is all that arrays hold; call it on x.tolist()")
    name = _name(ufunc)
    if method == "__call__":
        if name == ufunc.__name__:
            return get_op(name)
        return Op(name, without_mask(ufunc), ELEMENTWISE, rule=_OF_VECTORS if ufunc.signature else UfuncRule(ufunc))
    kind = ELEMENTWISE if method == "outer" else FIRST
    writes = (0,) if method == "at" else ()
    return Op(f"{name}.{method}", getattr(ufunc, method), kind, rule=method_rule(ufunc, method, ufunc_op(ufunc).rule), writes=writes)


def _name(ufunc: np.ufunc) -> str:
    """Give the registry's name: NumPy's own for NumPy's, qualified for others, numbered where several share a name."""
    name = ufunc.__name__
    if vars(np).get(name) is ufunc:
        return name
    if ufunc not in _names:
        from inspect import unwrap  # SciPy imports it, older NumPy does not

        special = getattr(sys.modules.get("scipy.special"), name, None)
        # SCIPY_ARRAY_API wraps ufuncs in functions of their names.
        name = base = f"special.{name}" if special is not None and unwrap(special) is ufunc else f"ufunc.{name}"
        taken = set(_names.values())
        count = 1
        while name in taken:
            count += 1
            name = f"{base}#{count}"
        _names[ufunc] = name
    return _names[ufunc]
