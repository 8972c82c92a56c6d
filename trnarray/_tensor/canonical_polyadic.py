"""The canonical polyadic decomposition: a tensor as a sum of outer products, one factor for each axis."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from .._array import Array
from ..array_conversion import asarray
from ..creation_functions import ones
from ..elementwise_functions import abs as magnitude
from ..elementwise_functions import maximum
from ..joining_functions import stack
from ..linear_algebra_functions import einsum, matrix_transpose
from ..random import Generator, default_rng
from .truncation import Options, column_basis, frobenius
from .unfolding import LETTERS, mttkrp, unfold

__all__ = ["CP", "cp"]

_SEARCH: Final = 5  # iterations from one line search to the next
_RANK: Final = 1e-13  # eigenvalues of a Gram matrix, relative to the largest one, that are zero but for rounding
_PASSES: Final = 3  # over the columns of a factor that may not be negative, after each product with the tensor, which takes longer


class CP(NamedTuple):
    """
    A tensor as a weighted sum of outer products of columns.

    Attributes
    ----------
    weights : Array
        One for each column.
    factors : tuple of Array
        A matrix for each axis, whose columns have norm 1.
    errors : tuple of float
        The error after each iteration, relative to the norm of the tensor.

    See Also
    --------
    cp : Decompose a tensor.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.tensor.CP(xp.asarray([3.0]), (xp.ones((2, 1)), xp.ones((2, 1))), ()).to_tensor()
    Array([[3., 3.],
           [3., 3.]], dtype=float64, device='cpu')
    """

    weights: Array
    factors: tuple[Array, ...]
    errors: tuple[float, ...]

    def to_tensor(self) -> Array:
        """
        Add up the outer products.

        Returns
        -------
        Array
            The tensor.
        """
        return _summed(self.weights, self.factors)


def cp(
    tensor: Array,
    rank: int,
    *,
    nonnegative: bool = False,
    line_search: bool = False,
    init: Literal["svd", "random"] | Sequence[Array] = "svd",
    max_iterations: int = 200,
    tol: float = 1e-8,
    rng: Generator | None = None,
) -> CP:
    """
    Decompose a tensor into a sum of outer products by alternating least squares.

    Parameters
    ----------
    tensor : Array
        Of real floats, and of two axes or more.
    rank : int
        How many outer products.
    nonnegative : bool, optional
        Whether no element of a factor may be negative.
    line_search : bool, optional
        Whether every fifth iteration tries to go on in the direction of the last one, and keeps what is better.
    init : {"svd", "random"} or sequence of Array, optional
        Where to begin: leading left singular vectors of the unfoldings, filled up with random columns; random numbers; or factors.
    max_iterations : int, optional
        Of all factors, one after the other.
    tol : float, optional
        It ends when the error falls by less.
    rng : Generator, optional
        For random columns.

    Returns
    -------
    CP
        Weights, factors with columns of norm 1, and the error after each iteration.

    See Also
    --------
    tucker : With a core that is not diagonal.

    Notes
    -----
    The products with Khatri-Rao products run where the tensor is; the Gram matrices, of as many rows as the rank, are fetched in each
    iteration and solved on the host in float64. Errors are found from these, so that they cancel below the root of the unit roundoff of the
    tensor's dtype; the last one is computed from the residual. Non-negative factors are updated column by column [2]_, and line searches
    go as far as the cube root of the number of iterations [3]_.

    References
    ----------
    .. [1] T. G. Kolda, B. W. Bader, "Tensor decompositions and applications", SIAM Review 51 (2009).
    .. [2] A. Cichocki, A.-H. Phan, "Fast local algorithms for large scale nonnegative matrix and tensor factorizations", IEICE Trans.
       Fundamentals E92-A (2009).
    .. [3] R. A. Harshman, "Foundations of the PARAFAC procedure", UCLA Working Papers in Phonetics 16 (1970); C. A. Andersson, R. Bro, "The
       N-way toolbox for MATLAB", Chemom. Intell. Lab. Syst. 52 (2000).

    Examples
    --------
    >>> import trnarray as xp
    >>> rng = xp.random.default_rng(0)
    >>> x = xp.einsum("ir,jr,kr->ijk", *[rng.standard_normal((n, 3)) for n in (8, 9, 10)])
    >>> found = xp.tensor.cp(x, 3, tol=1e-12)
    >>> found.errors[-1] < 1e-5, bool(xp.linalg.vector_norm(x - found.to_tensor()) < 1e-5 * xp.linalg.vector_norm(x))
    (True, True)
    """
    count = operator.index(rank)
    if count < 1 or tensor.ndim < 2 or tensor.dtype.kind != "f":
        found = f"rank is {rank} and the tensor {tensor.dtype}{list(tensor.shape)}"
        raise ValueError(f"{found}; give a positive rank, and a tensor of real floats of two axes or more")
    state = _State(tensor, _initial(tensor, count, init, nonnegative, default_rng(0) if rng is None else rng), nonnegative)
    errors: list[float] = []
    before = state.factors
    for iteration in range(max_iterations):
        if line_search and iteration and iteration % _SEARCH == 0:
            state.search(before, (iteration + 1) ** (1 / 3), errors[-1])
        before = list(state.factors)
        errors.append(state.iterate())
        if iteration and errors[-2] - errors[-1] <= tol and not (line_search and iteration % _SEARCH == 0):
            break
    weights, factors = _normalized(state.factors)
    residual = _summed(weights, factors)
    residual -= tensor
    return CP(weights, tuple(factors), (*errors[:-1], frobenius(residual) / (state.norm or 1.0)))


def _summed(weights: Array, factors: Sequence[Array]) -> Array:
    labels = LETTERS[: len(factors)]
    return einsum(",".join(["z", *(f"{label}z" for label in labels)]) + f"->{labels}", weights, *factors)


class _State:
    """Factors, and their Gram matrices on the host."""

    def __init__(self, tensor: Array, factors: list[Array], nonnegative: bool) -> None:
        self.tensor, self.factors, self.nonnegative = tensor, factors, nonnegative
        self.norm = frobenius(tensor)
        self.grams = [_gram(factor) for factor in factors]

    def iterate(self) -> float:
        """Update each factor, and give the error."""
        product: Array | None = None
        for axis in range(self.tensor.ndim):
            gram = functools.reduce(np.multiply, [one for other, one in enumerate(self.grams) if other != axis])
            product = mttkrp(self.tensor, self.factors, axis)
            self.factors[axis] = self._nonnegative(axis, product, gram) if self.nonnegative else _solved(product, gram)
            self.grams[axis] = _gram(self.factors[axis])
        assert product is not None
        inner = float(einsum("iz,iz->", product, self.factors[-1]))
        return self._error(inner, float(np.sum(functools.reduce(np.multiply, self.grams))))

    def _error(self, inner: float, square: float) -> float:
        return math.sqrt(max(self.norm**2 + square - 2 * inner, 0.0)) / (self.norm or 1.0)

    def _nonnegative(self, axis: int, product: Array, gram: npt.NDArray[Any]) -> Array:
        """Update column by column: each is the best one with the others as they are, or 0 where that is negative."""
        columns = [self.factors[axis][:, one] for one in range(gram.shape[0])]
        tiny = float(np.finfo(np.float32).tiny)
        for one in [*range(len(columns))] * _PASSES:
            if gram[one, one] > 0:
                weights = asarray(gram[one].astype(product.dtype), device=product.device)
                change = (product[:, one] - stack(columns, axis=1) @ weights) / float(gram[one, one])
                columns[one] = maximum(columns[one] + change, tiny)
        return stack(columns, axis=1)

    def search(self, before: Sequence[Array], step: float, error: float) -> None:
        """Go on in the direction of the last iteration, if that is better."""
        tried = [old + (new - old) * step for old, new in zip(before, self.factors, strict=True)]
        if self.nonnegative:
            tried = [maximum(factor, 0.0) for factor in tried]
        grams = [_gram(factor) for factor in tried]
        inner = float(einsum("iz,iz->", mttkrp(self.tensor, tried, 0), tried[0]))
        if self._error(inner, float(np.sum(functools.reduce(np.multiply, grams)))) < error:
            self.factors, self.grams = tried, grams


def _gram(factor: Array) -> npt.NDArray[Any]:
    """Fetch the products of columns, in float64."""
    return np.asarray((matrix_transpose(factor) @ factor)._host(), np.float64)


def _solved(product: Array, gram: npt.NDArray[Any]) -> Array:
    try:
        inverse = np.linalg.inv(gram)
    except np.linalg.LinAlgError:
        inverse = None
    if inverse is None or not abs(inverse).max() * gram.trace() < 1 / _RANK:
        values, vectors = np.linalg.eigh(gram)
        kept = vectors[:, values > _RANK * values[-1]]
        inverse = (kept / values[values > _RANK * values[-1]]) @ kept.T
    solved: Array = product @ asarray(inverse.astype(product.dtype), device=product.device)
    return solved


def _initial(tensor: Array, rank: int, init: Any, nonnegative: bool, rng: Any) -> list[Array]:
    if not isinstance(init, str):
        factors = list(init)
        shapes = [factor.shape for factor in factors]
        if shapes != [(extent, rank) for extent in tensor.shape]:
            raise ValueError(f"init has factors of shapes {shapes}, not {[(extent, rank) for extent in tensor.shape]}")
        return factors
    if init not in ("svd", "random"):
        raise ValueError(f"init is {init!r}; give 'svd', 'random' or factors")
    factors = []
    for axis, extent in enumerate(tensor.shape):
        drawn = np.asarray(rng.standard_normal((extent, rank)))
        if init == "svd":
            basis = column_basis(unfold(tensor, axis), Options(0.0, rank, False, None))
            drawn[:, : basis.shape[1]] = np.asarray(basis.to_device("cpu"))
        factor = asarray(drawn.astype(tensor.dtype), device=tensor.device)
        factors.append(magnitude(factor) if nonnegative else factor)
    return factors


def _normalized(factors: Sequence[Array]) -> tuple[Array, list[Array]]:
    weights = ones(factors[0].shape[1], dtype=factors[0].dtype, device=factors[0].device)
    found = []
    for factor in factors:
        norms = maximum(einsum("iz,iz->z", factor, factor) ** 0.5, float(np.finfo(np.float32).tiny))
        weights = weights * norms
        found.append(factor / norms)
    return weights, found
