"""
Suite ``random``: counter-based random numbers of a device against SciPy's distributions, NumPy's draws, and published words.

An example is a draw. A check fails where its p-value is below 1e-7, which of some hundred honest ones happens once in 10**5 runs.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy import stats

import trnarray as xp

from ...backends.counter_based.functions import FUNCTIONS
from ...backends.counter_based.quantiles import table
from ...backends.device import CPU, Device
from ...backends.settings import config
from ..report import Report

__all__ = ["ARRAYS", "CONTINUOUS", "DISCRETE", "add_arguments", "run"]

_LEAST: Final = 1e-7
_CLASSES: Final = 200  # of chi-square
_SEEN: Final = 20_000  # order statistics, whose probabilities are looked at
_PART: Final = 1 << 20  # draws, of which the host makes so many at once
_TWO_SAMPLES: Final = 1_000_000

# Method, parameters, SciPy's distribution.
CONTINUOUS: Final[tuple[tuple[str, tuple[Any, ...], Any], ...]] = (
    ("random", (), stats.uniform),
    ("standard_normal", (), stats.norm),
    ("standard_exponential", (), stats.expon),
    ("uniform", (-1.0, 2.0), stats.uniform(-1, 3)),
    ("normal", (3.0, 0.5), stats.norm(3, 0.5)),
    ("lognormal", (0.5, 0.25), stats.lognorm(0.25, scale=np.exp(0.5))),
    ("laplace", (1.0, 2.0), stats.laplace(1, 2)),
    ("logistic", (1.0, 2.0), stats.logistic(1, 2)),
    ("gumbel", (1.0, 2.0), stats.gumbel_r(1, 2)),
    ("standard_cauchy", (), stats.cauchy),
    ("rayleigh", (2.0,), stats.rayleigh(scale=2)),
    ("weibull", (1.5,), stats.weibull_min(1.5)),
    ("weibull", (0.3,), stats.weibull_min(0.3)),
    ("pareto", (3.0,), stats.lomax(3)),
    ("power", (0.3,), stats.powerlaw(0.3)),
    ("gamma", (0.3, 2.0), stats.gamma(0.3, scale=2)),
    ("gamma", (50.0, 3.0), stats.gamma(50, scale=3)),
    ("chisquare", (1.0,), stats.chi2(1)),
    ("beta", (2.0, 3.0), stats.beta(2, 3)),
    ("beta", (0.5, 20.0), stats.beta(0.5, 20)),
    ("standard_t", (3.0,), stats.t(3)),
    ("f", (3.0, 7.5), stats.f(3, 7.5)),
    ("triangular", (-1.0, 0.5, 2.0), stats.triang(0.5, -1, 3)),
    ("vonmises", (0.0, 2.0), stats.vonmises(2)),
    ("wald", (1.0, 2.0), stats.invgauss(0.5, scale=2)),
)
DISCRETE: Final[tuple[tuple[str, tuple[Any, ...], Any], ...]] = (
    ("integers", (0, 6), stats.randint(0, 6)),
    ("integers", (-(2**30), 2**30 + 12345), stats.randint(-(2**30), 2**30 + 12345)),
    ("poisson", (0.01,), stats.poisson(0.01)),
    ("poisson", (4.0,), stats.poisson(4)),
    ("poisson", (100_000.0,), stats.poisson(100_000)),
    ("binomial", (10, 0.3), stats.binom(10, 0.3)),
    ("binomial", (1_000_000, 0.001), stats.binom(1_000_000, 0.001)),
    ("negative_binomial", (3, 0.4), stats.nbinom(3, 0.4)),
    ("geometric", (0.01,), stats.geom(0.01)),
    ("hypergeometric", (500, 600, 400), stats.hypergeom(1100, 500, 400)),
    ("logseries", (0.9,), stats.logser(0.9)),
    ("zipf", (2.5,), stats.zipf(2.5)),
)
# The same, with parameters that are arrays of one element: by rejection, or by functions of other draws.
ARRAYS: Final[tuple[tuple[str, tuple[Any, ...], Any], ...]] = (
    *(("gamma", (a, 2.0), stats.gamma(a, scale=2)) for a in (0.02, 0.3, 1.0, 2.5, 1e6)),
    *(("beta", p, stats.beta(*p)) for p in ((0.3, 0.3), (2.0, 3.0), (0.5, 200.0), (1e4, 3e3))),
    *(("f", p, stats.f(*p)) for p in ((3.0, 7.5), (0.5, 0.7))),
    *(("standard_t", (df,), stats.t(df)) for df in (0.4, 3.0)),
    ("chisquare", (0.3,), stats.chi2(0.3)),
    *(("vonmises", (0.0, kappa), stats.vonmises(kappa)) for kappa in (1e-9, 0.7, 2.0, 1e4)),
    *(("wald", p, stats.invgauss(p[0] / p[1], scale=p[1])) for p in ((1.0, 2.0), (100.0, 0.1), (1.0, 1e6))),
    *(("noncentral_chisquare", p, stats.ncx2(*p)) for p in ((3.0, 1.5), (0.5, 20.0), (100.0, 500.0))),
    ("noncentral_f", (3.0, 20.0, 1.5), stats.ncf(3, 20, 1.5)),
    ("triangular", (-1.0, 0.5, 2.0), stats.triang(0.5, -1, 3)),
    *(("weibull", (a,), stats.weibull_min(a)) for a in (0.1, 3.0)),
    *(("pareto", (a,), stats.lomax(a)) for a in (0.2, 3.0)),
    *(("power", (a,), stats.powerlaw(a)) for a in (0.2, 3.0)),
    *(("poisson", (rate,), stats.poisson(rate)) for rate in (1e-3, 0.5, 1.0, 9.99, 37.5, 1e4, 1e8)),
    *(("binomial", p, stats.binom(*p)) for p in ((1, 0.5), (2, 0.5), (10, 0.97), (1000, 1e-3), (10**6, 0.3), (10**9, 1e-9))),
    *(("negative_binomial", p, stats.nbinom(*p)) for p in ((3.0, 0.4), (0.1, 0.1), (100.0, 0.01))),
    *(("geometric", (p,), stats.geom(p)) for p in (0.9, 0.01, 1e-5)),
    *(("logseries", (p,), stats.logser(p)) for p in (0.01, 0.6, 0.99)),
    *(("zipf", (a,), stats.zipf(a)) for a in (1.5, 2.5, 5.0)),
    *(
        ("hypergeometric", p, stats.hypergeom(p[0] + p[1], p[0], p[2]))
        for p in ((2, 2, 2), (20, 30, 10), (500, 600, 400), (100_000, 3, 10_000), (500_000, 400_000, 100_000))
    ),
    ("integers", (0, 6), stats.randint(0, 6)),
)

def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the draws (default 0)")
    parser.add_argument("--only", default="", metavar="NAME", help="one method, or vectors, or words")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Draw, and test."""
    with config(fallback="allow"):
        rows = [(*row, False) for row in (*CONTINUOUS, *DISCRETE)] + [(*row, True) for row in ARRAYS]
        for number, (name, parameters, reference, arrays) in enumerate(rows):
            if options.only not in ("", name):
                continue
            given = [xp.asarray([item], device=device) for item in parameters] if arrays else parameters
            rng = xp.random.Generator(xp.random.Philox4x32([options.seed, number]), device=device)
            start = time.perf_counter()
            drawn = _drawn(getattr(rng, name), given, options.max_examples)
            seconds = time.perf_counter() - start
            label = f"{name}{parameters}" + (" as arrays" if arrays else "")
            if device is not CPU:
                twin = xp.random.Generator(xp.random.Philox4x32([options.seed, number]))
                _as_on_cpu(report, label, drawn[:1000], getattr(twin, name), given)
            tests = _discrete(drawn, reference) if drawn.dtype.kind == "i" else _continuous(drawn, reference)
            tests |= _two_samples(drawn, name, parameters, options.seed)
            for test, p in tests.items():
                report.add(f"{label}: {test}", "passed" if p >= _LEAST else "failed", "" if p >= _LEAST else f"p = {p:.2g}")
            report.figures[label] = f"least p {min(tests.values()):.2g} of {len(tests)}; {len(drawn) / seconds / 1e6:.1f} M/s here"
        if options.only in ("", "vectors"):
            _vectors(report, device, options.max_examples, options.seed)
        if options.only in ("", "words"):
            _exhaustive(report)
            _bits(report, options.max_examples, options.seed)


