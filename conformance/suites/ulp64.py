"""Suite ``ulp64``: float64 on a Neuron device, operations bit for bit against NumPy's on the host, functions in units in the last place."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import trnarray as xp

from ...backends.device import Device
from ...backends.settings import config
from ..references.float64_pairs import pairs
from ..report import Report
from ..suite import SuiteError

__all__ = ["add_arguments", "run"]

Array = NDArray[Any]
_CHUNK: Final = 1 << 17
_OF_TWO: Final = (
    "add", "subtract", "multiply", "divide", "fmod", "remainder", "floor_divide", "equal", "not_equal", "less", "less_equal", "greater",
    "greater_equal", "copysign", "nextafter",
)  # fmt: skip
_OF_ONE: Final = (
    "sqrt", "square", "reciprocal", "floor", "ceil", "trunc", "rint", "sign", "absolute", "negative", "isnan", "isinf", "isfinite",
    "signbit", "spacing",
)  # fmt: skip
_CASTS: Final = ("float32", "float16")
_INTEGERS: Final = ("int32", "int64", "uint64")
_LONG: Final[Mapping[str, tuple[int, tuple[float, float], float]]] = {
    **dict.fromkeys(("sin", "cos", "tan"), (1, (-np.inf, np.inf), 0.7)),
    **dict.fromkeys(("arctan", "arcsinh", "cbrt", "tanh"), (1, (-np.inf, np.inf), 0.52)),
    **dict.fromkeys(("expm1", "sinh", "cosh"), (1, (-745.2, 709.8), 0.52)),
    **dict.fromkeys(("log", "log2", "log10"), (1, (0.0, np.inf), 0.8)),
    **dict.fromkeys(("arcsin", "arccos", "arctanh"), (1, (-1.0, 1.0), 0.52)),
    "exp": (1, (-746.0, 710.0), 0.57),
    "exp2": (1, (-1076.0, 1025.0), 0.57),
    "log1p": (1, (-1.0, np.inf), 0.52),
    "arccosh": (1, (1.0, np.inf), 0.52),
    "arctan2": (2, (-np.inf, np.inf), 0.52),
    "hypot": (2, (-np.inf, np.inf), 0.52),
    "power": (2, (0.0, np.inf), 0.6),
}
"""Functions by how many operands they have, between which numbers the first lies, and how many units in the last place they may be off."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--function", metavar="PATTERN", action="append", help="functions to check, as 'f*'; may be repeated")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="another seed gives other numbers (default 0)")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Check all functions, on as many pairs each."""
    if device.kind == "cpu":
        raise SuiteError("the suite compares a Neuron device with the host; name one, as in --device sim:trn2")
    patterns = options.function or ["*"]
    checks: dict[str, Callable[[Array, Array], str]] = {name: _bits(name, 2, device) for name in _OF_TWO}
    checks |= {name: _bits(name, 1, device) for name in _OF_ONE}
    checks |= {f"cast to {name}": _cast(name, device) for name in _CASTS}
    checks |= {f"cast to {name}": _to_integers(name, device) for name in _INTEGERS}
    checks |= {f"cast from {name}": _from(name, device) for name in (*_CASTS, *_INTEGERS)}
    checks |= {name: _against_long(name, device) for name in _LONG}
    chosen = {name: check for name, check in checks.items() if any(fnmatchcase(name, pattern) for pattern in patterns)}
    if not chosen:
        raise SuiteError(f"no function is named {' or '.join(patterns)}; they are {', '.join(checks)}")
    with np.errstate(all="ignore"), config(fallback="error"):
        for name, check in chosen.items():
            start, problem, done = time.perf_counter(), "", 0
            while done < options.max_examples and not problem:
                count = min(_CHUNK, options.max_examples - done)
                given = pairs(count, options.seed + done)
                problem = check(*(map(_usual, given) if done // _CHUNK % 2 else given))
                done += count
            report.add(name, "failed" if problem else "passed", problem)
            report.figures[name] = {"pairs": done, "seconds": round(time.perf_counter() - start, 1)}


def _usual(x: Array) -> Array:
    """Bring numbers into the middle of the range, for tiles without any that devices compute in another way."""
    return np.where(np.isfinite(x) & (x != 0), np.ldexp(np.frexp(x)[0], np.frexp(x)[1] % 400 - 200), 1.5)


def _on(device: Device, x: Array) -> Any:
    return xp.asarray(x, device=str(device))


def _fetched(x: Any) -> Array:
    return np.asarray(x.to_device("cpu"))


def _wrong(found: Array, wanted: Array, *operands: Array) -> str:
    """Compare bits; NaN is NaN."""
    wrong = found != wanted
    if wanted.dtype.kind == "f":
        kind = f"u{wanted.dtype.itemsize}"
        wrong = (found.view(kind) != wanted.view(kind)) & ~(np.isnan(found) & np.isnan(wanted))
    places = np.flatnonzero(wrong)
    if not places.size:
        return ""
    given = ", ".join(float(operand[places[0]]).hex() for operand in operands)
    return f"{places.size} of {wrong.size}: of {given} it gives {found[places[0]]!r}, and NumPy {wanted[places[0]]!r}"


def _bits(name: str, arity: int, device: Device) -> Callable[[Array, Array], str]:
    function = getattr(np, name)

    def check(*operands: Array) -> str:
        taken = operands[:arity]
        return _wrong(_fetched(function(*(_on(device, x) for x in taken))), function(*taken), *taken)

    return check


def _cast(dtype: str, device: Device) -> Callable[[Array, Array], str]:
    def check(x: Array, y: Array) -> str:
        near = np.where(np.isfinite(x), np.ldexp(np.frexp(x)[0], np.frexp(y)[1] % 300 - 160), x)  # around the range of the dtype
        return _wrong(_fetched(_on(device, near).astype(dtype)), near.astype(dtype), near)

    return check


def _to_integers(dtype: str, device: Device) -> Callable[[Array, Array], str]:
    """Cast numbers that are within the range when their fractions are cut off."""
    limits = np.iinfo(dtype)

    def check(x: Array, y: Array) -> str:
        inside = np.where(np.isfinite(x), np.ldexp(np.frexp(x)[0], np.frexp(y)[1] % (limits.bits + 4) - 2), 0.0)
        inside = np.where((inside > limits.min - 0.5) & (inside < float(limits.max)), inside, 1.0)
        return _wrong(_fetched(_on(device, inside).astype(dtype)), inside.astype(dtype), inside)

    return check


def _from(dtype: str, device: Device) -> Callable[[Array, Array], str]:
    """Cast all bits of a dtype, of integers with as many leading zeros as there are."""

    def check(x: Array, y: Array) -> str:
        words = x.view(np.uint64)
        if np.dtype(dtype).kind != "f":
            words = words >> (y.view(np.uint64) % np.uint64(64))
        narrow = words.astype(f"u{np.dtype(dtype).itemsize}").view(dtype)
        return _wrong(_fetched(_on(device, narrow).astype(np.float64)), narrow.astype(np.float64), narrow)

    return check


def _against_long(name: str, device: Device) -> Callable[[Array, Array], str]:
    """Compare with the host's extended precision, which is to have 64 bits at least."""
    arity, (low, high), bound = _LONG[name]

    def check(x: Array, y: Array) -> str:
        if np.finfo(np.longdouble).nmant < np.finfo(np.float64).nmant + 11:
            raise SuiteError("this computer has no floats of more bits than float64 to compare with")
        rng = np.random.default_rng(int(np.sum(y.view(np.uint64) % np.uint64(997))))
        least, most = max(low, -4.0), min(high, 4.0)
        numbers = np.where((x > low) & (x < high) & (rng.random(x.size) < 0.5), x, rng.uniform(least, most, x.size))
        operands = [numbers, y][:arity]
        if name == "power":  # whose results are within the range
            operands[1] = rng.uniform(-1, 1, x.size) * 1022 / np.maximum(np.abs(np.log2(numbers)), 1e-3)
        exact = getattr(np, name)(*(operand.astype(np.longdouble) for operand in operands))
        found = _fetched(getattr(np, name)(*(_on(device, operand) for operand in operands)))
        unit = np.spacing(np.abs(exact.astype(np.float64))).astype(np.longdouble)
        wrong = np.isfinite(unit) & ~(np.abs(found - exact) <= bound * unit)
        places = np.flatnonzero(wrong)
        if not places.size:
            return ""
        given = ", ".join(float(operand[places[0]]).hex() for operand in operands)
        return f"{places.size} of {wrong.size}: of {given} it gives {found[places[0]]!r}, off by more than {bound} units in the last place"

    return check
