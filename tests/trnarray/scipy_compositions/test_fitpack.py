"""Splines under FITPACK's names on devices against SciPy's in float64."""

import pickle

import numpy as np
import pytest
from scipy import interpolate as theirs

import trnarray as xp
from trnarray.scipy import interpolate as ours

U = {np.float32: 2.0**-24, np.float64: 2.0**-53}
rng = np.random.default_rng(5)
X, Y = np.cumsum(rng.random(9) + 0.3), rng.standard_normal((9, 6))
AT = np.float32(np.append(rng.uniform(X[0], X[-1], 4), [X[0] - 0.25, X[-1] + 0.25])).astype(float)


def on(x, dtype=np.float32):
    return xp.asarray(np.asarray(x).astype(dtype), device="sim:trn2")


def wide(x):
    return np.asarray(x).astype(np.float32).astype(float)


def check(found, expected, dtype=np.float32, roundings=64):
    """Coefficients are differences by steps of at least 0.3: a derivative, and a step beyond the ends, lose a factor of 8 each."""
    assert found.dtype == dtype
    assert found.shape == expected.shape
    scale = max(1.0, float(np.max(np.abs(expected))))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), expected, rtol=0, atol=roundings * U[dtype] * scale)


@pytest.mark.parametrize("k", [2, 3])
def test_representations(k):
    with xp.config(fallback="error"):
        t, c, degree = ours.splrep(on(X), on(Y[:, 0]), k=k)
        found = ours.splev(on(AT), (t, c, degree), 1, ext=1)
    expected = theirs.splrep(wide(X), wide(Y[:, 0]), k=k)
    check(t, expected[0], roundings=1)
    check(c, expected[1])
    assert degree == k
    check(found, theirs.splev(AT, expected, 1, ext=1), roundings=512)


@pytest.mark.parametrize("ext", [0, "zeros", 3])
def test_splines_of_one_variable(ext):
    data, wides = (on(X), on(Y[:, 0])), (wide(X), wide(Y[:, 0]))
    with xp.config(fallback="error"):
        made = ours.UnivariateSpline(*data, s=0, ext=ext)
        check(made(on(AT)), theirs.UnivariateSpline(*wides, s=0, ext=ext)(AT), roundings=512)
        check(made.get_knots(), theirs.UnivariateSpline(*wides, s=0).get_knots(), roundings=1)
        with pytest.raises(xp.FallbackError):
            ours.UnivariateSpline(*data)
    assert isinstance(made, theirs.UnivariateSpline)
    with xp.config(fallback="allow"), pytest.raises(ValueError, match="increasing"):
        ours.InterpolatedUnivariateSpline(on(X[::-1].copy()), data[1])


@pytest.mark.parametrize("k", [3, 4])
def test_derivatives_and_integrals(k):
    """Equations of degree 4 have a condition number of about 100."""
    data, wides, most = (on(X), on(Y[:, 0])), (wide(X), wide(Y[:, 0])), 64 if k == 3 else 2048
    with xp.config(fallback="error"):
        made, expected = ours.UnivariateSpline(*data, k=k, s=0), theirs.UnivariateSpline(*wides, k=k, s=0)
        at = on(AT[:4])
        slopes = pickle.loads(pickle.dumps(made.derivative()))
        assert isinstance(slopes, theirs.UnivariateSpline)
        check(slopes(at), expected.derivative()(AT[:4]), roundings=most * 8)
        check(made.antiderivative()(at), expected.antiderivative()(AT[:4]), roundings=most)
        check(made.integral(0.5, 99.0), np.asarray(expected.integral(0.5, 99.0)), roundings=most)
        check(made.derivatives(float(AT[0])), expected.derivatives(AT[0]), roundings=most * 64)
        if k == 3:
            own, other = ours.splrep(*data), theirs.splrep(*wides)
            check(ours.splint(1.0, 2.0, own), np.asarray(theirs.splint(1.0, 2.0, other)))
            back, expected = ours.splantider(ours.splder(own, 2), 2), theirs.splantider(theirs.splder(other, 2), 2)
            check(ours.splev(at, back), theirs.splev(AT[:4], expected), roundings=512)
            check(ours.spalde(float(AT[0]), own), np.asarray(theirs.spalde(AT[0], other)), roundings=4096)


@pytest.mark.parametrize("ends", ["natural", ([(1, 0.5)], [(2, -0.25)])])
def test_splines_with_ends(ends):
    expected = theirs.make_interp_spline(wide(X), wide(Y), bc_type=_wide_ends(ends))
    with xp.config(fallback="error"):
        made = ours.make_interp_spline(on(X), on(Y), bc_type=ends)
        check(made(on(AT[:4])), expected(AT[:4]))
        check(made.t, expected.t, roundings=1)
        check(made.c, expected.c, roundings=256)
        given = ours.BSpline(made.t, made.c, 3)
        for nu in (1, 3, -1, -2):
            check(given.derivative(nu)(on(AT[:4])), expected.derivative(nu)(AT[:4]), roundings=4096)
        check(given.integrate(1.0, 2.0), expected.integrate(1.0, 2.0))
        assert isinstance(given.derivative(), theirs.BSpline)
    assert isinstance(pickle.loads(pickle.dumps(given.derivative())), theirs.BSpline)


def _wide_ends(ends):
    return ends if isinstance(ends, str) else tuple([[(order, np.full(6, value)) for order, value in end] for end in ends])


def test_least_squares():
    """The triangle has a condition number of about 30."""
    inner, weights = X[[3, 5]] + 0.1, rng.uniform(0.5, 2.0, 9)
    knots = np.concatenate([X[:1].repeat(4), inner, X[-1:].repeat(4)])
    within = AT.clip(X[0], wide(X)[-1])
    with xp.config(fallback="error"):
        found = ours.LSQUnivariateSpline(on(X), on(Y[:, 0]), on(inner))(on(within))
        made = ours.make_lsq_spline(on(X), on(Y), on(knots), w=on(weights))
        check(found, theirs.LSQUnivariateSpline(wide(X), wide(Y[:, 0]), wide(inner))(within), roundings=512)
        check(made(on(within)), theirs.make_lsq_spline(wide(X), wide(Y), wide(knots), w=wide(weights))(wide(within)), roundings=512)
        with pytest.raises(xp.FallbackError):  # no point within a B-spline
            ours.make_lsq_spline(on(X), on(Y), on(np.sort(np.append(knots, [X[3] + 0.11, X[3] + 0.12, X[3] + 0.13, X[3] + 0.14]))))


@pytest.mark.parametrize(("degrees", "dtype"), [((3, 2), np.float32), ((1, 3), np.float64)])
def test_splines_of_two_variables(degrees, dtype):
    x, y, values = (each.astype(dtype) for each in (X, X[:6], Y))
    options = {"kx": degrees[0], "ky": degrees[1]}
    with xp.config(fallback="error"):
        made = ours.RectBivariateSpline(on(x, dtype), on(y, dtype), on(values, dtype), **options)
        expected = theirs.RectBivariateSpline(*(each.astype(float) for each in (x, y, values)), **options)
        check(made.ev(on(AT, dtype), on(AT[::-1], dtype)), expected.ev(AT, AT[::-1]), dtype)
        if dtype is np.float32:
            check(made(on(np.sort(AT)), on(np.sort(AT[:3])), dx=1), expected(np.sort(AT), np.sort(AT[:3]), dx=1), roundings=512)
            check(made.get_coeffs(), expected.get_coeffs(), roundings=128)
