"""
Points of Sobol and Halton, made on the device from a few tables that the host computes: in float64, or rounded to float32.

Both sequences are sums over the digits of an index, without carries: a point of index ``i = h m + l`` is that of h m plus that of l, so
that two tables of about the square root of the points give all of them. SciPy's engine keeps the state, and goes on as if it had drawn.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from math import isqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..backends.device import CPU
from ..backends.dtypes import FLOAT32, FLOAT64
from ..creation_functions import asarray
from ..elementwise_functions import bitwise_xor, minimum
from ..joining_functions import stack
from ..manipulation_functions import broadcast_to
from .conversion import Conversion

__all__ = ["NATIVE"]

_BELOW: Final = 1 - 2.0**-24
"""What numbers of float32 are rounded to that would be 1."""


def _sobol(engine: Any, conversion: Conversion, n: int) -> Any:
    """Take the exclusive or of direction numbers over the bits of the Gray code of an index."""
    first, sv, shift = engine.num_generated, engine._sv, engine._shift
    if engine.bits > 32 or first + n > engine.maxn:
        return NotImplemented
    if not first and n & (n - 1):
        warnings.warn("The balance properties of Sobol' points require n to be a power of 2.", UserWarning, stacklevel=5)

    def points(index: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
        code, found = index ^ (index >> 1), np.zeros((len(index), len(sv)), np.uint32)
        for bit in range(engine.bits):
            found ^= np.where((code >> bit & 1)[:, None], sv[:, bit], 0).astype(np.uint32)
        return found

    step = 1 << (isqrt(n).bit_length())
    high = np.arange(first // step, (first + n - 1) // step + 1) * step
    tables = [asarray(table, device=conversion.device) for table in (points(high) ^ shift.astype(np.uint32), points(np.arange(step)))]
    words = bitwise_xor(tables[0][:, None, :], tables[1][None, :, :]).reshape((-1, len(sv)))
    engine._quasi = (points(np.array([first + n - 1]))[0] ^ shift).astype(engine._quasi.dtype)
    engine.num_generated += n
    points = words[first % step : first % step + n].astype(FLOAT32 if conversion.narrow else FLOAT64) * 2.0**-engine.bits
    return minimum(points, _BELOW) if conversion.narrow else points


def _halton(engine: Any, conversion: Conversion, n: int) -> Any:
    """
    Add up the digits of an index in the base of each axis, permuted, behind the point.

    For float64 digits are added one by one, with the roundings of SciPy. Sums in base 2 are exact, and sums for float32 are of
    float64: there the digits of the second table are one number.
    """
    columns = []
    first = engine.num_generated
    for base, permutations in zip(engine.base, engine._permutations, strict=True):
        digits, step = 0, 1
        while step * step < n:
            digits, step = digits + 1, step * base
        low = sum(_digits(np.arange(step), base, permutations, 0, digits), np.zeros(step))
        high = _digits(np.arange(first // step, (first + n - 1) // step + 1), base, permutations, digits, None)
        if conversion.narrow or base == 2:
            high = [np.asarray(sum(high))] if high else []
        points = broadcast_to(asarray(low, device=conversion.device), ((first + n - 1) // step - first // step + 1, step))
        for table in high:
            points = points + asarray(table, device=conversion.device)[:, None]
        points = points.reshape((-1,))[first % step : first % step + n]
        columns.append(points.astype(FLOAT32) if conversion.narrow else points)
    engine.num_generated += n
    return minimum(stack(columns, axis=1), _BELOW) if conversion.narrow else stack(columns, axis=1)


def _digits(index: npt.NDArray[Any], base: int, permutations: Any, begin: int, end: int | None) -> list[npt.NDArray[np.float64]]:
    """Give digits times their weights, from one place on, of which the first is that of the index given; weights are rounded as SciPy's."""
    found, place, weight = list[npt.NDArray[np.float64]](), begin, 1.0
    for _ in range(begin):
        weight /= base
    while (place < len(permutations) if permutations is not None else bool(np.any(index))) if end is None else place < end:
        digit = index % base
        if permutations is not None and place < len(permutations):
            digit = permutations[place][digit]
        weight /= base
        found.append(digit * weight)
        index, place = index // base, place + 1
    return found


def _random(draw: Callable[..., Any]) -> Callable[..., Any]:
    """Make the native form of ``engine.random``; NotImplemented for what SciPy has to do."""

    def random(engine: Any, conversion: Conversion, n: Any = 1, *, workers: Any = 1) -> Any:
        known = all(hasattr(engine, name) for name in ("num_generated", "optimization_method"))
        if not known or engine.optimization_method is not None or not isinstance(n, (int, np.integer)) or n < 1 or type(workers) is not int:
            return NotImplemented
        if conversion.device is CPU:
            return NotImplemented
        return draw(engine, conversion, int(n))

    return random


def _random_base2(engine: Any, conversion: Conversion, m: Any) -> Any:
    total = engine.num_generated + 2**m if isinstance(m, (int, np.integer)) and m >= 0 else 3
    return NotImplemented if total & (total - 1) else NATIVE["scipy.stats.Sobol.random"](engine, conversion, int(2**m))


def _moves(name: str) -> Callable[..., Any]:
    """Make what changes the state of an engine, and has no data."""
    return lambda engine, _, *args, **kwargs: getattr(engine, name)(*args, **kwargs)


NATIVE: Final[Mapping[str, Callable[..., Any]]] = {
    "scipy.stats.Sobol.random": _random(_sobol),
    "scipy.stats.Sobol.random_base2": _random_base2,
    "scipy.stats.Halton.random": _random(_halton),
    **{f"scipy.stats.{kind}.{name}": _moves(name) for kind in ("Sobol", "Halton") for name in ("reset", "fast_forward")},
}
"""Methods of SciPy's objects that have kernels; each gives NotImplemented where SciPy has to draw."""
