"""Running sums and products along axes that are not the last one: against float64, NaN and infinities as one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.neuron.costs import Costs

U = 2.0**-24


def off(array):
    return np.asarray(array.to_device("cpu"))


@settings(max_examples=36, deadline=None)
@given(st.data())
def test_sums_and_products(data):
    target = data.draw(st.sampled_from(["trn1", "trn2", "trn3"]))
    dtype = np.dtype(getattr(xp, data.draw(st.sampled_from(["float32", "bfloat16"]))))
    shapes = [(2, 64), (130, 70), (5, 300, 65), (1300, 64), (3, 2, 600), (700, 3, 40), (40, 520), (7, 4165), (2, 3, 9000)]
    shape = data.draw(st.sampled_from(shapes))
    axis = data.draw(st.integers(0, len(shape) - 2))
    x = np.random.default_rng(0).standard_normal(shape, np.float32)
    if data.draw(st.booleans()):
        x[shape[0] // 2, ..., 5], x[0, ..., 9], x[-1, ..., 9], x[:, ..., 11] = np.nan, np.inf, -np.inf, -0.0
    multiply = data.draw(st.booleans())
    if multiply:
        x = np.where(np.isfinite(x), np.where(x == 0, x, 1 + x / 64), x)
    x = x.astype(dtype)
    wide = x.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        want = np.cumprod(wide, axis=axis) if multiply else np.cumsum(wide, axis=axis)
        size = np.abs(want) * shape[axis] if multiply else (64 + 129 + shape[axis] / 128) * np.cumsum(np.abs(wide), axis=axis)
    found = off((xp.cumprod if multiply else xp.cumsum)(xp.asarray(x, device=f"sim:{target}"), axis=axis)).astype(np.float64)
    finite = np.isfinite(want)
    rounded = 2.0**-8 * np.abs(want[finite]) if dtype != np.float32 else 0
    assert np.all(np.abs(found[finite] - want[finite]) <= 1.1 * U * size[finite] + rounded + 1e-45)
    np.testing.assert_array_equal(found[~finite], want[~finite])
    np.testing.assert_array_equal(np.signbit(found[want == 0]), np.signbit(want[want == 0]))


@pytest.mark.parametrize("shape", [(2048, 2048), (16384, 256), (8, 1 << 17)])
def test_predicted_time(shape):
    """Within 1.3 times what DMA takes, and 10 us, on trn2."""
    x = xp.asarray(np.zeros(shape, np.float32), device="sim:trn2")
    seconds = sum(step.prediction.seconds for step in xp.explain(xp.cumsum(x, axis=0)).steps)
    assert seconds <= 1.3e-9 * Costs("trn2").moves(0, 0, 8 * x.size) + 10e-6
