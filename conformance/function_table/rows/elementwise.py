"""Rows of the elementwise functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from .. import template as t
from ..row import COMPLEX, CORRECT, EXACT, PLAIN, REAL, WITH_ZERO, Row, Tolerance, rows

__all__ = ["ROWS"]

_LOOPS = Tolerance(4, "NumPy's own loops differ by so much from one processor to the next")
_LOGARITHMS = Tolerance(8, "a logarithm is added to an operand, and may cancel it", "absolute")
_COMPLEX_PARTS = Tolerance(4, "a product of complex numbers is a sum of two rounded products, in either order")
_UNARY = t.call_into(t.array(*t.ANY))
_BINARY = t.call_into(t.array(*t.ANY), t.partner(*t.ANY))
_SHIFT = t.call_into(t.array(*t.ANY), t.computed(lambda sketch: sketch.operand(sketch.shape or (), ("index",), None, (0, 70))))
_MASKED = t.call(t.array(*t.ANY, dims=(1, 3)), t.other(*t.ANY), where=t.always(t.other(dtype=np.bool)), out=t.always(t.other("small")))


def _steps(x: Any, **kwargs: Any) -> Any:
    """Bound a running sum of what elements differ by from one to the next."""
    del kwargs
    return np.full(np.shape(x), x.size * np.abs(1.0 * x).max(initial=0))


def _one(x: Any) -> Any:
    return np.ones(np.shape(x))


def _growth(x: Any) -> Any:
    """Bound the sine of pi times a complex number of that absolute value."""
    return np.exp(np.pi * np.minimum(x, 200.0))


_SINE: Final = Tolerance(16, "the sine of a rounded multiple of pi, divided by it", _one)


def _both(names: str, calls: st.SearchStrategy[t.Call], **options: Any) -> tuple[Row, ...]:
    """Make rows that are exact for real dtypes, and nearly so for complex ones."""
    return rows(names, calls, CORRECT, dtypes=REAL, **options) + rows(names, calls, _COMPLEX_PARTS, dtypes=COMPLEX, **options)


def _floor_divide(x1: Any, x2: Any, **kwargs: Any) -> Any:
    quotient = np.floor_divide(x1, x2, **kwargs)
    if quotient.dtype.kind != "f":
        return quotient
    infinite = np.isinf(x1) | np.isinf(x2)
    return np.where(infinite, np.floor(np.divide(x1, x2)), quotient).astype(quotient.dtype)[()]


def _of_complex(name: str, compute: Callable[[Any, Any, Any], Any]) -> Callable[..., Any]:
    """Compute complex numbers as NumPy may on another CPU, or more accurately, from operands and NumPy's result."""
    function = getattr(np, name)

    def run(x1: Any, x2: Any, **kwargs: Any) -> Any:
        found = function(x1, x2, **kwargs)
        if found.dtype.kind != "c":
            return found
        made = compute(np.asarray(x1), np.asarray(x2), found).astype(found.dtype)
        if not kwargs:
            return made if isinstance(made, np.ma.MaskedArray) else made[()]
        np.copyto(found, made, where=kwargs.get("where", True))
        return found

    return run


def _product(x: Any, y: Any, found: Any) -> Any:
    """Round each product: NumPy's loops fuse some on some CPUs, so that other sums overflow."""
    x, y, made = x.astype(found.dtype), y.astype(found.dtype), np.empty_like(found)
    made.real, made.imag = x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real
    return made


def _quotient(x: Any, y: Any, found: Any) -> Any:
    """Divide what is scaled where it is huge: NumPy's reciprocal is subnormal there."""
    x, y = x.astype(found.dtype), y.astype(found.dtype)
    largest = np.maximum.reduce(np.broadcast_arrays(*[np.abs(part) for item in (x, y) for part in (item.real, item.imag)]))
    return np.where(np.isfinite(largest) & (largest > 2.0**125), np.divide(x * 0.0625, y * 0.0625), found)


def _power(x: Any, y: Any, found: Any) -> Any:
    """Compute in double precision where the logarithm of the power has digits; to exponents that are not finite it is NaN."""
    x, y = x.astype(np.complex128), y.astype(np.complex128)
    made = np.where(np.isfinite(y), np.power(x, y), complex(np.nan, np.nan))
    return np.ma.MaskedArray(np.where(x == 0, found, made), np.isfinite(y) & (x != 0) & (np.abs(y * np.log(x)) >= 2.0**7))


def _sign(x: Any) -> Any:
    """Take the sign as numerals know it: of a complex number scaled so that its absolute value neither over- nor underflows."""
    if x.dtype.kind != "c":
        return np.sign(x)
    size = np.maximum(np.abs(x.real), np.abs(x.imag))
    usual = (size > 0) & np.isfinite(size)
    exponent = np.frexp(np.where(usual, size, 1))[1]
    scaled = np.empty_like(x)
    scaled.real, scaled.imag = np.ldexp(x.real, -exponent), np.ldexp(x.imag, -exponent)
    return np.where(usual, scaled / np.abs(scaled), np.sign(x)).astype(x.dtype)[()]


def _tan(x: Any, **kwargs: Any) -> Any:
    """Round exact tangents once."""
    return np.tan(x.astype(np.complex128), **kwargs).astype(x.dtype)


