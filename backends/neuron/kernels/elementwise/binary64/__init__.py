"""
Functions of binary64 numbers, which is what float64 is: IEEE 754's results bit for bit, from integer and float32 arithmetic.

A number is two words of 32 bits, the high one first. A function is an instruction graph (`instruction_graph`), which `scheduling` gives to
the engines; results of two words are two functions of the same operands, ``float64.NAME.high`` and ``float64.NAME.low``, computed at once.
All need the 32-bit integers of GpSimd to wrap.

Notes
-----
`frame` takes numbers apart, normalises, rounds and packs them; `conversions.from_fixed` rounds a fixed-point number of 96 bits, which is
how sums of exact products end. Functions are computed in `fixed_point` and in `extended` numbers, both of 64 bits. *Layout*: elements on
all partitions, words as tiles of their own. *Engines*: bits on the Vector Engine, which bounds most of them, integers modulo 2**32 on
GpSimd, float32 on both, conversions and small integers on the Scalar Engine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from .....isa import nl
from ....function import DtypeLoop, Emitter, Pair
from .comparisons import COMPARISONS, EXTREMES, PREDICATES
from .conversions import from_fixed, from_float32, from_int64, from_uint64, to_float32, to_int64, to_odd_float32
from .error_functions import ERROR_FUNCTIONS
from .exact_sums import aligned, exponent_field, nonfinite, rounded_sum, usual_aligned, usual_nonfinite
from .exponential import EXPONENTIAL_TABLE, exp, exp2
from .exponentials import EXPONENTIALS
from .gamma import gamma, log_gamma_slope, scaled_gamma
from .integral import INTEGRAL
from .inverse_trigonometric import INVERSE_TRIGONOMETRIC, arctan2
from .logarithm import LOGARITHM_TABLE, TABLED_LOGARITHMS
from .logarithms import LOGARITHMS
from .powers import power
from .products import multiply, square, usual_multiply, usual_square
from .quotients import divide, reciprocal, sqrt, usual_divide, usual_reciprocal, usual_sqrt
from .remainder import emit_fmod
from .roots import cbrt, hypot
from .scaling import frexp, ldexp
from .scheduling import Function, one_of_two
from .sums import add, subtract, usual_add, usual_subtract
from .trigonometric import PAYNE_HANEK_TABLE, SINE_TABLE, TRIGONOMETRIC

__all__ = ["BINARY64", "BINARY64_PAIRS"]

_WORD: Final = str(nl.uint32)
_BINARY: Final[Mapping[str, Callable[..., Any]]] = {
    "add": add, "subtract": subtract, "multiply": multiply, "divide": divide, **{n: f for n, f in EXTREMES.items() if n != "sign"},
    "arctan2": arctan2, "hypot": hypot, "power": power,
}  # fmt: skip
_UNARY: Final[Mapping[str, Callable[..., Any]]] = {
    "square": square, "reciprocal": reciprocal, "sqrt": sqrt, "cbrt": cbrt, "sign": EXTREMES["sign"], **INTEGRAL, **EXPONENTIALS,
    **LOGARITHMS, **TRIGONOMETRIC, **INVERSE_TRIGONOMETRIC, **ERROR_FUNCTIONS, "gamma": gamma, "scaled_gamma": scaled_gamma,
    "log_gamma_slope": log_gamma_slope, "exp": exp, "exp2": exp2, **TABLED_LOGARITHMS, "from_int64": from_int64,
    "from_uint64": from_uint64, "to_int64": to_int64,
}  # fmt: skip
_FUNCTIONS: Final[Sequence[tuple[str, int, str, Callable[..., Any], tuple[str, ...]]]] = (
    *((name, 4, _WORD, build, (_WORD, _WORD)) for name, build in _BINARY.items()),
    *((name, 2, _WORD, build, (_WORD, _WORD)) for name, build in _UNARY.items()),
    *((name, 4, _WORD, build, (str(nl.uint8),)) for name, build in COMPARISONS.items()),
    *((name, 2, _WORD, build, (str(nl.uint8),)) for name, build in PREDICATES.items()),
    ("to_float32", 2, _WORD, to_float32, (str(nl.float32),)),
    ("to_odd_float32", 2, _WORD, to_odd_float32, (str(nl.float32),)),
    ("from_float32", 1, str(nl.float32), from_float32, (_WORD, _WORD)),
    ("from_fixed", 4, _WORD, from_fixed, (_WORD, _WORD)),
    ("exponent_field", 2, _WORD, exponent_field, (str(nl.float32),)),
    ("nonfinite", 2, _WORD, nonfinite, (str(nl.float32),)),
    ("aligned", 3, _WORD, aligned, (_WORD, _WORD, _WORD)),
    ("rounded_sum", 9, _WORD, rounded_sum, (_WORD, _WORD)),
    ("ldexp", 3, _WORD, ldexp, (_WORD, _WORD)),
    ("frexp", 2, _WORD, frexp, (_WORD, _WORD, _WORD)),
)
_TABLES: Final = {
    "exp": (EXPONENTIAL_TABLE,), "exp2": (EXPONENTIAL_TABLE,), "gamma": (SINE_TABLE,),
    **dict.fromkeys(TABLED_LOGARITHMS, (LOGARITHM_TABLE,)),
    **dict.fromkeys(TRIGONOMETRIC, (PAYNE_HANEK_TABLE, SINE_TABLE)),
}  # fmt: skip
_USUAL: Final[Mapping[str, Callable[..., Any]]] = {
    "add": usual_add, "subtract": usual_subtract, "multiply": usual_multiply, "square": usual_square, "divide": usual_divide,
    "reciprocal": usual_reciprocal, "sqrt": usual_sqrt, "nonfinite": usual_nonfinite, "aligned": usual_aligned,
}  # fmt: skip
"""Without infinities, NaN, subnormal numbers where they take time, results among them, and small numbers in sums."""
_PARTS: Final = ("high", "low", "exponent")


def _declared() -> tuple[tuple[Emitter, ...], tuple[Pair, ...]]:
    emitters, pairs = [], []
    for name, arity, dtype, build, results in _FUNCTIONS:
        function = Function(build, (dtype,) * arity, results, _TABLES.get(name, ()), _USUAL.get(name))
        parts = [f".{part}" for part in _PARTS[: len(results)]] if len(results) > 1 else [""]
        names = [f"float64.{name}{part}" for part in parts]
        for number, full in enumerate(names):
            emitters.append(Emitter(full, arity, {dtype: function.loop(number)}, math.inf, needs_wrapping=True))
        if len(results) > 1:
            together = len(results) if name == "aligned" else 2  # others' exponents are wanted alone, too
            pairs.append(Pair(f"float64.{name}", tuple(names[:together]), {dtype: function.declared(*range(together))}))
    names = ["float64.fmod.high", "float64.fmod.low"]
    for place, name in enumerate(names):
        emitters.append(Emitter(name, 4, {_WORD: DtypeLoop(one_of_two(emit_fmod, place), _WORD)}, math.inf, needs_wrapping=True))
    pairs.append(Pair("float64.fmod", (names[0], names[1]), {_WORD: DtypeLoop(emit_fmod, _WORD)}))
    return tuple(emitters), tuple(pairs)


_DECLARED: Final = _declared()
BINARY64: Final = _DECLARED[0]
BINARY64_PAIRS: Final = _DECLARED[1]
