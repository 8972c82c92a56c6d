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


@pytest.mark.parametrize("name", CALLS)
def test_special_numbers(name):
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(on_device(name, SPECIAL), getattr(np, name)(SPECIAL), rtol=2.0**-52)
