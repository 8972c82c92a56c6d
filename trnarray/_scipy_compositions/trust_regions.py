"""
Trust-region methods of scipy.optimize.minimize with the state on the device: what differs is how the model is minimized within the radius.

trust-ncg and dogleg are SciPy's methods. trust-exact finds the minimum exactly, by the eigenvalues of the matrix, where SciPy's
factorizations stop within a tenth of the radius; trust-krylov by those of Lanczos's tridiagonal matrix (Gould, Lucidi, Roma and Toint,
SIAM J. Optim. 9 (1999)). Numbers alone are fetched.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .objectives import Objective, Watcher, fetched, resolved
from .operands import leave_unless, xp

__all__ = ["SUBPROBLEMS", "trust_region"]

_Vector = npt.NDArray[np.float64]


@dataclasses.dataclass(slots=True)
class _Model:
    """The quadratic model of the function at a point, of which `size` is the length of the gradient."""

    f: float
    g: Any
    size: float
    matrix: Any
    multiply: Callable[[Any], Any]
    known: Any = None


def _crossings(inner: float, squared: float, length: float, radius: float) -> tuple[float, float]:
    """Find where z + t d leaves the region, given d·z, d·d and z·z."""
    root = math.sqrt(max(inner * inner - squared * (length - radius * radius), 0.0))
    aside = inner + math.copysign(root, inner)
    found = (-aside / squared, -(length - radius * radius) / aside if aside else root / squared)
    return min(found), max(found)


def _within(values: _Vector, c: _Vector, radius: float) -> tuple[_Vector, bool]:
    """
    Minimize c·x + x·(values x)/2 within a radius: the coordinates, and whether these lie on the boundary.

    The shift of the values is found by Newton's steps on the secular equation, kept within bounds by bisection.
    """
    least = float(values.min())
    if least > 0 and np.linalg.norm(c / values) <= radius:
        return -c / values, False
    low = max(0.0, -least)
    high = low + float(np.linalg.norm(c)) / radius
    easy = values + low > 0
    part = np.where(easy, c, 0.0) / np.where(easy, values + low, 1.0)
    rest = radius * radius - float(part @ part)
    if rest >= 0 and not np.any(np.abs(c[~easy]) > np.finfo(float).eps * np.linalg.norm(c)):  # the hard case: add of the null space
        found = -part
        found[int(np.argmin(values))] += math.sqrt(rest)
        return found, True
    shift = high
    for _ in range(200):
        x = c / (values + shift)
        length = float(np.linalg.norm(x))
        low, high = (shift, high) if length > radius else (low, shift)
        if abs(length - radius) <= 1e-12 * radius or high <= low:
            break
        ahead = shift + (length / radius - 1.0) * length * length / float(np.sum(x * x / (values + shift)))
        shift = ahead if low < ahead < high else 0.5 * (low + high)
    return -x, True


def _truncated(model: _Model, radius: float, _: Mapping[str, Any]) -> tuple[Any, bool]:
    """Take conjugate gradients up to the boundary (Steihaug): a round for each step."""
    tolerance = min(0.5, math.sqrt(model.size)) * model.size
    z, r, d = xp.zeros_like(model.g), model.g, -model.g
    while True:
        turned = model.multiply(d)
        bend, square = d @ turned, r @ r
        alpha = square / xp.where(bend == 0, 1.0, bend)
        ahead, left = z + alpha * d, r + alpha * turned
        remains = left @ left
        curvature, inner, squared, length, length_ahead, size, steep, along = fetched(
            bend, z @ d, d @ d, z @ z, ahead @ ahead, remains, model.g @ d, z @ turned
        )
        if curvature <= 0:
            ends = _crossings(inner, squared, length, radius)
            values = [t * (steep + along) + t * t * curvature / 2 for t in ends]
            return z + (ends[0] if values[0] < values[1] else ends[1]) * d, True
        if math.sqrt(length_ahead) >= radius:
            return z + _crossings(inner, squared, length, radius)[1] * d, True
        if math.sqrt(size) < tolerance:
            return ahead, False
        z, r, d = ahead, left, remains / square * d - left


def _dogleg(model: _Model, radius: float, _: Mapping[str, Any]) -> tuple[Any, bool]:
    """Follow the path by the minimum along the gradient to that of the model."""
    if model.known is None:
        factor = xp.linalg.cholesky(model.matrix)
        newton = -xp.linalg.solve(model.matrix, model.g)
        cauchy = -((model.g @ model.g) / (model.g @ model.multiply(model.g))) * model.g
        apart = newton - cauchy
        least = xp.min(xp.diagonal(factor))
        model.known = newton, cauchy, fetched(newton @ newton, cauchy @ cauchy, apart @ cauchy, apart @ apart, least)
    newton, cauchy, (longest, length, inner, squared, _least) = model.known
    if math.sqrt(longest) < radius:
        return newton, False
    if math.sqrt(length) >= radius:
        return cauchy * (radius / math.sqrt(length)), True
    return cauchy + _crossings(inner, squared, length, radius)[1] * (newton - cauchy), True


def _exact(model: _Model, radius: float, _: Mapping[str, Any]) -> tuple[Any, bool]:
    """Find the minimum by eigenvalues and vectors of the matrix, once for each point."""
    if model.known is None:
        values, vectors = xp.linalg.eigh(model.matrix)
        model.known = vectors, xp.stack([values, vectors.T @ model.g])._host().astype(float)
    vectors, (values, c) = model.known
    weights, on_boundary = _within(values, c, radius)
    return vectors @ xp.asarray(weights, dtype=model.g.dtype, device=model.g.device), on_boundary


def _lanczos(model: _Model, radius: float, options: Mapping[str, Any]) -> tuple[Any, bool]:
    """Find the minimum in Krylov's subspace, which grows until the residual is small; vectors are kept orthogonal."""
    from scipy.linalg import eigh_tridiagonal

    if model.known is None:
        model.known = [model.g / model.size], [], []
    basis, diagonal, beside = model.known
    n = model.g.shape[0]
    while True:
        k = len(diagonal)
        if k == len(basis) - 1 or not diagonal:
            q = basis[-1]
            turned = model.multiply(q)
            rows = xp.stack(basis)
            left = turned - (rows @ turned) @ rows
            left = left - (rows @ left) @ rows
            length = xp.linalg.vector_norm(left)
            a, b = fetched(q @ turned, length)
            diagonal.append(a)
            beside.append(b)
            basis.append(left / xp.where(length == 0, 1.0, length))
            k += 1
        values, vectors = eigh_tridiagonal(np.asarray(diagonal), np.asarray(beside[: k - 1]))
        weights, on_boundary = _within(values, model.size * vectors[0], radius)
        found = vectors @ weights
        goal = max(1e-6 if on_boundary else 1e-8, float(xp.finfo(model.g.dtype).eps))
        if options["inexact"]:
            goal = min(0.5, model.size if on_boundary else math.sqrt(model.size))
        if k == n or abs(beside[-1] * found[-1]) <= goal * model.size or beside[-1] <= 1e-14 * max(map(abs, diagonal)):
            coordinates = xp.asarray(found, dtype=model.g.dtype, device=model.g.device)
            return coordinates @ xp.stack(basis[:k]), on_boundary


