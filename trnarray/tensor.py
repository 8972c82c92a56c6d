"""Decompositions of tensors: canonical polyadic, Tucker, tensor trains and tensor rings, and the operations that they are made of.

Functions are programs of the main namespace, so that they run where their Arrays are. Ranks that follow from an error are found on the
host, from singular values that are fetched; all else is deferred as other calls are.
"""

from __future__ import annotations

from ._tensor.canonical_polyadic import CP, cp
from ._tensor.cross_approximation import tt_cross
from ._tensor.tensor_ring import TensorRing, tensor_ring
from ._tensor.tensor_train import TensorTrain, tensor_train
from ._tensor.tucker import Tucker, tucker
from ._tensor.unfolding import fold, khatri_rao, mode_product, mttkrp, unfold

__all__ = [
    "CP", "TensorRing", "TensorTrain", "Tucker", "cp", "fold", "khatri_rao", "mode_product", "mttkrp", "tensor_ring", "tensor_train",
    "tt_cross", "tucker", "unfold",
]  # fmt: skip
