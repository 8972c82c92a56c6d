"""Kernel densities on devices against SciPy's in float64."""

import pickle

import numpy as np
import pytest
from scipy import stats as theirs

import trnarray as xp
from trnarray.scipy import stats as ours

U = {np.float32: 2.0**-24, np.float64: 2.0**-53}
rng = np.random.default_rng(2)
DATA, POINTS = rng.standard_normal((2, 30)) @ np.eye(30) + 4.0, rng.standard_normal((2, 11)) + 4.0
DATA[1] += 0.5 * DATA[0]


@pytest.mark.parametrize(
    ("axes", "bandwidth", "dtype"), [(1, None, np.float32), (1, 0.3, np.float32), (2, "silverman", np.float32), (2, "scott", np.float64)]
)
def test_densities(axes, bandwidth, dtype):
    """Distances are of 4 scales at most, their squares of 16: 64 u of the largest density, and of its logarithm."""
    data, points = DATA[:axes].astype(dtype), POINTS[:axes].astype(dtype)
    data, points = (data[0], points[0]) if axes == 1 else (data, points)
    with xp.config(fallback="error"):
        found = ours.gaussian_kde(xp.asarray(data, device="sim:trn2"), bandwidth)
        density = found(xp.asarray(points, device="sim:trn2"))
    expected = theirs.gaussian_kde(data.astype(float), bandwidth)
    wanted = expected(points.astype(float))
    assert density.dtype == dtype
    np.testing.assert_allclose(np.asarray(density.to_device("cpu")), wanted, rtol=0, atol=64 * U[dtype] * wanted.max())
    np.testing.assert_allclose(np.asarray(found.covariance.to_device("cpu")), expected.covariance, rtol=64 * U[dtype])
    assert found.factor == pytest.approx(expected.factor)
    if dtype is np.float32:
        logs = np.asarray(found.logpdf(xp.asarray(points, device="sim:trn2")).to_device("cpu"))
        np.testing.assert_allclose(logs, expected.logpdf(points.astype(float)), atol=256 * U[dtype])


def test_the_rest_is_scipys():
    data = xp.asarray(DATA[0].astype(np.float32), device="sim:trn2")
    found = ours.gaussian_kde(data)
    assert isinstance(found, theirs.gaussian_kde)
    assert isinstance(found, ours.gaussian_kde)
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError):
        found.resample(3, seed=np.random.default_rng(1))
    with xp.config(fallback="allow"):
        expected = theirs.gaussian_kde(DATA[0].astype(np.float32)).resample(3, seed=np.random.default_rng(1))
        np.testing.assert_allclose(found.resample(3, seed=np.random.default_rng(1)).tolist(), expected, rtol=8 * U[np.float32])
        assert found.scipy.n == 30
        again = pickle.loads(pickle.dumps(found))
        assert float(again(data[:1])[0]) == float(found(data[:1])[0])
        with pytest.raises(np.linalg.LinAlgError):
            ours.gaussian_kde(xp.asarray(np.ones((2, 9), np.float32), device="sim:trn2"))
    with pytest.raises(ValueError, match="dimension 3"):
        found(xp.zeros((3, 4), device="sim:trn2"))


def test_three_axes_boxes_and_draws():
    data = np.concatenate([DATA, DATA[:1] * DATA[1:]]).astype(np.float32)
    with xp.config(fallback="error"):
        found = ours.gaussian_kde(xp.asarray(data, device="sim:trn2"))
        density = np.asarray(found(xp.asarray(data[:, :4], device="sim:trn2")).to_device("cpu"))
        of_one = ours.gaussian_kde(xp.asarray(data[0], device="sim:trn2"))
        inside = float(of_one.integrate_box_1d(3.0, 4.5))
        drawn = np.asarray(found.resample(400, seed=1).to_device("cpu"))
    wide = theirs.gaussian_kde(data.astype(float))
    np.testing.assert_allclose(density, wide(data[:, :4].astype(float)), rtol=4096 * U[np.float32])  # the condition number is 60
    assert inside == pytest.approx(theirs.gaussian_kde(data[0].astype(float)).integrate_box_1d(3.0, 4.5), rel=64 * U[np.float32])
    errors = np.sqrt(np.diag(np.cov(data)) + np.diag(wide.covariance)) / 20  # of means of 400
    assert np.all(np.abs(drawn.mean(axis=1) - data.mean(axis=1)) < 5 * errors)


def test_weights_and_integrals():
    """Sums of 30 densities; 64 u of each."""
    data, points, weights = DATA[:, :12].astype(np.float32), POINTS.astype(np.float32), rng.uniform(0.2, 2.0, 12).astype(np.float32)
    with xp.config(fallback="error"):
        found = ours.gaussian_kde(xp.asarray(data, device="sim:trn2"), weights=xp.asarray(weights, device="sim:trn2"))
        other = ours.gaussian_kde(xp.asarray(points, device="sim:trn2"))
        density = found(xp.asarray(points, device="sim:trn2")).tolist()
        logs = found.logpdf(xp.asarray(points, device="sim:trn2")).tolist()
        integrals = [float(found.integrate_kde(other)), float(found.integrate_gaussian([4.0, 6.0], [[1.0, 0.2], [0.2, 0.5]]))]
    expected = theirs.gaussian_kde(data.astype(float), weights=weights.astype(float))
    assert (found.neff, found.factor) == (pytest.approx(expected.neff), pytest.approx(expected.factor))
    np.testing.assert_allclose(density, expected(points.astype(float)), atol=64 * U[np.float32] * max(density))
    np.testing.assert_allclose(logs, expected.logpdf(points.astype(float)), atol=256 * U[np.float32])
    wanted = [expected.integrate_kde(theirs.gaussian_kde(points.astype(float)))]
    wanted.append(expected.integrate_gaussian([4.0, 6.0], [[1.0, 0.2], [0.2, 0.5]]))
    np.testing.assert_allclose(integrals, wanted, rtol=64 * U[np.float32])
