"""Direct methods: equations solved with factors of a sparse matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._array import Array
from .._operand import as_operand
from .._sparse.base import run
from .._sparse.sparse_array import as_sparse, sparray
from ..backends.device import CPU
from ..backends.ops.sparse_linalg import OPS
from .host_products import given

__all__ = ["SuperLU", "factorized", "inv", "spilu", "splu", "spsolve", "spsolve_triangular"]



def spsolve(A: Any, b: Any, permc_spec: str | None = None, use_umfpack: bool = True) -> Any:
    """Solve linear equations with a sparse matrix. See `scipy.sparse.linalg.spsolve`."""
    return run(OPS["spsolve"], A, b, permc_spec, use_umfpack)


def spsolve_triangular(
    A: Any, b: Any, lower: bool = True, overwrite_A: bool = False, overwrite_b: bool = False, unit_diagonal: bool = False
) -> Array:
    """Solve linear equations with a sparse triangular matrix. See `scipy.sparse.linalg.spsolve_triangular`."""
    solution: Array = run(OPS["spsolve_triangular"], A, b, lower, overwrite_A, overwrite_b, unit_diagonal)
    return solution


def inv(A: Any) -> sparray:
    """Compute the inverse of a sparse matrix. See `scipy.sparse.linalg.inv`."""
    inverse: sparray = run(OPS["inv"], A)
    return inverse


class SuperLU:
    """
    The factors of a sparse matrix, as `splu` and `spilu` give them.

    See Also
    --------
    splu : Factorize a matrix.
    """

    __slots__ = ("_factors", "_like")
    __module__ = "trnarray.scipy.sparse.linalg"

    def __init__(self, factors: Any, like: Any) -> None:
        self._factors, self._like = factors, like

    def solve(self, rhs: Any, trans: str = "N") -> Array:
        """Solve with the matrix. See `scipy.sparse.linalg.SuperLU.solve`."""
        if isinstance(rhs, (list, tuple, range)):
            rhs = as_operand(rhs, np.float64(0), device=self._like)  # SuperLU makes its own dtype of that
        solution: Array = run(OPS["superlu_solve"], self._factors, rhs, trans)
        return solution

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the matrix. See `scipy.sparse.linalg.SuperLU.shape`."""
        rows, columns = self._factors.shape
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
    return SuperLU(run(OPS[name], matrix, *positional, **given(options=options)), matrix.device if hasattr(matrix, "device") else CPU)


def factorized(A: Any) -> Callable[[Any], Array]:
    """Factorize a sparse matrix, for solving with it more than once. See `scipy.sparse.linalg.factorized`."""
    return splu(A).solve
