"""Tensor rings: trains whose ends meet."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .._array import Array
from ..linear_algebra_functions import einsum
from ..manipulation_functions import permute_dims, reshape
from ..random import Generator
from .tensor_train import cores_of
from .truncation import Options, adjoint, measured_basis, share

__all__ = ["TensorRing", "tensor_ring"]


class TensorRing:
    """
    A tensor ring: the element at (i, j, ..., k) is the trace of the product of the matrices that i, j, ..., k choose in the cores.

    Parameters
    ----------
    cores : sequence of Array
        Of shapes (r0, n1, r1), (r1, n2, r2), ..., (rd, nd, r0).

    Attributes
    ----------
    cores : tuple of Array
        The cores.
    shape : tuple of int
        Of the tensor.
    ranks : tuple of int
        Before each core.

    See Also
    --------
    tensor_ring : Decompose a tensor.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.tensor.TensorRing([xp.ones((2, 3, 1)), xp.ones((1, 4, 2))]).to_tensor().shape
    (3, 4)
    """

    def __init__(self, cores: Sequence[Array]) -> None:
        self.cores = tuple(cores)
        found = [core.shape for core in self.cores]
        if not found or any(len(shape) != 3 for shape in found) or any(
            one[2] != other[0] for one, other in zip(found, found[1:] + found[:1], strict=True)
        ):
            raise ValueError(f"cores have shapes {found}; give (r0, n, r1), (r1, n, r2), ..., (rd, n, r0)")

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the tensor."""
        return tuple(core.shape[1] for core in self.cores)

    @property
    def ranks(self) -> tuple[int, ...]:
        """Before each core."""
        return tuple(core.shape[0] for core in self.cores)

    def to_tensor(self) -> Array:
        """
        Multiply the cores, and add up the diagonal.

        Returns
        -------
        Array
            The tensor.
        """
        first, *others = self.cores
        found = first
        for core in others[:-1]:
            product = reshape(found, (-1, core.shape[0])) @ reshape(core, (core.shape[0], -1))
            found = reshape(product, (first.shape[0], -1, core.shape[2]))
        return reshape(einsum("anb,bma->nm", found, others[-1]) if others else einsum("ana->n", found), self.shape)

    def __repr__(self) -> str:
        return f"<TensorRing of shape {self.shape}, ranks {self.ranks}>"


def tensor_ring(
    tensor: Array, eps: float = 0.0, *, max_rank: int | None = None, randomized: bool = False, rng: Generator | None = None
) -> TensorRing:
    """
    Decompose a tensor into a tensor ring.

    Parameters
    ----------
    tensor : Array
        Of two axes or more, of real or complex floats.
    eps : float, optional
        The error allowed, relative to the Frobenius norm; it is no less than the spacing of floats at 1.
    max_rank : int, optional
        A rank at most, which takes precedence; the first basis may have twice as many columns, which two ranks share.
    randomized : bool, optional
        Whether bases are found by sketches.
    rng : Generator, optional
        For sketches.

    Returns
    -------
    TensorRing
        Within `eps`, but for rounding, where no rank is cut by `max_rank`.

    See Also
    --------
    tensor_train : With ends of rank 1.

    Notes
    -----
    The rank of the first unfolding is split into two factors as near to each other as its divisors allow; the rest is split as a train is
    [1]_. Each of d - 1 truncations may err by ``eps / sqrt(d - 1)``, whose squares add up.

    References
    ----------
    .. [1] Q. Zhao, G. Zhou, S. Xie, L. Zhang, A. Cichocki, "Tensor ring decomposition", arXiv:1606.05535 (2016), algorithm 1.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.reshape(xp.sin(xp.arange(60.0)), (3, 4, 5))
    >>> ring = xp.tensor.tensor_ring(x, eps=1e-10)
    >>> ring.ranks, bool(xp.linalg.vector_norm(ring.to_tensor() - x) < 1e-9)
    ((1, 2, 2), True)
    """
    if tensor.ndim < 2 or not tensor.size:
        raise ValueError(f"a ring is made of a tensor of two axes or more that has elements, not of shape {tensor.shape}")
    extent = tensor.shape[0]
    matrix = reshape(tensor, (extent, -1))
    first = None if max_rank is None else max_rank**2
    basis, error = measured_basis(matrix, Options(0.0, first, randomized, rng), share(tensor, eps, tensor.ndim - 1))
    rank = basis.shape[1]
    low = max(divisor for divisor in range(1, math.isqrt(rank) + 1) if rank % divisor == 0)
    high = rank // low
    head = permute_dims(reshape(basis, (extent, low, high)), (1, 0, 2))
    rest = permute_dims(reshape(adjoint(basis) @ matrix, (low, high, *tensor.shape[1:])), (*range(1, tensor.ndim + 1), 0))
    merged = reshape(rest, (high, *tensor.shape[1:-1], tensor.shape[-1] * low))
    *middle, last = cores_of(merged, high, Options(error, max_rank, randomized, rng))
    return TensorRing([head, *middle, reshape(last, (last.shape[0], tensor.shape[-1], low))])
