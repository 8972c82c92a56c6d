"""
Direct methods: equations solved with factors of a sparse matrix.

On devices matrices of up to 1,024 rows are factorized there, as dense ones; larger ones, and incomplete factors, are SciPy's, on the host.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from scipy.linalg import LinAlgWarning

from .._array import Array
from .._operand import as_operand
from .._scipy_linalg.equations import solve_triangular
from .._scipy_linalg.factored_equations import lu_factor, lu_solve
from .._sparse.base import common_device, is_sparse, run
from .._sparse.sparse_array import as_sparse, sparray
from ..backends.device import CPU
from ..backends.ops.sparse_linalg import OPS
from ..creation_functions import eye
from ..elementwise_functions import isfinite
from .host_products import given
from .matrix_operator import DEVICE_DTYPES

__all__ = ["SuperLU", "factorized", "few_rows", "inv", "spilu", "splu", "spsolve", "spsolve_triangular"]

_DENSE: Final = 1024  # rows
_TRANSPOSES: Final = {"N": 0, "T": 1, "H": 2}


def few_rows(A: Any, *beside: Any) -> Array | None:
    """Give a square sparse matrix as a dense one where a device computes with that; nothing elsewhere."""
    device = common_device((A, *beside))
    if device is None or device is CPU or not is_sparse(A) or len(A.shape) != 2 or not 0 < A.shape[0] == A.shape[1] <= _DENSE:
        return None
    matrix = as_sparse(A, *beside)
    dense: Array | None = matrix.toarray() if matrix.dtype in DEVICE_DTYPES else None
    return dense


def _has_floats(b: Any) -> bool:
    """Tell whether right-hand sides are of floats or complex numbers."""
    return getattr(b, "dtype", None) in DEVICE_DTYPES


def _factors(dense: Array) -> tuple[Array, Array] | None:
    """Factorize a dense matrix; nothing where it is singular, of which SciPy has words of its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinAlgWarning)
        lu, pivots = lu_factor(dense)
        regular = bool((isfinite(lu) & (lu != 0)).diagonal().all())
    return (lu, pivots) if regular else None


def _solution(dense: Array, right: Array) -> Array | None:
    """Solve with a dense matrix; nothing where it is singular."""
    factors = _factors(dense)
    return None if factors is None else lu_solve(factors, right)


def spsolve(A: Any, b: Any, permc_spec: str | None = None, use_umfpack: bool = True) -> Any:
    """Solve linear equations with a sparse matrix. See `scipy.sparse.linalg.spsolve`."""
    dense = few_rows(A, b)
    if dense is not None and _has_floats(b):
        right = as_sparse(b, A).toarray() if is_sparse(b) else as_operand(b, A)
        if right.ndim in (1, 2) and len(right) == len(dense):
            solution = _solution(dense, right.reshape(len(right)) if right.shape[1:] == (1,) else right)
            if solution is not None:
                return type(as_sparse(A, b))(solution) if is_sparse(b) and solution.ndim == 2 else solution
    return run(OPS["spsolve"], A, b, permc_spec, use_umfpack)


def spsolve_triangular(
    A: Any, b: Any, lower: bool = True, overwrite_A: bool = False, overwrite_b: bool = False, unit_diagonal: bool = False
) -> Array:
    """Solve linear equations with a sparse triangular matrix. See `scipy.sparse.linalg.spsolve_triangular`."""
    dense = few_rows(A, b)
    if dense is not None and _has_floats(b) and not is_sparse(b):
        right = as_operand(b, A)
        if right.ndim in (1, 2) and len(right) == len(dense):
            found: Array = solve_triangular(dense, right, lower=lower, unit_diagonal=unit_diagonal)
            if unit_diagonal or bool((dense.diagonal() != 0).all()):
                return found
    solution: Array = run(OPS["spsolve_triangular"], A, b, lower, overwrite_A, overwrite_b, unit_diagonal)
    return solution


def inv(A: Any) -> sparray:
    """Compute the inverse of a sparse matrix. See `scipy.sparse.linalg.inv`."""
    dense = few_rows(A)
    found = None if dense is None else _solution(dense, eye(len(dense), dtype=dense.dtype, device=dense.device))
    inverse: sparray = run(OPS["inv"], A) if found is None else type(as_sparse(A))(found)
    return inverse