def _more_accurate(name: str) -> tuple[Row, ...]:
    """Make the rows of a complex function that is more accurate than NumPy's, which is the reference in twice the precision, or near 1."""
    function = getattr(np, name)
    calls = t.call(t.array("finite", "positive", "unit"))

    def at_least_1(x: Any) -> Any:
        return np.maximum(np.abs(function(x)), 1)

    difference = "special values are the standard's, and no digits cancel; both are tested against exact values elsewhere"
    single, double = (tuple(dtype for dtype in COMPLEX if dtype.itemsize == size) for size in (8, 16))
    return (
        Row(
            name, calls, Tolerance(8, "the part of a complex function that is large decides what is lost in the other"), single,
            reference=lambda x: function(x.astype(np.complex128)).astype(np.complex64), difference=difference,
        ),
        Row(
            name, calls, Tolerance(8, "NumPy's digits cancel where the result is far below 1", at_least_1), double,
            difference=difference,
        ),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    *_both("absolute abs negative positive square reciprocal sqrt", _UNARY),
    *rows("fabs conj conjugate ceil floor trunc rint invert bitwise_invert bitwise_not bitwise_count modf frexp", _UNARY, CORRECT),
    *rows("isfinite isinf isnan isnat signbit logical_not", _UNARY),
    *rows("spacing", _UNARY, CORRECT, dtypes=PLAIN),
    *rows(
        "cbrt exp exp2 log log2 log10 sin cos arcsin asin arccos acos arctan atan sinh cosh arcsinh asinh arctanh atanh", _UNARY, _LOOPS
    ),
    *rows("tan", _UNARY, _LOOPS, dtypes=(*REAL, np.dtype(np.complex128))),
    Row(
        "tan", _UNARY, Tolerance(8, "a quotient of products of functions of both parts"), (np.dtype(np.complex64),),
        reference=_tan, difference="held against complex128: NumPy's own loop of complex64 is as far from exact values",
    ),
    *rows("degrees radians deg2rad rad2deg", _UNARY, _LOOPS),
    *rows("arccosh acosh expm1 log1p tanh", _UNARY, _LOOPS, dtypes=REAL),
    *(row for name in ("arccosh", "acosh", "expm1", "log1p", "tanh") for row in _more_accurate(name)),
    *rows("sign", _UNARY, dtypes=REAL),
    *rows("sign", t.call(t.array(*t.ANY)), _LOOPS, dtypes=COMPLEX, reference=_sign, difference="right also where abs(x) overflows"),
    *_both("add subtract", _BINARY),
    *_both("multiply", _BINARY, alternative=_of_complex("multiply", _product)),
    *_both("divide true_divide", _BINARY, alternative=_of_complex("divide", _quotient)),
    *rows("add maximum arctan2 less logical_and", _MASKED, _LOOPS),
    *rows("multiply", _MASKED, _LOOPS, alternative=_of_complex("multiply", _product)),
    *rows("remainder mod fmod divmod maximum minimum fmax fmin copysign heaviside", _BINARY, CORRECT),
    *rows("gcd lcm bitwise_and bitwise_or bitwise_xor", _BINARY),
    *rows("equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor", _BINARY),
    *rows("left_shift bitwise_left_shift right_shift bitwise_right_shift", _SHIFT),
    *rows("nextafter", _BINARY, dtypes=PLAIN),
    *rows("logaddexp logaddexp2", _BINARY, _LOGARITHMS),
    *rows("hypot arctan2 atan2", _BINARY, _LOOPS),
    *rows("power pow", _BINARY, _LOOPS, alternative=_of_complex("power", _power)),
    *rows("float_power", _BINARY, _LOOPS, alternative=_of_complex("float_power", _power)),
    *rows(
        "floor_divide",
        t.call(t.array(*t.ANY), t.partner(*t.ANY)),
        CORRECT,
        reference=_floor_divide,
        difference="an infinite operand gives floor(x1 / x2)",
    ),
    *rows(
        "ldexp",
        t.call(t.array(*t.ANY), t.computed(lambda sketch: sketch.operand(sketch.shape or (), ("index",), np.int32, (-9, 9)))),
        CORRECT,
    ),
    *rows("clip", t.call(t.array(*t.ANY), t.partner(*t.ANY, same=True), t.partner(*t.ANY, same=True))),
    *rows("clip", t.call(t.array(*t.ANY), min=t.partner(*t.ANY, same=True), max=t.partner(*t.ANY, same=True))),
    *rows("imag", t.call(t.array(*t.ANY)), dtypes=WITH_ZERO),
    *rows("real iscomplex isreal isposinf isneginf", t.call(t.array(*t.ANY)), EXACT),
    *rows("angle", t.call(t.array(*t.ANY), deg=t.flag()), _LOOPS),
    *rows(
        "nan_to_num", t.call(t.array(*t.ANY), nan=t.choice(0.0, 1.0), posinf=t.choice(2.0), neginf=t.choice(-2.0)), CORRECT, dtypes=PLAIN
    ),
    *rows("real_if_close", t.call(t.array(*t.ANY)), EXACT),
    *rows(
        "round around",
        t.call(t.array("finite"), decimals=t.integers(-1, 2)),
        Tolerance(4, "a scaled value is rounded and scaled back"),
        dtypes=PLAIN,
    ),
    *rows("round around", t.call(t.array(*t.ANY)), CORRECT),
    *rows("fix", t.call(t.array(*t.ANY)), CORRECT),
    *rows("i0", t.call(t.array("finite")), Tolerance(16, "a polynomial", "norm"), dtypes=WITH_ZERO),
    *rows("sinc", t.call(t.array("finite")), _SINE, dtypes=tuple(dtype for dtype in WITH_ZERO if dtype not in COMPLEX)),
    *rows("sinc", t.call(t.array("finite")), _SINE._replace(scale=_growth), dtypes=COMPLEX),
    *rows("unwrap", t.call(t.array("finite", dims=(1, 3)), axis=t.axis()), Tolerance(64, "a running sum of steps", _steps)),
    *rows("heaviside", t.call(t.array(*t.ANY), t.partner(*t.ANY)), CORRECT),
)
