"""Powers whose exponent is a number run on the device; the others are calls on the host."""

import numpy as np
import pytest

import trnarray as xp


@pytest.mark.parametrize("exponent", [1, 2, -1, 2.0])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "complex64"])
def test_simple_exponents(dtype, exponent):
    kind = np.dtype(getattr(xp, dtype))
    values = np.array([-3.5, -1.0, 0.25, 2.0, 1e19]).astype(kind)
    device = xp.asarray(values, device="sim:trn2")
    with xp.config(fallback="error"):
        found = device**exponent
    expected = xp.asarray(values) ** exponent
    assert found.dtype == expected.dtype == kind
    np.testing.assert_allclose(*(np.asarray(x.to_device("cpu"), np.complex128) for x in (found, expected)), rtol=2.0**-22)


def test_integers_keep_their_dtype():
    x = np.arange(-4, 5, dtype=np.int32)
    device = xp.asarray(x, device="sim:trn2")
    with xp.config(fallback="error"):
        assert np.array_equal(np.asarray((device**2).to_device("cpu")), x**2)
    with xp.config(fallback="allow"):
        assert (device**2.0).dtype == xp.float32
        assert np.array_equal(np.asarray((device**3).to_device("cpu")), x**3)