def _drawn(draw: Any, given: Sequence[Any], count: int) -> npt.NDArray[Any]:
    """Draw a part at a time, which are the draws of one call."""
    with config(fallback="error", host_transfer="allow"):
        parts = [draw(*given, size=min(_PART, count - begin)).to_device("cpu") for begin in range(0, count, _PART)]
    return np.concatenate([np.asarray(part) for part in parts])


def _continuous(drawn: npt.NDArray[Any], reference: Any) -> dict[str, float]:
    """
    Kolmogorov and Smirnov; classes of equal probability, as often, and one after the other; mean and variance, where there are some.

    Kolmogorov's distance is the largest one at some of the numbers in their order, and so never too large.
    """
    wide = drawn.astype(np.float64)
    count = len(wide)
    places = np.arange(0, count, max(1, count // _SEEN))
    probabilities = reference.cdf(np.sort(wide)[places])
    distance = max(np.max((places + 1) / count - probabilities), np.max(probabilities - places / count))
    edges = reference.ppf(np.linspace(0, 1, _CLASSES + 1)[1:-1])
    classes = np.searchsorted(edges, wide)
    found = {"KS": float(stats.kstwobign.sf(distance * np.sqrt(count)))}
    found["chi-square"] = float(stats.chisquare(np.bincount(classes, minlength=_CLASSES)).pvalue)
    return found | _moments(wide, reference) | _serial(classes)


def _moments(wide: npt.NDArray[Any], reference: Any) -> dict[str, float]:
    with np.errstate(all="ignore"):
        mean, variance, skewness, kurtosis = (float(item) for item in reference.stats(moments="mvsk"))
    found = {}
    if np.isfinite([mean, variance]).all() and variance:
        found["mean"] = 2 * float(stats.norm.sf(abs(wide.mean() - mean) / np.sqrt(variance / len(wide))))
        if np.isfinite([skewness, kurtosis]).all() and -2 < kurtosis < 30:  # else the variance is far from normally distributed
            spread = np.sqrt((kurtosis + 2) * variance**2 / len(wide))
            found["variance"] = 2 * float(stats.norm.sf(abs(np.mean((wide - mean) ** 2) - variance) / spread))
    return found


def _discrete(drawn: npt.NDArray[Any], reference: Any) -> dict[str, float]:
    edges = np.unique(reference.ppf(np.linspace(0, 1, _CLASSES + 1)[1:-1]))
    chances = np.diff([0.0, *reference.cdf(edges), 1.0])
    counted = np.bincount(np.searchsorted(edges, drawn), minlength=len(chances))
    kept = chances * len(drawn) > 5
    rest = [len(drawn) - counted[kept].sum()] if not kept.all() else []
    expected = [*(chances[kept] * len(drawn)), *([chances[~kept].sum() * len(drawn)] if rest else [])]
    if rest and expected[-1] < 5:
        rest, expected = [], expected[:-1]
    observed = np.array([*counted[kept], *rest], float)
    found = {"chi-square": float(stats.chisquare(observed, np.array(expected) * observed.sum() / np.sum(expected)).pvalue)}
    return found | _moments(drawn.astype(np.float64), reference) | _serial(drawn)


def _serial(drawn: npt.NDArray[Any]) -> dict[str, float]:
    """Correlation of counts, or classes, with those 1, 2, 4, 64 and 2048 draws later: of neighbours, blocks, partitions and rows."""
    u = drawn.astype(np.float64)
    u = (u - u.mean()) / (u.std() or 1.0)
    found = {}
    for lag in (1, 2, 4, 64, 2048):
        if lag < len(u) // 2:
            found[f"lag {lag}"] = 2 * float(stats.norm.sf(abs(np.mean(u[lag:] * u[:-lag])) * np.sqrt(len(u) - lag)))
    return found


def _two_samples(drawn: npt.NDArray[Any], name: str, parameters: tuple[Any, ...], seed: int) -> dict[str, float]:
    theirs = getattr(np.random.default_rng(seed), name)(*parameters, size=min(len(drawn), _TWO_SAMPLES))
    return {"NumPy's": float(stats.ks_2samp(drawn[:_TWO_SAMPLES].astype(np.float64), theirs.astype(np.float64), method="asymp").pvalue)}


def _as_on_cpu(report: Report, label: str, drawn: npt.NDArray[Any], draw: Any, given: Any) -> None:
    """Compare with the numbers of the cpu: counts exactly, and numbers to 64 units of the value or of a typical one."""
    on_cpu = [np.asarray(item.to_device("cpu")) if isinstance(item, xp.Array) else item for item in given]
    want = np.asarray(draw(*on_cpu, size=len(drawn), device="cpu"))
    if want.dtype.kind == "i":
        report.add(f"{label}: the cpu's", "passed" if np.array_equal(drawn, want) else "failed", "counts differ")
    else:
        error = float((np.abs(drawn - want) / (np.abs(want) + np.median(np.abs(want)))).max() / np.finfo(drawn.dtype).eps)
        report.hold(f"{label}: the cpu's, error in units", error, 64.0, "u")


def _vectors(report: Report, device: Device, count: int, seed: int) -> None:
    """Marginal distributions and covariances of vectors: those of neighbours, which share a node of a tree or do not."""
    chances, kinds, alpha = np.array([0.1, 0.2, 0.3, 0.15, 0.25]), np.array([5, 30, 8, 2, 14]), np.array([0.2, 1.0, 5.0])
    total = int(kinds.sum())
    share = alpha / alpha.sum()
    spread = np.diag(share) - np.outer(share, share)
    rows = (
        ("multinomial", (20, chances), 20 * chances, 20 * (np.diag(chances) - np.outer(chances, chances)), stats.binom(20, 0.3)),
        (
            *("multivariate_hypergeometric", (kinds, 20), 20 * kinds / total),
            20 * (total - 20) / (total - 1) * (np.diag(kinds / total) - np.outer(kinds, kinds) / total**2),
            stats.hypergeom(total, 8, 20),
        ),
        ("dirichlet", (alpha,), share, spread / (alpha.sum() + 1), stats.beta(5.0, 1.2)),
    )
    for number, (name, parameters, mean, covariance, third) in enumerate(rows):
        rng = xp.random.Generator(xp.random.Philox4x32([seed, 1000 + number]), device=device)
        drawn = _drawn(getattr(rng, name), parameters, count).astype(np.float64)
        found = (drawn - mean).T @ (drawn - mean) / count
        errors = np.abs(drawn.mean(0) - mean) / np.sqrt(np.diag(covariance) / count)
        products = np.sqrt((covariance**2 + np.outer(np.diag(covariance), np.diag(covariance))) / count)
        p = {
            "means": len(mean) * 2 * float(stats.norm.sf(errors.max())),
            "covariances": len(mean) ** 2 * 2 * float(stats.norm.sf(np.abs((found - covariance) / products).max() / 2)),
        }
        p |= _continuous(drawn[:, 2], third) if name == "dirichlet" else _discrete(drawn[:, 2], third)
        for test, value in p.items():
            report.add(f"{name}: {test}", "passed" if value >= _LEAST else "failed", "" if value >= _LEAST else f"p = {value:.2g}")


def _exhaustive(report: Report) -> None:
    """All 2**24 uniform numbers of float32; and the normal numbers of every word beyond five standard deviations."""
    numbers = np.arange(1 << 24, dtype=np.uint32).astype(np.float32) * np.float32(2.0**-24)
    good = bool(numbers.max() < 1 and np.array_equal(numbers, np.arange(1 << 24) / 2**24))
    report.add("uniform numbers are below 1, all of them", "passed" if good else "failed", "" if good else "one is 1, or rounded")
    words = np.arange(1 << 12, dtype=np.uint32)
    normal = table("normal")
    assert normal is not None
    error = np.abs(normal.evaluate(words) - stats.norm.isf((words + 0.5) * 2.0**-32)).max()
    report.hold("normal numbers beyond 5 standard deviations, error", float(error * 2**21), 1.0, "* 2**-21")


def _bits(report: Report, count: int, seed: int) -> None:
    """Each bit of words as often, and each pair of neighbouring bytes."""
    for name, function in FUNCTIONS.items():
        words = getattr(xp.random, name)([seed, function.words]).random_raw(count)
        ones = np.array([np.count_nonzero(words & np.uint32(1 << bit)) for bit in range(32)])
        worst = float(np.abs(ones - count / 2).max() / np.sqrt(count / 4))
        p = {"bits": 64 * float(stats.norm.sf(worst))}
        p["bytes"] = float(stats.chisquare(np.bincount(words.view(np.uint8), minlength=256)).pvalue)
        p["pairs of bytes"] = float(stats.chisquare(np.bincount(words.view(np.uint16), minlength=65536)).pvalue)
        for test, value in p.items():
            report.add(f"{name}: {test}", "passed" if value >= _LEAST else "failed", "" if value >= _LEAST else f"p = {value:.2g}")
        report.figures[name] = f"least p {min(p.values()):.2g}"
