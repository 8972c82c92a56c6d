"""Functions of float64 against the host's extended precision, whose significands have 64 bits or more, on all targets and readings."""

import numpy as np
import pytest

from .numbers import READINGS, SPECIAL, apply, pairs

LONG = np.longdouble
assert np.finfo(LONG).nmant >= 63
COUNT = 128 * 12
BOUND = 0.52  # units in the last place: half of one for the rounding, and what 58 bits before it leave
rng = np.random.default_rng(24)
ENDS = [
    *(709.782712893384, 709.7827128933841, -745.1332191019411, -745.1332191019412, -744.5, 1023.9999999999999, -1074, -1074.5, -1075),
    *(0.34657359027997264, 0.3465735902799727, 36.7, -37.4, 19.1, 22.2, 1 + 2.0**-52, 1 - 2.0**-53, 1e-17, 1e-8, np.pi, np.pi / 2),
    *(np.pi / 4, 1e22, 6381956970095103 * 2.0**797, 0.4142135623730951, np.sqrt(0.5), np.sqrt(2), 0.125, 1e308, 1e5),
]
"""Ends of ranges, of reductions, and the number that is nearest to a multiple of pi / 2."""
ALL = np.exp2(rng.uniform(-1074, 1024, COUNT // 4))
MIDDLE = [rng.uniform(0, 4, COUNT // 4), rng.uniform(0, 800, COUNT // 8), np.exp2(rng.uniform(-60, 4, COUNT // 8))]
NEAR_ONE = 1 + rng.standard_normal(COUNT // 8) * 2.0 ** rng.integers(-52, -3, COUNT // 8)
CHOSEN = np.concatenate([SPECIAL, -SPECIAL, ENDS, np.negative(ENDS), ALL, *MIDDLE, NEAR_ONE])[:COUNT]
NUMBERS = np.concatenate([CHOSEN, rng.uniform(-1, 1, COUNT - CHOSEN.size)])
NUMBERS[2 * SPECIAL.size + 2 * len(ENDS) :: 2] *= -1
INSIDE = np.divide(1, NUMBERS, out=NUMBERS.copy(), where=np.abs(NUMBERS) > 2)
ABOVE = np.where(NUMBERS > -1, np.abs(NUMBERS), NUMBERS)


def expit(x):
    return np.where(x > 0, 1 / (1 + np.exp(-x)), np.exp(x) / (1 + np.exp(x)))


FUNCTIONS = {
    **{name: (getattr(np, name), NUMBERS) for name in ("exp", "exp2", "expm1", "sinh", "cosh", "tanh", "arcsinh", "arctan", "cbrt")},
    **{name: (getattr(np, name), NUMBERS) for name in ("sin", "cos", "tan")},
    **{name: (getattr(np, name), ABOVE) for name in ("log", "log2", "log10", "log1p", "arccosh")},
    **{name: (getattr(np, name), INSIDE) for name in ("arcsin", "arccos", "arctanh")},
    "expit": (expit, np.clip(NUMBERS, -745, 800)),
}
OF_TWO = {"arctan2": np.arctan2, "hypot": np.hypot}


def units(found, exact):
    """Errors in units in the last place; infinite where signs, infinities or NaN differ."""
    with np.errstate(all="ignore"):
        wanted = exact.astype(np.float64)
        error = np.abs((found.astype(LONG) - exact) / np.spacing(np.abs(wanted)).astype(LONG)).astype(np.float64)
    finite = np.isfinite(wanted) & np.isfinite(found)
    same = ((found == wanted) & (np.signbit(found) == np.signbit(wanted))) | (np.isnan(found) & np.isnan(wanted))
    return np.where(finite & (np.signbit(found) == np.signbit(wanted)), error, np.where(same, 0, np.inf))


def check(name, function, *operands, number, bound=BOUND):
    with np.errstate(all="ignore"):
        exact = function(*(operand.astype(LONG) for operand in operands))
    for target, knobs in (READINGS[0], READINGS[1 + number % 2], *READINGS[3:]):
        error = units(apply(name, *operands, target=target, knobs=knobs), exact)
        worst = int(np.argmax(error))
        assert error[worst] <= bound, (target, [float(operand[worst]).hex() for operand in operands], error[worst])


def test_powers():
    """Exponents bring results to the ends of the range, where the logarithm's error counts most; powers of integers; special numbers."""
    size = COUNT // 4
    x, y = pairs(COUNT, 9)
    x[:size] = np.concatenate([np.exp2(rng.uniform(-1, 1, size // 2)), np.exp2(rng.uniform(-1074, 1023, size - size // 2))])
    y[:size] = rng.uniform(-1, 1, size) * 1075 / np.abs(np.log2(x[:size]))
    x[size : 2 * size], y[size : 2 * size] = rng.normal(0, 3, size), rng.integers(-30, 30, size)
    check("power", np.power, x, y, number=1, bound=0.55)
    special = [0.0, 1.0, 2.0, 0.5, np.inf, 3.0, 2.0**53, 2.0**53 + 2, 2.0**52 + 1, 1e300, 5e-324, 2.5, 1 / 3, 1074.0]
    both = np.array([*special, *np.negative(special), np.nan, -1022.5])
    x, y = (np.resize(part, 128 * 8) for part in np.meshgrid(both, both))
    check("power", np.power, x.ravel(), y.ravel(), number=2, bound=0.55)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_one_operand(name):
    function, numbers = FUNCTIONS[name]
    check(name, function, numbers, number=len(name))


@pytest.mark.parametrize("name", OF_TWO)
def test_two_operands(name):
    x, y = pairs(COUNT, 8)
    with np.errstate(all="ignore"):
        x[-COUNT // 4 :] = y[-COUNT // 4 :] * rng.uniform(-3, 3, COUNT // 4)
    check(name, OF_TWO[name], x, y, number=len(name))
