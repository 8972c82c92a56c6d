"""Suite ``products``: matrix products of every rung of precision on drawn and adverse operands, against exact rational arithmetic.

An example is a product: its extents, layouts, exponents, signs and readings of the hardware's documents are drawn. Some of its elements,
the worst of all as float64 sees them among these, are compared exactly; all bits are compared with those under another reading.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import trnarray as xp

from ...backends import simulator
from ...backends.device import Device
from ...backends.precision import RUNGS, Precision, product_bound
from ...backends.settings import config
from ...backends.simulator.knobs import Knobs
from ..report import Report

__all__ = ["CASES", "Draw", "add_arguments", "error_of", "factors", "run"]

Array = NDArray[Any]
Draw = Callable[[np.random.Generator, int, int, int], tuple[Array, Array]]
_SIZES: Final = (1, 2, 3, 5, 8, 13, 31, 64, 97, 127, 128, 129, 131, 200, 257, 509, 512)
_MOST: Final = 1 << 19  # products of elements of an example
_SLOW: Final = 1 << 13  # of one that is computed product by product
_ELEMENTS: Final = 12  # that are compared exactly
_READINGS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"pe_order": "permuted:1", "denormals_pe": "flush"},
    {"pe_order": "permuted:2", "two_op": "fused", "dve_order": "permuted:2"},
    {"pe_order": "permuted:3", "denormals_dve": "flush", "denormals_act": "flush", "denormals_pool": "flush"},
    {"pe_order": "permuted:4", "pe_product": "split21", "gpsimd_overflow": "saturate", "shift_beyond_width": "modulo"},
)


def _spread(rng: np.random.Generator, shape: tuple[int, ...], low: int, high: int) -> Array:
    return np.ldexp(rng.standard_normal(shape), rng.integers(low, high, shape))


def _graded(rng: np.random.Generator, m: int, k: int, n: int) -> tuple[Array, Array]:
    """Grade along the contraction, one operand against the other."""
    return _opposed(rng, m, k, n, 60)


def _opposed(rng: np.random.Generator, m: int, k: int, n: int, span: int) -> tuple[Array, Array]:
    slope = rng.permutation(np.linspace(-span, span, k).astype(int))
    return np.ldexp(rng.standard_normal((m, k)), slope), np.ldexp(rng.standard_normal((k, n)), -slope[:, None])


def _not_finite(rng: np.random.Generator, m: int, k: int, n: int) -> tuple[Array, Array]:
    """Put infinities, NaN and zeros into a few rows and columns."""
    pair = rng.standard_normal((m, k)), rng.standard_normal((k, n))
    for x in pair:
        for value in rng.choice([np.inf, -np.inf, np.nan, 0.0, -0.0], 3):
            x[rng.integers(x.shape[0]), rng.integers(x.shape[1])] = value
    return pair


def _cancelling(rng: np.random.Generator, m: int, k: int, n: int) -> tuple[Array, Array]:
    """Let the second half of each sum nearly undo the first one."""
    a, b = rng.standard_normal((m, k)), rng.standard_normal((k, n))
    half = k // 2
    a[:, half : 2 * half], b[half : 2 * half] = -a[:, :half] * (1 + 2.0 ** -int(rng.integers(10, 50))), b[:half]
    return a, b


def _sparse(rng: np.random.Generator, m: int, k: int, n: int) -> tuple[Array, Array]:
    return rng.standard_normal((m, k)) * (rng.random((m, k)) < 0.2), rng.standard_normal((k, n)) * (rng.random((k, n)) < 0.2)


CASES: Final[Mapping[str, Draw]] = {
    "normal": lambda rng, m, k, n: (rng.standard_normal((m, k)), rng.standard_normal((k, n))),
    "uniform": lambda rng, m, k, n: (rng.random((m, k)), rng.random((k, n))),
    "spread over 2^28": lambda rng, m, k, n: (_spread(rng, (m, k), -14, 14), _spread(rng, (k, n), -14, 14)),
    "spread over 2^100": lambda rng, m, k, n: (_spread(rng, (m, k), -50, 50), _spread(rng, (k, n), -50, 50)),
    "rows and columns of all sizes": lambda rng, m, k, n: (
        np.ldexp(rng.standard_normal((m, k)), rng.integers(-50, 50, (m, 1))),
        np.ldexp(rng.standard_normal((k, n)), rng.integers(-50, 50, n)),
    ),
    "graded": _graded,
    "cancelling": _cancelling,
    "sparse": _sparse,
    "integers": lambda rng, m, k, n: (rng.integers(-99, 99, (m, k)).astype(float), rng.integers(-99, 99, (k, n)).astype(float)),
}
"""Operands, of which float32 has normal numbers."""
_WIDE: Final[Mapping[str, Draw]] = {
    "rows and columns over 1e300": lambda rng, m, k, n: (
        np.ldexp(rng.standard_normal((m, k)), rng.integers(-500, 500, (m, 1))),
        np.ldexp(rng.standard_normal((k, n)), rng.integers(-500, 500, n)),
    ),
    "graded over 2^24": lambda rng, m, k, n: _opposed(rng, m, k, n, 12),
    "graded over 1e540": lambda rng, m, k, n: _opposed(rng, m, k, n, 900),
    "denormal operands": lambda rng, m, k, n: (_spread(rng, (m, k), -1078, -1030), _spread(rng, (k, n), 900, 1000)),
    "denormal results": lambda rng, m, k, n: (_spread(rng, (m, k), -560, -530), _spread(rng, (k, n), -516, -500)),
    "not finite": _not_finite,
}
"""Operands of float64 alone."""
_KINDS: Final = tuple((rung, case) for case in (*CASES, *_WIDE) for rung in RUNGS if case in CASES or rung == "float64")
_BY_PRODUCT: Final = ("spread over 2^100", "graded", "graded over 1e540", "denormal operands")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="another seed gives other products (default 0)")
    parser.add_argument("--extents", metavar="N", type=int, nargs=3, help="rows, depth and columns of all products (default: drawn)")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Compare products, each under two readings of the documents where the device is simulated."""
    worst: dict[str, float] = {}
    with config(fallback="error", host_transfer="allow"):
        for number in range(options.max_examples):
            rng = np.random.default_rng([options.seed, number])
            rung, case, readings = factors(number, options.seed)
            wide = rung == "float64"
            most = _SLOW if case in _BY_PRODUCT and rung in ("float32-exact", "float64") else _MOST
            m, k, n = options.extents or _extents(rng, most)
            a, b = (x if wide else x.astype(np.float32) for x in {**CASES, **_WIDE}[case](rng, m, k, n))
            name = f"{rung} {case} {m} x {k} x {n}, {options.seed} {number}"
            first, second = (_product(device, rung, a, b, rng, reading) for reading in readings)
            bound = product_bound(rung, k, np.dtype(np.float64 if wide else np.float32))
            error = error_of(a, b, first, rng)
            worst[rung] = max(worst.get(rung, 0.0), error / bound)
            wrong = f"an error of {error:.3g} exceeds {bound:.3g}" if error > bound else ""
            if not wrong and rung in ("float32-exact", "float64") and first.tobytes() != second.tobytes():
                wrong = "bits differ from one reading to the other"
            report.add(name, "failed" if wrong else "passed", wrong)
    for name, share in worst.items():
        report.figures[f"largest error, {name}, of the bound"] = round(share, 4)


