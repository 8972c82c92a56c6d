"""Interpolators on devices against SciPy's in float64."""

import pickle

import numpy as np
import pytest
from scipy import interpolate as theirs
from scipy.sparse.linalg import spsolve

import trnarray as xp
from trnarray.scipy import interpolate as ours

U = {np.float32: 2.0**-24, np.float64: 2.0**-53}
rng = np.random.default_rng(4)
X, Y = np.cumsum(rng.random(11) + 0.3), rng.standard_normal((11, 2))
Q = np.concatenate([rng.uniform(X[0], X[-1], 7), X[[0, 3, -1]]])
SPLINES = {
    "CubicSpline": {},
    "CubicSpline, natural": {"bc_type": "natural"},
    "CubicSpline, clamped": {"bc_type": "clamped"},
    "PchipInterpolator": {},
    "Akima1DInterpolator": {},
    "Akima1DInterpolator, makima": {"method": "makima"},
}


def on(x, dtype=np.float32, device="sim:trn2"):
    return xp.asarray(np.asarray(x).astype(dtype), device=device)


def wide(x, dtype=np.float32):
    return np.asarray(x).astype(dtype).astype(float)


def check(found, expected, dtype=np.float32, roundings=64):
    """Coefficients are differences by steps of at least 0.3: each derivative loses a factor of 16 at most."""
    assert found.dtype == dtype
    assert found.shape == expected.shape
    scale = max(1.0, float(np.max(np.abs(np.nan_to_num(expected)))))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), expected, rtol=0, atol=roundings * U[dtype] * scale)


WIDE = ("CubicSpline", "Akima1DInterpolator, makima")


@pytest.mark.parametrize(("name", "dtype"), [*((name, np.float32) for name in SPLINES), *((name, np.float64) for name in WIDE)])
def test_splines(name, dtype):
    kind = name.partition(",")[0]
    inside = Q.astype(dtype).clip(X.astype(dtype)[0], X.astype(dtype)[-1])
    with xp.config(fallback="error"):
        found = getattr(ours, kind)(on(X, dtype), on(Y, dtype), **SPLINES[name])
        expected = getattr(theirs, kind)(wide(X, dtype), wide(Y, dtype), **SPLINES[name])
        for nu in (0, 2) if dtype is np.float32 else (0,):
            check(found(on(inside, dtype), nu), expected(wide(inside, dtype), nu), dtype, 64 * 16**nu)
        if dtype is np.float32:
            outside = np.float32([[X[0] - 0.25, np.nan, X[-1] + 0.5]])
            extends = None if kind != "CubicSpline" else False
            check(found(on(outside), extrapolate=extends), expected(wide(outside), extrapolate=extends), roundings=256)
            across = getattr(ours, kind)(on(X), on(Y.T), axis=1, **SPLINES[name])(on(inside.reshape(2, 5)))
            check(across, getattr(theirs, kind)(wide(X), wide(Y.T), axis=1, **SPLINES[name])(wide(inside.reshape(2, 5))))


@pytest.mark.parametrize("n", [4, 5, 8])
def test_tridiagonal_equations_of_any_length(n):
    with xp.config(fallback="error"):
        expected = theirs.CubicSpline(wide(X[:n]), wide(Y[:n, 0]))(wide(X[1] + 0.1))
        check(ours.CubicSpline(on(X[:n]), on(Y[:n, 0]))(on(X[1] + 0.1)), expected, roundings=128)


KINDS = ("linear", "nearest", "nearest-up", "previous", "next", "zero", "slinear", "quadratic", "cubic")


@pytest.mark.parametrize("kind", KINDS)
def test_interp1d(kind):
    order = rng.permutation(len(X))
    outside = np.append(Q, [X[0] - 1, X[-1] + 1, np.nan])
    with xp.config(fallback="error"):
        for options, points in (({}, Q.clip(X[0] + 0.01, X[-1] - 0.01)), ({"fill_value": 7.0, "bounds_error": False}, outside),
                                ({"fill_value": "extrapolate"}, outside)):  # fmt: skip
            found = ours.interp1d(on(X[order]), on(Y[order]), kind=kind, axis=0, **options)(on(points))
            check(found, theirs.interp1d(wide(X[order]), wide(Y[order]), kind=kind, axis=0, **options)(wide(points)))


