"""Tensor trains: a tensor as a product of cores of three axes, one for each of its own, with arithmetic and rounding."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import Any, Final

from .. import linalg
from .._array import Array
from ..backends.device import CPU
from ..creation_functions import zeros
from ..joining_functions import concat
from ..linear_algebra_functions import einsum
from ..manipulation_functions import reshape
from ..random import Generator
from .truncation import Options, adjoint, allowed, by_products, column_basis, measured_basis, moved, share, triangle

__all__ = ["TensorTrain", "cores_of", "tensor_train"]

_TOGETHER: Final = 256
"""Columns up to which devices split axes off together, of double precision a fourth: so many cost them what few cost, and LAPACK more."""


class TensorTrain:
    """
    A tensor train: the element at (i, j, ..., k) is the product of the matrices that i, j, ..., k choose in the cores.

    `tensor_train` and `tt_cross` make them. Sums, differences and products by elements are exact and add or multiply ranks; `round` brings
    these down.

    Parameters
    ----------
    cores : sequence of Array
        Of shapes (1, n1, r1), (r1, n2, r2), ..., (rd, nd, 1).

    Attributes
    ----------
    cores : tuple of Array
        The cores.
    shape : tuple of int
        Of the tensor.
    ranks : tuple of int
        Between cores: one fewer than there are axes.

    See Also
    --------
    tensor_train : Decompose a tensor.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.tensor.tensor_train(xp.ones((2, 3, 4)))
    >>> (x + x).ranks, (x + x).round(1e-10).ranks, round(float((x * x).sum()))
    ((2, 2), (1, 1), 24)
    """

    def __init__(self, cores: Sequence[Array]) -> None:
        self.cores = tuple(cores)
        found = [core.shape for core in self.cores]
        if not found or any(len(shape) != 3 for shape in found) or found[0][0] != 1 or found[-1][2] != 1:
            raise ValueError(f"cores have shapes {found}; give (1, n, r), (r, n, r), ..., (r, n, 1)")
        if any(one[2] != other[0] for one, other in itertools.pairwise(found)):
            raise ValueError(f"cores have shapes {found}, whose ranks do not meet")

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the tensor."""
        return tuple(core.shape[1] for core in self.cores)

    @property
    def ranks(self) -> tuple[int, ...]:
        """Between cores."""
        return tuple(core.shape[2] for core in self.cores[:-1])

    def to_tensor(self) -> Array:
        """
        Multiply the cores.

        Returns
        -------
        Array
            The tensor.
        """
        found = self.cores[0]
        for core in self.cores[1:]:
            found = reshape(found, (-1, core.shape[0])) @ reshape(core, (core.shape[0], -1))
        return reshape(found, self.shape)

    def round(self, eps: float, *, max_rank: int | None = None) -> TensorTrain:
        """
        Bring ranks down.

        Parameters
        ----------
        eps : float
            The error allowed, relative to the norm of the train.
        max_rank : int, optional
            A rank at most, which takes precedence.

        Returns
        -------
        TensorTrain
            Within `eps`, but for rounding, where no rank is cut by `max_rank`.

        See Also
        --------
        tensor_train : Decompose a tensor.

        Notes
        -----
        Cores are made orthogonal from the right, and truncated from the left [1]_; no tensor is formed.

        References
        ----------
        .. [1] I. V. Oseledets, "Tensor-train decomposition", SIAM J. Sci. Comput. 33 (2011), algorithm 2.

        Examples
        --------
        >>> import trnarray as xp
        >>> x = xp.tensor.tensor_train(xp.ones((4, 4, 4)))
        >>> (x + x - x).round(1e-12).ranks
        (1, 1)
        """
        cores = list(self.cores)
        for place in range(len(cores) - 1, 0, -1):
            rank, extent, right = cores[place].shape
            q, r = linalg.qr(adjoint(reshape(cores[place], (rank, extent * right))))
            cores[place] = reshape(adjoint(q), (-1, extent, right))
            cores[place - 1] = einsum("anb,bc->anc", cores[place - 1], adjoint(r))
        error = allowed(cores[0], eps, len(cores) - 1)
        for place in range(len(cores) - 1):
            left, extent, rank = cores[place].shape
            matrix = reshape(cores[place], (left * extent, rank))
            basis = column_basis(matrix, Options(error, max_rank, False, None))
            cores[place] = reshape(basis, (left, extent, -1))
            cores[place + 1] = einsum("ab,bnc->anc", adjoint(basis) @ matrix, cores[place + 1])
        return TensorTrain(cores)

    def dot(self, other: TensorTrain) -> Array:
        """
        Sum the products of elements with those of another train.

        Parameters
        ----------
        other : TensorTrain
            Of the same shape; its elements are not conjugated.

        Returns
        -------
        Array
            The sum, 0-d.
        """
        _check_shapes(self, other)
        found = einsum("anb,cnd->acbd", self.cores[0], other.cores[0])[0, 0]
        for one, two in zip(self.cores[1:], other.cores[1:], strict=True):
            found = einsum("ac,anb,cnd->bd", found, one, two)
        return found[0, 0]

    def norm(self) -> Array:
        """
        Compute the root of the sum of squares of magnitudes, by triangular factors, without cancellation.

        Returns
        -------
        Array
            The norm, 0-d.
        """
        carried = None
        for core in self.cores:
            moved = core if carried is None else einsum("ab,bnc->anc", carried, core)
            carried = linalg.qr(reshape(moved, (-1, moved.shape[2])), mode="r")
        assert carried is not None
        return linalg.vector_norm(carried)

    def sum(self) -> Array:
        """
        Sum all elements.

        Returns
        -------
        Array
            The sum, 0-d.
        """
        return functools.reduce(lambda one, other: one @ other, [einsum("anb->ab", core) for core in self.cores])[0, 0]

    def __add__(self, other: TensorTrain) -> TensorTrain:
        _check_shapes(self, other)
        if len(self.cores) == 1:
            return TensorTrain([self.cores[0] + other.cores[0]])
        last = len(self.cores) - 1
        return TensorTrain([
            concat([one, two], axis=2) if place == 0 else concat([one, two], axis=0) if place == last else _block(one, two)
            for place, (one, two) in enumerate(zip(self.cores, other.cores, strict=True))
        ])

    def __neg__(self) -> TensorTrain:
        return self * -1

    def __sub__(self, other: TensorTrain) -> TensorTrain:
        return self + -other

    def __mul__(self, other: TensorTrain | complex) -> TensorTrain:
        if not isinstance(other, TensorTrain):
            return TensorTrain([self.cores[0] * other, *self.cores[1:]])
        _check_shapes(self, other)
        cores = []
        for one, two in zip(self.cores, other.cores, strict=True):
            shape = one.shape[0] * two.shape[0], one.shape[1], one.shape[2] * two.shape[2]
            cores.append(reshape(einsum("anb,cnd->acnbd", one, two), shape))
        return TensorTrain(cores)

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"<TensorTrain of shape {self.shape}, ranks {self.ranks}>"


