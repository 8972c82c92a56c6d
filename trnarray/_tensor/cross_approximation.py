"""Tensor trains of functions of indices, by crosses of few of their elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .._array import Array
from ..array_conversion import asarray
from ..backends.device import Device
from .tensor_train import TensorTrain

__all__ = ["tt_cross"]

_Indices = npt.NDArray[np.int64]
_GAIN: Final = 1.05  # by which an exchange of rows has to enlarge the volume
_EXCHANGES: Final = 100
_TESTS: Final = 200  # random elements by which the error is estimated


def tt_cross(
    function: Callable[[Array], Array],
    shape: Sequence[int],
    eps: float,
    *,
    max_rank: int = 100,
    seed: int = 0,
    device: Device | str | None = None,
) -> TensorTrain:
    """
    Find a tensor train of a function of indices from few of its elements.

    Parameters
    ----------
    function : callable
        ``function(indices)`` gives the elements at K indices, K of them in an Array; `indices` is (K, d), of integers.
    shape : sequence of int
        Of the tensor.
    eps : float
        The error wanted, relative to the largest of the elements by which it is estimated.
    max_rank : int, optional
        A rank at most.
    seed : int, optional
        Of the choice of first indices and of those by which the error is estimated.
    device : Device or str, optional
        Where `indices` are, and the function is computed.

    Returns
    -------
    TensorTrain
        Whose error at 200 random indices is within `eps`; elsewhere it may be larger, which no number of samples excludes.

    Raises
    ------
    ArithmeticError
        If the error at these indices is larger at the largest rank, or where more ranks do not help.

    See Also
    --------
    tensor_train : Of a tensor whose elements are all there, with a bound that holds.

    Notes
    -----
    Sweeps from left to right and back choose rows of each unfolding whose submatrix has a large volume [1]_ [2]_; ranks grow until the
    error is met. The submatrices, of as many rows as the ranks, are solved on the host in float64.

    References
    ----------
    .. [1] I. Oseledets, E. Tyrtyshnikov, "TT-cross approximation for multidimensional arrays", Linear Algebra Appl. 432 (2010).
    .. [2] S. Goreinov et al., "How to find a good submatrix", in Matrix Methods: Theory, Algorithms and Applications (2010).

    Examples
    --------
    >>> import trnarray as xp
    >>> train = xp.tensor.tt_cross(lambda indices: 1.0 / (1.0 + xp.sum(indices, axis=1)), (10,) * 8, 1e-8)
    >>> train.shape == (10,) * 8, max(train.ranks) < 20
    (True, True)
    """
    extents = tuple(int(extent) for extent in shape)
    if not extents or min(extents) < 1:
        raise ValueError(f"the shape is {extents}; give one axis or more, each of one element or more")
    rng = np.random.default_rng(seed)

    def evaluate(indices: _Indices) -> npt.NDArray[Any]:
        values: Any = function(asarray(indices, device=device))
        found: npt.NDArray[Any] = np.asarray(values.to_device("cpu") if isinstance(values, Array) else values)
        if found.shape != (len(indices),):
            raise ValueError(f"the function gave shape {found.shape} for {len(indices)} indices; let it give one element for each")
        return found

    tests = np.stack([rng.integers(0, extent, _TESTS) for extent in extents], axis=1)
    exact = evaluate(tests)
    scale = float(np.max(np.abs(exact))) or 1.0
    rank, best = 2, np.inf
    right: list[_Indices] = [np.zeros((0, 0), np.int64)] * len(extents)
    while True:
        right = [_grown(old, extents[place + 1 :], rank, rng) for place, old in enumerate(right)]
        cores, right = _sweeps(evaluate, extents, right, rank)
        error = float(np.max(np.abs(_elements(cores, tests) - exact))) / scale
        if error <= eps:
            dtype = exact.dtype
            return TensorTrain([asarray(core.astype(dtype), device=device) for core in cores])
        widest = max((core.shape[2] for core in cores[:-1]), default=1)
        if rank >= max_rank or (widest < rank and error >= best / 2):
            found = f"a train of rank {widest} errs by {error:.2g} at random indices"
            raise ArithmeticError(f"{found}, not {eps:.2g}; allow a larger error or rank")
        best, rank = min(best, error), min(max_rank, rank + max(2, rank // 2))


def _grown(indices: _Indices, extents: Sequence[int], rank: int, rng: np.random.Generator) -> _Indices:
    """Add random indices of the axes to the right until there are as many as ranks, or all of them."""
    most = min(rank, int(np.prod(extents, dtype=np.float64).clip(max=1 << 30)))
    found = {tuple(row) for row in indices.tolist()} if indices.shape[1:] == (len(extents),) else set()
    while len(found) < most:
        found.add(tuple(int(rng.integers(0, extent)) for extent in extents))
    return np.asarray(sorted(found), np.int64).reshape(len(found), len(extents))


def _sweeps(
    evaluate: Callable[[_Indices], npt.NDArray[Any]], extents: tuple[int, ...], right: list[_Indices], rank: int
) -> tuple[list[npt.NDArray[Any]], list[_Indices]]:
    """Sweep right, left, and right again: cores, and the indices to the right of each."""
    for _ in range(2):
        left = [np.zeros((1, 0), np.int64)]
        for place in range(len(extents) - 1):
            rows = _joined(left[-1], extents[place])
            chosen = _rows_of(_matrix(evaluate, rows, right[place]), rank)[0]
            left.append(rows[chosen])
        right = [*right[:-1], np.zeros((1, 0), np.int64)]
        for place in range(len(extents) - 1, 0, -1):
            columns = _before(extents[place], right[place])
            chosen = _rows_of(_matrix(evaluate, left[place], columns).T, rank)[0]
            right[place - 1] = columns[chosen]
    cores, rows = [], np.zeros((1, 0), np.int64)
    for place, extent in enumerate(extents[:-1]):
        stacked = _joined(rows, extent)
        chosen, coefficients = _rows_of(_matrix(evaluate, stacked, right[place]), rank)
        cores.append(coefficients.reshape(len(rows), extent, -1))
        rows = stacked[chosen]
    last = _matrix(evaluate, _joined(rows, extents[-1]), np.zeros((1, 0), np.int64))
    return [*cores, last.reshape(len(rows), extents[-1], 1)], right


def _joined(rows: _Indices, extent: int) -> _Indices:
    """Add each element of the next axis to each row; the axis runs fastest."""
    return np.concatenate([np.repeat(rows, extent, axis=0), np.tile(np.arange(extent), len(rows))[:, np.newaxis]], axis=1)


def _before(extent: int, columns: _Indices) -> _Indices:
    return np.concatenate([np.repeat(np.arange(extent), len(columns))[:, np.newaxis], np.tile(columns, (extent, 1))], axis=1)


def _matrix(evaluate: Callable[[_Indices], npt.NDArray[Any]], rows: _Indices, columns: _Indices) -> npt.NDArray[Any]:
    indices = np.concatenate([np.repeat(rows, len(columns), axis=0), np.tile(columns, (len(rows), 1))], axis=1)
    wide = evaluate(indices).reshape(len(rows), len(columns))
    return wide.astype(np.result_type(wide.dtype, np.float64))


def _rows_of(matrix: npt.NDArray[Any], rank: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Choose rows of a large volume, and find the coefficients by which they give all rows."""
    q, s, _ = np.linalg.svd(matrix, full_matrices=False)
    kept = max(int(np.sum(s > s[0] * matrix.shape[0] * np.finfo(s.dtype).eps)), 1)
    q = q[:, : min(rank, kept)]
    chosen = _pivots(q)
    coefficients = np.linalg.solve(q[chosen].T, q.T).T
    for _ in range(_EXCHANGES):
        row, column = np.unravel_index(np.argmax(np.abs(coefficients)), coefficients.shape)
        largest = coefficients[row, column]
        if np.abs(largest) <= _GAIN:
            break
        change = coefficients[row].copy()
        change[column] -= 1
        coefficients = coefficients - np.outer(coefficients[:, column], change) / largest
        chosen[column] = row
    return chosen, np.linalg.solve(q[chosen].T, q.T).T


def _pivots(q: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Choose rows by elimination with pivots."""
    rest = q.copy()
    chosen: list[int] = []
    for column in range(q.shape[1]):
        magnitudes = np.abs(rest[:, column])
        magnitudes[chosen] = -1
        row = int(np.argmax(magnitudes))
        chosen.append(row)
        rest -= np.outer(rest[:, column] / rest[row, column], rest[row]) * (np.arange(q.shape[1]) > column)
    return np.asarray(chosen)


def _elements(cores: Sequence[npt.NDArray[Any]], indices: _Indices) -> npt.NDArray[Any]:
    found = np.ones((len(indices), 1))
    for core, index in zip(cores, indices.T, strict=True):
        found = np.einsum("ka,akb->kb", found, core[:, index])
    elements: npt.NDArray[Any] = found[:, 0]
    return elements
