# Made by `python -m trnarray.conformance scipy-names --write`: the names of SciPy that are passed through.

from types import ModuleType
from typing import Any

basic: ModuleType
def clarkson_woodruff_transform(input_matrix: Any, sketch_size: Any, rng: Any = ..., *, seed: Any = ...) -> Any: ...
cython_blas: ModuleType
cython_lapack: ModuleType
decomp: ModuleType
decomp_cholesky: ModuleType
decomp_lu: ModuleType
decomp_qr: ModuleType
decomp_schur: ModuleType
decomp_svd: ModuleType
def find_best_blas_type(arrays: Any = ..., dtype: Any = ...) -> Any: ...
def get_blas_funcs(names: Any, arrays: Any = ..., dtype: Any = ..., ilp64: Any = ...) -> Any: ...
def get_lapack_funcs(names: Any, arrays: Any = ..., dtype: Any = ..., ilp64: Any = ...) -> Any: ...
lapack: ModuleType
matfuncs: ModuleType
misc: ModuleType
def solve_lyapunov(a: Any, q: Any) -> Any: ...
special_matrices: ModuleType
