"""
Bessel functions of scipy.special: of integer and half-integer orders, modified ones of real orders. Orders are numbers of the host's.

Those of large arguments are integrals of ``exp(-v**2)`` times a root by the trapezoidal rule (NIST Digital Library of Mathematical
Functions, 10.32.8, which is turned to 10.9.10 for functions that oscillate), those near 0 series (N. M. Temme). Orders follow from the
first two by recurrence: upward where that does not lose digits, else downward. Errors are 16 (1 + |order|) u, of the modulus where
functions oscillate, and those of the exponential where they do not scale.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from .distribution_functions import special
from .operands import floats, leave_unless, xp

__all__ = ["COMPOSITIONS", "modified_first"]

Pair = tuple[Any, Any]
_MOST: Final = 32.0
"""The largest order."""
_MOST_OF_FIRST: Final = 10.0
"""The largest order of modified functions of the first kind."""
_ORDERS: Final = 16
"""How many different ones a call may have."""
_EDGE: Final = 3.0
"""Of functions that oscillate: up to it series are summed."""
_TERMS: Final = 20


def _polynomial(coefficients: Sequence[float], t: Any) -> Any:
    found = xp.full_like(t, coefficients[-1])
    for each in reversed(coefficients[:-1]):
        found = found * t + each
    return found


def _nested(factors: Sequence[float], t: Any) -> Any:
    """Compute ``1 + f0 t (1 + f1 t (1 + ...))``."""
    found = xp.ones_like(t)
    for each in reversed(factors):
        found = (t * each) * found + 1.0
    return found


def _integrals(step: float, x: Any, functions: Callable[[Any, float | Any], Sequence[Any]]) -> list[Any]:
    """Integrate functions of x and v times ``exp(-v**2) 2 / sqrt(pi)`` over positive v."""
    v = step * np.arange(math.ceil(6.4 / step))
    weights = np.exp(-v * v) * step * 2.0 / math.sqrt(math.pi)
    weights[0] /= 2.0
    nodes, factors = (xp.asarray(row, dtype=x.dtype, device=x.device) for row in (v * v, weights))
    return [xp.sum(item * factors, axis=-1) for item in functions(x[..., None], nodes)]


def _modified_far(order: float, x: Any) -> Pair:
    """Compute ``exp(x) K(x)`` of an order and the next one from 1 on."""
    beyond = xp.maximum(x, 1.0)

    def functions(x: Any, square: Any) -> list[Any]:
        z = square / (2.0 * x)
        root = xp.sqrt(1.0 + z)
        if order == 0.0:
            return [1.0 / root, (1.0 + 2.0 * z) / root]
        angle = 2.0 * xp.asinh(xp.sqrt(z))
        return [xp.cosh(angle * each) / root for each in (order, order + 1.0)]

    factor = xp.sqrt(math.pi / 2.0 / beyond)
    return tuple([item * factor for item in _integrals(0.21, beyond, functions)])


@functools.cache
def _temmes(order: float) -> tuple[tuple[float, float], tuple[float, float], list[list[float]], list[list[float]]]:
    """Give constants of an order from -1/2 to 1/2, and polynomials that multiply f, p and q, of both functions."""
    upper, lower = 1.0 / math.gamma(1.0 + order), 1.0 / math.gamma(1.0 - order)
    odd = (lower - upper) / (2.0 * order) if abs(order) > 1e-3 else -0.5772156649015329 + 0.042002635034095236 * order**2
    rows = [np.eye(3)]
    for k in range(1, _TERMS):
        f, p, q = rows[-1]
        rows.append(np.array([(k * f + p + q) / (k * k - order**2), p / (k - order), q / (k + order)]))
    scale = [1.0 / math.factorial(k) for k in range(_TERMS)]
    first = [[float(scale[k] * rows[k][0][item]) for k in range(_TERMS)] for item in range(3)]
    other = [[float(scale[k] * (rows[k][1] - k * rows[k][0])[item]) for k in range(_TERMS)] for item in range(3)]
    fraction = math.pi * order
    return (fraction / math.sin(fraction) if order else 1.0, odd), ((upper + lower) / 2.0, 0.5 / upper), first, other


def _modified_near(order: float, x: Any) -> Pair:
    """Compute K of an order from -1/2 to 1/2 and the next one up to 1."""
    inside = xp.minimum(x, 1.0)
    (fact, odd), (even, p), first, other = _temmes(order)
    q = 0.5 * math.gamma(1.0 - order)
    log = math.log(2.0) - xp.log(inside)
    if order:
        e = log * order
        f = fact * (odd * xp.cosh(e) + even * xp.sinh(e) / order)
        grown = xp.exp(e)
        parts = (f, p * grown, q / grown)
    else:
        parts = (log + odd, xp.full_like(x, p), xp.full_like(x, q))
    t = inside * inside * 0.25
    sums = [sum(part * _polynomial(row, t) for part, row in zip(parts, rows, strict=True)) for rows in (first, other)]
    return sums[0], sums[1] * (2.0 / inside)


def _upward(pair: Pair, steps: int, order: float, x: Any, sign: float) -> Any:
    """Go from functions of an order and the next one to one that is so many above."""
    low, high = pair
    for step in range(steps):
        low, high = high, (2.0 * (order + 1.0 + step)) / x * high + sign * low
    return low


def _second_modified(order: float, x: Any, scaled: bool) -> Any:
    order = abs(order)
    steps = round(order)
    first = order - steps
    positive = x > 0
    inside = xp.where(positive & (x < math.inf), x, 1.0)
    if x.dtype == xp.float32 and first == 0.0:
        pair = special.k0e(inside), special.k1e(inside)
    else:
        grown = xp.exp(xp.minimum(inside, 1.0))
        near, far = _modified_near(first, inside), _modified_far(first, inside)
        pair = tuple([xp.where(inside <= 1.0, a * grown, b) for a, b in zip(near, far, strict=True)])
    found = _upward(pair, steps, first, inside, 1.0)
    if not scaled:
        half = xp.exp(inside * -0.5)  # the whole may be 0 where the product is not
        found = found * half * half
    found = xp.where(x == math.inf, 0.0, found)
    return xp.where(positive, found, xp.where(x == 0, math.inf, xp.full_like(x, math.nan)))


def modified_first(order: float, x: Any, scaled: bool) -> Any:
    """Compute I of an order from 0 to 10, times ``exp(-|x|)`` with `scaled`."""
    wide = x.dtype == xp.float64
    edge = max(30.0 if wide else 12.0, order**2 / 2.0)
    size = xp.abs(x)
    inside = xp.where(size < math.inf, size, 1.0)
    near, far = xp.minimum(inside, edge), xp.maximum(inside, edge)
    terms = 1
    while (edge**2 / 4.0) ** terms / math.factorial(terms) / math.exp(math.lgamma(order + terms + 1) - math.lgamma(order + 1)) > 2.0**-58:
        terms += 1
    series = _nested([1.0 / (k * (order + k)) for k in range(1, terms + 1)], near * near * 0.25)
    root = math.exp(-math.lgamma(order + 1.0) / order) if order else 1.0  # gamma itself may be too large
    near = (xp.power(near * (0.5 * root), order) if order else 1.0) * series * xp.exp(-near)
    factors = [((2 * k - 1) ** 2 - 4.0 * order**2) / (8.0 * k) for k in range(1, 31)]
    beyond = _nested(factors, 1.0 / far) / xp.sqrt(far * (2.0 * math.pi))
    found = xp.where(inside <= edge, near, beyond)
    if not scaled:
        half = xp.exp(inside * 0.5)
        found = found * half * half
    found = xp.where(size == math.inf, 0.0 if scaled else math.inf, found)
    below = math.nan if order % 1.0 else -found if order % 2.0 else found
    return xp.where(xp.isnan(x), math.nan, xp.where(x < 0, below, found))


def _first_modified(order: float, x: Any, scaled: bool) -> Any:
    order = abs(order) if order.is_integer() else order
    leave_unless(0.0 <= order <= _MOST_OF_FIRST)
    if order in {0.0, 1.0}:
        return getattr(special, f"i{order:.0f}{'e' * scaled}")(x)
    return modified_first(order, x, scaled)


@functools.cache
def _series() -> list[list[float]]:
    """Give coefficients of J0, 2 J1 / x and what Y0 and Y1 have beside their logarithms, in powers of ``x**2 / 4``."""
    rows: list[list[float]] = [[], [], [], []]
    harmonic = 0.0
    for k in range(_TERMS):
        power = (-1.0) ** k / math.factorial(k) ** 2
        rows[0].append(power)
        rows[1].append(power / (k + 1))
        rows[2].append(power * (harmonic - 0.5772156649015329))
        rows[3].append(power / (k + 1) * (2.0 * harmonic + 1.0 / (k + 1) - 2.0 * 0.5772156649015329))
        harmonic += 1.0 / (k + 1)
    return rows


def _phases(x: Any, square: Any) -> list[Any]:
    """Give both parts of ``1 / sqrt(1 + i w)`` and of ``(1 + 2 i w) / sqrt(1 + i w)``, w = v**2 / (2 x)."""
    w = square / (2.0 * x)
    r = xp.sqrt(1.0 + w * w)
    a = xp.sqrt((r + 1.0) * 0.5)
    b = w / (2.0 * a)
    return [a / r, b / r, (a + 2.0 * w * b) / r, (2.0 * w * a - b) / r]


def _oscillating(x: Any) -> tuple[Pair, Pair]:
    """Compute J and Y of orders 0 and 1 of positive numbers."""
    if x.dtype == xp.float32:
        return (special.j0(x), special.j1(x)), (special.y0(x), special.y1(x))
    near = xp.minimum(x, _EDGE)
    t = near * near * 0.25
    rows = [_polynomial(row, t) for row in _series()]
    log = xp.log(near * 0.5)
    j0, j1 = rows[0], rows[1] * near * 0.5
    y0 = (log * j0 - rows[2]) * (2.0 / math.pi)
    y1 = (log * j1 - near * 0.25 * rows[3] - 1.0 / near) * (2.0 / math.pi)
    far = xp.maximum(x, _EDGE)
    c0, s0, c1, s1 = _integrals(0.26, far, _phases)
    cosine, sine = xp.cos(far), xp.sin(far)
    factor = 1.0 / xp.sqrt(far * math.pi)
    total, less = (cosine + sine) * factor, (sine - cosine) * factor
    beyond = (total * c0 + less * s0, less * c1 + total * s1, less * c0 - total * s0, less * s1 - total * c1)
    found = [xp.where(x <= _EDGE, a, b) for a, b in zip((j0, j1, y0, y1), beyond, strict=True)]
    return (found[0], found[1]), (found[2], found[3])


def _halves(x: Any) -> tuple[Pair, Pair]:
    """Compute J and Y of orders -1/2 and 1/2."""
    factor = math.sqrt(2.0 / math.pi) / xp.sqrt(x)
    cosine, sine = xp.cos(x) * factor, xp.sin(x) * factor
    return (cosine, sine), (sine, -cosine)


def _descended(first: float, steps: int, pair: Pair, x: Any) -> Any:
    """
    Compute J of positive numbers up to its order, by the recurrence of what is beside ``(x / 2)**order / gamma(order + 1)``.

    It is scaled by the functions of both first orders, of which one is never small.
    """
    order = first + steps
    t = x * x * 0.25
    above, found = xp.ones_like(x), xp.ones_like(x)
    kept, known = found, []
    for step in range(steps + 24 + steps // 4, 0, -1):
        if step == steps:
            kept = found
        above, found = found, found - t * (above / ((first + step) * (first + step + 1.0)))
        if step <= 2:
            known.append(found)
    after, start = (known[0], known[1])
    scale = xp.power(x * 0.5, first) / math.gamma(first + 1.0) if first else 1.0
    low, high = start * scale, after * scale * x * (0.5 / (first + 1.0))
    factor = (low * pair[0] + high * pair[1]) / (low * low + high * high)
    root = math.exp(-math.lgamma(order + 1.0) / order)
    return xp.power(x * (0.5 * root), order) * (factor * kept)


def _kinds(order: float, x: Any) -> Pair:
    """Compute J and Y of an order that is not negative, of positive numbers."""
    first = -0.5 if order % 1.0 else 0.0
    steps = int(order - first)
    pairs = _halves(x) if first else _oscillating(x)
    second = _upward(pairs[1], steps, first, x, -1.0)
    second = xp.where(xp.isnan(second), -math.inf, second)
    if steps < 2:
        return pairs[0][steps], second
    low = xp.minimum(x, order)
    inside = [xp.where(x <= order, item, 0.5) for item in pairs[0]]
    near = _descended(first, steps, (inside[0], inside[1]), low)
    return xp.where(x <= order, near, _upward(pairs[0], steps, first, x, -1.0)), second


def _both(order: float, x: Any) -> Pair:
    """Compute J and Y of an order, of all numbers."""
    leave_unless((2.0 * order).is_integer())
    size, whole = abs(order), order.is_integer()
    magnitude = xp.abs(x)
    plain = (magnitude > 0) & (magnitude < math.inf)
    j, y = _kinds(size, xp.where(plain, magnitude, 1.0))
    # numbers beside one Array at a time: two numbers would be float64 under NumPy's defaults
    j, y = (xp.where(plain, item, 0.0) for item in (j, y))
    j, y = xp.where((x == 0) & (size == 0.0), 1.0, j), xp.where(x == 0, -math.inf, y)
    if order < 0:
        turned = -1.0 if int(size) % 2 else 1.0
        j, y = (j * turned, y * turned) if whole else (y * -turned, j * turned)
    unknown = xp.isnan(x) | xp.isinf(x)  # as SciPy
    odd = whole and size % 2.0
    j = xp.where(unknown | ((x < 0) & (not whole)), math.nan, xp.where(x < 0, -j, j) if odd else j)
    return j, xp.where(unknown | (x < 0), math.nan, y)


def _hankel(sign: float) -> Callable[[float, Any], Any]:
    def function(order: float, x: Any) -> Any:
        j, y = _both(order, x)
        return j + (1j * sign) * y

    return function


def _unknown_at_infinity(function: Callable[..., Any], scaled: bool) -> Callable[[float, Any], Any]:
    """Give NaN at infinity, as SciPy's functions of an order do."""
    return lambda order, x: xp.where(xp.isinf(x), math.nan, function(order, x, scaled))


