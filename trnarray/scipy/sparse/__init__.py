"""Sparse arrays under scipy.sparse's names and signatures, over Arrays.

There are the array classes of five formats; not those of old matrices, nor the formats "lil" and "dok", whose lists and dicts no
device holds: make such an array with SciPy and give it to `csr_array`. The functions take SciPy's sparse arrays and matrices, too,
and `to_scipy` gives them back. On the cpu the memory is shared both ways.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scipy.sparse import SparseEfficiencyWarning, SparseWarning

from ..._sparse.base import is_sparse as issparse
from ..._sparse.combination import (
    block_array,
    block_diag,
    expand_dims,
    find,
    hstack,
    kron,
    kronsum,
    matrix_transpose,
    permute_dims,
    swapaxes,
    tril,
    triu,
    vstack,
)
from ..._sparse.construction import diags_array, eye_array, identity, load_npz, random_array, save_npz
from ..._sparse.formats import bsr_array, coo_array, csc_array, csr_array, dia_array
from ..._sparse.sparse_array import sparray

if TYPE_CHECKING:
    from . import linalg as linalg

__all__ = [
    "SparseEfficiencyWarning",
    "SparseWarning",
    "block_array",
    "block_diag",
    "bsr_array",
    "coo_array",
    "csc_array",
    "csr_array",
    "dia_array",
    "diags_array",
    "expand_dims",
    "eye_array",
    "find",
    "hstack",
    "identity",
    "issparse",
    "kron",
    "kronsum",
    "linalg",
    "load_npz",
    "matrix_transpose",
    "permute_dims",
    "random_array",
    "save_npz",
    "sparray",
    "swapaxes",
    "tril",
    "triu",
    "vstack",
]


if TYPE_CHECKING:
    from ..._passthrough.stubs.sparse import *
else:
    from ..._passthrough.modules import passed_through

    __getattr__, __dir__ = passed_through(__name__)
