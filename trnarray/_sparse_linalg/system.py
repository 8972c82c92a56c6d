"""The linear system that an iterative method is given: its operator, its preconditioner and its right-hand side."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from .._array import Array
from .._linalg.norms import vector_norm
from .._operand import as_operand
from .._placement import promotion_table
from .._sparse.base import is_scalar
from ..backends.dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, LAST_PLAIN, DType
from ..creation_functions import zeros
from ..data_type_functions import result_type
from .linear_operator import LinearOperator
from .matrix_operator import is_matrix, operator_of, single_operator

__all__ = [
    "WIDE",
    "Progress",
    "System",
    "finite_system",
    "inexact",
    "is_solved",
    "linear_system",
    "magnitude",
    "preconditioner",
    "same",
    "tolerance",
    "true_residual",
]

WIDE: Final[dict[DType, DType]] = {FLOAT32: FLOAT64, FLOAT64: FLOAT64, COMPLEX64: COMPLEX128, COMPLEX128: COMPLEX128}
"""In which dtype the residual of a solution is computed."""

_IDLE: Final = 5  # cycles, none of which makes the residual larger but by rounding


class System(NamedTuple):
    """
    A linear system.

    Parameters
    ----------
    A : LinearOperator
        The matrix, square.
    matvec : callable
        Multiplies by it.
    psolve : callable
        Multiplies by the preconditioner.
    rpsolve : callable
        Multiplies by the preconditioner's adjoint.
    b : Array
        The right-hand side, of one dimension and of the dtype of the solution.
    x : Array
        Where to start.
    r : Array
        The residual there.
    bnorm : float
        The norm of the right-hand side.
    atol : float
        At which norm of the residual to stop.
    maxiter : int
        After how many steps to stop.
    """

    A: LinearOperator
    matvec: Callable[[Any], Array]
    psolve: Callable[[Any], Array]
    rpsolve: Callable[[Any], Array]
    b: Array
    x: Array
    r: Array
    bnorm: float
    atol: float
    maxiter: int


def magnitude(x: Array) -> float:
    """Compute the norm of a vector, and fetch it."""
    return float(vector_norm(x))


def true_residual(system: System, x: Array) -> Array:
    """Compute the residual of a solution, in double precision where the operator is a matrix."""
    wide = WIDE.get(x.dtype, x.dtype) if is_matrix(system.A) else x.dtype
    residual: Array = system.b.astype(wide, copy=False) - system.A.matvec(x.astype(wide, copy=False))
    return residual


def is_solved(system: System, x: Array, r: Array) -> bool:
    """Tell whether a solution meets the tolerance by its recurrent residual, and then by its true one."""
    return magnitude(r) < system.atol and magnitude(true_residual(system, x)) <= system.atol


class Progress:
    """The best solution of a method so far, which rounding errors may keep from the tolerance, and even make worse from cycle to cycle."""

    def __init__(self) -> None:
        self._solution: Any = None
        self._least = math.inf
        self._idle = 0

    def has_ended(self, x: Array, norm: float) -> bool:
        """Note a solution and the norm of its residual, and tell whether many cycles have made none better."""
        if norm < self._least:
            self._solution, self._least, self._idle = x, norm, 0
        else:
            self._idle += 1
        return self._idle >= _IDLE

    def best(self, last: Array) -> Array:
        """Give the best solution that was noted, or else the last one."""
        return last if self._solution is None else self._solution


def linear_system(A: Any, b: Any, x0: Any, rtol: float, atol: float, maxiter: int | None, M: Any, name: str) -> System:
    """Check what an iterative method is given, as SciPy does."""
    given = (A, b, M, x0)
    operator = single_operator(A, name, *given)
    rows, columns = operator.shape
    if rows != columns:
        raise ValueError(f"{name} takes a square matrix, but this one has shape {operator.shape}")
    right = as_operand(b, *given)
    if right.shape not in ((rows,), (rows, 1)):
        raise ValueError(f"the right-hand side has shape {right.shape}, but a matrix of shape {operator.shape} needs {(rows,)}")
    dtype = result_type(inexact(right, operator.dtype), inexact(right, right.dtype))
    right = right.reshape(rows).astype(dtype, copy=False)
    psolve, rpsolve = preconditioner(M, operator, *given)
    if M is None:
        psolve, rpsolve = getattr(A, "psolve", psolve), getattr(A, "rpsolve", rpsolve)
    if x0 is None:
        start = zeros(rows, dtype=dtype, device=right.device)
    elif isinstance(x0, str):
        if x0 != "Mb":
            raise ValueError(f"x0 is a vector or 'Mb', but is {x0!r}")
        start = psolve(right)
    else:
        start = as_operand(x0, *given)
        if start.shape not in ((rows,), (rows, 1)):
            raise ValueError(f"x0 has shape {start.shape}, but a matrix of shape {operator.shape} needs {(rows,)}")
        start = start.reshape(rows).astype(dtype)
    norm = magnitude(right)
    matvec = operator.matvec
    residual = right - matvec(start) if x0 is not None and bool(start.any()) else right
    target = tolerance(atol, rtol, norm, name)
    steps = 10 * rows if maxiter is None else maxiter
    return System(operator, matvec, psolve, rpsolve, right, start, residual, norm, target, steps)


def tolerance(atol: float, rtol: float, norm: float, name: str) -> float:
    """Give at which norm to stop."""
    if not is_scalar(atol) or atol < 0:
        raise ValueError(f"{name} called with invalid `atol`={atol!r}; it is a real number, 0 or greater")
    return max(float(atol), float(rtol) * norm)


def finite_system(A: Any, b: Any, x0: Any, rtol: float, atol: float, maxiter: int | None, M: Any, name: str) -> System:
    """Check what a method is given that needs numbers to be finite."""
    system = linear_system(A, b, x0, rtol, atol, maxiter, M, name)
    if not math.isfinite(system.bnorm):
        raise ValueError(f"the right-hand side has infinities or NaN, or its norm overflows; {name} needs finite numbers")
    return system


def preconditioner(M: Any, A: LinearOperator, *beside: Any) -> tuple[Callable[[Any], Array], Callable[[Any], Array]]:
    """Give the products with a preconditioner."""
    if M is None:
        return same, same
    operator = operator_of(M, *beside)
    if operator.shape != A.shape:
        raise ValueError(f"the matrix and the preconditioner have different shapes: {A.shape} and {operator.shape}")
    return operator.matvec, operator.rmatvec


def same(x: Any) -> Any:
    """Leave a vector as it is, which is no preconditioner."""
    return x


def inexact(like: Array, dtype: DType | None) -> DType:
    """Give the dtype in which a method computes with operands of a dtype."""
    if dtype is not None and dtype.kind in "fc" and dtype.num <= LAST_PLAIN:
        return dtype
    return promotion_table(like.device).default_float
