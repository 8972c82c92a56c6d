"""Eigenvalues of symmetric and Hermitian operators on devices, by Lanczos' process with thick restarts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from scipy.sparse.linalg import ArpackNoConvergence

from .._array import Array
from .._linalg.norms import vector_norm
from .._scipy_linalg.equations import solve_triangular
from .._sparse.base import common_device
from ..array_conversion import asarray
from ..backends.device import CPU, Device
from ..backends.dtypes import real_of
from ..backends.policy import LoopError
from ..creation_functions import eye, zeros
from ..data_type_functions import finfo
from ..elementwise_functions import conj, sqrt
from ..joining_functions import concat
from ..linalg import cholesky, eigh, eigvalsh, svd, svdvals
from .arnoldi_cycle import extended
from .matrix_operator import DEVICE_DTYPES, operator_of

__all__ = ["are_valid", "eigsh_on_device", "first_vectors", "singular_values_on_device", "turned"]

_LONGEST: Final = 4096  # of the other axis of a matrix whose singular values are computed all at once
_DENSE: Final = 128  # rows of a matrix whose eigenvalues devices compute all at once
_INNER: Final = 512  # the same, where those are wanted that the process does not find


def _from_both_ends(values: Any) -> Any:
    """Rank values by their distance from the end of the spectrum; that of the greatest comes first."""
    ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    return np.minimum(2 * (len(values) - 1 - ranks), 2 * ranks + 1)


_TRANSFORMS: Final[dict[str, Callable[[Any, float], Any]]] = {
    "buckling": lambda values, sigma: values / (values - sigma),
    "cayley": lambda values, sigma: (values + sigma) / (values - sigma),
    "normal": lambda values, sigma: 1 / (values - sigma),
}
"""What the modes of `eigsh` compare, in the place of the eigenvalues, where these are near `sigma`."""

_WANTED: Final[dict[str, Callable[[Any], Any]]] = {
    "BE": _from_both_ends,
    "LM": lambda values: -np.abs(values),
    "LA": lambda values: -values,
    "SA": lambda values: values,
}
"""By which key eigenvalues come in the order in which they are wanted."""


def eigsh_on_device(
    A: Any,
    k: int,
    M: Any,
    sigma: float | None,
    which: str,
    v0: Any,
    ncv: int | None,
    maxiter: int | None,
    tol: float,
    vectors: bool,
    mode: str,
    rng: Any,
) -> Any:
    """
    Compute what `eigsh` does, where a device has the operator's products; nothing elsewhere.

    Notes
    -----
    The method is that of K. Wu and H. Simon, "Thick-restart Lanczos method for large symmetric eigenvalue problems", SIAM Journal on Matrix
    Analysis and Applications 22, 2000. A cycle is one program (`arnoldi_cycle.extended`), with vectors made orthogonal to all before them,
    twice; the small eigenproblem is solved on the host in float64. Eigenvalues err by some u |A|.

    Of real matrices of up to 128 rows, where no parameter of the process is given, all eigenvalues are computed, and those taken that are
    wanted; so they are of any of up to 512 rows for those nearest to `sigma` or to zero, and with `M`.
    """
    device = common_device((A, v0, M))
    if device is None or device is CPU or (which not in _WANTED and which != "SM"):
        return None
    operator = operator_of(A, v0)
    n = operator.shape[-1]
    if operator.ndim > 2 or operator.dtype not in DEVICE_DTYPES or operator.shape[0] != n or not are_valid(k, ncv, maxiter, tol) or k >= n:
        return None
    width = min(n, max(2 * k + 1, 20)) if ncv is None else ncv
    if not k < width <= n:
        return None
    near = which == "SM" or sigma is not None
    metric = None if M is None else operator_of(M, A, v0)
    if metric is not None and (metric.shape != operator.shape or metric.dtype != operator.dtype):
        return None
    inner = near or M is not None
    if mode != "normal" and (mode not in _TRANSFORMS or sigma is None or operator.dtype.kind == "c"):
        return None
    plain = operator.dtype.kind == "f" and v0 is None and ncv is None and maxiter is None
    if (inner and n <= _INNER) or (plain and n <= _DENSE):
        return _of_dense(operator, metric, int(k), sigma, which, vectors, mode, device)
    if inner:
        return None
    basis = first_vectors(v0, n, width, operator.dtype, device, rng)
    try:
        return _restarted(operator.matvec, basis, int(k), which, 10 * n if maxiter is None else maxiter, tol, vectors)
    except LoopError:
        return None


def singular_values_on_device(
    A: Any, k: int, which: str, v0: Any, ncv: int | None, maxiter: int | None, tol: float, vectors: bool, rng: Any
) -> tuple[Array | None, Array, Array | None] | None:
    """
    Compute the factors that `svds` gives, where a device has the operator's products; nothing elsewhere.

    Notes
    -----
    Singular values are the greatest eigenvalues of ``[[0, A], [A^H, 0]]``, for which Lanczos' process is Golub and Kahan's, as one half of
    its first vector is zero. So they err by some u |A|, where those of ``A^H A`` err by its root. All those of real matrices of which
    one length is up to 128 are computed where no parameter of the process is given, and of any of up to 512 for the smallest.
    """
    device = common_device((A, v0))
    if device is None or device is CPU or which not in ("LM", "SM"):
        return None
    operator = operator_of(A, v0)
    rows, columns = operator.shape[-2:]
    least = min(rows, columns)
    if not are_valid(k, ncv, maxiter, tol) or operator.ndim > 2 or operator.dtype not in DEVICE_DTYPES or k >= least:
        return None
    if v0 is not None and (getattr(v0, "shape", None) != (least,) or v0.dtype.kind not in "fc"):
        return None
    plain = operator.dtype.kind == "f" and v0 is None and ncv is None
    if max(rows, columns) <= _LONGEST and ((which == "SM" and least <= _INNER) or (plain and least <= _DENSE)):
        dense = operator.matmat(eye(columns, dtype=operator.dtype, device=device))
        if not vectors:
            values = svdvals(dense)
            return None, (values[:k] if which == "LM" else values[-k:])[::-1], None
        u, values, vh = svd(dense, full_matrices=False)
        part = slice(None, k) if which == "LM" else slice(-k, None)
        return u[:, part][:, ::-1], values[part][::-1], vh[part][::-1]
    if which == "SM":
        return None
    width = min(2 * least, 2 * max(2 * k + 1, 20) if ncv is None else 2 * ncv)
    basis = first_vectors(v0, columns if rows >= columns else rows, width, operator.dtype, device, rng)
    other = zeros((width + 1, max(rows, columns)), dtype=basis.dtype, device=device)
    basis = concat([other, basis] if rows >= columns else [basis, other], axis=1)

    def product(v: Any) -> Any:
        return concat([operator.matvec(v[rows:]), operator.rmatvec(v[:rows])])

    try:
        found = _restarted(product, basis, int(k), "LA", 10 * least if maxiter is None else maxiter, tol, True)
    except (LoopError, NotImplementedError):
        return None
    if found is None:
        return None
    values, both = found
    halves = both[:rows] * 2**0.5, both[rows:] * 2**0.5
    lengths = [np.asarray(vector_norm(half, axis=0).tolist()) for half in halves]
    if max(np.abs(length - 1).max() for length in lengths) > 1e-2:
        return None  # singular values of zero
    u, v = (half / vector_norm(half, axis=0) for half in halves)
    return u, values, conj(v).T


def are_valid(k: Any, ncv: Any, maxiter: Any, tol: Any) -> bool:
    """Tell whether parameters are such as SciPy does not refuse, which gives its own errors on the host."""
    counts = [k, *(one for one in (ncv, maxiter) if one is not None)]
    known = all(isinstance(one, (int, np.integer)) and one > 0 for one in counts)
    return known and isinstance(tol, (int, float, np.number)) and bool(0 <= tol < np.inf)


def first_vectors(v0: Any, n: int, width: int, dtype: Any, device: Device, rng: Any) -> Array:
    """Make a basis of one vector, random unless it is given, and so many zeros."""
    if v0 is None:
        v0 = np.random.default_rng(0 if rng is None else rng).standard_normal(n).astype(dtype)
    start = asarray(v0, device=device).reshape(n).astype(dtype)
    return concat([start[None, :] / float(np.linalg.norm(np.asarray(start.tolist()))), _no_vectors(width, start)])


def turned(basis: Array, coefficients: Any) -> Array:
    """Restart from combinations of the vectors of a basis, and the one after them."""
    width, count = len(basis) - 1, coefficients.shape[1]
    return concat([_combined(basis, coefficients), basis[width:], _no_vectors(width - count, basis[0])])


def _of_dense(
    operator: Any, metric: Any, k: int, sigma: float | None, which: str, vectors: bool, mode: str, device: Device
) -> Any:
    """
    Compute all eigenvalues, and take the wanted ones, in SciPy's order.

    In the mode "buckling" it is `A` that is definite, and by which vectors have length one: with `M`, the inverses are computed.
    """
    unit = eye(operator.shape[0], dtype=operator.dtype, device=device)
    inverse = mode == "buckling" and metric is not None
    operator, metric = (metric, operator) if inverse else (operator, metric)
    dense, factor = operator.matmat(unit), None
    if metric is not None:
        factor = cholesky(metric.matmat(unit))
        half = solve_triangular(factor, dense, lower=True)
        dense = solve_triangular(factor, conj(half).T, lower=True)
        dense = (dense + conj(dense).T) / 2
    values, basis = eigh(dense) if vectors else (eigvalsh(dense), None)
    if factor is not None and basis is not None:
        basis = solve_triangular(conj(factor).T, basis, lower=False)
    elif mode == "buckling" and basis is not None:
        basis = basis / sqrt(values)
    fetched = np.asarray(values.tolist())
    if not np.isfinite(fetched).all():
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        values, fetched = (1 / values, 1 / fetched) if inverse else (values, fetched)
        compared = fetched if sigma is None else _TRANSFORMS[mode](fetched, sigma)
    key = abs if which == "SM" else _WANTED[which]
    chosen = asarray(_in_order(np.argsort(key(compared), kind="stable")[:k], fetched, which, vectors or sigma is not None), device=device)
    return (values[chosen], basis[:, chosen]) if basis is not None else values[chosen]


def _in_order(chosen: Any, values: Any, which: str, vectors: bool) -> Any:
    """Put the wanted eigenvalues in SciPy's order: ascending with vectors or a shift, and those wanted most at the end without."""
    return chosen[np.argsort(values[chosen], kind="stable")] if vectors or which == "BE" else chosen[::-1]


