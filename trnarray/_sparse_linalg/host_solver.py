"""The iterative methods of SciPy, which compute where all operands are on the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np
import scipy.sparse.linalg

from .._array import Array
from .._array.base import SCALARS
from .._sparse.base import SparseBase, is_sparse, unwrap
from .._sparse.short_ways import direct_function, operator_values
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
            value = operator_values(x)
            if value is None:
                return None
            values.append(value)
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

    def decorate(method: _F) -> _F:
        for values in (_host_values, operator_values):
            method = direct_function(SOLVERS, unwrap=values, wrap=wrap, apart=apart, atoms=_PARAMETERS)(method)
        return method

    return decorate
