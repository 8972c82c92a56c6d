"""Sparse arrays under scipy.sparse's names and signatures, over Arrays.

There are the array classes of five formats; not those of old matrices, nor the formats "lil" and "dok", whose lists and dicts no
device holds: make such an array with SciPy and give it to `csr_array`. The functions take SciPy's sparse arrays and matrices, too,
and `to_scipy` gives them back. On the cpu the memory is shared both ways.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import scipy.sparse
from scipy.sparse import SparseEfficiencyWarning, SparseWarning

from ..._look_alikes import LOOK_ALIKES
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


def __getattr__(name: str) -> Any:
    """Import `linalg` when it is first asked for."""
    if name == "linalg":
        from importlib import import_module

        return import_module(f"{__name__}.linalg")
    ours = LOOK_ALIKES.get(f"scipy.sparse.{name}")
    if ours is not None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}: use {ours}, of sparse arrays")
    if hasattr(scipy.sparse, name):
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}: use scipy.sparse.{name} on the host, and give a sparse result to csr_array"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
