"""Combinations, permutations and factorials on devices, against SciPy in float64."""

import numpy as np
import pytest
import scipy.special as theirs

import trnarray as xp
from trnarray.scipy import special as ours

N, K = (np.ravel(x) for x in np.meshgrid([-2, 0, 1, 5, 10, 30], [-1, 0, 1, 3, 7]))
CALLS = {
    "comb": (lambda m, n, k: m.comb(n, k), (N, K)),
    "comb of floats": (lambda m, n, k: m.comb(n, k), (N + 0.5, K + 0.25)),
    "perm": (lambda m, n, k: m.perm(n, k), (N, K)),
    "factorial": (lambda m, n: m.factorial(n), (np.arange(-2, 34),)),
}


@pytest.mark.parametrize(("call", "operands"), CALLS.values(), ids=CALLS)
def test_counts(call, operands):
    """Errors are those of a gamma and a beta function of float32, of 4 u each; integers to 2**20 are exact."""
    operands = [x.astype(np.float32 if x.dtype.kind == "f" else np.int32) for x in operands]
    with xp.config(fallback="error"):
        found = call(ours, *[xp.asarray(x, device="sim:trn2") for x in operands])
    assert found.dtype == np.float32
    expected = np.asarray(call(theirs, *[x.astype(float if x.dtype.kind == "f" else int) for x in operands]))
    values = np.asarray(found.to_device("cpu")).astype(float)
    np.testing.assert_allclose(values, expected, rtol=16 * 2.0**-24)
    if operands[0].dtype.kind == "i":
        np.testing.assert_array_equal(values[expected < 2**20], expected[expected < 2**20])
