"""Eigenvalues of any operators on devices, by Arnoldi's process with restarts from Schur vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import ArpackNoConvergence

from .._array import Array
from .._sparse.base import common_device
from ..array_conversion import asarray
from ..backends.device import CPU
from ..backends.dtypes import complex_of
from ..backends.policy import LoopError
from ..creation_functions import eye
from ..data_type_functions import finfo
from ..elementwise_functions import isfinite
from ..linalg import solve
from ..utility_functions import all as all_of
from .arnoldi_cycle import extended
from .lanczos import are_valid, first_vectors, turned
from .matrix_operator import DEVICE_DTYPES, operator_of

__all__ = ["eigs_on_device"]

_WANTED: Final[dict[str, Callable[[Any], Any]]] = {
    "LM": lambda values: -np.abs(values),
    "LR": lambda values: -values.real,
    "SR": lambda values: values.real,
    "LI": lambda values: -np.abs(values.imag),
}
"""By which key eigenvalues come in the order in which they are wanted."""


_INVERTED: Final = 1024  # rows of a matrix that devices invert


def eigs_on_device(
    A: Any, k: int, M: Any, sigma: Any, which: str, v0: Any, ncv: int | None, maxiter: int | None, tol: float, vectors: bool, rng: Any
) -> Any:
    """
    Compute what `eigs` does, where a device has the operator's products; nothing elsewhere.

    Notes
    -----
    The method is that of G. W. Stewart, "A Krylov-Schur algorithm for large eigenproblems", SIAM Journal on Matrix Analysis and
    Applications 23, 2002. A cycle is one program (`arnoldi_cycle.extended`); the small matrix is brought to Schur's form on the host in
    float64. With `M` or `sigma`, and for those nearest to zero, products are with ``inv(A - sigma M) M``, whose eigenvalues are
    ``1 / (w - sigma)``, or ``inv(M) A``; the inverse is that of a dense matrix of up to 1,024 rows.
    """
    device = common_device((A, v0, M))
    if which == "SM" and sigma is None:
        sigma, which = 0.0, "LM"
    if device is None or device is CPU or which not in _WANTED:
        return None
    operator = operator_of(A, v0)
    n = operator.shape[-1]
    if not are_valid(k, ncv, maxiter, tol):
        return None
    width = min(n, max(2 * k + 1, 20)) if ncv is None else ncv
    if operator.ndim > 2 or operator.dtype not in DEVICE_DTYPES or operator.shape[0] != n:
        return None
    if not 0 < k < n - 1 or not k + 2 <= width <= n:
        return None
    metric = None if M is None else operator_of(M, A, v0)
    if metric is not None and (metric.shape != operator.shape or metric.dtype != operator.dtype):
        return None
    dtype = operator.dtype
    product: Callable[[Any], Any] = operator.matvec
    if sigma is not None or metric is not None:
        if n > _INVERTED or (np.iscomplexobj(sigma) and dtype.kind == "f"):
            return None
        unit = eye(n, dtype=dtype, device=device)
        weight = unit if metric is None else metric.matmat(unit)
        dense = operator.matmat(unit)
        try:
            matrix = solve(weight, dense) if sigma is None else solve(dense - sigma * weight, weight)
        except np.linalg.LinAlgError:
            return None
        if not bool(all_of(isfinite(matrix))):
            return None
        product = matrix.__matmul__
    basis = first_vectors(v0, n, width, dtype, device, rng)
    try:
        found = _restarted(product, basis, int(k), _WANTED[which], 10 * n if maxiter is None else maxiter, tol, vectors)
    except LoopError:
        return None
    if found is None or sigma is None:
        return found
    return (1 / found[0] + sigma, found[1]) if vectors else 1 / found + sigma


def _restarted(
    product: Callable[[Any], Any], basis: Array, k: int, key: Callable[[Any], Any], cycles: int, tol: float, vectors: bool
) -> Any:
    width, first, eps = len(basis) - 1, 0, float(finfo(basis.dtype).eps)
    kept: Any = None  # the part of the small matrix that a restart keeps
    for _ in range(cycles):
        basis, projections, lengths = extended(basis, product, first)
        if not np.isfinite(projections[first:]).all():
            return None
        small = np.zeros((width + 1, width), projections.dtype)
        if kept is not None:
            small[: first + 1, :first] = kept
        for j in range(first, width):
            small[: j + 1, j], small[j + 1, j] = projections[j, : j + 1], lengths[j]
        short = np.flatnonzero(lengths[first:] <= 16 * eps * np.abs(small).max()) + first
        if len(short) and short[0] + 1 < basis.shape[1]:
            return None  # the subspace is invariant, and has one of multiple eigenvalues each
        values, coefficients = np.linalg.eig(small[:width])
        order = np.argsort(key(values), kind="stable")
        left = 0.0 if width == basis.shape[1] else lengths[-1]  # nothing is left of the whole space
        errors = np.abs(left * coefficients[-1])[order[:k]]
        done = errors <= max(tol, eps) * np.maximum(eps ** (2 / 3), np.abs(values[order[:k]]))
        if done.all():
            return _found(basis, values, coefficients, order[:k], vectors)
        limit = np.sort(key(values))[min(k + (width - k) // 2, width - 1) - 1]
        form, schur, first = _schur(small[:width], key, limit)
        first = min(first, width - 1)
        if first and abs(form[first, first - 1]) > 0:
            first -= 1  # pairs of complex eigenvalues stay together
        if not first:
            return None
        kept = np.vstack([form[:first, :first], lengths[-1] * schur[-1:, :first]])
        basis = turned(basis, schur[:, :first])
    message = f"no convergence in {cycles} restarts, {done.sum()} of {k} eigenvectors converged; give a greater maxiter or tol"
    raise ArpackNoConvergence(message, *_found(basis, values, coefficients, order[:k][done], True))


def _schur(small: Any, key: Callable[[Any], Any], limit: float) -> Any:
    """Bring a matrix to Schur's form, with eigenvalues of keys up to a limit first, and count these."""

    def wanted(value: complex) -> bool:
        return bool(key(np.array(value)) <= limit)

    def wanted_parts(real: float, imaginary: float) -> bool:
        return wanted(complex(real, imaginary))

    return scipy.linalg.schur(small, sort=wanted if small.dtype.kind == "c" else wanted_parts)


def _found(basis: Array, values: Any, coefficients: Any, chosen: Any, vectors: bool) -> Any:
    kind = complex_of(basis.dtype)
    found = asarray((values[chosen] if vectors else values[chosen][::-1]).astype(kind), device=basis.device)
    if not vectors:
        return found
    count = len(coefficients)
    return found, (asarray(np.ascontiguousarray(coefficients[:, chosen].T).astype(kind), device=basis.device) @ basis[:count]).T
