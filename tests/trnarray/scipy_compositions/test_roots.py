"""Roots with the state on the device, against SciPy's in float64."""

import numpy as np
import pytest
from scipy import optimize as theirs

import trnarray as xp
from trnarray.scipy import optimize as ours


def circle(p):
    space = xp if isinstance(p, xp.Array) else np
    return space.stack([p[0] ** 2 + p[1] ** 2 - 4.0, space.exp(p[0]) + p[1] - 1.0])


def valley(p):
    space = xp if isinstance(p, xp.Array) else np
    return space.stack([10.0 * (p[1] - p[0] ** 2), 1.0 - p[0]])


def on(x, dtype=np.float32):
    return xp.asarray(np.asarray(x, dtype), device="sim:trn2")


def host(x):
    return np.asarray(x.to_device("cpu"))


@pytest.mark.parametrize(
    ("system", "x0", "dtype"), [(circle, [1.0, -1.7], np.float32), (valley, [-1.2, 1.0], np.float32)]
)
def test_systems(system, x0, dtype):
    """Roots of well conditioned systems are as far off as the function's rounding, 8 u of 4, divided by its slope."""
    with xp.config(fallback="error", host_transfer="error"):
        found = ours.root(system, on(x0, dtype))
    expected = theirs.root(system, x0)
    assert (found.success, found.status, found.message, found.x.dtype) == (True, 1, expected.message, dtype)
    np.testing.assert_allclose(host(found.x), expected.x, rtol=0, atol=32 * np.finfo(dtype).eps)


def test_ways_to_call():
    with xp.config(fallback="error"):
        found = ours.fsolve(lambda p, a: p**3 - a, on([3.0, 2.0]), (1.0,), fprime=lambda p, _: xp.diag(3 * p * p), full_output=True)
        np.testing.assert_allclose(host(found[0]), [1.0, 1.0], rtol=1e-6)
        assert found[2] == 1
        assert found[1]["njev"] >= 1
        found = ours.root(circle, on([1.0, -1.7]), method="lm")
        np.testing.assert_allclose(host(found.x), theirs.root(circle, [1.0, -1.7]).x, atol=1e-5)
        found = ours.root(lambda p: p * p - 2.0 * p + 1.0, on([1.0, 1.0]))  # a singular matrix at the root
        assert host(found.x).tolist() == [1.0, 1.0]
        with pytest.warns(RuntimeWarning, match="good progress"):
            ours.fsolve(lambda p: p * p + 1.0, on([0.3, 0.4]))
        with pytest.raises(TypeError, match="as many equations"):
            ours.root(lambda p: p[:1], on([1.0, 2.0]))


@pytest.mark.parametrize(("order", "dtype"), [(0, np.float32), (1, np.float64), (2, np.float32)])
def test_newton(order, dtype):
    a = on([1.0, 2.0, 3.0], dtype)
    derivatives = [{}, {"fprime": lambda x: 3 * x * x}, {"fprime": lambda x: 3 * x * x, "fprime2": lambda x: 6 * x}][order]
    with xp.config(fallback="error", host_transfer="error"):
        found = ours.newton(lambda x: x**3 - a, on([2.0, 3.0, 1.0], dtype), full_output=True, **derivatives)
    np.testing.assert_allclose(host(found.root), np.cbrt([1.0, 2.0, 3.0]), rtol=8 * np.finfo(dtype).eps)
    assert host(found.converged).all()
    assert not host(found.zero_der).any()


def test_newton_without_a_root():
    with xp.config(fallback="error"):
        with pytest.raises(RuntimeError, match="all failed to converge after 3"):
            ours.newton(lambda x: x**2 + 1.0, on([0.5, 0.7]), lambda x: 2.0 * x, maxiter=3)
        with pytest.warns(RuntimeWarning, match="some derivatives were zero"):
            ours.newton(lambda x: x**2 - 1.0, on([0.0, 0.7]), lambda x: 2.0 * x)
