"""Eigenvalues by locally optimal block preconditioned conjugate gradients on devices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .._array import Array
from ..array_conversion import asarray
from ..backends.device import CPU
from ..backends.dtypes import real_of
from ..data_type_functions import finfo, result_type
from ..elementwise_functions import conj
from ..joining_functions import concat
from .matrix_operator import DEVICE_DTYPES, single_operator
from .system import same

__all__ = ["lobpcg_on_device"]

_EVERY: Final = 10  # steps after which products are computed anew


def lobpcg_on_device(
    A: Any, X: Array, B: Any, M: Any, Y: Array | None, tol: float | None, maxiter: int | None, largest: bool
) -> tuple[Array, Array, list[Any], list[Any]] | None:
    """
    Compute what `lobpcg` does, and the eigenvalues and norms of residuals of each step; nothing where no device does so.

    Notes
    -----
    The method is that of A. V. Knyazev, "Toward the optimal preconditioned eigensolver: locally optimal block preconditioned conjugate
    gradient method", SIAM Journal on Scientific Computing 23, 2001. Blocks and products stay on the device. A step fetches the Gram
    matrices of the block, the preconditioned residuals and the directions, whose eigenproblem the host solves in float64, without
    directions that depend on others to rounding.
    """
    if X.device is CPU or X.ndim != 2 or any(callable(one) and not hasattr(one, "shape") for one in (A, B, M)):
        return None
    operator = single_operator(A, "lobpcg", X)
    if operator.dtype is None or operator.shape != (len(X), len(X)):
        return None
    dtype = result_type(operator.dtype, X.dtype)
    n, m = X.shape
    if dtype not in DEVICE_DTYPES or not m or n - (0 if Y is None else Y.shape[1]) < 5 * m:
        return None
    product = operator.matmat
    metric = same if B is None else single_operator(B, "lobpcg", X).matmat
    precondition = same if M is None else single_operator(M, "lobpcg", X).matmat
    project = same if Y is None else _projection(Y.astype(dtype, copy=False), metric)
    eps = float(finfo(dtype).eps)
    target = eps**0.5 * n if tol is None or tol <= 0 else tol
    X = project(X.astype(dtype, copy=False))
    small, gram = _fetched([_gram([X], [product(X)]), _gram([X], [metric(X)])])
    found = _ritz(small, gram, m, largest, eps)
    if found is None:
        return None
    values, X = found[0], X @ _on(found[1], X)
    AX, BX, directions = product(X), metric(X), None
    best: tuple[float, Any, Array] | None = None
    history, norms = [], []
    for step in range((20 if maxiter is None else int(maxiter)) + 1):
        R = AX - BX * asarray(values.astype(real_of(dtype)), device=X.device)
        W = project(precondition(R))
        W = W - X @ (conj(BX).T @ W)
        blocks, metrics = [X, W], [BX, metric(W)]
        products = [AX, product(W)]
        if directions is not None:
            for list_, block in zip((blocks, products, metrics), directions, strict=True):
                list_.append(block)
        squares = (conj(R) * R).real.sum(axis=0)
        small, gram, lengths = _fetched([_gram(blocks, products), _gram(blocks, metrics), squares])
        residuals = np.sqrt(lengths.real)
        history.append(values)
        norms.append(residuals)
        if not np.isfinite(residuals).all():
            break
        if best is None or residuals.max() < best[0]:
            best = residuals.max(), values, X
        if residuals.max() <= target:
            break
        found = _ritz(small, gram, m, largest, eps)
        if found is None:
            break
        values, coefficients = found
        rest = coefficients.copy()
        rest[:m] = 0
        X, AX, BX = (_combined(list_, coefficients) for list_ in (blocks, products, metrics))
        directions = [_combined(list_, rest) for list_ in (blocks, products, metrics)]
        if step % _EVERY == _EVERY - 1:
            AX, BX = product(X), metric(X)
    if best is None:
        return None
    return asarray(best[1].astype(real_of(dtype)), device=X.device), best[2], history, norms


def _projection(Y: Array, metric: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Make the projection to what is orthogonal to constraints."""
    BY = metric(Y)
    (gram,) = _fetched([conj(BY).T @ Y])
    inverse = _on(np.linalg.inv(gram), Y)
    return lambda R: R - Y @ (inverse @ (conj(BY).T @ R))


def _gram(left: list[Any], right: list[Any]) -> Array:
    gram: Array = conj(concat(left, axis=1)).T @ concat(right, axis=1)
    return gram


def _on(coefficients: Any, like: Array) -> Array:
    kind = coefficients if like.dtype.kind == "c" else coefficients.real
    return asarray(np.ascontiguousarray(kind).astype(like.dtype), device=like.device)


def _combined(blocks: list[Any], coefficients: Any) -> Array:
    together = concat(blocks, axis=1)
    made: Array = together @ _on(coefficients, together)
    return made


def _fetched(parts: list[Any]) -> list[Any]:
    """Bring small arrays to the host, all at once, in double precision."""
    dtype = result_type(*[part.dtype for part in parts])
    flat = np.asarray(concat([part.reshape(-1).astype(dtype) for part in parts]).tolist())
    ends = np.cumsum([part.size for part in parts])[:-1]
    return [piece.reshape(part.shape) for piece, part in zip(np.split(flat, ends), parts, strict=True)]


def _ritz(small: Any, gram: Any, count: int, largest: bool, eps: float) -> tuple[Any, Any] | None:
    """Solve the eigenproblem of two Gram matrices, the wanted values first; nothing where too few directions are independent."""
    lengths = gram.diagonal().real
    scale = np.where(lengths > 0, 1 / np.sqrt(np.where(lengths > 0, lengths, 1.0)), 0.0)
    small, gram = ((one + one.conj().T) / 2 * scale * scale[:, None] for one in (small, gram))
    if not (np.isfinite(small).all() and np.isfinite(gram).all()):
        return None
    weights, turned = np.linalg.eigh(gram)
    kept = weights > 10 * len(weights) * eps * weights[-1]
    if kept.sum() < count:
        return None
    turned = turned[:, kept] / np.sqrt(weights[kept])
    values, coefficients = np.linalg.eigh(turned.conj().T @ small @ turned)
    order = np.argsort(-values if largest else values, kind="stable")[:count]
    return values[order], scale[:, None] * (turned @ coefficients[:, order])
