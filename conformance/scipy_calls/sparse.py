"""What is done with sparse arrays, on a few elements: operators, methods, making them, putting them together, and linear algebra.

Functions that read or write files are left out, as is `funm_multiply_krylov`, which is trnarray's own: a loop of many operations, each
of which is measured by itself. SciPy's drops a vector of an invariant subspace.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from operator import attrgetter, methodcaller
from typing import Any, Final

import numpy as np
import scipy.sparse

__all__ = ["CALLS", "FUNCTIONS", "LINEAR_ALGEBRA"]

_DENSE: Final = np.eye(8) + np.diag(np.ones(7), 1)
_X: Final = np.arange(1.0, 9.0)
_A: Final = scipy.sparse.csr_array(_DENSE)
_B: Final = _A.T.tocsr()
_W: Final = _A.copy()  # is written to
_COO: Final = scipy.sparse.coo_array(_DENSE)
_S: Final = scipy.sparse.csc_array(_DENSE + _DENSE.T)
_I: Final = scipy.sparse.csc_array(2 * np.eye(8))  # with which methods solve in one step: what a call costs besides shows best

_OPERATORS: Final[Mapping[str, tuple[Any, ...]]] = {
    **dict.fromkeys(("add", "sub", "mul", "matmul", "eq", "ne", "lt", "le", "gt", "ge"), (_A, _B)),
    **dict.fromkeys(("neg", "abs"), (_A,)),
    "truediv": (_A, 2.0),
    "pow": (_A, 2),
    "imul": (_W, 1.0),
    "itruediv": (_W, 1.0),
}
_METHODS: Final = (
    *("arcsin", "arcsinh", "arctan", "argmax", "argmin", "ceil", "check_format", "conj", "conjugate", "copy", "count_nonzero"),
    *("deg2rad", "diagonal", "eliminate_zeros", "expm1", "floor", "log1p", "max", "mean", "min", "nanmax", "nanmin", "nonzero", "prune"),
    *("rad2deg", "rint", "sign", "sin", "sinh", "sort_indices", "sorted_indices", "sqrt", "sum", "sum_duplicates", "tan", "tanh"),
    *("toarray", "tobsr", "tocoo", "tocsc", "tocsr", "todense", "todia", "trace", "transpose", "trunc"),
)
_PROPERTIES: Final = (
    *("T", "data", "dtype", "format", "has_canonical_format", "has_sorted_indices", "imag", "indices", "indptr", "mT", "maxprint", "ndim"),
    *("nnz", "real", "shape", "size"),
)

CALLS: Final[Mapping[str, tuple[Callable[..., Any], tuple[Any, ...]]]] = {
    **{name: (getattr(operator, name), operands) for name, operands in _OPERATORS.items()},
    "round": (round, (_A,)),
    "scale": (operator.mul, (2.0, _A)),
    "add_dense": (operator.add, (_A, _DENSE)),
    "times_vector": (operator.matmul, (_A, _X)),
    "times_matrix": (operator.matmul, (_A, _DENSE)),
    "vector_times": (operator.matmul, (_X, _A)),
    "element": (operator.getitem, (_A, (2, 3))),
    "rows": (operator.getitem, (_A, slice(1, 3))),
    "rows_by_index": (operator.getitem, (_A, np.arange(1, 3))),
    "block": (operator.getitem, (_A, (slice(1, 3), slice(2, 5)))),
    "set_element": (operator.setitem, (_W, (2, 2), 1.0)),
    "first_row": (lambda a: next(iter(a)), (_A,)),
    **{name: (methodcaller(name), (_A,)) for name in _METHODS if hasattr(_A, name)},
    **{name: (attrgetter(name), (_A,)) for name in _PROPERTIES if hasattr(_A, name)},
    "arctanh": (methodcaller("arctanh"), (_A / 2,)),
    "asformat": (methodcaller("asformat", "coo"), (_A,)),
    "astype": (methodcaller("astype", np.float32), (_A,)),
    "power": (methodcaller("power", 2), (_A,)),
    "reshape": (methodcaller("reshape", (4, 16)), (_A,)),
    "resize": (methodcaller("resize", 8, 8), (_W,)),
    "setdiag": (methodcaller("setdiag", 1.0), (_W,)),
    **{f"{name}_of_columns": (methodcaller(name, axis=0), (_A,)) for name in ("argmax", "max", "mean", "sum")},
    "dot": (lambda a, x: a.dot(x), (_A, _X)),
    "maximum": (lambda a, b: a.maximum(b), (_A, _B)),
    "minimum": (lambda a, b: a.minimum(b), (_A, _B)),
    "multiply": (lambda a, b: a.multiply(b), (_A, _B)),
    **({"tensordot": (lambda a, b: a.tensordot(b, 1), (_COO, _DENSE))} if hasattr(_COO, "tensordot") else {}),
}
"""By name a function, and SciPy's operands of it: those that this SciPy has."""

