"""Eigenvalues of symmetric and Hermitian operators on devices, by Lanczos' process with thick restarts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from scipy.sparse.linalg import ArpackNoConvergence

from .._array import Array
from .._sparse.base import common_device
from ..array_conversion import asarray
from ..backends.device import CPU, Device
from ..backends.dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, real_of
from ..backends.policy import LoopError
from ..creation_functions import eye, zeros
from ..data_type_functions import finfo
from ..joining_functions import concat
from ..linalg import eigh, eigvalsh
from .arnoldi_cycle import extended
from .matrix_operator import operator_of

__all__ = ["eigsh_on_device"]

_DTYPES: Final = (FLOAT32, COMPLEX64, FLOAT64, COMPLEX128)
_DENSE: Final = 128  # rows of a matrix whose eigenvalues devices compute all at once
_WANTED: Final[dict[str, Callable[[Any], Any]]] = {
    "LM": lambda values: -np.abs(values),
    "LA": lambda values: -values,
    "SA": lambda values: values,
}
"""By which key eigenvalues come in the order in which they are wanted."""


def eigsh_on_device(
    A: Any, k: int, sigma: float | None, which: str, v0: Any, ncv: int | None, maxiter: int | None, tol: float, vectors: bool, rng: Any
) -> Any:
    """
    Compute what `eigsh` does, where a device has the operator's products; nothing elsewhere.

    Notes
    -----
    The method is that of K. Wu and H. Simon, "Thick-restart Lanczos method for large symmetric eigenvalue problems", SIAM Journal on Matrix
    Analysis and Applications 22, 2000. A cycle is one program (`arnoldi_cycle.extended`), with vectors made orthogonal to all before them,
    twice; the small eigenproblem is solved on the host in float64. Eigenvalues err by some u |A|.

    Of real matrices of up to 128 rows, where no parameter of the process is given, all eigenvalues are computed, and those taken that are
    wanted, which may be the nearest to `sigma`, too.
    """
    device = common_device((A, v0))
    if device is None or device is CPU or (which not in _WANTED and which != "SM"):
        return None
    operator = operator_of(A, v0)
    n = operator.shape[-1]
    if operator.ndim > 2 or operator.dtype not in _DTYPES or operator.shape[0] != n or not 0 < k < n:
        return None
    width = min(n, max(2 * k + 1, 20)) if ncv is None else ncv
    if not k < width <= n:
        return None
    near = which == "SM" or sigma is not None
    if n <= _DENSE and operator.dtype.kind == "f" and (near or (v0 is None and ncv is None and maxiter is None)):
        return _of_dense(operator, int(k), sigma, which, vectors, device)
    if near:
        return None
    if v0 is None:
        v0 = np.random.default_rng(0 if rng is None else rng).standard_normal(n).astype(operator.dtype)
    start = asarray(v0, device=device).reshape(n).astype(operator.dtype)
    try:
        return _restarted(operator.matvec, start, int(k), _WANTED[which], width, 10 * n if maxiter is None else maxiter, tol, vectors)
    except LoopError:
        return None


def _of_dense(operator: Any, k: int, sigma: float | None, which: str, vectors: bool, device: Device) -> Any:
    """Compute all eigenvalues, and take the wanted ones, in ascending order."""
    dense = operator.matmat(eye(operator.shape[0], dtype=operator.dtype, device=device))
    values, basis = eigh(dense) if vectors else (eigvalsh(dense), None)
    fetched = np.asarray(values.tolist())
    if not np.isfinite(fetched).all():
        return None
    with np.errstate(divide="ignore"):
        compared = fetched if sigma is None else 1 / (fetched - sigma)
    key = abs if which == "SM" else _WANTED[which]
    chosen = asarray(np.sort(np.argsort(key(compared), kind="stable")[:k]), device=device)
    return (values[chosen], basis[:, chosen]) if basis is not None else values[chosen]


def _restarted(
    product: Callable[[Any], Any], start: Array, k: int, key: Callable[[Any], Any], width: int, cycles: int, tol: float, vectors: bool
) -> Any:
    first, kept, eps = 0, np.zeros(0), float(finfo(start.dtype).eps)
    basis = concat([start[None, :] / float(np.linalg.norm(np.asarray(start.tolist()))), _no_vectors(width, start)])
    for _ in range(cycles):
        basis, projections, lengths = extended(basis, product, first)
        if not np.isfinite(projections[first:]).all():
            return None
        small = np.zeros((width, width), projections.dtype)
        small[:first, :first] = np.diag(kept)
        for j in range(first, width):
            small[: j + 1, j] = projections[j, : j + 1]
            small[j, : j + 1] = projections[j, : j + 1].conj()
        ends = np.flatnonzero(lengths[first:] <= 16 * eps * np.abs(small).max()) + first
        count = int(ends[0]) + 1 if len(ends) else width  # up to where the subspace is invariant
        values, coefficients = np.linalg.eigh(small[:count, :count])
        order = np.argsort(key(values), kind="stable")
        left = 0.0 if len(ends) else lengths[-1]
        errors = np.abs(left * coefficients[-1])[order]
        done = errors[:k] <= max(tol, eps) * np.maximum(eps ** (2 / 3), np.abs(values[order[:k]]))
        if done.all() and count >= k:
            return _found(basis, values, coefficients, np.sort(order[:k]), vectors)
        if len(ends):
            return None  # with multiple eigenvalues, of which the subspace has one each
        many = min(k + (width - k) // 2, width - 1)
        chosen = order[:many]
        first, kept = many, values[chosen]
        turned = _combined(basis, coefficients[:, chosen])
        basis = concat([turned, basis[width:], _no_vectors(width - many, start)])
    chosen = np.sort(order[:k][done])
    found = _found(basis, values, coefficients, chosen, True) if len(chosen) else (np.zeros(0), np.zeros((len(start), 0)))
    message = f"no convergence in {cycles} restarts, {len(chosen)} of {k} eigenvectors converged; give a greater maxiter or tol"
    raise ArpackNoConvergence(message, *found)


def _no_vectors(count: int, like: Array) -> Array:
    return zeros((count, len(like)), dtype=like.dtype, device=like.device)


def _combined(basis: Array, coefficients: Any) -> Array:
    turned: Array = asarray(np.ascontiguousarray(coefficients.T).astype(basis.dtype), device=basis.device) @ basis[: len(coefficients)]
    return turned


def _found(basis: Array, values: Any, coefficients: Any, chosen: Any, vectors: bool) -> Any:
    found = asarray(values[chosen].astype(real_of(basis.dtype)), device=basis.device)
    return (found, _combined(basis, coefficients[:, chosen]).T) if vectors else found
