"""Results handed over as NumPy's ufuncs hand them over."""

import numpy as np
import pytest

from trnarray.backends.host.ufunc_call import deliver, without_mask

RESULTS = [np.array([True, False, True]), np.array([1, 2, 3], np.int8), np.array([1.5, -0.0, np.nan]), np.array([1j, 2, 3])]


@pytest.mark.parametrize("where", [True, np.array([True, False, True]), np.array([[True], [False]])], ids=["all", "some", "rows"])
@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.dtype.name)
def test_it_writes_what_where_wants(result, where):
    for wrapped in (False, True):
        out, expected = np.full((2, 3), 7j), np.full((2, 3), 7j)
        assert deliver(result, (out,) if wrapped else out, {"where": where}) is out
        np.add(result, 0j, out=expected, where=where)
        np.testing.assert_array_equal(out, expected)


def test_casting_holds():
    with pytest.raises(TypeError, match="same_kind"):
        deliver(np.array([1.5]), np.zeros(1, int), {})
    assert deliver(np.array([1.5]), np.zeros(1, int), {"casting": "unsafe"})[0] == 1


def test_a_mask_broadcasts_the_result():
    mask = np.array([[True], [False]])
    found = without_mask(np.exp2)(np.arange(3.0), where=mask)
    assert found.shape == (2, 3)
    np.testing.assert_array_equal(found[0], [1, 2, 4])
    found[1] = 0  # it is the caller's
    assert type(deliver(np.array(2.0), None, {"where": True})) is np.float64
