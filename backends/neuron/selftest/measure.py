"""Finding out how a device computes: data for the probes, and what their results mean."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ...counter_based.functions import FUNCTIONS, constants
from ...dtypes import BFLOAT16
from ..kernels.sbuf import PARTITIONS
from ..launch.launcher import Launcher, LaunchError
from . import probes
from .facts import Denormals, Facts, Order

__all__ = ["ALL", "DOUBLES", "INTEGERS", "SLICES", "measure"]

_Array = npt.NDArray[Any]
_Run = Callable[..., list[_Array]]
_Found = dict[str, Any]
_Probe = Callable[[_Run], _Found]
# 2**w, 1 and -2**w in each arrangement, for these w.
_WIDTHS: Final = range(8, 29)
_PLACES: Final = (0, 64, 127)
# Rows of the file kat_vectors of Random123, by its authors: counter, key, words.
_ANSWERS: Final = {
    "Philox4x32": (
        (0, 0, 0, 0, 0, 0, 0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8),
        (*(0xFFFFFFFF,) * 6, 0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
        (
            *(0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0),
            *(0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ),
    "Threefry2x32": (
        (0, 0, 0, 0, 0x6B200159, 0x99BA4EFE),
        (*(0xFFFFFFFF,) * 4, 0x1CB996FC, 0xBB002BE7),
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xC4923A9C, 0x483DF7A0),
    ),
}
_WIDTH: Final = 256  # of tiles of float64 that are computed as long ones
_HUGE: Final = 2.0**119  # beyond the range of the Scalar Engine's square root


def measure(launcher: Launcher, some: Sequence[_Probe] | None = None) -> Facts:
    """Run probes on a device."""

    def run(kernel: Any, *arrays: _Array) -> list[_Array]:
        return list(launcher.call(kernel, arrays))

    found: _Found = {}
    missing: dict[str, str] = {}
    for probe in ALL if some is None else some:
        try:
            found.update(probe(run))
        except LaunchError as error:
            missing[probe.__name__.strip("_")] = str(error).partition("\n")[0]
    return Facts(**found, missing=missing)


def _float32(values: list[list[float]]) -> npt.NDArray[np.float32]:
    return np.array(values, np.float32)


def _float32_products(run: _Run) -> _Found:
    rng = np.random.default_rng(1)
    left, right = (1 + rng.integers(0, 1 << 23, (1, 64)) * 2.0**-23 for _ in range(2))
    left[0, 0] = right[0, 0] = 1 + (2**12 - 1) * 2.0**-23  # whose low halves are as large as can be
    (got,) = run(probes.products, left.astype(np.float32), right.astype(np.float32))
    exact = left.T * right  # of 48 bits, which float64 has
    if np.array_equal(got, exact.astype(np.float32)):
        return {"pe_product": "exact", "pe_product_bits": 24}
    error = float(np.max(np.abs(got - exact) / exact))
    halves = [(_high(values), values - _high(values)) for values in (left.T, right)]
    (high, low), (other, rest) = halves
    split = (((high * other).astype(np.float32) + (high * rest).astype(np.float32)) + (low * other).astype(np.float32)).astype(np.float32)
    bits = max(0, math.floor(-math.log2(error))) if error < math.inf else 0
    return {"pe_product": "split21" if np.array_equal(got, split) else "other", "pe_product_bits": bits}


def _high(values: _Array) -> npt.NDArray[np.float64]:
    """Truncate numbers in [1, 2) to 12 bits."""
    return np.asarray(np.floor(values * 2.0**11) * 2.0**-11)


def _narrow_products(run: _Run) -> _Found:
    rng, found = np.random.default_rng(2), {}
    for name, dtype, bits in (("bfloat16", BFLOAT16, 8), ("float16", np.dtype(np.float16), 11)):
        left, right = (rng.integers(1 << (bits - 1), 1 << bits, (1, 64)).astype(np.float64) for _ in range(2))
        (got,) = run(probes.products, left.astype(dtype), right.astype(dtype))
        found[f"pe_{name}_products"] = bool(np.array_equal(got, left.T * right))
    return found


def _integer_sums(run: _Run) -> _Found:
    rng = np.random.default_rng(3)
    left, right = (rng.integers(-255, 256, (128, 64)).astype(np.float64) for _ in range(2))
    left[:, 0] = right[:, 0] = 255
    right[:, 1] = -255
    sums, whole = run(probes.whole_sums, left.astype(BFLOAT16), right.astype(BFLOAT16))
    exact = left.T @ right
    return {"pe_integer_sums": bool(np.array_equal(sums, exact)), "act_integers": bool(np.array_equal(whole, exact))}


def _not_finite(run: _Run) -> _Found:
    """Infinity and NaN among the terms, with 0, 1 and opposite infinities."""
    inf, nan = np.inf, np.nan
    left, right = _float32([[inf, inf, -inf, nan, 1, 0], [1, -inf, 1, 1, 1, inf]]), _float32([[1, 0, -1, inf], [1, 1, 1, 1]])
    (got,) = run(probes.products, left.astype(BFLOAT16), right.astype(BFLOAT16))
    with np.errstate(invalid="ignore"):
        expected = (left[:, :, None] * right[:, None]).sum(0)
    return {"pe_not_finite": bool(np.array_equal(got, expected, equal_nan=True))}


def _cancelling() -> npt.NDArray[np.float32]:
    """Columns with three terms each that add up to 1 if none is lost: of widths, and of arrangements within a width."""
    columns = np.zeros((len(_WIDTHS), 6, 3), np.float32)
    for row, width in enumerate(_WIDTHS):
        columns[row] = list(itertools.permutations((2.0**width, 1.0, -(2.0**width))))
    return columns.reshape(-1, 3)


def _bits(sums: _Array) -> int:
    """Find the first width of which an arrangement lost the 1."""
    good = (sums.reshape(len(_WIDTHS), 6) == 1).all(axis=1)
    return _WIDTHS[int(np.argmin(good))] if not good.all() else _WIDTHS[-1] + 1


def _accumulators(run: _Run) -> _Found:
    terms = _cancelling()
    spread = np.zeros((len(terms), 128), np.float32)
    spread[:, _PLACES] = terms
    (column,) = run(probes.products, np.ascontiguousarray(spread.T), np.ones((128, 1), np.float32))
    (chain,) = run(probes.chained, np.ascontiguousarray(terms.T)[None], np.ones((1, 1), np.float32))
    (row,) = run(probes.sums, spread)
    return {"pe_accumulator_bits": _bits(column), "psum_accumulator_bits": _bits(chain), "dve_accumulator_bits": _bits(row)}


def _orders(run: _Run) -> _Found:
    rng = np.random.default_rng(4)
    values = rng.standard_normal((64, 128)) * np.exp2(rng.integers(-8, 9, (64, 128)))
    terms = values.astype(BFLOAT16).astype(np.float32)  # whose products with 1 are exact however they are made
    expected = np.add.accumulate(terms, axis=1, dtype=np.float32)[:, -1:]

    def order(got: _Array) -> Order:
        return "sequential" if np.array_equal(got, expected) else "other"

    (column,) = run(probes.products, np.ascontiguousarray(terms.T), np.ones((128, 1), np.float32))
    (row,) = run(probes.sums, terms)
    return {"pe_order": order(column), "dve_order": order(row)}


def _two_operators(run: _Run) -> _Found:
    x = _float32([[probes.ONE_AND_A_BIT]])
    got = run(probes.two_operators, x, _float32([[-(1 + 2.0**-11)]]))
    readings = {0.0: "rounded", 2.0**-24: "fused"}
    names = ("tensor_scalar", "scalar_tensor_tensor", "activation")
    return {f"two_op_{name}": readings.get(float(result[0, 0]), "other") for name, result in zip(names, got, strict=True)}


def _denormals(run: _Run) -> _Found:
    x, y = _float32([[2.0**-130], [2.0**-100]]), _float32([[2.0**20], [2.0**-30]])  # a denormal operand, a denormal result

    def reading(operand: Any, result: Any) -> Denormals:
        kept = operand == np.float32(2.0**-110), result == np.float32(2.0**-130)
        readings: dict[tuple[bool, bool], Denormals] = {(True, True): "keep", (False, False): "flush", (True, False): "flush results"}
        return readings.get((bool(kept[0]), bool(kept[1])), "flush operands")

    (square,) = run(probes.products, np.ascontiguousarray(x.T), np.ascontiguousarray(y.T))
    found = {"denormals_pe": reading(square[0, 0], square[1, 1])}
    for engine, got in zip(("dve", "pool", "act"), run(probes.scaled, x, y), strict=True):
        found[f"denormals_{engine}"] = reading(got[0, 0], got[1, 0])
    return found


def _casts(run: _Run) -> _Found:
    halves = [1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-8 + 2.0**-20, 1 + 2.0**-11, 1 + 3 * 2.0**-11, 0.5, 1.5, 2.5, 3.25, 3.75]
    x = _float32([halves + [-value for value in halves]])
    *narrow, rest = run(probes.casts, x)
    *clipped, _ = run(probes.casts, large := _float32([[3e9, -3e9, 40000, -40000, 300, -300, -5]]))
    rounds = all(_same(got, x, name) for name, got in zip(probes.CASTS, narrow, strict=True))
    saturates = all(_same(got, large, name) for name, got in zip(probes.CASTS, clipped, strict=True) if "int" in name)
    remainder = x - x.astype(BFLOAT16).astype(np.float32)
    return {
        "cast_rounding": "nearest-even" if rounds else "other",
        "cast_overflow": "saturate" if saturates else "other",
        "cast_remainder": bool(np.array_equal(rest, remainder)),
    }


def _same(got: _Array, x: npt.NDArray[np.float32], name: str) -> bool:
    """Compare a cast with one to the nearest, ties to even, within the range of integers."""
    if "float" in name:
        return bool(np.array_equal(got, x.astype(BFLOAT16 if name == "bfloat16" else np.float16)))
    limits = np.iinfo(name)
    return bool(np.array_equal(got.astype(np.float64), np.clip(np.rint(x.astype(np.float64)), limits.min, limits.max)))


def _integers(run: _Run) -> _Found:
    """Probe integers on GpSimd and the Vector Engine."""
    rng = np.random.default_rng(5)
    top, bottom = 2**31 - 1, -(2**31)
    x = np.concatenate([[top, bottom, 1 << 16, 2**24 + 1, 46337], rng.integers(-(2**28), 2**28, 40)])
    y = np.concatenate([[1, -1, 1 << 16, 2, 46337], rng.integers(-7, 8, 40)])
    results = run(probes.integers, *(v.astype(np.int32)[:, None] for v in (x, y)))
    added, multiplied, _, xored, copied, left, right = (result[:, 0] for result in results)
    wraps = added[0] == bottom and added[1] == top and multiplied[2] == 0
    saturates = added[0] == top and added[1] == bottom and multiplied[2] == top
    exact = np.array_equal(added[3:], x[3:] + y[3:]) and np.array_equal(multiplied[3:], x[3:] * y[3:])
    powers = np.arange(4, 31)
    sums = run(probes.integers, (2**powers).astype(np.int32)[:, None], np.ones((len(powers), 1), np.int32))[2][:, 0]
    good = sums == 2**powers + 1
    return {
        "gpsimd_overflow": "wrap" if wraps else "saturate" if saturates else "other",
        "gpsimd_integers": bool(exact),
        "dve_integer_bits": int(powers[np.argmin(good)] if not good.all() else powers[-1] + 1),
        "dve_bits": all(
            np.array_equal(got.view(np.uint32), want.astype(np.int32).view(np.uint32))
            for got, want in ((xored, x ^ y), (copied, x), (left, x << 5), (right, (x & 0xFFFFFFFF) >> 9))
        ),
    }


def _random_words(run: _Run) -> _Found:
    """Probe the kernels of counter-based random numbers by published words."""
    given, wanted = [], []
    for name, rows in _ANSWERS.items():
        function = FUNCTIONS[name]
        calls = [(row[: function.words], row[function.words : function.words + function.key_words]) for row in rows]
        counters = [sum(word << 32 * place for place, word in enumerate(words)) for words, _ in calls]
        table = [constants(function, key, counter) for counter, (_, key) in zip(counters, calls, strict=True)]
        given.append(np.array([table[row % len(table)] for row in range(PARTITIONS)], np.uint32))
        wanted.append(np.array([row[-function.words :] for row in rows], np.uint32))
    found = run(probes.random_words, *given)
    return {"random_words": all(np.array_equal(got[: len(want)], want) for got, want in zip(found, wanted, strict=True))}


def _doubles(run: _Run) -> _Found:
    """Probe the kernels of float64: products of usual numbers, then of some that are not, and exponentials."""
    rng = np.random.default_rng(6)
    x, y = rng.uniform(-40, 40, (2, 2, _WIDTH))
    results: list[Any] = []
    for special in ((), (np.inf, 2.0**-1040, -0.0)):
        x[1, : len(special)] = special
        given = [word for number in (x, y) for word in (number.view(np.uint64) >> 32, number.view(np.uint64) & 0xFFFFFFFF)]
        words = [word.astype(np.uint64) for word in run(probes.doubles, *(word.astype(np.uint32) for word in given))]
        product, exponential = ((high << 32 | low).view(np.float64) for high, low in (words[:2], words[2:]))
        results.append(np.array_equal((x * y).view(np.uint64), product.view(np.uint64)))
        with np.errstate(all="ignore"):
            exact = np.exp(x)
            results.append(np.all((exponential == exact) | (np.abs(exponential - exact) <= 2 * np.spacing(exact))))
    return {"doubles": bool(np.all(results))}


def _out_of_range(run: _Run) -> _Found:
    (got,) = run(probes.out_of_range, _float32([[_HUGE]]))
    if np.isnan(got[0, 0]):
        return {"act_out_of_range": "nan"}
    near = abs(float(got[0, 0]) / math.sqrt(_HUGE) - 1) < 2.0**-10  # far more than the error of the function
    return {"act_out_of_range": "exact" if near else "other"}


def _duplicates(run: _Run) -> _Found:
    places = np.arange(128, dtype=np.int32)[:, None] % 2
    (got,) = run(probes.duplicates, np.arange(128, dtype=np.float32)[:, None], places)
    return {"dma_duplicates": "last" if got[:, 0].tolist() == [126, 127] else "other"}


def _indirection(run: _Run) -> _Found:
    places = np.concatenate([np.arange(16), np.arange(16, 32)]).astype(np.int32)[:, None]
    (got,) = run(probes.gathered, np.tile(np.arange(64, dtype=np.float32), (32, 1)), places)
    second = got[16:]
    readings = {16.0: "own", 0.0: "first"}
    alike = np.array_equal(second, np.broadcast_to(second[0, 0] + np.arange(16), second.shape))
    return {"indirect_offsets": readings.get(float(second[0, 0]), "other") if alike else "other"}


def _generator(run: _Run) -> _Found:
    blank = np.zeros((1, 4), np.uint32)
    (first,), (second,) = run(probes.unseeded, blank), run(probes.unseeded, blank)
    return {"rng_start": int(first[0, 0]) if np.array_equal(first, second) else None}


def _launches(run: _Run) -> _Found:
    one = np.ones((1, 1), np.float32)
    run(probes.nothing, one)
    times = []
    for _ in range(9):
        start = time.perf_counter()
        run(probes.nothing, one)
        times.append(time.perf_counter() - start)
    return {"launch_seconds": median(times)}


ALL: Final[tuple[_Probe, ...]] = (
    _float32_products,
    _narrow_products,
    _integer_sums,
    _not_finite,
    _accumulators,
    _orders,
    _two_operators,
    _denormals,
    _casts,
    _integers,
    _random_words,
    _doubles,
    _out_of_range,
    _duplicates,
    _indirection,
    _generator,
    _launches,
)
"""What the self-test finds out."""
SLICES: Final[tuple[_Probe, ...]] = (_narrow_products, _integer_sums, _not_finite, _accumulators, _casts, _integers)
"""What exact products of slices rest on."""
INTEGERS: Final[tuple[_Probe, ...]] = (_integers, _random_words)
"""What 32-bit integers and random numbers rest on."""
DOUBLES: Final[tuple[_Probe, ...]] = (_integers, _doubles)
"""What float64 rests on."""
