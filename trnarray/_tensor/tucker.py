"""The Tucker decomposition: a core, and an orthonormal factor for each axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from .._array import Array
from ..random import Generator
from .truncation import Options, adjoint, allowed, column_basis, frobenius
from .unfolding import mode_product, unfold

__all__ = ["Tucker", "tucker"]

_METHODS: Final = ("hosvd", "sthosvd", "hooi")


class Tucker(NamedTuple):
    """
    A tensor as a core, multiplied along each axis by a matrix.

    Attributes
    ----------
    core : Array
        Of the ranks as its shape.
    factors : tuple of Array
        One matrix for each axis, with orthonormal columns.

    See Also
    --------
    tucker : Decompose a tensor.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.tensor.Tucker(xp.ones((1, 1)), (xp.ones((2, 1)), xp.ones((3, 1)))).to_tensor().shape
    (2, 3)
    """

    core: Array
    factors: tuple[Array, ...]

    def to_tensor(self) -> Array:
        """
        Multiply the core by the factors.

        Returns
        -------
        Array
            The tensor.
        """
        tensor = self.core
        for axis, factor in enumerate(self.factors):
            tensor = mode_product(tensor, factor, axis)
        return tensor


def tucker(
    tensor: Array,
    ranks: Sequence[int] | None = None,
    *,
    eps: float | None = None,
    method: Literal["hosvd", "sthosvd", "hooi"] = "sthosvd",
    max_iterations: int = 50,
    tol: float = 1e-8,
    randomized: bool = False,
    rng: Generator | None = None,
) -> Tucker:
    """
    Decompose a tensor into a core and orthonormal factors.

    Parameters
    ----------
    tensor : Array
        Of real or complex floats.
    ranks : sequence of int, optional
        Of the core, at most; by default as many as `eps` needs.
    eps : float, optional
        The error allowed, relative to the Frobenius norm of the tensor; by default what rounding is, or, where `ranks` are given, none.
    method : {"sthosvd", "hosvd", "hooi"}, optional
        By singular values of the unfoldings of what earlier axes have left, or of the tensor itself, or by iteration from there.
    max_iterations : int, optional
        Of "hooi".
    tol : float, optional
        "hooi" ends when the norm of the core grows by less, relative to it.
    randomized : bool, optional
        Whether bases are found by sketches instead of decompositions of whole unfoldings.
    rng : Generator, optional
        For sketches.

    Returns
    -------
    Tucker
        The core, and a factor for each axis.

    See Also
    --------
    tensor_train : For tensors of many axes.

    Notes
    -----
    With d axes, each is truncated to an error of ``eps / sqrt(d)``; their squares add up, so that the result is within `eps`, but for
    rounding [1]_. That holds for "hosvd" [2]_ and "sthosvd" [1]_; "hooi" [3]_ keeps the ranks and does not increase the error.

    References
    ----------
    .. [1] N. Vannieuwenhoven, R. Vandebril, K. Meerbergen, "A new truncation strategy for the higher-order singular value decomposition",
       SIAM J. Sci. Comput. 34 (2012).
    .. [2] L. De Lathauwer, B. De Moor, J. Vandewalle, "A multilinear singular value decomposition", SIAM J. Matrix Anal. Appl. 21 (2000).
    .. [3] L. De Lathauwer, B. De Moor, J. Vandewalle, "On the best rank-1 and rank-(R1, ..., RN) approximation of higher-order tensors",
       SIAM J. Matrix Anal. Appl. 21 (2000).

    Examples
    --------
    >>> import trnarray as xp
    >>> i, j, k = xp.meshgrid(xp.arange(8), xp.arange(9), xp.arange(10), indexing="ij")
    >>> x = 1.0 / (1.0 + i + j + k)
    >>> found = xp.tensor.tucker(x, eps=1e-4)
    >>> found.core.shape
    (5, 5, 5)
    >>> bool(xp.linalg.vector_norm(x - found.to_tensor()) <= 1e-4 * xp.linalg.vector_norm(x))
    True
    """
    if method not in _METHODS:
        raise ValueError(f"method is {method!r}; give one of {', '.join(map(repr, _METHODS))}")
    limits = _limits(tensor, ranks)
    error = allowed(tensor, eps or 0.0, tensor.ndim) if eps is not None or ranks is None else 0.0
    factors: list[Array] = []
    core = tensor
    for axis, limit in enumerate(limits):
        source = tensor if method == "hosvd" else core
        factor = column_basis(unfold(source, axis), Options(error, limit, randomized, rng))
        factors.append(factor)
        core = mode_product(core, adjoint(factor), axis)
    found = Tucker(core, tuple(factors))
    return _iterated(tensor, found, max_iterations, tol, rng if randomized else None) if method == "hooi" else found


def _limits(tensor: Array, ranks: Sequence[int] | None) -> Sequence[int | None]:
    if ranks is None:
        return (None,) * tensor.ndim
    if len(ranks) != tensor.ndim or any(rank < 1 for rank in ranks):
        raise ValueError(f"ranks are {tuple(ranks)}; give a positive one for each of the {tensor.ndim} axes")
    return ranks


def _iterated(tensor: Array, found: Tucker, max_iterations: int, tol: float, rng: Any) -> Tucker:
    """Improve each factor with the others as they are, until the norm of the core, all of what is kept, grows no more."""
    core, factors, norm = found.core, list(found.factors), frobenius(found.core)
    ranks = core.shape
    for _ in range(max_iterations):
        for axis in range(tensor.ndim):
            partial = tensor
            for other, factor in enumerate(factors):
                if other != axis:
                    partial = mode_product(partial, adjoint(factor), other)
            factors[axis] = column_basis(unfold(partial, axis), Options(0.0, ranks[axis], rng is not None, rng))
            core = mode_product(partial, adjoint(factors[axis]), axis)
        before, norm = norm, frobenius(core)
        if norm - before <= tol * norm:
            break
    return Tucker(core, tuple(factors))
