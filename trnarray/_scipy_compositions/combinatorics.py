"""Counts of combinations and permutations of scipy.special, in floats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from .distribution_functions import special
from .operands import floats, leave_unless, xp

__all__ = ["COMPOSITIONS"]


def _whole(found: Any, *operands: Any) -> Any:
    """Round what integers have, where that is exact: errors are below a half."""
    known = xp.all(xp.stack(xp.broadcast_arrays(*[x == xp.rint(x) for x in operands])), axis=0)
    return xp.where(known & (found < (2.0**20 if found.dtype == xp.float32 else 2.0**49)), xp.rint(found), found)


def _counted(n: Any, k: Any, found: Any) -> Any:
    """Give 0 where nothing is counted, as SciPy."""
    return xp.where((k <= n) & (n >= 0) & (k >= 0), found, 0.0)


def _comb(N: Any, k: Any, *, exact: Any = False, repetition: Any = False) -> Any:
    leave_unless(exact is repetition is False)
    n, k = floats(N, k)
    return _counted(n, k, special.binom(n, k))


def _perm(N: Any, k: Any, exact: Any = False) -> Any:
    leave_unless(exact is False)
    n, k = floats(N, k)
    return _counted(n, k, _whole(special.binom(n, k) * special.gamma(k + 1.0), n, k))


def _factorial(n: Any, exact: Any = False, extend: Any = "zero") -> Any:
    leave_unless(exact is False and extend == "zero")
    (n,) = floats(n)
    return xp.where(n < 0, 0.0, _whole(special.gamma(n + 1.0), n))


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {"comb": _comb, "factorial": _factorial, "perm": _perm}
"""Functions of scipy.special."""
