"""Column-wise Kronecker products of matrices."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from . import Lowerings
from .composition import Expression, Ops, compositions

__all__: list[str] = []


def _khatri_rao(ops: Ops, a: Any, b: Any) -> Expression:
    left, right = ops.array(a), ops.array(b)
    if left.ndim < 2 or right.ndim < 2 or left.shape[-1] != right.shape[-1]:
        raise ValueError(f"khatri_rao takes matrices of as many columns, and these have shapes {left.shape} and {right.shape}")
    batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    product = left[..., :, None, :] * right[..., None, :, :]
    return product.reshape(*batch, left.shape[-2] * right.shape[-2], left.shape[-1])


LOWERINGS: Final[Lowerings] = compositions(
    {
        "scipy.linalg.khatri_rao": _khatri_rao,
    }
)