def _restarted(
    product: Callable[[Any], Any], basis: Array, k: int, which: str, cycles: int, tol: float, vectors: bool
) -> Any:
    width, key = len(basis) - 1, _WANTED[which]
    first, kept, eps = 0, np.zeros(0), float(finfo(basis.dtype).eps)
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
            return _found(basis, values, coefficients, _in_order(order[:k], values, which, vectors), vectors)
        if len(ends):
            return None  # with multiple eigenvalues, of which the subspace has one each
        many = min(k + (width - k) // 2, width - 1)
        chosen = order[:many]
        first, kept = many, values[chosen]
        basis = turned(basis, coefficients[:, chosen])
    chosen = np.sort(order[:k][done])
    found = _found(basis, values, coefficients, chosen, True) if len(chosen) else (np.zeros(0), np.zeros((basis.shape[1], 0)))
    message = f"no convergence in {cycles} restarts, {len(chosen)} of {k} eigenvectors converged; give a greater maxiter or tol"
    raise ArpackNoConvergence(message, *found)


def _no_vectors(count: int, like: Array) -> Array:
    return zeros((count, len(like)), dtype=like.dtype, device=like.device)


def _combined(basis: Array, coefficients: Any) -> Array:
    made: Array = asarray(np.ascontiguousarray(coefficients.T).astype(basis.dtype), device=basis.device) @ basis[: len(coefficients)]
    return made


def _found(basis: Array, values: Any, coefficients: Any, chosen: Any, vectors: bool) -> Any:
    found = asarray(values[chosen].astype(real_of(basis.dtype)), device=basis.device)
    return (found, _combined(basis, coefficients[:, chosen]).T) if vectors else found
