"""exp and log of float64 on the device, against decimal arithmetic of 40 digits: within one unit in the last place."""

import decimal
from decimal import Decimal

import numpy as np
import pytest

import trnarray as xp

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
