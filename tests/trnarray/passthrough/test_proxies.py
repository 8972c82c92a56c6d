"""Proxies: SciPy's objects and classes that take and give Arrays."""

import copy
import pickle

import numpy as np
import pytest
import scipy.interpolate
import scipy.signal
import scipy.spatial
import scipy.stats

import trnarray as xp
from trnarray.scipy import interpolate, optimize, signal, spatial, stats

X = np.random.default_rng(7).standard_normal((20, 3))


@pytest.fixture(autouse=True)
def _allow():
    with xp.config(fallback="allow"):
        yield


def array(values, dtype=np.float32, device="sim:trn2"):
    return xp.asarray(np.asarray(values, dtype), device=device)


def test_trees():
    tree = spatial.KDTree(array(X))
    distances, indices = tree.query(array(X[:4] + 0.01), k=2)
    wanted = scipy.spatial.KDTree(X.astype(np.float32)).query((X[:4] + 0.01).astype(np.float32), k=2)
    np.testing.assert_allclose(np.asarray(distances.to_device("cpu")), wanted[0], rtol=1e-6)
    assert indices.tolist() == wanted[1].tolist()
    assert (str(distances.device), distances.dtype) == ("sim:trn2", np.float32)
    assert tree.sparse_distance_matrix(spatial.KDTree(array(X)), 0.1).shape == (20, 20)


def test_they_pass_for_the_original():
    tree = spatial.KDTree(array(X))
    assert isinstance(tree, scipy.spatial.KDTree)
    assert isinstance(tree, spatial.KDTree)
    assert not isinstance(tree, spatial.Delaunay)
    assert tree.__class__ == spatial.KDTree != spatial.Delaunay
    assert {spatial.KDTree: 1}[scipy.spatial.KDTree] == 1
    assert issubclass(spatial.KDTree, spatial.cKDTree)
    if hasattr(scipy.signal.lti, "__class_getitem__"):
        assert signal.lti[np.float64].__origin__ is scipy.signal.lti  # for annotations
    assert repr(tree) == repr(tree.scipy)
    assert type(tree.scipy) is scipy.spatial.KDTree
    assert type(tree).__doc__ == scipy.spatial.KDTree.__doc__
    assert {"query", "scipy"} <= set(dir(tree))
    assert type(tree.data) is xp.Array
    with pytest.raises(AttributeError, match="nonsense"):
        tree.nonsense  # noqa: B018


@pytest.mark.parametrize("made", [pickle.loads, copy.copy, copy.deepcopy])
def test_copies(made):
    spline = interpolate.CubicSpline(array([0, 1, 2]), array([0, 1, 4]))
    again = made(pickle.dumps(spline)) if made is pickle.loads else made(spline)
    assert type(again) is type(spline)
    assert again(array([0.5])).tolist() == spline(array([0.5])).tolist()
    assert (again(0.5).dtype, str(again(0.5).device)) == (np.float32, "sim:trn2")
    assert pickle.loads(pickle.dumps(interpolate.CubicSpline)) is interpolate.CubicSpline


def test_interpolators_and_what_they_give():
    x, y = array(np.arange(5.0)), array(np.arange(5.0) ** 2)
    slope = interpolate.CubicSpline(x, y).derivative()
    assert isinstance(slope, scipy.interpolate.PPoly)
    np.testing.assert_allclose(slope(array([1.5, 2.5])).tolist(), [3, 5], rtol=1e-6)
    wide = interpolate.CubicSpline(x.astype(xp.float64), y)
    assert wide(array([1.5])).dtype == np.float64


def test_operators_and_class_methods():
    turn = spatial.transform.Rotation.from_euler("z", array([[90], [180]]), degrees=True)
    assert len(turn) == 2
    assert isinstance(turn[0] * turn[1], scipy.spatial.transform.Rotation)
    np.testing.assert_allclose(np.asarray((turn[0] * turn[1]).apply(array([1, 0, 0])).to_device("cpu")), [0, -1, 0], atol=1e-6)


def test_reflected_operators_and_unions():
    if hasattr(scipy.stats, "Uniform"):  # since SciPy 1.15
        uniform = stats.Uniform(a=0.0, b=1.0)
        np.testing.assert_allclose((2**uniform).mean(), (2 ** scipy.stats.Uniform(a=0.0, b=1.0)).mean())
        assert abs(-uniform).icdf(0.5) == 0.5
    assert isinstance(scipy.stats.norm, stats.rv_discrete | stats.rv_continuous)
    assert isinstance(1, stats.rv_discrete | int)
    assert isinstance(1, int | stats.rv_discrete)


def test_what_is_no_function_is_not_called():
    update = optimize.BFGS()
    assert not callable(update)
    curve = optimize.NonlinearConstraint(lambda x: x[0] ** 2 + x[1], -np.inf, 1.9, hess=update)
    found = optimize.minimize(optimize.rosen, [0.5, 0.5], method="trust-constr", constraints=[curve])
    assert found.x[0] ** 2 + found.x[1] < 1.9 + 1e-6


def test_distributions():
    x = array(X[0])
    np.testing.assert_allclose(stats.norm.pdf(x).tolist(), scipy.stats.norm.pdf(X[0].astype(np.float32)), rtol=1e-6)
    frozen = stats.gamma(array([2, 3]), scale=2)
    assert frozen.mean().tolist() == [4, 6]
    assert str(frozen.mean().device) == "sim:trn2"


def test_documentation_methods_and_identity_are_scipys():
    assert stats.poisson.__doc__ == scipy.stats.poisson.__doc__ != type(scipy.stats.poisson).__doc__
    assert stats.norm.pdf.__func__ is type(scipy.stats.norm).pdf
    frozen = stats.norm()
    assert (frozen.dist == frozen.dist, frozen.dist == stats.norm().dist, frozen == 1) == (True, False, False)
    assert len({frozen.dist, frozen.dist, frozen}) == 2


def test_a_derived_class_is_derived_from_scipys():
    class Ramp(stats.rv_continuous):
        def _pdf(self, x):
            return 2 * x

    assert issubclass(Ramp, scipy.stats.rv_continuous)
    assert abs(Ramp(a=0, b=1).cdf(0.5) - 0.25) < 1e-9


def test_attributes_can_be_set():
    system = signal.TransferFunction([1.0], [1.0, 2.0])
    system.num = xp.asarray([3.0])
    assert system.scipy.num.tolist() == [3.0]
    optimizer = optimize.BFGS()
    assert isinstance(optimizer, optimize.HessianUpdateStrategy)


def test_exceptions_and_bundles_are_scipys_own():
    assert optimize.OptimizeResult is scipy.optimize.OptimizeResult
    assert stats.PermutationMethod(n_resamples=9) == scipy.stats.PermutationMethod(n_resamples=9)
    assert spatial.QhullError is scipy.spatial.QhullError
