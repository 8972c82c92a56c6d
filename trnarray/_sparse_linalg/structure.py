"""How far from the diagonal the elements of a sparse array are."""

from __future__ import annotations

import warnings
from typing import Any

import scipy.sparse.linalg
from scipy.sparse import SparseEfficiencyWarning

from .._sparse.base import is_sparse
from .._sparse.formats import csr_array
from .._sparse.sparse_array import as_sparse
from ..backends.device import CPU

__all__ = ["is_sptriangular", "spbandwidth"]


def spbandwidth(A: Any) -> tuple[int, int]:
    """Give the lower and the upper bandwidth of a sparse array. See `scipy.sparse.linalg.spbandwidth`."""
    return _bandwidths(A, "spbandwidth")


def is_sptriangular(A: Any) -> tuple[bool, bool]:
    """
    Tell whether a sparse array is lower and whether it is upper triangular.

    See `scipy.sparse.linalg.is_sptriangular`.
    """
    below, above = _bandwidths(A, "is_sptriangular")
    return above == 0, below == 0


def _bandwidths(A: Any, name: str) -> tuple[int, int]:
    """Count the diagonals below and above the main one up to the last that has elements."""
    if not is_sparse(A) or A.format == "bsr":
        message = f"{name} converts its operand to csr; give it in another sparse format than bsr"
        warnings.warn(message, SparseEfficiencyWarning, stacklevel=3)
        A = csr_array(A)
    array = as_sparse(A)
    if array.device is CPU and array.nnz and hasattr(scipy.sparse.linalg, "spbandwidth"):  # which fails where there are none
        below, above = scipy.sparse.linalg.spbandwidth(array._value)
        return int(below), int(above)
    if array.format == "dia":
        diagonals = array.offsets
    else:
        rows, columns = array.tocoo().coords
        diagonals = columns - rows
    return (max(-int(diagonals.min()), 0), max(int(diagonals.max()), 0)) if diagonals.size else (0, 0)