KEPT = [("CubicSpline", np.float32), ("PchipInterpolator", np.float32), ("Akima1DInterpolator", np.float32)]


@pytest.mark.parametrize(("name", "dtype"), KEPT)
def test_derivatives_and_integrals(name, dtype):
    """Integrals of eleven pieces are sums of four products each; second derivatives lose a factor of 16 at most, twice."""
    inside = np.linspace(X[0] + 0.1, X[-1] - 0.1, 6)
    with xp.config(fallback="error"):
        found, expected = getattr(ours, name)(on(X, dtype), on(Y, dtype)), getattr(theirs, name)(wide(X, dtype), wide(Y, dtype))
        across, expected_across = (
            getattr(m, name)(o(X, dtype), o(Y.T, dtype), axis=1) for m, o in ((ours, on), (theirs, wide))
        )  # fmt: skip
        check(found.derivative()(on(inside, dtype)), expected.derivative()(wide(inside, dtype)), dtype, 64 * 16)
        shape = (2, 3)
        check(across.derivative(2)(on(inside.reshape(shape), dtype)), expected_across.derivative(2)(wide(inside.reshape(shape), dtype)),
              dtype, 64 * 256)  # fmt: skip
        check(across.antiderivative(2)(on(inside, dtype)), expected_across.antiderivative(2)(wide(inside, dtype)), dtype, 256)
        check(found.integrate(inside[3].item(), inside[1].item()), expected.integrate(inside[3], inside[1]), dtype, 256)
        check(across.integrate(1.0, 99.0, extrapolate=False), expected_across.integrate(1.0, 99.0, extrapolate=False), dtype)
        made = found.derivative()
    assert isinstance(made, theirs.PPoly)
    check(pickle.loads(pickle.dumps(made))(on(inside, dtype)), expected.derivative()(wide(inside, dtype)), dtype, 64 * 16)
    with xp.config(fallback="allow"):
        np.testing.assert_allclose(np.asarray(made.scipy.c), expected.derivative().c, rtol=0, atol=4096 * U[dtype])


@pytest.mark.parametrize(("k", "dtype"), [(1, np.float32), (2, np.float32), (4, np.float32), (5, np.float32)])
def test_splines_of_other_degrees(k, dtype):
    """B-splines of degree 5 are solved for with condition numbers of about 30."""
    try:
        theirs.make_interp_spline(np.arange(9.0), np.arange(9.0), k)
    except ValueError:
        pytest.skip("this SciPy has no splines of the fourth degree")
    with xp.config(fallback="error"):
        found = ours.make_interp_spline(on(X, dtype), on(Y, dtype), k)
        expected = theirs.make_interp_spline(wide(X, dtype), wide(Y, dtype), k)
        check(found(on(Q, dtype)), expected(wide(Q, dtype)), dtype, 1024)
        check(found.c, expected.c, dtype, 1024)
    np.testing.assert_allclose(np.asarray(found.t.to_device("cpu")), expected.t, rtol=U[dtype])
    assert pickle.loads(pickle.dumps(found)).k == k


@pytest.mark.parametrize("kind", ["BarycentricInterpolator", "KroghInterpolator"])
def test_polynomials(kind):
    """Of degree 6, whose sums of weights cancel by less than 64."""
    at = np.append(X[:3], Q[:3].clip(X[0], X[6]))
    with xp.config(fallback="error"):
        check(getattr(ours, kind)(on(X[:7]), on(Y[:7]))(on(at)), getattr(theirs, kind)(wide(X[:7]), wide(Y[:7]))(wide(at)), roundings=512)
        found = getattr(ours, kind)(on(X[:7]), on(Y[:7].T), axis=1)(on(at.reshape(2, 3)))
        check(found, getattr(theirs, kind)(wide(X[:7]), wide(Y[:7].T), axis=1)(wide(at.reshape(2, 3))), roundings=512)
        with pytest.raises(xp.FallbackError):
            getattr(ours, kind)(on(np.ones(3)), on(Y[:3]))


