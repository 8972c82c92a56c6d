"""Functions of float64 and complex128 on the device, against decimal arithmetic of 40 digits and the host's extended precision."""

import decimal
from decimal import Decimal

import numpy as np
import pytest
import scipy.special

import trnarray as xp
import trnarray.scipy.special as special

rng = np.random.default_rng(0)
COUNT = 150
EXPONENTS = [rng.uniform(-745, 709.7, COUNT), rng.uniform(-1, 1, COUNT), rng.standard_normal(COUNT) * 2.0 ** rng.integers(-60, 2, COUNT)]
NEAR_ONE = 1 + rng.standard_normal(COUNT) * 2.0 ** rng.integers(-52, -3, COUNT)
POSITIVE = [np.ldexp(rng.uniform(1, 2, COUNT), rng.integers(-1070, 1023, COUNT)), rng.uniform(0.5, 2, COUNT), NEAR_ONE]
CALLS = {"exp": (np.concatenate(EXPONENTS), Decimal.exp), "log": (np.concatenate(POSITIVE), Decimal.ln)}
SPECIAL = np.array([0, -0.0, np.inf, -np.inf, np.nan, -1, 5e-324, 1e308, -800, 800, 1, 709.782712893384, -745.13, -745.14])


def on_device(name, x):
    with xp.config(fallback="error"):
        return np.asarray(getattr(xp, name)(xp.asarray(x, device="sim:trn2")).to_device("cpu"))


@pytest.mark.parametrize("name", CALLS)
def test_within_one_unit(name):
    x, exact = CALLS[name]
    found = on_device(name, x)
    with decimal.localcontext(prec=40):
        for number, result in zip(x.tolist(), found.tolist(), strict=True):
            wanted = exact(Decimal(number))
            assert abs(Decimal(result) - wanted) < Decimal(float(np.spacing(abs(float(wanted))))), number


def test_hypotenuses_and_magnitudes_within_one_unit():
    x, y = rng.standard_normal((2, COUNT)) * 2.0 ** rng.integers(-30, 30, (2, COUNT))
    x[:40], y[:40] = x[:40] * 2.0**990, y[:40] * 2.0**985
    x[40:80], y[40:80] = np.ldexp(x[40:80], -1030), np.ldexp(y[40:80], -1035)
    y[80:] = x[80:] * rng.uniform(-3, 3, COUNT - 80)
    with xp.config(fallback="error"):
        a, b = (xp.asarray(part, device="sim:trn2") for part in (x, y))
        found = [np.asarray(item.to_device("cpu")) for item in (np.hypot(a, b), abs(xp.asarray(x + 1j * y, device="sim:trn2")))]
    np.testing.assert_array_equal(*found)
    with decimal.localcontext(prec=60):
        for left, right, result in zip(x.tolist(), y.tolist(), found[0].tolist(), strict=True):
            wanted = (Decimal(left) ** 2 + Decimal(right) ** 2).sqrt()
            assert abs(Decimal(result) - wanted) <= Decimal(float(np.spacing(float(wanted)))), (left, right)
    ends = np.array([0.0, np.inf, np.nan, np.inf, 1.0]), np.array([-0.0, np.nan, 1.0, -np.inf, 0.0])
    a, b = (xp.asarray(part, device="sim:trn2") for part in ends)
    np.testing.assert_array_equal(np.asarray(np.hypot(a, b).to_device("cpu")), np.hypot(*ends))


@pytest.mark.parametrize("name", CALLS)
def test_special_numbers(name):
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(on_device(name, SPECIAL), getattr(np, name)(SPECIAL), rtol=2.0**-52)


def fetched(x):
    return np.asarray(x.to_device("cpu"))


GIVEN = np.concatenate([SPECIAL, rng.normal(0, 3, 40), rng.uniform(0, 1, 40), [30.0, -30.0, 700.0, 0.5]])
COMPOSED = {
    "degrees": np.degrees,
    "radians": np.radians,
    "modf": np.modf,
    "nan_to_num": np.nan_to_num,
    "angle": np.angle,
    "sinc": np.sinc,
}
OF_TWO = {"heaviside": np.heaviside, "logaddexp": np.logaddexp, "logaddexp2": np.logaddexp2}
SPECIALS = {"expit": 2, "entr": 4, "logit": 8, "xlogy": 4, "xlog1py": 4}
"""Units in the last place by which ours and SciPy's may differ, both of which round more than once."""


@pytest.mark.parametrize("name", [*COMPOSED, *OF_TWO])
@np.errstate(all="ignore")
def test_functions_made_of_others(name):
    function = COMPOSED.get(name) or OF_TWO[name]
    operands = (GIVEN, GIVEN[::-1].copy())[: 1 + (name in OF_TWO)]
    with xp.config(fallback="error"):
        found = function(*(xp.asarray(x, device="sim:trn2") for x in operands))
    wanted = function(*operands)
    for ours, theirs in zip(*((item,) if name != "modf" else item for item in (found, wanted)), strict=True):
        np.testing.assert_allclose(fetched(ours), theirs, rtol=2.0**-51)
        np.testing.assert_array_equal(np.signbit(fetched(ours))[theirs == 0], np.signbit(theirs)[theirs == 0])


@pytest.mark.parametrize("name", SPECIALS)
@np.errstate(all="ignore")
def test_functions_of_scipy(name):
    operands = (GIVEN, GIVEN[::-1].copy())[: 1 + name.startswith("xlog")]
    with xp.config(fallback="error"):
        found = getattr(special, name)(*(xp.asarray(x, device="sim:trn2") for x in operands))
    np.testing.assert_allclose(fetched(found), getattr(scipy.special, name)(*operands), rtol=SPECIALS[name] * 2.0**-53, atol=2.0**-1074)


COMPLEX = [
    *("exp", "expm1", "log", "log1p", "sqrt", "sin", "tan", "arcsin", "arctanh"),
]
NEAR = (rng.normal(size=60) + 1j * rng.normal(size=60)) * np.exp2(rng.uniform(-40, 6, 60))
CORNERS = np.array([complex(x, y) for x in (0.0, -0.0, 1, -1, 0.5, np.inf, np.nan) for y in (0.0, -0.0, 1, np.inf, np.nan)])


@pytest.mark.parametrize("name", COMPLEX)
@np.errstate(all="ignore")
def test_complex128(name):
    """As documented: within 8 u of the modulus, but for what NumPy's loops of expm1 and log1p lose; infinite and NaN parts are NumPy's."""
    x = np.concatenate([CORNERS, NEAR])
    with xp.config(fallback="error"):
        found = fetched(getattr(np, name)(xp.asarray(x, device="sim:trn2")))
    wanted = getattr(np, name)(x.astype(np.clongdouble)) if name not in ("expm1", "log1p", "exp2") else getattr(np, name)(x)
    finite = np.isfinite(wanted) & np.isfinite(found)
    assert (np.abs(found - wanted) <= 9 * 2.0**-53 * np.abs(wanted))[finite].all()
    for part in ("real", "imag"):
        ours, theirs = getattr(found, part)[~finite], getattr(wanted, part)[~finite].astype(np.float64)
        both = np.isinf(ours) & np.isinf(theirs)  # of which C leaves some signs open
        near = np.isclose(ours, theirs, rtol=2.0**-50, atol=0, equal_nan=True)
        assert (both | near).all(), (x[~finite][~(both | near)], ours[~(both | near)], theirs[~(both | near)])
