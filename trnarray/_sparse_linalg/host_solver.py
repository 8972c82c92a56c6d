"""The iterative methods of SciPy, which compute where all operands are on the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from inspect import signature
from typing import Any, Final, TypeVar, cast

import numpy as np
import scipy.sparse.linalg

from .._array import Array
from .._array.plain import SCALARS, host_values
from .._sparse.base import OURS, SparseBase, is_sparse, unwrap
from ..backends.device import CPU, Device
from ..backends.dtypes import LAST_PLAIN
from ..backends.ops.sparse_linalg import SOLVERS
from ..backends.settings import get_default_device

__all__ = ["direct_solver"]

_F = TypeVar("_F", bound=Callable[..., Any])
_wrap: Final = Array._wrap
# No lists: they are matrices and vectors, which not every method of SciPy takes as such.
_PARAMETERS: Final[frozenset[type[Any]]] = SCALARS | {str, type(None)}


def _host_values(operands: tuple[Any, ...]) -> Sequence[Any] | None:
    """Give an iterative method of SciPy what was passed, where all of that is on the host; operators of Arrays go by our methods."""
    values: list[Any] = []
    for x in operands:
        if type(x) in _PARAMETERS or isinstance(x, scipy.sparse.linalg.LinearOperator):
            values.append(x)
        elif type(x) is Array or isinstance(x, SparseBase):
            value = host_values((x,), OURS)
            if value is None:
                return None
            values += value
        elif get_default_device() is CPU and (is_sparse(x) or (type(x) is np.ndarray and x.dtype.num <= LAST_PLAIN)):
            values.append(unwrap(x, CPU)[0])
        elif callable(x) and not hasattr(x, "shape"):
            values.append(partial(_called_with_arrays, x))
        else:
            return None
    return values


def _called_with_arrays(function: Callable[[Any], Any], x: Any) -> Any:
    """Call a function of the user with an Array of its own: the method goes on to write to what it passes."""
    return function(Array._wrap(x.copy()) if type(x) is np.ndarray else x)


def _wrap_solution(results: tuple[Any, int], device: Device) -> tuple[Array, int]:
    """Make an Array of a solution, beside what tells whether it is one."""
    x, info = results
    return _wrap(x, device), info


def direct_solver(
    apart: frozenset[str] = frozenset(), wrap: Callable[[Any, Device], Any] = _wrap_solution
) -> Callable[[_F], _F]:
    """Make a decorator that has SciPy's method compute where all operands are on the host; the method itself does so elsewhere."""

    def names(function: Callable[..., Any]) -> list[str]:
        return [name for name in signature(function).parameters if name not in apart]

    def decorate(method: _F) -> _F:
        op = SOLVERS.get(method.__name__)
        if op is None or names(op.plain) != names(method):
            return method

        @wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:
            values = _host_values(args) if apart.isdisjoint(kwargs) else None
            named = _host_values(tuple(kwargs.values()))
            if values is None or named is None:
                return method(*args, **kwargs)
            op.tick()
            return wrap(op.plain(*values, **dict(zip(kwargs, named, strict=True))), CPU)

        return cast(_F, call)

    return decorate
