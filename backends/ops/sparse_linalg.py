"""Ops of sparse linear algebra, by name: what SciPy computes on the host. Importing this imports scipy.sparse.linalg."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final

import numpy as np
import scipy
import scipy.sparse.linalg

from ..rules.sparse import LINEAR_ALGEBRA_RULES as RULES
from ..rules.sparse import PYTHON
from .sparse import SparseOp

__all__ = ["OPS", "SOLVERS", "HostProducts"]

_SCIPY: Final = tuple(map(int, scipy.__version__.split(".")[:2]))
_NAMES: Final = """
    eigs eigsh expm expm_multiply inv lobpcg matrix_power onenormest spilu splu spsolve spsolve_triangular svds
"""
_SOLVERS: Final = "bicg bicgstab cg cgs gcrotmk gmres lgmres lsmr lsqr minres qmr tfqmr"


@dataclass(frozen=True, slots=True, eq=False)
class HostProducts:
    """
    A linear operator by its products on the host.

    Parameters
    ----------
    shape : tuple of int
        The numbers of rows and columns.
    dtype : dtype
        The dtype.
    matvec : callable
        Gives the product with an ndarray of one dimension.
    rmatvec : callable
        Gives that of the adjoint.
    matmat : callable
        Gives the product with an ndarray of two dimensions.
    rmatmat : callable
        Gives that of the adjoint.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    matvec: Callable[[Any], Any]
    rmatvec: Callable[[Any], Any]
    matmat: Callable[[Any], Any]
    rmatmat: Callable[[Any], Any]

    def operator(self) -> Any:
        """Make SciPy's operator."""
        kind = scipy.sparse.linalg.LinearOperator
        return kind(self.shape, self.matvec, self.rmatvec, self.matmat, dtype=self.dtype, rmatmat=self.rmatmat)


def _function(name: str) -> Callable[..., Any]:
    """Give SciPy's function, which takes operators by their products, and ``rng`` under the name that its version has for it."""
    function = _counting(name)
    known = inspect.signature(function).parameters

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        operands = [arg.operator() if type(arg) is HostProducts else arg for arg in args]
        keywords = {}
        for key, value in kwargs.items():
            older = "random_state" if key == "rng" and key not in known and "random_state" in known else key
            if older not in known:
                raise TypeError(f"{name} of SciPy {scipy.__version__} has no parameter {key!r}; leave it out, or use a newer SciPy")
            keywords[older] = value.operator() if type(value) is HostProducts else value
        return function(*operands, **keywords)

    return call


def _counting(name: str) -> Callable[..., Any]:
    """Give SciPy's function, which hands the number `k` on to ARPACK unchecked: a float there ends the process."""
    function: Callable[..., Any] = getattr(scipy.sparse.linalg, name)
    if name not in ("eigs", "eigsh"):
        return function

    @wraps(function)
    def call(A: Any, k: Any = 6, *args: Any, **kwargs: Any) -> Any:
        return function(A, operator.index(k), *args, **kwargs)

    return call


def _norm_of_matrix(x: Any, ord: Any = None, axis: Any = None) -> Any:
    """Compute a norm by SciPy before 1.14, which takes matrices of the old kind only."""
    return scipy.sparse.linalg.norm(scipy.sparse.csr_matrix(x), ord, axis)


def _superlu_solve(factors: Any, rhs: Any, trans: str) -> Any:
    return factors.solve(rhs, trans)


def _superlu_part(factors: Any, name: str) -> Any:
    return getattr(factors, name)


def _nothing(*_: Any) -> None:
    """Compute nothing: SciPy has the method as a whole."""


OPS: Final[Mapping[str, SparseOp]] = {
    **{name: SparseOp(f"sparse.linalg.{name}", _nothing, rule=RULES[name]) for name in ("cg_turns", "stencil_product")},
    **{name: SparseOp(f"sparse.linalg.{name}", _function(name), _counting(name), rule=RULES.get(name)) for name in _NAMES.split()},
    "norm": SparseOp("sparse.linalg.norm", _norm_of_matrix if _SCIPY < (1, 14) else scipy.sparse.linalg.norm, rule=RULES["norm"]),
    "superlu_solve": SparseOp("sparse.linalg.superlu_solve", _superlu_solve, rule=RULES["superlu_solve"]),
    "superlu_part": SparseOp("sparse.linalg.superlu_part", _superlu_part, rule=RULES["superlu_part"]),
}
"""The functions, and what is asked of factors."""

SOLVERS: Final[Mapping[str, SparseOp]] = {
    name: SparseOp(f"sparse.linalg.{name}", getattr(scipy.sparse.linalg, name), rule=PYTHON)
    for name in _SOLVERS.split()
    if name != "minres" or _SCIPY >= (1, 18)  # before, it takes scalar products of complex vectors without conjugation
}
"""The iterative methods, where all is on the host; not `funm_multiply_krylov`, as SciPy's drops a vector of an invariant subspace."""
