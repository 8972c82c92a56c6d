"""How far from the diagonal the elements of a sparse array are."""

from __future__ import annotations

import warnings
from typing import Any

from scipy.sparse import SparseEfficiencyWarning

from .._sparse.base import is_sparse
from .._sparse.formats import csr_array
from .._sparse.sparse_array import as_sparse

__all__ = ["is_sptriangular", "spbandwidth"]


def spbandwidth(A: Any) -> tuple[int, int]:
    """Give the lower and the upper bandwidth of a sparse array. See `scipy.sparse.linalg.spbandwidth`."""
    lowest, highest = _diagonals(A, "spbandwidth")
    return max(-lowest, 0), max(highest, 0)


def is_sptriangular(A: Any) -> tuple[bool, bool]:
    """
    Tell whether a sparse array is lower and whether it is upper triangular.

    See `scipy.sparse.linalg.is_sptriangular`.
    """
    lowest, highest = _diagonals(A, "is_sptriangular")
    return highest <= 0, lowest >= 0


def _diagonals(A: Any, name: str) -> tuple[int, int]:
    """Give the numbers of the lowest and of the highest diagonal with elements; 0 if there are none."""
    if not is_sparse(A) or A.format == "bsr":
        message = f"{name} converts its operand to csr; give it in another sparse format than bsr"
        warnings.warn(message, SparseEfficiencyWarning, stacklevel=3)
        A = csr_array(A)
    array = as_sparse(A)
    if array.format == "dia":
        diagonals = array.offsets
    else:
        rows, columns = array.tocoo().coords
        diagonals = columns - rows
    return (int(diagonals.min()), int(diagonals.max())) if diagonals.size else (0, 0)