def factors(number: int, seed: int) -> tuple[Precision, str, tuple[int, int]]:
    """
    Choose the rung, operands and readings of an example.

    Three rounds, of one seed or of three seeds two apart, have every pair of a rung or operands and a reading.
    """
    turn, place = divmod(number, len(_KINDS))
    rung, case = _KINDS[place]
    first = RUNGS.index(rung) + [*CASES, *_WIDE].index(case) + 2 * turn + seed
    return rung, case, (first % len(_READINGS), (first + 1) % len(_READINGS))


def _extents(rng: np.random.Generator, most: int) -> tuple[int, int, int]:
    while True:
        m, k, n = (int(size) for size in rng.choice(_SIZES, 3))
        if m * k * n <= most:
            return m, k, n


def _product(device: Device, rung: Precision, a: Array, b: Array, rng: np.random.Generator, reading: int) -> Array:
    """Multiply on the device, of operands stored one way or the other."""
    stored = []
    for x in (a, b):
        turned = bool(rng.integers(2))
        moved = xp.asarray(np.ascontiguousarray(x.T if turned else x), device=device)
        stored.append(moved.T if turned else moved)
    with simulator.options(knobs=Knobs(**_READINGS[reading])):
        return np.asarray(xp.linalg.matmul(*stored, precision=rung))


def error_of(a: Array, b: Array, found: Array, rng: np.random.Generator) -> float:
    """
    Find the largest error of some elements, relative to the sum of magnitudes, exactly; infinite if one is not what IEEE arithmetic has.

    What float64 does not hold of a result, up to its smallest number for each term, is no error.
    """
    left, right = a.astype(float), b.astype(float)
    with np.errstate(all="ignore"):
        signs = [np.where(np.isfinite(x), np.sign(x), x) for x in (left, right)]
        classes = signs[0] @ signs[1]
        sizes = np.abs(left) @ np.abs(right)
        near = np.where(sizes > 0, np.abs(found - left @ right) / sizes, np.abs(found))
    finite, least = np.isfinite(classes), Fraction(a.shape[1] * (found.dtype == np.float64), 2**1074)
    if not np.array_equal(found[~finite], classes[~finite], equal_nan=True):
        return np.inf
    near[~finite] = -1
    flat = np.concatenate([np.argsort(near, axis=None)[-2:], rng.integers(0, near.size, _ELEMENTS - 2)])
    worst = 0.0
    for place in np.unique(flat):
        i, j = divmod(int(place), found.shape[1])
        if not finite[i, j]:
            continue
        terms = [Fraction(float(x)) * Fraction(float(y)) for x, y in zip(left[i], right[:, j], strict=True)]
        size = sum(map(abs, terms))
        got = float(found[i, j])
        if not np.isfinite(got):
            return np.inf
        error = max(abs(Fraction(got) - sum(terms)) - least, Fraction(0))
        worst = max(worst, float(error / size) if size else np.inf if error else 0.0)
    return worst
