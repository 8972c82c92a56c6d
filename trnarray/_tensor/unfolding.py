"""Tensors as matrices: unfoldings, products along one axis, and products of factors by columns."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from typing import Final

from .._array import Array
from ..linear_algebra_functions import einsum, tensordot
from ..manipulation_functions import permute_dims, reshape

__all__ = ["LETTERS", "checked_axis", "fold", "khatri_rao", "mode_product", "mttkrp", "unfold"]

LETTERS: Final = "abcdefghijklmnopqrstuvwxyABCDEFGHIJKLMNOPQRSTUVWXY"  # of axes; z and Z are ranks


def checked_axis(axis: int, ndim: int) -> int:
    """Check the number of an axis."""
    found = operator.index(axis)
    if not -ndim <= found < ndim:
        raise ValueError(f"axis {axis} is not among those of a tensor of {ndim} axes; give one from {-ndim} to {ndim - 1}")
    return found % ndim


@functools.lru_cache(maxsize=256, typed=True)
def _orders(axis: int, ndim: int) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Give the checked axis, the order of all axes with it in front, and the one back: kept, as views cost microseconds."""
    place = checked_axis(axis, ndim)
    return place, (place, *range(place), *range(place + 1, ndim)), (*range(1, place + 1), 0, *range(place + 1, ndim))


def unfold(tensor: Array, axis: int) -> Array:
    """
    Unfold a tensor: rows are an axis, columns all others in their order.

    Parameters
    ----------
    tensor : Array
        Of one axis or more.
    axis : int
        Which one becomes the rows.

    Returns
    -------
    Array
        A matrix.

    See Also
    --------
    fold : The inverse.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.tensor.unfold(xp.reshape(xp.arange(8), (2, 2, 2)), 1)
    Array([[0, 1, 4, 5],
           [2, 3, 6, 7]], dtype=int64, device='cpu')
    """
    shape = tensor.shape
    place, order, _ = _orders(axis, len(shape))
    if place:
        tensor = permute_dims(tensor, order)
    return reshape(tensor, (shape[place], -1 if shape[place] else math.prod(shape[:place] + shape[place + 1 :])))


def fold(matrix: Array, axis: int, shape: Sequence[int]) -> Array:
    """
    Fold a matrix to the tensor that it is an unfolding of.

    Parameters
    ----------
    matrix : Array
        Rows are an axis, columns all others in their order.
    axis : int
        Which one the rows are.
    shape : sequence of int
        Of the tensor.

    Returns
    -------
    Array
        The tensor.

    See Also
    --------
    unfold : The inverse.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.reshape(xp.arange(24), (2, 3, 4))
    >>> bool(xp.all(xp.tensor.fold(xp.tensor.unfold(x, 1), 1, x.shape) == x))
    True
    """
    place, order, back = _orders(axis, len(shape))
    folded = reshape(matrix, [shape[other] for other in order])
    return permute_dims(folded, back) if place else folded


def mode_product(tensor: Array, matrix: Array, axis: int) -> Array:
    """
    Multiply a tensor along an axis by a matrix.

    Parameters
    ----------
    tensor : Array
        The tensor.
    matrix : Array
        Of as many columns as the axis has elements; a vector is a matrix of one row, whose axis is dropped.
    axis : int
        Along which.

    Returns
    -------
    Array
        Of as many elements along the axis as the matrix has rows.

    See Also
    --------
    trnarray.tensordot : Sums of products over several axes.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.tensor.mode_product(xp.ones((2, 3, 4)), xp.ones((5, 3)), 1).shape
    (2, 5, 4)
    """
    place, _, back = _orders(axis, tensor.ndim)
    product = tensordot(matrix, tensor, axes=((matrix.ndim - 1,), (place,)))
    return product if matrix.ndim == 1 or not place else permute_dims(product, back)


def khatri_rao(matrices: Sequence[Array]) -> Array:
    """
    Multiply matrices by columns: each column is the Kronecker product of theirs.

    Parameters
    ----------
    matrices : sequence of Array
        Of as many columns each.

    Returns
    -------
    Array
        Of as many rows as the product of theirs; the rows of the last matrix run fastest.

    See Also
    --------
    trnarray.kron : The Kronecker product.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.tensor.khatri_rao([xp.asarray([[1, 2], [3, 4]]), xp.asarray([[1, 10], [5, 20]])])
    Array([[ 1, 20],
           [ 5, 40],
           [ 3, 40],
           [15, 80]], dtype=int64, device='cpu')
    """
    if not matrices:
        raise ValueError("khatri_rao takes one matrix or more, but the sequence is empty")
    columns = matrices[0].shape[-1]
    if any(matrix.ndim != 2 or matrix.shape[1] != columns for matrix in matrices):
        raise ValueError(f"khatri_rao takes matrices of as many columns each, not of shapes {[matrix.shape for matrix in matrices]}")
    product, *others = matrices
    for matrix in others:
        product = reshape(product[:, None] * matrix, (product.shape[0] * matrix.shape[0], columns))
    return product if others else product.copy()


def mttkrp(tensor: Array, factors: Sequence[Array], axis: int) -> Array:
    """
    Multiply an unfolding by the Khatri-Rao product of all factors but its own.

    Parameters
    ----------
    tensor : Array
        The tensor.
    factors : sequence of Array
        One for each axis, of as many columns each; that of `axis` is not looked at.
    axis : int
        Which unfolding.

    Returns
    -------
    Array
        Of as many rows as the axis has elements, and as many columns as the factors.

    See Also
    --------
    cp : Where it takes most of the time.

    Notes
    -----
    It is one contraction, whose order `einsum` finds; the Khatri-Rao product is formed as far as that is cheap.

    Examples
    --------
    >>> import trnarray as xp
    >>> a, b, c = (xp.ones((n, 2)) for n in (3, 4, 5))
    >>> xp.tensor.mttkrp(xp.ones((3, 4, 5)), [a, b, c], 0)
    Array([[20., 20.],
           [20., 20.],
           [20., 20.]], dtype=float64, device='cpu')
    """
    place = checked_axis(axis, tensor.ndim)
    labels = LETTERS[: tensor.ndim]
    others = [number for number in range(tensor.ndim) if number != place]
    subscripts = ",".join([labels, *(f"{labels[number]}z" for number in others)])
    return einsum(f"{subscripts}->{labels[place]}z", tensor, *[factors[number] for number in others])
