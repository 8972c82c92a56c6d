"""Transposes of tall matrices times others, many small matrices, and few long rows: against float64, NaN and infinities as NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.neuron.costs import Costs

TARGETS = ("trn1", "trn2", "trn3")
U = 2.0**-24


def on(target, array):
    return xp.asarray(array, device=f"sim:{target}")


def off(array):
    return np.asarray(array.to_device("cpu"))


def seconds(result):
    return sum(step.prediction.seconds for step in xp.explain(result).steps)


def near(found, a, b, dtype):
    """Up to 128 products in any order, their sums for each of k / 128 r blocks, and r of these; and one rounding to the dtype."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        want, size = a @ b, np.abs(a) @ np.abs(b)
    assert found.shape == want.shape
    bound = (128 + a.shape[-1] / 128 + 20) * U * size + (0 if dtype == np.float32 else 2.0**-8 * np.abs(want))
    finite = np.isfinite(want)
    assert np.all(np.abs(found.astype(np.float64)[finite] - want[finite]) <= bound[finite])
    np.testing.assert_array_equal(found.astype(np.float64)[~finite], want[~finite])


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_tall_products(data):
    target, dtype = data.draw(st.sampled_from(TARGETS)), np.dtype(getattr(xp, data.draw(st.sampled_from(["float32", "bfloat16"]))))
    m, n = data.draw(st.sampled_from([5, 8, 33, 64, 130, 256])), data.draw(st.sampled_from([1, 3, 8, 40]))
    k = 1024 * (128 // max(m, n) or 4) + data.draw(st.sampled_from([0, 1, 129]))
    rng = np.random.default_rng(m + n)
    a, b = (rng.standard_normal((k, width), np.float32).astype(dtype) for width in (m, n))
    if data.draw(st.booleans()):
        a[k // 3, 0], b[-1, -1], b[5, 0] = np.inf, np.nan, -np.inf
    x, y = on(target, a), on(target, b)
    near(off(x.T @ y), a.T, b, dtype)
    near(off(x.T @ x), a.T, a, dtype)
    if n == 1:
        near(off(x.T @ y[:, 0]), a.T, b[:, 0], dtype)


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_many_small_matrices(data):
    target, name = data.draw(st.sampled_from(TARGETS)), data.draw(st.sampled_from(["float32", "bfloat16", "complex64"]))
    dtype = np.dtype(getattr(xp, name))
    m, k, n = (data.draw(st.integers(1, 9)) for _ in range(3))
    many, others = data.draw(st.sampled_from([((40,), (40,)), ((1, 9), (5, 1)), ((33,), (2, 33)), ((130,), (130,))]))
    rng = np.random.default_rng(k)
    a, b = (rng.integers(-9, 10, shape).astype(np.float32) for shape in ((*many, m, k), (*others, k, n)))
    if dtype.kind == "c":
        a, b = a + 1j * a[..., ::-1, :], b * (1 - 2j)
    elif data.draw(st.booleans()):
        a[0, ..., 0, 0], b[-1, ..., 0, 0] = np.inf, np.nan
    a, b = a.astype(dtype), b.astype(dtype)
    turned = data.draw(st.booleans())
    x = on(target, np.ascontiguousarray(np.swapaxes(a, -1, -2))).mT if turned else on(target, a)
    with np.errstate(invalid="ignore"):
        wide = np.complex128 if dtype.kind == "c" else np.float64
        want = (a.astype(wide) @ b.astype(wide)).astype(dtype)
    np.testing.assert_array_equal(off(x @ on(target, b)).astype(wide), want.astype(wide))


@pytest.mark.parametrize("target", TARGETS)
def test_few_long_rows(target):
    a, v = (np.random.default_rng(3).standard_normal(shape, np.float32) for shape in ((5, 8192), (8192,)))
    a[1, 7], a[2, 3] = np.inf, np.nan
    near(off(on(target, a) @ on(target, v)), a, v, np.float32)


@pytest.mark.parametrize("target", TARGETS)
def test_many_short_rows(target):
    a, b = (np.random.default_rng(4).integers(-9, 10, shape).astype(np.float32) for shape in ((1500, 7), (7, 5)))
    a[3, 2] = np.inf
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(off(on(target, a) @ on(target, b)), a.astype(np.float64) @ b)
        np.testing.assert_array_equal(off(on(target, a) @ on(target, b)[:, 1]), a.astype(np.float64) @ b[:, 1])


@pytest.mark.parametrize(
    ("shapes", "compute", "most"),
    [
        (((1 << 18, 8),), lambda x: x.T @ x, 3),
        (((65536, 128),), lambda x: x.T @ x, 2),
        (((16384, 256), (16384, 256)), lambda x, y: x.T @ y, 2.2),
        (((1 << 18, 8), (1 << 18,)), lambda x, y: x.T @ y, 3),
        (((16, 65536), (65536,)), lambda x, y: x @ y, 4),
        (((4096, 16, 16),) * 2, lambda x, y: x @ y, 15),
        (((100_000, 3, 3),) * 2, lambda x, y: x @ y, 5),
        (((1 << 17, 8), (8,)), lambda x, y: x @ y, 5),
    ],
)
def test_predicted_times(shapes, compute, most):
    """Times what DMA takes for the operands, as predicted for trn2."""
    operands = [on("trn2", np.zeros(shape, np.float32)) for shape in shapes]
    bound = 1e-9 * Costs("trn2").moves(0, 0, 4 * sum(one.size for one in operands))
    assert seconds(compute(*operands)) <= most * bound + 10e-6