def _check_shapes(one: TensorTrain, other: TensorTrain) -> None:
    if one.shape != other.shape:
        raise ValueError(f"trains of shapes {one.shape} and {other.shape} do not fit: give trains of one shape")


def _block(one: Array, two: Array) -> Array:
    """Put two cores on a diagonal of blocks."""
    (left, extent, right), (more, _, other) = one.shape, two.shape
    upper = concat([one, zeros((left, extent, other), dtype=one.dtype, device=one.device)], axis=2)
    lower = concat([zeros((more, extent, right), dtype=two.dtype, device=two.device), two], axis=2)
    return concat([upper, lower], axis=0)


def cores_of(tensor: Array, rank: int, options: Options) -> list[Array]:
    """Split a tensor (rank, n1, ..., nd * last) from the left: cores with orthonormal columns, and what is left as the last one."""
    cores, rest, shape = [], tensor, tensor.shape
    for extent in shape[1:-1]:
        matrix = reshape(rest, (rank * extent, -1))
        basis = column_basis(matrix, options)
        cores.append(reshape(basis, (rank, extent, -1)))
        rest, rank = adjoint(basis) @ matrix, basis.shape[1]
    return [*cores, reshape(rest, (rank, shape[-1], -1))]


def _joined(basis: Array, core: Array) -> Array:
    """Make the basis of the columns of one more axis."""
    return reshape(einsum("ab,nbc->nac", basis, core), (-1, core.shape[2]))