def test_slopes_that_are_given():
    with xp.config(fallback="error"):
        found = ours.CubicHermiteSpline(on(X), on(Y), on(Y[::-1].copy()))
        check(found(on(Q)), theirs.CubicHermiteSpline(wide(X), wide(Y), wide(Y[::-1]))(wide(Q)))
        check(ours.pchip_interpolate(on(X), on(Y), on(Q), 1), theirs.pchip_interpolate(wide(X), wide(Y), wide(Q), 1), roundings=64 * 16)


def on_grid(grid, values, method, *options):
    """SciPy's splines of grids, without what its default solver leaves."""
    solver = {"solver": spsolve} if method in {"slinear", "cubic"} else {}
    return theirs.RegularGridInterpolator(grid, values, method, *options, **solver)


GRIDS = [("linear", 1), ("linear", 3), ("nearest", 2), ("nearest", 3), ("slinear", 2), ("cubic", 1), ("cubic", 2), ("pchip", 3)]


@pytest.mark.parametrize(("method", "count"), GRIDS)
def test_grids(method, count):
    """Cubics at points beyond the grid by a step lose a factor of 8."""
    lengths = (5, 4, 4)[:count]
    grid = [X[:n] for n in lengths]
    values = rng.standard_normal((*lengths, 2))
    points = np.stack([rng.uniform(X[0] + 0.01, X[n - 1] - 0.01, (3, 4)) for n in lengths], axis=-1)
    wides = tuple(map(wide, grid)), wide(values)
    with xp.config(fallback="error"):
        made = ours.RegularGridInterpolator([on(g) for g in grid], on(values), method)
        check(made(on(points)), on_grid(*wides, method)(wide(points)))
        if method == "cubic":
            nu = (2, 1)[:count]
            check(made(on(points), nu=nu), on_grid(*wides, method)(wide(points), nu=nu), roundings=64 * 16**2)
            return
        found = ours.interpn(tuple(map(on, grid)), on(values), on(points - 0.5), method, False, -3.0)
        check(found, on_grid(*wides, method, False, -3.0)(wide(wide(points - 0.5))))
        extended = ours.RegularGridInterpolator(tuple(map(on, grid)), on(values), method, False, None)(on(points + 1))
        check(extended, on_grid(*wides, method, False, None)(wide(points + 1)), roundings=64 * 8)


@pytest.mark.parametrize(("n", "dtype"), [(4, np.float32), (11, np.float32)])
def test_interpolating_splines(n, dtype):
    with xp.config(fallback="error"):
        found = ours.make_interp_spline(on(X[:n], dtype), on(Y[:n], dtype))
        expected = theirs.make_interp_spline(wide(X[:n], dtype), wide(Y[:n], dtype))
        check(found(on(X[:n] + 0.1, dtype)), expected(wide(wide(X[:n] + 0.1), dtype) if dtype is np.float32 else X[:n] + 0.1), dtype, 256)
        check(found.c, expected.c, dtype, 256)
        np.testing.assert_array_equal(np.asarray(found.t.to_device("cpu")), expected.t)
    assert isinstance(found, theirs.BSpline)
    with xp.config(fallback="allow"):
        np.testing.assert_allclose(np.asarray(found.integrate(X[1], X[2]).to_device("cpu")), expected.integrate(X[1], X[2]), rtol=1e-4)
        assert pickle.loads(pickle.dumps(found)).k == 3


def test_objects_that_scipy_made():
    with xp.config(fallback="allow"):
        spline = ours.make_smoothing_spline(on(X), on(Y[:, 0]))
    with xp.config(fallback="error"):
        check(spline(on(Q.clip(X[0], X[-1] - 0.01))), spline.scipy(wide(Q.clip(X[0], X[-1] - 0.01))))


