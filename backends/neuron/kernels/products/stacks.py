"""The extents of a product of stacks of matrices, which its rules check."""

from __future__ import annotations

from ....rules import Signature
from ...kernel import InvalidCallError

__all__ = ["Extents", "product_extents"]

Extents = tuple[int, int, int, int, int, int]


def product_extents(name: str, first: Signature, second: Signature, left_transposed: bool, right_transposed: bool) -> Extents:
    """
    Find batches, rows, depth and columns of a product, and the batches of each operand, of which one may serve all.

    Examples
    --------
    >>> import numpy as np
    >>> product_extents("matmul", Signature((1, 2, 3), np.float32), Signature((5, 4, 3), np.float32), False, True)
    (5, 2, 3, 4, 1, 5)
    """
    (many, *one), (others, *other) = first.shape, second.shape
    rows, depth = reversed(one) if left_transposed else one
    inner, columns = reversed(other) if right_transposed else other
    batch = max(many, others)
    if depth != inner or not {many, others} <= {1, batch} or not depth:
        raise InvalidCallError(f"{name} of {first} and {second} has no rows and columns of one length")
    return batch, rows, depth, columns, many, others
