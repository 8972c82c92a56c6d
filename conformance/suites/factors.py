"""Suite ``factors``: factorizations, equations and eigenproblems of a gallery of matrices, in four dtypes, by their residuals.

Residuals are computed in double precision with the sums of products rounded once, and compared with multiples of n u and of norms, which
LAPACK keeps. Where the device leaves a matrix to the host it says so: that is counted, and no failure.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

import trnarray as xp
import trnarray.scipy.linalg as linalg

from ...backends.device import Device
from ...backends.precision import Precision
from ...backends.settings import config
from ..graded_systems import graded_systems, unmet
from ..report import Report

__all__ = ["CHECKS", "GALLERY", "add_arguments", "run"]

Array = NDArray[Any]
DTYPES: Final = ("float32", "float64", "complex64", "complex128")
_SIZES: Final = (0, 1, 2, 3, 5)


def _with_values(rng: np.random.Generator, values: Array) -> Array:
    n = len(values)
    left, right = (np.linalg.qr(rng.standard_normal((n, n)))[0] for _ in range(2))
    matrix: Array = (left * values) @ right
    return matrix


def _kahan(_: np.random.Generator, n: int) -> Array:
    sine, cosine = np.sin(1.2), np.cos(1.2)
    matrix: Array = np.diag(sine ** np.arange(n)) @ (np.eye(n) - cosine * np.triu(np.ones((n, n)), 1))
    return matrix


def _low_rank(rng: np.random.Generator, n: int) -> Array:
    half = (n + 1) // 2
    matrix: Array = rng.standard_normal((n, half)) @ rng.standard_normal((half, n))
    return matrix


GALLERY: Final[Mapping[str, Callable[[np.random.Generator, int], Array]]] = {
    "normal": lambda rng, n: rng.standard_normal((n, n)),
    "Wilkinson": lambda _, n: np.diag(np.abs(np.arange(n) - (n - 1) / 2)) + np.eye(n, k=1) + np.eye(n, k=-1),
    "Kahan": _kahan,
    "Hilbert": lambda _, n: scipy.linalg.hilbert(n) if n else np.zeros((0, 0)),
    "graded": lambda rng, n: _with_values(rng, np.logspace(0, -4, n)),
    "clustered": lambda rng, n: _with_values(rng, 1 + 1e-6 * rng.standard_normal(n) + (np.arange(n) == 0)),
    "low rank": _low_rank,
    "zeros": lambda _, n: np.zeros((n, n)),
    "unit": lambda _, n: np.eye(n),
}


def _adjoint(x: Array) -> Array:
    return np.swapaxes(x, -1, -2).conj()


def _size(x: Array) -> float:
    return float(np.abs(x).max(initial=0.0))


def _unitary(x: Array) -> float:
    return _size(_adjoint(x) @ x - np.eye(x.shape[-1]))


def _np(*found: Any) -> list[Array]:
    """Fetch results, in double precision."""
    hosted = [np.asarray(item.to_device("cpu")) for item in found]
    return [item.astype(complex if item.dtype.kind == "c" else float) for item in hosted]


def _norm(a: Array) -> float:
    return float(np.abs(a).sum(-1).max(initial=0.0))


def _eigh(x: Any, a: Array) -> float:
    w, v = _np(*linalg.eigh(x + x.mT.conj()))
    h = a + _adjoint(a)
    return max(_size(h @ v - v * w) / (_norm(h) or 1), _unitary(v))


def _svd(x: Any, a: Array) -> float:
    u, s, vh = _np(*xp.linalg.svd(x))
    return max(_size((u * s) @ vh - a) / (_size(s) or 1), _unitary(u), _unitary(_adjoint(vh)))


def _qr(x: Any, a: Array) -> float:
    q, r = _np(*xp.linalg.qr(x))
    return max(_size(q @ r - a) / (_norm(a) or 1), _unitary(q))


def _lu(x: Any, a: Array) -> float:
    p, lower, upper = _np(*linalg.lu(x))
    return _size(p @ lower @ upper - a) / (_norm(np.abs(lower) @ np.abs(upper)) or 1)


def _cholesky(x: Any, a: Array) -> float:
    one = xp.eye(len(a), dtype=x.dtype, device=x.device)
    given = x @ x.mT.conj() + one
    (whole, lower) = _np(given, xp.linalg.cholesky(given))
    return _size(lower @ _adjoint(lower) - whole) / (_norm(whole) or 1)


def _solve(x: Any, a: Array) -> float:
    given = x + 2 * xp.eye(len(a), dtype=x.dtype, device=x.device)
    whole, found = _np(given, xp.linalg.solve(given, xp.ones((len(a), 2), dtype=x.dtype, device=x.device)))
    return _size(whole @ found - 1) / (_norm(whole) * _size(found) + 1)


def _pinv(x: Any, a: Array) -> float:
    """Test the first of Penrose's conditions, whose error is that of the inverse times the square of the norm."""
    (inverse,) = _np(linalg.pinv(x))
    return _size(a @ inverse @ a - a) / (_norm(a) ** 2 * _norm(inverse) or 1)


