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
        for options in ({"neighbors": 2}, {"kernel": "gaussian"}, {"degree": 0}, {"kernel": "quintic", "degree": 7}):
            with pytest.raises(xp.FallbackError):
                ours.RBFInterpolator(places, values, **options)
