"""Rules of polynomials against NumPy."""

import warnings

import numpy as np
import pytest

from trnarray.backends.op import get_op
from trnarray.backends.ops import polynomials  # noqa: F401  # registers the Ops
from trnarray.backends.promotion import NUMPY

KINDS = ("f4", "f8", "c8", "c16", "i4")


@pytest.mark.parametrize("scaled", [True, "unscaled"])
def test_covariances_of_fits_are_real_where_points_are(scaled):
    for x, y in [(np.arange(6).astype(one), (np.arange(6) ** 2).astype(other)) for one in KINDS for other in KINDS]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", np.exceptions.RankWarning)
            expected = np.polyfit(x, y, 1, cov=scaled)
        assert get_op("polyfit").rule(NUMPY, x, y, 1, cov=scaled) == tuple((array.shape, array.dtype) for array in expected)