SUBPROBLEMS: Final[Mapping[str, Callable[[_Model, float, Mapping[str, Any]], tuple[Any, bool]]]] = {
    "dogleg": _dogleg,
    "trust-exact": _exact,
    "trust-krylov": _lanczos,
    "trust-ncg": _truncated,
}
"""How the model is minimized within a radius, by the names of SciPy's methods."""


def trust_region(
    objective: Objective, x: Any, method: str, options: Mapping[str, Any], watcher: Watcher, report: Callable[..., Any]
) -> Any:  # fmt: skip
    """Minimize by models within a radius, which grows and shrinks by how well they predict."""
    from scipy.optimize import OptimizeResult
    from scipy.optimize._optimize import _status_message as messages

    radius, most, gtol = options["initial_trust_radius"], options["max_trust_radius"], options["gtol"]
    dense = method in {"dogleg", "trust-exact"}
    leave_unless(0 <= options["eta"] < 0.25 and 0 < radius < most and (objective.has_matrix or (not dense and objective.has_product)))
    maxiter = 200 * x.shape[0] if options["maxiter"] is None else options["maxiter"]

    def model_at(x: Any, step: Any = None, model: _Model | None = None) -> tuple[_Model, float]:
        """Make the model at a point, and give the value that the last model predicts for it."""
        f = objective.value(x)
        g = objective.gradient(x, f)
        extra = [] if model is None else [model.g @ step, g @ step, 0.5 * (step @ model.multiply(step))]
        value, square, *more = fetched(f, g @ g, *extra)
        change = 0.0
        if model is not None:
            change, value = more[0] + more[2], resolved(value, model.f, (more[0] + more[1]) / 2, x)
        matrix = objective.hessian(x) if objective.has_matrix else None
        multiply = (lambda p: matrix @ p) if matrix is not None else (lambda p: objective.product(x, p))
        return _Model(value, g, math.sqrt(square), matrix, multiply), change

    model, _ = model_at(x)
    k, status, all_points = 0, 0, [x]
    while model.size >= gtol:
        try:
            p, on_boundary = SUBPROBLEMS[method](model, radius, options)
        except np.linalg.LinAlgError:
            status = 3
            break
        ahead = x + p
        proposed, change = model_at(ahead, p, model)
        if change >= 0:
            status = 2
            break
        rho = (model.f - proposed.f) / -change
        if rho < 0.25:
            radius *= 0.25
        elif rho > 0.75 and on_boundary:
            radius = min(2 * radius, most)
        if rho > options["eta"]:
            x, model = ahead, proposed
        all_points.append(x)
        k += 1
        if watcher.halts(x, model.f) or model.size < gtol:
            break
        if k >= maxiter:
            status = 1
            break
    texts = (
        messages["success"], messages["maxiter"], "A bad approximation caused failure to predict improvement.",
        "A linalg error occurred, such as a non-psd Hessian.",
    )  # fmt: skip
    result = OptimizeResult(
        x=x, success=status == 0, status=status, fun=model.f, jac=model.g, nfev=objective.nfev, njev=objective.njev, nhev=objective.nhev,
        nit=k, message=texts[status],
    )  # fmt: skip
    if model.matrix is not None:
        result.hess = model.matrix
    if options["return_all"]:
        result.allvecs = all_points
    return report(result, options)
