"""Interpolation by radial basis functions on devices against SciPy's in float64."""

import numpy as np
import pytest
import scipy.interpolate as theirs

import trnarray as xp
from trnarray.scipy import interpolate as ours

PLACES = np.float32([[-1.0], [-0.25], [0.5], [2.0]])
VALUES = np.float32([1.0, -2.0, 0.5, 3.0])


def test_interpolation_by_radial_basis_functions():
    """Equations of float64, whose results are rounded once to float32; the larger error is that of float32 coordinates of points."""
    points = np.float32([[-0.75], [0.5], [3.0]])
    places, values, at = [xp.asarray(x, device="sim:trn2") for x in (PLACES, VALUES, points)]
    with xp.config(fallback="error"):
        made = ours.RBFInterpolator(places, values, kernel="cubic")
        found = made(at)
    assert isinstance(made, theirs.RBFInterpolator)
    assert (found.dtype, str(found.device)) == (np.float32, "sim:trn2")
    expected = theirs.RBFInterpolator(PLACES.astype(float), VALUES.astype(float), kernel="cubic")(points.astype(float))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), expected, rtol=2 * 2.0**-24)


def test_what_scipy_computes():
    places, values = xp.asarray(PLACES, device="sim:trn2"), xp.asarray(VALUES, device="sim:trn2")
    with xp.config(fallback="error"):
        for options in ({"neighbors": 1}, {"kernel": "gaussian"}, {"degree": 0}, {"kernel": "quintic", "degree": 7}):
            with pytest.raises(xp.FallbackError):
                ours.RBFInterpolator(places, values, **options)


def test_neighbours_and_the_older_class():
    """Of points that lie apart, so that both know the same neighbours."""
    points = np.float32([[-0.75], [0.4], [3.0]])
    places, values, at = [xp.asarray(x, device="sim:trn2") for x in (PLACES, VALUES, points)]
    wide = [x.astype(float) for x in (PLACES, VALUES, points)]
    with xp.config(fallback="error"):
        found = ours.RBFInterpolator(places, values, neighbors=2, kernel="linear")(at)
        older = ours.Rbf(places[:, 0], values, function="multiquadric")(at[:, 0])
    expected = theirs.RBFInterpolator(*wide[:2], neighbors=2, kernel="linear")(wide[2])
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), expected, rtol=2 * 2.0**-24)
    expected = theirs.Rbf(wide[0][:, 0], wide[1], function="multiquadric")(wide[2][:, 0])
    np.testing.assert_allclose(np.asarray(older.to_device("cpu")), expected, rtol=2 * 2.0**-24)


def test_the_nearest():
    points, at = np.float32([[0, 0], [1, 0], [0, 2], [3, 1]]), np.float32([[0.2, 0.1], [2.5, 1.5], [np.nan, 0], [0.1, 1.5]])
    made, where = xp.asarray(points, device="sim:trn2"), xp.asarray(at, device="sim:trn2")
    values = xp.asarray(VALUES, device="sim:trn2")
    expected = VALUES[[0, 3, 0, 2]]
    expected[2] = np.nan
    with xp.config(fallback="error"):
        for found in (ours.NearestNDInterpolator(made, values)(where), ours.griddata(made, values, (where[:, 0], where[:, 1]), "nearest")):
            np.testing.assert_array_equal(np.asarray(found.to_device("cpu")), expected)
        with pytest.raises(xp.FallbackError):
            ours.griddata(made, values, where)
