"""Runge-Kutta methods with the state on the device, against SciPy's in float64."""

import numpy as np
import pytest
from scipy import integrate as theirs

import trnarray as xp
from trnarray.scipy import integrate as ours


def lotka(t, y, a=1.5):
    return [a * y[0] - y[0] * y[1], -3.0 * y[1] + y[0] * y[1]]


def decay(t, y):
    return -0.5 * y + t


def solve(fun, span, y0, dtype, device="sim:trn2", **options):
    given = xp.asarray(np.asarray(y0, dtype), device=device)
    with xp.config(fallback="error"):
        found = ours.solve_ivp(fun, span, given, **options)
    expected = theirs.solve_ivp(fun, span, y0, **options)
    assert isinstance(found, type(expected))
    assert (found.status, found.message, found.success, str(found.y.device), found.y.dtype) == (
        expected.status, expected.message, True, device, dtype)  # fmt: skip
    return found, expected, np.asarray(found.y.to_device("cpu")), np.asarray(found.t.to_device("cpu"))


@pytest.mark.parametrize(("method", "dtype"), [("RK23", np.float32), ("RK45", np.float32), ("RK45", np.float64), ("DOP853", np.float32)])
def test_steps_are_scipys(method, dtype):
    """Steps follow from errors, whose roundings are u / rtol of them: times agree to 2**-8 in float32, solutions to a few rtol."""
    found, expected, y, t = solve(lotka, (0, 1.0 if dtype is np.float32 else 0.1), [4.0, 2.0], dtype, method=method, rtol=1e-3)
    assert found.nfev == expected.nfev
    assert y.shape == expected.y.shape
    near = 2.0**-8 if dtype is np.float32 else 1e-9
    np.testing.assert_allclose(t, expected.t, rtol=0, atol=near)
    np.testing.assert_allclose(y[:, -1], expected.y[:, -1], rtol=2e-3 if dtype is np.float32 else 1e-9)


@pytest.mark.parametrize("span", [(0.0, 2.0), (2.0, 0.0)])
def test_times_that_are_asked_for(span):
    times = np.linspace(*span, 7)
    _, expected, y, t = solve(decay, span, [1.0, 2.0, -1.0], np.float32, t_eval=times.tolist())
    np.testing.assert_allclose(t, times, rtol=1e-6)
    np.testing.assert_allclose(y, expected.y, rtol=0, atol=1e-4)  # a tenth of rtol


def test_arguments_and_steps():
    found, expected, y, _ = solve(lotka, (0, 0.5), [4.0, 2.0], np.float32, args=(1.2,), max_step=0.1, first_step=0.05)
    assert found.nfev == expected.nfev
    np.testing.assert_allclose(y, expected.y, rtol=1e-5)  # the same steps: roundings of some 30 of them


def falls(t, y):
    return y[0] - 1.0


def rises(t, y):
    return y[1] - 1.0


@pytest.mark.parametrize("method", ["RK23", "DOP853"])
def test_continuous_solutions_and_events(method):
    """Times of events and states between steps are as good as the solution, whose rtol is 1e-4, and here the polynomial's error."""
    rises.terminal = 2
    times = np.array([2.5, 0.2, 1.7, 0.0, 3.0])
    found, expected, _, _ = solve(lotka, (0, 3.0), [4.0, 2.0], np.float32, method=method, rtol=1e-4, dense_output=True, t_eval=[0.1, 1.5])
    np.testing.assert_allclose(np.asarray(found.sol(times).to_device("cpu")), expected.sol(times), rtol=0, atol=1e-3)
    np.testing.assert_allclose(np.asarray(found.sol(0.7).to_device("cpu")), expected.sol(0.7), rtol=0, atol=1e-3)
    np.testing.assert_allclose(np.asarray(found.y.to_device("cpu")), expected.y, rtol=0, atol=1e-3)
    assert isinstance(found.sol, theirs.OdeSolution)
    found, expected, y, _ = solve(lotka, (0, 3.0), [4.0, 2.0], np.float32, method=method, rtol=1e-4, events=[falls, rises])
    assert [each.shape for each in found.t_events] == [each.shape for each in expected.t_events]
    for mine, right in zip([*found.t_events, *found.y_events], [*expected.t_events, *expected.y_events], strict=True):
        np.testing.assert_allclose(np.asarray(mine.to_device("cpu")), right, rtol=0, atol=1e-3)
    np.testing.assert_allclose(y[:, -1], expected.y[:, -1], rtol=0, atol=1e-3)


def test_what_is_left_to_scipy():
    y0 = xp.asarray([1.0, 2.0], device="sim:trn2", dtype=xp.float32)
    with xp.config(fallback="error"):
        for options in ({"method": "Radau"}, {"rtol": 1e-8}, {"vectorized": True}):
            with pytest.raises(xp.FallbackError):
                ours.solve_ivp(decay, (0, 1), y0, **options)
    with xp.config(fallback="allow"), pytest.raises(ValueError, match="not within `t_span`"):
        ours.solve_ivp(decay, (0, 1), y0, t_eval=[0.5, 2.0])
