"""Linear algebra under scipy.linalg's names and signatures, on Arrays.

Results are what SciPy computes, as Arrays; float16, bfloat16 and float8 matrices are computed in float32 and the results
rounded once. Left out are `find_best_blas_type`, `get_blas_funcs` and `get_lapack_funcs`, which give routines for ndarrays,
`clarkson_woodruff_transform`, which draws random numbers, and `solve_lyapunov`, an old name of `solve_continuous_lyapunov`.
"""

from typing import TYPE_CHECKING

from scipy.linalg import LinAlgError, LinAlgWarning

from ..._scipy_linalg.canonical_forms import (
    cdf2rdf,
    hessenberg,
    matrix_balance,
    ordqz,
    qz,
    rsf2csf,
    schur,
)
from ..._scipy_linalg.decompositions import (
    cholesky,
    cholesky_banded,
    ldl,
    lu,
)
from ..._scipy_linalg.eigenvalues import (
    eig,
    eig_banded,
    eigh,
    eigh_tridiagonal,
    eigvals,
    eigvals_banded,
    eigvalsh,
    eigvalsh_tridiagonal,
)
from ..._scipy_linalg.equations import (
    solve,
    solve_triangular,
)
from ..._scipy_linalg.factored_equations import (
    cho_factor,
    cho_solve,
    cho_solve_banded,
    lu_factor,
    lu_solve,
)
from ..._scipy_linalg.inverses import (
    inv,
    lstsq,
    pinv,
    pinvh,
)
from ..._scipy_linalg.matrix_equations import (
    solve_continuous_are,
    solve_continuous_lyapunov,
    solve_discrete_are,
    solve_discrete_lyapunov,
    solve_sylvester,
)
from ..._scipy_linalg.matrix_functions import (
    coshm,
    cosm,
    expm,
    expm_cond,
    expm_frechet,
    fractional_matrix_power,
    funm,
    logm,
    signm,
    sinhm,
    sinm,
    sqrtm,
    tanhm,
    tanm,
)
from ..._scipy_linalg.norms import (
    det,
    norm,
)
from ..._scipy_linalg.orthogonal_factors import (
    qr,
    qr_delete,
    qr_insert,
    qr_multiply,
    qr_update,
    rq,
)
from ..._scipy_linalg.singular_values import (
    cossin,
    diagsvd,
    null_space,
    orth,
    orthogonal_procrustes,
    polar,
    subspace_angles,
    svd,
    svdvals,
)
from ..._scipy_linalg.special_matrices import (
    block_diag,
    circulant,
    companion,
    convolution_matrix,
    dft,
    fiedler,
    fiedler_companion,
    hadamard,
    hankel,
    helmert,
    hilbert,
    invhilbert,
    invpascal,
    leslie,
    pascal,
    toeplitz,
)
from ..._scipy_linalg.structure import (
    bandwidth,
    ishermitian,
    issymmetric,
    khatri_rao,
)
from ..._scipy_linalg.structured_equations import (
    matmul_toeplitz,
    solve_banded,
    solve_circulant,
    solve_toeplitz,
    solveh_banded,
)
from . import blas

__all__ = [
    "LinAlgError",
    "LinAlgWarning",
    "bandwidth",
    "blas",
    "block_diag",
    "cdf2rdf",
    "cho_factor",
    "cho_solve",
    "cho_solve_banded",
    "cholesky",
    "cholesky_banded",
    "circulant",
    "companion",
    "convolution_matrix",
    "coshm",
    "cosm",
    "cossin",
    "det",
    "dft",
    "diagsvd",
    "eig",
    "eig_banded",
    "eigh",
    "eigh_tridiagonal",
    "eigvals",
    "eigvals_banded",
    "eigvalsh",
    "eigvalsh_tridiagonal",
    "expm",
    "expm_cond",
    "expm_frechet",
    "fiedler",
    "fiedler_companion",
    "fractional_matrix_power",
    "funm",
    "hadamard",
    "hankel",
    "helmert",
    "hessenberg",
    "hilbert",
    "inv",
    "invhilbert",
    "invpascal",
    "ishermitian",
    "issymmetric",
    "khatri_rao",
    "ldl",
    "leslie",
    "logm",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_solve",
    "matmul_toeplitz",
    "matrix_balance",
    "norm",
    "null_space",
    "ordqz",
    "orth",
    "orthogonal_procrustes",
    "pascal",
    "pinv",
    "pinvh",
    "polar",
    "qr",
    "qr_delete",
    "qr_insert",
    "qr_multiply",
    "qr_update",
    "qz",
    "rq",
    "rsf2csf",
    "schur",
    "signm",
    "sinhm",
    "sinm",
    "solve",
    "solve_banded",
    "solve_circulant",
    "solve_continuous_are",
    "solve_continuous_lyapunov",
    "solve_discrete_are",
    "solve_discrete_lyapunov",
    "solve_sylvester",
    "solve_toeplitz",
    "solve_triangular",
    "solveh_banded",
    "sqrtm",
    "subspace_angles",
    "svd",
    "svdvals",
    "tanhm",
    "tanm",
    "toeplitz",
]

if TYPE_CHECKING:
    from ..._passthrough.stubs.linalg import *
else:
    from ..._passthrough.modules import passed_through

    __getattr__, __dir__ = passed_through(__name__)
