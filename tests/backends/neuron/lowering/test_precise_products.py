"""The ladder of precision: every rung within its stated bound, against exact rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.precision import RUNGS, product_bound

DEVICE = "sim:trn2"


def drawn(shape, seed, kind="normal"):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape)
    if kind == "graded":
        values = np.ldexp(values, rng.integers(-20, 20, shape))
    return values.astype(np.float32)


def cancelling(m, k, n):
    a, b = drawn((m, k), 3), drawn((k, n), 4)
    half = k // 2
    a[:, half : 2 * half], b[half : 2 * half] = -a[:, :half] * np.float32(1 + 2.0**-20), b[:half]
    return a, b


def largest_error(a, b, found):
    """Find the largest error relative to the sum of magnitudes."""
    worst = Fraction(0)
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            terms = [Fraction(float(x)) * Fraction(float(y)) for x, y in zip(a[i], b[:, j], strict=True)]
            if any(terms):
                worst = max(worst, abs(Fraction(float(found[i, j])) - sum(terms)) / sum(map(abs, terms)))
    return float(worst)


OPERANDS = {
    "normal": (drawn((3, 150), 0), drawn((150, 4), 1)),
    "graded": (drawn((3, 20), 0, "graded"), drawn((20, 4), 1, "graded")),
    "cancelling": cancelling(2, 130, 3),
}


@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize("operands", OPERANDS)
def test_every_rung_meets_its_bound(rung, operands):
    a, b = OPERANDS[operands]
    x, y = (xp.asarray(one, device=DEVICE) for one in (a, b))
    with xp.config(fallback="error", host_transfer="allow"):
        found, info = xp.linalg.matmul(x, y, precision=rung, return_info=True)
        assert (info.rung, found.dtype) == (rung, np.float32)
        assert info.bound == product_bound(rung, a.shape[1])
        error = largest_error(a, b, np.asarray(found))
    assert error <= info.bound
    if operands == "normal" and rung.startswith("bfloat16"):
        assert error > info.bound / 1000  # so that the bound says something, and the rung was taken


@pytest.mark.parametrize("rung", RUNGS)
def test_complex_products(rung):
    a, b = (drawn((3, 40), seed) + 1j * drawn((3, 40), seed + 9) for seed in (0, 1))
    x, y = (xp.asarray(one.astype(np.complex64), device=DEVICE) for one in (a, b.T))
    with xp.config(fallback="error", host_transfer="allow", precision=rung):
        found = np.asarray(x @ y)
    parts = [np.abs(one.real) + np.abs(one.imag) for one in (a, b)]
    assert found.dtype == np.complex64
    assert (np.abs(found - a @ b.T) <= 2 * product_bound(rung, 40, np.dtype(np.complex64)) * (parts[0] @ parts[1].T)).all()


def test_the_cheapest_rung_whose_bound_meets_the_error():
    x = xp.ones((2, 512), dtype=xp.float32, device=DEVICE)
    wanted = {1e-1: "bfloat16", 1e-3: "bfloat16x3", 1e-5: "float32", 1e-7: "float32-exact"}
    for error, rung in wanted.items():
        assert xp.linalg.matmul(x, x.T, target_forward_error=error, return_info=True)[1].rung == rung
        with xp.config(target_forward_error=error):
            assert xp.linalg.matmul(x, x.T, return_info=True)[1].rung == rung
    info = xp.linalg.matmul(x, x.T, target_forward_error=1e-1, precision="float32", return_info=True)[1]
    assert info.rung == "float32"  # at or above
    wide = xp.ones((2, 4), dtype=xp.float64, device=DEVICE)
    assert xp.linalg.matmul(wide, wide.T, precision="bfloat16", return_info=True)[1] == ("float64", 2.0**-52, 8, None, None)


def test_what_no_rung_meets():
    x = xp.ones((2, 4), dtype=xp.float32, device=DEVICE)
    with pytest.raises(xp.PrecisionError, match=r"of float32 over 4 terms errs by up to 6e-08 .* not 1e-09; give float64 operands"):
        xp.linalg.matmul(x, x.T, target_forward_error=1e-9)
    wide = xp.ones((2, 4), dtype=xp.float64, device=DEVICE)
    with xp.config(target_forward_error=1e-20), pytest.raises(xp.PrecisionError, match="not 1e-20; compute with more digits on the host"):
        xp.linalg.matmul(wide, wide.T, precision="float64")
    with xp.config(target_forward_error=1e-9), pytest.raises(xp.PrecisionError):
        x @ x.T


@pytest.mark.parametrize("changes", [{"precision": "float16"}, {"target_forward_error": 0}, {"target_forward_error": "small"}])
def test_settings_that_are_none(changes):
    with pytest.raises(ValueError, match=next(iter(changes))):
        xp.config(**changes)


def test_infinities_of_every_rung():
    a, b = np.float32([[np.inf, 1.0]]), np.float32([[2.0], [3.0]])
    for rung in RUNGS:
        with xp.config(precision=rung, host_transfer="allow"):
            assert np.asarray(xp.asarray(a, device=DEVICE) @ xp.asarray(b, device=DEVICE)) == np.inf


def test_on_the_cpu_float64_is_computed():
    a, b = OPERANDS["normal"]
    found, info = xp.linalg.matmul(xp.asarray(a), xp.asarray(b), precision="float32-exact", return_info=True)
    assert found.dtype == np.float32
    assert largest_error(a, b, np.asarray(found)) <= info.bound < 1e-7
    with pytest.raises(TypeError, match="not of int64"):
        xp.linalg.matmul(xp.asarray([[1]]), xp.asarray([[1]]), precision="float64")
