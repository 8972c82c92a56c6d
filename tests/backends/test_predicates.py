"""Predicates of floats into a strided ``out``, which NumPy's own loops get wrong."""

import numpy as np
import pytest

from trnarray.backends.host import predicates

X = np.where(np.arange(100) % 3 == 0, np.nan, np.where(np.arange(100) % 3 == 1, -np.inf, 1.0))


@pytest.mark.parametrize("name", ["isfinite", "isinf", "isnan", "signbit"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.uint8])
@pytest.mark.parametrize("step", [1, 2, 3, -1, -2])
def test_strided_out(name, dtype, step):
    with np.errstate(invalid="ignore"):
        x = X.astype(dtype)
    want = np.array([bool(getattr(np, name)(item)) for item in x])  # scalars do not go through the vector loops
    for before in (False, True):
        memory = np.full(400, before)
        out = memory[::step][:100]
        assert getattr(predicates, name)(x, out=out) is out
        assert np.array_equal(out, want)


def test_where_and_casting():
    out = np.full(100, 5.0)
    where = np.arange(100) < 50
    assert predicates.isnan(X, out=out, where=where) is out
    assert np.array_equal(out[:50], np.isnan(X[:50]))
    assert (out[50:] == 5).all()
    with pytest.raises(TypeError):
        predicates.isnan(X, out=out, casting="no")
