"""What is done with sparse arrays, on a few elements: operators, methods, making them, putting them together, and linear algebra.

Functions that read or write files or draw random numbers are left out, as is `funm_multiply_krylov`, which is trnarray's own: a loop of
many operations, each of which is measured by itself. SciPy's drops a vector of an invariant subspace.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from operator import methodcaller
from typing import Any, Final

import numpy as np
import scipy.sparse

__all__ = ["CALLS", "FUNCTIONS", "LINEAR_ALGEBRA"]

_DENSE: Final = np.eye(8) + np.diag(np.ones(7), 1)
_X: Final = np.arange(1.0, 9.0)
_A: Final = scipy.sparse.csr_array(_DENSE)
_B: Final = _A.T.tocsr()
_COO: Final = scipy.sparse.coo_array(_DENSE)
_S: Final = scipy.sparse.csc_array(_DENSE + _DENSE.T)
_I: Final = scipy.sparse.csc_array(2 * np.eye(8))  # with which methods solve in one step: what a call costs besides shows best

CALLS: Final[Mapping[str, tuple[Callable[..., Any], tuple[Any, ...]]]] = {
    "add": (operator.add, (_A, _B)),
    "subtract": (operator.sub, (_A, _B)),
    "multiply": (operator.mul, (_A, _B)),
    "scale": (operator.mul, (2.0, _A)),
    "negate": (operator.neg, (_A,)),
    "compare": (operator.ne, (_A, _B)),
    "times_sparse": (operator.matmul, (_A, _B)),
    "times_vector": (operator.matmul, (_A, _X)),
    "times_matrix": (operator.matmul, (_A, _DENSE)),
    "element": (operator.getitem, (_A, (2, 3))),
    "rows": (operator.getitem, (_A, slice(1, 3))),
    "block": (operator.getitem, (_A, (slice(1, 3), slice(2, 5)))),
    **{
        name: (methodcaller(name), (_A,))
        for name in (
            *("copy", "count_nonzero", "diagonal", "max", "mean", "nonzero", "sin", "sqrt", "sum", "toarray", "tobsr", "tocoo", "tocsc"),
            *("todia", "trace", "transpose"),
        )
    },
    "astype": (methodcaller("astype", np.float32), (_A,)),
    "reshape": (methodcaller("reshape", (4, 16)), (_A,)),
    "sum_of_columns": (methodcaller("sum", axis=0), (_A,)),
    "dot": (lambda a, x: a.dot(x), (_A, _X)),
    "maximum": (lambda a, b: a.maximum(b), (_A, _B)),
}
"""By name a function, and SciPy's operands of it."""

_SHAPE: Final = {"shape": (8, 8)}

FUNCTIONS: Final[Mapping[str, tuple[str, tuple[Any, ...], Mapping[str, Any]]]] = {
    **{f"{name} of dense": (name, (_DENSE,), {}) for name in ("csr_array", "csc_array", "coo_array", "bsr_array", "dia_array")},
    **{f"{name} of components": (name, ((_A.data, _A.indices, _A.indptr),), _SHAPE) for name in ("csr_array", "csc_array")},
    **{f"{name} of coordinates": (name, ((_COO.data, _COO.coords),), _SHAPE) for name in ("csr_array", "csc_array", "coo_array")},
    **{f"{name} of sparse": (name, (_A,), {}) for name in ("csr_array", "csc_array", "coo_array")},
    **{f"{name} of shape": (name, ((8, 8),), {}) for name in ("csr_array", "coo_array")},
    "bsr_array of components": ("bsr_array", ((np.ones((2, 4, 4)), np.arange(2), np.arange(3)),), _SHAPE),
    "dia_array of components": ("dia_array", ((np.ones((2, 8)), np.arange(2)),), _SHAPE),
    **{name: (name, (_A,), {}) for name in ("expand_dims", "find", "issparse", "matrix_transpose", "permute_dims", "tril", "triu")},
    **{name: (name, ([_A, _A],), {}) for name in ("block_diag", "hstack", "vstack")},
    **{name: (name, (_A, _B), {}) for name in ("kron", "kronsum")},
    "block_array": ("block_array", ([[_A, None], [None, _B]],), {}),
    "diags_array": ("diags_array", ([_X, _X[:7]],), {"offsets": [0, 1]}),
    "eye_array": ("eye_array", (8,), {}),
    "swapaxes": ("swapaxes", (_A, 0, 1), {}),
}
"""By what is made a function of scipy.sparse, its operands and options."""

LINEAR_ALGEBRA: Final[Mapping[str, tuple[tuple[Any, ...], Mapping[str, Any]]]] = {
    **dict.fromkeys(("expm", "factorized", "inv", "onenormest", "spilu", "splu"), ((_S,), {})),
    **dict.fromkeys(("aslinearoperator", "is_sptriangular", "norm", "spbandwidth"), ((_A,), {})),
    **dict.fromkeys(("expm_multiply", "spsolve"), ((_S, _X), {})),
    **dict.fromkeys(("bicg", "bicgstab", "cg", "cgs", "gcrotmk", "gmres"), ((_I, _X), {})),
    **dict.fromkeys(("lgmres", "lsmr", "lsqr", "minres", "qmr", "tfqmr"), ((_I, _X), {})),
    **dict.fromkeys(("eigs", "eigsh", "svds"), ((_S, 1), {"v0": _X, "tol": 0.5})),
    "lobpcg": ((_S, _DENSE[:, :1]), {"maxiter": 2}),
    "matrix_power": ((_A, 2), {}),
    "spsolve_triangular": ((_B, _X), {}),
}
"""By the name of a function of scipy.sparse.linalg, operands and options."""