def _det(x: Any, a: Array) -> float:
    """Compare with Hadamard's bound."""
    (found,) = _np(xp.linalg.det(x))
    return float(abs(found - np.linalg.det(a)) / (np.prod(np.linalg.norm(a, axis=-1)) or 1))


def _rank(x: Any, a: Array) -> float:
    (found,) = _np(xp.linalg.matrix_rank(x))
    return 0.0 if found == np.linalg.matrix_rank(a, rtol=len(a) * np.finfo(x.dtype).eps) else np.inf


def _lstsq(x: Any, a: Array) -> float:
    """Test the normal equations of the first half of the columns."""
    some, b = slice((len(a) + 1) // 2), np.ones(len(a))
    found, squares, *_ = _np(*xp.linalg.lstsq(x[:, some], xp.ones(len(a), dtype=x.dtype, device=x.device)))
    part, norm = a[:, some], _norm(a)
    if squares.shape != np.linalg.lstsq(part, b, rcond=float(np.finfo(x.dtype).eps) * max(part.shape))[1].shape:
        return np.inf
    return _size(_adjoint(part) @ (part @ found - b)) / (norm**2 * _size(found) + norm * len(a) or 1)


CHECKS: Final[Mapping[str, tuple[Callable[[Any, Array], float], float]]] = {
    "eigh": (_eigh, 5),
    "svd": (_svd, 8),
    "qr": (_qr, 8),
    "lu": (_lu, 2),
    "cholesky": (_cholesky, 2),
    "solve": (_solve, 4),
    "pinv": (_pinv, 64),
    "det": (_det, 8),
    "rank": (_rank, 0),
    "lstsq": (_lstsq, 8),
}
"""What is computed of a matrix: its residual beside norms, and how many n u it may be."""


RUNGS: Final[Mapping[str, tuple[Precision, ...]]] = {"float32": ("float32", "float32-exact", "float64"), "float64": ("float64",)}
_ORDERS: Final = (4, 2, 7, 3)
_AT_ONCE: Final = 500


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--orders", default=",".join(map(str, _SIZES)), help="orders of the matrices (default: %(default)s)")
    parser.add_argument("--only", default="", help="functions, by name, with commas between them (default: all)")
    parser.add_argument("--dtypes", default=",".join(DTYPES), help="dtypes of the matrices (default: %(default)s)")
    parser.add_argument("--matrices", default=",".join(GALLERY), help="matrices of the gallery (default: %(default)s)")
    parser.add_argument(
        "--systems", type=int, default=1000, help="graded equations of each dtype and rung, for bounds of errors (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of matrices that are drawn (default: %(default)s)")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Compare residuals with their limits."""
    left = 0
    for dtype in options.dtypes.split(","):
        u = float(np.finfo(dtype).eps) / 2
        worst: dict[str, float] = {}
        for name in options.only.split(",") if options.only else CHECKS:
            check, most = CHECKS[name]
            for kind in options.matrices.split(","):
                for n in map(int, options.orders.split(",")):
                    rng = np.random.default_rng((options.seed, n))
                    a = GALLERY[kind](rng, n).astype(dtype)
                    if a.dtype.kind == "c":
                        a = (a * np.exp(1j * np.arange(n))).astype(dtype)
                    with config(fallback="error", host_transfer="allow", defaults="numpy"):
                        try:
                            error = check(xp.asarray(a, device=device), a.astype(complex if a.dtype.kind == "c" else float))
                        except xp.FallbackError:
                            left += 1
                            continue
                    error /= max(n, 2) * u
                    worst[name] = max(worst.get(name, 0.0), error)
                    wrong = "" if error <= most else f"its residual is {error:.3g} n u, above {most}"
                    report.add(f"{name} {dtype} {kind} {n}", "failed" if wrong else "passed", wrong)
        for name, error in worst.items():
            report.figures[f"{name}, {dtype}, largest residual in n u"] = round(error, 3)
    report.figures["left to the host"] = left
    _bounds(report, device, options)


def _bounds(report: Report, device: Device, options: Namespace) -> None:
    """Compare errors of solutions that are known with the bounds that are returned."""
    rng = np.random.default_rng(options.seed)
    for dtype, rungs in RUNGS.items():
        if dtype not in options.dtypes.split(","):
            continue
        for rung in rungs:
            finite = 0
            for first in range(0, options.systems, _AT_ONCE):
                order, count = _ORDERS[first // _AT_ONCE % len(_ORDERS)], min(_AT_ONCE, options.systems - first)
                wrong, known = unmet(device, graded_systems(rng, count, order, dtype), precision=rung)
                finite += int(known.sum())
                what = f"{int(wrong.sum())} of {count} solutions are worse than their bounds" if wrong.any() else ""
                report.add(f"bounds {dtype} {rung} {order} {first}", "failed" if what else "passed", what)
            if options.systems:
                report.figures[f"solutions with a bound, {dtype}, {rung}"] = round(finite / options.systems, 4)