def _of_orders(function: Callable[[float, Any], Any]) -> Callable[[Any, Any], Any]:
    """Take an order, or several in an ndarray or a list."""

    def run(v: Any, z: Any) -> Any:
        leave_unless(type(v) is not xp.Array)
        orders = np.asarray(v)
        leave_unless(orders.dtype.kind in "iuf")
        (x,) = floats(z, beside=[v] if type(v) is np.ndarray else [])
        each = np.unique(orders.astype(np.float64))
        leave_unless(0 < len(each) <= _ORDERS and float(np.max(np.abs(each))) <= _MOST)
        if not orders.ndim:
            return function(float(orders), x)
        mask = xp.asarray(orders.astype(np.float32), device=x.device)
        found = function(float(each[0]), x) + xp.zeros_like(mask, dtype=x.dtype)
        for one in each[1:].tolist():
            found = xp.where(mask == one, function(one, x), found)
        return found

    return run


def _in_float64(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Leave float32 to the Op, which has a kernel for it."""

    def run(x: Any) -> Any:
        (x,) = floats(x)
        leave_unless(x.dtype == xp.float64)
        return function(x)

    return run


def _spherical(second: bool) -> Callable[[Any, Any, Any], Any]:
    def function(n: Any, z: Any, derivative: Any = False) -> Any:
        leave_unless(type(derivative) is bool and isinstance(n, (int, np.integer)) and 0 <= int(n) < _MOST)
        (x,) = floats(z)

        def of(n: int) -> Any:
            size = xp.where(x == 0, 1.0, xp.abs(x))
            found = _both(n + 0.5, size)[second] * (math.sqrt(math.pi / 2.0) / xp.sqrt(size))
            found = xp.where(xp.isinf(x), 0.0, found)
            found = xp.where((x < 0) & ((n + second) % 2 == 1), -found, found)
            return xp.where(x == 0, -math.inf if second else float(n == 0), found)

        if not derivative:
            return of(int(n))
        if not n:
            return -of(1)
        found = of(int(n) - 1) - of(int(n)) * ((n + 1.0) / xp.where(x == 0, 1.0, x))
        return xp.where(x == 0, math.inf if second else 1.0 / 3.0 if n == 1 else 0.0, found)

    return function


COMPOSITIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "hankel1": _of_orders(_hankel(1.0)),
    "hankel2": _of_orders(_hankel(-1.0)),
    "iv": _of_orders(_unknown_at_infinity(_first_modified, scaled=False)),
    "ive": _of_orders(_unknown_at_infinity(_first_modified, scaled=True)),
    "jv": _of_orders(lambda order, x: _both(order, x)[0]),
    "kn": _of_orders(functools.partial(_second_modified, scaled=False)),
    "kv": _of_orders(functools.partial(_second_modified, scaled=False)),
    "kve": _of_orders(_unknown_at_infinity(_second_modified, scaled=True)),
    "yn": _of_orders(lambda order, x: _both(order, x)[1]),
    "yv": _of_orders(lambda order, x: _both(order, x)[1]),
    "spherical_jn": _spherical(second=False),
    "spherical_yn": _spherical(second=True),
    **{f"j{n}": _in_float64(functools.partial(lambda n, x: _both(n, x)[0], float(n))) for n in (0, 1)},
    **{f"y{n}": _in_float64(functools.partial(lambda n, x: _both(n, x)[1], float(n))) for n in (0, 1)},
    **{
        f"k{n}{'e' * scaled}": _in_float64(functools.partial(_second_modified, float(n), scaled=scaled))
        for n in (0, 1)
        for scaled in (False, True)
    },
}
"""Functions of scipy.special."""
