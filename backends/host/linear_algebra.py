"""Linear algebra where the standard's result type or default differs from NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import HostArray

__all__ = ["eig", "eigvals", "matrix_norm", "matrix_rank", "pinv", "vector_norm"]

_Array = HostArray


def eig(x: _Array, /) -> Any:
    """
    Compute eigenvalues and eigenvectors of square matrices.

    NumPy's, except that the result is complex also where all eigenvalues happen to be real.

    Examples
    --------
    >>> import numpy as np
    >>> eig(np.eye(2, dtype=np.float32)).eigenvalues
    array([1.+0.j, 1.+0.j], dtype=complex64)
    """
    result = np.linalg.eig(x)
    return type(result)(*map(_as_complex, result))


def eigvals(x: _Array, /) -> _Array:
    """
    Compute the eigenvalues of square matrices.

    NumPy's, except that the result is complex also where all eigenvalues happen to be real.
    """
    return _as_complex(np.linalg.eigvals(x))


def _as_complex(x: _Array) -> _Array:
    return x.astype(np.result_type(x, np.complex64), copy=False)


def matrix_norm(x: _Array, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """
    Compute a norm of matrices.

    NumPy's, except that NumPy 2.2 refuses matrices without elements.
    """
    if x.size == 0 and ord in (1, 2, np.inf):
        ord = "fro"  # 0, like them
    return np.linalg.matrix_norm(x, keepdims=keepdims, ord=ord)


def vector_norm(x: _Array, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """
    Compute a norm of vectors.

    NumPy's, except that NumPy 2.2 refuses vectors without elements.
    """
    if x.size == 0 and ord == np.inf:
        ord = 1  # 0, like it
    return np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)


def matrix_rank(x: _Array, /, *, rtol: Any = None) -> Any:
    """
    Compute the rank of matrices: how many singular values count as nonzero.

    NumPy's, except that NumPy 2.2 refuses matrices without elements.
    """
    if 0 in x.shape[-2:]:
        return np.zeros(x.shape[:-2], np.intp)[()]
    return np.linalg.matrix_rank(x, rtol=rtol)


def pinv(x: _Array, /, *, hermitian: bool = False, rtol: Any = None) -> _Array:
    """
    Compute the pseudo-inverse of matrices.

    NumPy's, except for the default of `rtol` (NumPy: 1e-15).
    """
    if x.dtype.kind in "biu":  # whose machine epsilon NumPy asks for
        x = x.astype(np.float64)
    return np.linalg.pinv(x, hermitian=hermitian, rtol=rtol)
