"""
Functions by the tables of the Scalar Engine, for who asks for them: a cycle there, and a few of the Vector Engine to look at arguments.

What the tables are off by was not published. They are documented for some arguments only; of others, and of infinities and NaN, hardware
may give anything. Where a tile has such arguments, a loop of the device turns once, and computes them as without the setting.
"""

from __future__ import annotations

import math
import struct
from typing import Any, Final

from ....isa import nisa, nl
from ...function import FLOATS, Emit, Emitter, Tile, loops
from .alu import copy, in_dtype, patch, scratch
from .division import DIVISION
from .error_function import ERROR_FUNCTIONS
from .exponential import EXPONENTIALS
from .hyperbolic import HYPERBOLIC
from .inverse_trigonometric import INVERSE_TRIGONOMETRIC
from .log_sum import LOG_SUMS
from .logarithm import LOGARITHMS
from .registers import greatest, turns
from .significand import LARGEST, magnitude_of
from .trigonometric import TRIGONOMETRIC

__all__ = ["ACTIVATION_TABLES"]

_ACCURATE: Final = {
    emitter.name: emitter
    for table in (DIVISION, ERROR_FUNCTIONS, EXPONENTIALS, HYPERBOLIC, INVERSE_TRIGONOMETRIC, LOG_SUMS, LOGARITHMS, TRIGONOMETRIC)
    for emitter in table
}
_DOMAINS: Final[dict[str, tuple[Any, float, float]]] = {
    "exp": (nl.exp, 0.0, LARGEST),
    "log": (nl.log, 2.0**-64, 2.0**64),
    "sin": (nl.sin, 0.0, math.pi),
    "arctan": (nl.arctan, 0.0, math.pi / 2),
    "tanh": (nl.tanh, 0.0, LARGEST),
    "sqrt": (nl.sqrt, 2.0**-116, 2.0**118),
    "reciprocal": (nl.reciprocal, 2.0**-42, 2.0**42),
    "special.erf": (nl.erf, 0.0, LARGEST),
    "special.expit": (nl.sigmoid, 0.0, LARGEST),
}
"""Function of the Scalar Engine, and between which magnitudes it is documented; of log and sqrt, between which positive numbers."""
_POSITIVE: Final = ("log", "sqrt")
_STEP: Final = 256  # between bit patterns that float32 tells apart


def _pattern(number: float, steps: int) -> float:
    """Give the bits of a number, some steps on, as one that float32 holds: a step inside, no argument beyond is rounded to it."""
    (bits,) = struct.unpack("<I", struct.pack("<f", number))
    return float((bits // _STEP + steps) * _STEP)


def _tabled(name: str) -> Emit:
    function, low, high = _DOMAINS[name]
    accurate = _ACCURATE[name].loops["float32"].emit

    def emit(dst: Tile, x: Tile) -> None:
        source = in_dtype(x, nl.float32)
        size = (source if name in _POSITIVE else magnitude_of(source)).view(nl.uint32)
        bounds = [(nl.greater, _pattern(high, -1)), *([(nl.less, _pattern(low, 1))] if low else [])]
        found = scratch(source, nl.float32, len(bounds))
        masks = []
        for column, (op, bound) in enumerate(bounds):
            masks.append(scratch(source, nl.uint8))
            nisa.tensor_scalar_reduce(masks[-1], size, op, bound, nl.maximum, reduce_res=found[:, column : column + 1])
        result = dst if dst.dtype == nl.float32 else scratch(dst, nl.float32)
        nisa.activation(result, function, source)

        def replace(_: Any) -> None:
            right = scratch(source, nl.float32)
            accurate(right, source)
            for mask in masks:
                patch(result, right, mask)

        most = scratch(source, nl.float32, 1)
        nisa.tensor_reduce(most, nl.maximum, found, axis=1)
        nl.fori_loop(0, turns(greatest(most)), replace)
        copy(dst, result)

    return emit


ACTIVATION_TABLES: Final = tuple(Emitter(f"table.{name}", 1, loops(FLOATS, _tabled(name)), math.inf) for name in _DOMAINS)