def test_splines_and_polynomials_of_coefficients():
    knots, weights = [0.0, 0, 0, 0.5, 1, 1, 1], np.stack([Q[:4], Q[2:6]], axis=1)
    at = np.array([-0.25, 0.0, 0.3, 0.5, 1.0, 1.5, np.nan])
    with xp.config(fallback="error"):
        made = [ours.BSpline(on(knots), on(weights), 2), ours.PPoly(on(Y[:3]), on(X[:3]))]
        expected = theirs.BSpline(knots, wide(weights), 2), theirs.PPoly(wide(Y[:3]), wide(X[:3]))
        for options in ({}, {"extrapolate": False}):
            check(made[0](on(at), **options), expected[0](wide(at), **options))
            check(made[0](on(at), 1, **options), expected[0](wide(at), 1, **options))
        check(made[1](on(Q[:4]), 1), expected[1](wide(Q[:4]), 1))
        made.append(ours.BPoly(on(Y[:3]), on(X[:3])))
        expected = *expected, theirs.BPoly(wide(Y[:3]), wide(X[:3]))
        for nu in (0, 1, 3):
            check(made[2](on(Q[:4]), nu), expected[2](wide(Q[:4]), nu))
        assert [isinstance(each, type(one)) for each, one in zip(made, expected, strict=True)] == [True, True, True]
    with xp.config(fallback="allow"), pytest.raises(ValueError, match="Knots must be in a non-decreasing order"):
        ours.BSpline(on(knots[::-1]), on(weights), 2)


def test_steep_slopes_do_not_overflow():
    x, y = np.arange(1.0, 13.0), 2.0**100 * (np.arange(12) > 5)
    with xp.config(fallback="error"):
        found = np.asarray(ours.Akima1DInterpolator(on(x), on(y))(on(x + 0.25)[:-1]).to_device("cpu"))
    expected = theirs.Akima1DInterpolator(x, y)((x + 0.25)[:-1])
    np.testing.assert_allclose(found / 2.0**100, expected / 2.0**100, rtol=0, atol=8 * U[np.float32])


def test_the_rest_is_scipys():
    found = ours.CubicSpline(on(X), on(Y))
    assert isinstance(found, theirs.CubicSpline)
    with xp.config(fallback="error"):
        for call in (lambda: found.solve(0.5), lambda: ours.CubicSpline(on(X), on(Y), bc_type="periodic"),
                     lambda: ours.interp1d(on(X), on(Y.T), kind=3)):  # fmt: skip
            with pytest.raises(xp.FallbackError):
                call()
    with xp.config(fallback="allow"):
        expected = theirs.CubicSpline(wide(X), wide(Y))
        np.testing.assert_allclose(np.asarray(found.derivative()(Q[0]).to_device("cpu")), expected.derivative()(Q[0]), rtol=1e-4)
        check(pickle.loads(pickle.dumps(found))(on(Q)), expected(wide(Q)))
        np.testing.assert_allclose(np.asarray(found.c.to_device("cpu")), expected.c, rtol=0, atol=1e-4)
        with pytest.raises(ValueError, match="finite"):
            ours.CubicSpline(on(X), on(Y) * np.inf)
        ends = [(1, 0.0), (2, 0.5)]
        check(ours.CubicSpline(on(X), on(Y[:, 0]), bc_type=ends)(on(Q)), theirs.CubicSpline(wide(X), wide(Y[:, 0]), bc_type=ends)(wide(Q)))
        with pytest.raises(ValueError, match="strictly increasing"):
            ours.CubicSpline(on(X[::-1].copy()), on(Y))
        with pytest.raises(ValueError, match="out of bounds|above the interpolation range"):
            ours.interp1d(on(X), on(Y.T))(on(X[-1] + 1))
        with pytest.raises(ValueError, match="out of bounds"):
            ours.interpn((on(X),), on(Y), on([[X[-1] + 1]]))
