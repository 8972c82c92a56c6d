"""Vector quantization and k-means of scipy.cluster.vq."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from .distances import squares_between
from .operands import floats, leave_unless, xp

__all__ = ["COMPOSITIONS"]


def _rows(*items: Any) -> list[Any]:
    made = floats(*items)
    leave_unless(all(x.ndim == made[0].ndim and x.ndim in {1, 2} and x.size for x in made))
    leave_unless(all(x.shape[1:] == made[0].shape[1:] for x in made))
    return made


def _whiten(obs: Any, check_finite: bool = True) -> Any:
    (x,) = _rows(obs)
    leave_unless(not check_finite or bool(xp.all(xp.isfinite(x))))
    deviation = xp.std(x, axis=0)
    leave_unless(not bool(xp.any(deviation == 0)))  # SciPy warns, and divides by one
    return x / deviation


def _nearest(x: Any, codes: Any) -> tuple[Any, Any]:
    """Find the nearest code of each row, and the distance."""
    squares = squares_between(*[z[:, None] if z.ndim == 1 else z for z in (x, codes)])
    index = xp.argmin(squares, axis=1)
    return index, xp.sqrt(xp.min(squares, axis=1))


def _vq(obs: Any, code_book: Any, check_finite: bool = True) -> Any:
    x, codes = _rows(obs, code_book)
    leave_unless(not check_finite or (bool(xp.all(xp.isfinite(x))) and bool(xp.all(xp.isfinite(codes)))))
    index, distances = _nearest(x, codes)
    return xp.astype(index, xp.int32), distances


def _averages(x: Any, index: Any, count: int) -> tuple[Any, Any]:
    """Average the rows of each code by a product with ones, and count them."""
    belongs = xp.astype(index[None, :] == xp.arange(count, dtype=index.dtype, device=x.device)[:, None], x.dtype)
    members = xp.sum(belongs, axis=1)
    sums = belongs @ (x[:, None] if x.ndim == 1 else x)
    averages = sums / xp.where(members > 0, members, 1.0)[:, None]
    return (averages[:, 0] if x.ndim == 1 else averages), members


def _improved(x: Any, codes: Any, thresh: float) -> tuple[Any, Any]:
    """Move codes to the averages of their rows until the mean distance falls by no more than the threshold."""
    before = math.inf
    while True:
        index, distances = _nearest(x, codes)
        mean = xp.mean(distances)
        averages, members = _averages(x, index, codes.shape[0])
        used = np.flatnonzero(members._host() > 0)
        codes = averages if used.size == codes.shape[0] else xp.take(averages, xp.asarray(used, dtype=xp.int32, device=x.device), axis=0)
        now = float(mean)
        if not abs(before - now) > thresh:
            return codes, xp.mean(_nearest(x, codes)[1])
        before = now


def _kmeans(
    obs: Any, k_or_guess: Any, iter: int = 20, thresh: float = 1e-5, check_finite: bool = True, *, rng: Any = None, seed: Any = None
) -> Any:  # fmt: skip
    """Improve guesses; those that are drawn are rows in the order that SciPy's generator permutes them."""
    leave_unless(type(iter) is int and iter > 0 and type(thresh) is float)
    leave_unless(seed is None or (rng is None and isinstance(seed, np.random.Generator)))  # others mean an older generator
    rng = seed if rng is None else rng
    if type(k_or_guess) is int:
        (x,) = _rows(obs)
        leave_unless(0 < k_or_guess <= x.shape[0] and (rng is None or isinstance(rng, (int, np.integer, np.random.Generator))))
    else:
        x, guess = _rows(obs, k_or_guess)
    leave_unless(not check_finite or bool(xp.all(xp.isfinite(x))))
    if type(k_or_guess) is not int:
        return _improved(x, guess, thresh)
    generator = np.random.default_rng(rng)
    best, least = None, math.inf
    for _ in range(iter):
        rows = generator.choice(x.shape[0], size=k_or_guess, replace=False)
        codes, distance = _improved(x, xp.take(x, xp.asarray(rows, dtype=xp.int32, device=x.device), axis=0), thresh)
        if best is None or float(distance) < least:
            best, least = (codes, distance), float(distance)
    return best


def _first_rows(x: Any, k: int, minit: str, generator: np.random.Generator) -> Any:
    """Draw centroids as SciPy's generator does: rows, or with probabilities by their distances from those before (k-means++)."""
    if minit == "points":
        rows = generator.choice(x.shape[0], size=k, replace=False).tolist()
    else:
        rows = [int(generator.integers(x.shape[0]))]
        for _ in range(k - 1):
            distances = _nearest(x, x[xp.asarray(rows, dtype=xp.int32, device=x.device)])[1]._host().astype(np.float64)
            squares = np.square(distances)
            rows.append(int(np.searchsorted(np.cumsum(squares / squares.sum()), generator.uniform())))
    return x[xp.asarray(rows, dtype=xp.int32, device=x.device)]


def _kmeans2(
    data: Any, k: Any, iter: int = 10, thresh: float = 1e-5, minit: str = "random", missing: str = "warn", check_finite: bool = True, *,
    rng: Any = None, seed: Any = None,
) -> Any:  # fmt: skip
    """Move centroids a number of times; those without rows, of which SciPy warns, it computes."""
    leave_unless(missing in {"warn", "raise"} and type(thresh) is float)  # which SciPy does not use
    leave_unless(type(iter) is int and iter > 0 and (seed is None or (rng is None and isinstance(seed, np.random.Generator))))
    rng, drawn = seed if rng is None else rng, None
    if minit == "matrix" or type(k) is xp.Array:
        x, codes = _rows(data, k)
        leave_unless(not check_finite or bool(xp.all(xp.isfinite(x))))
    else:
        (x,) = _rows(data)
        leave_unless(minit in {"points", "++"} and type(k) is int and 0 < k <= x.shape[0])
        leave_unless(rng is None or isinstance(rng, (int, np.integer, np.random.Generator)))
        leave_unless(bool(xp.all(xp.isfinite(x))))
        drawn = copy.deepcopy(np.random.default_rng(rng))
        codes = _first_rows(x, k, minit, drawn)
    least: list[Any] = []
    for _ in range(iter):
        index = _nearest(x, codes)[0]
        codes, members = _averages(x, index, codes.shape[0])
        least.append(xp.min(members))
    leave_unless(bool(xp.all(xp.stack(least) > 0)))
    if drawn is not None and isinstance(rng, np.random.Generator):
        rng.bit_generator.state = drawn.bit_generator.state  # where SciPy leaves the generator; if SciPy computes, it draws anew
    return codes, xp.astype(index, xp.int32)


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {"kmeans": _kmeans, "kmeans2": _kmeans2, "vq": _vq, "whiten": _whiten}
"""Functions of scipy.cluster.vq."""
