"""Sparse linear algebra under scipy.sparse.linalg's names and signatures, on Arrays and sparse arrays.

The iterative methods are trnarray's own and run where the Arrays are, and for operators of functions of Arrays; where all that they
are given is on the host, SciPy's compute. What needs factors or SciPy's libraries is an Op of the host engine, for which SciPy's
`use_solver` chooses the library.
"""

from typing import TYPE_CHECKING

from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, MatrixRankWarning, use_solver

from ..._sparse_linalg.augmented_residual import lgmres
from ..._sparse_linalg.conjugate_gradient import bicg, bicgstab, cg, cgs
from ..._sparse_linalg.direct import SuperLU, factorized, inv, spilu, splu, spsolve, spsolve_triangular
from ..._sparse_linalg.functions import expm, expm_multiply, matrix_power, norm, onenormest
from ..._sparse_linalg.krylov_function import funm_multiply_krylov
from ..._sparse_linalg.laplacian import LaplacianNd
from ..._sparse_linalg.least_squares import lsmr, lsqr
from ..._sparse_linalg.linear_operator import LinearOperator
from ..._sparse_linalg.matrix_operator import aslinearoperator
from ..._sparse_linalg.minimal_residual import gmres, minres
from ..._sparse_linalg.quasi_minimal_residual import qmr, tfqmr
from ..._sparse_linalg.recycled_residual import gcrotmk
from ..._sparse_linalg.spectrum import eigs, eigsh, lobpcg, svds
from ..._sparse_linalg.structure import is_sptriangular, spbandwidth

__all__ = [
    "ArpackError",
    "ArpackNoConvergence",
    "LaplacianNd",
    "LinearOperator",
    "MatrixRankWarning",
    "SuperLU",
    "aslinearoperator",
    "bicg",
    "bicgstab",
    "cg",
    "cgs",
    "eigs",
    "eigsh",
    "expm",
    "expm_multiply",
    "factorized",
    "funm_multiply_krylov",
    "gcrotmk",
    "gmres",
    "inv",
    "is_sptriangular",
    "lgmres",
    "lobpcg",
    "lsmr",
    "lsqr",
    "matrix_power",
    "minres",
    "norm",
    "onenormest",
    "qmr",
    "spbandwidth",
    "spilu",
    "splu",
    "spsolve",
    "spsolve_triangular",
    "svds",
    "tfqmr",
    "use_solver",
]

if TYPE_CHECKING:
    from ..._passthrough.stubs.sparse_linalg import *
else:
    from ..._passthrough.modules import passed_through

    __getattr__, __dir__ = passed_through(__name__)