def tensor_train(
    tensor: Array, eps: float = 0.0, *, max_rank: int | None = None, randomized: bool = False, rng: Generator | None = None
) -> TensorTrain:
    """
    Decompose a tensor into a tensor train.

    Parameters
    ----------
    tensor : Array
        Of one axis or more, of real or complex floats.
    eps : float, optional
        The error allowed, relative to the Frobenius norm; it is no less than the spacing of floats at 1.
    max_rank : int, optional
        A rank at most, which takes precedence.
    randomized : bool, optional
        Whether bases are found by sketches.
    rng : Generator, optional
        For sketches.

    Returns
    -------
    TensorTrain
        Within `eps`, but for rounding, where no rank is cut by `max_rank`.

    See Also
    --------
    tt_cross : Trains of functions of indices, from few of the elements.

    Notes
    -----
    Each of d - 1 truncations may err by ``eps / sqrt(d - 1)``, and their squares add up [1]_. Axes are split off from the last one on, so
    that unfoldings are tall as they lie: each is read for a triangular factor, which tells its norm, too, and once more for what is
    left [2]_. Devices split axes of up to 256 elements together off from one factor. Of single precision it is found from the products of
    columns, which are fetched, and their eigenvectors, which the host finds in double precision; one more pass follows where the error
    allowed is below what rounding may hide. All cores but the first have orthonormal rows, as (r, n r) matrices.

    References
    ----------
    .. [1] I. V. Oseledets, "Tensor-train decomposition", SIAM J. Sci. Comput. 33 (2011), algorithm 1.
    .. [2] M. Röhrig-Zöllner, J. Thies, A. Basermann, "Performance of the low-rank TT-SVD for large dense tensors on modern multicore
       CPUs", SIAM J. Sci. Comput. 44 (2022).

    Examples
    --------
    >>> import trnarray as xp
    >>> t = xp.linspace(0, 1, 4096)
    >>> train = xp.tensor.tensor_train(xp.reshape(xp.sin(20 * t), (4,) * 6), eps=1e-10)
    >>> train.ranks
    (2, 2, 2, 2, 2)
    """
    if tensor.ndim < 1:
        raise ValueError("a 0-d tensor has no axis to be split along; give one of one axis or more")
    if not tensor.size:
        raise ValueError(f"a tensor of shape {tensor.shape} has no elements; give one that has")
    relative: float | None = share(tensor, eps, tensor.ndim - 1)  # to the norm, which the first singular values tell
    options, cores, rest, right = Options(0.0, max_rank, randomized, rng), list[Array](), tensor, 1
    axes, most = [*tensor.shape[1:]], 0 if randomized or tensor.device == CPU else _TOGETHER if by_products(tensor) else _TOGETHER // 4
    while axes:
        extents, columns = [axes[-1]], axes.pop() * right
        while axes and columns * axes[-1] <= most:
            columns *= axes[-1]
            extents.append(axes.pop())
        matrix = reshape(rest, (-1, columns))
        together = len(extents) > 1 and matrix.shape[0] > columns
        rest = triangle(matrix, options.error, relative) if together else matrix
        joined: Any = None
        for extent in extents:
            part = reshape(rest, (-1, extent * right))
            basis, error = measured_basis(adjoint(part), options, relative)
            options, relative = options._replace(error=error), None
            cores.append(moved(reshape(adjoint(basis), (-1, extent, right)), tensor))
            joined = basis if joined is None else _joined(joined, reshape(basis, (extent, right, -1)))
            rest, right = part @ basis, basis.shape[1]
        if together:
            rest = matrix @ moved(joined, matrix)
    return TensorTrain([reshape(rest, (1, tensor.shape[0], right)), *reversed(cores)])
