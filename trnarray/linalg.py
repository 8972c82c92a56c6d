"""Linear algebra: the standard's ``linalg`` extension and all of numpy.linalg, under NumPy's signatures.

Matrices are in the last two axes; further axes are stacks of them. float16, bfloat16 and float8 matrices are computed in
float32 and the results rounded once.
"""

from numpy.linalg import LinAlgError

from ._linalg.decompositions import (
    EighResult,
    EigResult,
    QRResult,
    SVDResult,
    cholesky,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    qr,
    svd,
    svdvals,
)
from ._linalg.equations import inv, lstsq, pinv, solve, tensorinv, tensorsolve
from ._linalg.norms import SlogdetResult, cond, det, matrix_norm, matrix_rank, norm, slogdet, vector_norm
from ._linalg.products import cross, diagonal, matmul, matrix_power, multi_dot, outer, tensordot, trace, vecdot
from .linear_algebra_functions import matrix_transpose

__all__ = [
    "EigResult",
    "EighResult",
    "LinAlgError",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vecdot",
    "vector_norm",
]
