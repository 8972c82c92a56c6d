"""A few eigenvalues and singular values of sparse matrices and operators."""

from __future__ import annotations

from typing import Any

from .._array import Array
from .._operand import as_operand
from .._random.generator import Generator
from .._sparse.base import run
from ..backends.ops.sparse_linalg import OPS
from .host_products import given, operand
from .lanczos import eigsh_on_device

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

    On Neuron devices those at the ends of the spectrum are computed there, and of up to 128 rows those near `sigma`, too.

    See `scipy.sparse.linalg.eigsh`.
    """
    if M is None and Minv is None and OPinv is None and mode == "normal":
        found = eigsh_on_device(A, k, sigma, which, v0, ncv, maxiter, tol, return_eigenvectors, _source(rng))
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
    """Compute eigenvalues and eigenvectors of a square matrix. See `scipy.sparse.linalg.eigs`."""
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
    """Compute singular values and singular vectors. See `scipy.sparse.linalg.svds`."""
    more = given(ncv=ncv, v0=v0, maxiter=maxiter, rng=_source(random_state if rng is None else rng), options=options)
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
) -> tuple[Array, ...]:
    """
    Compute eigenvalues of a symmetric or Hermitian matrix by locally optimal block preconditioned conjugate gradients.

    See `scipy.sparse.linalg.lobpcg`.
    """
    X, Y = as_operand(X, A), None if Y is None else as_operand(Y, X, A)
    more = given(B=operand(B, X), M=operand(M, X), Y=Y, tol=tol, maxiter=maxiter)
    result: tuple[Array, ...] = run(
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
