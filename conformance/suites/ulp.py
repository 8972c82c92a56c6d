"""Suite ``ulp``: functions with a stated error on many inputs, in units in the last place, and what they cost.

Results for float32 are compared with the same function of float64: bits drawn at random, and numbers drawn where a function is neither
constant nor infinite. For bfloat16 and float16 there are all 65,536 inputs. Cycles are what kernels say of themselves, from published
formulas: predicted, not measured. With ``--exhaustive`` it sweeps over every float32.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from inspect import unwrap
from pathlib import Path
from typing import Any, Final, NamedTuple

import ml_dtypes
import numpy as np
import scipy.special
from numpy.typing import NDArray

import trnarray as xp

from ...backends.device import CPU, Device
from ...backends.neuron.costs import Costs
from ...backends.neuron.function import work_table
from ...backends.neuron.kernels.elementwise import EMITTERS, Emitter
from ...backends.ops.special import scipy_ufunc
from ...backends.settings import config
from ..references import bessel, beta, incomplete_beta, incomplete_gamma, zeta
from ..report import Report
from ..suite import SuiteError
from .sweep import PIECES, SWEPT, Sweep, summary

__all__ = ["RANGES", "add_arguments", "distance", "least", "reference", "run"]

Array = NDArray[Any]
_MANY: Final = 1e6  # elements, beside which the start of an instruction does not count
_CHUNK: Final = 1 << 19
_SPECIAL: Final = "special."
_TINY: Final = float(np.finfo(np.float32).tiny)
_EXPONENT: Final = np.uint32(0x7F800000)  # its bits: without the others, a power of two is left
_ULP: Final = 2.0**-23  # of 1
_LOW: Final[Mapping[str, np.dtype[Any]]] = {"bfloat16": np.dtype(ml_dtypes.bfloat16), "float16": np.dtype(np.float16)}

RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "exp": (-104, 89), "exp2": (-150, 128), "expm1": (-18, 89), "log": (0, 4), "log2": (0, 4), "log10": (0, 4), "log1p": (-1, 3),
    "sin": (-3300, 3300), "cos": (-3300, 3300), "tan": (-3300, 3300), "arcsin": (-1, 1), "arccos": (-1, 1), "arctan": (-8, 8),
    "sinh": (-90, 90), "cosh": (-90, 90), "tanh": (-10, 10), "arccosh": (1, 4), "arctanh": (-1, 1), "power": (-20, 20),
    "logaddexp": (-100, 100), "logaddexp2": (-100, 100), "special.expit": (-104, 40), "special.logit": (0, 1), "special.entr": (0, 2),
    "special.erf": (-4, 4), "special.erfc": (-4, 10.1), "special.ndtr": (-14.3, 6), "special.log_ndtr": (-20, 12),
    "special.erfinv": (-1, 1), "special.erfcinv": (0, 2), "special.ndtri": (0, 1),
    "special.gammaln": (-4, 12), "special.gamma": (-42, 36), "special.rgamma": (-36, 40), "special.psi": (-8, 8),
    "special.i0": (-92, 92), "special.i1": (-92, 92), "special.k0": (0, 105), "special.k1": (0, 105), "special.ellipk": (0, 1),
    "special.ellipkm1": (0, 2), "special.ellipe": (-2, 1), "special.exp1": (0, 100), "special.expi": (-100, 94),
    "special.j0": (-100, 100), "special.j1": (-100, 100), "special.y0": (0, 100), "special.y1": (0, 100),
    "special.gammainc": (0, 40), "special.gammaincc": (0, 40),
    "special.betainc": (0, 60), "special.betaincc": (0, 60), "special.zeta": (-2, 30), "special.polygamma": (-2, 30),
    "special.riemann_zeta": (-66, 30),
    "special.beta": (-20, 60), "special.betaln": (-20, 60), "special.chdtr": (0, 80), "special.chdtrc": (0, 80), "special.stdtr": (-20, 40),
    "special.gdtr": (0, 9), "special.gdtrc": (0, 9), "special.pdtr": (0, 60), "special.pdtrc": (0, 60),
}  # fmt: skip
"""Where functions are neither constant nor infinite."""


class _Worst(NamedTuple):
    """The largest distance so far, the sum of all, their number, and where the largest is."""

    most: float = 0.0
    total: float = 0.0
    number: int = 0
    inputs: tuple[float, ...] = ()

    def with_more(self, distances: Array, operands: tuple[Array, ...]) -> _Worst:
        place = int(np.argmax(distances))
        most = float(distances[place])
        inputs = tuple(float(operand[place]) for operand in operands) if most > self.most or not self.inputs else self.inputs
        return _Worst(max(most, self.most), self.total + float(distances.sum()), self.number + distances.size, inputs)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--function", metavar="PATTERN", action="append", help="functions to check, as 'arc*'; may be repeated")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="another seed gives other inputs (default 0)")
    parser.add_argument("--exhaustive", action="store_true", help=f"every float32, for {', '.join(SWEPT)}; up to half an hour each")
    parser.add_argument("--pieces", metavar="FIRST:END", type=_pieces, default=range(PIECES), help=f"some of a sweep's {PIECES} pieces")
    parser.add_argument("--kept", metavar="FILE", type=Path, help="what pieces have shown; a sweep goes on where it ended")


def _pieces(text: str) -> range:
    first, _, end = text.partition(":")
    pieces = range(int(first), int(end or int(first) + 1))
    if not pieces or pieces.start < 0 or pieces.stop > PIECES:
        raise ArgumentTypeError(f"pieces are from 0 to {PIECES}, as in 0:16, not {text}")
    return pieces


def run(report: Report, device: Device, options: Namespace) -> None:
    """Check every function that states an error."""
    if device is CPU:
        raise SuiteError("suite 'ulp' checks kernels; choose a Neuron device, such as --device sim:trn2")
    patterns = options.function or ["*"]
    if options.exhaustive:
        _sweep(report, device, patterns, options)
        return
    stated = [item for item in EMITTERS.values() if 0 < item.error < math.inf]
    chosen = [item for item in stated if any(fnmatchcase(_plain(item.name), pattern) for pattern in patterns)]
    if not chosen:
        named = ", ".join(_plain(item.name) for item in stated)
        raise SuiteError(f"no function with a stated error is named {' or '.join(patterns)}; there are {named}")
    for emitter in chosen:
        _float32(report, device, emitter, options.max_examples, options.seed)
        if emitter.arity == 1:
            for name, dtype in _LOW.items():
                _low_precision(report, device, emitter, name, dtype)


def _sweep(report: Report, device: Device, patterns: list[str], options: Namespace) -> None:
    names = [name for name in SWEPT if any(fnmatchcase(name, pattern) for pattern in patterns)]
    if not names:
        raise SuiteError(f"no function of which there is a sweep is named {' or '.join(patterns)}; there are {', '.join(SWEPT)}")

    def off(name: str, found: Array, operands: tuple[Array, ...]) -> Array:
        if EMITTERS[name].error:
            return distance(found, reference(name, *operands))
        with np.errstate(all="ignore"):
            return _bit_distance(found, _function(name)(*operands))

    sweep = Sweep(lambda name, operands: _on_device(name, device, operands), off, options.kept)
    for name in names:
        result = sweep.run(name, options.pieces)
        report.figures[name] = {"stated": EMITTERS[name].error, **summary(result)}
        problem = f"{result.most:.3f} units in the last place at {result.worst}, and it states {EMITTERS[name].error}"
        report.add(f"every {name}", *(() if result.most <= EMITTERS[name].error else ("failed", problem)))


def _bit_distance(found: Array, right: Array) -> Array:
    """Give 0 where bits are the same, or both are NaN, and else infinity."""
    same = (found.view(np.uint32) == right.view(np.uint32)) | (np.isnan(found) & np.isnan(right))
    return np.where(same, 0.0, np.inf)


def _plain(name: str) -> str:
    return name.removeprefix(_SPECIAL)


def _function(name: str) -> np.ufunc:
    found: np.ufunc = scipy_ufunc(_plain(name)) if name.startswith(_SPECIAL) else getattr(np, name)
    return found


def _on_device(name: str, device: Device, operands: tuple[Array, ...]) -> Array:
    with config(fallback="error"):
        function = getattr(xp.special, _NO_UFUNCS[name]) if name in _NO_UFUNCS else _function(name)
        result = function(*(xp.asarray(operand, device=str(device)) for operand in operands))
    return np.asarray(result.to_device("cpu"))


_NO_UFUNCS: Final = {"special.riemann_zeta": "zeta", "special.zeta": "zeta", "special.polygamma": "polygamma"}
"""What is no ufunc in SciPy, and of whose first operands half are made integers: the function that has it."""
_SIDES: Final = {"special.zeta": zeta.both_sides, "special.polygamma": zeta.both_sides_of_polygamma}
"""Of what has terms on both sides of zero, the sum of their magnitudes."""
_OF_FRACTIONS: Final = ("special.betainc", "special.betaincc")
"""Whose last operand is from 0 to 1, and changes most about the mean that the others give."""
_REFERENCES: Final[Mapping[str, Callable[..., Array]]] = {
    f"special.{function.__name__}": function
    for function in (
        incomplete_gamma.gammainc, incomplete_gamma.gammaincc, incomplete_gamma.chdtr, incomplete_gamma.chdtrc, incomplete_gamma.gdtr,
        incomplete_gamma.gdtrc, incomplete_gamma.pdtr, incomplete_gamma.pdtrc, incomplete_beta.betainc, incomplete_beta.betaincc,
        beta.beta, beta.betaln, zeta.zeta, zeta.polygamma, bessel.j0, bessel.j1, bessel.y0, bessel.y1,
    )
} | {"special.riemann_zeta": unwrap(scipy.special.zeta)}  # fmt: skip
"""Where that is not the same function of float64."""


def reference(name: str, *operands: Array) -> Array:
    """
    Compute what a function should give.

    Examples
    --------
    >>> reference("sqrt", np.float32([4, 9]))
    array([2., 3.])
    """
    with np.errstate(all="ignore"):
        return np.asarray((_REFERENCES.get(name) or _function(name))(*(operand.astype(np.float64) for operand in operands)))


def _inputs(name: str, arity: int, count: int, seed: int) -> Iterator[tuple[Array, ...]]:
    """Draw a third each: bits, numbers of all sizes, numbers in the function's range."""
    rng = np.random.default_rng(seed)
    low, high = RANGES.get(name, (-10.0, 10.0))
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 3.4e38, -3.4e38, 1, -1, 0.5, -0.5, 2, -2], np.float32)
    for first in range(0, count, _CHUNK):
        size = min(_CHUNK, count - first)
        part = -(-size // 3)
        drawn = []
        for _ in range(arity):
            pattern = rng.integers(0, 2**32, part, dtype=np.uint32).view(np.float32)
            sized = np.exp2(rng.uniform(-30, 10, part)) * rng.choice([-1, 1], part)
            inside = rng.uniform(low, high, part)
            drawn.append(np.concatenate([pattern, sized.astype(np.float32), inside.astype(np.float32)])[:size])
        if name in _NO_UFUNCS:
            with np.errstate(invalid="ignore"):  # signalling NaN
                drawn[0][::2] = np.rint(drawn[0][::2])
        if name in _LAST:
            with np.errstate(all="ignore"):
                likely = _LAST[name](rng, *(np.abs(operand.astype(np.float64)) for operand in drawn[:-1]))
                drawn[-1] = np.where(rng.random(size) < 0.8, likely, drawn[-1]).astype(np.float32)
        if not first:
            pairs = np.meshgrid(*[special] * arity)
            for operand, values in zip(drawn, pairs, strict=True):
                operand[: min(size, values.size)] = values.ravel()[:size]
        yield tuple(drawn)


def _about_mean(rng: np.random.Generator, p: Array, q: Array) -> Array:
    """Draw fractions about the mean of the beta distribution, and elsewhere."""
    mean = p / (p + q)
    near = mean + 4 * np.sqrt(mean * (1 - mean) / (p + q + 1)) * rng.normal(size=mean.size)
    return np.asarray(np.where((near > 0) & (near < 1) & (rng.random(mean.size) < 0.6), near, rng.random(mean.size)))


def _about_shape(rng: np.random.Generator, rate: Array, shape: Array) -> Array:
    """Draw about the mean of the gamma distribution, and below."""
    near = 1 + 3 * rng.normal(size=shape.size) / np.sqrt(shape)
    return np.asarray(shape / rate * np.where((near > 0) & (rng.random(shape.size) < 0.7), near, rng.exponential(1, shape.size)))


_LAST: Final[Mapping[str, Callable[..., Array]]] = {
    "special.betainc": _about_mean, "special.betaincc": _about_mean, "special.gdtr": _about_shape, "special.gdtrc": _about_shape,
}  # fmt: skip
"""How to draw the last operand where the function changes most, from the sizes of the others."""


def distance(found: Array, exact: Array, least: Any = 0.0) -> Array:
    """
    Measure in units in the last place of float32.

    Examples
    --------
    >>> distance(np.float32([1, 1]), np.float64([1, 1 + 2**-24]))
    array([0. , 0.5])
    """
    with np.errstate(all="ignore"):
        rounded = exact.astype(np.float32)
        size = np.maximum(np.abs(rounded), np.maximum(np.float32(least), np.float32(_TINY)))
        power = (size.view(np.uint32) & _EXPONENT).view(np.float32)
        error = np.abs(found - exact) / (power * np.float64(_ULP))
    special = ~(np.isfinite(rounded) & np.isfinite(error))
    if special.any():
        same = (found == rounded) | (np.isnan(found) & np.isnan(rounded))
        error[special] = np.where(same, 0.0, np.inf)[special]
    zero = (found == 0) & (exact == 0)
    if zero.any():
        error[zero & (np.signbit(found) != np.signbit(exact))] = np.inf
    return np.asarray(error)


def least(name: str, *operands: Array) -> Any:
    """
    Tell what counts instead of a smaller result: the larger term of a sum that cancels, 1 by reflection, the amplitude of a wave.

    Examples
    --------
    >>> least("special.psi", np.float32([-1.5, 1.5]))
    array([1., 0.], dtype=float32)
    """
    with np.errstate(all="ignore"):
        if name.startswith("logaddexp"):
            apart = np.abs(np.subtract(*operands, dtype=np.float64))
            return np.fmax(np.abs(np.fmax(*operands)), _function(name)(np.zeros_like(apart), -apart))
        if name in ("special.gammaln", "special.psi"):
            return (operands[0] < 0).astype(np.float32)
        if name == "special.betaln":
            return np.where(np.minimum(*operands) < 0, 1.0, 1 / 16)
        if name in _OF_FRACTIONS:
            a, b, x = (operand.astype(np.float64) for operand in operands)
            above = b * x - a * (1 - x) + np.where(np.minimum(a, b) < 1, 2 * x - 1, 0) > 0
            return np.where((above == (name == "special.betainc")) | (np.minimum(a, b) > incomplete_beta.NORMAL), 0.5, 0.0)
        if name in bessel.ZEROS_FROM:
            x = np.abs(operands[0].astype(np.float64))
            return np.where((x > bessel.ZEROS_FROM[name]) & np.isfinite(x), bessel.amplitude(x), 0.0)
        if name in _SIDES:
            return np.fmin(_SIDES[name](*(operand.astype(np.float64) for operand in operands)), float(np.finfo(np.float32).max))
    return 0.0


def _float32(report: Report, device: Device, emitter: Emitter, count: int, seed: int) -> None:
    worst = _Worst()
    for operands in _inputs(emitter.name, emitter.arity, count, seed):
        found = _on_device(emitter.name, device, operands)
        worst = worst.with_more(distance(found, reference(emitter.name, *operands), least(emitter.name, *operands)), operands)
    costs = Costs("trn2")
    busy = work_table()[emitter.name, "float32"].times(costs, _MANY)
    cycles = {engine: round(busy.get(engine, 0) * costs.clock(engine) / _MANY) for engine in ("vector", "scalar", "gpsimd")}
    name = _plain(emitter.name)
    report.figures[name] = {
        "max ulp": round(worst.most, 3) if math.isfinite(worst.most) else math.inf,
        "mean ulp": round(worst.total / worst.number, 3),
        "stated": emitter.error,
        "worst input": worst.inputs,
        "inputs": worst.number,
        "predicted cycles": cycles,
    }
    problem = f"{worst.most:.3f} units in the last place at {worst.inputs}, and it states {emitter.error}"
    report.add(name, *(() if worst.most <= emitter.error else ("failed", problem)))


def _low_precision(report: Report, device: Device, emitter: Emitter, name: str, dtype: np.dtype[Any]) -> None:
    """Check that every result is the rounded one, or the other neighbour of what is nearly a tie."""
    x = np.arange(1 << 16, dtype=np.uint16).view(dtype)
    exact = reference(emitter.name, x.astype(np.float32))
    found = _on_device(emitter.name, device, (x,)).astype(np.float64)
    with np.errstate(all="ignore"):
        right = exact.astype(np.float32).astype(dtype).astype(np.float64)
        same = (found == right) | (np.isnan(found) & np.isnan(right))
        size = np.maximum(np.abs(exact), least(emitter.name, x.astype(np.float32))).astype(np.float32)
        near = np.abs(found - exact) <= np.abs(right - exact) + (emitter.error + 1) * np.spacing(size)
    wrong = ~(same | near)
    label = f"{_plain(emitter.name)} of {name}"
    first = float(x[wrong][0]) if wrong.any() else 0.0
    report.add(label, *(() if not wrong.any() else ("failed", f"{wrong.sum()} of 65536 results are not rounded, the first at {first}")))
