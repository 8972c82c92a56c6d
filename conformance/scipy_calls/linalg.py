"""The operands of a plain call of every function of scipy.linalg: three rows, float64."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

__all__ = ["OPERANDS", "B", "M", "S"]

_generator: Final = np.random.default_rng(7)
_Operand = np.ndarray[Any, np.dtype[np.float64]]

M: Final[_Operand] = _generator.standard_normal((3, 3))
"""A matrix."""
S: Final[_Operand] = M @ M.T + 3 * np.eye(3)
"""A matrix that is symmetric and positive definite."""
B: Final[_Operand] = _generator.standard_normal((3, 2))
"""Right-hand sides."""
D: Final[_Operand] = np.asarray([5.0, 6.0, 7.0])

OPERANDS: Final[Mapping[str, tuple[Any, ...]]] = {
    **dict.fromkeys(("cholesky", "cho_factor", "eigh", "eigvalsh", "pinvh", "ldl", "sqrtm", "logm"), (S,)),
    **dict.fromkeys(("solve", "lstsq", "subspace_angles"), (S, B)),
    "orthogonal_procrustes": (S, M),
    **dict.fromkeys(("solve_triangular", "qr_multiply"), (S, S)),
    **dict.fromkeys(("cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm", "expm", "signm", "expm_cond"), (S / 8,)),
    **dict.fromkeys(("circulant", "companion", "fiedler", "fiedler_companion", "hankel", "toeplitz", "block_diag"), (D,)),
    **dict.fromkeys(("dft", "helmert", "hilbert", "invhilbert", "pascal", "invpascal"), (3,)),
    **dict.fromkeys(("eigh_tridiagonal", "eigvalsh_tridiagonal"), (D, D[:2])),
    **dict.fromkeys(("eig_banded", "eigvals_banded", "cholesky_banded"), (np.stack([D / 8, D]),)),
    **dict.fromkeys(("solve_toeplitz", "solve_circulant", "matmul_toeplitz"), (D + np.asarray([3, 0, 0]), B)),
    **dict.fromkeys(("qz", "ordqz", "khatri_rao", "expm_frechet"), (S / 8, M / 8)),
    **dict.fromkeys(("solve_continuous_are", "solve_discrete_are"), (M, B, S, np.eye(2))),
    "cho_solve": ((np.linalg.cholesky(S), True), B),
    "cho_solve_banded": ((np.stack([D / 8, D]), False), B),
    "lu_solve": ((S, np.asarray([0, 1, 2])), B),
    "solve_banded": ((1, 1), np.stack([D / 8, D, D / 9]), B),
    "solveh_banded": (np.stack([D / 8, D]), B),
    "solve_sylvester": (S, S, M),
    "solve_continuous_lyapunov": (S, M),
    "solve_discrete_lyapunov": (M / 8, S),
    "cdf2rdf": (D, np.eye(3)),
    "rsf2csf": (np.triu(S), np.eye(3)),
    "convolution_matrix": (D, 3),
    "leslie": (D, D[:2]),
    "diagsvd": (D, 3, 4),
    "hadamard": (4,),
    "fractional_matrix_power": (S, 0.5),
    "funm": (S, np.cos),
    "cossin": (np.linalg.qr(S)[0], 1, 1),
    "qr_delete": (np.eye(3), np.triu(S), 1),
    "qr_insert": (np.eye(3), np.triu(S), D, 1),
    "qr_update": (np.eye(3), np.triu(S), D, D),
}
"""By name, in the order of the signature; functions that are not there take `S`."""
