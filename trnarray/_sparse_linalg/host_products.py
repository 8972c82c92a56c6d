"""Matrices, operators and functions as operands of what SciPy computes on the host, and its results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np
import scipy.sparse.linalg

from .._array import Array
from .._array.base import SCALARS
from .._sparse.base import SparseBase, common_device, direct_function, is_sparse, operator_values, unwrap
from ..backends.device import CPU, Device
from ..backends.dtypes import LAST_PLAIN
from ..backends.ops.sparse_linalg import SOLVERS, HostProducts
from ..backends.settings import get_default_device
from ..existing_data import asarray
from .linear_operator import LinearOperator

__all__ = ["direct_solver", "given", "operand"]

_F = TypeVar("_F", bound=Callable[..., Any])
_wrap: Final = Array._wrap
# No lists: they are matrices and vectors, which not every method of SciPy takes as such.
_PARAMETERS: Final[frozenset[type[Any]]] = SCALARS | {str, type(None)}


def operand(A: Any, like: Any = None) -> Any:
    """
    Make an Op's operand of a matrix: operators go by their products.

    Parameters
    ----------
    A : LinearOperator or object
        The matrix.
    like : object, optional
        Another operand, which says on which device an operator computes; by default that of what the operator is made of.

    Returns
    -------
    HostProducts or object
        `A` itself where it is no operator of ours.
    """
    if not isinstance(A, LinearOperator):
        return A
    device = common_device((like, getattr(A, "args", ()))) or CPU
    assert A.dtype is not None

    def vectors(product: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda x: _on_host(product(asarray(x.reshape(-1), device=device)))  # SciPy before 1.18 gives columns, too

    def matrices(product: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda x: _on_host(product(asarray(x, device=device)))

    return HostProducts(A.shape, A.dtype, vectors(A.matvec), vectors(A.rmatvec), matrices(A.matmat), matrices(A.rmatmat))


def _on_host(x: Any) -> Any:
    return x._host() if type(x) is Array else x.toarray()._host()


def given(**parameters: Any) -> dict[str, Any]:
    """
    Keep the parameters that are given: not every version of SciPy has each of them.

    Parameters
    ----------
    **parameters : object
        Parameters, None by default.

    Returns
    -------
    dict
        Those that are not None, with operators by their products.
    """
    return {name: operand(value) for name, value in parameters.items() if value is not None}




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
    """
    Make a decorator that has SciPy's method compute where all operands are on the host; the method itself does so elsewhere.

    Parameters
    ----------
    apart : frozenset of str, optional
        The names of parameters with which a call is left to the method itself.
    wrap : callable, optional
        Wraps SciPy's results: by default a solution and an integer.

    Returns
    -------
    callable
        The decorator. The common call, of Arrays and sparse arrays, has a shorter way than one with SciPy's arrays or functions.
    """

    def decorate(method: _F) -> _F:
        for values in (_host_values, operator_values):
            method = direct_function(SOLVERS, unwrap=values, wrap=wrap, apart=apart, atoms=_PARAMETERS)(method)
        return method

    return decorate
