"""A few eigenvalues and singular values of sparse matrices and operators."""

from __future__ import annotations

from typing import Any

from .._operand import as_operand
from .._random.generator import Generator
from .._sparse.base import run
from ..backends.ops.sparse_linalg import OPS
from .arnoldi_schur import eigs_on_device
from .block_gradient import lobpcg_on_device
from .host_products import given, operand
from .lanczos import eigsh_on_device, singular_values_on_device

__all__ = ["eigs", "eigsh", "lobpcg", "svds"]



def _source(rng: Any) -> Any:
    """Give the generator on the host."""
    return rng._generator if isinstance(rng, Generator) else rng


def eigsh(
    A: Any,
    k: int = 6,
    M: Any = None,
    sigma: Any = None,
    which: str = "LM",
    v0: Any = None,
    ncv: int | None = None,
    maxiter: int | None = None,
    tol: float = 0,
    return_eigenvectors: bool = True,
    Minv: Any = None,
    OPinv: Any = None,
    mode: str = "normal",
    rng: Any = None,
) -> Any:
    """
    Compute eigenvalues and eigenvectors of a symmetric or Hermitian matrix.

    On Neuron devices those at the ends of the spectrum are computed there, and of up to 512 rows those near `sigma`, and with `M`, too.

    See `scipy.sparse.linalg.eigsh`.
    """
    if Minv is None and OPinv is None:
        found = eigsh_on_device(A, k, M, sigma, which, v0, ncv, maxiter, tol, return_eigenvectors, mode, _source(rng))
        if found is not None:
            return found
    more = given(M=M, sigma=sigma, v0=v0, ncv=ncv, maxiter=maxiter, Minv=Minv, OPinv=OPinv, rng=_source(rng))
    return run(
        OPS["eigsh"], operand(A, v0), k, which=which, tol=tol, return_eigenvectors=return_eigenvectors, mode=mode, **more
    )


def eigs(
    A: Any,
    k: int = 6,
    M: Any = None,
    sigma: Any = None,
    which: str = "LM",
    v0: Any = None,
    ncv: int | None = None,
    maxiter: int | None = None,
    tol: float = 0,
    return_eigenvectors: bool = True,
    Minv: Any = None,
    OPinv: Any = None,
    OPpart: str | None = None,
    rng: Any = None,
) -> Any:
    """
    Compute eigenvalues and eigenvectors of a square matrix.

    On Neuron devices those for "LM", "LR", "SR" and "LI" are computed there, and of up to 1,024 rows those for "SM", near `sigma` and with
    `M`, too.

    See `scipy.sparse.linalg.eigs`.
    """
    if all(value is None for value in (Minv, OPinv, OPpart)):
        found = eigs_on_device(A, k, M, sigma, which, v0, ncv, maxiter, tol, return_eigenvectors, _source(rng))
        if found is not None:
            return found
    more = given(M=M, sigma=sigma, v0=v0, ncv=ncv, maxiter=maxiter, Minv=Minv, OPinv=OPinv, OPpart=OPpart, rng=_source(rng))
    return run(OPS["eigs"], operand(A, v0), k, which=which, tol=tol, return_eigenvectors=return_eigenvectors, **more)


def svds(
    A: Any,
    k: int = 6,
    ncv: int | None = None,
    tol: float = 0,
    which: str = "LM",
    v0: Any = None,
    maxiter: int | None = None,
    return_singular_vectors: Any = True,
    solver: str = "arpack",
    rng: Any = None,
    options: dict[str, Any] | None = None,
    *,
    random_state: Any = None,
) -> Any:
    """
    Compute singular values and singular vectors.

    On Neuron devices the greatest are computed there by one method, which `solver` does not change; of matrices of up to 512 rows or
    columns the smallest are, too.

    See `scipy.sparse.linalg.svds`.
    """
    source = _source(random_state if rng is None else rng)
    if solver in ("arpack", "lobpcg", "propack") and return_singular_vectors in (True, False, "u", "vh") and options is None:
        found = singular_values_on_device(A, k, which, v0, ncv, maxiter, tol, bool(return_singular_vectors), source)
        if found is not None:
            u, values, vh = found
            left, right = return_singular_vectors in (True, "u"), return_singular_vectors in (True, "vh")
            return (u if left else None, values, vh if right else None) if return_singular_vectors else values
    more = given(ncv=ncv, v0=v0, maxiter=maxiter, rng=source, options=options)
    return run(
        OPS["svds"], operand(A, v0), k, tol=tol, which=which, return_singular_vectors=return_singular_vectors, solver=solver, **more
    )


def lobpcg(
    A: Any,
    X: Any,
    B: Any = None,
    M: Any = None,
    Y: Any = None,
    tol: float | None = None,
    maxiter: int | None = None,
    largest: bool = True,
    verbosityLevel: int = 0,
    retLambdaHistory: bool = False,
    retResidualNormsHistory: bool = False,
    restartControl: int = 20,
) -> tuple[Any, ...]:
    """
    Compute eigenvalues of a symmetric or Hermitian matrix by locally optimal block preconditioned conjugate gradients.

    On Neuron devices blocks and products stay there, see `block_gradient`.

    See `scipy.sparse.linalg.lobpcg`.
    """
    X, Y = as_operand(X, A), None if Y is None else as_operand(Y, X, A)
    if not verbosityLevel:
        found = lobpcg_on_device(A, X, B, M, Y, tol, maxiter, largest)
        if found is not None:
            values, vectors, history, norms = found
            return values, vectors, *([history] if retLambdaHistory else []), *([norms] if retResidualNormsHistory else [])
    more = given(B=operand(B, X), M=operand(M, X), Y=Y, tol=tol, maxiter=maxiter)
    result: tuple[Any, ...] = run(
        OPS["lobpcg"],
        operand(A, X),
        X,
        largest=largest,
        verbosityLevel=verbosityLevel,
        retLambdaHistory=retLambdaHistory,
        retResidualNormsHistory=retResidualNormsHistory,
        restartControl=restartControl,
        **more,
    )
    return result