class SuperLU:
    """
    The factors of a sparse matrix, as `splu` and `spilu` give them.

    See Also
    --------
    splu : Factorize a matrix.
    """

    __slots__ = ("_dense", "_found", "_like", "_make")
    __module__ = "trnarray.scipy.sparse.linalg"

    def __init__(self, make: Callable[[], Any], like: Any, dense: tuple[Array, Array] | None = None) -> None:
        self._make, self._like, self._dense = make, like, dense
        self._found = make() if dense is None else None

    @property
    def _factors(self) -> Any:
        """SciPy's factors, which are made when they are asked for where the device has its own."""
        if self._found is None:
            self._found = self._make()
        return self._found

    def solve(self, rhs: Any, trans: str = "N") -> Array:
        """Solve with the matrix. See `scipy.sparse.linalg.SuperLU.solve`."""
        if self._dense is not None and trans in _TRANSPOSES and _has_floats(rhs):
            right = as_operand(rhs, self._dense[0])
            if right.ndim in (1, 2) and len(right) == len(self._dense[0]) and right.dtype.kind <= self._dense[0].dtype.kind:
                found: Array = lu_solve(self._dense, right, trans=_TRANSPOSES[trans])
                return found
        if isinstance(rhs, (list, tuple, range)):
            rhs = as_operand(rhs, np.float64(0), device=self._like)  # SuperLU makes its own dtype of that
        solution: Array = run(OPS["superlu_solve"], self._factors, rhs, trans)
        return solution

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the matrix. See `scipy.sparse.linalg.SuperLU.shape`."""
        rows, columns = self._factors.shape if self._dense is None else self._dense[0].shape
        return rows, columns

    @property
    def nnz(self) -> int:
        """The number of elements that are stored in the factors. See `scipy.sparse.linalg.SuperLU.nnz`."""
        return int(self._factors.nnz)

    @property
    def L(self) -> sparray:  # noqa: N802  # the factor's name
        """The lower triangular factor, with ones on the diagonal. See `scipy.sparse.linalg.SuperLU.L`."""
        return self._part("L")

    @property
    def U(self) -> sparray:  # noqa: N802
        """The upper triangular factor. See `scipy.sparse.linalg.SuperLU.U`."""
        return self._part("U")

    @property
    def perm_c(self) -> Array:
        """The order of the columns. See `scipy.sparse.linalg.SuperLU.perm_c`."""
        return run(OPS["superlu_part"], self._factors, "perm_c").to_device(self._like)  # type: ignore[no-any-return]

    @property
    def perm_r(self) -> Array:
        """The order of the rows. See `scipy.sparse.linalg.SuperLU.perm_r`."""
        return run(OPS["superlu_part"], self._factors, "perm_r").to_device(self._like)  # type: ignore[no-any-return]

    def _part(self, name: str) -> sparray:
        part: sparray = run(OPS["superlu_part"], self._factors, name)
        return part.to_device(self._like)


def splu(
    A: Any,
    permc_spec: str | None = None,
    diag_pivot_thresh: float | None = None,
    relax: int | None = None,
    panel_size: int | None = None,
    options: dict[str, Any] | None = None,
) -> SuperLU:
    """Factorize a sparse matrix into triangular factors, with pivots. See `scipy.sparse.linalg.splu`."""
    return _factorize("splu", A, permc_spec, diag_pivot_thresh, relax, panel_size, options)


def spilu(
    A: Any,
    drop_tol: float | None = None,
    fill_factor: float | None = None,
    drop_rule: Any = None,
    permc_spec: str | None = None,
    diag_pivot_thresh: float | None = None,
    relax: int | None = None,
    panel_size: int | None = None,
    options: dict[str, Any] | None = None,
) -> SuperLU:
    """Factorize a sparse matrix incompletely: small elements are dropped. See `scipy.sparse.linalg.spilu`."""
    parameters = (drop_tol, fill_factor, drop_rule, permc_spec, diag_pivot_thresh, relax, panel_size)
    return _factorize("spilu", A, *parameters, options)


def _factorize(name: str, A: Any, *parameters: Any) -> SuperLU:
    matrix = as_sparse(A)
    *positional, options = parameters

    def make() -> Any:
        return run(OPS[name], matrix, *positional, **given(options=options))

    dense = few_rows(A) if name == "splu" else None
    factors = None if dense is None else _factors(dense)
    return SuperLU(make, matrix.device if hasattr(matrix, "device") else CPU, factors)


def factorized(A: Any) -> Callable[[Any], Array]:
    """Factorize a sparse matrix, for solving with it more than once. See `scipy.sparse.linalg.factorized`."""
    return splu(A).solve
