"""Ops of scipy.linalg, by name. Importing this imports scipy.linalg."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import scipy.linalg

from ..op import Op

__all__ = ["OPS"]

_NAMES: Final = """
    bandwidth block_diag cdf2rdf cho_factor cho_solve cho_solve_banded cholesky cholesky_banded circulant companion
    convolution_matrix coshm cosm cossin det dft diagsvd eig eig_banded eigh eigh_tridiagonal eigvals eigvals_banded
    eigvalsh eigvalsh_tridiagonal expm expm_cond expm_frechet fiedler fiedler_companion fractional_matrix_power funm
    hadamard hankel helmert hessenberg hilbert inv invhilbert invpascal ishermitian issymmetric khatri_rao ldl leslie
    logm lstsq lu lu_factor lu_solve matmul_toeplitz matrix_balance norm null_space ordqz orth orthogonal_procrustes
    pascal pinv pinvh polar qr qr_delete qr_insert qr_multiply qr_update qz rq rsf2csf schur signm sinhm sinm solve
    solve_banded solve_circulant solve_continuous_are solve_continuous_lyapunov solve_discrete_are
    solve_discrete_lyapunov solve_sylvester solve_toeplitz solve_triangular solveh_banded sqrtm subspace_angles svd
    svdvals tanhm tanm toeplitz
"""

OPS: Final[Mapping[str, Op]] = {name: Op(f"scipy.linalg.{name}", getattr(scipy.linalg, name)) for name in _NAMES.split()}
"""The functions that take or give matrices, by name."""
