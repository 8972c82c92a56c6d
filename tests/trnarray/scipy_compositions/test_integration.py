"""Integrals of samples on devices against SciPy's in float64."""

import numpy as np
import pytest
from scipy import integrate as theirs

import trnarray as xp
from trnarray.scipy import integrate as ours

U = {np.float32: 2.0**-24, np.float64: 2.0**-53}
rng = np.random.default_rng(3)


def on(x, device="sim:trn2"):
    return xp.asarray(x, device=device)


def check(found, expected, dtype, roundings=64):
    """Sums of at most eight terms with coefficients of a few roundings."""
    assert found.dtype == dtype
    assert found.shape == np.shape(expected)
    scale = max(1.0, float(np.max(np.abs(expected))))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), expected, rtol=0, atol=roundings * U[dtype] * scale)


@pytest.mark.parametrize(("n", "dtype"), [(3, np.float32), (6, np.float32), (7, np.float32), (6, np.float64)])
@pytest.mark.parametrize("name", ["trapezoid", "simpson", "cumulative_trapezoid", "cumulative_simpson"])
def test_rules(name, n, dtype):
    y, x = rng.standard_normal((2, n, 3)).astype(dtype), np.cumsum(rng.random(n) + 0.1).astype(dtype)
    initial = {"initial": 0} if name.startswith("cumulative") else {}
    with xp.config(fallback="error"):
        our, their = getattr(ours, name), getattr(theirs, name)
        check(our(on(y), axis=1, dx=0.25, **initial), their(y.astype(float), axis=1, dx=0.25, **initial), dtype)
        check(our(on(y), x=on(x), axis=-2), their(y.astype(float), x=x.astype(float), axis=-2), dtype)
        check(our(on(y[0].T), x=on(x)), their(y[0].T.astype(float), x=x.astype(float)), dtype)


def test_steps_of_length_zero_and_what_is_left_to_scipy():
    x = np.float32([0, 0, 1, 2, 2, 3, 4])
    y = rng.standard_normal(7).astype(np.float32)
    with xp.config(fallback="error"):
        check(ours.simpson(on(y), x=on(x)), theirs.simpson(y.astype(float), x=x.astype(float)), np.float32)
        with pytest.raises(xp.FallbackError):
            ours.cumulative_simpson(on(y), x=on(x))
    with xp.config(fallback="allow"), pytest.raises(ValueError, match="strictly increasing"):
        ours.cumulative_simpson(on(y), x=on(x))


@pytest.mark.parametrize("device", ["sim:trn1", "sim:trn3"])
def test_elsewhere(device):
    y = rng.standard_normal(8).astype(np.float32)
    check(ours.simpson(on(y, device), dx=0.5), theirs.simpson(y.astype(float), dx=0.5), np.float32)


@pytest.mark.parametrize(("n", "dtype"), [(2, np.float32), (9, np.float32), (17, np.float64)])
def test_romberg(n, dtype):
    y = rng.standard_normal((3, n)).astype(dtype)
    with xp.config(fallback="error"):
        check(ours.romb(on(y), dx=0.25), theirs.romb(y.astype(float), dx=0.25), dtype)
        check(ours.romb(on(y.T), axis=0), theirs.romb(y.T.astype(float), axis=0), dtype)
    with xp.config(fallback="allow"), pytest.raises(ValueError, match="one plus a non-negative power"):
        ours.romb(on(np.ones(4, dtype)))


@pytest.mark.parametrize("limits", [(0.0, 1.0), (0.0, np.inf)])
def test_integrals_of_functions_with_arrays(limits):
    """SciPy ends at 1e-8, and sums of 21 or 15 values round by 16 u of them at most."""
    scale = np.array([0.5, 1.0, 2.0])
    given = xp.asarray(scale.astype(np.float32), device="sim:trn2")
    with xp.config(fallback="error", host_transfer="error"):
        found, error = ours.quad_vec(lambda x, a: a * xp.exp(-a * x * x), *limits, args=(given,))
    expected, _ = theirs.quad_vec(lambda x: scale * np.exp(-scale * x * x), *limits)
    assert (found.dtype, str(found.device)) == (np.float32, "sim:trn2")
    off = np.abs(np.asarray(found.to_device("cpu")) - expected).max()
    assert off <= 16 * 2.0**-24 * expected.max()
    assert off <= error <= 1e-4


def test_rules_that_step_by_numbers():
    """Nothing falls back: points are numbers, and so is what is fetched; Gauss's points are one Array."""
    scale = xp.asarray([1.0, 2.0, 3.0], dtype=xp.float32, device="sim:trn2")
    with xp.config(fallback="error", host_transfer="error"):
        found, _ = ours.quad(lambda x, a: xp.sum(a * x * x), 0, 1, args=(scale,))
        fixed, _ = ours.fixed_quad(lambda x, a: xp.exp(-x) * a[0], 0, 1, args=(scale,), n=6)
        root = xp.scipy.optimize.brentq(lambda x: xp.sum(scale * (x - 0.5)), 0.0, 2.0)
    assert abs(found - 2.0) <= 1e-6
    assert abs(root - 0.5) <= 1e-6
    assert abs(float(fixed) - (1 - np.exp(-1))) <= 16 * 2.0**-24