_SHAPE: Final = {"shape": (8, 8)}
_FORMATS: Final = ("csr_array", "csc_array", "coo_array", "bsr_array", "dia_array")

FUNCTIONS: Final[Mapping[str, tuple[str, tuple[Any, ...], Mapping[str, Any]]]] = {
    **{f"{name} of dense": (name, (_DENSE,), {}) for name in _FORMATS},
    **{f"{name} of dense as float32": (name, (_DENSE,), {"dtype": np.float32}) for name in _FORMATS},
    **{f"{name} of sparse": (name, (_A,), {}) for name in _FORMATS},
    **{f"{name} of shape": (name, ((8, 8),), {}) for name in _FORMATS},
    **{f"{name} of components": (name, ((_A.data, _A.indices, _A.indptr),), _SHAPE) for name in ("csr_array", "csc_array")},
    **{f"{name} of coordinates": (name, ((_COO.data, _COO.coords),), _SHAPE) for name in _FORMATS if name != "dia_array"},
    "bsr_array of components": ("bsr_array", ((np.ones((2, 4, 4)), np.arange(2), np.arange(3)),), _SHAPE),
    "dia_array of components": ("dia_array", ((np.ones((2, 8)), np.arange(2)),), _SHAPE),
    **{name: (name, (_A,), {}) for name in ("expand_dims", "find", "issparse", "matrix_transpose", "permute_dims", "tril", "triu")},
    **{name: (name, ([_A, _A],), {}) for name in ("block_diag", "hstack", "vstack")},
    **{name: (name, (_A, _B), {}) for name in ("kron", "kronsum")},
    "block_array": ("block_array", ([[_A, None], [None, _B]],), {}),
    "diags_array": ("diags_array", ([_X, _X[:7]],), {"offsets": [0, 1]}),
    **{name: (name, (8,), {}) for name in ("eye_array", "identity")},
    "random_array": ("random_array", ((8, 8),), {"density": 0.0}),
    "swapaxes": ("swapaxes", (_A, 0, 1), {}),
}
"""By what is made a function of scipy.sparse, its operands and options."""

LINEAR_ALGEBRA: Final[Mapping[str, tuple[tuple[Any, ...], Mapping[str, Any]]]] = {
    **dict.fromkeys(("factorized", "spilu", "splu"), ((_S,), {})),
    **dict.fromkeys(("expm", "inv", "onenormest"), ((_S[:2, :2],), {})),
    **dict.fromkeys(("aslinearoperator", "is_sptriangular", "norm", "spbandwidth"), ((_A,), {})),
    **dict.fromkeys(("bicg", "bicgstab", "cg", "cgs", "expm_multiply", "gcrotmk", "gmres"), ((_I, _X), {})),
    **dict.fromkeys(("lgmres", "lsmr", "lsqr", "minres", "qmr", "tfqmr"), ((_I, _X), {})),
    **dict.fromkeys(("eigs", "eigsh", "svds"), ((_S[:3, :3], 1), {})),
    "lobpcg": ((_I, _DENSE[:, :1]), {}),
    "matrix_power": ((_A, 2), {}),
    "spsolve": ((_S, _X), {}),
    "spsolve_triangular": ((_B, _X), {}),
}
"""By the name of a function of scipy.sparse.linalg, operands and options."""
