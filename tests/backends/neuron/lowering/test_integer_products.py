"""Products of matrices of integers: NumPy's, modulo the range of the dtype, by all products and by digits on the Tensor Engine."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.simulator.knobs import Knobs

from ..variants import preferred_variants

DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "bool")
WAYS = ("by all products", "by digits on the Tensor Engine")
KNOBS = (Knobs(), Knobs(pe_order="permuted:1", two_op="fused", dve_order="permuted:3"), Knobs(pe_order="permuted:4", denormals_pe="flush"))


def drawn(seed, shape, dtype):
    """Numbers over all of the range, half of them at its ends."""
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.random(shape) < 0.3
    info = np.iinfo(dtype)
    ends = rng.choice(np.array([info.min, info.max, info.max // 2, 0], dtype), shape)
    return np.where(rng.random(shape) < 0.5, ends, rng.integers(info.min, info.max, shape, dtype, endpoint=True))


def product(target, a, b):
    x, y = (xp.asarray(item, device=f"sim:{target}") for item in (a, b))
    with xp.config(fallback="error"):
        return np.asarray((x @ y).to_device("cpu"))


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_both_ways_are_as_numpy(data):
    dtype, way = data.draw(st.sampled_from(DTYPES)), data.draw(st.sampled_from(WAYS))
    target, knobs = data.draw(st.sampled_from(["trn1", "trn2", "trn3"])), data.draw(st.sampled_from(KNOBS))
    m, n = (data.draw(st.integers(1, 7)) for _ in range(2))
    k = data.draw(st.sampled_from([1, 2, 3, 127, 130]))
    many, others = data.draw(st.sampled_from([((), ()), ((3,), ()), ((), (3,)), ((2, 1), (3,))]))
    a, b = drawn(m, (*many, m, k), dtype), drawn(n + 10, (*others, k, n), dtype)
    with simulator.options(target, knobs=knobs), preferred_variants(f"sim:{target}", **{"integer matmul": way}):
        np.testing.assert_array_equal(product(target, a, b), a @ b)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32"])
@pytest.mark.parametrize("digit", [-128, -127, 127])
def test_sums_of_extreme_digits_are_exact(dtype, digit):
    """All digits are the same: a sum of 512 products is 2**23, or nearly, and odd."""
    number = sum(digit << 8 * place for place in range(np.dtype(dtype).itemsize)) % (1 << 8 * np.dtype(dtype).itemsize)
    a = np.full((2, 1101), np.array(number, f"u{np.dtype(dtype).itemsize}").view(dtype))
    a[:, ::700] += np.array(1, dtype)
    with preferred_variants("sim:trn2", **{"integer matmul": WAYS[1]}):
        np.testing.assert_array_equal(product("trn2", a, a.T), a @ a.T)


def test_long_products_are_native():
    a, b = drawn(0, (130, 1000), "int32"), drawn(1, (1000, 140), "int32")  # more than 2**24 products of elements
    np.testing.assert_array_equal(product("trn2", a, b), a @ b)
    x = drawn(2, (40000,), "int32")
    np.testing.assert_array_equal(product("trn2", x, x), x @ x)
