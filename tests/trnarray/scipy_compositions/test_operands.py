"""ndarrays beside Arrays of a device in functions of SciPy that are composed there, against SciPy in float64."""

import numpy as np
import pytest
import scipy.interpolate
import scipy.signal
import scipy.stats

import trnarray as xp
from trnarray.scipy import interpolate, signal, stats

U = 2.0**-24
GRID = np.arange(5.0), np.arange(4.0)
VALUES = np.random.default_rng(1).random((5, 4), np.float32)
POINTS = np.float32([[0.5, 0.5], [3.75, 2.0]])
CALLS = {
    "grid": (
        lambda m, values, points: m.RegularGridInterpolator(GRID, values)(points),
        (interpolate, scipy.interpolate),
        (VALUES, POINTS),
        np.float64,
    ),
    "sample": (lambda m, x, _: m.ttest_ind(x, GRID[0]).statistic, (stats, scipy.stats), (VALUES[:, 0], None), np.float64),
    "peaks": (
        lambda m, x, _: m.peak_prominences(x, np.array([1, 4]))[0],
        (signal, scipy.signal),
        (np.float32([0, 3, 1, 2, 5, 4]), None),
        np.float32,
    ),
}


@pytest.mark.parametrize(("call", "modules", "operands", "dtype"), CALLS.values(), ids=CALLS)
def test_ndarrays_beside_arrays(call, modules, operands, dtype):
    """Both are computed in the dtype of both, which ndarrays of float64 have; the Arrays, of float32, are exact there."""
    on = [x if x is None else xp.asarray(x, device="sim:trn2") for x in operands]
    expected = call(modules[1], *[x if x is None else x.astype(float) for x in operands])
    with xp.config(fallback="error", host_transfer="allow"):
        found = call(modules[0], *on)
    assert (found.dtype, str(found.device)) == (dtype, "sim:trn2")
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), expected, rtol=32 * np.finfo(dtype).eps)
    with xp.config(fallback="error"), pytest.raises(xp.HostTransferError, match="asarray"):
        call(modules[0], *on)
    with xp.config(fallback="allow"):
        passed = call(modules[0], *on)
    passed = passed.to_device("cpu") if isinstance(passed, xp.Array) else passed
    np.testing.assert_allclose(np.asarray(passed, np.float64), expected, rtol=4 * U)
